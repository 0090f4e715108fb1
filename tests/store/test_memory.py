"""What only the double can do."""

import asyncio

import pytest

from server.store.memory import MemoryStore
from server.store.port import Appended, Entry, Lifetime, ProcessId, StoreAway, TableId
from tests.store.conftest import HandClock

TABLE = TableId("table")


async def test_while_away_everything_raises_and_nothing_is_lost() -> None:
    """The store that was sent away comes back with what it held."""
    store = MemoryStore(HandClock())
    await store.append(TABLE, 1, b"one", Lifetime.MATCH)
    store.go_away()
    with pytest.raises(StoreAway):
        await store.append(TABLE, 2, b"two", Lifetime.MATCH)
    with pytest.raises(StoreAway):
        await store.read(TABLE, 0)
    assert (await store.health()).away
    store.come_back()
    assert list(await store.read(TABLE, 0)) == [Entry(1, b"one")]
    assert not (await store.health()).away


@pytest.mark.parametrize("stored", [True, False])
async def test_a_lost_answer_leaves_the_outcome_to_entry(stored: bool) -> None:
    """The append raises StoreAway whether it was stored or not; `entry` tells."""
    store = MemoryStore(HandClock())
    store.lose_answer(stored=stored)
    with pytest.raises(StoreAway):
        await store.append(TABLE, 1, b"one", Lifetime.MATCH)
    assert (await store.entry(TABLE, 1) is not None) is stored
    again = await store.append(TABLE, 1, b"one", Lifetime.MATCH)
    assert again is (Appended.BEHIND if stored else Appended.STORED)


async def test_the_double_says_that_it_keeps_nothing() -> None:
    """Its health names what is lost."""
    assert "lost with this process" in (await MemoryStore(HandClock()).health()).warnings[0]


async def test_listeners_learn_that_the_store_was_away() -> None:
    """What is told while the store is away is lost; when it is back all that listen are told that."""
    store = MemoryStore(HandClock())
    heard: list[bytes] = []
    await store.listen(ProcessId("one"), heard.append, lambda: heard.append(b"missed"))
    store.go_away()
    store.tell(ProcessId("one"), b"lost")
    store.come_back()
    store.tell(ProcessId("one"), b"told")
    await asyncio.sleep(0)
    assert heard == [b"missed", b"told"]
