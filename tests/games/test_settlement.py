"""Settling up: everybody is paid, in the fewest payments."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.settlement import EXACT, Payment, payments


def balances(most: int, least: int = 0) -> st.SearchStrategy[dict[str, int]]:
    """What so many people have won or lost, small enough for many ways to settle."""

    def closed(won: list[int]) -> dict[str, int]:
        return {f"p{place}": value for place, value in enumerate([*won, -sum(won)])}

    return st.lists(st.integers(-12, 12), min_size=max(least - 1, 0), max_size=most - 1).map(closed)


def partitions(people: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every partition."""
    if not people:
        yield []
        return
    first, rest = people[0], people[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            left = tuple(who for who in rest if who not in others)
            yield from ([(first, *others), *more] for more in partitions(left))


def fewest(won: dict[str, int]) -> int:
    """The fewest payments, by trying every partition."""
    people = tuple(who for who, value in won.items() if value)
    return min(
        len(people) - len(groups)
        for groups in partitions(people)
        if all(sum(won[who] for who in group) == 0 for group in groups)
    )


def settles(made: list[Payment], won: dict[str, int]) -> bool:
    """True if everybody has got or given what he has won or lost, and no payment is empty."""
    left = dict(won)
    for payment in made:
        left[payment.debtor] += payment.amount
        left[payment.creditor] -= payment.amount
    return not any(left.values()) and all(payment.amount > 0 for payment in made)


@pytest.mark.parametrize(
    ("won", "made"),
    [
        ({}, []),
        ({"Ola": 0, "Jan": 0}, []),
        ({"Ola": -3, "Jan": 3}, [Payment("Ola", "Jan", 3)]),
        ({"Ola": 3, "Jan": -1, "Ewa": -1, "Max": -1}, [Payment(who, "Ola", 1) for who in ("Jan", "Ewa", "Max")]),
        ({"Ola": 5, "Jan": 2, "Ewa": -2, "Max": -5}, [Payment("Max", "Ola", 5), Payment("Ewa", "Jan", 2)]),
    ],
)
def test_small_evenings(won: dict[str, int], made: list[Payment]) -> None:
    """Nobody pays where nothing is owed; who can settle with one other does."""
    assert payments(won) == made


def test_groups_that_paying_the_largest_first_would_miss() -> None:
    """Where 3 and 4 are owed 7, and 1 and 5 are owed 6, four payments do; the largest first would make five."""
    won = {"a": -7, "b": 3, "c": 4, "d": -6, "e": 1, "f": 5}
    pairs = [(one.debtor, one.creditor) for one in payments(won)]
    assert sorted(pairs) == [("a", "b"), ("a", "c"), ("d", "e"), ("d", "f")]


@given(balances(7))
def test_no_way_has_fewer_payments(won: dict[str, int]) -> None:
    """Everybody is settled, with as few payments as the best of all partitions."""
    made = payments(won)
    assert settles(made, won)
    assert len(made) == fewest(won)


@given(balances(40, EXACT + 1))
def test_many_people_settle(won: dict[str, int]) -> None:
    """Beyond the exact search too everybody is settled, in fewer payments than people."""
    made = payments(won)
    assert settles(made, won)
    assert len(made) < len(won)


@given(balances(9))
def test_the_same_balances_settle_the_same_way(won: dict[str, int]) -> None:
    """The payments depend on the balances and their order alone."""
    assert payments(dict(won)) == payments(won)


@given(balances(7), st.integers(1, 1000))
def test_the_stake_does_not_matter(won: dict[str, int], times: int) -> None:
    """Many times the balances are the same payments, many times as large."""
    larger = payments({who: value * times for who, value in won.items()})
    assert larger == [Payment(one.debtor, one.creditor, one.amount * times) for one in payments(won)]


def test_balances_that_do_not_add_up_are_refused() -> None:
    """Money that comes from nowhere is an error."""
    with pytest.raises(ValueError, match="add up"):
        payments({"Ola": 1, "Jan": -2})
