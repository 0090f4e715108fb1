"""A store that answers, but refuses the keys of one table: that table stops, and nothing else does."""

import asyncio
import logging
from collections.abc import Sequence

import pytest

from server.games.game import RuleViolation
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import Appended, Entry, Lifetime, Millis, PlayerId, RecordId, Snapshot, StoreRefused, TableId
from tests.runtime.tables import STAFF, Store, TestTable, carried_out, code_of, opened, until

WRONG = "WRONGTYPE Operation against a key holding the wrong kind of value"


class StrangeStore(Store):
    """A store in which the keys of some tables are of another kind."""

    def __init__(self) -> None:
        super().__init__()
        self.strange: set[str] = set()

    def _check(self, table: str) -> None:
        if any(table.startswith(one) for one in self.strange):
            raise StoreRefused(WRONG)

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        if table not in self.strange:
            return super().append(table, version, body, lifetime)
        refused: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        refused.set_exception(StoreRefused(WRONG))
        return refused

    async def read(self, table: TableId, after: int) -> Sequence[Entry]:
        self._check(table)
        return await super().read(table, after)

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        self._check(table)
        return await super().load_snapshot(table)

    async def save_snapshot(self, table: TableId, snapshot: Snapshot, lifetime: Lifetime) -> None:
        self._check(table)
        await super().save_snapshot(table, snapshot, lifetime)

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        self._check(record)
        await super().save_record(record, body, readers, at)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> StrangeStore:
    """A store in memory; who looks for it when it is away looks without a pause."""
    monkeypatch.setattr("server.runtime.storewatch.RETRY_SECONDS", 0.0)
    return StrangeStore()


@pytest.fixture
def told(house: House) -> list[bool]:
    """When the house said that the store is away, or back."""
    told: list[bool] = []
    house.watch.changed.append(told.append)
    return told


async def code_at(table: TestTable) -> str:
    """With which code the next act is refused."""
    seat, act = table.quiet()
    return code_of(await carried_out(table.actor, act, table.command_id(seat)))


def lines(caplog: pytest.LogCaptureFixture, table: TestTable) -> list[str]:
    """What the operator reads about a table."""
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    return [line for line in errors if table.id in line and "WRONGTYPE" in line]


async def test_a_refused_entry_stops_its_table(
    store: StrangeStore, house: House, told: list[bool], caplog: pytest.LogCaptureFixture
) -> None:
    """At an append: `table_frozen`, a line that names table and version; another table plays, the store is there."""
    table, other = await opened(house), await opened(house)
    store.strange = {table.id}
    assert [await code_at(table) for _ in range(2)] == ["table_frozen", "table_frozen"]
    await other.step()
    assert told == []
    (line,) = lines(caplog, table)
    assert "entry 5" in line


async def test_a_refused_table_is_not_loaded(
    store: StrangeStore, house: House, tasks: Tasks, caplog: pytest.LogCaptureFixture
) -> None:
    """At the door of another process: `table_frozen`, and a line that names the table."""
    table, other = await opened(house), await opened(house)
    store.strange = {table.id}
    there, told = House(store, tasks, STAFF), list[bool]()
    there.watch.changed.append(told.append)
    with pytest.raises(RuleViolation, match="table_frozen"):
        await there.actor(table.id)
    assert (await there.actor(other.id)).state == other.actor.state
    assert told == []
    assert len(lines(caplog, table)) == 1


async def test_a_refused_table_is_met_when_all_are_compared(
    store: StrangeStore, house: House, told: list[bool], caplog: pytest.LogCaptureFixture
) -> None:
    """The house looks after its tables: the one stops, and those after it are compared all the same."""
    table, other = await opened(house), await opened(house)
    await other.step()
    store.strange = {table.id}
    store.set_back(other.id, 4)
    await house.check_all()
    assert table.actor.stopped == "table_frozen"
    assert other.version == 4
    assert told == []
    assert len(lines(caplog, table)) == 1


async def test_a_refused_table_does_not_hide_the_others_from_the_lobby(
    store: StrangeStore, house: House, tasks: Tasks
) -> None:
    """The list has every other table, here and at a process that has loaded none of them."""
    table, other = await opened(house, private=False), await opened(house, private=False)
    store.strange = {table.id}
    for one in (house, House(store, tasks, STAFF)):
        assert [listed.id for listed in await one.listed()] == [other.id]


async def test_an_entry_whose_outcome_is_refused_too_stops_its_table(
    store: StrangeStore, house: House, told: list[bool]
) -> None:
    """The answer of an append is lost, and what became of it cannot be read: one outage, and the table stops."""
    table, other = await opened(house), await opened(house)
    seat, act = table.quiet()
    codes: list[str] = []
    store.lose_answer(stored=True)
    table.actor.submit(act, table.command_id(seat), lambda answer: codes.append(code_of(answer)))
    store.strange = {table.id}
    await until(lambda: bool(codes))
    assert codes == ["table_frozen"]
    await until(lambda: not house.watch.away)
    await other.step()
    assert told == [True, False]


async def test_a_refused_record_or_snapshot_stops_nothing(
    store: StrangeStore,
    house: House,
    told: list[bool],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a table leaves behind cannot be saved: the operator is told, once for each, and play goes on."""
    monkeypatch.setattr("server.runtime.keeping.SNAPSHOT_AFTER", 20)
    table = await opened(house)
    store.strange = {f"{table.id}-1-1"}
    save_snapshot = store.save_snapshot

    async def refused(*_: object) -> None:
        raise StoreRefused(WRONG)

    monkeypatch.setattr(store, "save_snapshot", refused)
    while table.version < 30:
        await table.step()
    await until(lambda: not table.actor._keeper.busy)
    assert len(lines(caplog, table)) == 2
    monkeypatch.setattr(store, "save_snapshot", save_snapshot)
    while table.version < 60:
        await table.step()
    await until(lambda: not table.actor._keeper.busy)
    assert await store.load_record(RecordId(f"{table.id}-1-2")) is not None
    assert await store.load_snapshot(table.id) is not None
    assert told == []
