"""A table out of the store: its latest snapshot, and the entries after it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from server.figures import FIGURES
from server.store.port import Entry, Snapshot, Store, StoreRefused
from server.table import codec
from server.table.codec import NewerFormat, Unreadable
from server.table.ids import TableId
from server.table.records import DealRecord, records
from server.table.state import Table

log = logging.getLogger(__name__)
ATTEMPTS = 5


class _Gap(Unreadable):
    """An entry is missing: or a snapshot has just cut it off."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table from the store, the version of the snapshot it was loaded from (0: none), the deals since."""

    table: Table
    snapshot_version: int
    records: tuple[DealRecord, ...]


async def load(table_id: TableId, store: Store) -> Loaded | None:
    """The table in the store; None if there is none.

    A snapshot that is saved between the two reads cuts off entries that this one misses, or all of them: then it
    reads again.

    Raises:
        StoreAway
        Unreadable: an entry cannot be read, or the store refuses it; nothing is skipped.
    """
    try:
        return await _load_at_once(table_id, store)
    except StoreRefused as refused:
        raise Unreadable(f"the store refuses it: {refused}") from refused


async def beyond(state: Table, store: Store) -> Sequence[Entry] | Loaded | None:
    """What the log has beyond a state: the entries after it, or the table anew if the state's own entry is not there.

    A snapshot has then cut that entry off, or the store came back older. None: there is no such table any more.

    Raises:
        StoreAway
        Unreadable
    """
    try:
        entries = await store.read(state.id, state.version - 1)
    except StoreRefused as refused:
        raise Unreadable(f"the store refuses it: {refused}") from refused
    if entries and entries[0].version == state.version and codec.nonce(entries[0].body) == state.nonce:
        return entries[1:]
    return await load(state.id, store)


def unreadable(what: str, fault: Unreadable | StoreRefused) -> str:
    """Tells the operator that a table or record cannot be read; the code with which it is refused."""
    code = "table_newer" if isinstance(fault, NewerFormat) else "table_frozen"
    if code == "table_frozen":
        FIGURES.frozen += 1
    table = what.partition("-")[0]  # a record's name begins with that of its table
    log.error("%s cannot be read: %s", what, fault, extra={"table": table, "code": code})
    return code


def _version(snapshot: Snapshot | None) -> int:
    return 0 if snapshot is None else snapshot.version


async def _load_at_once(table_id: TableId, store: Store) -> Loaded | None:
    loaded: Loaded | None = None
    gap: _Gap | None = None
    for _ in range(ATTEMPTS):
        snapshot = await store.load_snapshot(table_id)
        try:
            loaded, gap = await _load(table_id, snapshot, store), None
        except _Gap as fault:
            loaded, gap = None, fault
        if loaded is not None and loaded.table.version > loaded.snapshot_version:
            return loaded
        if _version(await store.load_snapshot(table_id)) == _version(snapshot):
            break
    if gap is not None:
        raise gap
    return loaded


async def _load(table_id: TableId, snapshot: Snapshot | None, store: Store) -> Loaded | None:
    table = None if snapshot is None else codec.decode_snapshot(snapshot.body)
    snapshot_version = 0 if table is None else table.version
    finished: list[DealRecord] = []
    for entry in await store.read(table_id, snapshot_version):
        expected = 1 if table is None else table.version + 1
        if entry.version != expected:
            raise _Gap(f"entry {expected} is missing")
        line = codec.decode(entry.version, entry.body, None if table is None else table.game_name)
        try:
            before, table = table, codec.settled(table, codec.evolved(table, line.events), line)
            finished.extend(records(table, before, line.events, line.at))
        except Unreadable:
            raise
        except Exception as bug:  # as at the actor's edge: a bug of ours stops this table and no other
            fields = {"table": table_id, "version": entry.version}
            log.exception("entry %d of table %s cannot be applied", entry.version, table_id, extra=fields)
            raise Unreadable(f"entry {entry.version}: {type(bug).__name__}") from bug
    return None if table is None else Loaded(table, snapshot_version, tuple(finished))
