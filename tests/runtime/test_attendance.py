"""Who is at a table: what is noted of comings and goings, and when, by a clock that the test moves."""

import asyncio
import heapq
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import pytest

from server.games.game import Millis, Moment, OptionValue, Seat, Stage
from server.runtime.attendance import AGAIN_SECONDS, Attendance, Note
from server.table import codec, commands, rules
from server.table.commands import NoteAbsent, NoteAttended, NoteDeserted, NoteReturn
from server.table.events import Sitter
from server.table.ids import PlayerId, TableId
from server.table.state import Table
from server.table.strength import Strength

GRACE = 30.0
PLAYERS = [PlayerId(f"p{seat}") for seat in range(4)]
WATCHER = PlayerId("watcher")


class HandLoop:
    """The part of an event loop that deals with time; it goes when the test lets it."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._due: list[tuple[float, int, HandTimer]] = []
        self._numbers = count()

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[..., None], *arguments: object) -> "HandTimer":
        timer = HandTimer(call, arguments)
        heapq.heappush(self._due, (when, next(self._numbers), timer))
        return timer

    def call_later(self, delay: float, call: Callable[..., None], *arguments: object) -> "HandTimer":
        return self.call_at(self.now + delay, call, *arguments)

    def call_soon(self, call: Callable[..., None], *arguments: object) -> "HandTimer":
        return self.call_at(self.now, call, *arguments)

    def go(self, seconds: float) -> None:
        """So much time passes; what is due happens in its order."""
        end, calls = self.now + seconds, 0
        while self._due and self._due[0][0] <= end:
            when, _, timer = heapq.heappop(self._due)
            self.now = max(self.now, when)
            if not timer.cancelled:
                calls += 1
                assert calls < 100, "it goes round in a circle"
                timer.call(*timer.arguments)
        self.now = end


@dataclass
class HandTimer:
    call: Callable[..., None]
    arguments: tuple[object, ...]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


@dataclass
class Desk:
    """A table of four whose commands take effect at once, told to its attendance as the actor tells it."""

    table: Table
    loop: HandLoop = field(default_factory=HandLoop)
    noted: list[Note] = field(default_factory=list)
    rested: int = 0
    away: bool = False
    """Whether the store takes nothing."""

    def __post_init__(self) -> None:
        self.attendance = Attendance(GRACE, self.submit, self._rest)
        self.attendance._loop = self.loop  # type: ignore[assignment]
        self.attendance.changed(self.table)

    def _rest(self) -> None:
        self.rested += 1

    def submit(self, note: Note, answered: Callable[[bool], None]) -> None:
        if self.away:
            answered(False)
            return
        self.noted.append(note)
        self.decide(note, lambda: answered(True))

    def decide(self, command: commands.Command, answer: Callable[[], None] = lambda: None) -> None:
        """A command takes effect: the answer comes first, then the new state."""
        events = rules.decide(self.table, command, moment(self.loop.now))
        if events:
            self.table = after(self.table, events)
        answer()
        if events:
            self.attendance.changed(self.table)

    def here(self, *players: PlayerId) -> None:
        """These are connected now."""
        self.attendance.here(frozenset(players))
        self.loop.go(0.0)

    def absent(self) -> list[int]:
        """The seats whose absence is noted."""
        return [one.seat for one in self.table.absences]

    def paused(self) -> bool:
        """Whether the table stands still."""
        return self.table.pause is not None


def moment(now: float) -> Moment:
    return Moment(Millis(int(now * 1000)), bytes(32))


def after(table: Table | None, events: Any) -> Table:
    before = codec.evolved(table, events)
    return replace(before, version=1 if table is None else table.version + 1)


def desk(*, match: bool = True, **options: OptionValue) -> Desk:
    """A table whose match waits for the first *ready*, or for its fourth player."""
    create = commands.Create(Sitter(PLAYERS[0], "Ada"), TableId("t"), "kop", {"on_absence": "wait", **options}, None)
    table = after(None, rules.create(create, moment(0.0)))
    for player in PLAYERS[1 : 4 if match else 3]:
        take = commands.TakeSeat(Sitter(player, player), None)
        table = after(table, rules.decide(table, take, moment(0.0)))
    return Desk(table)


@pytest.fixture(autouse=True)
async def loop() -> None:
    """An attendance is made while a loop runs."""
    asyncio.get_running_loop()


async def test_an_absence_is_noted_after_the_grace_once_and_no_moment_sooner() -> None:
    """Nothing is noted while the grace lasts; then the absence, and nothing more however long he stays away."""
    one = desk()
    one.here(*PLAYERS)
    one.loop.go(5 * GRACE)
    assert one.noted == []
    one.here(*PLAYERS[:3])
    one.loop.go(GRACE - 0.001)
    assert one.noted == []
    one.loop.go(0.001)
    assert one.noted == [NoteAbsent(PLAYERS[3])]
    assert one.absent() == [3]
    one.loop.go(100 * GRACE)
    assert len(one.noted) == 1
    assert not one.attendance.busy


async def test_who_is_back_within_the_grace_was_never_away() -> None:
    """Nothing is noted, and the next time the grace is a whole one."""
    one = desk()
    one.here(*PLAYERS)
    for _ in range(5):
        one.here(*PLAYERS[:3])
        one.loop.go(GRACE - 1)
        one.here(*PLAYERS)
    one.loop.go(2 * GRACE)
    assert one.noted == []


async def test_a_return_is_noted_at_once() -> None:
    """No time passes between the coming of a player whose absence is noted and the note."""
    one = desk()
    one.here(*PLAYERS)
    one.here(*PLAYERS[:3])
    one.loop.go(GRACE)
    one.here(*PLAYERS)
    assert one.noted == [NoteAbsent(PLAYERS[3]), NoteReturn(PLAYERS[3])]
    assert one.absent() == []
    one.loop.go(5 * GRACE)
    assert len(one.noted) == 2


async def test_who_sits_there_idle_is_not_back_by_having_come_before() -> None:
    """An absence that the clock has noted of who is connected stays, until he comes anew."""
    one = desk()
    one.here(*PLAYERS)
    one.decide(NoteAbsent(PLAYERS[2]))  # the clock: not ready in time
    one.loop.go(5 * GRACE)
    assert one.noted == []
    assert one.absent() == [2]
    one.here(PLAYERS[0], PLAYERS[1], PLAYERS[3])
    one.here(*PLAYERS)
    assert one.noted == [NoteReturn(PLAYERS[2])]
    assert one.absent() == []


async def test_who_comes_over_a_second_connection_is_back() -> None:
    """The first one looks open still, as a dead one does: coming anew is what counts."""
    one = desk()
    one.here(*PLAYERS)
    one.decide(NoteAbsent(PLAYERS[2]))
    one.attendance.here(frozenset(PLAYERS), PLAYERS[2])
    one.loop.go(0.0)
    assert one.noted == [NoteReturn(PLAYERS[2])]
    assert one.absent() == []


async def test_who_comes_while_his_absence_is_being_noted_is_back() -> None:
    """The note of his absence is under way when he comes: his return is noted after it."""
    one = desk()
    one.here(*PLAYERS)
    one.here(*PLAYERS[:3])
    waiting: list[tuple[Note, Callable[[bool], None]]] = []
    submit = one.attendance._submit
    one.attendance._submit = lambda note, answered: waiting.append((note, answered))
    one.loop.go(GRACE)
    one.here(*PLAYERS)
    one.attendance._submit = submit
    assert [note for note, _ in waiting] == [NoteAbsent(PLAYERS[3])]
    one.submit(*waiting[0])
    one.loop.go(0.0)
    assert one.noted == [NoteAbsent(PLAYERS[3]), NoteReturn(PLAYERS[3])]
    assert one.absent() == []


async def test_the_first_who_comes_to_a_table_waits_a_grace_for_the_others() -> None:
    """After a start of the server nobody is absent before he has had the time to come."""
    one = desk()
    one.loop.go(100 * GRACE)
    assert one.noted == []
    one.here(PLAYERS[1])
    one.loop.go(GRACE - 0.001)
    assert one.noted == []
    one.here(PLAYERS[1], PLAYERS[2])
    one.loop.go(0.001)
    assert one.noted == [NoteAbsent(PLAYERS[0]), NoteAbsent(PLAYERS[3])]


async def test_a_deserted_table_pauses_after_the_grace_and_goes_on_with_the_first_who_comes() -> None:
    """Nobody is absent from a table where nobody is; who comes back wakes it, and the others have a grace anew."""
    one = desk()
    one.here(*PLAYERS)
    one.loop.go(7.0)
    one.here()
    one.loop.go(GRACE - 0.001)
    assert one.noted == []
    one.loop.go(0.001)
    assert one.noted == [NoteDeserted()]
    assert one.paused()
    assert not one.attendance.busy
    assert one.rested > 0
    one.loop.go(1000 * GRACE)
    one.here(PLAYERS[2])
    assert one.noted[1:] == [NoteAttended()]
    assert not one.paused()
    one.loop.go(GRACE - 0.001)
    assert len(one.noted) == 2
    one.loop.go(0.001)
    assert one.noted[2:] == [NoteAbsent(PLAYERS[seat]) for seat in (0, 1, 3)]


async def test_a_watcher_keeps_a_table_from_being_deserted() -> None:
    """The absences of the four are noted, but the table does not pause."""
    one = desk()
    one.here(*PLAYERS, WATCHER)
    one.here(WATCHER)
    one.loop.go(10 * GRACE)
    assert one.noted == [NoteAbsent(player) for player in PLAYERS]
    assert not one.paused()


async def test_strangers_at_the_door_put_off_nothing() -> None:
    """Reports that nobody is here, as each refused visit makes them, do not begin the grace anew."""
    one = desk()
    one.here(*PLAYERS)
    one.here()
    for _ in range(10):
        one.loop.go(GRACE / 10)
        one.here()
    assert one.noted == [NoteDeserted()]


async def test_who_comes_to_a_pause_that_a_seat_wanted_does_not_end_it() -> None:
    """Only the pause of a deserted table ends by itself; one that was wanted lasts, deserted or not."""
    one = desk()
    one.here(*PLAYERS)
    one.decide(commands.PauseTable(PLAYERS[0]))
    one.here()
    one.loop.go(5 * GRACE)
    one.here(PLAYERS[0])
    one.loop.go(GRACE - 1)
    assert one.noted == []
    assert one.paused()


@pytest.mark.parametrize("over", [False, True])
async def test_nothing_is_noted_where_no_match_runs(over: bool) -> None:
    """Before the fourth player has come, and after the match, people come and go as they like."""
    one = desk(match=over, deals=None)
    if over:
        one.table = after(one.table, one.table.game.end(one.table.play, moment(0.0)))
        assert one.table.stage is Stage.OVER
        one.attendance.changed(one.table)
    one.here(*PLAYERS)
    one.here(PLAYERS[0])
    one.loop.go(5 * GRACE)
    one.here()
    one.loop.go(5 * GRACE)
    assert one.noted == []
    assert not one.attendance.busy


async def test_who_has_just_sat_down_has_a_grace_to_come() -> None:
    """He takes a seat long after the table was opened, and his connection is there a moment later."""
    one = desk()
    one.here(*PLAYERS)
    one.loop.go(10 * GRACE)
    one.decide(commands.LeaveSeat(PLAYERS[3]))
    one.here(*PLAYERS[:3])
    one.loop.go(GRACE)
    guest = PlayerId("guest")
    one.decide(commands.TakeSeat(Sitter(guest, "Gast"), None))
    one.loop.go(GRACE - 0.001)
    assert one.noted == []
    one.loop.go(0.001)
    assert one.noted == [NoteAbsent(guest)]


async def test_watchers_leave_nothing_behind() -> None:
    """However many look on and go, nothing of them is kept."""
    one = desk()
    for number in range(100):
        one.here(*PLAYERS, PlayerId(f"watcher{number}"))
    one.here(*PLAYERS)
    assert one.attendance._left_at == {}
    assert one.attendance._back == set()


async def test_bots_are_never_absent() -> None:
    """A bot of the server has no connection, and needs none."""
    one = desk()
    one.here(*PLAYERS)
    one.decide(commands.LeaveSeat(PLAYERS[3]))
    one.decide(commands.SeatBot(PLAYERS[0], Seat(3), Strength.HARD))
    one.here(*PLAYERS[:3])
    one.loop.go(5 * GRACE)
    assert one.noted == []


async def test_a_note_that_the_store_cannot_take_is_given_again() -> None:
    """While the store is away the note waits; the attendance stays at work until it is taken."""
    one = desk()
    one.here(*PLAYERS)
    one.away = True
    one.here(*PLAYERS[:3])
    one.loop.go(GRACE + 20 * AGAIN_SECONDS)
    assert one.noted == []
    assert one.attendance.busy
    one.away = False
    one.loop.go(AGAIN_SECONDS)
    assert one.noted == [NoteAbsent(PLAYERS[3])]


async def test_a_note_without_effect_is_not_given_for_ever() -> None:
    """The table takes a note and does not change: it is given again only when the table has changed."""
    one = desk()
    one.here(*PLAYERS)
    one.here(*PLAYERS[:3])

    def submit(note: Note, answered: Callable[[bool], None]) -> None:
        one.noted.append(note)
        answered(True)

    one.attendance._submit = submit
    one.loop.go(10 * GRACE)
    assert one.noted == [NoteAbsent(PLAYERS[3])]
    one.decide(commands.Say(PLAYERS[0], "Ada", "hallo", ""))
    one.loop.go(0.0)
    assert one.noted == [NoteAbsent(PLAYERS[3])] * 2


async def test_an_attendance_that_is_closed_notes_nothing() -> None:
    """Its timer is gone, and an answer that comes late starts nothing."""
    one = desk()
    one.here(*PLAYERS)
    one.here(*PLAYERS[:3])
    answers: list[Callable[[bool], None]] = []
    one.attendance._submit = lambda note, answered: answers.append(answered)
    one.loop.go(GRACE)
    one.attendance.close()
    answers[0](False)
    one.loop.go(10 * GRACE)
    assert len(answers) == 1
    assert not one.attendance.busy
