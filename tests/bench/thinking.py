"""Whether other tables feel it when bots think: the delays of paced players, alone and beside fifty bots.

    python -m tests.bench.thinking [--rounds 3]

The players of eight tables wait a tenth of a second before each move, so the machine is never full by
them alone. The bots (51 of the strongest, at 17 tables with one player each) hardly wait at all: they
think as fast as the server's thinking processes can.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.measure import Run, run
from tests.servers import ServerProcess

TABLES = 8
DEALS = 8
TABLES_WITH_BOTS = 17
LONGEST = 600.0


def main() -> None:
    """Measures in turns and prints both rows."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.thinking")
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    alone: list[Run] = []
    beside: list[Run] = []
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), {"KOP_LIMIT_BOT_SECONDS": "0.05"}).start()
        try:
            for _ in range(rounds):
                alone.append(run("paced", server.url, server.pid, [TABLES], DEALS))
                with _thinking(server.url):
                    beside.append(run("paced", server.url, server.pid, [TABLES], DEALS))
        finally:
            server.stop()
    print(f"paced players at {TABLES} tables, {DEALS} deals each; median of {rounds} rounds (minimum to maximum)")
    print(f"{'':24} {'p50 ms':>22} {'p99 ms':>22} {'moves':>8}")
    for name, runs in (("alone", alone), (f"while {3 * TABLES_WITH_BOTS} bots think", beside)):
        print(f"{name:24} {_spread([one.p50_ms for one in runs])} {_spread([one.p99_ms for one in runs])} "
              f"{sum(one.moves for one in runs):8,}")  # fmt: skip
    print(f"errors: {sorted({code for one in (*alone, *beside) for code in one.errors})}")


def _spread(values: list[float]) -> str:
    return f"{statistics.median(values):8.2f} ({min(values):5.2f} to {max(values):5.2f})"


@contextmanager
def _thinking(url: str) -> Iterator[None]:
    """Players with bots beside them, in a process of its own, who have begun."""
    command = [sys.executable, "-m", "tests.bench.clients", "company", url, str(TABLES_WITH_BOTS), str(LONGEST)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        yield
    finally:
        process.kill()
        process.communicate()


if __name__ == "__main__":
    main()
