"""A store in memory and a house on it."""

from collections.abc import AsyncIterator

import pytest

from server.runtime import storewatch
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.runtime.tables import STAFF, Store


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
