"""A round chosen with a view to those that follow: some are tried, each with the remaining rounds played ahead."""

from collections.abc import Iterator, Sequence
from typing import Final

from server.tournament.balance import balanced
from server.tournament.draw import in_any_order
from server.tournament.placing import Placing, meetings, places
from server.tournament.turns import bots_at, byes_due

_ROUNDS: Final = 4
_CANDIDATES: Final = 16
_PEOPLE: Final = 900
"""At most so many rounds are played ahead, for so many candidates, and about so many people are seated in all."""


def with_a_view(
    drawn: Sequence[int], byes: Sequence[int], past: Sequence[Placing], left: int, stream: Iterator[int]
) -> list[list[int]]:
    """The people of each table, without seats, if `byes` of `drawn` do not play and `left` rounds follow.

    The first candidate after which, with this field, the fewest meet again in this round and in those ahead.
    """
    playing = [one for one in drawn if one not in byes]
    bots, left = bots_at(len(playing)), min(left, _ROUNDS)
    candidates = min(_CANDIDATES, _PEOPLE // (len(drawn) * (left + 1))) if past else 1
    best = balanced(playing, bots, past)
    if candidates < 2:
        return best
    before = _cost(past)
    least = _cost_ahead(best, drawn, byes, past, left, stream)
    for _ in range(candidates - 1):
        if least == before:
            break
        groups = balanced(in_any_order(playing, stream), bots, past)
        cost = _cost_ahead(groups, drawn, byes, past, left, stream)
        if cost < least:
            best, least = groups, cost
    return best


def _cost_ahead(
    groups: Sequence[Sequence[int]],
    drawn: Sequence[int],
    byes: Sequence[int],
    past: Sequence[Placing],
    left: int,
    stream: Iterator[int],
) -> int:
    """What all meetings cost after this round and those ahead."""
    ahead = [*past, Placing(tuple(map(places, groups)), tuple(byes))]
    for _ in range(left):
        order = in_any_order(drawn, stream)
        due = byes_due(len(byes), order, ahead)
        playing = [one for one in order if one not in due]
        ahead.append(Placing(tuple(map(places, balanced(playing, bots_at(len(playing)), ahead))), due))
    return _cost(ahead)


def _cost(rounds: Sequence[Placing]) -> int:
    """The sum over all meetings of the square of the earlier meetings of the two."""
    return sum(met * (met - 1) * (2 * met - 1) // 6 for met in meetings(rounds).values())
