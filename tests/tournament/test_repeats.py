"""How good balanced rounds are, beside what is possible at all."""

import pytest

from server.tournament.placing import Placing, company
from server.tournament.repeats import least_repeats, repeats
from server.tournament.seating import Fill, Seating, seat_round
from tests.tournament.rounds import evening, everybody, seed

FOUND = {
    # entrants: repeated meetings found, proven bound, most meetings of two
    8: (32, 32, 3),
    12: (30, 24, 2),  # 30 is the least if nobody is to meet a third time, see docs/tournament-seating.md
    16: (0, 0, 1),
    20: (0, 0, 1),
    24: (0, 0, 1),
    28: (0, 0, 1),
    32: (0, 0, 1),
}


@pytest.mark.parametrize("entrants", FOUND)
def test_five_rounds(entrants: int) -> None:
    """Repeated meetings in five balanced rounds are as few as the table says, whatever the draw."""
    found, bound, most = FOUND[entrants]
    assert least_repeats(entrants, 5) == bound
    for number in range(3):
        result = repeats(evening(Seating.BALANCED, entrants, number=number))
        print(f"{entrants} entrants, 5 rounds: {result[0]} repeated meetings, bound {bound}")
        assert result == (found, most)


@pytest.mark.parametrize("entrants", range(5, 34))
@pytest.mark.parametrize("fill", Fill)
def test_no_schedule_goes_below_the_bound(entrants: int, fill: Fill) -> None:
    """Every evening has at least as many repeated meetings as the bound says, and balanced never many more."""
    for kind in Seating:
        assert repeats(evening(kind, entrants, fill=fill))[0] >= least_repeats(entrants, 5, fill)
    found, most = repeats(evening(Seating.BALANCED, entrants, fill=fill))
    assert found <= least_repeats(entrants, 5, fill) + 16
    assert most <= (4 if entrants < 8 else 3 if entrants < 11 else 2)


@pytest.mark.parametrize("entrants", [100, 101, 102, 103, 200])
def test_a_large_field_meets_nobody_twice(entrants: int) -> None:
    """A hundred and more over five rounds: no repeated meeting, byes or not."""
    assert repeats(evening(Seating.BALANCED, entrants)) == (0, 1)


def test_a_changed_field_is_searched() -> None:
    """Twenty begin by schedule, one goes, two come late: still hardly anybody meets twice, and bots go round."""
    past: list[Placing] = []
    fields = [range(1, 21), range(1, 20), range(1, 22), range(1, 22), range(1, 22)]
    for number, here in enumerate(fields, 1):
        past.append(
            seat_round(Seating.BALANCED, Fill.BOTS, here, past, seed(1, number), round_number=number, rounds=5),
        )
        assert everybody(past[-1]) == [*here]
    assert repeats(past)[0] <= 4
    assert repeats(past)[1] <= 2
    assert max(company(past).values()) <= 2


def test_a_director_moves_somebody() -> None:
    """A round that was not played as the schedule has it is taken as it was: the next one is searched."""
    past = evening(Seating.BALANCED, 16, 2)
    one, two, *rest = past[1].tables
    moved = Placing(((two[0], *one[1:]), (one[0], *two[1:]), *rest), ())
    following = seat_round(
        Seating.BALANCED, Fill.BYE, range(1, 17), [past[0], moved], seed(0, 3), round_number=3, rounds=5
    )
    assert everybody(following) == [*range(1, 17)]
    assert repeats([past[0], moved, following])[0] < 10


def test_counting() -> None:
    """Three rounds of the same four: six meetings, each twice repeated; bots meet nobody."""
    four = Placing(((1, 2, 3, 4), (5, None, None, 6)), (7,))
    assert repeats([]) == (0, 0)
    assert repeats([four]) == (0, 1)
    assert repeats([four, four, four]) == (14, 3)


@pytest.mark.parametrize(
    ("entrants", "rounds", "fill", "bound"),
    [
        (4, 3, Fill.BYE, 12),  # the same table three times
        (8, 2, Fill.BYE, 4),  # two from each table at each table
        (12, 2, Fill.BYE, 3),
        (12, 3, Fill.BYE, 6),
        (16, 5, Fill.BYE, 0),
        (16, 6, Fill.BYE, 24),  # all 120 pairs have met
        (5, 5, Fill.BYE, 20),
        (5, 5, Fill.BOTS, 10),
        (9, 5, Fill.BOTS, 9),
        (7, 2, Fill.BOTS, 3),  # three and four, from two tables: one pair and two
    ],
)
def test_bounds(entrants: int, rounds: int, fill: Fill, bound: int) -> None:
    """The bound, worked out by hand."""
    assert least_repeats(entrants, rounds, fill) == bound
