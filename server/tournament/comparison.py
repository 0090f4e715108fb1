"""Same cards at all tables of a round: each result beside those in the same seat at the other tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

LOWER, EQUAL = 2, 1
"""Points for each lower and for each equal result in the same seat at another table."""

Results = Sequence[Sequence[int] | None]
"""What a table's seats won in each deal from the first on, in points; None where it did not count there."""


@dataclass(frozen=True, slots=True)
class ComparedDeal:
    """A seat's deal, `deal` counted from 0: what it won, its points, and the most it could have had."""

    deal: int
    money: int
    points: int
    most: int


@dataclass(frozen=True, slots=True)
class ComparedSeat:
    """A seat over all deals that were played there; the sums are those of its deals."""

    table: int
    seat: int
    deals: tuple[ComparedDeal, ...]

    @property
    def points(self) -> int:
        """All its points."""
        return sum(deal.points for deal in self.deals)

    @property
    def most(self) -> int:
        """The most it could have had: 2 for each other table that played the same deal."""
        return sum(deal.most for deal in self.deals)

    @property
    def percent(self) -> Fraction | None:
        """Its points in percent of the most, exactly; None where there was nothing to compare with."""
        return Fraction(100 * self.points, self.most) if self.most else None


def compare(tables: Mapping[int, Results]) -> tuple[ComparedSeat, ...]:
    """All seats of all tables, by the table's number and the seat.

    A deal is compared among the tables where it counted; a table may also have fewer deals than another. With n such
    tables the points of a seat in a deal add up to n(n - 1) over the tables.
    """
    return tuple(
        ComparedSeat(table, seat, tuple(_deals(tables, table, seat)))
        for table in sorted(tables)
        for seat in range(_seats(tables[table]))
    )


def _seats(results: Results) -> int:
    return max((len(deal) for deal in results if deal is not None), default=0)


def _deals(tables: Mapping[int, Results], table: int, seat: int) -> list[ComparedDeal]:
    compared = []
    for number, deal in enumerate(tables[table]):
        if deal is not None:
            others = [money for other in tables if other != table for money in _money(tables[other], number, seat)]
            points = sum(LOWER * (other < deal[seat]) + EQUAL * (other == deal[seat]) for other in others)
            compared.append(ComparedDeal(number, deal[seat], points, LOWER * len(others)))
    return compared


def _money(results: Results, number: int, seat: int) -> tuple[int, ...]:
    """What the seat won in a deal, nothing at all where that did not count."""
    deal = results[number] if number < len(results) else None
    return () if deal is None else (deal[seat],)
