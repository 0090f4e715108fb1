"""A server process stands still and goes on, or is killed at any moment: nothing is lost, and nothing counts twice."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.table.events import Absent, ActedFor
from tests.e2e.company import told as told_of
from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.players import (
    Steady,
    all_play,
    check_once,
    check_records,
    four,
    in_play,
    moments,
    over,
    scored,
    seated,
)
from tests.trouble.stores import written

GRACE = 0.5


@asynccontextmanager
async def stopped(server: ServerProcess, seconds: float) -> AsyncIterator[None]:
    """The process stands still in the block, at least so long by the clock of its store."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        with server.store() as store:
            began = now(store.time())
            yield
            while now(store.time()) < began + seconds:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        os.kill(server.pid, signal.SIGCONT)


def now(time: object) -> float:
    """The store's clock, in seconds."""
    assert isinstance(time, tuple)
    return float(time[0] + time[1] / 1e6)


async def test_a_process_that_stood_still_has_kept_everybodys_seat(start_server: StartServer) -> None:
    """Longer than the grace: who waited, and who has connected anew meanwhile, plays on; nobody counts as away."""
    server = start_server({"KOP_LIMIT_GRACE_SECONDS": str(GRACE)})
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    async with stopped(server, 4 * GRACE):
        await players[1].wire.drop()
        coming = asyncio.get_running_loop().create_task(players[1].come())
        playing = [asyncio.get_running_loop().create_task(players[seat].play(table, over)) for seat in (0, 2, 3)]
    await coming
    await players[1].play(table, over)
    await asyncio.gather(*playing)
    assert told_of(players[0].wire, table, "absent") == []
    lines = server.entries(table)
    assert not [event for line in lines for event in line.events if isinstance(event, Absent)]
    check_once(lines, players)
    assert [player.connections for player in players] == [1, 2, 1, 1]
    for player in players:
        await player.close()


async def test_no_clock_strikes_for_the_time_that_the_process_stood_still(start_server: StartServer) -> None:
    """Longer than a decision may take: whoever acts as soon as it goes on has lost nothing."""
    server = start_server()
    players = four(server)
    table = await seated(players, options={"deals": 4, "answer_seconds": None, "clock_seconds": 3})
    await all_play(players, table, in_play)
    async with stopped(server, 4):
        pass
    await all_play(players, table, scored(1))
    acted = [event for line in server.entries(table) for event in line.events if isinstance(event, ActedFor)]
    for player in players:
        await player.close()
    assert acted == []


async def kills(server: ServerProcess, number: int) -> None:
    """A match goes on and on while the server is killed and started again so often, at moments drawn beforehand."""
    players = four(server)
    table = await seated(players)
    killed = 0

    async def trouble() -> None:
        nonlocal killed
        for moment in moments(f"kills {number}", number, 0.15):
            await players[killed % 4].wire.view(table)
            await asyncio.sleep(moment)  # chance, not to wait for anything
            server.kill()
            await asyncio.to_thread(server.start)
            killed += 1

    async with asyncio.TaskGroup() as group:
        group.create_task(trouble())
        group.create_task(all_play(players, table, lambda view: killed == number and view["public"]["match"] > 1))
    assert min(player.connections for player in players) > number // 2
    check_once(written(server.folder / "data")[table], players)
    await check_records(players[0], table, 4)
    await close(players)


async def close(players: list[Steady]) -> None:
    for player in players:
        await player.close()


async def test_a_dozen_kills_at_any_moment_of_a_match(start_server: StartServer) -> None:
    """Players who only try again under the same ids play whole matches: each answered command is in the log, once."""
    await kills(start_server(), 12)
