"""`/healthz` and `/readyz` tell the truth about a real server while its store stops, dies and comes back."""

import asyncio
import os
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.test_foreign_store import ForeignValkey
from tests.e2e.test_lookout import free_port, metrics_page
from tests.servers import ServerProcess
from tests.wire import Wire

PATIENCE = 30.0
OK = (200, "ok\n")
AWAY = (200, "ok, but the store is away\n")
READY = (200, "ready\n")
NOT_READY = (503, "not ready: the store is away\n")


def page(server: ServerProcess, path: str) -> tuple[int, str]:
    """Status and body of a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}{path}", timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


def until(fact: Callable[[], bool]) -> None:
    """Waits for a fact."""
    deadline = time.monotonic() + PATIENCE
    while not fact():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def foreign(tmp_path: Path) -> Iterator[ForeignValkey]:
    """A durable store on a port."""
    valkey = ForeignValkey(tmp_path, "--appendonly", "yes", "--appendfsync", "always", "--save", "")
    yield valkey
    valkey.process.kill()
    valkey.process.wait(20)


def test_a_server_with_its_own_store_is_ready_when_it_listens(own_server: ServerProcess) -> None:
    """From its first answer on, with nothing to warn of."""
    assert page(own_server, "/healthz") == OK
    assert page(own_server, "/readyz") == READY


def test_a_store_that_stands_still_is_noticed_though_nobody_plays(
    start_server: StartServer, foreign: ForeignValkey
) -> None:
    """SIGSTOP: alive, not ready; when it goes on, ready again by itself."""
    server = start_server({"KOP_REDIS_URL": foreign.url})
    foreign.process.send_signal(signal.SIGSTOP)
    until(lambda: page(server, "/readyz") == NOT_READY)
    assert page(server, "/healthz") == AWAY
    foreign.process.send_signal(signal.SIGCONT)
    until(lambda: page(server, "/readyz") == READY)
    assert page(server, "/healthz") == OK


async def test_a_store_that_is_killed_is_missed_until_it_is_back(start_server: StartServer, tmp_path: Path) -> None:
    """Kill -9 of a foreign store: alive, not ready, counted; one that comes back on its port makes it ready."""
    durable = ("--appendonly", "yes", "--appendfsync", "always", "--save", "")
    valkey = ForeignValkey(tmp_path, *durable)
    port = free_port()
    server = start_server({"KOP_REDIS_URL": valkey.url, "KOP_METRICS_PORT": str(port)})
    valkey.process.kill()
    valkey.process.wait(20)
    await asyncio.to_thread(until, lambda: page(server, "/readyz") == NOT_READY)
    assert await asyncio.to_thread(page, server, "/healthz") == AWAY
    await metrics_page(port, lambda now: (now["kop_store_away"], now["kop_store_lost_total"]) == (1, 1))
    again = ForeignValkey(tmp_path, *durable, port=valkey.port)
    await asyncio.to_thread(until, lambda: page(server, "/readyz") == READY)
    await metrics_page(port, lambda now: (now["kop_store_away"], now["kop_store_lost_total"]) == (0, 1))
    again.process.kill()
    again.process.wait(20)


def test_the_own_store_is_back_by_itself(start_server: StartServer) -> None:
    """Kill -9 of the embedded Valkey: its supervisor starts it again, and the server is ready."""
    server = start_server({"KOP_LOG": "info"})
    os.kill(server.valkey_pid, signal.SIGKILL)
    until(lambda: "runs again" in server.log)
    until(lambda: page(server, "/readyz") == READY)


def test_what_a_careless_store_could_lose_is_named(start_server: StartServer, tmp_path: Path) -> None:
    """Ready all the same, with a warning for each thing."""
    careless = ForeignValkey(tmp_path, "--appendonly", "no", "--save", "", "--maxmemory-policy", "allkeys-lru")
    server = start_server({"KOP_REDIS_URL": careless.url})
    status, body = page(server, "/readyz")
    careless.process.kill()
    careless.process.wait(20)
    assert status == 200
    first, *warnings = body.splitlines()
    assert first == "ready"
    assert [any(word in line for line in warnings) for word in ("appendonly", "maxmemory-policy")] == [True, True]
    assert all(line.startswith("warning: ") for line in warnings)


async def test_a_full_server_is_not_ready(start_server: StartServer) -> None:
    """With as many connections as are allowed nobody else should be sent here; one fewer, and it is ready."""
    server = start_server({"KOP_LIMIT_CONNECTIONS": "2"})
    wires = [Wire(server.url, f"Player {one}") for one in range(2)]
    for wire in wires:
        await wire.open()
    full = (503, "not ready: there are as many connections as are allowed\n")
    assert await asyncio.to_thread(page, server, "/readyz") == full
    assert await asyncio.to_thread(page, server, "/healthz") == OK
    await wires[0].close()
    await asyncio.to_thread(until, lambda: page(server, "/readyz") == READY)
    await wires[1].close()
