"""Big points at a table: by the scale, and shared exactly where small points are equal."""

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.tournament.scoring import table_scores

WOLSZTYN = (4, 3, 2, 1)
KOSCIAN = (5, 3, 1, 0)

TIES = [
    # small points, best first; places; big points at Wolsztyn; at Kościan
    ((9, 4, -3, -10), (1, 2, 3, 4), ("4", "3", "2", "1"), ("5", "3", "1", "0")),
    ((7, 7, -4, -10), (1, 1, 3, 4), ("7/2", "7/2", "2", "1"), ("4", "4", "1", "0")),
    ((9, 1, 1, -11), (1, 2, 2, 4), ("4", "5/2", "5/2", "1"), ("5", "2", "2", "0")),
    ((9, 5, -7, -7), (1, 2, 3, 3), ("4", "3", "3/2", "3/2"), ("5", "3", "1/2", "1/2")),
    ((6, 6, -6, -6), (1, 1, 3, 3), ("7/2", "7/2", "3/2", "3/2"), ("4", "4", "1/2", "1/2")),
    ((3, 3, 3, -9), (1, 1, 1, 4), ("3", "3", "3", "1"), ("3", "3", "3", "0")),
    ((9, -3, -3, -3), (1, 2, 2, 2), ("4", "2", "2", "2"), ("5", "4/3", "4/3", "4/3")),
    ((0, 0, 0, 0), (1, 1, 1, 1), ("5/2", "5/2", "5/2", "5/2"), ("9/4", "9/4", "9/4", "9/4")),
]


@pytest.mark.parametrize(("small", "places", "wolsztyn", "koscian"), TIES)
def test_every_pattern_of_ties_under_both_scales_in_every_order_of_the_seats(
    small: tuple[int, ...], places: tuple[int, ...], wolsztyn: tuple[str, ...], koscian: tuple[str, ...]
) -> None:
    """Equal small points share the sum of their places, wherever they sit."""
    for scale, big in ((WOLSZTYN, wolsztyn), (KOSCIAN, koscian)):
        for order in permutations(range(4)):
            expected = tuple((places[seat], Fraction(big[seat])) for seat in order)
            assert table_scores([small[seat] for seat in order], scale) == expected


SCALES = st.lists(st.integers(0, 100), min_size=4, max_size=4).map(lambda one: sorted(one, reverse=True))


@given(st.lists(st.integers(-5, 5), min_size=4, max_size=4), SCALES)
def test_nothing_is_lost_and_more_is_never_worse(small: list[int], scale: list[int]) -> None:
    """Big points add up to the scale's sum; more small points never have a worse place or fewer big points."""
    scores = table_scores(small, scale)
    assert sum(big for _, big in scores) == sum(scale)
    for one, (place, big) in zip(small, scores, strict=True):
        for other, (others_place, others_big) in zip(small, scores, strict=True):
            if one > other:
                assert place < others_place
                assert big >= others_big
            elif one == other:
                assert (place, big) == (others_place, others_big)


def test_a_scale_has_a_place_for_each_seat() -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match="scale"):
        table_scores([1, -1, 0, 0], (4, 3, 2))
