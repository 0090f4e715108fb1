"""`make bench`: what the server can do, beside the machine's plain floor, and whether it keeps its budget.

    python -m tests.bench [--only moves,memory,split,tournament,start,thinking,patience] [--rounds 5]
        [--quick] [--out DIR]

Writes bench.json, bench.png and the figures in README.md to docs/bench; a quick try writes to build/bench.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.bench import memory, moves, patience, reseating, split, start, thinking
from tests.bench.cores import cores
from tests.bench.part import Part, Plan, progress
from tests.bench.plot import plot
from tests.bench.report import OUT, keep

PARTS: dict[str, Callable[[Plan], Part]] = {
    "moves": moves.measured,
    "memory": memory.measured,
    "split": split.measured,
    "tournament": reseating.measured,
    "start": start.measured,
    "thinking": thinking.measured,
}
PATIENCE = "patience"
TRIED = Path("build") / "bench"
QUICK_DEALS = 20


def main() -> None:
    """Measures one part after another, prints and writes each as soon as it is done."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("--only", default=",".join((*PARTS, PATIENCE)), help="parts, with commas between them")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="tries the tools out; the figures say little")
    parser.add_argument("--out", type=Path, help="where the report is written")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := set(chosen) - {*PARTS, PATIENCE}:
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    out: Path = options.out or (TRIED if options.quick else OUT)
    shared = cores()
    print(f"Bench: {shared.text}")
    for name, measured in PARTS.items():
        if name in chosen:
            progress(f"--- {name}")
            with tempfile.TemporaryDirectory() as folder:
                plan = Plan(Path(folder), shared, 1 if options.quick else options.rounds, options.quick)
                keep([measured(plan)], out, shared)
            plot(out)
    if PATIENCE in chosen:
        sys.stdout.flush()
        patience.main(["--deals", str(QUICK_DEALS)] if options.quick else [])
    print(f"\nwritten to {out.name}: bench.json, bench.png")


if __name__ == "__main__":
    main()
