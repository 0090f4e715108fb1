"""What can happen in a match of a patience: the facts that its state is made of, as they stand in the log."""

from dataclasses import dataclass

from server.games.game import Millis
from server.games.patience.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class DealOffered:
    """The next deal may be begun; `label` names the table and the match."""

    label: str
    deal: int


@dataclass(frozen=True, slots=True)
class Step:
    """A move as an action, and the card that it took; none for a redeal."""

    move: str
    card: Card | None


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards lie: the pack in the order in which it was dealt.

    `number` is the deal's number; the player knows it if `known`. `opening` are the moves that the rules make
    before the player's first. `day` is the day, as YYYY-MM-DD, whose deal of the day it is, empty if of none:
    its number is then never shown at the table, and nobody can know it before `until`.
    """

    deal: int
    number: str
    known: bool
    keep_twins: bool
    pack: Cards
    opening: tuple[Step, ...]
    at: Millis
    day: str = ""
    until: Millis = Millis(0)  # noqa: RUF009 (a NewType is no call with an effect)


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was made, by the player or by the auto-play."""

    move: str
    card: Card | None
    auto: bool = False


@dataclass(frozen=True, slots=True)
class Undone:
    """The last move was taken back."""

    move: str


@dataclass(frozen=True, slots=True)
class Redone:
    """A move that was taken back was made again."""

    move: str


@dataclass(frozen=True, slots=True)
class SolverAsked:
    """The player asked for the solver's verdict, which sees all cards: the deal is marked as helped."""


@dataclass(frozen=True, slots=True)
class Line:
    """A finished deal as it stands on the sheet. `out` counts the cards on the foundations.

    A deal of the day that is finished after its `day` is a known one: its number was published meanwhile.
    """

    deal: int
    number: str
    known: bool
    helped: bool
    won: bool
    out: int
    moves: int
    auto: int
    undos: int
    started: Millis
    ended: Millis
    day: str = ""

    @property
    def counts(self) -> bool:
        """Whether the deal belongs into statistics of wins and rankings."""
        return not self.known and not self.helped


@dataclass(frozen=True, slots=True)
class DealOver:
    """The deal is won, or the player gave it up; its number is public from now on, but for a deal of the day."""

    line: Line


@dataclass(frozen=True, slots=True)
class DealAnnulled:
    """A deal that could not go on is void; its number is public, and left out for a deal of the day."""

    deal: int
    number: str


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over: ended by its owner, or very long."""


PatienceEvent = DealOffered | Dealt | Moved | Undone | Redone | SolverAsked | DealOver | DealAnnulled | MatchEnded
