"""Whether other tables feel it when bots think: the delays of paced players, alone and beside fifty bots.

The players of eight tables wait a tenth of a second before each move, so the machine is never full by
them alone. The bots (51 of the strongest, at 17 tables with one player each) hardly wait at all: they
think as fast as the server's thinking processes can. Nothing is pinned to a core: what is asked is
whether the system gives the server its share beside them.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tests.bench.cores import Cores
from tests.bench.figures import Row, Spread, percentile
from tests.bench.part import Part, Plan, progress
from tests.bench.servers import product

TABLES = 8
DEALS = 8
FEWEST = 4
TABLES_WITH_BOTS = 17
LONGEST = 600.0
MOST_ROUNDS = 3
BOT_SECONDS = "0.05"
ANYWHERE = Cores(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Paced:
    """What paced players have met with; delays in ms, in order of size."""

    moves: int
    delays: tuple[float, ...]
    errors: tuple[str, ...]


def measured(plan: Plan) -> Part:
    """Alone and beside the bots in turns, at one server with an embedded store."""
    rounds = min(plan.rounds, MOST_ROUNDS)
    deals = FEWEST if plan.quick else DEALS
    settings = {"tables": TABLES, "deals": deals, "bots": 3 * TABLES_WITH_BOTS, "rounds": rounds}
    part = Part("thinking", "While bots think", settings)
    alone: list[Paced] = []
    beside: list[Paced] = []
    with product(plan.room("thinking"), None, ANYWHERE, {"KOP_LIMIT_BOT_SECONDS": BOT_SECONDS}) as server:
        for turn in range(rounds):
            alone.append(_paced(server.url, deals))
            with _thinking(server.url):
                beside.append(_paced(server.url, deals))
            progress(f"round {turn + 1}: done")
    for key, text, runs in (
        ("alone", "paced players alone", alone),
        ("beside", f"while {3 * TABLES_WITH_BOTS} bots think", beside),
    ):
        part.errors += [code for one in runs for code in one.errors]
        part.rows += _rows(key, text, runs)
    return part


def _rows(key: str, text: str, runs: Sequence[Paced]) -> Iterator[Row]:
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        values = [percentile(one.delays, share) for one in runs]
        yield Row(f"{key}.{name}", f"{text}, {name}", "ms", Spread.of(values))


def _paced(url: str, deals: int) -> Paced:
    command = [sys.executable, "-m", "tests.bench.clients", "paced", url, str(TABLES), str(deals)]
    with _begun(command) as process:
        assert process.stdout is not None
        found = json.loads(process.stdout.readline())
    delays = tuple(sorted(1000 * delay for delay in found["delays"]))
    return Paced(found["moves"], delays, tuple(found["errors"]))


@contextmanager
def _thinking(url: str) -> Iterator[None]:
    """Players with bots beside them, in a process of its own, who have begun."""
    with _begun([sys.executable, "-m", "tests.bench.clients", "company", url, str(TABLES_WITH_BOTS), str(LONGEST)]):
        yield


@contextmanager
def _begun(command: Sequence[str]) -> Iterator["subprocess.Popen[str]"]:
    """A generator that has begun; it is ended with the block."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        process.stdin.write("go\n")
        process.stdin.flush()
        yield process
    finally:
        process.kill()
        process.communicate()
