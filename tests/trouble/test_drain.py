"""A restart that lets people finish their word: SIGTERM, SIGINT, twice, with peers that never read."""

import asyncio
import os
import signal
import time

import pytest

from server.table.events import ActedFor, TimeGiven
from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.crowd import spectator
from tests.trouble.players import (
    all_play,
    check_once,
    four,
    heard,
    in_play,
    moments,
    over,
    scored,
    seated,
    told,
)
from tests.trouble.stores import written

BOUNDED = 15.0
"""Seconds in which a server that was told to stop has ended, whatever its peers do: 5 to close, and some to let go."""


async def ended(server: ServerProcess) -> int:
    """Waits until the process has ended, in bounded time; its exit code."""
    assert server.process is not None
    code = await asyncio.to_thread(server.process.wait, BOUNDED)
    server.stop()
    return code


@pytest.mark.parametrize("signals", [(signal.SIGTERM,), (signal.SIGINT,), (signal.SIGTERM, signal.SIGTERM)])
async def test_a_stop_during_play(start_server: StartServer, signals: tuple[signal.Signals, ...]) -> None:
    """All are told `draining` and closed with 1001; no new table is opened; what was answered is there, once."""
    server = start_server({"KOP_LOG": "info"})
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    since = heard(players)
    playing = asyncio.get_running_loop().create_task(all_play(players, table, over))
    for number in signals:
        os.kill(server.pid, number)
    await told(players, "draining", since)
    assert await ended(server) == 0
    for word in ("Traceback", "ERROR", "never awaited"):
        assert word not in server.log
    server.start()
    await playing
    for player in players:
        assert player.connections == 2
        assert player.close_codes == [1001]
        await player.close()
    check_once(written(server.folder / "data")[table], players)


async def test_many_restarts_of_a_match(start_server: StartServer) -> None:
    """Stopped and started again at any moment, players who only try again play on."""
    server = start_server()
    players = four(server)
    table = await seated(players)
    stops = 0

    async def restarts() -> None:
        nonlocal stops
        for moment in moments("restarts", 6, 0.1):
            await players[0].wire.view(table)
            await asyncio.sleep(moment)  # chance, not to wait for anything
            os.kill(server.pid, signal.SIGTERM)
            assert await ended(server) == 0
            await asyncio.to_thread(server.start)
            stops += 1

    async with asyncio.TaskGroup() as group:
        group.create_task(restarts())
        group.create_task(all_play(players, table, lambda view: stops == 6))
    assert {code for player in players for code in player.close_codes} == {1001}
    check_once(written(server.folder / "data")[table], players)
    for player in players:
        await player.close()


async def test_clocks_stand_still_over_a_restart(start_server: StartServer) -> None:
    """The time that the server was away is given back: whoever acts when he has come back has lost nothing."""
    server = start_server()
    players = four(server)
    table = await seated(players, options={"deals": 4, "answer_seconds": None, "clock_seconds": 3})
    await all_play(players, table, in_play)
    os.kill(server.pid, signal.SIGTERM)
    for player in players:
        await player.wire.closed()
    assert await ended(server) == 0
    began = time.monotonic()
    while time.monotonic() < began + 3.5:  # noqa: ASYNC110 - so long it is away
        await asyncio.sleep(0.1)
    server.start()
    await all_play(players, table, scored(1))
    events = [event for line in server.entries(table) for event in line.events]
    assert [event for event in events if isinstance(event, ActedFor)] == []
    assert sum(event.millis for event in events if isinstance(event, TimeGiven)) >= 3_000
    for player in players:
        await player.close()


async def test_a_deaf_peer_does_not_hold_up_the_end(start_server: StartServer) -> None:
    """The server ends in bounded time, though some never read, and some have opened a socket and said nothing."""
    server = start_server()
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    code = players[0].wire.views[table]["own"]["code"]
    deaf = [await spectator(server, f"Deaf {number}", code) for number in range(20)]
    idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(5)]
    await all_play(players, table, lambda view: view["public"]["match"] == 3)
    os.kill(server.pid, signal.SIGTERM)
    assert await ended(server) == 0
    check_once(written(server.folder / "data")[table], players)
    for player in players:
        await player.close()
    for one in deaf:
        one.drop()
    for _, writer in idle:
        writer.close()
