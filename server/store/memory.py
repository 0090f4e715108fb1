"""The store in memory: a double for tests at full speed, which loses everything with the process.

It keeps every promise of the port but durability. Time comes in as a callable. A test can send the
store away, and can lose the answer of an append.
"""

# ruff: noqa: D102 (the port says what each method promises)

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from server.store.expiring import Expiring
from server.store.memory_processes import MemoryProcesses
from server.store.memory_results import MemoryResults
from server.store.port import (
    Appended,
    Entry,
    Health,
    Lifetime,
    Millis,
    Player,
    PlayerId,
    RecordId,
    Snapshot,
    Store,
    StoreAway,
    TableId,
)
from server.store.settings import (
    MOST_ENTRIES,
    MOST_LISTED,
    MOST_MEMBERSHIPS,
    MOST_RECORDS,
    MOST_TOURNAMENTS,
    StoreSettings,
)


@dataclass(slots=True)
class _Log:
    expires: int
    last: int = 0
    entries: list[Entry] = field(default_factory=list)
    snapshot: Snapshot | None = None


class MemoryStore(MemoryResults, MemoryProcesses, Store):
    """A store for tests.

    `go_away` and `come_back` play a store that is lost for a while; `lose_answer` plays a connection
    that is lost while the next append is under way.
    """

    def __init__(self, clock: Callable[[], Millis], settings: StoreSettings | None = None) -> None:
        self._clock = clock
        self._settings = settings or StoreSettings()
        MemoryResults.__init__(self, clock, self._settings)
        MemoryProcesses.__init__(self, clock, self._settings)
        self._away: str | None = None
        self._lost: list[bool] = []
        self._latest = Millis(0)
        self._logs: dict[TableId, _Log] = {}
        self._players: Expiring[Player] = Expiring(clock)
        self._codes: Expiring[TableId] = Expiring(clock)
        self._memberships: Expiring[list[TableId]] = Expiring(clock)
        self._entries: Expiring[list[TableId]] = Expiring(clock)
        self._records: Expiring[bytes] = Expiring(clock)
        self._noted: Expiring[dict[RecordId, Millis]] = Expiring(clock)
        self._shared: Expiring[RecordId] = Expiring(clock)
        self._lobby: dict[TableId, Millis] = {}
        self._tournaments: dict[TableId, Millis] = {}

    def go_away(self) -> None:
        """From now on everything raises StoreAway, until `come_back`."""
        self._away = "the store was sent away"

    def come_back(self) -> None:
        """The store answers again, and holds what it held; who listens may have missed something."""
        self._away = None
        self._hear_again()

    def lose_answer(self, *, stored: bool) -> None:
        """The next append raises StoreAway, though it is stored, or without having been stored."""
        self._lost.append(stored)

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        if version < 1:
            raise ValueError(f"versions count from 1, not {version}")
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        if self._away is not None:
            answer.set_exception(StoreAway(self._away))
            return answer
        stored = self._lost.pop(0) if self._lost else None
        outcome = None if stored is False else self._append(table, Entry(version, body), lifetime)
        asyncio.get_running_loop().call_soon(self._tell, answer, outcome if stored is None else None)
        return answer

    def _tell(self, answer: asyncio.Future[Appended], outcome: Appended | None) -> None:
        if answer.done():
            return
        if outcome is None or self._away is not None:
            answer.set_exception(StoreAway(self._away or "the answer was lost"))
        else:
            answer.set_result(outcome)

    def _append(self, table: TableId, entry: Entry, lifetime: Lifetime) -> Appended:
        log = self._live(table)
        if log is None:
            if entry.version > 1:
                return Appended.GONE
            log = self._logs[table] = _Log(expires=0)
        if entry.version != log.last + 1:
            return Appended.BEHIND
        log.entries.append(entry)
        log.last = entry.version
        log.expires = self._clock() + self._settings.lifetime(lifetime)
        return Appended.STORED

    def _live(self, table: TableId) -> _Log | None:
        log = self._logs.get(table)
        if log is not None and log.expires <= self._clock():
            del self._logs[table]
            return None
        return log

    @property
    def _is_away(self) -> bool:
        return self._away is not None

    def _answering(self) -> None:
        if self._away is not None:
            raise StoreAway(self._away)

    async def read(self, table: TableId, after: int) -> Sequence[Entry]:
        self._answering()
        log = self._live(table)
        return [entry for entry in log.entries if entry.version > after] if log else []

    async def entry(self, table: TableId, version: int) -> Entry | None:
        return next((entry for entry in await self.read(table, version - 1) if entry.version == version), None)

    async def save_snapshot(self, table: TableId, snapshot: Snapshot, lifetime: Lifetime) -> None:
        self._answering()
        log = self._live(table)
        if log is None or snapshot.version > log.last:
            return
        if log.snapshot is not None and log.snapshot.version > snapshot.version:
            return
        log.snapshot = snapshot
        log.entries = [entry for entry in log.entries if entry.version > snapshot.version]
        if snapshot.version == log.last:
            log.expires = self._clock() + self._settings.lifetime(lifetime)

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        self._answering()
        log = self._live(table)
        return log.snapshot if log else None

    async def add_player(self, token_hash: str, player: Player) -> None:
        self._answering()
        self._players.put(token_hash, player, self._settings.player)

    async def find_player(self, token_hash: str) -> Player | None:
        self._answering()
        player = self._players.find(token_hash, self._settings.player)
        if player is not None:
            self._renew_results(player.id)
        return player

    async def add_code(self, code: str, table: TableId) -> None:
        self._answering()
        self._codes.put(code, table, self._settings.player)

    async def find_code(self, code: str) -> TableId | None:
        self._answering()
        return self._codes.find(code, self._settings.player)

    async def list_table(self, table: TableId, opened: Millis) -> None:
        self._list(self._lobby, table, opened, MOST_LISTED)

    async def unlist_table(self, table: TableId) -> None:
        self._answering()
        self._lobby.pop(table, None)

    async def listed_tables(self, most: int) -> Sequence[TableId]:
        self._answering()
        return _newest_first(self._lobby)[: max(most, 0)]

    async def list_tournament(self, tournament: TableId, opened: Millis) -> None:
        self._list(self._tournaments, tournament, opened, MOST_TOURNAMENTS)

    async def unlist_tournament(self, tournament: TableId) -> None:
        self._answering()
        self._tournaments.pop(tournament, None)

    async def listed_tournaments(self, most: int) -> Sequence[TableId]:
        self._answering()
        return _newest_first(self._tournaments)[: max(most, 0)]

    def _list(self, listed: dict[TableId, Millis], what: TableId, opened: Millis, most: int) -> None:
        self._answering()
        listed[what] = opened
        if len(listed) > most:
            del listed[_newest_first(listed)[-1]]

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        self._note(self._memberships, player, table, MOST_MEMBERSHIPS)

    async def drop_membership(self, player: PlayerId, table: TableId) -> None:
        self._answering()
        tables = self._noted_for(self._memberships, player)
        if table in tables:
            tables.remove(table)

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        self._answering()
        return tuple(self._noted_for(self._memberships, player))

    async def add_entry(self, player: PlayerId, tournament: TableId) -> None:
        self._note(self._entries, player, tournament, MOST_ENTRIES)

    async def entries(self, player: PlayerId) -> Sequence[TableId]:
        self._answering()
        return tuple(self._noted_for(self._entries, player))

    def _note(self, notes: Expiring[list[TableId]], player: PlayerId, what: TableId, most: int) -> None:
        self._answering()
        others = [other for other in self._noted_for(notes, player) if other != what]
        notes.put(player, [what, *others][:most], self._settings.player)

    def _noted_for(self, notes: Expiring[list[TableId]], player: PlayerId) -> list[TableId]:
        return notes.find(player, self._settings.player) or []

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        self._answering()
        for player in readers:
            noted = self._noted.find(player, self._settings.record) or {}
            noted.setdefault(record, at)
            newest = sorted(noted, key=lambda one: (noted[one], one))[-MOST_RECORDS:]
            self._noted.put(player, {one: noted[one] for one in newest}, self._settings.record)
        if self._records.look(record) is None:
            self._records.put(record, body, self._settings.record)

    async def load_record(self, record: RecordId) -> bytes | None:
        self._answering()
        return self._records.look(record)

    async def records_of(self, player: PlayerId, most: int) -> Sequence[RecordId]:
        self._answering()
        noted = self._noted.look(player) or {}
        return sorted(noted, key=lambda one: (noted[one], one), reverse=True)[: max(most, 0)]

    async def share_record(self, code: str, record: RecordId) -> None:
        self._answering()
        self._shared.put(code, record, self._settings.record)

    async def find_shared(self, code: str) -> RecordId | None:
        self._answering()
        return self._shared.look(code)

    def now(self) -> Millis:
        self._latest = max(self._latest, self._clock())
        return self._latest

    async def health(self) -> Health:
        if self._away is not None:
            return Health(away=True, warnings=(self._away,))
        return Health(away=False, warnings=("Everything is kept in memory only and is lost with this process.",))

    async def close(self) -> None:
        self._away = "the store is closed"


def _newest_first(listed: Mapping[TableId, Millis]) -> list[TableId]:
    return sorted(listed, key=lambda one: (listed[one], one), reverse=True)
