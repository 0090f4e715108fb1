"""The order of a tournament."""

import random
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from server.tournament.standings import Account, LineKind, ScoreLine, standings, team_standings
from tests.tournament.samples import account, line

REAL = (
    ("14", 91, 1),
    ("14", 83, 2),
    ("13", 75, 3),
    ("12", 170, 4),
    ("12", 37, 5),
    ("23/2", 28, 6),
    ("11", 43, 7),
    ("11", -39, 8),
    ("10", -8, 11),
    ("10", -44, 12),
    ("19/2", -4, 13),
    ("9", -46, 14),
    ("9", -60, 15),
    ("8", -40, 16),
    ("7", -54, 17),
    ("7", -69, 18),
    ("6", -68, 19),
    ("5", -78, 20),
)
"""Rows of a real result list: big and small points, place; the places 9 and 10 are misprinted there."""


def test_a_real_result_list_is_ordered_as_it_was() -> None:
    """Eighteen rows, entered in any order, come out by their places."""
    accounts = [account(place, line(1, big, small)) for big, small, place in REAL]
    for seed in range(20):
        random.Random(seed).shuffle(accounts)
        rows = standings(accounts)
        assert [(str(row.big), row.small, row.entrant) for row in rows] == list(REAL)
        assert [row.rank for row in rows] == list(range(1, 19))


def test_big_then_small_then_rounds_won_then_second_places() -> None:
    """Each counts only where all before it are equal."""
    big = account(9, line(1, "7", -50), line(2, "0", 0, 4))
    small = account(8, line(1, "6", 20), line(2, "0", 0, 4))
    won = account(7, line(1, "4", 5, 1), line(2, "2", 5, 3))
    seconds = account(6, line(1, "3", 5, 2), line(2, "3", 5, 2))
    neither = account(5, line(1, "3", 5, 2), line(2, "3", 5, 3))
    rows = standings([neither, seconds, won, small, big])
    assert [row.entrant for row in rows] == [9, 8, 7, 6, 5]
    assert [row.rank for row in rows] == [1, 2, 3, 4, 5]
    assert [(row.won, row.seconds) for row in rows] == [(0, 0), (0, 0), (1, 0), (0, 2), (0, 1)]


def test_equal_in_all_four_shares_a_rank() -> None:
    """1, 2, 2, 4, the equal ones by their numbers."""
    rows = standings([account(number, line(1, big, 0, 1)) for number, big in ((4, "3"), (3, "2"), (2, "3"), (1, "4"))])
    assert [(row.rank, row.entrant) for row in rows] == [(1, 1), (2, 2), (2, 4), (4, 3)]


def test_a_shared_first_place_is_a_round_won_and_no_second_place() -> None:
    """Places are the best of the shared ones."""
    shared = standings([account(1, line(1, "7/2", 6, 1), line(2, "5/2", 1, 2))])[0]
    assert (shared.won, shared.seconds) == (1, 1)


def test_only_what_was_played_is_won() -> None:
    """Byes, awarded points, forfeits and penalties count in the sums alone, whatever place stands in them."""
    lines = (
        line(1, "3", 35, kind=LineKind.BYE),
        line(2, "3", 35, 1, kind=LineKind.AWARDED, table=2),
        line(3, "0", -10, 2, kind=LineKind.FORFEIT, table=1),
        line(4, "0", 0, kind=LineKind.MISSED),
        line(0, "-1/2", -5, kind=LineKind.PENALTY),
    )
    row = standings([account(1, *lines)])[0]
    assert (row.big, row.small, row.won, row.seconds) == (Fraction(11, 2), 55, 0, 0)
    assert row.lines == lines


def test_nobody_has_no_order() -> None:
    """No accounts, no rows; and an account without lines has nothing."""
    assert standings([]) == ()
    row = standings([account(1)])[0]
    assert (row.rank, row.big, row.small, row.won, row.seconds) == (1, Fraction(0), 0, 0, 0)


POINTS = st.sampled_from(["0", "1", "3/2", "2", "5/2", "3", "7/2", "4"])
LINES = st.builds(
    ScoreLine,
    st.integers(1, 5),
    st.sampled_from(LineKind),
    POINTS.map(Fraction),
    st.integers(-3, 3),
    st.sampled_from([1, 2, 3, 4]),
    st.none(),
)
ACCOUNTS = st.lists(st.lists(LINES, max_size=3), max_size=8).map(
    lambda all_: [Account(number, "x", "AB"[number % 2], tuple(lines)) for number, lines in enumerate(all_)]
)


@given(ACCOUNTS, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_the_accounts(accounts: list[Account], chance: random.Random) -> None:
    """Neither of the entrants nor of the teams; a rank is one more than how many are better."""
    rows, teams = standings(accounts), team_standings(accounts, 2)
    chance.shuffle(accounts)
    assert (standings(accounts), team_standings(accounts, 2)) == (rows, teams)
    for row in rows:
        better = sum(
            (one.big, one.small, one.won, one.seconds) > (row.big, row.small, row.won, row.seconds) for one in rows
        )
        assert row.rank == better + 1


def test_teams_have_the_sums_of_their_members() -> None:
    """In the same order; who has no team is left out, an incomplete team stands last without a rank."""
    accounts = [
        account(1, line(1, "4", 10, 1), team="Wolsztyn"),
        account(2, line(1, "1", -10, 4), team="Wolsztyn"),
        account(3, line(1, "5/2", 0, 2), team="Kościan"),
        account(4, line(1, "5/2", 0, 2), team="Kościan"),
        account(5, line(1, "4", 30, 1), line(2, "4", 30, 1), team="Gostyń"),
        account(6, line(1, "4", 99, 1)),
    ]
    rows = team_standings(accounts, 2)
    assert [(row.rank, row.team, row.big, row.small, row.won, row.seconds, row.complete) for row in rows] == [
        (1, "Wolsztyn", Fraction(5), 0, 1, 0, True),
        (2, "Kościan", Fraction(5), 0, 0, 2, True),
        (None, "Gostyń", Fraction(8), 60, 2, 0, False),
    ]
    assert [member.entrant for member in rows[0].members] == [1, 2]


def test_fours_and_equal_teams() -> None:
    """Equal teams share a rank and stand by their names; only four are a team of four."""
    accounts = [account(number, line(1, "2", 0, 3), team="AB"[number % 2]) for number in range(8)]
    assert [(row.rank, row.team, len(row.members)) for row in team_standings(accounts, 4)] == [(1, "A", 4), (1, "B", 4)]
    assert [(row.rank, row.team) for row in team_standings(accounts[:-1], 4)] == [(1, "A"), (None, "B")]
