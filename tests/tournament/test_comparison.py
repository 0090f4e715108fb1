"""Same cards at all tables: points by comparison in the same seat."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from server.tournament.comparison import ComparedDeal, compare


def test_an_example_by_hand() -> None:
    """Three tables, three deals; table 2 did not play the third, and table 3 stopped before it.

    Seat 0 won 2, 2 and -1 in the first deal: each of the two 2s beats one and equals one (3 of 4), the -1 nothing.
    """
    found = compare(
        {
            1: [(2, 2, -2, -2), (3, -1, -1, -1), (1, 1, -1, -1)],
            2: [(2, -2, 2, -2), (-6, 2, 2, 2), None],
            3: [(-1, -1, 1, 1), (3, -1, -1, -1)],
        }
    )
    of = {(one.table, one.seat): one for one in found}
    assert list(of) == [(table, seat) for table in (1, 2, 3) for seat in range(4)]
    assert of[1, 0].deals == (ComparedDeal(0, 2, 3, 4), ComparedDeal(1, 3, 3, 4), ComparedDeal(2, 1, 0, 0))
    assert of[2, 0].deals == (ComparedDeal(0, 2, 3, 4), ComparedDeal(1, -6, 0, 4))
    assert of[3, 0].deals == (ComparedDeal(0, -1, 0, 4), ComparedDeal(1, 3, 3, 4))
    assert [of[table, 0].points for table in (1, 2, 3)] == [6, 3, 3]
    assert [of[table, 0].percent for table in (1, 2, 3)] == [75, Fraction(75, 2), Fraction(75, 2)]
    assert [of[table, 1].points for table in (1, 2, 3)] == [4 + 1, 0 + 4, 2 + 1]
    assert [of[table, 2].points for table in (1, 2, 3)] == [0 + 1, 4 + 4, 2 + 1]
    assert [of[table, 3].points for table in (1, 2, 3)] == [1 + 1, 1 + 4, 4 + 1]


def test_a_table_alone_is_compared_with_nothing() -> None:
    """No points, none possible, no percentage; a table without a deal has no seats."""
    assert [(one.points, one.most, one.percent) for one in compare({1: [(1, 1, -1, -1)], 2: []})] == [(0, 0, None)] * 4


DEAL = st.none() | st.tuples(*[st.integers(-2, 2)] * 4)


@given(st.dictionaries(st.integers(1, 9), st.lists(DEAL, max_size=4), max_size=6))
def test_the_points_of_a_deal_and_seat_add_up(tables: dict[int, list[tuple[int, int, int, int] | None]]) -> None:
    """For each deal and each seat, n tables share n(n - 1) points; nobody has more than is possible."""
    found = compare(tables)
    for number in range(4):
        where = [table for table, deals in tables.items() if number < len(deals) and deals[number] is not None]
        for seat in range(4):
            deals = [deal for one in found if one.seat == seat for deal in one.deals if deal.deal == number]
            assert len(deals) == len(where)
            assert sum(deal.points for deal in deals) == len(where) * (len(where) - 1)
            assert all(0 <= deal.points <= deal.most == 2 * (len(where) - 1) for deal in deals)
    assert all(one.percent is None or 0 <= one.percent <= 100 for one in found)
