"""The server stops while commands are under way: nothing breaks, and nothing is logged as a fault."""

import asyncio
import logging
from collections.abc import Callable

import pytest

from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import Appended
from tests.endpoint.parlour import Peer, player
from tests.runtime.tables import STAFF, Store, until


class GatedStore(Store):
    """A store in memory whose appends are answered when the test lets them."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[Callable[[], None]] | None = None

    def _tell(self, answer: asyncio.Future[Appended], outcome: Appended | None) -> None:
        def tell() -> None:
            Store._tell(self, answer, outcome)

        if self.held is None:
            tell()
        else:
            self.held.append(tell)


@pytest.fixture
def store() -> GatedStore:
    """A store in memory."""
    return GatedStore()


@pytest.fixture
def hall(store: GatedStore) -> Hall:
    """A hall that the test stops."""
    tasks = Tasks()
    return Hall(House(store, tasks, STAFF), tasks, Limits(), lambda: 0.0)


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What was logged as a fault."""
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("command", ["create", "join"])
async def test_an_append_that_is_answered_after_the_stop_freezes_no_table(
    store: GatedStore, hall: Hall, caplog: pytest.LogCaptureFixture, command: str
) -> None:
    """The task that waited for it was cancelled: the entry takes effect all the same."""
    owner, guest = await player(hall), await player(hall)
    table = (await owner.ask("create", private=False))["table"]
    store.held = []
    guest.say(command, **({"table": table} if command == "join" else {"private": False}))
    await until(lambda: bool(store.held))
    await hall.tasks.close()
    for tell in store.held:
        tell()
    actors = list(hall.house._actors.values())
    await until(lambda: all(not actor.busy for actor in actors))
    assert faults(caplog) == []
    assert [actor.stopped for actor in actors if actor.stopped is not None] == []


@pytest.mark.parametrize("turns", range(12))
async def test_a_stop_at_any_moment_of_what_waits_for_the_store_is_clean(
    hall: Hall, caplog: pytest.LogCaptureFixture, turns: int
) -> None:
    """Before a task has begun, in the midst of it, with more messages behind it: no fault, no warning."""
    owner, guest, late = await player(hall), await player(hall), Peer(hall)
    table = (await owner.ask("create", private=False))["table"]
    late.say("hello", protocol=1, instance="late", name="Late")
    owner.say("create", private=False)
    owner.say("list")
    guest.say("join", table=table)
    guest.say("leave", table=table)
    for _ in range(turns):
        await asyncio.sleep(0)
    for peer in (owner, guest, late):
        peer.hang_up()
    await hall.tasks.close()
    await until(lambda: not hall.tasks._running)
    assert faults(caplog) == []
