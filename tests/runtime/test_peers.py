"""Several processes at one table, each a house on the same store: what one does the others follow."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from server.games.game import Seat
from server.runtime import peers
from server.runtime.actor import TableActor
from server.runtime.house import House
from server.runtime.peers import Peers
from server.runtime.tasks import Tasks
from server.store.port import StoreAway, TableId
from server.table import codec, commands
from server.table.events import ActedFor, TimeGiven
from tests.runtime.tables import STAFF, Store, TestTable, accepted, carried_out, code_of, opened, stored, until


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not answer is soon given up."""
    monkeypatch.setattr(peers, "ANSWER_SECONDS", 0.01)


def met(some: Peers, table: TestTable) -> bool:
    """Whether somebody else is at the table who has answered."""
    others = some._desks[table.id].others.values() if table.id in some._desks else ()
    return any(not peer.asked for peer in others)


async def process(store: Store, tasks: Tasks) -> House:
    """A process that listens to the others."""
    house = House(store, tasks, STAFF)
    await house.peers.open()
    return house


async def at(house: House, table: TestTable) -> TableActor:
    """The table in another process, once both know of each other."""
    actor = await house.actor(table.id)
    house.hold(actor)
    await until(lambda: met(house.peers, table))
    await until(lambda: met(table.house.peers, table))
    return actor


async def shared(store: Store, tasks: Tasks) -> tuple[TestTable, TableActor]:
    """A table in a process, and the same in another."""
    table = await opened(await process(store, tasks))
    return table, await at(await process(store, tasks), table)


def follows(actor: TableActor, table: TestTable) -> Callable[[], bool]:
    """Whether the other process is at the same state."""
    return lambda: actor.state == table.actor.state


async def test_what_one_process_stores_the_others_follow_entry_by_entry(store: Store, tasks: Tasks) -> None:
    """A deal is played in one process: the other has every state, and what happened, without a reader who asks."""
    table, there = await shared(store, tasks)
    reads: list[int] = []
    for _ in range(30):
        await table.step()
        await until(follows(there, table))
        reads.append(there.version)
    assert reads == list(range(reads[0], reads[0] + 30))
    assert [one.version for one in there.happened][-30:] == reads
    assert there.happened[-1] == table.actor.happened[-1]


async def test_two_processes_that_write_at_once_lose_nothing_of_what_happened(store: Store, tasks: Tasks) -> None:
    """All four are ready at the same moment, two in each process: four entries, in both processes one by one."""
    table, there = await shared(store, tasks)
    while "ready" not in table.quiet()[1].action:
        await table.step()
    await until(follows(there, table))
    before, prompt = table.version, table.quiet()[1].prompt
    asked = [
        carried_out(
            table.actor if seat % 2 else there,
            commands.Act(table.guests[seat].player.id, prompt, "ready"),
            table.command_id(seat),
        )
        for seat in range(4)
    ]
    for answer in await asyncio.gather(*asked):
        accepted(answer)
    await until(lambda: there.version == table.version == before + 4)
    for actor in (table.actor, there):
        assert [one.version for one in actor.happened][-4:] == list(range(before + 1, before + 5))


async def test_who_is_behind_does_not_refuse_what_is_right(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one process told was lost: a move that fits the log is taken, a stale one gets the newest version."""
    table, there = await shared(store, tasks)
    while not table.quiet()[1].action.startswith("play "):
        await table.step()
    await until(follows(there, table))
    monkeypatch.setattr(store, "tell", lambda process, message: None)
    old = table.quiet()[1]
    await table.step()
    await table.step()
    assert there.version == table.version - 2
    seat, act = table.quiet()
    accepted(await carried_out(there, act, table.command_id(seat)))
    assert there.version == table.version + 1
    answer = await carried_out(table.actor, old, table.command_id(seat))
    assert (code_of(answer), answer.version) == ("stale", there.version)


async def test_the_same_command_at_another_process_gets_the_same_reply(store: Store, tasks: Tasks) -> None:
    """Lost in between or not, it takes effect once."""
    table, there = await shared(store, tasks)
    seat, act = table.quiet()
    command_id = table.command_id(seat)
    first = accepted(await carried_out(table.actor, act, command_id))
    assert accepted(await carried_out(there, act, command_id)) == first
    assert (await stored(store, table.id))[-1] == first.version


async def test_who_is_connected_elsewhere_is_not_away(store: Store, tasks: Tasks, quick: None) -> None:
    """Three sit in one process and one in another: only when he leaves that one is his absence noted."""
    brisk = replace(STAFF, grace_seconds=0.5)
    houses = [House(store, tasks, brisk) for _ in range(2)]
    for house in houses:
        await house.peers.open()
    table = await opened(houses[0])
    there = await at(houses[1], table)
    players = [guest.player.id for guest in table.guests]
    there.attended_by(frozenset(players[3:]))
    await until(lambda: table.actor.elsewhere == frozenset(players[3:]))
    table.actor.attended_by(frozenset(players[:3]))
    await until(lambda: there.elsewhere == frozenset(players[:3]))
    await asyncio.sleep(0.7)  # longer than the grace: nothing may be noted
    assert table.actor.state is not None
    assert table.actor.state.absences == ()
    there.attended_by(frozenset())
    await until(lambda: table.actor.state is not None and table.actor.state.absence(Seat(3)) is not None)


async def test_no_time_is_given_back_by_coming_over_another_process(store: Store, tasks: Tasks) -> None:
    """A table that is at work elsewhere is not woken: its clock goes on as it was."""
    table = await opened(await process(store, tasks), options={"clock_seconds": 20})
    await table.step()
    table.actor.attended_by(frozenset({table.guests[0].player.id}))
    before = table.version
    store.clock.time += 5_000
    there = await at(await process(store, tasks), table)
    there.attended_by(frozenset({table.guests[1].player.id}))
    await until(lambda: bool(table.actor.elsewhere))
    assert (await stored(store, table.id))[-1] == before


async def test_only_the_first_process_runs_the_clock_and_the_next_takes_its_place(store: Store, tasks: Tasks) -> None:
    """Places are counted from 0 in the order of the processes' ids, and close up when one goes."""
    table, there = await shared(store, tasks)
    here_peers, there_peers = table.house.peers, there._peers
    table.actor.attended_by(frozenset({table.guests[0].player.id}))
    there.attended_by(frozenset({table.guests[1].player.id}))
    for some in (here_peers, there_peers):
        others = some._desks[table.id].others
        await until(lambda others=others: all(peer.awake for peer in others.values()))  # type: ignore[misc]
    assert {here_peers.place(table.id), there_peers.place(table.id)} == {0, 1}
    await here_peers.retire()
    await until(lambda: there_peers.alone(table.id))
    assert there_peers.place(table.id) == 0


async def test_a_dead_process_leaves_its_tables_and_what_it_did_not_save(
    store: Store, tasks: Tasks, quick: None
) -> None:
    """It ends without a word in the middle of a deal that nobody comes back to: another process adopts the table."""
    table = await opened(await process(store, tasks))
    table.actor.attended_by(frozenset(guest.player.id for guest in table.guests))
    await table.step()
    await until(lambda: table.house.peers.alone(table.id))
    await table.house.peers.entered(table.id)
    del store._listeners[table.house.peers.id]
    store.clock.time += 30_000
    other = await process(store, tasks)
    await other.peers._renew()
    await other.peers._take_over()
    adopted = await other.actor(table.id)
    assert other.peers.alone(table.id)
    assert adopted._upkeep.busy
    assert adopted.state == table.actor.state
    assert list(await store.tables_of(table.house.peers.id, 10)) == []
    assert list(await store.lapsed()) == []


async def test_a_process_that_stood_still_joins_its_tables_anew(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lease was over and others have taken its tables: it is noted again, and sees what it has missed."""
    table, there = await shared(store, tasks)
    await store.quit(table.id, table.house.peers.id)
    tell = store.tell
    monkeypatch.setattr(store, "tell", lambda process, message: None)
    seat, act = table.quiet()
    accepted(await carried_out(there, act, table.command_id(seat)))
    monkeypatch.setattr(store, "tell", tell)
    await store.retire(table.house.peers.id)  # as if its lease were over
    await table.house.peers._renew()
    await until(lambda: table.actor.version == there.version)
    await table.house.peers.entered(table.id)
    assert table.house.peers.id in await store.attend(table.id, there._peers.id, b"\x90")


async def test_two_processes_that_come_to_a_table_at_once_know_of_each_other(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each is noted before the other knows it, and asked before its own note is answered."""
    table = await opened(await process(store, tasks))
    table.house.release(table.actor)
    await until(lambda: not table.house.peers._desks and not table.house.peers._leaving)
    attend, gate = store.attend, asyncio.Event()

    async def slow(*word: Any) -> Any:
        noted = await attend(*word)
        await gate.wait()
        return noted

    monkeypatch.setattr(store, "attend", slow)
    houses = [await process(store, tasks) for _ in range(2)]
    for house in houses:
        house.hold(await house.actor(table.id))
        await asyncio.sleep(0)
    gate.set()
    for house in houses:
        await until(lambda house=house: met(house.peers, table))  # type: ignore[misc]


async def test_who_was_given_up_and_speaks_again_is_counted_again(store: Store, tasks: Tasks) -> None:
    """It stood still for a second: the next entry that it tells brings both together."""
    table, there = await shared(store, tasks)
    there._peers._drop(there._peers._desks[table.id], [table.house.peers.id])
    assert there._peers.alone(table.id)
    await table.step()
    await until(lambda: met(there._peers, table))
    assert there.version == table.version


async def test_a_process_that_ends_leaves_nothing_to_be_taken_over(store: Store, tasks: Tasks) -> None:
    """A clean end: its tables rest in the store until somebody comes to them."""
    table = await opened(await process(store, tasks))
    await table.house.peers.entered(table.id)
    await table.house.peers.retire()
    other = await process(store, tasks)
    await other.peers._renew()
    await other.peers._take_over()
    assert other._actors == {}
    assert list(await store.lapsed()) == []


async def test_records_of_a_process_that_died_before_it_saved_them_are_made_up(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has stored the end of a deal and no record: another process at the table saves it when it sees the death."""
    table, there = await shared(store, tasks)
    monkeypatch.setattr(table.actor._keeper, "_save", lambda finished, table, new: None)
    while table.actor.state is not None and table.actor.state.game.finished_deals(table.actor.state.play) == 0:
        await table.step()
    await until(follows(there, table))
    player = table.guests[0].player.id
    assert list(await store.records_of(player, 5)) == []
    there._peers._drop(there._peers._desks[table.id], [table.house.peers.id])
    await until(lambda: not there._keeper.busy)
    assert len(await store.records_of(player, 5)) == 1


async def test_who_was_away_with_the_store_declares_nobody_dead(store: Store, tasks: Tasks) -> None:
    """All leases ran out while the store was away: the first to renew waits until the others have renewed theirs."""
    table, there = await shared(store, tasks)
    store.clock.time += 60_000
    await table.house.peers._renew()
    assert table.house.peers._dead == frozenset()
    await there._peers._renew()
    await table.house.peers._renew()
    await until(lambda: met(table.house.peers, table) and met(there._peers, table))
    assert not there._peers._desks[table.id].silent


async def test_taking_over_stops_when_the_process_lives_again(store: Store, tasks: Tasks) -> None:
    """It was dead when it was looked for, and has renewed its lease since: its tables stay noted."""
    table = await opened(await process(store, tasks))
    await table.house.peers.entered(table.id)
    other = await process(store, tasks)
    other.peers._dead = frozenset({table.house.peers.id})
    await other.peers._take_over()
    assert list(await store.tables_of(table.house.peers.id, 5)) == [table.id]


async def test_what_is_told_while_the_log_is_read_is_not_forgotten(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A follower that is behind reads; the next entry is told after its read was answered."""
    table, there = await shared(store, tasks)
    read, gate, reading = store.read, asyncio.Event(), asyncio.Event()

    async def slow(table_id: TableId, after: int) -> Any:
        entries = await read(table_id, after)
        reading.set()
        await gate.wait()
        return entries

    monkeypatch.setattr(store, "read", slow)
    there.catch_up(0)
    await reading.wait()
    tell = store.tell
    monkeypatch.setattr(store, "tell", lambda process, message: None)
    await table.step()
    monkeypatch.setattr(store, "tell", tell)
    await table.step()
    await asyncio.sleep(0)
    gate.set()
    await until(follows(there, table))


async def test_an_actor_that_was_let_go_while_it_was_checked_is_not_handed_out(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last reader leaves while a newcomer's check is under way."""
    table, there = await shared(store, tasks)
    house = table.house
    for guest in table.guests:
        accepted(await carried_out(table.actor, commands.LeaveSeat(guest.player.id), None))
    await until(follows(there, table))
    check = table.actor.check

    async def slow() -> None:
        await check()
        house.release(table.actor)

    monkeypatch.setattr(table.actor, "check", slow)
    found = await house.actor(table.id)
    assert found is not table.actor
    assert house._actors[table.id] is found


async def test_an_entry_of_another_history_is_not_followed(store: Store, tasks: Tasks) -> None:
    """The store lost the entry before it, and another has taken its place: the log is read."""
    table, there = await shared(store, tasks)
    entry = (await store.read(table.id, 0))[-1]
    there.heard(there.version + 1, entry.body, b"another")
    await until(lambda: not there.busy or not there._catching_up)
    assert there.state == table.actor.state
    assert there.stopped is None


async def test_two_processes_that_wake_a_table_at_once_give_the_time_back(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour after a restart two players come, each over another process: nobody is charged for it."""
    table = await opened(await process(store, tasks), options={"clock_seconds": 20})
    while not table.quiet()[1].action.startswith("play "):
        await table.step()
    await table.house.peers.retire()
    table.house.stand_still()
    store.clock.time += 3_600_000
    houses = [await process(store, tasks) for _ in range(2)]
    actors = [await house.actor(table.id) for house in houses]
    for house, actor in zip(houses, actors, strict=True):
        house.hold(actor)
    await until(lambda: all(met(house.peers, table) for house in houses))
    for seat, actor in enumerate(actors):
        actor.attended_by(frozenset({table.guests[seat].player.id}))
    await until(lambda: all(actor.awake for actor in actors))
    await until(lambda: actors[0].version == actors[1].version > table.version)
    lines = [codec.decode(one.version, one.body, "kop") for one in await store.read(table.id, table.version)]
    given = [event.millis for line in lines for event in line.events if isinstance(event, TimeGiven)]
    assert 3_600_000 <= sum(given) < 3_700_000
    assert not [event for line in lines for event in line.events if isinstance(event, ActedFor)]


async def test_a_store_that_is_lost_while_the_end_of_the_log_is_read_is_no_refusal_of_the_rules(
    store: Store, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who may be behind and cannot look says that the store is away."""
    table, there = await shared(store, tasks)
    monkeypatch.setattr(store, "tell", lambda process, message: None)
    while not table.quiet()[1].action.startswith("play "):
        await table.step()
    seat, act = table.quiet()

    async def lost(*asked: Any) -> Any:
        raise StoreAway

    monkeypatch.setattr(store, "read", lost)
    assert code_of(await carried_out(there, act, table.command_id(seat))) == "store_away"
    assert there._writing is None
