"""A real Valkey and a real cluster for the whole session, and the stores that keep one contract."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from server.store.embedded import EmbeddedValkey
from server.store.memory import MemoryStore
from server.store.port import Millis, Store, TableId
from server.store.redis_store import RedisStore
from server.store.settings import StoreSettings
from tests.store.clusters import Cluster, running_cluster
from tests.store.proxy import Proxy

SETTINGS = StoreSettings(flush_timeout=Millis(2_000), heartbeat=Millis(200))
SHORT = replace(
    SETTINGS,
    unstarted=Millis(250),
    match=Millis(2_000),
    ended=Millis(400),
    player=Millis(400),
    record=Millis(900),
    day=Millis(500),
    process_lease=Millis(300),
    attendance=Millis(400),
)

_numbers = itertools.count(1)


@pytest.fixture
def table() -> TableId:
    """A table that no other test uses."""
    return TableId(f"table-{next(_numbers)}")


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000

    def __call__(self) -> Millis:
        return Millis(self.time)


class Subject:
    """A store under the contract, and how to wait for a fact about it."""

    def __init__(self, store: Store, clock: HandClock | None) -> None:
        self.store = store
        self._clock = clock

    async def until(self, fact: Callable[[], Awaitable[bool]]) -> None:
        """Waits for the fact; time of the double is moved by hand."""

        def tick() -> None:
            if self._clock is not None:
                self._clock.time += 20

        await until(fact, tick)


async def until(fact: Callable[[], Awaitable[bool]], tick: Callable[[], None] = lambda: None) -> None:
    """Polls for a fact; fails after 15 s."""
    async with asyncio.timeout(15):
        while not await fact():
            tick()
            await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
async def valkey(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EmbeddedValkey]:
    """A Valkey that all tests share; none of them may stop it."""
    async with EmbeddedValkey(tmp_path_factory.mktemp("valkey")) as valkey:
        yield valkey


@pytest.fixture(scope="session")
async def cluster(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cluster]:
    """A cluster that all tests share; none of them may hurt it."""
    async with running_cluster(tmp_path_factory.mktemp("cluster")) as cluster:
        yield cluster


@pytest.fixture
async def own_valkey(tmp_path: Path) -> AsyncIterator[EmbeddedValkey]:
    """A Valkey of the test's own, to be hurt."""
    async with EmbeddedValkey(tmp_path / "data") as valkey:
        yield valkey


@pytest.fixture
async def redis_store(valkey: EmbeddedValkey) -> AsyncIterator[RedisStore]:
    """A store over the shared Valkey."""
    store = await RedisStore.open(valkey.url, SETTINGS)
    yield store
    await store.close()


@pytest.fixture
async def proxy(valkey: EmbeddedValkey, tmp_path: Path) -> AsyncIterator[Proxy]:
    """A way to the shared Valkey that loses what it is told to lose."""
    async with Proxy(tmp_path / "proxy.sock", valkey.url.removeprefix("unix://")) as proxy:
        yield proxy


@pytest.fixture(params=["memory", "valkey", "cluster"])
async def subject(request: pytest.FixtureRequest, valkey: EmbeddedValkey, cluster: Cluster) -> AsyncIterator[Subject]:
    """Each implementation of the store."""
    subject = await _subject(request.param, valkey, cluster, SETTINGS)
    yield subject
    await subject.store.close()


@pytest.fixture(params=["memory", "valkey", "cluster"])
async def short_lived(
    request: pytest.FixtureRequest, valkey: EmbeddedValkey, cluster: Cluster
) -> AsyncIterator[Subject]:
    """Each implementation, with lifetimes of less than a second (a match: 2 s)."""
    subject = await _subject(request.param, valkey, cluster, SHORT)
    yield subject
    await subject.store.close()


async def _subject(kind: str, valkey: EmbeddedValkey, cluster: Cluster, settings: StoreSettings) -> Subject:
    if kind == "memory":
        clock = HandClock()
        return Subject(MemoryStore(clock, settings), clock)
    return Subject(await RedisStore.open((valkey if kind == "valkey" else cluster).url, settings), None)
