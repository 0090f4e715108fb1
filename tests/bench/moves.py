"""Moves per server CPU second, beside the plain floor, in alternation; and the delays of players."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.bench.canned import Canned, recorded
from tests.bench.cores import on
from tests.bench.figures import Row, Spread, ratios
from tests.bench.part import Part, Plan, progress
from tests.bench.runs import Load, Run
from tests.bench.servers import floor, product
from tests.bench.valkey import valkey

LEAST_RATIO = 1.3
FLOOR, REPLYING, PRODUCT = "floor", "floor with replies", "product"
KINDS = (FLOOR, REPLYING, PRODUCT)
RECORDED, FEW_RECORDED = 300, 60
"""Moves of the match that the floor's frames are taken from: some eight deals, or two."""
PERCENTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds: until the count begins, of the count at full load, and of that at a tenth of it."""

    warm: float
    full: float
    tenth: float


TIMES = Times(2.0, 6.0, 6.0)
QUICK = Times(0.5, 1.5, 1.5)


def measured(plan: Plan) -> Part:
    """Floor and product in turns, at few and many tables."""
    tables = (5, 10) if plan.quick else (50, 200)
    times = QUICK if plan.quick else TIMES
    canned, means = record(plan)
    place = plan.room("canned") / "frames"
    canned.write(place)
    part = Part(
        "moves", "Moves", {"tables": tables, "rounds": plan.rounds, "seconds": asdict(times), "sizes": canned.sizes}
    )
    part.notes.append(_sizes(canned, means))
    for number in tables:
        full: dict[str, list[Run]] = {kind: [] for kind in KINDS}
        tenth: dict[str, list[Run]] = {kind: [] for kind in KINDS}
        for turn in range(plan.rounds):
            for kind in KINDS:
                one, slow = run(plan, kind, number, place, times)
                progress(
                    f"round {turn + 1}, {number} tables, {kind}: {one.per_cpu_second:,.0f} moves per CPU second, "
                    f"core {100 * one.busy:.0f} % busy"
                )
                full[kind].append(one)
                tenth[kind].append(slow)
                part.errors += (*one.errors, *slow.errors)
        part.rows += rows_of(number, full, tenth)
    return part


def record(plan: Plan) -> tuple[Canned, dict[str, float]]:
    """The frames of the floor out of a match of the product."""
    progress("recording a match of the product, whose frames the floor will send")
    room = plan.room("record")
    with on(plan.cores.others), valkey(room / "v") as store, product(room / "server", store, plan.cores) as server:
        return recorded(server.url, store, FEW_RECORDED if plan.quick else RECORDED)


def run(plan: Plan, kind: str, tables: int, canned: Path, times: Times) -> tuple[Run, Run]:
    """One server, new, on a new store: full load, then a tenth of the rate that it had."""
    room = plan.room("run")
    with contextlib.ExitStack() as stack:
        with on(plan.cores.others):
            store = stack.enter_context(valkey(room / "v"))
        if kind == PRODUCT:
            server = stack.enter_context(product(room / "server", store, plan.cores))
            load = stack.enter_context(Load([server], tables, plan.cores))
        else:
            server = stack.enter_context(floor(store, canned, plan.cores, replies=kind == REPLYING))
            load = stack.enter_context(Load([server], tables, plan.cores, canned))
        full = load.window(times.warm, times.full)
        load.pace(full.per_second / 10)
        return full, load.window(times.warm, times.tenth)


def rows_of(number: int, full: Mapping[str, Sequence[Run]], tenth: Mapping[str, Sequence[Run]]) -> list[Row]:
    """The rows of one number of tables."""
    rows: list[Row] = []

    def row(name: str, text: str, unit: str, values: Sequence[float], least: float | None = None) -> None:
        rows.append(Row(f"{number}.{name}", f"{number} tables: {text}", unit, Spread.of(values), least=least))

    for kind in KINDS:
        values = [one.per_cpu_second for one in full[kind]]
        row(f"{_key(kind)}.per_cpu_second", kind, "moves per server CPU s", values)
    ours = [one.per_cpu_second for one in full[PRODUCT]]
    for kind, least in ((FLOOR, LEAST_RATIO), (REPLYING, None)):
        values = ratios(ours, [one.per_cpu_second for one in full[kind]])
        row(f"ratio.{_key(kind)}", f"product / {kind}", "×", values, least)
    for kind in KINDS:
        row(f"{_key(kind)}.per_second", f"{kind}, full load", "moves per s", [one.per_second for one in full[kind]])
        row(f"{_key(kind)}.busy", f"{kind}, full load: core busy", "%", [100 * one.busy for one in full[kind]])
    for load, text, runs in (("full", "full load", full), ("tenth", "a tenth of it", tenth)):
        for kind in KINDS:
            for name, share in PERCENTILES.items():
                values = [one.millis(share) for one in runs[kind]]
                row(f"{_key(kind)}.{load}.{name}", f"{kind}, {text}, {name}", "ms", values)
    return rows


def _key(kind: str) -> str:
    return kind.replace(" ", "_")


def _sizes(canned: Canned, means: dict[str, float]) -> str:
    texts = [f"{name} {canned.sizes[name]:.0f} (mean {means[name]:.0f})" for name in ("move", "reply", "view", "entry")]
    return f"frames and entries of the floor, bytes, from a recorded match: {', '.join(texts)}"
