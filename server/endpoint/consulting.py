"""Hints, and what the solver is asked over the wire: the answers to `hint`, `solve` and `winnable`.

A hint knows what the player sees; the solver sees all cards, so it is asked only for a deal that is marked
as helped, or about deals that are not dealt yet.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from protocol.client import AskHint, AskSolver, Winnable
from server.endpoint.door import carried_out
from server.games.game import Plain, RuleViolation
from server.runtime.actor import TableActor
from server.runtime.answers import Answer
from server.runtime.house import Guest, House
from server.table import rules
from server.table.commands import DealWinnable, asked
from server.table.memory import CommandId, recall
from server.table.seating import seat_of
from server.table.state import Table

Send = Callable[[dict[str, Any]], None]


def hint(table: Table, guest: Guest, message: AskHint) -> dict[str, Any]:
    """The answer to `hint`, from what the player sees.

    Raises:
        RuleViolation: `not_seated`, `no_hint`, or `no_deal_running`
    """
    seat_of(table, guest.player.id)
    found = table.game.hint(table.play)
    if found is None:
        table.game.puzzle(table.play)  # says why
        raise RuleViolation("no_hint")
    return _about(message, table, found)


async def solver_hint(house: House, table: Table, guest: Guest, message: AskHint) -> dict[str, Any]:
    """The answer to `hint` that follows the solver's line; without a line it is the ordinary one.

    Raises:
        RuleViolation: what `hint` raises, `not_marked`, `already_thinking`, or `thinking_failed`
    """
    usual = hint(table, guest, message)
    found = await house.solving.line_hint(guest.player.id, table.game.puzzle(table.play))
    return usual if found is None else _about(message, table, found)


async def verdict(house: House, table: Table, guest: Guest, message: AskSolver, send: Send) -> dict[str, Any]:
    """The answer to `solve`; `progress` is sent before.

    Raises:
        RuleViolation: `not_seated`, `no_hint`, `no_deal_running`, `not_marked`, `already_thinking`, `thinking_failed`
    """
    seat_of(table, guest.player.id)
    puzzle = table.game.puzzle(table.play)

    def undecided(progress: Plain) -> None:
        send({"type": "progress", "id": message.id, "table": table.id, **progress})

    found = await house.solving.verdict(guest.player.id, puzzle, undecided)
    return {"type": "verdict", "id": message.id, "table": table.id, **found}


async def deal_winnable(
    house: House, actor: TableActor, guest: Guest, message: Winnable, command_id: CommandId
) -> Answer:
    """Looks for a deal that can be won, and has it dealt; a repeat of what took effect is only answered again.

    Raises:
        RuleViolation: why there is none
    """
    table, command = actor.state, partial(DealWinnable, guest.player.id, message.prompt)
    if table is None:
        raise RuleViolation("no_such_table")
    entropy = b""
    if recall(table.memory, command_id, asked(command(entropy))) is None:
        rules.check_winnable(table, command(entropy))
        entropy = await house.solving.winnable(guest.player.id, table.game.winnable(table.play))
    return await carried_out(actor, command(entropy), command_id)


def _about(message: AskHint, table: Table, found: Plain) -> dict[str, Any]:
    return {"type": "hint", "id": message.id, "table": table.id, **found}
