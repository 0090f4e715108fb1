"""The store over a Redis (7 or newer) or a Valkey: a stream for each table, and the directory."""

# ruff: noqa: D102 (the port says what each method promises)

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence

from server.store.archive import RedisArchive
from server.store.checks import what_could_be_lost
from server.store.clock import StoreClock
from server.store.directory import RedisDirectory
from server.store.flusher import Flusher
from server.store.keys import SAVE_SNAPSHOT, log_key, process_channel, snapshot_key
from server.store.link import Link
from server.store.port import (
    Appended,
    Entry,
    Health,
    Lifetime,
    Millis,
    ProcessId,
    Snapshot,
    Store,
    StoreAway,
    TableId,
)
from server.store.processes import RedisProcesses
from server.store.results import RedisResults
from server.store.settings import StoreSettings

log = logging.getLogger(__name__)

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0


def _no_warnings() -> tuple[str, ...]:
    return ()


class RedisStore(RedisDirectory, RedisArchive, RedisResults, RedisProcesses, Store):
    """A store that comes back by itself; open it with `RedisStore.open`, end it with `close`."""

    def __init__(self, url: str, settings: StoreSettings, more_warnings: Callable[[], tuple[str, ...]]) -> None:
        self._link = Link(url, settings, self._lost)
        RedisDirectory.__init__(self, self._link, settings)
        RedisArchive.__init__(self, self._link, settings)
        RedisResults.__init__(self, self._link, settings)
        RedisProcesses.__init__(self, self._link, settings)
        self._flusher = Flusher(self._link, settings)
        self._clock = StoreClock()
        self._more_warnings = more_warnings
        self._keeping: asyncio.Task[None] | None = None

    @classmethod
    async def open(
        cls,
        url: str,
        settings: StoreSettings | None = None,
        *,
        more_warnings: Callable[[], tuple[str, ...]] = _no_warnings,
    ) -> "RedisStore":
        """Connects to `redis://`, `rediss://` or `unix://`; `close` the store at the end.

        `more_warnings` adds what only its owner knows to `health` (`EmbeddedValkey.warnings`).

        Raises:
            StoreAway: it does not answer yet; the caller may try again.
            ValueError: the URL cannot be understood.
        """
        store = cls(url, settings or StoreSettings(), more_warnings)
        try:
            await store._probe()
        except BaseException:
            store._link.close()
            raise
        store._keeping = asyncio.get_running_loop().create_task(store._keep())
        store._keeping.add_done_callback(store._kept)
        return store

    @property
    def round_trips(self) -> int:
        """How many group commits were sent; appends divided by this is the size of a group."""
        return self._flusher.round_trips

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        if version < 1:
            raise ValueError(f"versions count from 1, not {version}")
        return self._flusher.append(table, version, body, lifetime)

    async def read(self, table: TableId, after: int) -> Sequence[Entry]:
        return [_entry(line) for line in await self._link.ask("XRANGE", log_key(table), f"{after + 1}-0", "+")]

    async def entry(self, table: TableId, version: int) -> Entry | None:
        lines = await self._link.ask("XRANGE", log_key(table), f"{version}-0", f"{version}-0")
        return _entry(lines[0]) if lines else None

    async def save_snapshot(self, table: TableId, snapshot: Snapshot, lifetime: Lifetime) -> None:
        keys = (log_key(table), snapshot_key(table))
        kept_for = self._settings.lifetime(lifetime)
        self._flusher.forget(table)
        await self._link.ask("EVAL", SAVE_SNAPSHOT, len(keys), *keys, snapshot.version, snapshot.body, kept_for)
        self._flusher.forget(table)  # an append may have been stored meanwhile

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        version, body = await self._link.ask("HMGET", snapshot_key(table), "v", "b")
        return None if version is None else Snapshot(int(version), body)

    async def listen(self, process: ProcessId, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        await self._link.listen(process_channel(process), heard, missed)

    def tell(self, process: ProcessId, message: bytes) -> None:
        self._flusher.tell(process_channel(process), message)

    def now(self) -> Millis:
        return self._clock.now()

    async def health(self) -> Health:
        more = self._more_warnings()
        try:
            return Health(away=False, warnings=(*more, *await what_could_be_lost(self._link)))
        except StoreAway as away:
            return Health(away=True, warnings=(*more, f"The store is away: {away}"))

    async def close(self) -> None:
        self._link.close()
        self._flusher.fail("the store is closed")
        if self._keeping is not None:
            self._keeping.cancel()
            await asyncio.gather(self._keeping, return_exceptions=True)  # `_kept` has logged it

    def _kept(self, task: asyncio.Task[None]) -> None:
        """The task ends by `close` only; else nobody may wait for it in vain."""
        if not task.cancelled() and (bug := task.exception()) is not None:
            log.critical("the store has stopped", exc_info=bug)
            self._link.lose("it has stopped after an error of its own; restart the server")

    def _lost(self, reason: str) -> None:
        self._flusher.fail(reason)

    async def _probe(self) -> None:
        sent = self._clock.read()
        self._clock.measured(sent, await self._link.probe(), self._clock.read())

    async def _keep(self) -> None:
        """Measures the clock at each heartbeat, and brings a lost store back."""
        pause = _FIRST_PAUSE_S
        while True:
            try:
                await self._probe()
            except StoreAway:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE_S)
            else:
                pause = _FIRST_PAUSE_S
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._settings.heartbeat / 1000):
                        await self._link.lost.wait()


def _entry(line: tuple[bytes, Sequence[bytes]]) -> Entry:
    stream_id, (_, body) = line
    return Entry(int(stream_id.partition(b"-")[0]), body)
