"""A tournament at work: one command after another, each durable before anyone is told.

As a table's actor, but with little traffic: a command waits for its turn at a lock, and there are no snapshots.
Source: docs/adr/0014-a-tournament-is-a-log-beside-its-tables.md, and "The log" of docs/architecture.md.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final, cast

from server.figures import FIGURES
from server.games.game import Moment, Plain, RuleViolation
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.loading import unreadable
from server.runtime.peers import AtWork, Peers
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.runtime.tournament_loading import beyond, load, steps
from server.store.port import Appended, Entry, Lifetime, PlayerId, ProcessId, Store, StoreAway, StoreRefused
from server.table.ids import TableId
from server.table.lines import LogLine, Unreadable, nonce
from server.table.memory import CommandId, digest
from server.tournament import codec, rules, view
from server.tournament.commands import Announce, Command, Direct, NextRound, OfServer, OpenRound, asked
from server.tournament.events import Announced, DirectorNamed, Entered, PlaceMoved, TermsChanged
from server.tournament.state import Stage, Tournament, TournamentId

log = logging.getLogger(__name__)

RECENT: Final = 64
"""How many entries' happenings are kept for readers that are behind."""
MOST_WAITING: Final = 256
NONCE_BYTES: Final = 8


@dataclass(frozen=True, slots=True)
class TournamentHappened:
    """What an entry has brought about, as all may see it."""

    version: int
    events: tuple[Plain, ...]


def goes_by_itself(tournament: Tournament | None) -> bool:
    """Whether something is to be done though nobody asks: a round is under way, or the next opens by itself."""
    return tournament is not None and (tournament.stage is Stage.ROUND or tournament.due is not None)


class TournamentActor:
    """One tournament in this process. `state` is what the store is known to hold; None while it is being opened."""

    def __init__(
        self,
        tournament: TournamentId,
        loaded: Tournament | None,
        store: Store,
        watch: StoreWatch,
        tasks: Tasks,
        peers: Peers,
    ) -> None:
        self.id = tournament
        self.state = loaded
        self.happened: deque[TournamentHappened] = deque(maxlen=RECENT)
        self.changed: Callable[[], None] = _nothing
        """For who looks on: there is a new state, and what happened is in `happened`."""
        self.rolled_back: Callable[[], None] = _nothing
        self.gone: Callable[[], None] = _nothing
        self.idle: Callable[[], None] = _nothing
        self.moved: Callable[[], None] = _nothing
        """For who runs it here: there is a new state, or other processes have come or gone."""
        self.left_behind: Callable[[], None] = _nothing
        """For who runs it here: a process that worked on it is dead."""
        self.stopped: str | None = None
        """The code with which everything is refused, if the tournament cannot go on."""
        self.awake = False
        """Whether it is run here: set by who does."""
        self._store = store
        self._watch = watch
        self._tasks = tasks
        self._peers = peers
        self._key = TableId(tournament)
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._behind = False
        self._catching_up = False

    @property
    def version(self) -> int:
        """The version it is at; 0 while it is being opened."""
        return 0 if self.state is None else self.state.version

    @property
    def goes_on(self) -> bool:
        """Whether something is to be done though nobody follows it."""
        return goes_by_itself(self.state)

    @property
    def busy(self) -> bool:
        """Whether something is under way: the actor must stay."""
        return self._waiting > 0 or self._catching_up

    async def submit(self, command: Command, command_id: CommandId | None) -> Answer:
        """Carries out a command when its turn comes; the answer, once it is durable or refused.

        If the store is lost meanwhile it is `store_away`, and may have taken effect: the same command under the same
        id then tells. Whoever stops waiting stops nothing.
        """
        refusal = self._refusal()
        if refusal is None and self._waiting >= MOST_WAITING:
            refusal = Refused("too_many")
        if refusal is not None:
            return refusal
        self._waiting += 1
        return await asyncio.shield(self._tasks.start(self._in_turn(command, command_id)))

    def _refusal(self) -> Refused | None:
        if self.stopped is not None:
            return Refused(self.stopped)
        return Refused("store_away") if self._watch.away else None

    async def _in_turn(self, command: Command, command_id: CommandId | None) -> Answer:
        """The actor's edge: a rule refuses one command, a bug of ours stops this tournament and no other."""
        try:
            async with self._turn:
                return await self._carried_out(command, command_id)
        except RuleViolation as refused:
            return Refused(refused.code, refused.detail, None if self.state is None else self.version)
        except StoreAway:
            self._watch.lost()
            return Refused("store_away")
        except Unreadable as fault:
            return self._stop(unreadable(self.id, fault))
        except Exception:
            return self._freeze(command)
        finally:
            self._waiting -= 1
            self._rest()

    async def _carried_out(self, command: Command, command_id: CommandId | None) -> Answer:
        at_the_end = False
        while True:
            refusal = self._refusal()
            if refusal is not None:
                return refusal
            state = self.state
            try:
                if state is not None and _draws(command):  # the loop goes on: it may take most of a second
                    decided = await asyncio.to_thread(self._decided, state, command, command_id)
                else:
                    decided = self._decided(state, command, command_id)
            except RuleViolation:
                if state is None or at_the_end:
                    raise
                at_the_end = True  # perhaps this process is behind
                await self._go_to_the_end()
                continue
            if isinstance(decided, Accepted):
                return decided
            answer = await self._written(*decided)
            if isinstance(answer, Accepted):
                self._count(answer, command, command_id)
            if answer is not None:
                return answer

    def _count(self, accepted: Accepted, command: Command, command_id: CommandId | None) -> None:
        if command_id is None:
            FIGURES.accepted_own += 1
        else:
            FIGURES.accepted += 1
        if log.isEnabledFor(logging.DEBUG):
            said = None if command_id is None else str(command_id)
            fields = {"table": self.id, "version": accepted.version, "command": said, "kind": type(command).__name__}
            log.debug("accepted", extra=fields)

    def _decided(
        self, state: Tournament | None, command: Command, command_id: CommandId | None
    ) -> Accepted | tuple[LogLine, Tournament]:
        """The line that a command makes, and the tournament after it; or the answer, if there is nothing to write."""
        wish = "" if isinstance(command, OfServer) else asked(command)
        if state is not None and command_id is not None and wish:
            known = state.recalled(command_id, wish)
            if known is not None:
                return Accepted(known.version, None)
        drawn = os.urandom(32 + NONCE_BYTES)
        moment = Moment(self._store.now(), drawn[:32])
        if state is not None:
            events = rules.decide(state, command, moment)
        elif isinstance(command, Announce):
            events = rules.announce(command, moment)
        else:
            raise RuleViolation("no_such_tournament")
        if not events:
            return Accepted(self.version, None)
        line = LogLine(
            version=self.version + 1,
            at=moment.now,
            client="" if command_id is None else command_id.client,
            number=0 if command_id is None else command_id.number,
            asked=wish and digest(wish),
            seat=None,
            events=events,
            nonce=drawn[32:],
        )
        return line, codec.settled(codec.evolved(state, events), line)

    async def _written(self, line: LogLine, after: Tournament) -> Answer | None:
        """Appends the line; None if another writer was first, and the command is to be decided again.

        What points to it is written first: that it is listed, whose tournaments it is among, and, if it then goes on
        by itself, that this process works on it.

        Raises:
            StoreAway: it may be stored; that is looked into as soon as the store is back.
        """
        if any(isinstance(event, Announced | TermsChanged) and event.terms.listed for event in line.events):
            await self._store.list_tournament(self._key, after.opened)
        for player in _newly_part_of(line):
            await self._store.add_entry(player, self._key)
        if goes_by_itself(after):
            self._peers.enter(cast(AtWork, self))
            await self._peers.entered(self._key)
        body, before = codec.encode(line), b"" if self.state is None else self.state.nonce
        try:
            appended = await self._store.append(self._key, line.version, body, Lifetime.TOURNAMENT)
        except StoreRefused as refused:
            FIGURES.frozen += 1
            fields = {"table": self.id, "version": line.version}
            log.error("%s stopped: the store refused entry %d: %s", self.id, line.version, refused, extra=fields)
            return self._stop("table_frozen")
        except StoreAway:
            self._tasks.start(self._tell_if_stored(line, body, before))
            raise
        match appended:
            case Appended.STORED:
                self._peers.tell(self._key, line.version, body, before)
                self._move_on(after, line)
                self._show()
                return Accepted(line.version, None)
            case Appended.GONE:
                return self._vanish()
            case Appended.BEHIND:
                await self._go_to_the_end()
                return None

    async def _tell_if_stored(self, line: LogLine, body: bytes, before: bytes) -> None:
        """The answer of an append was lost: once the store is back, all learn of the entry if it is there."""
        while True:
            await self._watch.back()
            try:
                await self.check()
                stored = await self._store.entry(self._key, line.version)
                break
            except StoreAway:
                self._watch.lost()
        if stored is not None and nonce(stored.body) == line.nonce:
            self._peers.tell(self._key, line.version, body, before)

    def _move_on(self, after: Tournament, line: LogLine) -> None:
        self.state = after
        self.happened.append(TournamentHappened(line.version, tuple(view.happenings(after, line.events))))

    def _show(self) -> None:
        self.moved()
        self.changed()

    def _rest(self) -> None:
        if not self.busy:
            self.idle()

    # What other processes do in this tournament

    def heard(self, version: int, body: bytes, before: bytes) -> None:
        """Another process has stored this entry, after the one with that nonce."""
        state = self.state
        fits = state is not None and (version, before) == (state.version + 1, state.nonce)
        if not fits or self._turn.locked() or self.stopped is not None:
            self.catch_up(0 if version == self.version + 1 else version)
            return
        try:
            self._follow((Entry(version, body),))
        except Unreadable as fault:
            self._stop(unreadable(self.id, fault))
        except Exception:
            self._freeze(None)

    def catch_up(self, version: int) -> None:
        """Others may have stored entries, at least up to this version (0: perhaps none)."""
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

    def peers_changed(self, lost: Collection[ProcessId]) -> None:
        """Who works on it elsewhere has changed; some processes may be dead."""
        self.moved()
        if lost:
            self.left_behind()

    async def check(self) -> None:
        """Goes on to the end of the log, where others may have added to it, or the store lost what was told.

        Raises:
            StoreAway
        """
        async with self._turn:
            if self.state is None or self.stopped is not None:
                return
            try:
                await self._go_to_the_end()
            except Unreadable as fault:
                self._stop(unreadable(self.id, fault))
            except StoreAway:
                raise
            except Exception:
                self._freeze(None)

    async def _go_to_the_end(self) -> None:
        """To be called by who has the turn."""
        state = self.state
        entries = None if state is None else await beyond(state, self._store)
        if entries is not None:
            self._follow(entries)
            return
        loaded = await load(self.id, self._store)
        if loaded is not None:
            self._reload(loaded)
        elif state is not None:
            self._vanish()

    def _follow(self, entries: Collection[Entry]) -> None:
        for after, line in steps(self.id, self.state, entries):
            self._move_on(after, line)
            self._show()

    def _reload(self, loaded: Tournament) -> None:
        before, self.state = self.version, loaded
        self.happened.clear()
        if loaded.version <= before:
            FIGURES.rolled_back += 1
            fields = {"table": self.id, "version": loaded.version}
            words = "%s rolled back from version %d to %d: the store lost it"
            log.error(words, self.id, before, loaded.version, extra=fields)
            self.rolled_back()
        self._show()

    # Trouble

    def _vanish(self) -> Refused:
        """The log has expired: nothing can be added to it."""
        refused = self._stop("no_such_tournament")
        self.gone()
        return refused

    def _stop(self, code: str) -> Refused:
        """From now on everything is refused with this code."""
        self.stopped = code
        self.moved()
        return Refused(code)

    def _freeze(self, command: Command | None) -> Refused:
        """Our own bug: this tournament stops, the others go on, the operator is told. Called while handling it."""
        FIGURES.frozen += 1
        fields = {"table": self.id, "version": self.version}
        if command is not None:
            fields["kind"] = type(command).__name__
        log.exception("%s frozen at version %d", self.id, self.version, extra=fields)
        return self._stop("table_frozen")


def _newly_part_of(line: LogLine) -> Iterator[PlayerId]:
    """The players whose tournament it is from this line on."""
    for event in line.events:
        match event:
            case Announced(director=director) | DirectorNamed(director=director):
                yield director.player
            case Entered(entrant=entrant) if not entrant.guest:
                yield entrant.player
            case PlaceMoved(player=player):
                yield player
            case _:
                pass


def _draws(command: Command) -> bool:
    """Whether it makes the seating of a round, which is searched for."""
    return isinstance(command, NextRound) or (isinstance(command, Direct) and isinstance(command.order, OpenRound))


def _nothing() -> None:
    """Nobody listens."""
