"""What every archive of records promises; each test stands for a promise of the port."""

import pytest

from server.store.port import Lifetime, Millis, PlayerId, RecordId, StoreAway, TableId
from server.store.settings import MOST_RECORDS
from tests.store.conftest import Subject


def names(table: TableId, number: int) -> list[RecordId]:
    """Names of records that no other test uses."""
    return [RecordId(f"{table}-1-{deal}") for deal in range(1, number + 1)]


def players(table: TableId) -> list[PlayerId]:
    """Four players that no other test has."""
    return [PlayerId(f"{table}-{seat}") for seat in range(4)]


async def test_a_record_comes_back_as_it_was_saved(subject: Subject, table: TableId) -> None:
    """Bytes of any value; one that was never saved is not there."""
    [name, other] = names(table, 2)
    body = bytes(range(256)) * 20
    await subject.store.save_record(name, body, players(table), Millis(5))
    assert await subject.store.load_record(name) == body
    assert await subject.store.load_record(other) is None


async def test_saving_again_changes_nothing(subject: Subject, table: TableId) -> None:
    """Two processes may save the same record: the first body stays, it is noted once, at the first time."""
    first, second = names(table, 2)
    [reader, *_] = players(table)
    await subject.store.save_record(first, b"body", [reader], Millis(5))
    await subject.store.save_record(second, b"later", [reader], Millis(6))
    await subject.store.save_record(first, b"other", [reader], Millis(7))
    assert await subject.store.load_record(first) == b"body"
    assert list(await subject.store.records_of(reader, 10)) == [second, first]


async def test_records_are_listed_newest_first(subject: Subject, table: TableId) -> None:
    """By the time of the deal, whenever they were saved; no more than asked for; each reader has his own."""
    one, two, three = names(table, 3)
    ada, bolek, *_ = players(table)
    await subject.store.save_record(two, b"", [ada, bolek], Millis(20))
    await subject.store.save_record(three, b"", [ada], Millis(30))
    await subject.store.save_record(one, b"", [bolek, ada], Millis(10))
    assert list(await subject.store.records_of(ada, 10)) == [three, two, one]
    assert list(await subject.store.records_of(ada, 2)) == [three, two]
    assert list(await subject.store.records_of(bolek, 10)) == [two, one]
    for most in (0, -1):
        assert not await subject.store.records_of(ada, most)
    assert not await subject.store.records_of(players(table)[2], 10)


async def test_the_newest_500_are_noted(subject: Subject, table: TableId) -> None:
    """The oldest note makes room, also for one that comes late; the record itself stays."""
    reader = players(table)[0]
    many = names(table, MOST_RECORDS + 2)
    for place, name in enumerate(many[1:], start=1):
        await subject.store.save_record(name, b"", [reader], Millis(place))
    assert list(await subject.store.records_of(reader, 1_000)) == many[:1:-1]
    await subject.store.save_record(many[0], b"late", [reader], Millis(0))
    assert list(await subject.store.records_of(reader, 1_000)) == many[:1:-1]
    assert await subject.store.load_record(many[0]) == b"late"


async def test_a_record_without_readers_is_kept(subject: Subject, table: TableId) -> None:
    """Everybody may have left: it is there under its name."""
    [name] = names(table, 1)
    await subject.store.save_record(name, b"body", [], Millis(5))
    assert await subject.store.load_record(name) == b"body"


async def test_a_code_leads_to_its_record(subject: Subject, table: TableId) -> None:
    """A code that was shared is found, another is not; it leads nowhere else; codes of tables are others."""
    one, two = names(table, 2)
    await subject.store.share_record(f"code-{table}", one)
    await subject.store.share_record(f"other-{table}", two)
    assert await subject.store.find_shared(f"code-{table}") == one
    assert await subject.store.find_shared(f"other-{table}") == two
    assert await subject.store.find_shared(f"none-{table}") is None
    assert await subject.store.find_code(f"code-{table}") is None
    await subject.store.add_code(f"table-{table}", table)
    assert await subject.store.find_shared(f"table-{table}") is None


async def test_records_outlive_their_table(short_lived: Subject, table: TableId) -> None:
    """The table's log expires, the record, its notes and its code stay; they go when their own time is over."""
    store = short_lived.store
    [name] = names(table, 1)
    [reader, *_] = players(table)
    assert await store.append(table, 1, b"entry", Lifetime.UNSTARTED)
    await store.save_record(name, b"body", [reader], store.now())
    await store.share_record(f"code-{table}", name)

    async def table_gone() -> bool:
        return not await store.read(table, 0)

    async def record_gone() -> bool:
        return await store.load_record(name) is None

    await short_lived.until(table_gone)
    assert await store.load_record(name) == b"body"
    assert list(await store.records_of(reader, 1)) == [name]
    assert await store.find_shared(f"code-{table}") == name
    await short_lived.until(record_gone)

    async def all_gone() -> bool:
        noted, shared = await store.records_of(reader, 1), await store.find_shared(f"code-{table}")
        return not noted and shared is None

    await short_lived.until(all_gone)


async def test_a_new_record_lengthens_the_life_of_the_list_only(short_lived: Subject, table: TableId) -> None:
    """Who plays on keeps his list; an old record in it lapses all the same, and a load does not lengthen it."""
    store, reader = short_lived.store, players(table)[0]
    old = names(table, 1)[0]
    await store.save_record(old, b"body", [reader], Millis(1))
    number = 1

    async def lapsed() -> bool:
        nonlocal number
        number += 1
        await store.save_record(RecordId(f"{table}-1-{number}"), b"", [reader], Millis(number))
        return await store.load_record(old) is None

    await short_lived.until(lapsed)
    assert (await store.records_of(reader, 1))[0] == RecordId(f"{table}-1-{number}")


async def test_after_close_the_archive_is_away(subject: Subject, table: TableId) -> None:
    """Every method raises StoreAway."""
    store, [name] = subject.store, names(table, 1)
    await store.close()
    for work in (
        store.save_record(name, b"", players(table), Millis(1)),
        store.load_record(name),
        store.records_of(players(table)[0], 1),
        store.share_record("code", name),
        store.find_shared("code"),
    ):
        with pytest.raises(StoreAway):
            await work
