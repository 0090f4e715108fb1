"""What it costs when the players of each table are at two server processes."""

import contextlib

from tests.bench.cores import on
from tests.bench.figures import Row, Spread
from tests.bench.part import Part, Plan, progress
from tests.bench.runs import Load, Run
from tests.bench.servers import product
from tests.bench.valkey import valkey

MOST_MICROS = 120.0
WARM, SECONDS = 2.0, 6.0
STALLED = 20.0
"""How much slower than one process two must be to count as standing still."""


def measured(plan: Plan) -> Part:
    """One process and two in turns; seats 0 and 2 are at the first, 1 and 3 at the second."""
    tables = 10 if plan.quick else 50
    seconds = 2.0 if plan.quick else SECONDS
    part = Part("split", "Two processes", {"tables": tables, "rounds": plan.rounds, "warm_s": WARM, "seconds": seconds})
    runs: dict[int, list[Run]] = {1: [], 2: []}
    for turn in range(plan.rounds):
        for processes in runs:
            one = _run(plan, processes, tables, seconds)
            part.errors += one.errors
            if not one.moves or (runs[1] and one.per_second < runs[1][-1].per_second / STALLED):
                part.errors.append("play stood still: players at different processes do not hear of each other")
                return part
            runs[processes].append(one)
            progress(f"round {turn + 1}, {processes} process(es): {one.cpu_micros:.0f} µs of server CPU for a move")
    alone, together = ([one.cpu_micros for one in runs[processes]] for processes in runs)
    more = [two - one for one, two in zip(alone, together, strict=True)]
    part.rows = [
        Row("one", "one process", "µs of CPU per move", Spread.of(alone)),
        Row("two", "two processes, both together", "µs of CPU per move", Spread.of(together)),
        Row("more", "more for two", "µs of CPU per move", Spread.of(more), most=MOST_MICROS),
    ]
    for processes, text in ((1, "one process"), (2, "two processes")):
        for name, share in (("p50", 0.5), ("p99", 0.99)):
            values = [one.millis(share) for one in runs[processes]]
            part.rows.append(Row(f"{processes}.{name}", f"{text}, full load, {name}", "ms", Spread.of(values)))
    return part


def _run(plan: Plan, processes: int, tables: int, seconds: float) -> Run:
    room = plan.room("split")
    with contextlib.ExitStack() as stack:
        with on(plan.cores.others):
            store = stack.enter_context(valkey(room / "v"))
        servers = [
            stack.enter_context(product(room / f"server{place}", store, plan.cores)) for place in range(processes)
        ]
        return stack.enter_context(Load(servers, tables, plan.cores)).window(WARM, seconds)
