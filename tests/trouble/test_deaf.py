"""Peers that never read: they are cut off with a code, the others notice nothing, and memory stays bounded."""

import asyncio

from protocol.codec import MAX_FRAME
from protocol.errors import CloseCode
from server.endpoint.feed import MOST_HAPPENED
from server.endpoint.limits import ConnectionLimits
from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.crowd import Bare, greeted, memory, spectator
from tests.trouble.players import (
    Steady,
    all_play,
    check_once,
    four,
    in_play,
    over,
    scored,
    seated,
    server_time,
)
from tests.trouble.stores import written

SPECTATORS = 200
CONGESTION, CLOSING = 2, 15
SETTINGS = {
    "KOP_LIMIT_CONGESTION": str(CONGESTION),
    "KOP_LIMIT_CLOSING": str(CLOSING),
    "KOP_LIMIT_SILENCE": "300",  # however slow the machine: not for silence are they cut off
}
MOST_EACH = ConnectionLimits().congested_above + MOST_HAPPENED + MAX_FRAME + 25 * 1024
"""Bytes that a deaf spectator may cost: what may wait until he is congested, one more message, an idle connection."""


async def pass_time(players: list[Steady], seconds: float) -> None:
    """Waits until the server's clock has gone on so far; nobody is silent meanwhile."""
    until = await server_time(players[0].wire) + 1000 * seconds
    while max([await server_time(player.wire) for player in players]) < until:  # noqa: ASYNC110
        await asyncio.sleep(0.1)


async def check_match_goes_on(server: ServerProcess, players: list[Steady], table: str) -> None:
    """All four play to the end of the match over the connections that they have."""
    await all_play(players, table, over)
    assert [player.connections for player in players] == [1] * 4
    assert not [one for player in players for one in player.wire.heard if one["type"] == "error"]
    check_once(written(server.folder / "data")[table], players)


async def close(players: list[Steady], deaf: list[Bare]) -> None:
    for player in players:
        await player.close()
    for one in deaf:
        one.drop()


async def test_two_hundred_deaf_spectators(start_server: StartServer) -> None:
    """Five matches go on before their deaf ears; they are closed with 4003, and cost no more than their outboxes."""
    server = start_server(SETTINGS)
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    code = players[0].wire.views[table]["own"]["code"]
    before = memory(server)
    deaf = [await spectator(server, f"Deaf {number}", code) for number in range(SPECTATORS)]
    await players[0].wire.view(table, lambda view: view["watchers"] == SPECTATORS)
    await all_play(players, table, lambda view: view["public"]["match"] == 6)
    assert memory(server) - before < SPECTATORS * MOST_EACH
    await pass_time(players, CONGESTION + 2)
    codes = await asyncio.gather(*(one.close_code() for one in deaf))
    assert set(codes) == {CloseCode.SLOW}
    await players[0].wire.view(table, lambda view: view["watchers"] == 0)
    await check_match_goes_on(server, players, table)
    await close(players, deaf)


async def test_deaf_spectators_who_also_ask(start_server: StartServer) -> None:
    """Who asks for the view without end and never reads is cut off at his outbox, long before his time is over."""
    server = start_server({"KOP_LIMIT_CONGESTION": "600", "KOP_LIMIT_CLOSING": "1"})
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    code = players[0].wire.views[table]["own"]["code"]
    before = memory(server)
    deaf = [await spectator(server, f"Deaf {number}", code) for number in range(5)]
    await players[0].wire.view(table, lambda view: view["watchers"] == 5)

    async def ask(one: Bare) -> None:
        number = 1
        while await one.say({"type": "sync", "id": (number := number + 1), "table": table}):
            pass

    asking = [asyncio.get_running_loop().create_task(ask(one)) for one in deaf]
    await all_play(players, table, scored(1))
    await asyncio.gather(*asking)
    await players[0].wire.view(table, lambda view: view["watchers"] == 0)
    assert memory(server) - before < 5 * 4 * ConnectionLimits().outbox + 2**22
    await check_match_goes_on(server, players, table)
    await close(players, deaf)


async def test_a_deaf_player_holds_up_nobody_but_his_own_turn(start_server: StartServer) -> None:
    """He is closed with 4003, or resumes his seat before that; the others have their views all the while."""
    server = start_server(SETTINGS)
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    deaf = await greeted(server, "", players[3].wire.token)
    await players[3].close()
    say = {"table": table, "phrase": "yes"}
    for _ in range(120):
        for player in players[:3]:
            reply = await player.do("say", **say)
        for player in players[:3]:
            await player.wire.at_version(table, reply["version"])
    await pass_time(players[:3], CONGESTION + 2)
    await players[3].come()
    await all_play(players, table, scored(1))
    assert await deaf.close_code() == CloseCode.SLOW
    assert [player.connections for player in players] == [1, 1, 1, 2]
    await close(players, [deaf])
