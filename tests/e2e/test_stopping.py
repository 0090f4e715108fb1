"""A server that is told to stop in the middle of everything leaves a clean log, and nothing half told."""

import asyncio
import contextlib
import signal

import pytest

from protocol.codec import Encoding
from tests.e2e.conftest import StartServer
from tests.e2e.script import close
from tests.wire import RefusedError, Wire

BURST = 30


async def doing(wire: Wire, table: str, to: list[str]) -> None:
    """Opens tables and joins without end, until the connection is lost; notes what was opened."""
    while True:
        with contextlib.suppress(RefusedError):  # `draining`
            created = await wire.ask("create", private=False)
            to.append(created["table"])
            await wire.ask("leave", table=created["table"])
            await wire.ask("join", table=table, watch=True)
            await wire.ask("leave", table=table)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_stop_in_a_burst_of_creates_leaves_a_clean_log(
    start_server: StartServer, number: signal.Signals
) -> None:
    """30 connections open, leave and join: the log has no table that froze, no traceback, and all tables are kept."""
    server = start_server({"KOP_LOG": "info"})
    wires = [Wire(server.url, f"Player {one}", tuple(Encoding)[one % 2]) for one in range(BURST)]
    for wire in wires:
        await wire.open()
    table = (await wires[0].ask("create", private=False))["table"]
    opened: list[str] = []
    work = [asyncio.get_running_loop().create_task(doing(wire, table, opened)) for wire in wires]
    while len(opened) < 3 * BURST:  # noqa: ASYNC110 - it is noted by tasks
        await asyncio.sleep(0.001)
    assert server.process is not None
    server.process.send_signal(number)
    codes = await asyncio.gather(*(wire.closed() for wire in wires))
    for one in work:
        one.cancel()
    await asyncio.gather(*work, return_exceptions=True)
    server.stop()
    assert set(codes) == {1001}
    for word in ("Traceback", "frozen", "Error", "Exception", "never awaited"):
        assert word not in server.log, server.log
    server.start()
    late = Wire(server.url, "Late")
    await late.open()
    for name in opened[:: BURST // 3]:
        assert (await late.ask("join", table=name))["version"] >= 2
    await close(late)
