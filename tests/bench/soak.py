"""`make soak`: matches without end, storms of reconnects, leaves and new tables; then everything has to be as before.

    python -m tests.bench.soak [--minutes 10] [--tables 40] [--out DIR]

The baseline is taken after a shorter evening of the same kind. The exit code is 1 if memory, open files, threads or
the store's keys do not come back to it.
"""

import argparse
import asyncio
import contextlib
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from redis.asyncio import Redis

from tests.bench.cores import cores, on
from tests.bench.figures import Row, Spread
from tests.bench.guests import Party, Tally
from tests.bench.part import Part, progress
from tests.bench.plot import plot_soak
from tests.bench.processes import KIB, holding
from tests.bench.report import OUT, keep
from tests.bench.servers import Served, product
from tests.bench.valkey import valkey

STORM_EVERY = 12.0
SAMPLE_EVERY = 2.0
MOST_WARM, WARM_SHARE = 120.0, 0.5
"""Seconds: what Python and the allocator take once for ever must be taken before the baseline."""
SETTLE_SECONDS = 90.0
STAYING = frozenset(
    {
        "player",
        "at",
        "code",
        "record",
        "records",
        "results",
        "result",
        "shared",
        "day",
        "ranking",
        "ranked",
        "processes",
    }
)
"""Keys that are meant to outlive their tables: they have a time of their own."""
SHORT_LIVES = {"KOP_KEEP_UNSTARTED_MS": "20000", "KOP_KEEP_MATCH_MS": "45000", "KOP_KEEP_ENDED_MS": "10000"}
"""Tables expire while the soak waits; with the usual times nobody would see it."""
MEMORY_SLACK, FILES_SLACK, THREADS_SLACK = 1.1, 4, 2
"""What counts as level: memory within a tenth; a few connections to the store more, a thread or two."""


@dataclass(frozen=True, slots=True)
class Sample:
    """The server and its store at one moment."""

    at: float
    private: int
    files: int
    threads: int
    keys: int
    """Without those that are meant to stay."""


def kind_of(key: str) -> str:
    """What a key of the store holds, by its name: `kop:{table}:log` is a log, `kop:player:…` a player.

    `kop:at:…`, where a player is, lives as long as he; `kop:{table}:at`, who works on a table, goes with that.
    """
    head, _, tail = key.partition("}:")
    if "{" not in head:
        return key.split(":")[1]
    return "attendance" if tail == "at" else tail


def counted(keys: list[str]) -> Counter[str]:
    """How many keys there are of each kind."""
    return Counter(map(kind_of, keys))


def passing(kinds: Counter[str]) -> int:
    """How many of these have to go when the tables have gone."""
    return sum(number for kind, number in kinds.items() if kind not in STAYING)


def faults(baseline: Sample, end: Sample) -> list[str]:
    """What has not come back to the baseline."""
    found = []
    if end.private > baseline.private * MEMORY_SLACK:
        found.append(f"memory: {end.private // KIB:,} KiB, more than a tenth above {baseline.private // KIB:,} KiB")
    if end.files > baseline.files + FILES_SLACK:
        found.append(f"open files: {end.files} instead of {baseline.files}")
    if end.threads > baseline.threads + THREADS_SLACK:
        found.append(f"threads: {end.threads} instead of {baseline.threads}")
    if end.keys > baseline.keys:
        found.append(f"keys: {end.keys} instead of {baseline.keys}")
    return found


class Watcher:
    """Takes samples of a server and its store."""

    def __init__(self, server: Served, store: Redis) -> None:
        self._server = server
        self._store = store
        self.samples: list[Sample] = []
        self.kinds: Counter[str] = Counter()

    async def sample(self) -> Sample:
        """One more sample."""
        self.kinds = counted([key.decode() async for key in self._store.scan_iter(count=1000)])
        held = holding(self._server.pid)
        one = Sample(time.monotonic(), held.private, held.files, held.threads, passing(self.kinds))
        self.samples.append(one)
        return one

    async def watch(self) -> None:
        """A sample every two seconds, until cancelled."""
        while True:
            await self.sample()
            await asyncio.sleep(SAMPLE_EVERY)

    async def settled(self, wanted: Sample | None) -> Sample:
        """Waits until all is as wanted, or as little as it gets, or the time is over; the last sample."""
        ends = time.monotonic() + SETTLE_SECONDS
        while True:
            one = await self.sample()
            level = one.keys == 0 if wanted is None else not faults(wanted, one)
            if level or time.monotonic() > ends:
                return one
            await asyncio.sleep(SAMPLE_EVERY)


@dataclass(frozen=True, slots=True)
class Soaked:
    """What a soak has shown."""

    baseline: Sample
    peak: Sample
    end: Sample
    samples: list[Sample]
    storms: list[float]
    kinds: Counter[str]
    tally: Tally


async def soaked(server: Served, store_url: str, seconds: float, tables: int) -> Soaked:
    """The shorter evening, the baseline, the long one, and the end."""
    async with Redis.from_url(store_url) as store:
        watcher, tally = Watcher(server, store), Tally()
        party = Party(server.url, tables, tally)
        warm = min(MOST_WARM, max(15.0, seconds * WARM_SHARE))
        progress(f"warming up for {warm:.0f} s: {tables} tables, {4 * tables} players")
        await party.run(warm, STORM_EVERY)
        progress("waiting until everything has expired")
        baseline = await watcher.settled(None)
        party.stormed_at.clear()
        watcher.samples.clear()
        progress(f"soaking for {seconds:.0f} s; baseline {baseline.private / KIB:,.0f} KiB")
        watching = asyncio.get_running_loop().create_task(watcher.watch())
        telling = asyncio.get_running_loop().create_task(_tell(watcher, tally))
        await party.run(seconds, STORM_EVERY)
        for task in (watching, telling):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        progress("everybody has left; waiting until everything has expired")
        end = await watcher.settled(baseline)
        samples = watcher.samples
        peak = Sample(
            0.0, *(max(getattr(one, name) for one in samples) for name in ("private", "files", "threads", "keys"))
        )
        return Soaked(baseline, peak, end, samples, party.stormed_at, watcher.kinds, tally)


async def _tell(watcher: Watcher, tally: Tally) -> None:
    while True:
        await asyncio.sleep(30)
        now = watcher.samples[-1]
        progress(
            f"{tally.moves:,} moves, {tally.tables} tables, {tally.cuts} cuts; "
            f"{now.private / KIB:,.0f} KiB, {now.files} files, {now.keys} keys"
        )


def part_of(found: Soaked, minutes: float, tables: int) -> Part:
    """The report."""
    settings = {"minutes": minutes, "tables": tables, "storm_every_s": STORM_EVERY, **SHORT_LIVES}
    part = Part("soak", "Soak", settings)
    for name, unit, divisor in (("private", "KiB", KIB), ("files", "", 1), ("threads", "", 1), ("keys", "", 1)):
        words = {"private": "memory", "files": "open files", "keys": "keys of the store"}.get(name, name)
        for moment, one in (("baseline", found.baseline), ("peak", found.peak), ("end", found.end)):
            value = getattr(one, name) / divisor
            part.rows.append(Row(f"{name}.{moment}", f"{words}, {moment}", unit, Spread.of([value])))
    tally = found.tally
    part.notes.append(
        f"{tally.moves:,} moves at {tally.tables:,} tables; {len(found.storms)} storms, {tally.cuts:,} connections cut"
    )
    part.notes.append(f"keys at the end: {', '.join(f'{kind} {n}' for kind, n in sorted(found.kinds.items()))}")
    part.errors = [*faults(found.baseline, found.end), *tally.errors.elements()]
    part.notes.append("level" if not part.errors else "NOT LEVEL")
    return part


def main() -> None:
    """Soaks, prints the table, plots, and says by the exit code whether all came back."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak")
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--out", type=Path, default=OUT, help="where bench.json, README.md and soak.png are written")
    options = parser.parse_args()
    shared = cores()
    with (
        tempfile.TemporaryDirectory() as folder,
        on(shared.others),
        valkey(Path(folder) / "v") as store,
        product(Path(folder) / "server", store, shared, SHORT_LIVES) as server,
    ):
        found = asyncio.run(soaked(server, store, 60 * options.minutes, options.tables))
    part = part_of(found, options.minutes, options.tables)
    options.out.mkdir(parents=True, exist_ok=True)
    plot_soak(found.samples, found.baseline, found.storms, options.out / "soak.png")
    keep([part], options.out, shared)
    sys.exit(1 if part.errors else 0)


if __name__ == "__main__":
    main()
