"""`make bench`: what a move costs the server, beside the machine's raw floor, measured in turns.

    python -m tests.bench [--tables 300] [--rounds 3] [--write]

`--write` keeps the figures in docs/bench/bench.json.
"""

import argparse
import asyncio
import contextlib
import json
import os
import platform
import statistics
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.bench.floor import appends_per_second
from tests.bench.measure import Run, echo_server, run
from tests.servers import ServerProcess

FIGURES = Path(__file__).resolve().parents[2] / "docs" / "bench" / "bench.json"
DEALS = 4
ECHOING = 100
ECHO_SECONDS = 3.0
APPEND_SECONDS = 2.0
FEW = 8
"""Tables of the run that shows the delays of a server with fewer players."""
DEALS_OF_FEW = 40


def main() -> None:
    """Measures, prints the table, and writes the figures if asked to."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/bench/bench.json")
    options = parser.parse_args()
    many: list[Run] = []
    few: list[Run] = []
    floor: list[Run] = []
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ending:
        appends = [asyncio.run(appends_per_second(Path(folder) / "floor", APPEND_SECONDS, size)) for size in (1, 64)]
        server = ServerProcess(Path(folder) / "server").start()
        ending.callback(server.stop)
        with echo_server() as (url, pid):
            for _ in range(options.rounds):
                floor.append(run("echo", url, pid, [ECHOING // 2] * 2, ECHO_SECONDS))
                many.append(run("match", server.url, server.pid, _halves(options.tables), DEALS))
                few.append(run("match", server.url, server.pid, _halves(FEW), DEALS_OF_FEW))
    errors = [code for one in (*many, *few) for code in one.errors]
    rows = {
        f"moves, {options.tables} tables": _figures(many),
        f"moves, {FEW} tables": _figures(few),
        "floor: echo of 64 B": _figures(floor),
    }
    _print(rows, appends)
    print(f"errors: {len(errors)} {sorted(set(errors))}")
    if options.write:
        FIGURES.parent.mkdir(parents=True, exist_ok=True)
        kept = {"machine": _machine(), "rows": rows, "xadd_per_s": {"1": appends[0], "64": appends[1]}}
        FIGURES.write_text(json.dumps(kept, indent=2) + "\n")


def _halves(number: int) -> list[int]:
    return [number - number // 2, number // 2]


def _figures(runs: Sequence[Run]) -> dict[str, list[float]]:
    """Median, minimum and maximum of each figure."""
    of: dict[str, Callable[[Run], float]] = {
        "per_cpu_second": lambda one: one.per_cpu_second,
        "per_second": lambda one: one.per_second,
        "p50_ms": lambda one: one.p50_ms,
        "p99_ms": lambda one: one.p99_ms,
    }
    figures = {name: [figure(one) for one in runs] for name, figure in of.items()}
    return {
        name: [round(one, 2) for one in (statistics.median(values), min(values), max(values))]
        for name, values in figures.items()
    }


def _print(rows: dict[str, dict[str, list[float]]], appends: Sequence[float]) -> None:
    print("median of the rounds (minimum to maximum)")
    print(f"{'':24} {'per server CPU s':>24} {'per s':>8} {'p50 ms':>8} {'p99 ms':>8}")
    for name, figures in rows.items():
        middle, low, high = figures["per_cpu_second"]
        cost = f"{middle:,.0f} ({low:,.0f} to {high:,.0f})"
        rest = [figures[key][0] for key in ("per_second", "p50_ms", "p99_ms")]
        print(f"{name:24} {cost:>24} {rest[0]:8,.0f} {rest[1]:8.1f} {rest[2]:8.1f}")
    print(f"XADD of 120 B, fsync before each answer: {appends[0]:,.0f}/s one at a time, {appends[1]:,.0f}/s in 64s")


def _machine() -> str:
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
