"""The processes that work on one store: who is at which table where, and what they tell each other.

Processes are equal and own no table. One that works on a table notes so in the store, with the
players who are connected to it there, and tells the others at that table of each entry as soon as it
is durable, and of who comes and goes. What is told can be lost: the log closes the gaps. A process
whose lease is over, since it died or stood still, counts for nothing; the others take over its tables.
"""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import msgpack

from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.store.port import ProcessId, Store, StoreAway, StoreRefused
from server.table.ids import PlayerId, TableId

log = logging.getLogger(__name__)

RENEW_SECONDS: Final = 5.0
"""How often the lease is renewed, and dead processes are looked for."""
LEASE_SECONDS: Final = 20.0
"""Whose own lease was over gives the others as long to renew theirs: the store, or all of them, may have been away."""
ANSWER_SECONDS: Final = 1.0
"""A process that is noted at a table and does not answer for so long is not counted there."""
ADOPTED_AT_ONCE: Final = 20
ADOPTING_PAUSE: Final = 0.2
"""Seconds between two goes of taking over a dead process's tables, for those who come to others meanwhile."""

_ENTRY, _HERE, _ASKING, _GONE = range(4)


class AtWork(Protocol):
    """What is asked of a table that is at work in this process."""

    id: TableId

    @property
    def version(self) -> int:
        """The version it is at; 0 while it is being opened."""

    @property
    def awake(self) -> bool:
        """Whether its clocks run here."""

    @property
    def goes_on(self) -> bool:
        """Whether it is to go on though nobody is at it."""

    def heard(self, version: int, body: bytes, before: bytes) -> None:
        """Another process has stored this entry, after the one with that nonce."""

    def catch_up(self, version: int) -> None:
        """Others may have stored entries, at least up to this version (0: perhaps none)."""

    def peers_changed(self, lost: Collection[ProcessId]) -> None:
        """Who works on the table elsewhere, or is connected there, has changed; some processes may be lost."""


@dataclass(slots=True)
class _Peer:
    """Another process at a table: who is connected there, and whether the clocks run there."""

    players: frozenset[PlayerId]
    awake: bool = False
    asked: bool = False
    """It is noted, and has not answered yet."""


@dataclass(slots=True)
class _Desk:
    """A table at work here, and the other processes at it. `silent` are noted there and have not answered."""

    table: AtWork
    here: frozenset[PlayerId] = frozenset()
    others: dict[ProcessId, _Peer] = field(default_factory=dict)
    silent: set[ProcessId] = field(default_factory=set)
    joined: bool = False
    noting: asyncio.Task[None] | None = None
    waiting: asyncio.TimerHandle | None = None


class Peers:
    """This process among its equals. `open` it before players come, `retire` at the end."""

    def __init__(
        self, store: Store, watch: StoreWatch, tasks: Tasks, adopt: Callable[[TableId], Awaitable[None]]
    ) -> None:
        """`adopt` puts a table to work that a dead process has left; it may raise StoreAway."""
        self.id = ProcessId(os.urandom(8).hex())
        self._store = store
        self._watch = watch
        self._tasks = tasks
        self._adopt = adopt
        self._desks: dict[TableId, _Desk] = {}
        self._leaving: dict[TableId, asyncio.Task[None]] = {}
        self._living: frozenset[ProcessId] = frozenset()
        self._dead: frozenset[ProcessId] = frozenset()
        self._trusting_until = 0.0
        self._ending = False
        self._taking_over: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Takes a lease and listens, from now on; waits for the store if it is away."""
        while True:
            try:
                await self._store.listen(self.id, self._hear, self._missed)
                self._living = await self._store.renew(self.id)
                break
            except StoreAway:
                self._watch.lost()
                await self._watch.back()
        self._tasks.start(self._keep())

    def stand_still(self) -> None:
        """The process is about to end: it takes over nothing more, and its clocks have stopped."""
        self._trusting_until, self._dead, self._ending = float("inf"), frozenset(), True
        for desk in self._desks.values():
            self._say(desk, _HERE, *desk.others)

    async def retire(self) -> None:
        """Leaves all tables to the others, and ends the lease.

        Those that go on though nobody is there stay noted: who lives takes them over, or who starts next.
        """
        for table in tuple(self._desks):
            self.leave(table)
        await asyncio.gather(*self._leaving.values())
        try:
            await self._store.retire(self.id)
        except StoreAway as away:
            log.warning("the lease of this process was not ended: %s", away)

    # A table at work

    def enter(self, table: AtWork) -> None:
        """The table is at work here from now on."""
        if table.id not in self._desks:
            self._note(self._desks.setdefault(table.id, _Desk(table)))

    async def entered(self, table: TableId) -> None:
        """Waits until it is noted that the table is at work here."""
        desk = self._desks.get(table)
        if desk is not None and desk.noting is not None:
            await asyncio.wait((desk.noting,))

    def leave(self, table: TableId) -> None:
        """It is no longer."""
        desk = self._desks.pop(table, None)
        if desk is not None:
            if desk.waiting is not None:
                desk.waiting.cancel()
            leaving = self._leaving[table] = self._tasks.start(self._quit(desk, self._leaving.get(table)))
            leaving.add_done_callback(lambda task: self._left(table, task))

    def come(self, table: TableId, players: frozenset[PlayerId]) -> None:
        """These players are connected to the table in this process."""
        desk = self._desks.get(table)
        if desk is not None and players != desk.here:
            desk.here = players
            self._say(desk, _HERE, *desk.others)
            self._note(desk)

    def woken(self, table: TableId) -> None:
        """The table's clocks run here from now on."""
        desk = self._desks.get(table)
        if desk is not None:
            self._say(desk, _HERE, *desk.others)

    def tell(self, table: TableId, version: int, body: bytes, before: bytes) -> None:
        """This process has stored an entry, after the one with that nonce."""
        desk = self._desks.get(table)
        if desk is not None and desk.others:
            message = _packed(_ENTRY, table, self.id, version, body, before)
            for process in desk.others:
                self._store.tell(process, message)

    def here(self, table: TableId) -> bool:
        """Whether the table is at work in this process."""
        return table in self._desks

    def alone(self, table: TableId) -> bool:
        """Whether nobody else works on the table, as far as is known for sure."""
        desk = self._desks.get(table)
        return desk is None or (desk.joined and not desk.others)

    def running(self, table: TableId) -> bool | None:
        """Whether the table's clocks run in another process; None while that is being asked."""
        desk = self._desks.get(table)
        if desk is None or not desk.joined:
            return None
        if any(peer.awake for peer in desk.others.values()):
            return True
        return None if any(peer.asked for peer in desk.others.values()) else False

    def elsewhere(self, table: TableId) -> frozenset[PlayerId]:
        """The players who are connected to the table in other processes."""
        desk = self._desks.get(table)
        return frozenset() if desk is None else frozenset().union(*(peer.players for peer in desk.others.values()))

    def place(self, table: TableId) -> int:
        """This process's place among those at the table: the first runs its clocks and bots, the others wait for it."""
        desk = self._desks.get(table)
        if desk is None:
            return 0
        return sum(process < self.id and (peer.awake or peer.asked) for process, peer in desk.others.items())

    # Coming and going

    def _note(self, desk: _Desk) -> None:
        """Notes the table and who is at it here, and asks whoever is noted there and not known."""
        if desk.noting is None or desk.noting.done():
            desk.noting = self._tasks.start(self._noted(desk, self._leaving.get(desk.table.id)))

    async def _noted(self, desk: _Desk, before: asyncio.Task[None] | None) -> None:
        table = desk.table.id
        if before is not None:  # it was left a moment ago: its note goes first
            await asyncio.wait((before,))
        said: frozenset[PlayerId] | None = None
        while said != desk.here and self._desks.get(table) is desk:
            said, noted = desk.here, {}
            try:
                noted = dict(await self._store.attend(table, self.id, _word(said)))
            except StoreRefused as refused:
                log.error("table %s cannot be noted as at work here: %s", table, refused, extra={"table": table})
            except StoreAway:
                self._watch.lost()
                await self._watch.back()
                said = None
                continue
            self._find(desk, noted)

    def _find(self, desk: _Desk, noted: Mapping[ProcessId, bytes]) -> None:
        """Asks the processes that are noted at a table and not known there."""
        known = desk.others.keys() | desk.silent | self._dead
        fresh = {process: _players(word) for process, word in noted.items() if process != self.id}
        found = [process for process in fresh if process not in known]
        desk.others |= {process: _Peer(fresh[process], asked=True) for process in found}
        first, desk.joined = not desk.joined, True
        self._ask(desk, found)
        if found:
            desk.table.catch_up(0)
        if first or found:
            self._changed(desk, ())

    def _ask(self, desk: _Desk, processes: Collection[ProcessId]) -> None:
        self._say(desk, _ASKING, *processes)
        if processes:
            if desk.waiting is not None:
                desk.waiting.cancel()
            desk.waiting = asyncio.get_running_loop().call_later(ANSWER_SECONDS, self._give_up, desk)

    def _give_up(self, desk: _Desk) -> None:
        """Who has not answered is not there."""
        silent = [process for process, peer in desk.others.items() if peer.asked]
        desk.silent.update(silent)
        if silent:
            self._drop(desk, silent)

    def _drop(self, desk: _Desk, processes: Collection[ProcessId]) -> None:
        for process in processes:
            desk.others.pop(process, None)
        self._changed(desk, processes)
        desk.table.catch_up(0)

    def _changed(self, desk: _Desk, lost: Collection[ProcessId]) -> None:
        """A fault of ours at one table must not end what is done for all."""
        try:
            desk.table.peers_changed(lost)
        except Exception:
            log.exception("what changed at table %s is lost", desk.table.id, extra={"table": desk.table.id})

    async def _quit(self, desk: _Desk, before: asyncio.Task[None] | None) -> None:
        under_way = [task for task in (before, desk.noting) if task is not None]
        if under_way:
            await asyncio.wait(under_way, timeout=ANSWER_SECONDS)  # while the store is away they wait for it
        try:
            if not (self._ending and desk.table.goes_on):
                await self._store.quit(desk.table.id, self.id)
        except StoreRefused as refused:
            words, fields = "the note of table %s cannot be removed: %s", {"table": desk.table.id}
            log.error(words, desk.table.id, refused, extra=fields)
        except StoreAway:
            self._watch.lost()  # the note is removed when its process's lease is over
        self._say(desk, _GONE, *desk.others)

    def _left(self, table: TableId, task: asyncio.Task[None]) -> None:
        if self._leaving.get(table) is task:
            del self._leaving[table]

    def _say(self, desk: _Desk, kind: int, *to: ProcessId) -> None:
        if to:
            table = desk.table
            message = _packed(kind, table.id, self.id, table.version, _word(desk.here), table.awake)
            for process in to:
                self._store.tell(process, message)

    # What others tell

    def _hear(self, message: bytes) -> None:
        try:
            kind, table, process, version, body, more = msgpack.unpackb(message, use_list=False)
        except (ValueError, msgpack.UnpackException):
            log.error("a message of another process cannot be read")
            return
        desk = self._desks.get(table)
        if desk is None or process == self.id:
            return
        if kind == _ENTRY:
            if process not in desk.others:  # given up since it was silent, and alive all the same
                self._say(desk, _ASKING, process)
            desk.table.heard(version, body, more)
        elif kind == _GONE:
            self._drop(desk, (process,))
        else:
            self._meet(desk, process, _Peer(_players(body), bool(more)))
            if kind == _ASKING:
                self._say(desk, _HERE, process)
            desk.table.catch_up(version)

    def _meet(self, desk: _Desk, process: ProcessId, peer: _Peer) -> None:
        desk.silent.discard(process)
        if desk.others.get(process) != peer:
            desk.others[process] = peer
            self._changed(desk, ())

    def _missed(self) -> None:
        """What was told meanwhile is lost, or others have taken this process for dead: all is noted and asked anew."""
        for desk in tuple(self._desks.values()):
            desk.silent.clear()
            for peer in desk.others.values():
                peer.asked = True
            self._ask(desk, tuple(desk.others))
            self._note(desk)
            desk.table.catch_up(0)

    # Leases

    async def _keep(self) -> None:
        """Renews the lease, and takes over what dead processes have left."""
        while True:
            try:
                await self._renew()
                if self._dead and (self._taking_over is None or self._taking_over.done()):
                    self._taking_over = self._tasks.start(self._take_over())
            except StoreRefused as refused:
                log.error("the lease of this process cannot be renewed: %s", refused)
            except StoreAway:
                self._watch.lost()
                await self._watch.back()
                continue
            await asyncio.sleep(RENEW_SECONDS)

    async def _renew(self) -> None:
        lapsed = frozenset(await self._store.lapsed())
        living = await self._store.renew(self.id)
        now = asyncio.get_running_loop().time()
        if self.id in lapsed:
            self._trusting_until = max(self._trusting_until, now + LEASE_SECONDS)
            self._missed()
        if now < self._trusting_until:
            lapsed, living = frozenset(), living | self._living
        self._dead, lost = lapsed - living, self._living - living
        self._living = living
        for desk in tuple(self._desks.values()):
            desk.silent -= self._dead
            there = desk.others.keys() & (lost | self._dead)
            if there:
                self._drop(desk, tuple(there))

    async def _take_over(self) -> None:
        """Puts the tables of dead processes to work here, a few at a time."""
        try:
            for process in self._dead:
                while process in await self._store.lapsed() and process in self._dead:
                    tables = await self._store.tables_of(process, ADOPTED_AT_ONCE)
                    if not tables:
                        await self._store.clear(process)
                        break
                    await self._take_over_some(process, tables)
                    await asyncio.sleep(ADOPTING_PAUSE)
        except StoreRefused as refused:
            log.error("tables of a dead process cannot be taken over: %s", refused)
        except StoreAway:
            self._watch.lost()

    async def _take_over_some(self, process: ProcessId, tables: Sequence[TableId]) -> None:
        for table in tables:
            if table not in self._desks:
                await self._adopt(table)
                await self.entered(table)
            await self._store.quit(table, process)


def _word(players: frozenset[PlayerId]) -> bytes:
    packed: bytes = msgpack.packb(sorted(players))
    return packed


def _players(word: bytes) -> frozenset[PlayerId]:
    """The players in a word; nobody, if it cannot be read."""
    try:
        return frozenset(PlayerId(player) for player in msgpack.unpackb(word))
    except (ValueError, TypeError, msgpack.UnpackException):
        return frozenset()


def _packed(kind: int, *rest: Any) -> bytes:
    packed: bytes = msgpack.packb((kind, *rest))
    return packed
