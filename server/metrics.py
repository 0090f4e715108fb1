"""The figures of this process as Prometheus metrics, and the port on which they are read.

`measure` runs in every process that serves and once a second adds what `server.figures` has counted since. The
port is opened by `published`: in the process itself, or, with several, in their parent, which adds them up:

    with shared() as folder, published(configuration, folder):   # before the first child is started (spawned)
        ...                                                       # ended(folder, pid) when one has died

All label values come from closed sets: error codes and the words in this module.
"""

import asyncio
import contextlib
import dataclasses
import functools
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from protocol.errors import ErrorCode
from server.configuration import Configuration
from server.figures import FIGURES, Figures, Spread

log = logging.getLogger(__name__)

TICK: Final = 0.1
"""Seconds between two looks at the event loop's lag."""
TICKS: Final = 10
"""After so many of them the figures are added."""
_CODES: Final = frozenset(ErrorCode)
OTHER: Final = "other"
"""Stands for a code that is none of the protocol's."""

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
_REGISTRY: Final = CollectorRegistry()
_PLAIN: Final = {
    "cut_off": ("kop_slow_readers_cut_off", "Connections closed because they read too slowly"),
    "floods": ("kop_floods_closed", "Connections closed because they sent too much"),
    "store_lost": ("kop_store_lost", "Times the store was lost"),
    "snapshots": ("kop_snapshots_saved", "Snapshots saved"),
    "records": ("kop_records_saved", "Records of finished deals saved"),
    "rolled_back": ("kop_tables_rolled_back", "Tables that went back because the store came back older"),
    "frozen": ("kop_tables_frozen", "Tables that stopped or could not be loaded"),
    "thinking_jobs": ("kop_thinking_jobs", "Questions to the processes that think"),
    "thinking_seconds": ("kop_thinking_seconds", "Time from question to answer, the queue included"),
    "thinking_killed": ("kop_thinking_killed", "Thinking that took too long and was killed"),
    "thinking_failed": ("kop_thinking_failed", "Thinking that was not taken or failed"),
}
_BY_CODE: Final = {
    "refused": ("kop_commands_refused", "Messages refused, by error code"),
    "bad_frames": ("kop_bad_frames", "Frames that were no message, by error code"),
}
_BY_WHOM: Final = {"accepted": "player", "accepted_own": "server"}
_SPREADS: Final = {
    "append_seconds": ("kop_append_seconds", "How long a group of appends was under way until durable"),
    "group_sizes": ("kop_append_group_size", "Appends that shared one round trip and one fsync"),
    "lag_seconds": ("kop_loop_lag_seconds", "How late the event loop came to a timer"),
}


@dataclasses.dataclass(frozen=True, slots=True)
class Present:
    """How things stand in this process at one moment."""

    connections: int
    visitors: int
    tables: int
    readers: int
    watchers: int
    store_away: bool


_PRESENT: Final = {
    "connections": ("kop_connections", "Open websockets"),
    "visitors": ("kop_visitors", "Sockets that are no websockets, or not yet"),
    "tables": ("kop_tables", "Tables at work"),
    "readers": ("kop_readers", "Connections at tables, each counted at each of its tables"),
    "watchers": ("kop_watchers", "Those of the readers that only watch"),
    "store_away": ("kop_store_away", "Processes to which the store is away"),
}


class _AddedHistogram(Histogram):
    """A histogram to which many values are added at once, which the library does not offer."""

    def add(self, counts: list[int], total: float) -> None:
        """Adds how many values fell into each bucket, and their sum."""
        for bucket, count in zip(self._buckets, counts, strict=True):
            if count:
                bucket.inc(count)
        self._sum.inc(total)


class Meter:
    """The metrics of one process; make one only, after the folder of `shared` is known."""

    def __init__(self, registry: CollectorRegistry, figures: Figures) -> None:
        self._figures = figures
        self._spent = 0.0
        self._seen: dict[str, float] = dict.fromkeys((*_PLAIN, *_BY_WHOM), 0.0)
        self._seen_by_code: dict[tuple[str, str], int] = {}
        self._seen_spreads = {name: ([0] * len(_spread(figures, name).counts), 0.0) for name in _SPREADS}
        self._plain = {name: Counter(*words, registry=registry) for name, words in _PLAIN.items()}
        self._cpu = Counter("kop_cpu_seconds", "Processor time, user and system", registry=registry)
        self._by_code = {name: Counter(*words, ["code"], registry=registry) for name, words in _BY_CODE.items()}
        accepted = Counter(
            "kop_commands_accepted", "Entries written, by who gave the command", ["by"], registry=registry
        )
        self._by_whom = {name: accepted.labels(by=whom) for name, whom in _BY_WHOM.items()}
        self._spreads = {
            name: _AddedHistogram(*words, registry=registry, buckets=_spread(figures, name).bounds)
            for name, words in _SPREADS.items()
        }
        self._present = {name: _gauge(*words, registry) for name, words in _PRESENT.items()}
        _gauge("kop_processes", "Processes that serve", registry).set(1)
        began = _gauge("kop_start_time_seconds", "When the newest process began, from 1970 on", registry, "livemax")
        began.set(time.time())  # noqa: TID251  Prometheus compares it with the world's time
        build = Gauge(
            "kop_build_info", "The version of the server", ["version"], registry=registry, multiprocess_mode="livemax"
        )
        build.labels(version=_version()).set(1)

    def add(self, present: Present) -> None:
        """Adds what was counted since the last call."""
        for name, gauge in self._present.items():
            gauge.set(getattr(present, name))
        for name, counter in (*self._plain.items(), *self._by_whom.items()):
            now = getattr(self._figures, name)
            counter.inc(now - self._seen[name])
            self._seen[name] = now
        spent = time.process_time()
        self._cpu.inc(spent - self._spent)
        self._spent = spent
        for name in _BY_CODE:
            self._add_codes(name, getattr(self._figures, name))
        for name in _SPREADS:
            self._add_spread(name, _spread(self._figures, name))

    def _add_codes(self, name: str, counts: Mapping[str, int]) -> None:
        for code, now in counts.items():
            new = now - self._seen_by_code.get((name, code), 0)
            if new:
                label = code if code in _CODES else OTHER
                self._by_code[name].labels(code=str(label)).inc(new)
                self._seen_by_code[name, code] = now

    def _add_spread(self, name: str, spread: Spread) -> None:
        counts, total = self._seen_spreads[name]
        now, total_now = spread.counts.copy(), spread.total
        if now != counts:
            self._spreads[name].add([new - old for new, old in zip(now, counts, strict=True)], total_now - total)
            self._seen_spreads[name] = now, total_now


@functools.cache
def _own_meter() -> Meter:
    return Meter(_REGISTRY, FIGURES)


async def measure(present: Callable[[], Present]) -> None:
    """Adds up what this process counts, until cancelled."""
    meter = _own_meter()
    loop = asyncio.get_running_loop()
    try:
        while True:
            for _ in range(TICKS):
                due = loop.time() + TICK
                await asyncio.sleep(TICK)
                FIGURES.lag_seconds.note(max(0.0, loop.time() - due))
            meter.add(present())
    finally:
        meter.add(present())


@contextlib.contextmanager
def published(configuration: Configuration, folder: Path | None = None) -> Iterator[None]:
    """The port for `/metrics` is open in the block: of this process, or of all that count in the folder.

    A port that cannot be had is logged, and that is all.
    """
    if configuration.metrics_port == 0:
        yield
        return
    registry = _REGISTRY
    if folder is not None:
        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(folder))  # type: ignore[no-untyped-call]
    try:
        server, thread = start_http_server(configuration.metrics_port, configuration.metrics_host, registry)
    except OSError as fault:
        log.warning("no metrics: port %d of %s: %s", configuration.metrics_port, configuration.metrics_host, fault)
        yield
        return
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def shared() -> Iterator[Path]:
    """A folder in which the processes that are started in the block count together; it goes with the block."""
    with tempfile.TemporaryDirectory(prefix="kop-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield Path(folder)
        finally:
            del os.environ[_FOLDER]


def ended(folder: Path, pid: int) -> None:
    """A process has died: what it had open is open no longer; what it has done stays counted."""
    mark_process_dead(pid, str(folder))  # type: ignore[no-untyped-call]


def _gauge(name: str, words: str, registry: CollectorRegistry, mode: str = "livesum") -> Gauge:
    return Gauge(name, words, registry=registry, multiprocess_mode=mode)  # type: ignore[arg-type]


def _spread(figures: Figures, name: str) -> Spread:
    spread: Spread = getattr(figures, name)
    return spread


def _version() -> str:
    try:
        return version("kop-online")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "unknown"
