"""A table out of the store: its latest snapshot, and the entries after it."""

import logging
from dataclasses import dataclass

from server.store.port import Snapshot, Store, StoreRefused
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


def unreadable(what: str, fault: Unreadable | StoreRefused) -> str:
    """Tells the operator that a table or record cannot be read; the code with which it is refused."""
    log.error("%s cannot be read: %s", what, fault)
    return "table_newer" if isinstance(fault, NewerFormat) else "table_frozen"


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
            log.exception("entry %d of table %s cannot be applied", entry.version, table_id)
            raise Unreadable(f"entry {entry.version}: {bug!r}") from bug
    return None if table is None else Loaded(table, snapshot_version, tuple(finished))
