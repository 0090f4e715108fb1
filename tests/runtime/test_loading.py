"""Loading while others write: whatever is cut off between two reads, the newest state is found; and what stays busy."""

import asyncio
import logging
from collections.abc import Sequence

import msgpack
import pytest

from server.games.game import RuleViolation
from server.runtime import keeping
from server.runtime.house import House
from server.runtime.loading import load
from server.runtime.tasks import Tasks
from server.store.port import Millis, PlayerId, RecordId, Snapshot, TableId
from server.table import codec
from server.table.state import Table
from tests.runtime.tables import STAFF, Store, TestTable, carried_out, code_of, opened, until


class CutStore(Store):
    """A store in which snapshots are saved by somebody else, each just after the next read of a snapshot."""

    def __init__(self) -> None:
        super().__init__()
        self.cuts: list[Table] = []
        self.saving = asyncio.Event()
        self.saving.set()

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        found = await super().load_snapshot(table)
        if self.cuts:
            cut = self.cuts.pop(0)
            await self.save_snapshot(table, Snapshot(cut.version, codec.encode_snapshot(cut)), cut.lifetime)
        return found

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        await self.saving.wait()
        await super().save_record(record, body, readers, at)


@pytest.fixture
def store() -> CutStore:
    """A store in memory."""
    return CutStore()


async def history(table: TestTable, steps: int) -> list[Table]:
    """The states of the table, while it is played so many steps."""
    states = []
    for _ in range(steps):
        await table.step()
        assert table.actor.state is not None
        states.append(table.actor.state)
    return states


CUTS = [
    ("the first snapshot, with entries after it", (), (3,)),
    ("the first snapshot, of the newest version", (), (9,)),
    ("a newer snapshot, with entries after it", (2,), (5,)),
    ("a newer snapshot, of the newest version", (2,), (9,)),
    ("one after another", (), (1, 3, 5, 9)),
]


@pytest.mark.parametrize(("before", "between"), [cut[1:] for cut in CUTS], ids=[cut[0] for cut in CUTS])
async def test_a_snapshot_saved_between_two_reads_hides_nothing(
    store: CutStore, house: House, before: tuple[int, ...], between: tuple[int, ...]
) -> None:
    """The log is cut while it is loaded: neither no table, nor a gap, nor an older state is found."""
    table = await opened(house)
    states = await history(table, 10)
    for number in before:
        cut = states[number]
        await store.save_snapshot(table.id, Snapshot(cut.version, codec.encode_snapshot(cut)), cut.lifetime)
    store.cuts = [states[number] for number in between]
    loaded = await load(table.id, store)
    assert loaded is not None
    assert loaded.table == states[-1]


async def test_a_house_finds_the_table_whose_log_is_being_cut(store: CutStore, house: House, tasks: Tasks) -> None:
    """The same at the door of another process: the table is there, and goes on."""
    table = await opened(house)
    store.cuts = (await history(table, 10))[-1:]
    there = await House(store, tasks, STAFF).actor(table.id)
    assert there.state == table.actor.state


async def test_an_actor_stays_while_it_saves_and_goes_then(store: CutStore, house: House) -> None:
    """A deal is over and all go before its record is kept: the actor waits for the store, then nothing is left."""
    table = await opened(house)
    store.saving.clear()
    while table.actor.state is None or not table.actor.state.play.lines:
        await table.step()
    house.release(table.actor)
    assert list(house._actors) == [table.id]
    assert table.actor.busy
    store.saving.set()
    await until(lambda: not house._actors)
    assert house._held == {}
    assert await store.load_record(RecordId(f"{table.id}-1-1")) is not None


async def test_an_actor_goes_after_its_snapshot(store: CutStore, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot is saved when nobody is there any more: then the actor goes, and is loaded from it again."""
    monkeypatch.setattr(keeping, "SNAPSHOT_AFTER", 5)
    table = await opened(house)
    while await store.load_snapshot(table.id) is None:
        await table.step()
    state = table.actor.state
    house.release(table.actor)
    await until(lambda: not house._actors)
    assert (await house.actor(table.id)).state == state


def messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The error lines, as the operator reads them."""
    return [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]


@pytest.mark.parametrize(
    "body", [msgpack.packb({"f": 2}), b"\xc1", msgpack.packb({"f": 1, "e": []})], ids=["newer", "garbage", "incomplete"]
)
async def test_the_line_about_an_entry_that_cannot_be_read_names_table_and_version(
    store: CutStore, house: House, tasks: Tasks, caplog: pytest.LogCaptureFixture, body: bytes
) -> None:
    """At a start: the operator reads which table it is, and which entry."""
    table = await opened(house)
    store.plant(table.id, body)
    with pytest.raises(RuleViolation):
        await House(store, tasks, STAFF).actor(table.id)
    (line,) = messages(caplog)
    assert table.id in line
    assert "entry 5" in line


async def test_the_line_about_a_table_that_went_back_names_both_versions(
    store: CutStore, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The store came back older: which table, from which version, to which."""
    table = await opened(house)
    await history(table, 5)
    store.set_back(table.id, 7)
    await house.check_all()
    (line,) = messages(caplog)
    assert f"table {table.id} " in line
    assert "version 9 to 7" in line


async def test_a_table_that_went_back_takes_commands(store: CutStore, house: House) -> None:
    """After the roll back what was answered before is asked again."""
    table = await opened(house)
    await history(table, 5)
    seat, act = table.quiet()
    store.set_back(table.id, 7)
    await house.check_all()
    assert code_of(await carried_out(table.actor, act, table.command_id(seat))) == "stale"
    await table.step()
    assert table.version == 8
