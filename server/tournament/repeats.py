"""How often people met again in a tournament, and what no schedule can go below."""

from collections.abc import Sequence
from math import comb

from server.tournament.placing import Placing, meetings
from server.tournament.seating import Fill
from server.tournament.turns import bots_at


def repeats(placings: Sequence[Placing]) -> tuple[int, int]:
    """How many meetings were not the first of the two, and how often the two met who met most."""
    met = meetings(placings).values()
    return sum(met) - len(met), max(met, default=0)


def least_repeats(entrants: int, rounds: int, fill: Fill = Fill.BYE) -> int:
    """A bound: with the same entrants in all rounds, no schedule has fewer repeated meetings. The larger of two.

    - Meetings less pairs: each round has 6 at a table of four and 3 at one of three, and only the first of each pair
      is no repeat. (So each of n at full tables meets 3 in a round, and there are only n - 1 others.)
    - Pigeonholes: after round 1 people come from its tables, and those with a bye each from a place of his own. At a
      table of four with fewer than four such places some come from the same one: they meet again. As few pairs as
      possible do if they come in equal parts.
    """
    tables = [4] * (entrants // 4) if fill is Fill.BYE else [4 - bots for bots in bots_at(entrants)]
    places = len(tables) + entrants - sum(tables)
    again = sum(_together(size, places) for size in tables)
    return max(0, rounds * sum(comb(size, 2) for size in tables) - comb(entrants, 2), (rounds - 1) * again)


def _together(people: int, places: int) -> int:
    """The fewest pairs from the same place, if so many people come from so many places."""
    each, more = divmod(people, places)
    return (places - more) * comb(each, 2) + more * comb(each + 1, 2)
