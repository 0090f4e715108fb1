"""What can be asked of a table, by players and by the server: its clock, its bots, and who it sees come and go."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.games.game import DayDeal, Millis, OptionValue, Seat
from server.table.affiliation import Affiliation
from server.table.events import Choice, Seated, Sitter
from server.table.ids import PlayerId, TableId
from server.table.strength import Strength


@dataclass(frozen=True, slots=True)
class Create:
    """Open a table and sit down at seat 0; `code` is its join code if it is private."""

    sitter: Sitter
    table: TableId
    game: str
    options: Mapping[str, OptionValue]
    code: str | None

    @property
    def player(self) -> PlayerId:
        """Who asks."""
        return self.sitter.player


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take this seat, or the first free one, or else the first in which a bot of the server sits."""

    sitter: Sitter
    seat: Seat | None

    @property
    def player(self) -> PlayerId:
        """Who asks."""
        return self.sitter.player


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Give up the seat."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class RemoveSitter:
    """Owner: take this person, or bot, out of his seat."""

    player: PlayerId
    sitter: PlayerId


@dataclass(frozen=True, slots=True)
class SeatBot:
    """Owner: let a bot of the server take this seat, or the first free one."""

    player: PlayerId
    seat: Seat | None
    strength: Strength


@dataclass(frozen=True, slots=True)
class ChangeOptions:
    """Owner: agree on these options instead, before the first match."""

    player: PlayerId
    options: Mapping[str, OptionValue]


@dataclass(frozen=True, slots=True)
class HandOver:
    """Owner: make this person, who sits there, the owner."""

    player: PlayerId
    to: PlayerId


@dataclass(frozen=True, slots=True)
class StartDeal:
    """Owner: deal now, without those who are not ready, as an answer to the question that `prompt` names."""

    player: PlayerId
    prompt: str


@dataclass(frozen=True, slots=True)
class FinishMatch:
    """Owner: end an open-ended match, as an answer to the question that `prompt` names."""

    player: PlayerId
    prompt: str


@dataclass(frozen=True, slots=True)
class AnnulDeal:
    """Owner: make a deal void that cannot go on, since somebody has left, while `prompt` names its question."""

    player: PlayerId
    prompt: str


@dataclass(frozen=True, slots=True)
class PauseTable:
    """Owner: let the table stand still."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class ResumeTable:
    """Let the table go on: its owner at any time, every other seat after a while."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Vote:
    """Say what is to happen with the seat of the absence that `absence` names."""

    player: PlayerId
    absence: int
    choice: Choice


@dataclass(frozen=True, slots=True)
class Say:
    """Say something to the table, in one's own words or by the name of a phrase (the other is empty)."""

    player: PlayerId
    name: str
    text: str
    phrase: str


@dataclass(frozen=True, slots=True)
class Act:
    """Answer the question that `prompt` names with an action, in words."""

    player: PlayerId
    prompt: str
    action: str


@dataclass(frozen=True, slots=True)
class DealWinnable:
    """Deal a deal that can be won, as an answer to the question that `prompt` names: a solver has chosen the bytes."""

    player: PlayerId
    prompt: str
    entropy: bytes


@dataclass(frozen=True, slots=True)
class DealOfDay:
    """Deal the deal of the day, as an answer to the question that `prompt` names."""

    player: PlayerId
    prompt: str
    day: DayDeal


class OfServer:
    """What the server asks by itself: no player has sent it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class RunOut(OfServer):
    """The server's clock: the deadline of the question that `prompt` names has passed."""

    prompt: str


@dataclass(frozen=True, slots=True)
class BotActs(OfServer):
    """A bot of the server answers the question that `prompt` names, for a seat that it plays."""

    seat: Seat
    prompt: str
    action: str


@dataclass(frozen=True, slots=True)
class NoteAbsent(OfServer):
    """The server: this player, who sits there, has been away for longer than the grace."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class NoteReturn(OfServer):
    """The server: this player is back."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class NoteDeserted(OfServer):
    """The server: for longer than the grace no person and no watcher has been there."""


@dataclass(frozen=True, slots=True)
class NoteAttended(OfServer):
    """The server: somebody is there again."""


@dataclass(frozen=True, slots=True)
class GiveTime(OfServer):
    """The server: it, or its store, was away since this time."""

    since: Millis


@dataclass(frozen=True, slots=True)
class PassOwnership(OfServer):
    """The server: the owner has been away too long; this player, who sits there, becomes the owner after him."""

    player: PlayerId
    owner: PlayerId


@dataclass(frozen=True, slots=True)
class OpenForTournament(OfServer):
    """A tournament: open this table, seat these players at it in the order of its seats, and let the match begin.

    Given again it changes nothing. `on_absence` among the options says what happens with those who do not come.
    """

    table: TableId
    game: str
    options: Mapping[str, OptionValue]
    tournament: Affiliation
    sitters: tuple[Sitter, ...]

    @property
    def seated(self) -> tuple[Seated, ...]:
        """Who sits where."""
        return tuple(Seated(Seat(seat), sitter) for seat, sitter in enumerate(self.sitters))


@dataclass(frozen=True, slots=True)
class CallTime(OfServer):
    """The director: time is over. The deal in play is finished, then the match ends; between deals it ends at once."""


@dataclass(frozen=True, slots=True)
class ReplaceSitter(OfServer):
    """The director: this person, or bot of the server, takes the seat over; in a running deal with its hand."""

    seat: Seat
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class AnnulDirected(OfServer):
    """The director: the running deal, which has this number, is void; another is played in its place."""

    deal: int


@dataclass(frozen=True, slots=True)
class HaltTable(OfServer):
    """The director: the table stands still until he lets it go on."""


@dataclass(frozen=True, slots=True)
class GoOnTable(OfServer):
    """The director: the table goes on."""


@dataclass(frozen=True, slots=True)
class CloseTable(OfServer):
    """The director: the match ends at once, and a running deal is void; the reason is told to all."""

    reason: str


PlayersCommand = (
    Create
    | TakeSeat
    | LeaveSeat
    | RemoveSitter
    | SeatBot
    | ChangeOptions
    | HandOver
    | StartDeal
    | FinishMatch
    | AnnulDeal
    | PauseTable
    | ResumeTable
    | Vote
    | Say
    | Act
    | DealWinnable
    | DealOfDay
)
DirectorsCommand = CallTime | ReplaceSitter | AnnulDirected | HaltTable | GoOnTable | CloseTable
UpkeepCommand = RunOut | BotActs | NoteAbsent | NoteReturn | NoteDeserted | NoteAttended | GiveTime | PassOwnership
ServersCommand = UpkeepCommand | OpenForTournament | DirectorsCommand
Command = PlayersCommand | ServersCommand


OwnersCommand = RemoveSitter | SeatBot | ChangeOptions | HandOver | StartDeal | FinishMatch | AnnulDeal | PauseTable
"""What only the table's owner may ask."""


def asked(command: PlayersCommand) -> str:
    """What a command asks, to tell a repeat from another command under the same id."""
    match command:
        case Create():
            return f"create {command.game} {command.code is not None} {_words(command.options)}"
        case TakeSeat():
            return f"seat {command.seat}"
        case LeaveSeat():
            return "leave"
        case ResumeTable():
            return "resume"
        case Vote():
            return f"vote {command.absence} {command.choice}"
        case Say():
            return f"say {command.phrase} {command.text}"
        case DealWinnable():
            return f"winnable {command.prompt}"
        case DealOfDay():
            return f"daily {command.prompt}"
        case Act():
            return f"act {command.prompt} {command.action}"
        case _:
            return _asked_of_owner(command)


def _asked_of_owner(command: OwnersCommand) -> str:
    match command:
        case RemoveSitter():
            return f"remove {command.sitter}"
        case SeatBot():
            return f"bot {command.seat} {command.strength}"
        case ChangeOptions():
            return f"options {_words(command.options)}"
        case HandOver():
            return f"hand over {command.to}"
        case StartDeal():
            return f"start {command.prompt}"
        case FinishMatch():
            return f"finish {command.prompt}"
        case AnnulDeal():
            return f"annul {command.prompt}"
        case PauseTable():
            return "pause"


def _words(options: Mapping[str, OptionValue]) -> str:
    return " ".join(f"{name}={value!r}" for name, value in sorted(options.items()))
