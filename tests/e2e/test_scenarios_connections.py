"""What went wrong at comparable servers with connections, and must not here; each named after its report."""

import asyncio
import contextlib
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from server.configuration import from_environment
from server.endpoint.session import Session
from server.running import running
from tests.e2e.conftest import StartServer
from tests.e2e.script import QUIET, a_card, close, in_turn, played_to
from tests.e2e.test_crash import seen
from tests.servers import OPEN_LIMITS, ServerProcess
from tests.trouble.proxy import Proxy
from tests.wire import RefusedError, Wire, four_at_table


@contextlib.asynccontextmanager
async def vanished(server: ServerProcess, token: str) -> AsyncIterator[None]:
    """A connection of this player whose bytes vanish on the way, as behind a router that has forgotten it."""
    with Proxy(server.port) as proxy:
        wire = Wire(f"ws://127.0.0.1:{proxy.port}/ws", "")
        wire.token = token
        await wire.open()
        proxy.swallow()
        await wire.drop()
        yield


@contextlib.asynccontextmanager
async def asleep(server: ServerProcess, token: str) -> AsyncIterator[None]:
    """A program of this player that is connected and stands still, as on a machine that has gone to sleep."""
    command = [sys.executable, "-m", "tests.trouble.sleeper", server.url, token]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"1\n"
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize("dead", [vanished, asleep])
async def test_half_open_lock_out(
    server: ServerProcess, dead: Callable[[ServerProcess, str], contextlib.AbstractAsyncContextManager[None]]
) -> None:
    """A connection that is dead but open keeps nobody out: the token has the seat at once, and plays on."""
    players, table = await four_at_table(server.url, options=QUIET)
    await played_to(players, table, "play", 2)
    turn, player = in_turn(players, table)
    assert player.token is not None
    async with dead(server, player.token):
        await player.drop()
        new = Wire(server.url, "")
        new.token = player.token
        welcome = await new.open()
        assert welcome["tables"] == [{"table": table, "seat": turn}]
        view = await new.view(table)
        assert len(view["own"]["play"]["hand"]) == 4
        reply = await new.act(table, a_card(new, table))
        assert reply["version"] == view["version"] + 1
        seen_by_all = await players[(turn + 1) % 4].at_version(table, reply["version"])
        assert (seen_by_all["here"], seen_by_all["watchers"]) == ([True] * 4, 0)
        await close(new)
    await close(*players)


async def test_seat_theft(server_url: str) -> None:
    """Nothing that others can see of a player opens his seat: not his id, not the table's, not his prompt."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 1)
    turn, player = in_turn(players, table)
    thief = Wire(server_url, player.name)
    for key in (player.player, player.player.lower(), table, "", player.name):
        thief.token = key
        with pytest.raises(RefusedError, match="unknown_token"):
            await thief.open()
        await thief.drop()
    thief.token = None
    thief.instance = player.instance
    await thief.open()
    prompt = player.views[table]["own"]["prompt"]
    for number in (player.last_id, player.last_id + 1):
        error = await thief.refused("act", id=number, table=table, prompt=prompt, action=a_card(player, table))
        assert error["code"] == "not_at_table"
    code = player.views[table]["own"]["code"]
    assert (await thief.refused("join", code=code, seat=turn))["code"] == "table_full"
    await close(thief, *players)


async def test_reconnect_leak(start_server: StartServer) -> None:
    """500 reconnects of one seat, clean and cut off: the server's sockets and memory stay level."""
    server = start_server()
    players, table = await four_at_table(server.url, options=QUIET)
    await played_to(players, table, "play", 2)
    comer = players[2]

    async def reconnects(number: int) -> None:
        for turn in range(number):
            await (comer.drop() if turn % 2 else comer.close())
            await comer.open()
            await comer.view(table)
            comer.heard.clear()
            comer.raw.clear()

    async def level(sockets: int) -> None:
        async with asyncio.timeout(10):
            while open_files(server) > sockets:
                await comer.ask("sync", table=table)

    await reconnects(100)
    before, memory, threads = open_files(server), status(server, "VmRSS"), status(server, "Threads")
    await reconnects(500)
    await level(before)
    assert status(server, "VmRSS") < memory + 3_000
    assert status(server, "Threads") == threads
    view = await comer.view(table)
    assert (view["here"], view["watchers"]) == ([True] * 4, 0)
    await close(*players)


def open_files(server: ServerProcess) -> int:
    """How many files and sockets the server has open."""
    return len(list(Path(f"/proc/{server.pid}/fd").iterdir()))


def status(server: ServerProcess, name: str) -> int:
    """What the system says of the server process: `VmRSS` in KiB, or the number of its `Threads`."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


async def test_reconnect_leak_of_tasks(tmp_path: Path) -> None:
    """The same within this process: 500 reconnects of one seat leave no task, no session and no connection behind."""
    environment = {**OPEN_LIMITS, "KOP_PORT": "0", "KOP_DATA_DIR": str(tmp_path / "data")}
    async with running(from_environment(environment)) as listener:
        players, table = await four_at_table(f"ws://127.0.0.1:{listener.port}/ws", options=QUIET)
        await played_to(players, table, "play", 2)
        comer = players[2]
        await comer.view(table)
        before = len(asyncio.all_tasks())
        for turn in range(500):
            await (comer.drop() if turn % 2 else comer.close())
            await comer.open()
            await comer.view(table)
        async with asyncio.timeout(10):
            while len(listener.connections) > 4 or len(asyncio.all_tasks()) > before:
                await comer.ask("sync", table=table)
        gc.collect()
        sessions = [one for one in gc.get_objects() if isinstance(one, Session) and one.connection.open]
        assert len(sessions) == 4
        assert not listener.visitors
        await close(*players)


async def test_ghosts_after_a_restart(own_server: ServerProcess) -> None:
    """Watchers of a private and of a public table are led back there after a kill, once, and see the same."""
    players = [Wire(own_server.url, f"Player {seat}") for seat in range(3)]
    for player in players:
        await player.open()
    private = await players[0].ask("create")
    public = await players[1].ask("create", private=False)
    await players[2].ask("join", code=private["code"], watch=True)
    await players[2].ask("join", table=public["table"], watch=True)
    before = {table: seen(view) for table, view in players[2].views.items()}
    own_server.kill()
    own_server.start()
    welcome = await players[2].reopen()
    assert sorted(at["table"] for at in welcome["tables"]) == sorted([private["table"], public["table"]])
    assert {at["seat"] for at in welcome["tables"]} == {None}
    for table, view in before.items():
        assert seen(await players[2].view(table)) == view
    for player in players[:2]:
        await player.reopen()
    await close(*players)
