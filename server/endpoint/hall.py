"""Where connections become sessions: the application behind the listener, and what sessions share."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any
from weakref import WeakValueDictionary

from protocol.errors import CloseCode
from server.endpoint.feed import Feed, Feeds
from server.endpoint.limits import Buckets, TokenBucket
from server.endpoint.session import Session
from server.endpoint.settings import Limits
from server.endpoint.tournament_hall import TournamentHall
from server.endpoint.websocket import Connection
from server.games.game import RuleViolation
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import StoreAway
from server.table import view
from server.table.ids import PlayerId, TableId
from server.table.state import Table

LOBBY_SECONDS = 1.0
"""How old the list of public tables may be."""
HOUR = 3600.0


class Hall:
    """All sessions of this process."""

    def __init__(self, house: House, tasks: Tasks, limits: Limits, now: Callable[[], float]) -> None:
        self.house = house
        self.tasks = tasks
        self.limits = limits
        self.now = now
        self.feeds = Feeds(house)
        self.tournaments = TournamentHall(house.tournaments, now)
        self.messages = Buckets(limits.address_messages_per_second, limits.address_messages_burst)
        self.draining = False
        self._greetings = Buckets(limits.greetings_per_second, limits.greetings_burst)
        self._players_by_address = Buckets(limits.players_per_address_hour / HOUR, limits.players_per_address_hour)
        self._players = TokenBucket(limits.players_per_second, 10 * limits.players_per_second, now())
        self._tables_by_player = Buckets(limits.tables_per_player_hour / HOUR, limits.tables_per_player_hour)
        self._tables_by_address = Buckets(limits.tables_per_address_hour / HOUR, limits.tables_per_address_hour)
        self._tables = TokenBucket(limits.tables_per_second, 10 * limits.tables_per_second, now())
        self.sayings = Buckets(limits.sayings_per_second, limits.sayings_burst)
        self.watchers_sayings = Buckets(limits.watchers_sayings_per_second, limits.watchers_sayings_burst)
        self._sessions: set[Session] = set()
        self._noting: WeakValueDictionary[tuple[PlayerId, TableId], asyncio.Lock] = WeakValueDictionary()
        self._lobby: list[dict[str, Any]] = []
        self._lobby_at = -LOBBY_SECONDS
        self._looking_up = asyncio.Lock()
        house.watch.changed.append(self._store_changed)

    # The listener's application

    def connected(self, connection: Connection) -> None:
        """A new connection: it has a few seconds to say who it is."""
        connection.session = session = Session(self, connection)
        self._sessions.add(session)

    def received(self, connection: Connection, payload: bytes) -> None:
        """A message came."""
        session: Session = connection.session
        session.received(payload)

    def drained(self, connection: Connection) -> None:
        """A slow reader has caught up."""
        session: Session = connection.session
        session.drained()

    def disconnected(self, connection: Connection) -> None:
        """A connection is gone."""
        session: Session = connection.session
        self._sessions.discard(session)
        session.ended()

    # What sessions ask for

    def admit(self, address: str) -> None:
        """Counts a `hello`, a `join`, or a question about records from this address.

        Raises:
            RuleViolation: `too_many`
        """
        if not self._greetings.take(address, self.now()):
            raise RuleViolation("too_many")

    def admit_player(self, address: str) -> None:
        """Counts a new player.

        Raises:
            RuleViolation: `too_many`
        """
        now = self.now()
        if not (self._players_by_address.take(address, now) and self._players.take(now)):
            raise RuleViolation("too_many")

    def admit_table(self, player: PlayerId, address: str) -> None:
        """Counts a new table.

        Raises:
            RuleViolation: `draining`, or `too_many_tables`
        """
        if self.draining:
            raise RuleViolation("draining")
        now = self.now()
        if not (
            self._tables_by_player.take(player, now)
            and self._tables_by_address.take(address, now)
            and self._tables.take(now)
        ):
            raise RuleViolation("too_many_tables")

    @contextlib.asynccontextmanager
    async def feeds_of(self, player: PlayerId) -> AsyncIterator[tuple[list[Feed], dict[TableId, str]]]:
        """Visits to the feeds of the tables that a player sits or watches at, and why others cannot be used.

        Raises:
            StoreAway
        """
        stopped: dict[TableId, str] = {}
        with contextlib.ExitStack() as visits:
            yield [visits.enter_context(visit) async for visit in self._visits_of(player, stopped)], stopped

    async def _visits_of(
        self, player: PlayerId, stopped: dict[TableId, str]
    ) -> AsyncIterator[contextlib.AbstractContextManager[Feed]]:
        for table_id in await self.house.memberships(player):
            try:
                actor = await self.house.actor(table_id)
            except RuleViolation as refused:
                if refused.code != "no_such_table":
                    stopped[table_id] = refused.code
                elif self.house.is_gone(table_id):
                    self.forget(player, table_id)
                continue
            if actor.state is None or actor.state.keeps_out(player):
                with self.feeds.open(actor):
                    self.forget(player, table_id)
            elif actor.state.seat_of(player) is not None or await self._still_noted(player, table_id):
                yield self.feeds.open(actor)

    @contextlib.asynccontextmanager
    async def coming(self, player: PlayerId, table: TableId) -> AsyncIterator[None]:
        """Notes that a player is at a table; in the block he comes there, and nothing is forgotten meanwhile.

        Raises:
            StoreAway
        """
        async with self._lock(player, table):
            await self.house.join(player, table)
            yield

    def forget(self, player: PlayerId, table: TableId) -> None:
        """Notes, when the store has time, that a player is at a table no longer, unless he is."""
        self.tasks.start(self._forget(player, table))

    def leave_behind(self, player: PlayerId, table: TableId) -> None:
        """Notes, when the store has time, that a player has nothing to do any more at a table where he sits."""
        self.tasks.start(self._part(player, table))

    async def lobby(self) -> list[dict[str, Any]]:
        """The public tables, at most a second old.

        Raises:
            StoreAway
        """
        async with self._looking_up:
            if self.now() - self._lobby_at >= LOBBY_SECONDS:
                self._lobby = [self._listed(table) for table in await self.house.listed()]
                self._lobby_at = self.now()
        return self._lobby

    def sweep(self) -> None:
        """Closes connections that have not said `hello` in time."""
        late = self.now() - self.limits.hello_seconds
        for session in tuple(self._sessions):
            if not session.greeted and session.opened_at < late:
                session.connection.close(CloseCode.NO_HELLO)

    def drain(self) -> None:
        """No new tables from now on, the clocks stand still, and everybody is told to come back."""
        self.draining = True
        self.house.stand_still()
        self._notify("draining")

    async def _forget(self, player: PlayerId, table: TableId) -> None:
        async with self._lock(player, table):
            if not self.feeds.has(player, table):
                await self._part(player, table)

    async def _still_noted(self, player: PlayerId, table: TableId) -> bool:
        """Whether a player watches there, and has not just left: what is noted of him is dropped a little later."""
        async with self._lock(player, table):
            return table in await self.house.memberships(player)

    async def _part(self, player: PlayerId, table: TableId) -> None:
        with contextlib.suppress(StoreAway, RuleViolation):  # the index is checked against the log on use
            await self.house.part(player, table)

    def _lock(self, player: PlayerId, table: TableId) -> asyncio.Lock:
        """Held while it changes what is noted of a player and a table."""
        return self._noting.setdefault((player, table), asyncio.Lock())

    def _store_changed(self, away: bool) -> None:
        self._notify("store_away" if away else "store_back")

    def _notify(self, notice: str) -> None:
        for session in tuple(self._sessions):
            session.send({"type": "notice", "notice": notice, "table": None})

    def _listed(self, table: Table) -> dict[str, Any]:
        return {
            "table": table.id,
            "game": table.game_name,
            "stage": view.stage(table),
            "names": [None if sitter is None else sitter.name for sitter in table.seats],
            "bots": [sitter is not None and not sitter.person for sitter in table.seats],
            "age": max(0, (self.house.store.now() - table.opened) // 1000),
            "options": table.options,
        }
