"""The answer time after a restart or an outage: nobody's clock strikes while people are on their way back."""

import asyncio

import pytest

from server.runtime.alarm import GRACE_MILLIS
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.runtime.tables import STAFF, Store, TestTable, opened, until

GRACE = GRACE_MILLIS / 1000


async def asked(house: House) -> TestTable:
    """A table where the leader has asked: 15 s for the answers."""
    table = await opened(house, options={"answer_seconds": 15})
    while table.quiet()[1].action != "ask":
        await table.step()
    await table.step()
    return table


def strikes_in(house: House, table: TestTable) -> float:
    """In how many seconds the clock of a table strikes."""
    timer = house._actors[table.id]._upkeep._alarm._timer
    assert timer is not None
    return timer.when() - asyncio.get_running_loop().time()


@pytest.mark.parametrize(("spent", "left"), [(12, GRACE), (5, 10.0)])
@pytest.mark.parametrize("away", [3, 200])
async def test_a_clock_that_is_loaded_gives_the_time_back(
    store: Store, house: House, tasks: Tasks, spent: int, left: float, away: int
) -> None:
    """However long no server was there, what was left is left when the first comes, or 5 s if it was less."""
    table = await asked(house)
    store.clock.time += spent * 1000
    await table.step()
    table.actor.close()
    store.clock.time += away * 1000
    there = House(store, tasks, STAFF)
    actor = await there.actor(table.id)
    there.hold(actor)
    assert not actor.busy  # nobody has come: nothing runs
    actor.attended_by(frozenset({table.guests[0].player.id}))
    await until(lambda: actor.state is not None and actor.state.version == table.version + 1)
    assert left - 1 < strikes_in(there, table) <= left
    there._actors[table.id].close()


@pytest.mark.parametrize(("spent", "left"), [(12, GRACE), (5, 10.0)])
@pytest.mark.parametrize("away", [3, 200])
async def test_a_clock_gives_the_time_of_an_outage_back(
    store: Store, house: House, spent: int, left: float, away: int
) -> None:
    """The same for a table at which nothing was under way when the store went and came back."""
    table = await asked(house)
    store.clock.time += spent * 1000
    store.go_away()
    house.watch.lost()
    store.clock.time += away * 1000
    assert table.actor.state is not None
    if away > 15:  # it strikes in vain
        table.actor._upkeep._alarm._due(table.actor.state.prompt)
        assert strikes_in(house, table) < 1
    version = table.version
    store.come_back()
    await until(lambda: not house.watch.away and table.version == version + 1)
    assert left - 1 < strikes_in(house, table) <= left
    table.actor.close()


async def test_a_clock_gives_grace_when_a_command_met_the_outage(store: Store, house: House) -> None:
    """An answer was under way when the store went: it takes effect, and the question that stands gets its grace."""
    table = await asked(house)
    store.clock.time += 14_500
    store.lose_answer(stored=True)
    await table.step()
    assert GRACE - 1 < strikes_in(house, table) <= GRACE
    table.actor.close()


async def test_a_clock_that_goes_strikes_in_time(store: Store, house: House) -> None:
    """Without start or outage a question has its seconds and no more."""
    table = await asked(house)
    assert 14 < strikes_in(house, table) <= 15
    table.actor.close()


async def test_a_clock_strikes_after_its_grace(
    store: Store, house: House, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the grace is over the deadline counts: the answer time ends, and no clock is left."""
    monkeypatch.setattr("server.runtime.alarm.GRACE_MILLIS", 0)
    table = await asked(house)
    table.actor.close()
    store.clock.time += 20_000
    monkeypatch.setattr("server.runtime.peers.ANSWER_SECONDS", 0.01)
    other = House(store, tasks, STAFF)
    there = await other.actor(table.id)
    other.hold(there)
    there.attended_by(frozenset({table.guests[0].player.id}))
    await until(lambda: there.state is not None and there.state.version == table.version + 1)
    store.clock.time += 20_000
    assert there.state is not None
    there._upkeep._alarm._due(there.state.prompt)
    await until(lambda: there.state is not None and there.state.deadline is None)
    there.close()


async def test_a_clock_gives_grace_when_the_table_went_back(store: Store, house: House) -> None:
    """An older question stands again, and its deadline has passed: people are given time to see it."""
    table = await asked(house)
    version = table.version
    await table.step()
    store.clock.time += 20_000
    store.set_back(table.id, version)
    await house.check_all()
    assert table.version == version
    assert GRACE - 1 < strikes_in(house, table) <= GRACE
    table.actor.close()
