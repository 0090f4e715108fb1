"""The pictures of the bench: bench.png out of bench.json, and soak.png.

Colours are those of Okabe and Ito, which people with any kind of colour vision can tell apart.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from tests.bench.figures import Row, written
from tests.bench.processes import KIB

if TYPE_CHECKING:
    from tests.bench.soak import Sample

Rows = dict[str, Row]
KINDS = (
    ("floor", "plain floor", "#999999"),
    ("floor_with_replies", "plain floor that also replies", "#56B4E9"),
    ("product", "product", "#0072B2"),
)
BUDGET, STORM = "#D55E00", "#E69F00"
INK, FAINT = "#222222", "#DDDDDD"
BUDGETS = (
    ("memory", "connection", "idle connection"),
    ("memory", "between", "table before its first deal"),
    ("memory", "dealt", "table in a deal"),
    ("split", "more", "two processes: more per move"),
    ("start", "embedded.ready", "start, embedded store"),
    ("start", "foreign.ready", "start, foreign store"),
    ("start", "embedded.first", "first view, embedded store"),
    ("start", "foreign.first", "first view, foreign store"),
)
_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 12,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "legend.frameon": False,
    "figure.constrained_layout.use": True,
    "figure.constrained_layout.h_pad": 0.12,
    "figure.constrained_layout.w_pad": 0.12,
    "savefig.dpi": 150,
}

_MARKS: dict[str, Any] = {"ms": 7, "elinewidth": 1.4, "capsize": 3}
_PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 1.0}
_WHISKERS: dict[str, Any] = {"error_kw": {"elinewidth": 1.4, "ecolor": INK}, "capsize": 3}


def plot(out: Path) -> None:
    """Draws bench.png out of what bench.json holds; nothing if it holds nothing to draw."""
    parts = json.loads((out / "bench.json").read_text())["parts"]
    rows = {name: {plain["key"]: Row.read(plain) for plain in part["rows"]} for name, part in parts.items()}
    panels: list[Callable[[Axes], None]] = []
    moves = rows.get("moves")
    if moves:
        tables = parts["moves"]["settings"]["tables"]
        panels += [
            lambda axes: _throughput(axes, moves, tables),
            lambda axes: _delays(axes, moves, tables, "full", "Delays at full load"),
            lambda axes: _delays(axes, moves, tables, "tenth", "Delays at a tenth of it"),
        ]
    measured = [(text, rows[part][key]) for part, key, text in BUDGETS if key in rows.get(part, {})]
    if measured:
        panels.append(lambda axes: _budgets(axes, measured))
    if not panels:
        return
    columns = min(2, len(panels))
    lines = -(-len(panels) // columns)
    with style.context(_STYLE):
        figure = Figure(figsize=(6.6 * columns, 4.4 * lines))
        grid = figure.subplots(lines, columns, squeeze=False)
        places = list(grid.flat)
        for panel, axes in zip(panels, places, strict=False):
            panel(axes)
        for axes in places[len(panels) :]:
            axes.set_visible(False)
        _about(figure, next(iter(parts.values()))["machine"])
        figure.savefig(out / "bench.png")


def _throughput(axes: Axes, rows: Rows, tables: Sequence[int]) -> None:
    width = 0.26
    for place, (kind, text, colour) in enumerate(KINDS):
        found = [rows[f"{number}.{kind}.per_cpu_second"] for number in tables]
        at = [index + (place - 1) * width for index in range(len(tables))]
        heights = [row.spread.median for row in found]
        bars = axes.bar(at, heights, width * 0.94, yerr=_errors(found), color=colour, label=text, **_WHISKERS)
        axes.bar_label(bars, [written(height) for height in heights], padding=3, fontsize=9, bbox=_PAPER)
    for index, number in enumerate(tables):
        row = rows[f"{number}.ratio.floor"]
        wanted = (row.least or 0) * rows[f"{number}.floor.per_cpu_second"].spread.median
        label = f"budget: {row.least} × plain floor" if index == 0 else ""
        axes.hlines(wanted, index - 0.46, index + 0.46, colors=BUDGET, linestyles="--", linewidth=1.6, label=label)
    ratios = [
        f"{number} tables\nproduct / floor {written(rows[f'{number}.ratio.floor'].spread.median)}" for number in tables
    ]
    axes.set_xticks(range(len(tables)), ratios)
    axes.tick_params(axis="x", length=0)
    axes.set_title("Moves, each durable before anyone is told")
    axes.set_ylabel("moves per CPU second of the server")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_ylim(top=axes.get_ylim()[1] * 1.3)
    axes.legend(loc="upper center", ncols=2, fontsize=9)
    axes.grid(axis="y")


def _delays(axes: Axes, rows: Rows, tables: Sequence[int], load: str, title: str) -> None:
    names = ("p50", "p95", "p99")
    steps = [(number, name) for number in tables for name in names]
    gap = 0.7
    at = [index + gap * (index // len(names)) for index in range(len(steps))]
    for place, (kind, text, colour) in enumerate(KINDS):
        found = [rows[f"{number}.{kind}.{load}.{name}"] for number, name in steps]
        moved = [value + (place - 1) * 0.2 for value in at]
        middles = [row.spread.median for row in found]
        axes.errorbar(moved, middles, yerr=_errors(found), fmt="osD"[place], color=colour, label=text, **_MARKS)
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(top=axes.get_ylim()[1] * 4)
    labels = [name if name != names[1] else f"{name}\n{number} tables" for number, name in steps]
    axes.set_xticks(at, labels)
    axes.tick_params(axis="x", length=0)
    axes.set_title(title)
    axes.set_ylabel("ms from a move to the new view")
    axes.grid(axis="y")
    axes.legend(loc="upper left", fontsize=9)


def _budgets(axes: Axes, measured: Sequence[tuple[str, Row]]) -> None:
    for place, (_, row) in enumerate(reversed(measured)):
        budget = row.most or 1.0
        shares = [100 * value / budget for value in (row.spread.minimum, row.spread.median, row.spread.maximum)]
        colour = KINDS[2][2] if row.kept else BUDGET
        whiskers = [[shares[1] - shares[0]], [shares[2] - shares[1]]]
        axes.barh(place, shares[1], 0.6, xerr=whiskers, color=colour, **_WHISKERS)
        text = f"{written(row.spread.median)} of {written(budget)} {row.unit.split(' of ')[0]}"
        axes.text(max(shares[2], 0) + 3, place, text, va="center", fontsize=9, bbox=_PAPER)
    axes.axvline(100, color=BUDGET, linestyle="--", linewidth=1.6)
    axes.set_yticks(range(len(measured)), [text for text, _ in reversed(measured)])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, max(150.0, axes.get_xlim()[1] * 1.25))
    axes.set_title("How much of the budget is used")
    axes.set_xlabel("% of what the budget allows")
    axes.grid(axis="x")


def plot_soak(samples: "Sequence[Sample]", baseline: "Sample", storms: Sequence[float], place: Path) -> None:
    """Memory, open files and keys over the time of a soak, with its storms."""
    begun = samples[0].at
    at = [(one.at - begun) / 60 for one in samples]
    panels: tuple[tuple[str, Callable[[Sample], float], str], ...] = (
        ("memory of the server, MiB", lambda one: one.private / KIB**2, KINDS[2][2]),
        ("open files", lambda one: one.files, "#009E73"),
        ("keys of tables in the store", lambda one: one.keys, "#CC79A7"),
    )
    with style.context(_STYLE):
        figure = Figure(figsize=(10, 8))
        grid = figure.subplots(len(panels), 1, sharex=True)
        for axes, (text, value, colour) in zip(grid, panels, strict=True):
            for storm in storms:
                axes.axvline((storm - begun) / 60, color=STORM, linewidth=0.8, alpha=0.45)
            axes.axhline(value(baseline), color=INK, linestyle="--", linewidth=1.2, label="baseline")
            axes.plot(at, [value(one) for one in samples], color=colour, linewidth=2)
            axes.set_ylabel(text)
            axes.set_ylim(0, 1.15 * max(map(value, samples)))
            axes.grid(axis="y")
        grid[0].plot([], [], color=STORM, label="a third of all connections is cut")
        grid[0].legend(loc="lower center", ncols=2, fontsize=9)
        grid[0].set_title("Soak: storms of reconnects, leaves, new tables; then everybody goes")
        grid[-1].set_xlabel("minutes")
        figure.savefig(place)


def _errors(rows: Sequence[Row]) -> list[list[float]]:
    """How far the minimum lies below, and the maximum above, each median."""
    return [
        [row.spread.median - row.spread.minimum for row in rows],
        [row.spread.maximum - row.spread.median for row in rows],
    ]


def _about(figure: Figure, machine: dict[str, Any]) -> None:
    text = (
        f"{machine['processor']}, {machine['cores']} cores: {machine['pinned']}. Python {machine['python']}. "
        "Medians; whiskers from minimum to maximum of all rounds."
    )
    figure.supxlabel(text, fontsize=9, color="#555555")
