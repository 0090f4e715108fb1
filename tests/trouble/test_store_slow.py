"""The store is slow, or stands still: who needs it waits, nobody else is hurt, nothing is appended twice."""

import asyncio
import os
import signal

import pytest

from server.table.events import ActedFor, TimeGiven
from tests.e2e.conftest import StartServer
from tests.e2e.script import a_card
from tests.trouble.conftest import behind
from tests.trouble.players import (
    all_play,
    all_see,
    check_once,
    four,
    heard,
    in_play,
    in_turn,
    scored,
    seated,
    server_time,
    told,
)
from tests.trouble.proxy import Proxy
from tests.trouble.stores import ForeignValkey
from tests.wire import Wire

SLOW = (1.5, 2.0)
"""Seconds that each answer of a slow store takes."""


async def test_a_slow_store_slows_play_and_nothing_else(
    start_server: StartServer, valkey: ForeignValkey, proxy: Proxy
) -> None:
    """Acts take as long as the store's answers, pings do not; the same act sent again meanwhile counts once."""
    server = start_server(behind(proxy))
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    await all_see(players, table, (await players[0].do("sync", table=table))["version"])
    for slow in SLOW:
        proxy.delay = slow
        player = in_turn(players, table)
        wire = player.wire
        act = {"table": table, "prompt": wire.views[table]["own"]["prompt"], "action": a_card(wire, table)}
        command_id, since = wire.next_id(), len(wire.heard)
        for _ in range(3):
            await wire.send({"type": "act", "id": command_id, **act})
        for _ in range(3):
            await wire.send({"type": "ping"})
        await hears(wire, since, "pong", 3)
        assert answers(wire, since, "reply") == 0
        await hears(wire, since, "reply", 3)
        reply = await wire.answer_to(command_id, since)
        assert [one for one in wire.heard[since:] if one.get("id") == command_id] == [reply] * 3
        player.answered.append((command_id, "act", reply))
        await all_see(players, table, reply["version"])
    proxy.delay = 0.0
    await all_play(players, table, scored(1))
    assert not [one for one in players[0].wire.heard if one.get("notice") == "store_away"]
    check_once(valkey.written()[table], players)
    for player in players:
        await player.close()


async def hears(wire: Wire, since: int, kind: str, number: int) -> None:
    """Waits until somebody has heard so many messages of a kind."""
    await wire.wait(lambda message: answers(wire, since, kind) == number, since)


def answers(wire: Wire, since: int, kind: str) -> int:
    """How many messages of a kind somebody has heard since."""
    return sum(message["type"] == kind for message in wire.heard[since:])


@pytest.mark.parametrize("way", ["stalled", "stopped"])
async def test_a_store_that_stands_still_costs_nobody_his_time(
    start_server: StartServer, valkey: ForeignValkey, proxy: Proxy, way: str
) -> None:
    """Longer than a decision may take, with an act under way: it counts once, and the clock strikes nobody."""
    server = start_server({**behind(proxy), "KOP_KEEP_FLUSH_TIMEOUT_MS": "500"})
    players = four(server)
    table = await seated(players, options={"deals": 4, "answer_seconds": None, "clock_seconds": 3})
    await all_play(players, table, in_play)
    await all_see(players, table, (await players[0].do("sync", table=table))["version"])
    player = in_turn(players, table)
    wire, since = player.wire, heard(players)
    view = wire.views[table]
    act = {"table": table, "prompt": view["own"]["prompt"], "action": a_card(wire, table)}
    proxy.stall() if way == "stalled" else os.kill(valkey.pid, signal.SIGSTOP)
    command_id = wire.next_id()
    await wire.send({"type": "act", "id": command_id, **act})
    await wire.send({"type": "act", "id": command_id, **act})
    await told(players, "store_away", since)
    due = view["public"]["clock"]["due"][players.index(player)]
    while (await server_time(wire)) < due + 500:  # noqa: ASYNC110 - so long the trouble lasts
        await asyncio.sleep(0.1)
    proxy.flow() if way == "stalled" else os.kill(valkey.pid, signal.SIGCONT)
    await told(players, "store_back", since)
    reply = await player.do("act", id=command_id, **act)
    assert reply["version"] > view["version"]
    await all_play(players, table, scored(1))
    lines = valkey.written()[table]
    check_once(lines, players)
    happened = [event for line in lines for event in line.events]
    assert [event for event in happened if isinstance(event, ActedFor)] == []
    assert sum(event.millis for event in happened if isinstance(event, TimeGiven)) >= 500
    for one in players:
        await one.close()
