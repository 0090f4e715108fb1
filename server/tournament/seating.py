"""Who sits where in the next round of a tournament: a function of the rounds so far and the seed of the draw.

Whoever knows the arguments gets the same placing, so anybody can check it. Source: docs/tournament-seating.md.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import combinations, permutations

from server.games.game import RuleViolation
from server.tournament.ahead import with_a_view
from server.tournament.draw import chance, in_any_order
from server.tournament.placing import Places, Placing, company, people, places, seats_used
from server.tournament.schedule import schedule
from server.tournament.turns import beside_bots_first, bots_at, byes_due, cut


class Seating(StrEnum):
    """By what a round is seated: a draw, as few repeated meetings as possible, or the standings."""

    DRAW = "draw"
    BALANCED = "balanced"
    STANDING = "standing"


class Fill(StrEnum):
    """What happens if four do not divide the entrants: one to three have a bye, or bots take the missing seats."""

    BYE = "bye"
    BOTS = "bots"


def seat_round(
    kind: Seating,
    fill: Fill,
    entrants: Sequence[int],
    past: Sequence[Placing],
    seed: bytes,
    *,
    round_number: int,
    rounds: int,
) -> Placing:
    """The placing of a round, `round_number` of `rounds`, from 1.

    `entrants`: the numbers of those who play this round, each once, best first; the order matters only by standing,
    and there from round 2 on. `past`: the earlier rounds as they were played. `seed`: 32 bytes, see `draw_seed`; it
    decides every chance.

    Raises:
        RuleViolation: `too_few_entrants`: fewer than 4 with byes, fewer than 2 with bots
    """
    if len(entrants) < (4 if fill is Fill.BYE else 2):
        raise RuleViolation("too_few_entrants")
    stream = chance(seed, f"seating/{round_number}")
    drawn = in_any_order(sorted(entrants), stream)
    by_standing = kind is Seating.STANDING and round_number > 1
    order = entrants if by_standing else drawn
    byes = byes_due(len(entrants) % 4, order, past) if fill is Fill.BYE else ()
    playing = [one for one in order if one not in byes]
    if by_standing:
        return Placing(_evenly(_by_standing(playing, past), past, stream), byes)
    if kind is Seating.BALANCED:
        tables = None if byes else _scheduled(playing, past, rounds)
        if tables is not None and not past:
            return Placing(tables, ())  # in this order: the first round shows who has which role
        if tables is None:
            groups = with_a_view(drawn, byes, past, rounds - round_number, stream)
            tables = _evenly(groups, past, stream)
    else:
        bots = bots_at(len(playing))
        groups = cut(beside_bots_first(playing, bots, past), bots)
        tables = tuple(places(in_any_order(places(group), stream)) for group in groups)
    return Placing(tuple(in_any_order(tables, stream)), byes)


def _by_standing(entrants: Sequence[int], past: Sequence[Placing]) -> list[list[int]]:
    """The first four together, the next four …; where bots sit, those play who have had the fewest, as far as it goes.

    Among equal choices the lower tables have the bots.
    """
    sat, bots = company(past), bots_at(len(entrants))
    had = [sat[one] for one in entrants]
    each, more = bots[-1], bots.count(bots[0]) if bots[0] > bots[-1] else 0
    size = 4 - each

    def cost(lower: tuple[int, ...]) -> int:
        starts = (size * table - before for before, table in enumerate(reversed(lower)))
        return sum(sum(had[start : start + size - 1]) for start in starts)

    chosen = min(combinations(reversed(range(len(bots))), more), key=cost)
    return cut(entrants, [each + (table in chosen) for table in range(len(bots))])


def _scheduled(drawn: Sequence[int], past: Sequence[Placing], rounds: int) -> tuple[Places, ...] | None:
    """The next round of the schedule, if there is one and every round so far was from it; at most one role is a bot.

    In round 1 the roles are given out in the order of the draw; later that round shows who has which.
    """
    size = -(-len(drawn) // 4)
    plan = schedule(size, rounds)
    if len(past) >= len(plan) or 4 * size - len(drawn) > 1:
        return None
    roles = [role for table in plan[0] for role in table]
    if past:
        holders = [one for table in past[0].tables for one in table]
        if len(holders) != len(roles) or {*drawn} != {*people(holders)}:
            return None
        who = dict(zip(roles, holders, strict=True))
    else:
        who = {role: drawn[role] if role < len(drawn) else None for role in roles}
    planned = [tuple(places([who[role] for role in table]) for table in tables) for tables in plan]
    if any({*tables} != {*placing.tables} for tables, placing in zip(planned, past, strict=False)):
        return None
    return planned[len(past)]


def _evenly(groups: Sequence[Sequence[int]], past: Sequence[Placing], stream: Iterator[int]) -> tuple[Places, ...]:
    """The tables with seats: those that each has had least, among equals by the draw; bots take what is left."""
    used = seats_used(past)

    def worn(table: Places) -> int:
        return sum(used[one, seat] ** 2 for seat, one in enumerate(table) if one is not None)

    return tuple(min(map(places, permutations(in_any_order(places(group), stream))), key=worn) for group in groups)


__all__ = ["Fill", "Places", "Placing", "Seating", "seat_round"]
