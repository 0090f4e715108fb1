"""Wire and domain: messages as commands, answers as messages."""

from typing import Any

from protocol.client import (
    Act,
    Annul,
    ChangeOptions,
    Command,
    Finish,
    FromClient,
    HandOver,
    Hello,
    Leave,
    OfOwner,
    Pause,
    Ping,
    Remove,
    Resume,
    Say,
    SeatBot,
    Start,
    ToTable,
    Vote,
)
from protocol.errors import TEXTS, ErrorCode
from server.endpoint.names import clean_saying
from server.games.game import RuleViolation, Seat
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Refused
from server.store.port import Player
from server.table import commands
from server.table.events import Choice
from server.table.ids import PlayerId
from server.table.memory import CommandId
from server.table.strength import Strength


def table_command(sender: Player, message: ToTable | Say) -> commands.PlayersCommand:
    """The table's command that a message of this player means.

    Raises:
        RuleViolation: `bad_text`
    """
    player = sender.id
    match message:
        case Act():
            return commands.Act(player, message.prompt, message.action)
        case Leave():
            return commands.LeaveSeat(player)
        case Resume():
            return commands.ResumeTable(player)
        case Vote():
            return commands.Vote(player, message.absence, Choice(message.choice))
        case Say():
            text = "" if message.text is None else clean_saying(message.text)
            if text is None:
                raise RuleViolation("bad_text")
            return commands.Say(player, sender.name, text, message.phrase or "")
        case _:
            return _owners_command(player, message)


def _owners_command(player: PlayerId, message: OfOwner) -> commands.PlayersCommand:
    match message:
        case Start():
            return commands.StartDeal(player, message.prompt)
        case Finish():
            return commands.FinishMatch(player, message.prompt)
        case Annul():
            return commands.AnnulDeal(player, message.prompt)
        case Remove():
            return commands.RemoveSitter(player, PlayerId(message.player))
        case SeatBot():
            seat = None if message.seat is None else Seat(message.seat)
            return commands.SeatBot(player, seat, Strength(message.strength))
        case ChangeOptions():
            return commands.ChangeOptions(player, message.options)
        case HandOver():
            return commands.HandOver(player, PlayerId(message.player))
        case Pause():
            return commands.PauseTable(player)


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


def error(
    refused: Refused, command_id: int | None, table: str | None = None, tournament: str | None = None
) -> dict[str, Any]:
    """The answer to a message that was refused."""
    code = ErrorCode(refused.code)
    about = {} if tournament is None else {"tournament": tournament}
    return {
        **about,
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


def logged(message: FromClient, refused: Refused, client: str, table: str | None) -> dict[str, Any]:
    """The fields of the log's line about a refusal: ids and codes, nothing of what was asked."""
    number = id_of(message)
    return {
        "table": table,
        "version": refused.version,
        "command": None if not client or number is None else str(CommandId(client, number)),
        "kind": message.type,
        "code": refused.code,
    }
