"""A hall over a store in memory."""

from collections.abc import AsyncIterator

import pytest

from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.runtime.tables import STAFF, Store


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    """A hall over a store in memory."""
    tasks = Tasks()
    yield Hall(House(Store(), tasks, STAFF), tasks, Limits(), lambda: 0.0)
    await tasks.close()
