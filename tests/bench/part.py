"""What a part of the bench is given, and what it hands back."""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.bench.cores import Cores
from tests.bench.figures import Row


@dataclass(frozen=True, slots=True)
class Plan:
    """How a part is to be measured; `quick` tries the tools out and says nothing about the server."""

    folder: Path
    cores: Cores
    rounds: int
    quick: bool = False

    def room(self, name: str) -> Path:
        """A new empty folder."""
        place = self.folder / f"{name}-{time.monotonic_ns()}"
        place.mkdir(parents=True)
        return place


@dataclass(slots=True)
class Part:
    """What was measured: the rows of the report, how, and what went wrong."""

    name: str
    title: str
    settings: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """The part as it stands in the JSON file."""
        return {
            "title": self.title,
            "settings": self.settings,
            "rows": [row.plain() for row in self.rows],
            "notes": self.notes,
            "errors": _counted(self.errors),
        }


def _counted(errors: Sequence[str]) -> dict[str, int]:
    return {error: errors.count(error) for error in sorted(set(errors))}


def progress(text: str) -> None:
    """One line for who waits."""
    print(f"  {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)
