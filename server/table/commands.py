"""What can be asked of a table, by players and by the server's clock."""

from collections.abc import Mapping
from dataclasses import dataclass

from server.games.game import OptionValue, Seat
from server.table.ids import PlayerId, TableId
from server.table.state import Sitter


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
    """Take this seat, or the first free one."""

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
    """Owner: take this person out of his seat."""

    player: PlayerId
    sitter: PlayerId


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
class Act:
    """Answer the question that `prompt` names with an action, in words."""

    player: PlayerId
    prompt: str
    action: str


@dataclass(frozen=True, slots=True)
class RunOut:
    """The server's clock: the deadline of the question that `prompt` names has passed."""

    prompt: str


@dataclass(frozen=True, slots=True)
class PassOwnership:
    """The server: the owner has been away too long; this player, who sits there, becomes the owner after him."""

    player: PlayerId
    owner: PlayerId


PlayersCommand = Create | TakeSeat | LeaveSeat | RemoveSitter | StartDeal | FinishMatch | AnnulDeal | Act
ServersCommand = RunOut | PassOwnership
Command = PlayersCommand | ServersCommand


def asked(command: PlayersCommand) -> str:
    """What a command asks, to tell a repeat from another command under the same id."""
    match command:
        case Create():
            options = " ".join(f"{name}={value!r}" for name, value in sorted(command.options.items()))
            return f"create {command.game} {command.code is not None} {options}"
        case TakeSeat():
            return f"seat {command.seat}"
        case LeaveSeat():
            return "leave"
        case RemoveSitter():
            return f"remove {command.sitter}"
        case StartDeal():
            return f"start {command.prompt}"
        case FinishMatch():
            return f"finish {command.prompt}"
        case AnnulDeal():
            return f"annul {command.prompt}"
        case Act():
            return f"act {command.prompt} {command.action}"
