"""What can happen in a tournament: the facts that its state is made of, as they stand in its log.

A decision of a director is a fact of its own, `Decided`; what it brings about follows it in the same entry.
"""

from dataclasses import dataclass, field
from typing import Final, get_args

from server.games.game import Millis
from server.table.ids import PlayerId
from server.tournament.state import (
    Decision,
    Director,
    Ending,
    Entrant,
    Invitation,
    MoveOffer,
    Penalty,
    Result,
    Round,
    TournamentId,
)
from server.tournament.terms import Terms


@dataclass(frozen=True, slots=True)
class Announced:
    """A tournament was opened for registration. The secret makes its draws: its commitments are public from now on."""

    tournament: TournamentId
    name: str
    terms: Terms
    director: Director
    secret: bytes = field(repr=False)
    at: Millis


@dataclass(frozen=True, slots=True)
class TermsChanged:
    """Other terms are agreed, before the first round."""

    name: str
    terms: Terms


@dataclass(frozen=True, slots=True)
class DirectorNamed:
    """Another director helps."""

    director: Director


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody was invited."""

    invitation: Invitation


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody has entered, or asks to; `invitation` is the number of the one that he used (0: none)."""

    entrant: Entrant
    invitation: int = 0


@dataclass(frozen=True, slots=True)
class Admitted:
    """Who has asked, or was out, is in: he plays from that round on."""

    entrant: int
    from_round: int


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """An entrant is out, by his own wish or the director's."""

    entrant: int


@dataclass(frozen=True, slots=True)
class EntryOpened:
    """Entries are taken, or no longer."""

    open: bool


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round is drawn: its tables are to be opened, and its draw's secret is public."""

    round: Round


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """The first card of the round is out."""

    round: int


@dataclass(frozen=True, slots=True)
class SeatGiven:
    """A seat of the running round has another entrant, or (None) a bot of the house."""

    table: int
    seat: int
    entrant: int | None


@dataclass(frozen=True, slots=True)
class PlaceMoved:
    """An entrant is another player from now on: the same person at another device."""

    entrant: int
    player: PlayerId


@dataclass(frozen=True, slots=True)
class MoveOffered:
    """A code was made with which an entrant's place moves to another device."""

    offer: MoveOffer


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A table of the running round is played with real cards."""

    table: int


@dataclass(frozen=True, slots=True)
class ResultNoted:
    """A table has a result; a later one counts instead."""

    round: int
    table: int
    result: Result


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal of a table does not count, by that decision."""

    round: int
    table: int
    deal: int
    decision: int


@dataclass(frozen=True, slots=True)
class Penalised:
    """An entrant has points given or taken."""

    penalty: Penalty


@dataclass(frozen=True, slots=True)
class Decided:
    """A director has decided something."""

    decision: Decision


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """All tables of the round have a result."""

    round: int
    at: Millis


@dataclass(frozen=True, slots=True)
class Halted:
    """Everything stands still."""

    at: Millis


@dataclass(frozen=True, slots=True)
class WentOn:
    """It goes on; what is due is so much later."""

    at: Millis


@dataclass(frozen=True, slots=True)
class Ended:
    """The tournament is over; tables that still play are closed."""

    ending: Ending
    at: Millis


TournamentEvent = (
    Announced
    | TermsChanged
    | DirectorNamed
    | Invited
    | Entered
    | Admitted
    | Withdrawn
    | EntryOpened
    | RoundOpened
    | RoundBegun
    | SeatGiven
    | PlaceMoved
    | MoveOffered
    | OnPaper
    | ResultNoted
    | DealVoided
    | Penalised
    | Decided
    | RoundEnded
    | Halted
    | WentOn
    | Ended
)
EVENT_TYPES: Final = {one.__name__: one for one in get_args(TournamentEvent)}
"""By the name under which each stands in the log."""
