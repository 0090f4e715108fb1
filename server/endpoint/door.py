"""At the door: who somebody is, which table is meant, and whether he may watch."""

import asyncio
from collections.abc import Callable

from protocol.client import Hello, Join
from server.endpoint.names import clean_name
from server.games.game import RuleViolation
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.house import Guest, House
from server.table import commands
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId

PROTOCOL = 1


async def identify(house: House, hello: Hello, admit: Callable[[], None]) -> tuple[str | None, Guest]:
    """Who says hello; for a new player, if `admit` lets him in, also the token that only he gets to see.

    Raises:
        RuleViolation: `unsupported_protocol`, `bad_name`, `name_needed`, `unknown_token`
        StoreAway
    """
    if hello.protocol != PROTOCOL:
        raise RuleViolation("unsupported_protocol")
    name = None if hello.name is None else clean_name(hello.name)
    if name is None and hello.name is not None:
        raise RuleViolation("bad_name")
    if hello.token is not None:
        guest = await house.known_player(hello.token, name, program=hello.bot)
        if guest is None:
            raise RuleViolation("unknown_token")
        return None, guest
    if name is None:
        raise RuleViolation("name_needed")
    admit()
    return await house.new_player(name, program=hello.bot)


async def table_meant(house: House, guest: Guest, message: Join) -> TableActor:
    """The table that is meant: a private one opens only to its code, or to who sits there.

    Raises:
        RuleViolation: `no_such_table`
        StoreAway
    """
    if message.code is not None:
        return await house.actor(await house.table_of_code(message.code))
    if message.table is None:
        raise RuleViolation("no_such_table")
    actor = await house.actor(TableId(message.table))
    table = actor.state
    if table is None or (table.code is not None and table.seat_of(guest.player.id) is None):
        raise RuleViolation("no_such_table")
    return actor


def watching(player: PlayerId, actor: TableActor) -> Answer:
    """The answer to who wants to watch."""
    table = actor.state
    if table is None or actor.stopped is not None:
        return Refused(actor.stopped or "no_such_table")
    if player in table.barred:
        return Refused("barred")
    if table.keeps_out(player):
        return Refused("watching_closed")
    return Accepted(table.version, table.seat_of(player))


async def carried_out(actor: TableActor, command: commands.PlayersCommand, command_id: CommandId) -> Answer:
    """The answer to a command."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    def answer(told: Answer) -> None:
        if not answered.done():  # the server may be stopping
            answered.set_result(told)

    actor.submit(command, command_id, answer)
    return await answered
