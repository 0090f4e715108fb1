"""The house: its players, its tables, and the doors to both. Every process has one; none owns a table."""

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from server.bots.catalogue import CATALOGUE as THINKERS
from server.bots.thinking import explained
from server.games.game import Millis, Plain, RuleViolation
from server.runtime.actor import TableActor
from server.runtime.answers import Answer, Refused
from server.runtime.codes import base32, derived_code, plain_code, token_hash
from server.runtime.days import check_published
from server.runtime.guests import Guest as Guest
from server.runtime.loading import load, unreadable
from server.runtime.peers import Peers
from server.runtime.solving import Solving
from server.runtime.staff import Staff
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.runtime.tournaments import Tournaments, of_tournament
from server.store.port import Player, Store, StoreAway, StoreRefused
from server.table import codec
from server.table.codec import Unreadable
from server.table.commands import DirectorsCommand, OpenForTournament, ReplaceSitter
from server.table.ids import PlayerId, RecordId, TableId
from server.table.memory import CommandId
from server.table.records import DealRecord
from server.table.state import Table

_Result = TypeVar("_Result")
log = logging.getLogger(__name__)

LISTED: Final = 50
MISSING_MILLIS: Final = 60_000
MOST_MISSING: Final = 1_000
EXPLAINING_SECONDS: Final = 20.0


class House:
    """All tables that this process works on, loaded when somebody comes and let go when nobody is left."""

    def __init__(self, store: Store, tasks: Tasks, staff: Staff) -> None:
        self.store = store
        self.staff = staff
        self.solving = Solving(staff.pool)
        self.watch = StoreWatch(store, tasks)
        self._tasks = tasks
        self._actors: dict[TableId, TableActor] = {}
        self._held: dict[TableId, int] = {}
        self._missing: dict[TableId, Millis] = {}
        self.peers = Peers(store, self.watch, tasks, self._adopt)
        self.table_moved: Callable[[Table], None] = _nobody_follows
        """Told of every new state of a table that belongs to a tournament and is at work here."""
        self.round_open: Callable[[str, int], Awaitable[bool]] = _closed
        """Whether who did not sit there may read the deals of a round (the tournament's id, the round) whose tables
        all play the same cards."""
        self.watch.changed.append(self._store_changed)
        self.tournaments = Tournaments(self, tasks)

    @property
    def at_work(self) -> int:
        """How many tables this process works on."""
        return len(self._actors)

    def stand_still(self) -> None:
        """The process is about to end: clocks, bots and absences are left to others, or to a later start."""
        self.tournaments.stand_still()
        for actor in self._actors.values():
            actor.close()
        self.peers.stand_still()

    async def new_player(self, name: str, *, program: bool = False) -> tuple[str, Guest]:
        """A new player and the token that only he gets to see.

        Raises:
            StoreAway
        """
        token = os.urandom(32).hex()
        player = Player(PlayerId(base32(os.urandom(10))), name, program)
        guest = Guest(player, token_hash(token))
        await self.stored(self.store.add_player(guest.token_hash, player))
        return token, guest

    async def known_player(self, token: str, name: str | None, *, program: bool = False) -> Guest | None:
        """The player of a token, under a new name if one is given; once a program, always one.

        Raises:
            StoreAway
        """
        hashed = token_hash(token)
        player = await self.stored(self.store.find_player(hashed))
        if player is None:
            return None
        now = Player(player.id, player.name if name is None else name, player.program or program)
        if now != player:
            player = now
            await self.stored(self.store.add_player(hashed, player))
        return Guest(player, hashed)

    async def opening(
        self, guest: Guest, command: CommandId, *, private: bool, admit: Callable[[], None]
    ) -> tuple[TableActor, str | None]:
        """The actor for the table that this command opens, and its code; the index to it is written first.

        Note with `join` that he is at it before the table is opened.

        Table and code follow from the player's secret and the command's id: the same command leads
        to the same table however often it comes. Only for a new one is `admit` asked.

        Raises:
            StoreAway, RuleViolation
        """
        table = TableId(guest.opens("table", command).lower())
        code = guest.opens("code", command) if private else None
        actor = await self._actor(table, or_new=True)
        if actor.state is not None:
            return actor, code
        self._let_go(actor)
        admit()
        self._missing.pop(table, None)
        if code is not None:
            await self.stored(self.store.add_code(code, table))
        else:
            await self.stored(self.store.list_table(table, self.store.now()))
        return await self._actor(table, or_new=True), code

    async def open_for_tournament(self, command: OpenForTournament) -> Table:
        """Opens a table of a tournament, and puts it to work; who is to sit there is noted to be at it before.

        It is in no list and has no code. Given again it leaves the table as it is.

        Raises:
            RuleViolation: why it cannot be opened
            StoreAway: it may be open; give the command again.
        """
        for sitter in command.sitters:
            if sitter.bot is None:
                await self.join(sitter.player, command.table)
        self._missing.pop(command.table, None)
        return await self._at_work(await self._actor(command.table, or_new=True), command)

    async def direct(self, table: TableId, command: DirectorsCommand) -> Table:
        """Carries out a command of a tournament's director at one of its tables, and puts it to work; its new state.

        Raises:
            RuleViolation: why it is refused
            StoreAway: it may have taken effect; give the command again.
        """
        if isinstance(command, ReplaceSitter) and command.sitter.bot is None:
            await self.join(command.sitter.player, table)
        return await self._at_work(await self.actor(table), command)

    async def put_to_work(self, table: TableId) -> Table:
        """Lets a table of a tournament go on in this process, though nobody is there: its bots, clocks and absences.

        To be called for the tables of a running round at every start; where it is at work already nothing changes.

        Raises:
            RuleViolation: `no_such_table`, or why it cannot be used
            StoreAway
        """
        return await self._at_work(await self.actor(table), None)

    def at(self, table: TableId) -> Table | None:
        """The newest state of a table that is at work here; None if it is not."""
        actor = self._actors.get(table)
        return None if actor is None or actor.stopped is not None else actor.state

    async def look(self, table: TableId) -> Table:
        """How a table stands, wherever it is at work.

        Raises:
            RuleViolation: `no_such_table`, or why it cannot be used
            StoreAway
        """
        actor = await self.actor(table)
        self._let_go(actor)
        if actor.state is None:
            raise RuleViolation("no_such_table")
        return actor.state

    async def _at_work(self, actor: TableActor, command: OpenForTournament | DirectorsCommand | None) -> Table:
        self.hold(actor)
        try:
            await self.peers.entered(actor.id)
            if command is not None:
                answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
                actor.submit(command, None, partial(_tell, answered))
                answer = await answered
                if isinstance(answer, Refused):
                    if answer.code == "store_away":
                        raise StoreAway
                    raise RuleViolation(answer.code, answer.detail)
            if actor.state is None:
                raise RuleViolation("no_such_table")
            actor.adopt()
            return actor.state
        finally:
            self.release(actor)

    async def table_of_code(self, code: str) -> TableId:
        """The table of a join code, however it is written.

        Raises:
            RuleViolation: `no_such_table`
            StoreAway
        """
        table = await self.stored(self.store.find_code(plain_code(code)))
        if table is None:
            raise RuleViolation("no_such_table")
        return table

    async def actor(self, table: TableId) -> TableActor:
        """The table's actor; `hold` it as long as it is needed.

        Raises:
            RuleViolation: `no_such_table`, or why it cannot be used.
            StoreAway
        """
        if of_tournament(table):
            raise RuleViolation("no_such_table")
        return await self._actor(table, or_new=False)

    def hold(self, actor: TableActor) -> None:
        """Somebody is at the table: its actor stays, and the other processes there are told what it does."""
        self.peers.enter(actor)
        self._held[actor.id] = self._held.get(actor.id, 0) + 1

    def release(self, actor: TableActor) -> None:
        """Somebody has gone; an actor that nobody holds and that has nothing to do goes too."""
        held = self._held.get(actor.id, 0) - 1
        if held > 0:
            self._held[actor.id] = held
        else:
            self._held.pop(actor.id, None)
            self._let_go(actor)

    async def listed(self) -> Sequence[Table]:
        """The public tables of the lobby, newest first; those that are gone leave it.

        Raises:
            StoreAway
        """
        tables: list[Table] = []
        for table_id in await self.stored(self.store.listed_tables(LISTED)):
            known = self._actors.get(table_id)
            if known is not None:
                await self.stored(known.check())
            try:
                actor = await self.actor(table_id)
            except RuleViolation as refused:
                if refused.code == "no_such_table" and self.is_gone(table_id):
                    await self.stored(self.store.unlist_table(table_id))
                continue
            if actor.state is not None:
                tables.append(actor.state)
            self._let_go(actor)
        return tables

    def is_gone(self, table: TableId) -> bool:
        """Whether a table that was not found has been missing for a minute.

        Indexes are written before the entry they point to: one that points nowhere may be about to.
        """
        now = self.store.now()
        since = self._missing.setdefault(table, now)
        while len(self._missing) > MOST_MISSING:
            del self._missing[next(iter(self._missing))]
        return now - since >= MISSING_MILLIS

    async def check_all(self) -> None:
        """Compares every table that is at work here with the store; readers learn what has expired or gone back."""
        for actor in tuple(self._actors.values()):
            try:
                await self.stored(actor.check())
            except StoreAway:
                return
        await self.tournaments.check_all()

    async def join(self, player: PlayerId, table: TableId) -> None:
        """Notes that a player is at a table, before the entry or the view that tells it.

        Raises:
            StoreAway
        """
        await self.stored(self.store.add_membership(player, table))

    async def part(self, player: PlayerId, table: TableId) -> None:
        """Notes that a player is there no longer.

        Raises:
            StoreAway
        """
        await self.stored(self.store.drop_membership(player, table))

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        """The tables a player is noted to be at; each is to be checked.

        Raises:
            StoreAway
        """
        return await self.stored(self.store.memberships(player))

    async def record(self, player: PlayerId, record: RecordId) -> DealRecord:
        """The record of a finished deal, for who sat there or if the table was public.

        Raises:
            RuleViolation: `no_such_record`, `not_your_record`, or `day_not_over`
            StoreAway
        """
        found = await self._record(record)
        if not (found.readable_by(player) or await self._published(found)):
            raise RuleViolation("not_your_record")
        check_published(found.plain.get("day"), self.store.now())
        return found

    async def shared_record(self, code: str) -> DealRecord:
        """The record that somebody has shared under this code.

        Raises:
            RuleViolation: `no_such_record`, `not_your_record` if other tables still play these cards, or `day_not_over`
            StoreAway
        """
        record = await self.stored(self.store.find_shared(plain_code(code)))
        if record is None:
            raise RuleViolation("no_such_record")
        found = await self._record(record)
        if found.of_round is not None and not await self._published(found):
            raise RuleViolation("not_your_record")
        check_published(found.plain.get("day"), self.store.now())
        return found

    async def _published(self, record: DealRecord) -> bool:
        """Whether it is a deal that all tables of a round play, and the round's deals are open to all."""
        return record.of_round is not None and await self.round_open(*record.of_round)

    async def records_of(self, player: PlayerId) -> Sequence[DealRecord]:
        """The newest records of a player.

        Raises:
            StoreAway
        """
        found: list[DealRecord] = []
        for record in await self.stored(self.store.records_of(player, LISTED)):
            try:
                found.append(await self._record(record))
            except RuleViolation:
                continue  # noted before it was saved
        return found

    async def share(self, guest: Guest, record: RecordId) -> str:
        """A code under which anybody may read a record; the same one for the same player and record.

        Raises:
            RuleViolation: `no_such_record`, or `not_your_record`
            StoreAway
        """
        await self.record(guest.player.id, record)
        code = derived_code(guest.token_hash, f"share/{record}")
        await self.stored(self.store.share_record(code, record))
        return code

    async def explanation(self, player: PlayerId, record: DealRecord) -> Plain:
        """What each decision of a finished deal was worth, worked out in the pool; one at a time for a player.

        Raises:
            RuleViolation: `no_hint` if this is not done for the game, `already_thinking`, or `thinking_failed`
        """
        game = record.plain["game"]
        if game not in THINKERS:
            raise RuleViolation("no_hint")
        with self.solving.question(player):
            return await self.staff.pool.think(explained, game, record.plain, who=player, seconds=EXPLAINING_SECONDS)

    async def _record(self, record: RecordId) -> DealRecord:
        body = await self.stored(self.store.load_record(record))
        if body is None:
            raise RuleViolation("no_such_record")
        try:
            return codec.decode_record(record, body)
        except Unreadable as fault:
            raise RuleViolation(unreadable(record, fault)) from None

    async def _actor(self, table: TableId, *, or_new: bool) -> TableActor:
        """The table's actor, loaded if need be; two who ask at once get the same."""
        if self.watch.away:
            raise StoreAway
        actor = self._actors.get(table)
        while actor is not None and not self.peers.alone(table):
            await self.stored(actor.check())
            checked, actor = actor, self._actors.get(table)  # it may have been let go meanwhile
            if actor is checked:
                break
        if actor is None:
            try:
                loaded = await self.stored(load(table, self.store))
            except Unreadable as fault:
                raise RuleViolation(unreadable(table, fault)) from None
            actor = self._actors.get(table)
            if actor is None:
                actor = TableActor(table, loaded, self.store, self.watch, self._tasks, self.staff, self.peers)
                self._keep(actor)
        if actor.state is None and not or_new:
            self._let_go(actor)
            raise RuleViolation("no_such_table")
        if actor.stopped is not None:
            raise RuleViolation(actor.stopped)
        return actor

    def _store_changed(self, away: bool) -> None:
        if not away:
            for actor in self._actors.values():
                actor.store_back()
            self.tournaments.store_back()
            self._tasks.start(self.check_all())

    async def _adopt(self, table: TableId) -> None:
        """Puts a table to work whose process is dead: it goes by its rules, though nobody has come back to it."""
        if of_tournament(table):
            await self.tournaments.adopt(table)
            return
        try:
            actor = await self._actor(table, or_new=False)
        except RuleViolation:
            return  # it is gone, or cannot be read, as somebody was told who came to it
        self.peers.enter(actor)
        actor.adopt()

    def _keep(self, actor: TableActor) -> None:
        def idle() -> None:
            self._let_go(actor)

        def moved(table: Table) -> None:
            self.table_moved(table)

        actor.idle, actor.tournament_moved = idle, moved
        self._actors[actor.id] = actor

    def _let_go(self, actor: TableActor) -> None:
        if actor.id not in self._held and not actor.busy and actor.stopped != "table_frozen":
            actor.close()
            if self._actors.get(actor.id) is actor:
                del self._actors[actor.id]
                self.peers.leave(actor.id)

    async def stored(self, work: Awaitable[_Result]) -> _Result:
        """The answer of the store; whoever finds it away sets the watch."""
        try:
            return await work
        except StoreRefused as refused:
            log.error("the store refused a command: %s", refused)
            raise RuleViolation("table_frozen") from None
        except StoreAway:
            self.watch.lost()
            raise


def _nobody_follows(table: Table) -> None:
    """No tournament is run here."""


async def _closed(tournament: str, round_number: int) -> bool:
    """Without a tournament to ask, nothing is open."""
    return False


def _tell(answered: asyncio.Future[Answer], answer: Answer) -> None:
    if not answered.done():  # whoever asked may have given up
        answered.set_result(answer)
