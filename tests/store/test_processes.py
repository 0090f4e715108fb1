"""Several server processes on one store: leases, who works on which table, and what they tell each other."""

import asyncio
import os
import signal
from dataclasses import dataclass, field
from typing import Any

import pytest
from redis.asyncio import Redis

from server.store.embedded import EmbeddedValkey
from server.store.port import Appended, Lifetime, ProcessId, StoreAway, StoreRefused, TableId
from server.store.redis_store import RedisStore
from tests.store.conftest import SETTINGS, Subject, until


@dataclass
class Ear:
    """What a process has heard, and how often it may have missed something."""

    messages: list[bytes] = field(default_factory=list)
    missed: int = 0

    def hear(self, message: bytes) -> None:
        self.messages.append(message)

    def miss(self) -> None:
        self.missed += 1

    async def heard(self) -> bool:
        return bool(self.messages)


def two(table: TableId) -> tuple[ProcessId, ProcessId]:
    return ProcessId(f"one-{table}"), ProcessId(f"two-{table}")


async def test_who_renews_lives_for_a_lease(short_lived: Subject, table: TableId) -> None:
    """All that renewed live; one that stopped has lapsed, until it renews again or is cleared away."""
    store = short_lived.store
    one, two_ = two(table)
    assert one in await store.renew(one)
    assert {one, two_} <= await store.renew(two_)
    assert not {one, two_} & set(await store.lapsed())

    async def lapsed() -> bool:
        await store.renew(two_)
        return one in await store.lapsed()

    await short_lived.until(lapsed)
    assert two_ not in await store.lapsed()
    assert one not in await store.renew(two_)
    assert {one, two_} <= await store.renew(one)
    assert one not in await store.lapsed()


async def test_who_retires_has_lapsed_at_once(subject: Subject, table: TableId) -> None:
    """A clean end leaves nobody waiting for the lease."""
    store = subject.store
    one, two_ = two(table)
    await store.renew(one)
    await store.attend(table, one, b"")
    await store.retire(one)
    assert one not in await store.renew(two_)
    assert one in await store.lapsed()
    assert list(await store.tables_of(one, 10)) == [table]


async def test_all_at_a_table_are_told(subject: Subject, table: TableId) -> None:
    """`attend` answers with the words of all there, the newest of each; who quits is there no longer."""
    store = subject.store
    one, two_ = two(table)
    assert await store.attend(table, one, b"\x00 four") == {one: b"\x00 four"}
    assert await store.attend(table, two_, b"none") == {one: b"\x00 four", two_: b"none"}
    assert await store.attend(table, one, b"five") == {one: b"five", two_: b"none"}
    await store.quit(table, one)
    await store.quit(table, one)
    assert await store.attend(table, two_, b"") == {two_: b""}
    assert not await store.tables_of(one, 10)
    assert list(await store.tables_of(two_, 10)) == [table]


async def test_the_tables_of_a_process(subject: Subject, table: TableId) -> None:
    """Each once, no more than asked for; none of a process that nobody knows."""
    store = subject.store
    one, two_ = two(table)
    tables = {TableId(f"{table}-{number}") for number in range(5)}
    for name in [*tables, *tables]:
        await store.attend(name, one, b"")
    assert set(await store.tables_of(one, 10)) == tables
    some = await store.tables_of(one, 3)
    assert len(set(some)) == len(some) == 3
    assert set(some) <= tables
    assert not await store.tables_of(one, 0)
    assert not await store.tables_of(two_, 10)


async def test_who_has_tables_or_lives_is_not_forgotten(subject: Subject, table: TableId) -> None:
    """A lapsed process is cleared away after its last table only, one that lives never."""
    store = subject.store
    one, _ = two(table)
    await store.renew(one)
    await store.clear(one)
    assert one in await store.renew(one)
    await store.attend(table, one, b"")
    await store.retire(one)
    await store.clear(one)
    assert one in await store.lapsed()
    await store.quit(table, one)
    await store.clear(one)
    await store.clear(one)
    assert one not in await store.lapsed()


async def test_the_words_at_a_table_lapse(short_lived: Subject, table: TableId) -> None:
    """What nobody writes any more is forgotten; the table stays on the list, to be taken over."""
    store = short_lived.store
    one, _ = two(table)
    await store.renew(one)
    await store.attend(table, one, b"here")
    begun = store.now()

    async def later() -> bool:
        await store.renew(one)
        return store.now() - begun > 600

    await short_lived.until(later)
    other = ProcessId("other")
    assert await store.attend(table, other, b"") == {other: b""}
    assert list(await store.tables_of(one, 10)) == [table]
    await store.quit(table, other)


async def test_messages_are_heard_in_order(subject: Subject, table: TableId) -> None:
    """Each process hears what is told to it, bytes of any value, in order; also what it tells itself."""
    store = subject.store
    one, two_ = two(table)
    ears = {one: Ear(), two_: Ear()}
    for process, ear in ears.items():
        await store.listen(process, ear.hear, ear.miss)
    messages = [bytes(range(256)), b"", b"\r\n", *(b"%d" % number for number in range(300))]
    for message in messages:
        store.tell(two_, message)
    store.tell(one, b"yes")

    async def all_heard() -> bool:
        return len(ears[two_].messages) == len(messages) and bool(ears[one].messages)

    await subject.until(all_heard)
    assert ears[two_].messages == messages
    assert ears[one].messages == [b"yes"]
    assert not ears[one].missed
    assert not ears[two_].missed


async def test_a_message_to_nobody_is_harmless(subject: Subject, table: TableId) -> None:
    """Nothing is raised, and an append beside it is stored."""
    subject.store.tell(ProcessId(f"nobody-{table}"), b"hello")
    assert await subject.store.append(table, 1, b"", Lifetime.MATCH) is Appended.STORED


async def test_telling_after_the_end_is_harmless(subject: Subject, table: TableId) -> None:
    """`tell` raises nothing while the store is away; everything else says so."""
    one, _ = two(table)
    ear = Ear()
    await subject.store.listen(one, ear.hear, ear.miss)
    await subject.store.close()
    subject.store.tell(one, b"lost")
    for answer in (subject.store.renew(one), subject.store.lapsed(), subject.store.attend(table, one, b"")):
        assert isinstance((await asyncio.gather(answer, return_exceptions=True))[0], StoreAway)
    assert not ear.messages


async def test_messages_ride_with_the_appends(redis_store: RedisStore, table: TableId) -> None:
    """What is told and what is appended at one moment are one round trip."""
    one, _ = two(table)
    ear = Ear()
    await redis_store.listen(one, ear.hear, ear.miss)
    before = redis_store.round_trips
    redis_store.tell(one, b"first")
    stored = redis_store.append(table, 1, b"", Lifetime.MATCH)
    redis_store.tell(one, b"second")
    assert await stored is Appended.STORED
    assert redis_store.round_trips == before + 1

    async def both() -> bool:
        return ear.messages == [b"first", b"second"]

    await until(both)


async def test_a_server_that_lets_nobody_listen_says_so(own_valkey: EmbeddedValkey, table: TableId) -> None:
    """A user without the right to the channels is refused when it begins to listen; the store is not away."""
    admin: Any = Redis.from_url(own_valkey.url)
    async with admin as raw:
        await raw.execute_command("ACL", "SETUSER", "kop", "on", ">word", "~*", "resetchannels", "+@all")
    store = await RedisStore.open(own_valkey.url.replace("unix://", "unix://kop:word@"), SETTINGS)
    ear = Ear()
    with pytest.raises(StoreRefused, match="NOPERM"):
        await store.listen(two(table)[0], ear.hear, ear.miss)
    store.tell(two(table)[0], b"nobody hears it")
    assert await store.append(table, 1, b"", Lifetime.MATCH) is Appended.STORED
    assert not (await store.health()).away
    await store.close()


async def hears(store: RedisStore, process: ProcessId, ear: Ear) -> None:
    ear.messages.clear()

    async def heard() -> bool:
        store.tell(process, b"again")
        return bool(ear.messages)

    await until(heard)


async def test_who_was_cut_off_hears_again_and_learns_it(
    redis_store: RedisStore, valkey: EmbeddedValkey, table: TableId
) -> None:
    """A killed connection of a listener is replaced by itself; `missed` is called once it hears again."""
    one, _ = two(table)
    ear = Ear()
    await redis_store.listen(one, ear.hear, ear.miss)
    admin: Any = Redis.from_url(valkey.url)
    async with admin as raw:
        assert await raw.execute_command("CLIENT", "KILL", "TYPE", "pubsub") == 1

    async def missed() -> bool:
        return ear.missed == 1

    await until(missed)
    await hears(redis_store, one, ear)
    assert ear.missed == 1


async def test_a_listener_hears_again_after_the_store_was_away(own_valkey: EmbeddedValkey, table: TableId) -> None:
    """The store died and was started again: telling meanwhile raises nothing, and later messages are heard."""
    store = await RedisStore.open(own_valkey.url, SETTINGS)
    one, _ = two(table)
    ear = Ear()
    await store.listen(one, ear.hear, ear.miss)
    assert own_valkey.pid is not None
    store.tell(one, b"first")
    await until(ear.heard)
    os.kill(own_valkey.pid, signal.SIGKILL)

    async def away() -> bool:
        store.tell(one, b"may be lost")
        return (await store.health()).away

    await until(away)
    store.tell(one, b"lost")

    async def missed() -> bool:
        return ear.missed > 0

    await until(missed)
    await hears(store, one, ear)
    assert b"lost" not in ear.messages
    await store.close()
