"""Records are saved once a deal is over, whatever the store does meanwhile; none is lost with a crash."""

import logging
from collections.abc import AsyncIterator, Sequence

import pytest

from server.games.game import Seat, Stage
from server.games.kop.match import Match
from server.runtime import keeping
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import Millis, PlayerId, RecordId, StoreAway
from server.table import codec, commands
from server.table.records import DealRecord
from tests.runtime.tables import STAFF, Store, TestTable, accepted, carried_out, opened, until


class Forgetful(Store):
    """A store whose process ends before a record is saved: `saves` says how many still are."""

    def __init__(self) -> None:
        super().__init__()
        self.saves = 1_000
        self.away_for = 0

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        """Saves, unless the test wants it otherwise."""
        if self.away_for:
            self.away_for -= 1
            raise StoreAway("for a moment")
        if self.saves:
            self.saves -= 1
            await super().save_record(record, body, readers, at)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Forgetful:
    """A store in memory; who looks for it when it is away looks without a pause."""
    monkeypatch.setattr("server.runtime.storewatch.RETRY_SECONDS", 0.0)
    return Forgetful()


@pytest.fixture
async def restarted(store: Forgetful) -> AsyncIterator[House]:
    """The house of the next process on the same store."""
    tasks = Tasks()
    yield House(store, tasks, STAFF)
    await tasks.close()


async def deal(table: TestTable) -> RecordId:
    """A deal played quietly to its end; the name of its record."""
    before = len(play(table).lines)
    while len(play(table).lines) == before:
        await table.step()
    return RecordId(f"{table.id}-1-{play(table).lines[-1].deal}")


def play(table: TestTable) -> Match:
    """The match at the table."""
    assert table.actor.state is not None
    match = table.actor.state.play
    assert isinstance(match, Match)
    return match


async def saved(store: Store, name: RecordId) -> DealRecord:
    """The record in the store, once it is there."""
    await until(lambda: store._records.look(name) is not None)
    body = await store.load_record(name)
    assert body is not None
    return codec.decode_record(name, body)


async def test_a_finished_deal_has_a_record(store: Forgetful, house: House) -> None:
    """It is saved for the four, as private as the table, and names them."""
    for private in (True, False):
        table = await opened(house, private=private)
        name = await deal(table)
        record = await saved(store, name)
        assert (record.id, record.private) == (name, private)
        assert set(record.readers) == {guest.player.id for guest in table.guests}
        assert record.plain["seats"] == [guest.player.name for guest in table.guests]
        assert await store.records_of(table.guests[0].player.id, 5) == [name]


async def test_who_gave_up_a_seat_in_the_deal_is_a_reader(store: Forgetful, house: House) -> None:
    """He, to whom it was dealt, and who took his seat may read it; who left between deals may not read the next."""
    table = await opened(house)
    while table.actor.state is None or table.actor.state.stage is not Stage.DEAL:
        await table.step()
    left = table.guests[2]
    accepted(await carried_out(table.actor, commands.LeaveSeat(left.player.id), table.command_id(2)))
    _, table.guests[2] = await house.new_player("New")
    take = commands.TakeSeat(table.guests[2].sitter, Seat(2))
    accepted(await carried_out(table.actor, take, table.command_id(2)))
    record = await saved(store, await deal(table))
    assert set(record.readers) == {left.player.id, *(guest.player.id for guest in table.guests)}
    assert record.plain["seats"][2] == left.player.name
    record = await saved(store, await deal(table))
    assert left.player.id not in record.readers


@pytest.mark.parametrize("lost", ["stored", "not stored"])
async def test_a_record_of_a_deal_whose_last_answer_was_lost(store: Forgetful, house: House, lost: str) -> None:
    """The append of the last card got no answer: the record is saved all the same."""
    table = await opened(house)
    while len(play(table).lines) == 0:
        store.lose_answer(stored=lost == "stored")
        await table.step()
    assert (await saved(store, RecordId(f"{table.id}-1-1"))).plain["deal"] == 1


async def test_a_record_is_saved_when_the_store_is_back(store: Forgetful, house: House) -> None:
    """A store that is away just then is asked again."""
    table = await opened(house)
    store.away_for = 3
    assert (await saved(store, await deal(table))).plain["deal"] == 1
    assert store.away_for == 0


async def test_a_record_that_a_crash_prevented_is_saved_at_the_next_load(
    store: Forgetful, house: House, restarted: House
) -> None:
    """Who loads the table finds the finished deals in its log; what is saved already stays as it is."""
    table = await opened(house)
    names = [await deal(table)]
    first = await saved(store, names[0])
    store.saves = 0
    names.append(await deal(table))
    store.saves = 1_000
    assert await store.load_record(names[1]) is None
    await restarted.actor(table.id)
    assert (await saved(store, names[1])).readers == first.readers
    assert await saved(store, names[0]) == first


async def test_a_snapshot_waits_for_the_records_before_it(
    store: Forgetful, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is not cut before the record of a deal in it is saved."""
    monkeypatch.setattr(keeping, "SNAPSHOT_AFTER", 20)
    table = await opened(house)
    store.away_for = 50
    name = await deal(table)
    assert await store.load_snapshot(table.id) is None
    await saved(store, name)
    await until(lambda: store._logs[table.id].snapshot is not None)


async def test_records_that_cannot_be_read_are_not_listed(
    store: Forgetful, house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """A record that was noted and never saved, or that is damaged, is left out of the list; the others stand in it."""
    caplog.set_level(logging.CRITICAL)
    table = await opened(house)
    name = await deal(table)
    await saved(store, name)
    player = table.guests[0].player.id
    await store.save_record(RecordId("broken"), b"\xc1", [player], Millis(9))
    store._noted.find(player, Millis(10**9))
    assert [record.id for record in await house.records_of(player)] == [name]
