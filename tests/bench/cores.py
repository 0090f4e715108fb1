"""Who runs where: the server has one core for itself; load and store share the others."""

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass

MOST_GENERATORS = 4
PINS = hasattr(os, "sched_setaffinity")
"""Whether this system pins processes to cores; macOS does not."""


@dataclass(frozen=True, slots=True)
class Cores:
    """The cores of the server and of all others; empty where processes cannot be pinned."""

    server: frozenset[int]
    others: frozenset[int]

    @property
    def generators(self) -> int:
        """How many load generators to run."""
        return min(max(1, len(self.others)), MOST_GENERATORS)

    @property
    def text(self) -> str:
        """Where everything ran, for the report."""
        if not self.server:
            return "no process was pinned to a core"
        if self.server == self.others:
            return "server, load and store shared one core"
        return f"server on one core, load and store on {len(self.others)} other"


def shared_out(available: frozenset[int]) -> Cores:
    """The last core for the server (the first has most interrupts), the others for the rest."""
    server = frozenset({max(available)})
    return Cores(server, available - server or server)


def cores() -> Cores:
    """The cores of this machine, shared out."""
    if PINS:
        return shared_out(frozenset(os.sched_getaffinity(0)))
    return Cores(frozenset(), frozenset())


@contextlib.contextmanager
def on(chosen: frozenset[int]) -> Iterator[None]:
    """Processes that are started in this block run on these cores, for good."""
    if not PINS or not chosen:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, chosen)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
