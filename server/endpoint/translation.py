"""Wire and domain: messages as commands, answers as messages."""

from typing import Any

from protocol.client import Act, Annul, Command, Finish, FromClient, Hello, Leave, Ping, Remove, Start
from protocol.errors import TEXTS, ErrorCode
from server.runtime.actor import Accepted, Refused, TableActor
from server.table import commands
from server.table.ids import PlayerId


def table_command(player: PlayerId, message: Act | Start | Finish | Annul | Remove | Leave) -> commands.PlayersCommand:
    """The table's command that a message means."""
    match message:
        case Act():
            return commands.Act(player, message.prompt, message.action)
        case Start():
            return commands.StartDeal(player, message.prompt)
        case Finish():
            return commands.FinishMatch(player, message.prompt)
        case Annul():
            return commands.AnnulDeal(player, message.prompt)
        case Remove():
            return commands.RemoveSitter(player, PlayerId(message.player))
        case Leave():
            return commands.LeaveSeat(player)


def reply(message: Command, actor: TableActor, answer: Accepted) -> dict[str, Any]:
    """The answer to a command that took effect; the join code only for who sits at a private table."""
    table = actor.state
    return {
        "type": "reply",
        "id": message.id,
        "table": actor.id,
        "version": answer.version,
        "seat": answer.seat,
        "code": None if answer.seat is None or table is None else table.code,
    }


def error(refused: Refused, command_id: int | None, table: str | None = None) -> dict[str, Any]:
    """The answer to a message that was refused."""
    code = ErrorCode(refused.code)
    return {
        "type": "error",
        "code": code,
        "text": TEXTS[code],
        "id": command_id,
        "table": table,
        "version": refused.version,
        "detail": refused.detail,
    }


def id_of(message: FromClient) -> int | None:
    """The id of a command; None for what is none."""
    return None if isinstance(message, Hello | Ping) else message.id
