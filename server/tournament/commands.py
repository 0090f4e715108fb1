"""What can be asked of a tournament: by players, by its directors, and by the server, which runs it."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from server.games.game import OptionValue
from server.table.ids import PlayerId
from server.tournament.state import Director, Four, Result, TournamentId


@dataclass(frozen=True, slots=True)
class Announce:
    """Open a tournament, as its director."""

    director: Director
    tournament: TournamentId
    name: str
    options: Mapping[str, OptionValue]

    @property
    def player(self) -> PlayerId:
        """Who asks."""
        return self.director.player


@dataclass(frozen=True, slots=True)
class Register:
    """Enter, or ask to; `code` is a personal invitation's, `contribution` 32 bytes of the player's own, or none."""

    player: PlayerId
    name: str
    team: str
    code: str | None = None
    contribution: bytes = b""
    program: bool = False


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Be out from now on."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Claim:
    """Be the entrant whose place a code moves to this device."""

    player: PlayerId
    code: str


# What a director decides. `after` of `Direct` is the number of the last decision that he has seen.


@dataclass(frozen=True, slots=True)
class Approve:
    """Let in who has asked."""

    entrant: int


@dataclass(frozen=True, slots=True)
class TurnAway:
    """Refuse who has asked, or put out an entrant."""

    entrant: int
    reason: str


@dataclass(frozen=True, slots=True)
class EnterGuest:
    """Enter somebody who has no device."""

    name: str
    team: str


@dataclass(frozen=True, slots=True)
class Invite:
    """Make a personal invitation."""

    name: str


@dataclass(frozen=True, slots=True)
class NameDirector:
    """Let another player direct too; without a name he is not known here."""

    director: Director


@dataclass(frozen=True, slots=True)
class ChangeTerms:
    """Agree on these options instead, before the first round."""

    name: str
    options: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class OpenEntry:
    """Take entries, or no longer."""

    open: bool


@dataclass(frozen=True, slots=True)
class OpenRound:
    """Draw the next round and open its tables."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call an entrant: to his table, to the director."""

    entrant: int
    text: str


@dataclass(frozen=True, slots=True)
class Replace:
    """Give an entrant's seat of the running round to another who has none, or (None) to a bot of the house."""

    entrant: int
    by: int | None


@dataclass(frozen=True, slots=True)
class Correct:
    """Set the small points of a table that has a result."""

    round: int
    table: int
    small: Four
    reason: str


@dataclass(frozen=True, slots=True)
class AnnulDeal:
    """Let a deal of a table not count: the running one is broken off, a scored one is taken out of the result."""

    round: int
    table: int
    deal: int
    reason: str


@dataclass(frozen=True, slots=True)
class Penalise:
    """Give or take points, in a round or (0) in none."""

    entrant: int
    round: int
    big: Fraction
    small: int
    reason: str


@dataclass(frozen=True, slots=True)
class Tell:
    """Say something to all."""

    text: str


@dataclass(frozen=True, slots=True)
class EnterPaper:
    """Enter the result of a table that plays with real cards: None says only that it does.

    `round` is None for the running or last one.
    """

    table: int
    small: Four | None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class OfferMove:
    """Make a code with which an entrant's place moves to another device."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Halt:
    """Let everything stand still."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """Let it go on."""


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back a decision: until the first card of the round after it."""

    decision: int


@dataclass(frozen=True, slots=True)
class End:
    """End the tournament now."""

    reason: str


Order = (
    Approve
    | TurnAway
    | EnterGuest
    | Invite
    | NameDirector
    | ChangeTerms
    | OpenEntry
    | OpenRound
    | Call
    | Replace
    | Correct
    | AnnulDeal
    | Penalise
    | Tell
    | EnterPaper
    | OfferMove
    | Halt
    | GoOn
    | Undo
    | End
)


@dataclass(frozen=True, slots=True)
class Direct:
    """A director decides. If another decision than those he has seen was made, he is refused and looks again."""

    player: PlayerId
    after: int
    order: Order


# What the server asks by itself


class OfServer:
    """What the server asks by itself: no player has sent it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NextRound(OfServer):
    """The pause before this round is over."""

    round: int


@dataclass(frozen=True, slots=True)
class NoteFirstCard(OfServer):
    """The first card of the round is out."""

    round: int


@dataclass(frozen=True, slots=True)
class NoteResult(OfServer):
    """A table of the running round is over, or (a result of kind `forfeit`) somebody has forfeited there."""

    round: int
    table: int
    result: Result


PlayersCommand = Announce | Register | Withdraw | Claim | Direct
ServersCommand = NextRound | NoteFirstCard | NoteResult
Command = PlayersCommand | ServersCommand


def asked(command: PlayersCommand) -> str:
    """What a command asks, to tell a repeat from another command under the same id."""
    match command:
        case Announce(name=name, options=options):
            return f"announce {name} {sorted(options.items())}"
        case Register(team=team, code=code, contribution=contribution):  # not the name: it may change meanwhile
            return f"register {team!r} {code!r} {contribution.hex()}"
        case Direct(after=after, order=NameDirector(director=director)):
            return f"director {after} {director.player}"
        case _:
            return repr(command)
