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

from server.games.game import Moment, Plain, RuleViolation, Seat, Stage
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.store.port import Appended, Snapshot, Store, StoreAway
from server.table import codec, rules, view
from server.table.codec import LogLine, NewerFormat, Unreadable
from server.table.commands import Command, Create, RunOut, asked
from server.table.ids import TableId
from server.table.memory import CommandId, digest, recall
from server.table.records import DealRecord, records
from server.table.state import Table

log = logging.getLogger(__name__)

RECENT = 64
"""How many entries' happenings are kept for readers that are behind."""
SNAPSHOT_AFTER = 200
"""How many entries make a snapshot due; it is taken at the next end of a deal, or at twice as many."""
MOST_WAITING = 256


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that took effect, now or before, with the version it made and the sender's seat after it."""

    version: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that did not take effect: a stable code, where the fault is, and the current version."""

    code: str
    detail: str | None = None
    version: int | None = None


Answer = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table from the store, the version of the snapshot it was loaded from (0: none), the deals since."""

    table: Table
    snapshot_version: int
    records: tuple[DealRecord, ...]


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
    """One table in this process. `table` is what the store is known to hold."""

    def __init__(self, table_id: TableId, loaded: Loaded | None, store: Store, watch: StoreWatch, tasks: Tasks) -> None:
        self.id = table_id
        self.state = None if loaded is None else loaded.table
        self.happened: deque[tuple[int, list[Plain]]] = deque(maxlen=RECENT)
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
        self._snapshot_version = 0 if loaded is None else loaded.snapshot_version
        self._timer: asyncio.TimerHandle | None = None
        self._timed: str | None = None
        self._saving: asyncio.Task[None] | None = None
        self._arm()
        if loaded is not None:
            self._keep_records(loaded.records)

    @property
    def busy(self) -> bool:
        """Whether something is under way, or due later: the actor must stay."""
        return self._writing is not None or bool(self._waiting) or self._timer is not None

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
        text = "" if isinstance(command, RunOut) else digest(asked(command))
        if table is not None and waiting.id is not None and not isinstance(command, RunOut):
            known = recall(table.memory, waiting.id, asked(command))
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
            seat=None if isinstance(waiting.command, RunOut) else after.seat_of(waiting.command.player),
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
        else:
            if fault is not None:
                if not isinstance(fault, StoreAway):
                    log.error("append failed", extra={"table": self.id, "version": line.version}, exc_info=fault)
                self._watch.lost()
            self._tasks.start(self._recover(waiting, line))

    def _take_effect(self, waiting: _Waiting, line: LogLine, after: Table) -> None:
        """The entry is durable: the state moves on, and whoever asked and looks on is told."""
        before, self.state = self.state, codec.settled(after, line)
        self.happened.append((line.version, _happenings(self.state, line.events)))
        self._arm()
        waiting.answer(Accepted(line.version, line.seat))
        self.changed()
        self._keep_records(records(self.state, before, line.events, line.at))
        self._snapshot_if_due(self.state)

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
        except Unreadable as fault:
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
        self._snapshot_version = 0 if loaded is None else loaded.snapshot_version
        self._arm()
        if before is not None and (self.state is None or self.state.version < before.version):
            log.error("the store came back older than what was told", extra={"table": self.id})
            self.rolled_back()

    def _vanish(self, *waiting: _Waiting) -> None:
        """The log has expired: nothing can be added to it."""
        self._stop("no_such_table", *waiting)
        self.gone()
        self.idle()

    def _stop(self, code: str, *waiting: _Waiting) -> None:
        """From now on everything is refused with this code."""
        self.stopped = code
        self._disarm()
        refused = (*waiting, *self._waiting)
        self._waiting.clear()
        for one in refused:
            one.answer(Refused(code))

    def _freeze(self, waiting: _Waiting) -> None:
        """Our own bug: this table stops, the others go on, the operator is told. Called while handling it."""
        version = None if self.state is None else self.state.version
        log.exception("table frozen", extra={"table": self.id, "version": version})
        self._stop("table_frozen", waiting)

    def _arm(self) -> None:
        """Keeps one timer for the deadline that stands."""
        due = None if self.state is None else self.state.deadline
        prompt = None if due is None or self.state is None else self.state.prompt
        if prompt == self._timed:
            return
        self._disarm()
        if due is not None and prompt is not None:
            delay = max(0.0, (due - self._store.now()) / 1000)
            self._timed = prompt
            self._timer = asyncio.get_running_loop().call_later(delay, self._run_out, prompt)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._timed = None, None

    def _run_out(self, prompt: str) -> None:
        self._timer, self._timed = None, None
        self.submit(RunOut(prompt), None, self._ran_out)

    def _ran_out(self, answer: Answer) -> None:
        """A clock that struck too early by a hair, or found the store away, is set again."""
        if self.stopped is None and self.state is not None and self.state.deadline is not None:
            delay = max(0.25, (self.state.deadline - self._store.now()) / 1000)
            self._disarm()
            self._timed = self.state.prompt
            self._timer = asyncio.get_running_loop().call_later(delay, self._run_out, self._timed)

    def _snapshot_if_due(self, table: Table) -> None:
        since = table.version - self._snapshot_version
        if since >= 2 * SNAPSHOT_AFTER or (since >= SNAPSHOT_AFTER and table.stage is not Stage.DEAL):
            self._snapshot_version = table.version
            self._tasks.start(self._save_snapshot(table))

    def _keep_records(self, finished: tuple[DealRecord, ...]) -> None:
        """Saves records one after another; what a crash prevents is done when the table is loaded again."""
        if finished:
            self._saving = self._tasks.start(self._save_records(finished, self._saving))

    async def _save_records(self, finished: tuple[DealRecord, ...], before: asyncio.Task[None] | None) -> None:
        if before is not None:
            await asyncio.wait((before,))
        for record in finished:
            await self._save_record(record)

    async def _save_record(self, record: DealRecord) -> None:
        while True:
            await self._watch.back()
            try:
                if await self._store.load_record(record.id) is None:
                    body = codec.encode_record(record)
                    await self._store.save_record(record.id, body, record.readers, record.plain["at"])
                return
            except StoreAway:
                self._watch.lost()

    async def _save_snapshot(self, table: Table) -> None:
        """Saves the state, after the records of the entries that the log loses by it."""
        if self._saving is not None:
            await asyncio.wait((self._saving,))
        try:
            snapshot = Snapshot(table.version, codec.encode_snapshot(table))
            await self._store.save_snapshot(self.id, snapshot, table.lifetime)
        except StoreAway:
            self._watch.lost()

    def close(self) -> None:
        """Lets go of the timer; what is under way ends by itself."""
        self._disarm()


async def load(table_id: TableId, store: Store) -> Loaded | None:
    """The table in the store: its latest snapshot and the entries after it; None if there is none.

    Raises:
        StoreAway
        Unreadable: an entry cannot be read; nothing is skipped.
    """
    snapshot = await store.load_snapshot(table_id)
    table = None if snapshot is None else codec.decode_snapshot(snapshot.body)
    snapshot_version = 0 if table is None else table.version
    finished: list[DealRecord] = []
    for entry in await store.read(table_id, snapshot_version):
        expected = 1 if table is None else table.version + 1
        if entry.version != expected:
            raise Unreadable(f"entry {expected} is missing")
        line = codec.decode(entry.version, entry.body, None if table is None else table.game_name)
        try:
            before, table = table, codec.settled(codec.evolved(table, line.events), line)
            finished.extend(records(table, before, line.events, line.at))
        except Unreadable:
            raise
        except Exception as bug:  # as at the actor's edge: a bug of ours stops this table and no other
            log.exception("entry cannot be applied", extra={"table": table_id, "version": entry.version})
            raise Unreadable(f"entry {entry.version}: {bug!r}") from bug
    return None if table is None else Loaded(table, snapshot_version, tuple(finished))


def unreadable(what: str, fault: Unreadable) -> str:
    """Tells the operator that a table or record cannot be read; the code with which it is refused."""
    log.error("%s cannot be read: %s", what, fault, extra={"table": what})
    return "table_newer" if isinstance(fault, NewerFormat) else "table_frozen"


def _events(table: Table | None, command: Command, moment: Moment) -> Sequence[Any]:
    if table is not None:
        return rules.decide(table, command, moment)
    if not isinstance(command, Create):
        raise RuleViolation("no_such_table")
    return rules.create(command, moment)


def _happenings(table: Table, events: Sequence[Any]) -> list[Plain]:
    return [seen for event in events if (seen := view.happening(table, event)) is not None]


def _nothing() -> None:
    """Nobody listens."""


def _told(answer: Answer) -> None:
    """The answer was given before."""
