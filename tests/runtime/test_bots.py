"""The server's bots at a table: what they are given, when they act, and that they never act in another's place."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any, cast

import pytest

from server.games.game import OptionValue, Plain, Seat, Stage
from server.runtime.house import House
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.runtime.thinking import Failed, ThinkingPool
from server.store.port import TableId
from server.table import codec, commands, view
from server.table.events import ActedFor
from server.table.memory import CommandId
from server.table.state import Table
from server.table.strength import Strength
from tests.runtime.tables import PATIENCE, STAFF, Store, TestTable, accepted, carried_out, opened, until

SECONDS = 0.02
"""How long the bots here wait."""


class Thinker:
    """In the place of the pool: it notes what it is asked, and answers as the test wants."""

    def __init__(self) -> None:
        self.asked: list[Plain] = []
        self.who: list[str] = []
        self.stopped = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.answer: Callable[[Plain], str] = lambda seen: quiet(seen["actions"])

    async def think(
        self, job: object, game: str, seen: Plain, strength: Strength, seed: int, *, who: str, seconds: float
    ) -> str:
        self.asked.append(seen)
        self.who.append(who)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.stopped += 1
            raise
        return self.answer(seen)


def quiet(actions: list[str]) -> str:
    """What a bot does that calls nothing."""
    said = next((action for action in actions if action in ("ask", "go on", "pass")), None)
    return said or next(action for action in actions if action.startswith("play "))


@pytest.fixture
async def thinker() -> Thinker:
    return Thinker()


@pytest.fixture
def staffed(store: Store, tasks: Tasks, thinker: Thinker) -> House:
    """A house whose bots ask the thinker."""
    return House(store, tasks, Staff(cast(ThinkingPool, thinker), grace_seconds=60.0, bot_seconds=SECONDS))


async def with_bots(house: House, **options: OptionValue) -> TestTable:
    """A person who owns a table, and three bots there; the match has begun."""
    _, guest = await house.new_player("Ola")
    first = CommandId(f"{guest.player.id}/client", 1)
    actor, code = await house.opening(guest, first, private=True, admit=lambda: None)
    house.hold(actor)
    create = commands.Create(guest.sitter, actor.id, "kop", {"answer_seconds": None, "deals": 4, **options}, code)
    accepted(await carried_out(actor, create, first))
    table = TestTable(house, actor, [guest])
    actor.attended_by(frozenset({guest.player.id}))
    for _ in range(3):
        await do(table, commands.SeatBot(guest.player.id, None, Strength.MEDIUM))
    return table


async def do(table: TestTable, command: commands.PlayersCommand, seat: int = 0) -> None:
    accepted(await carried_out(table.actor, command, table.command_id(seat)))


def state(table: TestTable) -> Table:
    assert table.actor.state is not None
    return table.actor.state


async def play(table: TestTable, until_fact: Callable[[Table], bool]) -> None:
    """The person acts quietly whenever he is asked, until the fact holds."""
    async with asyncio.timeout(PATIENCE):
        while not until_fact(state(table)):
            now = state(table)
            actions = list(view.actions(now, Seat(0))) if Seat(0) in now.awaited else []
            if actions:
                action = "ready" if "ready" in actions else quiet(actions)
                await do(table, commands.Act(table.guests[0].player.id, now.prompt, action))
            else:
                await until(lambda before=now: state(table) is not before or until_fact(before))  # type: ignore[misc]


async def entries(store: Store, table: TableId) -> list[Any]:
    """All events in the log."""
    return [
        event for entry in await store.read(table, 0) for event in codec.decode(entry.version, entry.body, "kop").events
    ]


async def test_one_person_and_three_bots_play_a_match(store: Store, staffed: House, thinker: Thinker) -> None:
    """Four deals to their end; the bots are asked for their own seats only, and nobody acts for anybody."""
    table = await with_bots(staffed)
    await play(table, lambda now: now.stage is Stage.OVER)
    assert len(state(table).sat) == 4
    assert set(thinker.who) == {f"{table.id}/{seat}" for seat in (1, 2, 3)}
    assert not any(isinstance(event, ActedFor) for event in await entries(store, table.id))


async def test_a_bot_is_given_what_its_seat_has_seen(staffed: House, thinker: Thinker) -> None:
    """What the thinker gets is the game's `seen` of the seat, with no other hand in it."""
    table = await with_bots(staffed)
    thinker.gate.clear()
    thinker.asked.clear()
    await play(table, lambda now: now.stage is Stage.DEAL and bool(thinker.asked))
    now = state(table)
    seat = int(thinker.who[-1].rpartition("/")[2])
    assert thinker.asked[-1] == now.game.seen(now.play, Seat(seat))
    hands = [set(now.game.own(now.play, Seat(other))["hand"]) for other in range(4)]
    assert len(hands[seat]) == 4
    for other in {0, 1, 2, 3} - {seat}:
        assert not any(f"'{card}'" in repr(thinker.asked[-1]) for card in hands[other])


async def test_bots_follow_who_wants_another_match(staffed: House) -> None:
    """After the match they wait for the first person; then all say *rematch*, and the next match begins."""
    table = await with_bots(staffed)
    await play(table, lambda now: now.stage is Stage.OVER)
    now = state(table)
    assert now.ready == (None,) * 4
    await do(table, commands.Act(table.guests[0].player.id, now.prompt, "rematch"))
    await until(lambda: state(table).match == 2)


class NotingRandom(Random):
    """Chance that notes what it is asked for."""

    def __init__(self, noted: list[str]) -> None:
        super().__init__(1)
        self.noted = noted

    def uniform(self, a: float, b: float) -> float:
        self.noted.append(f"uniform {a} {b}")
        return super().uniform(a, b)


async def test_how_long_a_bot_waits_is_drawn_before_it_looks_at_anything(staffed: House, thinker: Thinker) -> None:
    """Whatever the hand and the question: one draw in the same bounds, then the thought."""
    table = await with_bots(staffed)
    noted: list[str] = []
    await until(lambda: state(table).ready[1:] == ("", "", ""))
    table.actor._upkeep._bots._rng = NotingRandom(noted)

    def thought(seen: Plain) -> str:
        noted.append("thought")
        return quiet(seen["actions"])

    thinker.answer = thought
    await play(table, lambda now: len(now.sat) == 1)
    drawn = 0
    for one in noted:
        drawn += 1 if one == "uniform 0.6 1.4" else -1
        assert 0 <= drawn <= 3, noted
    assert noted.count("thought") >= 3


async def test_a_bot_does_not_act_before_its_time_however_quickly_it_thinks(staffed: House, thinker: Thinker) -> None:
    """A thought that is there at once waits for the drawn time."""
    table = await with_bots(staffed)
    await until(lambda: state(table).ready[1:] == ("", "", ""))
    table.actor._upkeep._bots._seconds = 0.1
    now, began, shortest = asyncio.get_running_loop().time, list[float](), list[float]()
    act = table.actor._upkeep._bots._submit

    def submit(command: commands.BotActs, answered: Callable[[bool], None]) -> None:
        shortest.append(now() - began[-1])
        act(command, answered)

    def thought(seen: Plain) -> str:
        began.append(now())
        return quiet(seen["actions"])

    table.actor._upkeep._bots._submit = submit
    thinker.answer = thought
    await play(table, lambda now: len(now.play.deal.tricks) == 1 if now.play.deal else False)
    assert min(shortest) >= 0.6 * 0.1 - 0.01


async def test_a_person_takes_a_bots_seat_in_the_middle_of_its_thinking(staffed: House, thinker: Thinker) -> None:
    """The thinking is stopped, the bot does nothing any more, and the person has its hand at once."""
    table = await with_bots(staffed)
    thinker.gate.clear()
    await play(table, lambda now: bool(thinker.asked))
    seat = Seat(int(thinker.who[-1].rpartition("/")[2]))
    hand = state(table).game.own(state(table).play, seat)["hand"]
    _, guest = await staffed.new_player("Ula")
    table.guests += [guest]
    await do(table, commands.TakeSeat(guest.sitter, seat), 1)
    version = table.version
    await until(lambda: thinker.stopped > 0)
    thinker.gate.set()
    assert state(table).game.own(state(table).play, seat)["hand"] == hand
    assert seat not in {of for _, of in table.actor._upkeep._bots._playing}
    if state(table).awaited == (seat,):
        assert table.actor._upkeep._bots._playing == {}
        assert table.version == version


@pytest.mark.parametrize("back", ["returned", "acted"])
async def test_a_stand_in_stops_when_the_person_is_back(
    store: Store, tasks: Tasks, staffed: House, thinker: Thinker, back: str
) -> None:
    """In the middle of its thinking: whoever comes back, or just acts, has his seat, and the bot's thought is void."""
    table = await opened(staffed, options={"answer_seconds": None, "on_absence": "bot"})
    table.actor.attended_by(frozenset(guest.player.id for guest in table.guests))
    while not table.quiet()[1].action.startswith("play "):
        await table.step()
    seat, act = table.quiet()
    player = table.guests[seat].player.id
    thinker.gate.clear()
    table.actor.submit(commands.NoteAbsent(player), None, lambda answer: None)
    await until(lambda: bool(thinker.asked))
    assert state(table).absences[0].stand_in
    if back == "acted":
        await do(table, act, seat)
    else:
        table.actor.submit(commands.NoteReturn(player), None, lambda answer: None)
    await until(lambda: thinker.stopped == 1)
    thinker.gate.set()
    assert state(table).absences == ()
    assert table.actor._upkeep._bots._playing == {}
    if back == "returned":
        await do(table, act, seat)
    assert not any(isinstance(event, ActedFor) for event in await entries(store, table.id))


async def test_a_stand_in_is_marked_in_the_log(store: Store, staffed: House) -> None:
    """Each act of a stand-in stands behind an `ActedFor` with its seat; the record says so too."""
    table = await opened(staffed, options={"answer_seconds": None, "on_absence": "bot"})
    table.actor.attended_by(frozenset(guest.player.id for guest in table.guests))
    while not table.quiet()[1].action.startswith("play "):
        await table.step()
    table.actor.submit(commands.NoteAbsent(table.guests[2].player.id), None, lambda answer: None)
    while state(table).stage is Stage.DEAL:
        seat, _ = table.quiet()
        version = table.version
        if seat == 2:
            await until(lambda before=version: table.version > before)  # type: ignore[misc]
        else:
            await table.step()
    happened = await entries(store, table.id)
    marked = [after for event, after in pairwise(happened) if isinstance(event, ActedFor)]
    assert marked
    assert {event.seat for event in marked} == {2}
    assert len(state(table).acted_for) >= len(marked) - 1  # the last is its *ready*


async def test_a_bot_that_cannot_think_does_the_quiet_thing(
    staffed: House, thinker: Thinker, caplog: pytest.LogCaptureFixture
) -> None:
    """The pool fails each time: the match goes on, and the log says why."""

    def fail(seen: Plain) -> str:
        raise Failed("the process died")

    thinker.answer = fail
    table = await with_bots(staffed)
    await play(table, lambda now: len(now.sat) == 1)
    assert {record.levelname for record in caplog.records} == {"WARNING"}
    assert all("plays without thinking: the process died" in record.message for record in caplog.records)


async def test_a_thought_that_the_rules_refuse_is_replaced(
    staffed: House, thinker: Thinker, caplog: pytest.LogCaptureFixture
) -> None:
    """A card that is not held, words that are none: the bot then does the quiet thing, and play goes on."""
    wrong = iter(["play AH", "nonsense", "zolo du", "go on"] * 100)
    thinker.answer = lambda seen: next(wrong)
    table = await with_bots(staffed)
    await play(table, lambda now: len(now.sat) == 1)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


async def test_a_bot_goes_on_when_the_store_is_back(store: Store, staffed: House) -> None:
    """However long the store was away: what the bot could not do then it does afterwards, though nobody else acts."""
    table = await with_bots(staffed)
    bots = table.actor._upkeep._bots
    store.go_away()
    staffed.watch.lost()
    assert len(bots._playing) == 3
    await until(lambda: not bots._playing)
    assert state(table).ready == (None,) * 4
    store.come_back()
    await until(lambda: state(table).ready[1:] == ("", "", ""))


async def test_a_bot_whose_answer_is_lost_acts_once(store: Store, staffed: House) -> None:
    """The append of a bot's act gets no answer, stored or not: it takes effect once."""
    table = await with_bots(staffed)
    store.lose_answer(stored=True)
    store.lose_answer(stored=False)
    await until(lambda: state(table).ready[1:] == ("", "", ""))
    words = [event for event in await entries(store, table.id) if type(event).__name__ == "ReadySaid"]
    assert sorted(event.seat for event in words) == [1, 2, 3]


async def test_a_pause_stops_all_thinking(staffed: House, thinker: Thinker) -> None:
    """While the table stands still no bot acts; then they go on."""
    table = await with_bots(staffed)
    thinker.gate.clear()
    await play(table, lambda now: bool(thinker.asked))
    await do(table, commands.PauseTable(table.guests[0].player.id))
    await until(lambda: thinker.stopped > 0)
    assert not table.actor._upkeep._bots._playing
    thinker.gate.set()
    await do(table, commands.ResumeTable(table.guests[0].player.id))
    await play(table, lambda now: len(now.sat) == 1)


async def test_bots_do_not_play_at_a_table_that_nobody_has_come_to(
    store: Store, tasks: Tasks, thinker: Thinker, staffed: House
) -> None:
    """A table that is only looked at, for the lobby, is not played by this process, and is let go."""
    table = await with_bots(staffed)
    await until(lambda: state(table).ready[1:] == ("", "", ""))
    await play(table, lambda now: now.stage is Stage.DEAL)
    table.actor.close()
    thinker.asked.clear()
    there = House(store, tasks, replace(STAFF, pool=cast(ThinkingPool, thinker), bot_seconds=SECONDS))
    actor = await there.actor(table.id)
    assert actor._upkeep._bots._playing == {}
    assert not actor.busy
    there.hold(actor)
    actor.attended_by(frozenset({table.guests[0].player.id}))
    asked = {seat for seat in state(table).awaited if seat}
    assert {seat for _, seat in actor._upkeep._bots._playing} == asked
