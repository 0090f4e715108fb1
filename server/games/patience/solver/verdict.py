"""What a solver says of a position, with all cards known."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from server.games.patience.layout import Move

Stop = Callable[[], bool]
"""Asked now and then: whether to stop."""

Progress = Callable[[int], None]
"""Told now and then how many positions have been looked at."""


class Verdict(StrEnum):
    """Winnable: a line was found. Unwinnable: no line exists. Undecided: neither, so far."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Solution:
    """A verdict, the line that wins if there is one, and how many positions were looked at."""

    verdict: Verdict
    line: tuple[Move, ...]
    positions: int


@dataclass(frozen=True, slots=True)
class Limits:
    """When a solver gives up: after so many positions, or when `stop` says so. `progress` is told in between."""

    positions: int = 20_000_000
    stop: Stop = lambda: False
    progress: Progress = lambda _: None
