"""A table at work: one command after another, each durable before anyone is told.

No task waits here: a command is decided when its turn comes, its entry goes to the store, and the
store's answer calls back. Sources: "The core" and "The log" of docs/architecture.md.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

from server.figures import FIGURES
from server.games.game import Millis, Moment, RuleViolation
from server.runtime.answers import Accepted, Answer, Happened, Refused
from server.runtime.keeping import Keeper
from server.runtime.loading import Loaded, beyond, load, unreadable
from server.runtime.peers import Peers
from server.runtime.staff import Staff
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.runtime.upkeep import Upkeep
from server.runtime.waiting import Waiting
from server.store.port import Appended, Entry, ProcessId, Store, StoreAway, StoreRefused
from server.table import codec, rules
from server.table.codec import LogLine, Unreadable
from server.table.commands import Command, GiveTime, OfServer, ServersCommand, asked
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId, digest
from server.table.records import records
from server.table.state import Table

log = logging.getLogger(__name__)

RECENT = 64
"""How many entries' happenings are kept for readers that are behind."""
MOST_WAITING = 256
MOST_UNSHOWN = 3
"""Entries that are not shown at once while more commands wait: those who look on then see what several made."""
NONCE_BYTES = 8


class TableActor:
    """One table in this process. `state` is what the store is known to hold; None while it is being opened."""

    def __init__(
        self,
        table_id: TableId,
        loaded: Loaded | None,
        store: Store,
        watch: StoreWatch,
        tasks: Tasks,
        staff: Staff,
        peers: Peers,
    ) -> None:
        self.id = table_id
        self.state = None if loaded is None else loaded.table
        self.happened: deque[Happened] = deque(maxlen=RECENT)
        self.changed: Callable[[], None] = _nothing
        self.rolled_back: Callable[[], None] = _nothing
        self.gone: Callable[[], None] = _nothing
        self.idle: Callable[[], None] = _nothing
        self.elsewhere_changed: Callable[[], None] = _nothing
        self.tournament_moved: Callable[[Table], None] = _nobody_follows
        self.stopped: str | None = None
        """The code with which everything is refused, if the table cannot go on."""
        self._store = store
        self._watch = watch
        self._tasks = tasks
        self._peers = peers
        self._told = 0
        self._unshown = 0
        self._catching_up = False
        self._behind = False
        self._waiting: deque[Waiting] = deque()
        self._writing: Waiting | None = None
        self._keeper = Keeper(table_id, store, watch, tasks, self._rest)
        self._upkeep = Upkeep(table_id, self.state, store.now, staff, tasks, peers, self._submit, self._rest)
        self._keeper.loaded(loaded)

    @property
    def version(self) -> int:
        """The version it is at; 0 while it is being opened."""
        return 0 if self.state is None else self.state.version

    @property
    def awake(self) -> bool:
        """Whether its clocks run here."""
        return self._upkeep.awake and self.stopped is None

    @property
    def goes_on(self) -> bool:
        """Whether it is to go on though nobody is at it."""
        return self.state is not None and self.state.goes_on

    @property
    def elsewhere(self) -> frozenset[PlayerId]:
        """The players who are connected to the table in other processes."""
        return self._peers.elsewhere(self.id)

    @property
    def busy(self) -> bool:
        """Whether something is under way, or due later: the actor must stay."""
        at_work = self._writing is not None or self._catching_up or bool(self._waiting)
        return at_work or self._keeper.busy or self._upkeep.busy

    def submit(self, command: Command, command_id: CommandId | None, answer: Callable[[Answer], None]) -> None:
        """Carries out a command when its turn comes, and answers once it is durable or refused."""
        if self.stopped is not None:
            answer(Refused(self.stopped))
        elif self._watch.away:
            answer(Refused("store_away"))
        elif len(self._waiting) >= MOST_WAITING:
            answer(Refused("too_many"))
        else:
            waiting = Waiting(command, command_id, answer)
            if isinstance(command, GiveTime):  # before anything is charged to somebody's clock
                self._waiting.appendleft(waiting)
            else:
                self._waiting.append(waiting)
            self._next()

    def _submit(self, command: ServersCommand, answer: Callable[[Answer], None]) -> None:
        self.submit(command, None, answer)

    def _next(self) -> None:
        """Decides what waits, until an entry is on its way to the store."""
        while self._waiting and self._writing is None and not self._upkeep.unsure:
            waiting = self._waiting.popleft()
            self._guard(waiting, self._decide)
        if self._writing is None:
            self._show_held_back()
        self._rest()

    def _rest(self) -> None:
        if not self.busy:
            self.idle()

    def _guard(self, waiting: Waiting, step: Callable[[Waiting], None]) -> None:
        """The actor's edge: a rule refuses one command, a bug of ours stops this table and no other."""
        try:
            step(waiting)
        except RuleViolation as refused:
            if self.state is not None and self._may_be_behind and not waiting.sure:
                waiting.sure = True
                self._writing = waiting
                self._tasks.start(self._decide_at_the_end(waiting, self.state))
                return
            version = None if self.state is None else self.state.version
            waiting.answer(Refused(refused.code, refused.detail, version))
        except Exception:
            self._freeze(waiting)

    def _decide(self, waiting: Waiting) -> None:
        table, command = self.state, waiting.command
        wish = "" if isinstance(command, OfServer) else asked(command)
        if table is not None and waiting.id is not None and wish:
            known = table.recalled(waiting.id, wish)
            if known is not None:
                waiting.answer(Accepted(known.version, known.seat))
                return
        drawn = os.urandom(32 + NONCE_BYTES)
        moment = Moment(self._store.now(), drawn[:32])
        events = rules.opened(command, moment) if table is None else rules.decide(table, command, moment)
        if not events:
            waiting.answer(Accepted(0 if table is None else table.version, None))
            return
        self._write(waiting, events, moment.now, wish and digest(wish), drawn[32:])

    def _write(self, waiting: Waiting, events: Sequence[Any], now: Millis, text: str, nonce: bytes) -> None:
        table, command_id = self.state, waiting.id
        evolved = codec.evolved(table, events)
        line = LogLine(
            version=1 if table is None else table.version + 1,
            at=now,
            client="" if command_id is None else command_id.client,
            number=0 if command_id is None else command_id.number,
            asked=text,
            seat=None if isinstance(waiting.command, OfServer) else evolved.seat_of(waiting.command.player),
            events=tuple(events),
            nonce=nonce,
        )
        after = codec.settled(table, evolved, line)
        self._writing = waiting
        body = codec.encode(line)
        appended = self._store.append(self.id, line.version, body, after.lifetime)
        appended.add_done_callback(partial(self._appended, waiting, line, body, after))

    def _appended(
        self, waiting: Waiting, line: LogLine, body: bytes, after: Table, appended: asyncio.Future[Appended]
    ) -> None:
        if appended.cancelled():
            return
        fault = appended.exception()
        if fault is None and appended.result() is Appended.STORED:
            self._writing = None
            self._peers.tell(self.id, line.version, body, b"" if self.state is None else self.state.nonce)
            self._guard(waiting, partial(self._take_effect, line=line, after=after))
            self._next()
            self._look_if_told()
            return
        self._show_held_back()
        if fault is None and appended.result() is Appended.GONE:
            self._writing = None
            self._vanish(waiting)
        elif isinstance(fault, StoreRefused):
            self._writing = None
            FIGURES.frozen += 1
            words, fields = "table %s stopped: the store refused entry %d: %s", self._fields(line.version, waiting)
            log.error(words, self.id, line.version, fault, extra=fields)
            self._stop("table_frozen", waiting)
        else:
            if fault is not None:
                if not isinstance(fault, StoreAway):
                    words, fields = "append of entry %d of table %s failed", self._fields(line.version, waiting)
                    log.error(words, line.version, self.id, exc_info=fault, extra=fields)
                self._watch.lost()
            if self.stopped is None:
                self._tasks.start(self._recover(waiting, line))
            else:  # by what was to be shown
                self._writing = None
                waiting.answer(Refused(self.stopped))
                self._rest()

    def _take_effect(self, waiting: Waiting, line: LogLine, after: Table) -> None:
        """The entry is durable: the state moves on, and whoever asked is told, and soon whoever looks on."""
        before = self._move_on(line, after)
        if waiting.id is None:
            FIGURES.accepted_own += 1
        else:
            FIGURES.accepted += 1
        if log.isEnabledFor(logging.DEBUG):
            log.debug("accepted", extra=self._fields(line.version, waiting))
        waiting.answer(Accepted(line.version, line.seat))
        if self._waiting and self._unshown < MOST_UNSHOWN:
            self._unshown += 1  # several get ready, or go on, at one moment: a view for each is not worth its making
        else:
            self._show()
        self._keeper.stored(after, records(after, before, line.events, line.at))

    def _move_on(self, line: LogLine, after: Table) -> Table | None:
        """The table has one entry more; its state before that."""
        before, self.state = self.state, after
        self.happened.append(Happened.of(after, line))
        self._upkeep.moved(after)
        if after.tournament is not None:
            self._tell_tournament(after)
        return before

    def _tell_tournament(self, table: Table) -> None:
        """Once all that this entry does here is done: a fault of who is told, or a command of his, disturbs nothing."""
        asyncio.get_running_loop().call_soon(self.tournament_moved, table)

    def _show(self) -> None:
        """Whoever looks on is told of everything since he was told last."""
        self._unshown = 0
        self.changed()
        self._upkeep.look_round()

    def _show_held_back(self) -> None:
        """The same, if there is something that he was not told yet."""
        if self._unshown:
            try:
                self._show()
            except Exception:
                self._freeze()

    # What other processes do at this table

    @property
    def _may_be_behind(self) -> bool:
        return not self._peers.alone(self.id)

    def heard(self, version: int, body: bytes, before: bytes) -> None:
        """Another process has stored this entry, after the one with that nonce."""
        self._told = max(self._told, version)
        state = self.state
        fits = state is not None and (version, before) == (state.version + 1, state.nonce)
        if fits and self._writing is None and self.stopped is None:
            self._follow((Entry(version, body),))
        else:
            self.catch_up(0 if version == self.version + 1 else version)

    def catch_up(self, version: int) -> None:
        """Others may have stored entries, at least up to this version (0: perhaps none)."""
        self._told = max(self._told, version)
        if (version == 0 or version > self.version) and self.state is not None and self.stopped is None:
            self._behind = True
            if not self._catching_up:
                self._catching_up = True
                self._tasks.start(self._catch_up())

    async def _catch_up(self) -> None:
        try:
            while self._behind:
                self._behind = False
                await self.check()
        except StoreAway:
            self._watch.lost()  # when it is back, everything is checked
        finally:
            self._catching_up = False
        self._rest()

    def _look_if_told(self) -> None:
        """What was told while an entry of our own was under way may be later than that."""
        if self._told > self.version:
            self.catch_up(self._told)

    async def check(self) -> None:
        """Goes on to the end of the log, where others may have added to it, or the store lost what was told.

        While an entry of our own is under way nothing is done: its answer tells.

        Raises:
            StoreAway
        """
        while (state := self.state) is not None and self._writing is None and self.stopped is None:
            try:
                found = await beyond(state, self._store)
            except Unreadable as fault:
                self._stop(unreadable(self.id, fault))
                return
            if self.state is state and self._writing is None:
                self._go_on(state, found)
                return

    def _go_on(self, state: Table, found: Sequence[Entry] | Loaded | None) -> None:
        """To what the log has beyond the state."""
        match found:
            case None:
                self._vanish()
            case Loaded(table=table) if (table.version, table.nonce) == (state.version, state.nonce):
                pass
            case Loaded():
                self._reload(found)
                self.changed()
            case _:
                self._follow(found)

    def _follow(self, entries: Sequence[Entry]) -> None:
        """Moves on by entries that stand in the log right after the state."""
        try:
            for entry in entries:
                if (before := self.state) is not None:
                    line = codec.decode(entry.version, entry.body, before.game_name)
                    after = codec.settled(before, codec.evolved(before, line.events), line)
                    self._move_on(line, after)
                    self._show()
                    self._keeper.followed(records(after, before, line.events, line.at))
        except Unreadable as fault:
            self._stop(unreadable(self.id, fault))
        except Exception:
            self._freeze()

    async def _decide_at_the_end(self, waiting: Waiting, state: Table) -> None:
        """A rule refuses a command, perhaps since this process is behind: it is decided again at the log's end."""
        try:
            found = await beyond(state, self._store)
        except StoreAway:
            self._watch.lost()
            self._writing = None
            waiting.answer(Refused("store_away"))
        except Unreadable as fault:
            self._writing = None
            self._stop(unreadable(self.id, fault), waiting)
            return
        else:
            self._writing = None
            self._waiting.appendleft(waiting)
            self._go_on(state, found)
        self._next()
        self._look_if_told()

    def peers_changed(self, lost: Collection[ProcessId]) -> None:
        """Who works on the table elsewhere, or is connected there, has changed."""
        if lost:
            self._keeper.make_up()
        self._upkeep.attend()
        self.elsewhere_changed()
        self._next()

    # Who is here

    def attended_by(self, players: frozenset[PlayerId], came: PlayerId | None = None) -> None:
        """Tells who is connected to the table in this process, in a seat or to watch, and who has just come anew."""
        self._upkeep.attended_by(players, came)
        self._next()

    def adopt(self) -> None:
        """Nobody is here, but the process where people were is dead."""
        self._upkeep.adopt()

    def store_back(self) -> None:
        """The store was away."""
        self._upkeep.store_back(self._watch.lost_at)

    # Trouble

    async def _recover(self, waiting: Waiting, line: LogLine) -> None:
        """The outcome of an append is unknown, or another writer was first: look, compare, go on."""
        state = self.state
        while True:
            await self._watch.back()
            try:
                found = await (load(self.id, self._store) if state is None else beyond(state, self._store))
                stored = await self._store.entry(self.id, line.version)
                ours = stored is not None and codec.nonce(stored.body) == line.nonce
                break
            except StoreAway:
                self._watch.lost()
            except Unreadable as fault:
                self._writing = None
                self._stop(unreadable(self.id, fault), waiting)
                return
        self._writing = None
        if not ours:
            self._waiting.appendleft(waiting)
        if state is not None:
            self._go_on(state, found)
        elif isinstance(found, Loaded):
            self._reload(found)
            self.changed()
        if ours:
            waiting.answer(Accepted(line.version, line.seat))
            self._peers.tell(self.id, line.version, codec.encode(line), b"" if state is None else state.nonce)
            self._keeper.make_up()
        self._next()
        self._look_if_told()

    def _reload(self, loaded: Loaded | None) -> None:
        before = self.state
        self.happened.clear()
        self.state = None if loaded is None else loaded.table
        self._told = 0
        self._keeper.loaded(loaded)
        self._upkeep.reloaded(self.state)
        if self.state is not None and self.state.tournament is not None:
            self._tell_tournament(self.state)
        version = 0 if self.state is None else self.state.version
        if before is not None and version <= before.version:
            FIGURES.rolled_back += 1
            words = "table %s rolled back from version %d to %d: the store lost it"
            log.error(words, self.id, before.version, version, extra={"table": self.id, "version": version})
            self.rolled_back()

    def _vanish(self, *waiting: Waiting) -> None:
        """The log has expired: nothing can be added to it."""
        self._stop("no_such_table", *waiting)
        self.gone()
        self.idle()

    def _stop(self, code: str, *waiting: Waiting) -> None:
        """From now on everything is refused with this code."""
        self.stopped = code
        self._upkeep.close()
        self._show_held_back()
        refused = (*waiting, *self._waiting)
        self._waiting.clear()
        for one in refused:
            one.answer(Refused(code))

    def _freeze(self, *waiting: Waiting) -> None:
        """Our own bug: this table stops, the others go on, the operator is told. Called while handling it."""
        version = None if self.state is None else self.state.version
        FIGURES.frozen += 1
        log.exception("table %s frozen at version %s", self.id, version, extra=self._fields(version, *waiting))
        self._stop("table_frozen", *waiting)

    def _fields(self, version: int | None, *waiting: Waiting) -> dict[str, Any]:
        """What a line of the log tells of a command: never what was asked."""
        fields: dict[str, Any] = {"table": self.id, "version": version}
        for one in waiting:
            fields["command"] = None if one.id is None else str(one.id)
            fields["kind"] = type(one.command).__name__
        return fields

    def close(self) -> None:
        """Clocks, bots and absences stand still from now on; what is under way ends by itself."""
        self._upkeep.close()


def _nothing() -> None:
    """Nobody listens."""


def _nobody_follows(table: Table) -> None:
    """No tournament is run here."""
