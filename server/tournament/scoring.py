"""Big points for the places at a table, shared exactly where small points are equal."""

from collections.abc import Sequence
from fractions import Fraction


def table_scores(small: Sequence[int], scale: Sequence[int]) -> tuple[tuple[int, Fraction], ...]:
    """Place and big points of each seat, by seat.

    `small` has the small points by seat, `scale` the big points of each place from the first on, as 4 3 2 1. Equal
    small points share the sum of their places, and have the best of these places. So the big points of a table
    always add up to the sum of the scale. A house bot's seat is ranked like any other; its points go to nobody.

    Raises:
        ValueError: there are not as many places as seats.
    """
    if len(small) != len(scale):
        raise ValueError("a scale that does not fit the seats")
    return tuple(_score(points, small, scale) for points in small)


def _score(points: int, small: Sequence[int], scale: Sequence[int]) -> tuple[int, Fraction]:
    better, equal = sum(other > points for other in small), small.count(points)
    return better + 1, Fraction(sum(scale[better : better + equal]), equal)
