"""The constructed schedules: nobody meets anybody twice, and seats rotate."""

from collections import Counter
from itertools import combinations

import pytest

from server.tournament.schedule import schedule


@pytest.mark.parametrize("tables", [*range(4, 26), 50])
@pytest.mark.parametrize("rounds", [1, 3, 5, 7, 10])
def test_nobody_meets_twice(tables: int, rounds: int) -> None:
    """In each round everybody sits once, nobody meets anybody twice, and in four rounds sits in each seat."""
    plan = schedule(tables, rounds)
    assert len(plan) >= min(rounds, 5)
    for placed in plan:
        assert sorted(role for table in placed for role in table) == [*range(4 * tables)]
    met = Counter(pair for placed in plan for table in placed for pair in combinations(sorted(table), 2))
    assert max(met.values()) == 1
    for first in range(0, len(plan), 4):
        used = Counter(
            (role, seat) for placed in plan[first : first + 4] for table in placed for seat, role in enumerate(table)
        )
        assert max(used.values()) == 1


def test_sixteen_meet_everybody() -> None:
    """Five rounds of sixteen: each of the 120 pairs meets exactly once."""
    pairs = {frozenset(pair) for placed in schedule(4, 5) for table in placed for pair in combinations(table, 2)}
    assert len(pairs) == 120


def test_too_few_tables() -> None:
    """With three tables or fewer a second round repeats meetings: there is no schedule."""
    assert [schedule(tables, 5) for tables in range(1, 4)] == [(), (), ()]
