"""Who sits where in a round, and what the rounds so far add up to."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

Place: TypeAlias = int | None
"""The number of the entrant in a seat; None: a bot of the house fills it."""
Places: TypeAlias = tuple[Place, Place, Place, Place]
"""Seats 0 to 3 of a table."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A round: who sits at table 1, 2 …, and who has a bye."""

    tables: tuple[Places, ...]
    byes: tuple[int, ...]


def places(group: Sequence[Place]) -> Places:
    """A table of up to four, bots in the last seats."""
    bots: list[Place] = [None] * (4 - len(group))
    first, second, third, fourth = (*group, *bots)
    return first, second, third, fourth


def people(table: Sequence[Place]) -> list[int]:
    """The entrants at a table, in the order of the seats."""
    return [one for one in table if one is not None]


def meetings(past: Sequence[Placing]) -> Counter[tuple[int, int]]:
    """How often two have sat at one table, the lower number first; two who never have are left out."""
    return Counter(
        pair for placing in past for table in placing.tables for pair in combinations(sorted(people(table)), 2)
    )


def company(past: Sequence[Placing]) -> Counter[int]:
    """How many bots each entrant has had at his tables, all rounds together."""
    return Counter(
        one for placing in past for table in placing.tables for one in people(table) for _ in range(table.count(None))
    )


def seats_used(past: Sequence[Placing]) -> Counter[tuple[int, int]]:
    """How often an entrant has sat in a seat: entrant and seat."""
    return Counter(
        (one, seat) for placing in past for table in placing.tables for seat, one in enumerate(table) if one is not None
    )


def byes_had(past: Sequence[Placing]) -> Counter[int]:
    """How many byes each entrant has had."""
    return Counter(one for placing in past for one in placing.byes)
