"""Floor and product under the load generator, for a moment: the tools work and nothing goes wrong."""

from collections.abc import Sequence
from pathlib import Path

from tests.bench.cores import Cores
from tests.bench.moves import FLOOR, KINDS, PRODUCT, Times, record, rows_of, run
from tests.bench.part import Plan
from tests.bench.runs import Run

TABLES = 2
MOMENT = Times(warm=0.1, full=0.5, tenth=0.8)


def test_floor_and_product_play_without_errors(tmp_path: Path) -> None:
    """All figures are positive, and the floor's frames are as large as the product's."""
    plan = Plan(tmp_path, Cores(frozenset(), frozenset()), rounds=1, quick=True)
    canned, means = record(plan)
    for name, size in canned.sizes.items():
        assert 0.5 * means[name] < size < 2 * means[name], name
    canned.write(tmp_path / "canned")
    full: dict[str, Sequence[Run]] = {}
    tenth: dict[str, Sequence[Run]] = {}
    for kind in (FLOOR, PRODUCT):
        once, slow = run(plan, kind, TABLES, tmp_path / "canned", MOMENT)
        assert (once.errors, slow.errors) == ((), ())
        full[kind], tenth[kind] = (once,), (slow,)
    full[KINDS[1]], tenth[KINDS[1]] = full[FLOOR], tenth[FLOOR]
    for row in rows_of(TABLES, full, tenth):
        assert row.spread.minimum > 0, row.text
