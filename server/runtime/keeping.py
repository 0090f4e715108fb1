"""What a table leaves behind while it goes on: records and results of its deals, and snapshots of its state."""

import asyncio
import logging
from collections.abc import Callable

from server.figures import FIGURES
from server.games.game import Stage
from server.runtime import results
from server.runtime.loading import Loaded
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.store.port import Snapshot, Store, StoreAway, StoreRefused
from server.table import codec
from server.table.ids import TableId
from server.table.records import DealRecord
from server.table.state import Table

log = logging.getLogger(__name__)
SNAPSHOT_AFTER = 200
"""How many entries make a snapshot due; it is taken at the next end of a deal, or at twice as many."""
MAKE_UP_SECONDS = 2.0
"""How long the process that stored a deal's last entry has for its record before the others look for it."""


class Keeper:
    """Saves one thing after another, in the background: a snapshot only after the records of what it cuts off."""

    def __init__(
        self, table_id: TableId, store: Store, watch: StoreWatch, tasks: Tasks, done: Callable[[], None]
    ) -> None:
        self._id = table_id
        self._store = store
        self._watch = watch
        self._tasks = tasks
        self._done = done
        self._snapshot_version = 0
        self._saving: asyncio.Task[None] | None = None
        self._of_others: tuple[DealRecord, ...] = ()
        self._looking: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """Whether something is being saved."""
        return self._looking is not None or (self._saving is not None and not self._saving.done())

    def loaded(self, loaded: Loaded | None) -> None:
        """The table was loaded: what a crash kept from being saved is saved now."""
        self._snapshot_version = 0 if loaded is None else loaded.snapshot_version
        if loaded is not None:
            self._save(loaded.records, None, new=False)

    def stored(self, table: Table, finished: tuple[DealRecord, ...]) -> None:
        """The table has a new entry, which may have finished a deal."""
        since = table.version - self._snapshot_version
        due = since >= 2 * SNAPSHOT_AFTER or (since >= SNAPSHOT_AFTER and table.stage is not Stage.DEAL)
        if due:
            self._snapshot_version = table.version
            self.make_up()
        self._save(finished, table if due else None, new=True)

    def followed(self, finished: tuple[DealRecord, ...]) -> None:
        """Another process has stored an entry, which may have finished a deal: it saves what that leaves behind."""
        self._of_others += finished
        if finished and self._looking is None:
            self._looking = asyncio.get_running_loop().call_later(MAKE_UP_SECONDS, self.make_up)

    def make_up(self) -> None:
        """Saves the records of deals that others have finished, should they not have come to it."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        finished, self._of_others = self._of_others, ()
        self._save(finished, None, new=False)

    def _save(self, finished: tuple[DealRecord, ...], table: Table | None, *, new: bool) -> None:
        """`new`: this process has just finished these deals, so that no other has saved them."""
        if finished or table is not None:
            before = self._saving if self.busy else None
            self._saving = self._tasks.start(self._save_after(before, finished, table, new=new))
            self._saving.add_done_callback(self._saved)

    def _saved(self, task: asyncio.Task[None]) -> None:
        if task is self._saving:
            self._done()

    async def _save_after(
        self, before: asyncio.Task[None] | None, finished: tuple[DealRecord, ...], table: Table | None, *, new: bool
    ) -> None:
        if before is not None:
            await asyncio.wait((before,))
        for record in finished:
            await self._save_record(record, new=new)
        if table is not None:
            await self._save_snapshot(table)

    async def _save_record(self, record: DealRecord, *, new: bool) -> None:
        while True:
            await self._watch.back()
            try:
                if new or await self._store.load_record(record.id) is None:
                    await results.keep(self._store, record)  # before the record, which says that it is done
                    body = codec.encode_record(record)
                    await self._store.save_record(record.id, body, record.readers, record.plain["at"])
                    FIGURES.records += 1
                return
            except StoreRefused as refused:
                log.error("record %s cannot be saved: %s", record.id, refused, extra={"table": self._id})
                return
            except StoreAway:
                self._watch.lost()

    async def _save_snapshot(self, table: Table) -> None:
        try:
            snapshot = Snapshot(table.version, codec.encode_snapshot(table))
            await self._store.save_snapshot(self._id, snapshot, table.lifetime)
            FIGURES.snapshots += 1
        except StoreRefused as refused:
            words = "table %s: the snapshot of version %d cannot be saved: %s"
            fields = {"table": self._id, "version": table.version}
            log.error(words, self._id, table.version, refused, extra=fields)
        except StoreAway:
            self._watch.lost()  # the next one comes in its time
