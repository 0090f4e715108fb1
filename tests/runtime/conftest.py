"""A store in memory and a house on it; and processes that run tournaments, on that or on a Valkey."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.games.game import Millis
from server.runtime import peers, storewatch, tournament_runner
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.embedded import EmbeddedValkey
from server.store.port import Store as StorePort
from server.store.redis_store import RedisStore
from server.store.settings import StoreSettings
from tests.runtime.evenings import Hosts
from tests.runtime.tables import STAFF, Store

SHORT = replace(StoreSettings(), flush_timeout=Millis(2_000), heartbeat=Millis(200), process_lease=Millis(400))


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store in memory; who looks for it when it is away looks without a pause."""
    monkeypatch.setattr(storewatch, "RETRY_SECONDS", 0.0)
    return Store()


@pytest.fixture
async def tasks() -> AsyncIterator[Tasks]:
    """The background tasks of the test's houses."""
    tasks = Tasks()
    yield tasks
    await tasks.close()


@pytest.fixture
def house(store: Store, tasks: Tasks) -> House:
    """The house of one process."""
    return House(store, tasks, STAFF)


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases are renewed, dead processes found and tables looked at without much waiting."""
    monkeypatch.setattr(peers, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(peers, "RENEW_SECONDS", 0.05)
    monkeypatch.setattr(peers, "LEASE_SECONDS", 0.2)
    monkeypatch.setattr(peers, "ADOPTING_PAUSE", 0.01)
    monkeypatch.setattr(tournament_runner, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(tournament_runner, "BEHIND_SECONDS", 0.05)
    monkeypatch.setattr(tournament_runner, "AGAIN_SECONDS", 0.01)


@pytest.fixture
async def alone(store: Store, brisk: None) -> AsyncIterator[Hosts]:
    """Processes on the store in memory."""

    async def in_memory() -> StorePort:
        return store

    hosts = Hosts(in_memory)
    yield hosts
    await hosts.close()


@pytest.fixture(params=["memory", "valkey"])
async def hosts(request: pytest.FixtureRequest, alone: Hosts, tmp_path: Path) -> AsyncIterator[Hosts]:
    """Processes on the store in memory, or each on its own connection to a Valkey of the test's own."""
    if request.param == "memory":
        yield alone
        return
    async with EmbeddedValkey(tmp_path / "valkey") as valkey:

        async def connected() -> StorePort:
            return await RedisStore.open(valkey.url, SHORT)

        hosts = Hosts(connected)
        yield hosts
        await hosts.close()
