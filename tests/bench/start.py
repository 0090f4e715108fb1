"""How long a server takes to be ready beside many open matches, and a returning player to see his table."""

import contextlib
import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.bench.cores import Cores
from tests.bench.figures import Row, Spread
from tests.bench.filling import Filled, fill
from tests.bench.line import Line
from tests.bench.part import Part, Plan, progress
from tests.bench.servers import product
from tests.bench.valkey import valkey

MOST_READY, MOST_FIRST_VIEW = 2.0, 300.0
RETURNING = 40
ANYWHERE = Cores(frozenset(), frozenset())
"""A start is not pinned to a core: the embedded Valkey loads while Python does, as it would."""


@dataclass(frozen=True, slots=True)
class Start:
    """Seconds to ready, ms to the very first view, and to those of others, one after another."""

    ready: float
    first: float
    others: tuple[float, ...]


def measured(plan: Plan) -> Part:
    """The embedded store, a foreign one that runs already, and an empty one for comparison."""
    matches = 500 if plan.quick else 10_000
    room = plan.room("start")
    progress(f"filling a store with {matches:,} open matches")
    filled = fill(room / "full", matches)
    settings = {"matches": matches, "entries": filled.entries, "store_bytes": filled.bytes, "rounds": plan.rounds}
    part = Part("start", "Start", settings)
    part.notes.append(
        f"{matches:,} open matches: {filled.entries:,} entries in their logs, {filled.bytes / 2**20:,.0f} MiB of store"
    )
    shutil.copytree(room / "full" / "data", room / "foreign", ignore=shutil.ignore_patterns("*.lock", "*.sock"))
    starts: dict[str, list[Start]] = {"embedded": [], "foreign": []}
    empty = []
    with valkey(room / "foreign") as store:
        for turn in range(plan.rounds):
            for kind, url, folder in (("embedded", None, room / "full"), ("foreign", store, plan.room("server"))):
                starts[kind].append(_start(folder, url, _of_round(filled, turn, plan.rounds)))
                one = starts[kind][-1]
                progress(
                    f"round {turn + 1}, {kind} store: ready after {one.ready:.2f} s, first view {one.first:.0f} ms"
                )
            empty.append(_start(plan.room("empty"), None, ()).ready)
    part.rows = [Row("empty.ready", "embedded, empty store: start to ready", "s", Spread.of(empty))]
    for kind, many in starts.items():
        others = [value for one in many for value in one.others]
        text = f"{kind} store"
        part.rows += [
            Row(
                f"{kind}.ready", f"{text}: start to ready", "s", Spread.of([one.ready for one in many]), most=MOST_READY
            ),
            Row(
                f"{kind}.first",
                f"{text}: first view of the first player",
                "ms",
                Spread.of([one.first for one in many]),
                most=MOST_FIRST_VIEW,
            ),
            Row(f"{kind}.others", f"{text}: first view of others", "ms", Spread.of(others), most=MOST_FIRST_VIEW),
        ]
    return part


def _of_round(filled: Filled, turn: int, rounds: int) -> Sequence[str]:
    """Other players in each round, from all over the store."""
    step = max(1, len(filled.tokens) // RETURNING - 1) | 1  # odd: matches of every length
    return filled.tokens[turn * step // rounds :: step][:RETURNING]


def _start(folder: Path, store: str | None, tokens: Sequence[str]) -> Start:
    with _timed(folder, store) as (url, seconds):
        views = [_first_view(url, token) for token in tokens]
        return Start(seconds, views[0] if views else 0.0, tuple(views[1:]))


@contextlib.contextmanager
def _timed(folder: Path, store: str | None) -> Iterator[tuple[str, float]]:
    """A server and the seconds from its start until it says that it listens and that it is well."""
    began = time.perf_counter()
    with product(folder, store, ANYWHERE) as server:
        page = server.url.replace("ws:", "http:").removesuffix("/ws") + "/healthz"
        with urlopen(page, timeout=20) as answer:
            assert answer.status == 200
        yield server.url, time.perf_counter() - began


def _first_view(url: str, token: str) -> float:
    """Milliseconds from the call until a returning player sees his table."""
    began = time.perf_counter()
    line = Line(url)
    line.greet(token=token)
    view = line.wait("table")
    took = 1000 * (time.perf_counter() - began)
    line.close()
    assert view["own"] is not None, "a returning player has no seat"
    return took
