"""A table at work: one command after another, each durable before anyone is told.

No task waits here: a command is decided when its turn comes, its entry goes to the store, and the
store's answer calls back. Sources: "The core" and "The log" of docs/architecture.md.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from server.games.game import Millis, Moment, RuleViolation
from server.runtime.alarm import Alarm
from server.runtime.answers import Accepted, Answer, Happened, Refused
from server.runtime.attendance import Attendance, Note
from server.runtime.bots import Bots
from server.runtime.keeping import Keeper
from server.runtime.loading import Loaded, load, unreadable
from server.runtime.staff import Staff
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.store.port import Appended, Store, StoreAway, StoreRefused
from server.table import codec, rules
from server.table.codec import LogLine, Unreadable
from server.table.commands import BotActs, Command, Create, GiveTime, RunOut, ServersCommand, asked
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId, digest
from server.table.records import records
from server.table.state import NEVER, Table

log = logging.getLogger(__name__)

RECENT = 64
"""How many entries' happenings are kept for readers that are behind."""
MOST_WAITING = 256
_UNDECIDED = frozenset({"store_away", "too_many"})
"""Refusals that say nothing of the command."""


@dataclass(slots=True)
class _Waiting:
    command: Command
    id: CommandId | None
    tell: Callable[[Answer], None]

    def answer(self, answer: Answer) -> None:
        """Tells what became of the command; only the first answer counts."""
        tell, self.tell = self.tell, _told
        tell(answer)


class TableActor:
    """One table in this process. `state` is what the store is known to hold; None while it is being opened."""

    def __init__(
        self, table_id: TableId, loaded: Loaded | None, store: Store, watch: StoreWatch, tasks: Tasks, staff: Staff
    ) -> None:
        self.id = table_id
        self.state = None if loaded is None else loaded.table
        self.happened: deque[Happened] = deque(maxlen=RECENT)
        self.changed: Callable[[], None] = _nothing
        self.rolled_back: Callable[[], None] = _nothing
        self.gone: Callable[[], None] = _nothing
        self.idle: Callable[[], None] = _nothing
        self.stopped: str | None = None
        """The code with which everything is refused, if the table cannot go on."""
        self._store = store
        self._watch = watch
        self._tasks = tasks
        self._waiting: deque[_Waiting] = deque()
        self._writing: _Waiting | None = None
        self._keeper = Keeper(table_id, store, watch, tasks, self._rest)
        self._alarm = Alarm(store.now, self._run_out)
        self._attendance = Attendance(staff.grace_seconds, self._note, self._rest)
        self._bots = Bots(table_id, staff.pool, staff.bot_seconds, tasks, self._bot_acts)
        self._keeper.loaded(loaded)
        self._loaded = loaded is not None
        self._look_round()

    @property
    def busy(self) -> bool:
        """Whether something is under way, or due later: the actor must stay."""
        at_work = self._writing is not None or bool(self._waiting) or self._alarm.armed
        return at_work or self._keeper.busy or self._attendance.busy

    def submit(self, command: Command, command_id: CommandId | None, answer: Callable[[Answer], None]) -> None:
        """Carries out a command when its turn comes, and answers once it is durable or refused."""
        if self.stopped is not None:
            answer(Refused(self.stopped))
        elif self._watch.away:
            answer(Refused("store_away"))
        elif len(self._waiting) >= MOST_WAITING:
            answer(Refused("too_many"))
        else:
            self._waiting.append(_Waiting(command, command_id, answer))
            self._next()

    def _next(self) -> None:
        """Decides what waits, until an entry is on its way to the store."""
        while self._waiting and self._writing is None:
            waiting = self._waiting.popleft()
            self._guard(waiting, partial(self._decide, waiting))
        self._rest()

    def _rest(self) -> None:
        if not self.busy:
            self.idle()

    def _guard(self, waiting: _Waiting, step: Callable[[], None]) -> None:
        """The actor's edge: a rule refuses one command, a bug of ours stops this table and no other."""
        try:
            step()
        except RuleViolation as refused:
            version = None if self.state is None else self.state.version
            waiting.answer(Refused(refused.code, refused.detail, version))
        except Exception:
            self._freeze(waiting)

    def _decide(self, waiting: _Waiting) -> None:
        table, command = self.state, waiting.command
        text = "" if isinstance(command, ServersCommand) else digest(asked(command))
        if table is not None and waiting.id is not None and not isinstance(command, ServersCommand):
            known = table.recalled(waiting.id, asked(command))
            if known is not None:
                waiting.answer(Accepted(known.version, known.seat))
                return
        moment = Moment(self._store.now(), os.urandom(32))
        events = _events(table, command, moment)
        if not events:
            waiting.answer(Accepted(0 if table is None else table.version, None))
            return
        self._write(waiting, events, moment, text)

    def _write(self, waiting: _Waiting, events: Sequence[Any], moment: Moment, text: str) -> None:
        table, command_id = self.state, waiting.id
        after = codec.evolved(table, events)
        line = LogLine(
            version=1 if table is None else table.version + 1,
            at=moment.now,
            client="" if command_id is None else command_id.client,
            number=0 if command_id is None else command_id.number,
            asked=text,
            seat=None if isinstance(waiting.command, ServersCommand) else after.seat_of(waiting.command.player),
            events=tuple(events),
            nonce=os.urandom(8),
        )
        self._writing = waiting
        appended = self._store.append(self.id, line.version, codec.encode(line), after.lifetime)
        appended.add_done_callback(partial(self._appended, waiting, line, after))

    def _appended(self, waiting: _Waiting, line: LogLine, after: Table, appended: asyncio.Future[Appended]) -> None:
        if appended.cancelled():
            return
        fault = appended.exception()
        if fault is None and appended.result() is Appended.STORED:
            self._writing = None
            self._guard(waiting, partial(self._take_effect, waiting, line, after))
            self._next()
        elif fault is None and appended.result() is Appended.GONE:
            self._writing = None
            self._vanish(waiting)
        elif isinstance(fault, StoreRefused):
            self._writing = None
            log.error("table %s stopped: the store refused entry %d: %s", self.id, line.version, fault)
            self._stop("table_frozen", waiting)
        else:
            if fault is not None:
                if not isinstance(fault, StoreAway):
                    log.error("append of entry %d of table %s failed", line.version, self.id, exc_info=fault)
                self._watch.lost()
            self._tasks.start(self._recover(waiting, line))

    def _take_effect(self, waiting: _Waiting, line: LogLine, after: Table) -> None:
        """The entry is durable: the state moves on, and whoever asked and looks on is told."""
        before, self.state = self.state, codec.settled(self.state, after, line)
        self.happened.append(Happened.of(self.state, line))
        self._alarm.arm(self.state)
        waiting.answer(Accepted(line.version, line.seat))
        self.changed()
        self._look_round()
        self._keeper.stored(self.state, records(self.state, before, line.events, line.at))

    def attended_by(self, players: frozenset[PlayerId], came: PlayerId | None = None) -> None:
        """Tells who is connected to the table in this process, in a seat or to watch, and who has just come anew."""
        first = not self._attendance.begun
        self._attendance.here(players, came)
        if first and self._attendance.begun:
            self._look_round()
            if self._loaded:
                self._wake(NEVER)

    def _wake(self, since: Millis) -> None:
        """Nobody could act since then: clocks go on now, with the time given back and a little more to arrive."""
        self._alarm.grace()
        if self.state is not None and self.stopped is None:
            self._alarm.arm_again(self.state)
            self.submit(GiveTime(since), None, _told)

    def _look_round(self) -> None:
        """The table has another state: who has come or gone, and whose turn it is, may mean something else now."""
        if self.state is not None and self.stopped is None:
            self._attendance.changed(self.state)
            if self._attendance.begun:
                self._bots.changed(self.state)

    def _note(self, note: Note, answered: Callable[[bool], None]) -> None:
        self.submit(note, None, lambda answer: answered(isinstance(answer, Accepted) or self.stopped is not None))

    def _bot_acts(self, command: BotActs, answered: Callable[[bool], None]) -> None:
        def tell(answer: Answer) -> None:
            answered(isinstance(answer, Accepted) or answer.code not in _UNDECIDED)

        self.submit(command, None, tell)

    def grace(self) -> None:
        """The store was away: people are given time before a clock strikes, and bots act that could not."""
        if self._attendance.begun or self._alarm.armed:
            self._wake(self._watch.lost_at)
        self._look_round()

    async def check(self) -> None:
        """Does the store still hold what was told? It may have been lost meanwhile, or the table has expired.

        Raises:
            StoreAway
        """
        state = self.state
        if state is None or self._writing is not None or self.stopped is not None:
            return
        try:
            stored = await self._store.entry(self.id, state.version)
            if stored is not None and codec.nonce(stored.body) == state.nonce:
                return
            loaded = await load(self.id, self._store)
        except (Unreadable, StoreRefused) as fault:
            self._stop(unreadable(self.id, fault))
            return
        if self.state is not state or self._writing is not None:
            return
        if loaded is None:
            self._vanish()
        elif (loaded.table.version, loaded.table.nonce) != (state.version, state.nonce):
            self._reload(loaded)
            self.changed()

    async def _recover(self, waiting: _Waiting, line: LogLine) -> None:
        """The outcome of an append is unknown, or another writer was first: look, compare, go on."""
        while True:
            await self._watch.back()
            try:
                loaded = await load(self.id, self._store)
                stored = await self._store.entry(self.id, line.version)
                break
            except StoreAway:
                self._watch.lost()
            except Unreadable as fault:
                self._writing = None
                self._stop(unreadable(self.id, fault), waiting)
                return
        self._writing = None
        ours = stored is not None and codec.nonce(stored.body) == line.nonce
        if loaded is None and self.state is not None:
            self._vanish(waiting)
            return
        self._reload(loaded)
        if ours:
            waiting.answer(Accepted(line.version, line.seat))
        else:
            self._waiting.appendleft(waiting)
        self.changed()
        self._next()

    def _reload(self, loaded: Loaded | None) -> None:
        before = self.state
        self.happened.clear()
        self.state = None if loaded is None else loaded.table
        self._keeper.loaded(loaded)
        self._alarm.grace()
        self._alarm.disarm()
        self._alarm.arm(self.state)
        self._look_round()
        version = 0 if self.state is None else self.state.version
        if before is not None and version < before.version:
            log.error("table %s rolled back from version %d to %d: the store lost it", self.id, before.version, version)
            self.rolled_back()

    def _vanish(self, *waiting: _Waiting) -> None:
        """The log has expired: nothing can be added to it."""
        self._stop("no_such_table", *waiting)
        self.gone()
        self.idle()

    def _stop(self, code: str, *waiting: _Waiting) -> None:
        """From now on everything is refused with this code."""
        self.stopped = code
        self._let_go()
        refused = (*waiting, *self._waiting)
        self._waiting.clear()
        for one in refused:
            one.answer(Refused(code))

    def _freeze(self, waiting: _Waiting) -> None:
        """Our own bug: this table stops, the others go on, the operator is told. Called while handling it."""
        version = None if self.state is None else self.state.version
        log.exception("table %s frozen at version %s", self.id, version)
        self._stop("table_frozen", waiting)

    def _run_out(self, prompt: str) -> None:
        self.submit(RunOut(prompt), None, self._ran_out)

    def _ran_out(self, answer: Answer) -> None:
        """A strike that had an effect has set the alarm anew; one in vain is repeated soon."""
        if self.stopped is None and self.state is not None and not self._alarm.armed:
            self._alarm.arm_again(self.state)

    def close(self) -> None:
        """Lets go of timers and bots; what is under way ends by itself."""
        self._let_go()

    def _let_go(self) -> None:
        self._alarm.disarm()
        self._attendance.close()
        self._bots.close()


def _events(table: Table | None, command: Command, moment: Moment) -> Sequence[Any]:
    if table is not None:
        return rules.decide(table, command, moment)
    if not isinstance(command, Create):
        raise RuleViolation("no_such_table")
    return rules.create(command, moment)


def _nothing() -> None:
    """Nobody listens."""


def _told(answer: Answer) -> None:
    """The answer was given before."""
