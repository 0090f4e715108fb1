"""Tables of a house: two processes on one store, logs that cannot be read, and what is kept in memory."""

import asyncio
import logging

import msgpack
import pytest

from server.games.game import RuleViolation, Seat
from server.games.kop.game import Kop
from server.runtime.codes import plain_code
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import StoreAway, TableId
from server.table import commands
from server.table.memory import CommandId
from tests.runtime.tables import STAFF, Store, TestTable, accepted, carried_out, code_of, opened, stored, until


async def at(house: House, table: TestTable) -> TestTable:
    """The same table and players at another process."""
    actor = await house.actor(table.id)
    house.hold(actor)
    return TestTable(house, actor, table.guests, table.numbers)


async def test_two_processes_play_on_one_table_and_lose_and_double_nothing(
    store: Store, house: House, tasks: Tasks
) -> None:
    """They take turns; whoever is behind reloads and decides again: a whole deal, each command once."""
    here = await opened(house)
    there = await at(House(store, tasks, STAFF), here)
    for number in range(60):
        seat, act = (here, there)[number % 2].quiet()
        command_id = here.command_id(seat)
        behind = (there, here)[number % 2]
        answer = accepted(await carried_out((here, there)[number % 2].actor, act, command_id))
        assert accepted(await carried_out(behind.actor, act, command_id)) == answer
        assert behind.version == answer.version
    assert here.actor.state == there.actor.state
    assert await stored(store, here.id) == list(range(1, 65))


async def test_both_processes_write_at_once_and_both_commands_take_effect(
    store: Store, house: House, tasks: Tasks
) -> None:
    """Two *ready* at two processes in one moment: one is behind, decides again, and both are there."""
    here = await opened(house)
    there = await at(House(store, tasks, STAFF), here)
    assert here.actor.state is not None
    prompt = here.actor.state.prompt
    acts = [commands.Act(guest.player.id, prompt, "ready") for guest in here.guests]
    answers = await asyncio.gather(
        *(carried_out((here, there)[seat % 2].actor, act, here.command_id(seat)) for seat, act in enumerate(acts))
    )
    assert sorted(accepted(answer).version for answer in answers) == [5, 6, 7, 8]
    assert await stored(store, here.id) == list(range(1, 9))


async def test_one_question_answered_at_two_processes_is_answered_once(
    store: Store, house: House, tasks: Tasks
) -> None:
    """The leader plays two cards at two processes at once: one takes effect, the other is stale."""
    here = await opened(house)
    while not here.quiet()[1].action.startswith("play "):
        await here.step()
    there = await at(House(store, tasks, STAFF), here)
    seat, act = here.quiet()
    assert here.actor.state is not None
    actions = [action for action in Kop().legal(here.actor.state.play, Seat(seat)) if action.startswith("play ")]
    both = [commands.Act(act.player, act.prompt, action) for action in actions[:2]]
    answers = await asyncio.gather(
        carried_out(here.actor, both[0], here.command_id(seat)),
        carried_out(there.actor, both[1], here.command_id(seat)),
    )
    assert accepted(answers[0]).version == here.version
    assert code_of(answers[1]) == "stale"


async def test_a_table_is_opened_once_though_two_processes_are_asked(store: Store, house: House, tasks: Tasks) -> None:
    """The same *create* at two processes: the same table and code, one first entry, the same answer."""
    _, guest = await house.new_player("Ada")
    command_id = CommandId("client", 1)
    answers, tables = [], set()
    for one in (house, House(store, tasks, STAFF)):
        actor, code = await one.opening(guest, command_id, private=True, admit=lambda: None)
        create = commands.Create(guest.sitter, actor.id, "kop", {}, code)
        answers.append(await carried_out(actor, create, command_id))
        tables.add((actor.id, code))
    assert answers[0] == answers[1]
    assert len(tables) == 1
    assert await stored(store, actor.id) == [1]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (msgpack.packb({"f": 2, "x": "of a newer server"}), "table_newer"),
        (b"\xc1\xc1\xc1", "table_frozen"),
        (
            msgpack.packb({"f": 1, "t": 0, "c": "", "i": 0, "a": "", "s": None, "n": b"", "e": [["Flown", {}]]}),
            "table_frozen",
        ),
        (msgpack.packb({"f": 1, "e": []}), "table_frozen"),
    ],
    ids=["newer", "garbage", "unknown event", "incomplete"],
)
async def test_an_entry_that_cannot_be_read_stops_that_table_alone(
    store: Store, house: House, tasks: Tasks, caplog: pytest.LogCaptureFixture, body: bytes, code: str
) -> None:
    """At the next append, and at a start: a stable code, a word to the operator, and others play on."""
    table, other = await opened(house), await opened(house)
    store.plant(table.id, body)
    seat, act = table.quiet()
    assert code_of(await carried_out(table.actor, act, table.command_id(seat))) == code
    assert code_of(await carried_out(table.actor, act, table.command_id(seat))) == code
    fresh = House(store, tasks, STAFF)
    with pytest.raises(RuleViolation, match=code):
        await fresh.actor(table.id)
    assert [record.message for record in caplog.records if table.id in record.message]
    assert await stored(store, table.id) == [1, 2, 3, 4, 5]
    await other.step()
    assert (await fresh.actor(other.id)).state == other.actor.state


async def test_an_entry_that_is_missing_stops_the_table(store: Store, house: House, tasks: Tasks) -> None:
    """Nothing is skipped: a gap in the log cannot be read."""
    table = await opened(house)
    await table.step()
    del store._logs[table.id].entries[2]
    with pytest.raises(RuleViolation, match="table_frozen"):
        await House(store, tasks, STAFF).actor(table.id)


async def test_a_bug_met_while_loading_stops_that_table_alone(
    store: Store, house: House, tasks: Tasks, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A game whose `evolve` breaks: the table is frozen, its log is untouched, and it comes back with the cure."""
    table = await opened(house)
    await table.step()
    fresh = House(store, tasks, STAFF)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    with monkeypatch.context() as planted:
        planted.setattr(Kop, "evolve", broken)
        with pytest.raises(RuleViolation, match="table_frozen"):
            await fresh.actor(table.id)
    assert [record for record in caplog.records if record.levelno == logging.ERROR]
    assert (await fresh.actor(table.id)).state == table.actor.state


async def test_actors_are_let_go_when_nobody_is_left(store: Store, house: House) -> None:
    """100 tables are played, listed and left: no actor, no timer, nothing of them stays in memory."""
    tables = [await opened(house, private=False, options={"answer_seconds": 15}) for _ in range(100)]
    for table in tables:
        await table.step()
    assert len(house._actors) == 100
    for table in tables:
        house.release(table.actor)
    assert (house._actors, house._held) == ({}, {})
    assert len(await house.listed()) == 50
    assert house._actors == {}
    for table in tables:
        with pytest.raises(RuleViolation, match="no_such_table"):
            await house.actor(TableId(table.id + "x"))
    assert house._actors == {}


async def test_a_table_with_a_running_clock_stays_until_it_has_run_out(store: Store, house: House) -> None:
    """Nobody is there, but an answer time runs: it ends, is noted, and then the actor goes."""
    table = await opened(house, options={"answer_seconds": 15})
    while table.quiet()[1].action != "ask":
        await table.step()
    await table.step()
    house.release(table.actor)
    assert list(house._actors) == [table.id]
    store.clock.time += 15_000
    assert table.actor.state is not None
    table.actor._upkeep._strike(table.actor.state.prompt)
    await until(lambda: not house._actors)
    assert table.version == 10


async def test_refused_openings_leave_nothing_behind(store: Store, house: House) -> None:
    """Tables that the limits or the options refuse: no actor stays, and nothing is listed or noted."""

    def refuse() -> None:
        raise RuleViolation("too_many_tables")

    _, guest = await house.new_player("Ada")
    for number in range(1, 20):
        with pytest.raises(RuleViolation, match="too_many_tables"):
            await house.opening(guest, CommandId("client", number), private=False, admit=refuse)
    assert house._actors == {}
    assert await house.listed() == []
    assert await house.memberships(guest.player.id) == ()


async def test_stale_listings_leave_the_lobby(store: Store, house: House) -> None:
    """A table that has expired is listed no longer; missing for a minute, it is taken out of the index.

    Not sooner: an index is written before its entry, so a table may be about to be opened.
    """
    table = await opened(house, private=False)
    assert [one.id for one in await house.listed()] == [table.id]
    house.release(table.actor)
    store.clock.time += 31 * 60_000
    assert await house.listed() == []
    assert await store.listed_tables(50) == [table.id]
    store.clock.time += 60_000
    assert await house.listed() == []
    assert await store.listed_tables(50) == []


async def test_readers_of_an_idle_table_learn_that_it_has_expired(store: Store, house: House) -> None:
    """Nobody does anything, but the house looks: the readers of what has expired are told, others are not."""
    table, told = await opened(house), list[str]()
    store.clock.time += 20 * 60_000
    other = await opened(house)
    table.actor.gone = lambda: told.append("table")
    other.actor.gone = lambda: told.append("other")
    await house.check_all()
    assert told == []
    store.clock.time += 15 * 60_000
    await house.check_all()
    assert told == ["table"]


async def test_a_newer_table_is_not_listed_here_but_stays_in_the_lobby(
    store: Store, house: House, tasks: Tasks
) -> None:
    """An older process leaves alone what it cannot read: newer ones list it."""
    table = await opened(house, private=False)
    store.plant(table.id, msgpack.packb({"f": 2}))
    assert await House(store, tasks, STAFF).listed() == []
    assert await store.listed_tables(50) == [table.id]


async def test_nothing_is_answered_from_memory_while_the_store_is_away(store: Store, house: House) -> None:
    """Players, tables and codes: all say that the store is away, and all are there when it is back."""
    token, guest = await house.new_player("Ada")
    table = await opened(house)
    store.go_away()
    for work in (house.known_player(token, None), house.actor(table.id), house.memberships(guest.player.id)):
        with pytest.raises(StoreAway):
            await work
    store.come_back()
    await until(lambda: not house.watch.away)
    found = await house.known_player(token, None)
    assert found == guest
    assert (await house.actor(table.id)) is table.actor


async def test_two_tables_opened_in_one_millisecond_are_unrelated(store: Store, house: House) -> None:
    """The clock stands still: ids, codes and secrets of two tables of one player share nothing."""
    first, second = await opened(house), await opened(house)
    assert first.actor.state is not None
    assert second.actor.state is not None
    assert first.actor.state.opened == second.actor.state.opened
    assert first.id != second.id
    assert first.actor.state.code != second.actor.state.code
    secrets = {first.actor.state.play.offer.secret, second.actor.state.play.offer.secret}
    assert len(secrets) == 2
    assert {len(secret) for secret in secrets} == {32}


async def test_a_code_may_be_written_in_any_way(store: Store, house: House) -> None:
    """Small letters, groups, and look-alikes lead to the same table; another code leads nowhere."""
    table = await opened(house)
    assert table.actor.state is not None
    code = table.actor.state.code
    assert code is not None
    grouped = "-".join((code[:4], code[4:8], code[8:])).lower().replace("0", "o").replace("1", "l")
    assert plain_code(grouped) == code
    assert await house.table_of_code(f" {grouped} ") == table.id
    with pytest.raises(RuleViolation, match="no_such_table"):
        await house.table_of_code(code[:-1])
