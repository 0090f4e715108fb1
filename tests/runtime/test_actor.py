"""A table at work over a store that fails in every way: each command has one effect and one answer."""

import logging

import pytest

from server.figures import Figures
from server.games.game import Seat
from server.games.kop.game import Kop
from server.runtime import actor as actors
from server.runtime import alarm, keeping
from server.runtime.answers import Accepted
from server.runtime.house import House
from server.runtime.loading import load
from server.runtime.tasks import Tasks
from server.table import codec, commands
from server.table.memory import CommandId
from tests.runtime.tables import STAFF, Store, TestTable, accepted, carried_out, code_of, opened, stored, until


@pytest.mark.parametrize("lost", ["stored", "not stored"])
async def test_a_command_whose_answer_is_lost_takes_effect_once(store: Store, house: House, lost: str) -> None:
    """At each step of a deal: the append's answer is lost, whether it was stored or not; all is there once."""
    table = await opened(house)
    for _ in range(30):
        before = table.version
        store.lose_answer(stored=lost == "stored")
        assert (await table.step()).version == before + 1
    assert await stored(store, table.id) == list(range(1, table.version + 1))


@pytest.mark.parametrize("lost", ["stored", "not stored"])
async def test_a_table_whose_opening_got_no_answer_is_opened_once(store: Store, house: House, lost: str) -> None:
    """The first entry of all: the answer is lost, whether it was stored or not."""
    store.lose_answer(stored=lost == "stored")
    table = await opened(house)
    assert await stored(store, table.id) == [1, 2, 3, 4]


async def test_the_same_command_again_gets_the_same_answer_and_has_no_effect(house: House) -> None:
    """A repeat, at once and later; other content under the id is refused."""
    table = await opened(house)
    seat, act = table.quiet()
    command_id = table.command_id(seat)
    first = await carried_out(table.actor, act, command_id)
    version = table.version
    assert await carried_out(table.actor, act, command_id) == first
    await table.step()
    assert await carried_out(table.actor, act, command_id) == first
    assert table.version == version + 1
    other = commands.Act(act.player, act.prompt, "ready 7")
    assert code_of(await carried_out(table.actor, other, command_id)) == "id_reused"


async def test_commands_that_come_at_once_take_effect_one_after_another(house: House) -> None:
    """The same act five times before the first is stored: one effect, one answer for all."""
    table = await opened(house)
    seat, act = table.quiet()
    command_id, answers = table.command_id(seat), list[object]()
    for _ in range(5):
        table.actor.submit(act, command_id, answers.append)
    await until(lambda: len(answers) == 5)
    assert len(set(answers)) == 1
    assert table.version == 5


def saying(table: TestTable, seat: int) -> tuple[commands.Say, CommandId]:
    """Something that may be said at any time."""
    return commands.Say(table.guests[seat].player.id, "Ada", "Servus", ""), table.command_id(seat)


async def test_what_comes_at_once_is_shown_at_once(house: House) -> None:
    """Four get ready at one moment: each has his answer, and all see one new state, with everything in it."""
    table, told = await opened(house), list[object]()
    assert table.actor.state is not None
    before, prompt = table.version, table.actor.state.prompt
    table.actor.changed = lambda: told.append(table.version)
    for seat, guest in enumerate(table.guests):
        table.actor.submit(commands.Act(guest.player.id, prompt, "ready"), table.command_id(seat), told.append)
    await until(lambda: before + 4 in told)
    assert told == [*(Accepted(before + 1 + seat, Seat(seat)) for seat in range(4)), before + 4]
    assert [one.version for one in table.actor.happened][-4:] == list(range(before + 1, before + 5))


async def test_nobody_is_kept_blind_by_what_others_send(house: House) -> None:
    """However much waits, after four entries all are shown what they made."""
    table, shown = await opened(house), list[int]()
    before = table.version
    table.actor.changed = lambda: shown.append(table.version)
    for count in range(10):
        table.actor.submit(*saying(table, count % 4), lambda _: None)
    await until(lambda: before + 10 in shown)
    assert shown == [before + 4, before + 8, before + 10]


@pytest.mark.parametrize("lost", ["stored", "not stored"])
async def test_what_was_held_back_is_shown_when_the_store_fails(store: Store, house: House, lost: str) -> None:
    """The next entry gets no answer: those who look on need not wait for it, nor for the store."""
    table, shown = await opened(house), list[int]()
    before = table.version
    table.actor.changed = lambda: shown.append(table.version)
    table.actor.submit(*saying(table, 0), lambda _: store.lose_answer(stored=lost == "stored"))
    table.actor.submit(*saying(table, 1), lambda _: None)
    await until(lambda: before + 2 in shown)
    assert shown[0] == before + 1


async def test_what_was_held_back_is_shown_when_the_rest_is_refused(house: House) -> None:
    """What waited has no effect: what came before it is shown."""
    table, shown = await opened(house), list[int]()
    before = table.version
    table.actor.changed = lambda: shown.append(table.version)
    table.actor.submit(*saying(table, 0), lambda _: None)
    stale = commands.Act(table.guests[1].player.id, "stale", "ready")
    table.actor.submit(stale, table.command_id(1), lambda _: None)
    await until(lambda: bool(shown))
    assert shown == [before + 1]


@pytest.mark.parametrize("answered", ["stored", "lost"])
async def test_a_bug_in_what_was_held_back_stops_the_table(store: Store, house: House, answered: str) -> None:
    """It is one at the actor's edge, wherever it is shown: this table refuses, whoever waits is answered."""
    table, told = await opened(house), list[object]()

    def fail() -> None:
        raise ZeroDivisionError

    table.actor.changed = fail
    if answered == "lost":
        table.actor.submit(*saying(table, 0), lambda _: store.lose_answer(stored=False))
        table.actor.submit(*saying(table, 1), told.append)
    else:
        stale = commands.Act(table.guests[1].player.id, "stale", "ready")
        table.actor.submit(*saying(table, 0), lambda _: None)
        table.actor.submit(stale, table.command_id(1), told.append)
    await until(lambda: bool(told) and not table.actor.busy)
    assert table.actor.stopped == "table_frozen"
    assert code_of(await carried_out(table.actor, *saying(table, 2))) == "table_frozen"


async def test_an_expired_table_refuses_everything_and_is_let_go(store: Store, house: House) -> None:
    """An append to a log that is gone: `no_such_table`, the readers are told, and the actor goes."""
    table, told = await opened(house), list[str]()
    table.actor.gone = lambda: told.append("gone")
    store.clock.time += 31 * 60_000
    seat, act = table.quiet()
    assert code_of(await carried_out(table.actor, act, table.command_id(seat))) == "no_such_table"
    assert told == ["gone"]
    house.release(table.actor)
    assert house._actors == {}


async def test_a_store_that_is_away_refuses_and_play_goes_on_when_it_is_back(store: Store, house: House) -> None:
    """`store_away`, told once; when it is back the same command under the same id takes effect."""
    table, told = await opened(house), list[bool]()
    house.watch.changed.append(told.append)
    store.go_away()
    seat, act = table.quiet()
    command_id, answers = table.command_id(seat), list[object]()
    table.actor.submit(act, command_id, answers.append)
    await until(lambda: house.watch.away)
    assert code_of(await carried_out(table.actor, act, command_id)) == "store_away"
    assert answers == []
    store.come_back()
    await until(lambda: bool(answers))
    assert told == [True, False]
    assert accepted(await carried_out(table.actor, act, command_id)).version == 5
    assert await stored(store, table.id) == [1, 2, 3, 4, 5]


async def test_a_store_that_went_back_is_noticed_at_the_next_command(
    store: Store, house: House, figures: Figures
) -> None:
    """The log is older than what was told: the readers learn `rolled_back`, and play goes on from there."""
    table, told = await opened(house), list[int]()
    for _ in range(6):
        await table.step()
    table.actor.rolled_back = lambda: told.append(table.version)
    store.set_back(table.id, 7)
    store.lose_answer(stored=False)
    seat, act = table.quiet()
    assert code_of(await carried_out(table.actor, act, table.command_id(seat))) == "stale"
    assert told == [7]
    assert figures.rolled_back == 1
    await table.step()
    assert await stored(store, table.id) == list(range(1, 9))


async def test_a_store_that_went_back_is_noticed_when_it_comes_back(store: Store, house: House) -> None:
    """Nobody does anything: still every table is compared, and only the one that differs is told."""
    table, other = await opened(house), await opened(house)
    for one in (table, other):
        for _ in range(4):
            await one.step()
    told: list[str] = []
    table.actor.rolled_back = lambda: told.append("table")
    table.actor.changed = lambda: told.append("view")
    other.actor.rolled_back = lambda: told.append("other")
    store.set_back(table.id, 6)
    store.go_away()
    house.watch.lost()
    store.come_back()
    await until(lambda: len(told) == 2)
    assert told == ["table", "view"]
    assert (table.version, other.version) == (6, 8)


async def test_a_table_that_the_store_has_lost_is_told_to_its_readers(store: Store, house: House) -> None:
    """The store came back without the table: its readers learn that it is gone."""
    table, told = await opened(house), list[str]()
    table.actor.gone = lambda: told.append("gone")
    store.clock.time += 31 * 60_000
    house.watch.lost()
    await until(lambda: bool(told))
    assert table.actor.stopped == "no_such_table"


async def test_a_snapshot_is_taken_between_deals_and_loaded(
    store: Store, house: House, monkeypatch: pytest.MonkeyPatch, figures: Figures
) -> None:
    """After enough entries the log is cut at the end of a deal; what is loaded is the same table."""
    monkeypatch.setattr(keeping, "SNAPSHOT_AFTER", 20)
    table = await opened(house)
    for _ in range(75):
        await table.step()
    snapshot = await store.load_snapshot(table.id)
    assert snapshot is not None
    assert snapshot.version >= 20
    assert (figures.snapshots > 0, figures.accepted) == (True, table.version)
    assert await stored(store, table.id) == list(range(snapshot.version + 1, table.version + 1))
    loaded = await load(table.id, store)
    assert loaded is not None
    assert loaded.table == table.actor.state
    assert loaded.snapshot_version == snapshot.version


async def test_a_deal_without_end_is_cut_too(store: Store, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice as many entries make a snapshot even in the middle of a deal."""
    monkeypatch.setattr(keeping, "SNAPSHOT_AFTER", 9)
    table = await opened(house)
    for _ in range(15):
        await table.step()
    snapshot = await store.load_snapshot(table.id)
    assert snapshot is not None
    assert snapshot.version == 18
    loaded = await load(table.id, store)
    assert loaded is not None
    assert (loaded.table, loaded.snapshot_version) == (table.actor.state, 18)


async def test_an_answer_time_runs_out_after_its_process_has_died(
    store: Store, house: House, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the first who comes the clock goes on, with the time given back: then the leader may lead."""
    monkeypatch.setattr(alarm, "GRACE_MILLIS", 0)
    table = await opened(house, options={"answer_seconds": 15})
    while table.quiet()[1].action != "ask":
        await table.step()
    await table.step()
    table.actor.close()
    store.clock.time += 20_000
    monkeypatch.setattr("server.runtime.peers.ANSWER_SECONDS", 0.01)
    other = House(store, tasks, STAFF)
    later = await other.actor(table.id)
    other.hold(later)
    later.attended_by(frozenset({table.guests[0].player.id}))
    await until(lambda: later.state is not None and later.state.version == table.version + 1)
    store.clock.time += 20_000
    assert later.state is not None
    later._upkeep._alarm._due(later.state.prompt)
    await until(lambda: later.state is not None and later.state.version == table.version + 2)
    assert later.state is not None
    assert later.state.deadline is None
    entries = (await store.read(table.id, 0))[-2:]
    assert [[type(event).__name__ for event in codec.decode(1, one.body, "kop").events] for one in entries] == [
        ["TimeGiven"],
        ["AnswerTimeOver"],
    ]
    later.close()


async def test_an_answer_time_that_is_not_over_is_waited_for(store: Store, house: House) -> None:
    """A clock that strikes too early changes nothing and is set again."""
    table = await opened(house, options={"answer_seconds": 15})
    while table.quiet()[1].action != "ask":
        await table.step()
    await table.step()
    version = table.version
    assert table.actor.state is not None
    table.actor._upkeep._strike(table.actor.state.prompt)
    assert table.version == version
    assert table.actor.busy
    store.go_away()
    house.watch.lost()
    table.actor._upkeep._strike(table.actor.state.prompt)
    assert table.actor.busy
    table.actor.close()


async def acts(table: TestTable) -> list[str]:
    """The codes with which the next act is refused, at once and again."""
    seat, act = table.quiet()
    command_id = table.command_id(seat)
    return [code_of(await carried_out(table.actor, act, command_id)) for _ in range(2)]


@pytest.mark.parametrize("where", ["decide", "evolve", "happening"])
async def test_a_bug_in_a_game_freezes_its_table_and_no_other(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, figures: Figures, where: str
) -> None:
    """Whatever breaks: `table_frozen`, counted, logged with table and version; another table plays on."""
    table, other = await opened(house), await opened(house)
    for one in (table, other):
        while one.quiet()[1].action != "ask":
            await one.step()
    version = table.version

    def broken(*_: object) -> None:
        raise ZeroDivisionError("planted")

    with monkeypatch.context() as planted:
        planted.setattr(Kop, where, broken)
        assert await acts(table) == ["table_frozen", "table_frozen"]
    assert await acts(table) == ["table_frozen", "table_frozen"]
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.message == f"table {table.id} frozen at version {version + (where == 'happening')}"
    assert figures.frozen == 1
    await other.step()
    with pytest.raises(Exception, match="table_frozen"):
        await house.actor(table.id)


async def test_a_bug_in_a_view_freezes_the_table_but_the_command_was_answered_once(house: House) -> None:
    """What breaks while readers are told comes after the reply, which stands; nothing more is taken."""
    table = await opened(house)

    def broken() -> None:
        raise ZeroDivisionError("planted")

    table.actor.changed = broken
    assert (await table.step()).version == 5
    assert await acts(table) == ["table_frozen", "table_frozen"]


async def test_more_commands_than_can_wait_are_refused(store: Store, house: House) -> None:
    """A table takes 256 waiting commands; the next is `too_many`, and all others are answered."""
    table, answers = await opened(house), list[str]()
    for number in range(300):
        command = commands.TakeSeat(table.guests[number % 4].sitter, Seat(0))
        table.actor.submit(
            command,
            CommandId("x", number + 1),
            lambda answer: answers.append(code_of(answer)),
        )
    await until(lambda: len(answers) == 300)
    assert set(answers) == {"already_seated"}
    seat, act = table.quiet()
    table.actor.submit(act, table.command_id(seat), lambda answer: None)
    for number in range(300):
        table.actor.submit(command, CommandId("y", number + 1), lambda answer: answers.append(code_of(answer)))
    await until(lambda: len(answers) == 600)
    assert answers[300:].count("too_many") == 300 - actors.MOST_WAITING
