"""Schedules in which nobody meets anybody twice, by construction: tables of roles, round by round.

- 16 roles, 5 rounds: the lines of the affine plane of order 4, a class of parallels being a round. Everybody meets
  everybody once.
- 4q roles, q ≥ 5: four groups of q, each numbered by the integers mod q. A round is a column of four offsets, the
  first 0: table b has of group i the member b + offset i. Two of groups i and j meet in the rounds whose offsets i
  and j differ by what they are apart: so nobody meets twice if, for each two groups, these differences differ from
  column to column (a difference matrix). Members of a group never meet.

8 and 12 roles are too few for two rounds without a repeat: there the search of `balance` finds what is least.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Roles: TypeAlias = tuple[int, ...]
"""The roles at a table, in seats 0 to 3."""
Column: TypeAlias = tuple[int, int, int, int]

_TRIES: Final = 1000
"""So many columns are tried at most; up to 50 tables, five to seven rounds take fewer than twenty."""


@lru_cache(maxsize=32)
def schedule(tables: int, rounds: int) -> tuple[tuple[Roles, ...], ...]:
    """Up to `rounds` rounds of 4 · `tables` roles without a repeated meeting; none if there is no such schedule.

    In each four rounds, from the first on, everybody sits once in each seat.
    """
    if tables == 4:
        return _seated(_plane()[:rounds])
    if tables < 5:
        return ()
    columns = _columns(tables, rounds)
    groups = [range(first, first + tables) for first in range(0, 4 * tables, tables)]
    return _seated(
        [
            [
                tuple(group[(b + offset) % tables] for group, offset in zip(groups, column, strict=True))
                for b in range(tables)
            ]
            for column in columns
        ]
    )


def _plane() -> list[list[Roles]]:
    """The lines y = m·x + b and x = b over the field of four: role 4x + y; the field's sum is the exclusive or."""
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    field = range(4)
    slopes = [[tuple(4 * x + (times[m][x] ^ b) for x in field) for b in field] for m in field]
    return [*slopes, [tuple(4 * b + y for y in field) for b in field]]


def _columns(tables: int, rounds: int) -> list[Column]:
    """The first columns, in the order of the lexicon, that fit together; the most that were found."""
    best: list[Column] = []
    chosen: list[Column] = []
    ways = [_fitting(tables, chosen)]
    for _ in range(_TRIES):
        column = next(ways[-1], None)
        if column is None:
            ways.pop()
            if not chosen:
                break
            chosen.pop()
            continue
        chosen.append(column)
        if len(chosen) > len(best):
            best = list(chosen)
        if len(best) == rounds:
            break
        ways.append(_fitting(tables, chosen))
    return best


def _fitting(tables: int, chosen: Sequence[Column]) -> Iterator[Column]:
    """The columns that may follow, by rising second offset."""
    if not chosen:
        yield (0, 0, 0, 0)
        return
    apart = {(i, j): {(one[j] - one[i]) % tables for one in chosen} for j in range(4) for i in range(j)}
    for first in range(chosen[-1][1] + 1, tables):
        for second in range(tables):
            if second in apart[0, 2] or (second - first) % tables in apart[1, 2]:
                continue
            for third in range(tables):
                before = (0, first, second)
                if all((third - offset) % tables not in apart[i, 3] for i, offset in enumerate(before)):
                    yield (0, first, second, third)


def _seated(rounds: Sequence[Sequence[Roles]]) -> tuple[tuple[Roles, ...], ...]:
    """The rounds with seats that rotate."""
    return tuple(seated for first in range(0, len(rounds), 4) for seated in _rotated(rounds[first : first + 4]))


def _rotated(rounds: Sequence[Sequence[Roles]]) -> Iterator[tuple[Roles, ...]]:
    """Up to four rounds, so seated that nobody sits twice in one seat.

    Roles and tables are the two sides of a graph, places are its edges and seats their colours: four are enough by
    König's theorem.
    """
    tables = [roles for tables in rounds for roles in tables]
    places: list[list[int | None]] = [[None] * 4 for _ in tables]
    had: dict[int, dict[int, int]] = {role: {} for roles in rounds[0] for role in roles}
    for table, roles in enumerate(tables):
        for role in roles:
            _sit(places, had, role, table)
    seated = [tuple(role for role in place if role is not None) for place in places]
    for first in range(0, len(seated), len(rounds[0])):
        yield tuple(seated[first : first + len(rounds[0])])


def _sit(places: list[list[int | None]], had: dict[int, dict[int, int]], role: int, table: int) -> None:
    """A role takes a seat that he has not had.

    Who sat there moves to the table's free seat. If he has had that one, at another table, he takes there the seat
    that he has left; who sat in that one moves to the one that he leaves there; and so on. It ends, since nobody can
    come round to the role again.
    """
    free = places[table].index(None)
    seat = next(seat for seat in range(4) if seat not in had[role])
    while True:
        there = places[table][seat]
        places[table][seat] = role
        had[role][seat] = table
        if there is None:
            return
        elsewhere = had[there].get(free)
        places[table][free] = there
        had[there][free] = table
        if elsewhere is None:
            del had[there][seat]
            return
        places[elsewhere][free] = None
        role, table = there, elsewhere
