"""Whose turn it is to have a bye, or bots at his table."""

from collections.abc import Sequence

from server.tournament.placing import Placing, byes_had, company


def byes_due(count: int, order: Sequence[int], past: Sequence[Placing]) -> tuple[int, ...]:
    """Who has a bye: who has had the fewest, among equals the last in the order."""
    had = byes_had(past)
    last_first = list(reversed(order))
    return tuple(sorted(last_first, key=lambda one: had[one])[:count])


def bots_at(playing: int) -> list[int]:
    """How many bots sit at each table: as many as are missing, at no table two more than at another; most first."""
    tables = -(-playing // 4)
    each, more = divmod(4 * tables - playing, tables)
    return [each + (table < more) for table in range(tables)]


def beside_bots_first(drawn: Sequence[int], bots: Sequence[int], past: Sequence[Placing]) -> list[int]:
    """The order of the draw, but first as many as sit with bots: those who have had the fewest bots so far."""
    had = company(past)
    count = sum(4 - there for there in bots if there)
    first = sorted(drawn, key=lambda one: had[one])[:count]
    chosen = set(first)
    return [*first, *(one for one in drawn if one not in chosen)]


def cut(order: Sequence[int], bots: Sequence[int]) -> list[list[int]]:
    """The people of each table: the order, table after table."""
    rest = iter(order)
    return [[next(rest) for _ in range(4 - there)] for there in bots]
