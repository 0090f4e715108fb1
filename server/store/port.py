"""The ports of the store: the log of each table, and the directory of players and tables.

Source: "The log" and "Store" of the design. One contract suite (`tests/store`) holds for every
implementation. Nothing here knows what is in an entry: entries and snapshots are bytes.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType, Protocol

from server.games.game import Millis as Millis
from server.table.ids import Lifetime as Lifetime
from server.table.ids import PlayerId as PlayerId
from server.table.ids import RecordId as RecordId
from server.table.ids import TableId as TableId

ProcessId = NewType("ProcessId", str)
"""A running server process; each start of one has a new id."""


class StoreAway(Exception):
    """The store cannot be reached, refuses to write, or was lost while this was under way.

    For an append the outcome is unknown: read the version again, and compare, before telling.
    """


class StoreRefused(StoreAway):
    """The store answers, but refused this one command: something is wrong with this key, not with the store."""


class Appended(StrEnum):
    """What became of an append."""

    STORED = "stored"
    BEHIND = "behind"
    """The log does not end at the version before: it holds this one already, or a later one, or (when the
    store came back older than what was told) lacks one. Reload and decide again."""
    GONE = "gone"
    """The log has expired; only version 1 may begin one."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log: a version (from 1, without gaps) and what the table wrote."""

    version: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A table's state at a version, as the table wrote it."""

    version: int
    body: bytes


@dataclass(frozen=True, slots=True)
class Player:
    """Who is behind a token: a person, or a program that says so."""

    id: PlayerId
    name: str
    program: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """What the store could lose, in words for the operator; empty means nothing."""

    away: bool
    warnings: tuple[str, ...]


class EventLog(Protocol):
    """One append-only stream of entries for each table."""

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        """Makes the entry durable, and the table's log live on for its lifetime.

        Returns at once; appends of many tables that are waiting at the same moment share one round
        trip and one fsync. When the future holds STORED the entry survives any crash that the
        store's fsync policy covers; only then may anyone be told. Append the next version of a table
        only then, too.

        The future raises:
            StoreAway: the outcome is unknown; `entry` tells it once the store is back.
        """
        ...

    async def read(self, table: TableId, after: int) -> Sequence[Entry]:
        """All entries with versions above `after`, in order; empty if there are none or no log.

        Raises:
            StoreAway
        """
        ...

    async def entry(self, table: TableId, version: int) -> Entry | None:
        """The entry with this version, to compare with one's own after a lost connection.

        Raises:
            StoreAway
        """
        ...

    async def save_snapshot(self, table: TableId, snapshot: Snapshot, lifetime: Lifetime) -> None:
        """Keeps the snapshot (a later one is never replaced by an earlier) and cuts the log up to it.

        The log keeps its last version, so that an append behind it is still refused. A snapshot of a
        version that the log never had, or of a log that has expired, is not kept.

        Raises:
            StoreAway
        """
        ...

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        """The latest snapshot, if there is one.

        Raises:
            StoreAway
        """
        ...


class Directory(Protocol):
    """Players by their tokens, tables by their codes, the lobby, who is at which table or in which tournament.

    These are indexes: written before the entry they point to, checked against the log on use.
    All methods raise StoreAway.
    """

    async def add_player(self, token_hash: str, player: Player) -> None:
        """Keeps a player under the hash of the token; kept for the players' lifetime after last use."""
        ...

    async def find_player(self, token_hash: str) -> Player | None:
        """The player of a token, whose lifetime begins anew, and that of his results."""
        ...

    async def add_code(self, code: str, table: TableId) -> None:
        """Lets a join code lead to a table."""
        ...

    async def find_code(self, code: str) -> TableId | None:
        """The table of a join code."""
        ...

    async def list_table(self, table: TableId, opened: Millis) -> None:
        """Puts a public table into the lobby."""
        ...

    async def unlist_table(self, table: TableId) -> None:
        """Takes a table out of the lobby."""
        ...

    async def listed_tables(self, most: int) -> Sequence[TableId]:
        """The tables in the lobby, newest first."""
        ...

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        """Notes that a player sits or watches at a table; at most 16 tables, the oldest is dropped."""
        ...

    async def drop_membership(self, player: PlayerId, table: TableId) -> None:
        """Notes that a player is no longer at a table."""
        ...

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        """The tables a player is at, latest first."""
        ...

    async def list_tournament(self, tournament: TableId, opened: Millis) -> None:
        """Puts a tournament, whose log stands under this id, into the list of them; at most 1,000, the oldest goes."""
        ...

    async def unlist_tournament(self, tournament: TableId) -> None:
        """Takes a tournament out of the list."""
        ...

    async def listed_tournaments(self, most: int) -> Sequence[TableId]:
        """The tournaments in the list, newest first."""
        ...

    async def add_entry(self, player: PlayerId, tournament: TableId) -> None:
        """Notes that a player enters or directs a tournament; at most 32, the oldest is dropped."""
        ...

    async def entries(self, player: PlayerId) -> Sequence[TableId]:
        """The tournaments a player entered or directs, latest first."""
        ...


class Archive(Protocol):
    """Records of finished deals, which outlive their tables. All methods raise StoreAway."""

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        """Keeps a record for the records' lifetime, and notes it for its readers: first the note, then the record.

        Saving it again changes nothing. Each reader's newest 500 are noted.
        """
        ...

    async def load_record(self, record: RecordId) -> bytes | None:
        """The body of a record."""
        ...

    async def records_of(self, player: PlayerId, most: int) -> Sequence[RecordId]:
        """The records noted for a player, newest first; each is to be checked."""
        ...

    async def share_record(self, code: str, record: RecordId) -> None:
        """Lets a code lead to a record, for the records' lifetime."""
        ...

    async def find_shared(self, code: str) -> RecordId | None:
        """The record that a code leads to."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's line in the ranking of a day, as the runtime wrote it, and its place from 1."""

    place: int
    body: bytes


class Results(Protocol):
    """What players have made of their deals, and the deals of the day. All methods raise StoreAway."""

    async def save_result(self, player: PlayerId, record: RecordId, body: bytes, at: Millis) -> None:
        """Keeps a result under the name of its record, as long as the player.

        Saving it again changes nothing. A player's newest 5,000 are kept.
        """
        ...

    async def results_of(self, player: PlayerId) -> Sequence[bytes]:
        """All results of a player, oldest first; their lifetime begins anew."""
        ...

    async def make_day(self, day: str, secret: bytes) -> bytes:
        """The secret of a day: this one, if it has none yet; kept for the days' lifetime."""
        ...

    async def find_day(self, day: str) -> bytes | None:
        """The secret of a day, if it has one."""
        ...

    async def note_attempt(self, day: str, game: str, player: PlayerId, record: RecordId) -> RecordId:
        """The record of the player's first attempt at a deal of the day: this one, if none is noted yet."""
        ...

    async def find_attempt(self, day: str, game: str, player: PlayerId) -> RecordId | None:
        """The record of the player's first attempt, if he has begun one."""
        ...

    async def rank(self, day: str, game: str, player: PlayerId, score: int, body: bytes) -> None:
        """Puts a player into the ranking of a day, the lowest score first; who stands in it stays as he is.

        The best 10,000 are kept, for the days' lifetime.
        """
        ...

    async def ranking(self, day: str, game: str, most: int) -> Sequence[bytes]:
        """The first lines of the ranking of a day."""
        ...

    async def ranked(self, day: str, game: str, player: PlayerId) -> Ranked | None:
        """The player's own line, if he stands in the ranking."""
        ...


class Processes(Protocol):
    """Which server processes there are, which tables each works on, and what they tell each other.

    All methods raise StoreAway unless they say otherwise.
    """

    async def renew(self, process: ProcessId) -> frozenset[ProcessId]:
        """The process lives for another lease (of the store's clock); all that live now, itself included."""
        ...

    async def retire(self, process: ProcessId) -> None:
        """The process ends its lease now: what tables it still has can be taken over at once."""
        ...

    async def lapsed(self) -> Sequence[ProcessId]:
        """Processes whose lease is over and that nobody has cleared away yet."""
        ...

    async def attend(self, table: TableId, process: ProcessId, word: bytes) -> Mapping[ProcessId, bytes]:
        """Notes that a process works on a table, with a word of its own, and answers with the words of all there.

        The table is on the list of the process before the word is at the table. The words at a table
        are kept for a day after the last of them was written.
        """
        ...

    async def quit(self, table: TableId, process: ProcessId) -> None:
        """The process works on the table no longer: its word goes, then the table goes from its list."""
        ...

    async def tables_of(self, process: ProcessId, most: int) -> Sequence[TableId]:
        """Some tables on the list of a process, whichever."""
        ...

    async def clear(self, process: ProcessId) -> None:
        """Forgets a lapsed process that has no tables left; nothing happens if it lives again or has some."""
        ...

    async def listen(self, process: ProcessId, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """From now on `heard` is given what is told to this process, in order, until `close`; once for each process.

        `missed` is called whenever listening was interrupted and is on again: messages may have been lost.
        """
        ...

    def tell(self, process: ProcessId, message: bytes) -> None:
        """Sends a message to a process soon, later than all that was told to it before; raises nothing.

        It is lost when the store is lost, or when that process does not listen.
        """
        ...


class Store(EventLog, Directory, Archive, Results, Processes, Protocol):
    """The whole store, as the runtime sees it."""

    def now(self) -> Millis:
        """The store's clock, from a measured offset; never goes back in one process."""
        ...

    async def health(self) -> Health:
        """Whether the store answers, and what it could lose (persistence, fsync, eviction)."""
        ...

    async def close(self) -> None:
        """Ends the connection; pending appends raise StoreAway."""
        ...
