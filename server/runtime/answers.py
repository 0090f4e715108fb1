"""What becomes of a command, and what an entry brings about for those who look on."""

from dataclasses import dataclass

from server.games.game import Plain, Seat
from server.table import view
from server.table.codec import LogLine
from server.table.state import Table


@dataclass(frozen=True, slots=True)
class Accepted:
    """A command that took effect, now or before, with the version it made and the sender's seat after it."""

    version: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A command that did not take effect: a stable code, where the fault is, and the current version."""

    code: str
    detail: str | None = None
    version: int | None = None


Answer = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Happened:
    """What an entry has brought about: as all may see it, and what only watchers may."""

    version: int
    events: tuple[Plain, ...]
    to_watchers: tuple[Plain, ...]

    @staticmethod
    def of(table: Table, line: LogLine) -> "Happened":
        """The happenings of the table's newest line."""
        public = tuple(seen for event in line.events if (seen := view.happening(table, event)) is not None)
        return Happened(line.version, public, tuple(view.watchers_only(line.events)))
