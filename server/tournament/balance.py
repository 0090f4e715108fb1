"""Tables at which as few as possible meet again: a search over swaps, for fields that no schedule fits.

Bounded by steps, never by a clock: the same arguments give the same tables everywhere.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from server.tournament.placing import Placing, company, meetings, seats_used
from server.tournament.turns import beside_bots_first, cut

_SWAPS_EACH: Final = 8
_LOOKS: Final = 300_000
"""At most so many swaps are made for each entrant, and about so many looked at in all."""
_MEETING: Final = 100
"""What a second meeting weighs against two at a table who have one seat left, the same."""


def balanced(drawn: Sequence[int], bots: Sequence[int], past: Sequence[Placing]) -> list[list[int]]:
    """The people of each table, without seats. `drawn`: who plays, as drawn; `bots`: `bots_at`.

    Who has had the fewest bots sits with bots. Beyond that a meeting costs the square of how often the two have met:
    0, 1, 4, 9 …. A tabu search from the tables as drawn: the best swap of two people is made again and again, a loss
    too, and who has moved stays for some steps. The cheapest tables seen are taken, among equals the first.
    """
    search = _Search(beside_bots_first(drawn, bots, past), bots, past)
    best, least = list(search.home), search.total
    for step in range(_SWAPS_EACH * len(drawn)):
        if least == 0 or search.looks > _LOOKS or not search.swap(step, least):
            break
        if search.total < least:
            best, least = list(search.home), search.total
    tables: list[list[int]] = [[] for _ in bots]
    for one, table in zip(search.people, best, strict=True):
        tables[table].append(one)
    return tables


class _Search:
    """People by their index: the table where each is, and what each would cost at each table."""

    def __init__(self, people: Sequence[int], bots: Sequence[int], past: Sequence[Placing]) -> None:
        met, sat, used = meetings(past), company(past), seats_used(past)
        left = [_only_seat(one, used) for one in people]
        self.people = people
        self.bots = bots
        self.sat = [sat[one] for one in people]
        self.home = [table for table, group in enumerate(cut(people, bots)) for _ in group]
        self.pair = [
            [
                0 if one == other else _MEETING * met[min(one, other), max(one, other)] ** 2 + (mine == his is not None)
                for other, his in zip(people, left, strict=True)
            ]
            for one, mine in zip(people, left, strict=True)
        ]
        self.cost = [
            [sum(cost for cost, at in zip(row, self.home, strict=True) if at == table) for table in range(len(bots))]
            for row in self.pair
        ]
        self.total = sum(row[at] for row, at in zip(self.cost, self.home, strict=True)) // 2
        self.looks = 0
        self.stays = [0] * len(people)

    def swap(self, step: int, least: int) -> bool:
        """Makes the best swap that moves somebody who costs anything; False if there is none.

        Who stays moves only for a total below `least`. Between tables with more bots and with fewer, only those swap
        who have had as many bots.
        """
        home, cost, stays, bots, sat = self.home, self.cost, self.stays, self.bots, self.sat
        best: tuple[int, int, int] | None = None
        most = 1 << 60
        for one, at in enumerate(home):
            here = cost[one]
            leaving = here[at]
            if leaving == 0:
                continue
            self.looks += len(home)
            pair, held = self.pair[one], stays[one] > step
            for other, there in enumerate(home):
                if there == at or (sat[one] != sat[other] and bots[at] != bots[there]):
                    continue
                change = here[there] + cost[other][at] - leaving - cost[other][there] - 2 * pair[other]
                if change < most and (not (held or stays[other] > step) or self.total + change < least):
                    most, best = change, (one, other, there)
        if best is None:
            return False
        one, other, there = best
        self._exchange(one, other, home[one], there)
        self.total += most
        stays[one] = stays[other] = step + 3 + step % 5
        return True

    def _exchange(self, one: int, other: int, at: int, there: int) -> None:
        for row, to_one, to_other in zip(self.cost, self.pair[one], self.pair[other], strict=True):
            row[at] += to_other - to_one
            row[there] += to_one - to_other
        self.home[one], self.home[other] = there, at


def _only_seat(one: int, used: Counter[tuple[int, int]]) -> int | None:
    """The seat that somebody has had least, if it is only one."""
    (least, seat), (following, _) = sorted((used[one, seat], seat) for seat in range(4))[:2]
    return seat if least < following else None
