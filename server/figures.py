"""What this process counts of its own work, in plain numbers: who counts adds one, and never waits.

One object for the process, as there is one process; once a second `server.metrics` takes the differences.
Nothing here, and no key of a mapping, may name a table, a player, a card or a code that opens something.
"""

from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field


class Spread:
    """How often a value was at most each bound and over the one before; the last count is of values over all bounds."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, *bounds: float) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def note(self, value: float) -> None:
        """Counts one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value


def _seconds() -> Spread:
    return Spread(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def _sizes() -> Spread:
    return Spread(1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)


@dataclass(slots=True)
class Figures:
    """Counts since the process began; times in seconds."""

    accepted: int = 0
    """Entries of players' commands."""
    accepted_own: int = 0
    """Entries of commands that the server gave itself: clocks, absences, bots."""
    refused: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Refusals that were sent, by code."""
    bad_frames: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))
    """Frames that were no message, by code; also those that were not answered any more."""
    cut_off: int = 0
    """Connections that were closed because they read too slowly."""
    floods: int = 0
    """Connections that were closed because they sent too much."""

    append_seconds: Spread = field(default_factory=_seconds)
    """How long each group of appends was under way until it was durable."""
    group_sizes: Spread = field(default_factory=_sizes)
    """Appends in each group."""
    store_lost: int = 0
    snapshots: int = 0
    records: int = 0
    rolled_back: int = 0
    """Tables that went back because the store came back older."""
    frozen: int = 0
    """Tables that stopped, or could not be loaded, because of a bug or what the store held."""

    lag_seconds: Spread = field(default_factory=_seconds)
    """How late the event loop came to a timer, ten times a second."""

    thinking_jobs: int = 0
    thinking_seconds: float = 0.0
    """From the question to the answer, the queue included."""
    thinking_killed: int = 0
    """Jobs that took too long and were killed."""
    thinking_failed: int = 0
    """Jobs that were not taken, raised, or lost their process."""


FIGURES = Figures()
"""Those of this process."""
