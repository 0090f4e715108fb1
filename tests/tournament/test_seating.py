"""A round seats everybody once, whatever the field and whatever was before; byes and bots go round."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import RuleViolation
from server.tournament.placing import Placing, byes_had, company, meetings, people, seats_used
from server.tournament.seating import Fill, Seating, seat_round
from tests.tournament.rounds import evening, everybody, seed

ODD = [5, 6, 7, 9, 13]
KINDS = st.sampled_from(Seating)
FILLS = st.sampled_from(Fill)


@st.composite
def fields(draw: Any) -> list[list[int]]:
    """Who plays in each of up to six rounds, in some order: some go, some come late, some come back."""
    start = draw(st.one_of(st.sampled_from(ODD), st.integers(4, 26)))
    here, known = set(range(1, start + 1)), start
    rounds = []
    for _ in range(draw(st.integers(1, 6))):
        rounds.append(draw(st.permutations(sorted(here))))
        late = draw(st.integers(0, 2))
        gone = draw(st.sets(st.sampled_from(sorted(here)), max_size=max(0, min(3, len(here) + late - 4))))
        back = draw(st.sets(st.sampled_from(range(1, known + 1)), max_size=1))
        here = (here - gone) | back | set(range(known + 1, known + late + 1))
        known += late
    return rounds


def play(kind: Seating, fill: Fill, rounds: Sequence[Sequence[int]], evening: int) -> list[Placing]:
    past: list[Placing] = []
    for number, here in enumerate(rounds, 1):
        past.append(
            seat_round(kind, fill, here, past, seed(evening, number), round_number=number, rounds=len(rounds)),
        )
    return past


@given(KINDS, FILLS, fields(), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_everybody_has_a_place_once(kind: Seating, fill: Fill, rounds: list[list[int]], evening: int) -> None:
    """In each round everybody sits once or has a bye, with no more byes or bots than are needed."""
    past = play(kind, fill, rounds, evening)
    for here, placing in zip(rounds, past, strict=True):
        assert everybody(placing) == sorted(here)
        bots = [table.count(None) for table in placing.tables]
        assert all(people(table) for table in placing.tables)
        if fill is Fill.BYE:
            assert (len(placing.byes), sum(bots)) == (len(here) % 4, 0)
        else:
            assert (placing.byes, sum(bots)) == ((), -len(here) % 4)
            assert max(bots) - min(bots) <= 1
    assert past == play(kind, fill, rounds, evening)


@given(KINDS, fields(), st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_byes_go_round(kind: Seating, rounds: list[list[int]], evening: int) -> None:
    """Among those who were there in all rounds the byes differ by one at most, after each round."""
    past = play(kind, Fill.BYE, rounds, evening)
    for played in range(1, len(past) + 1):
        always = set.intersection(*map(set, rounds[:played]))
        had = [byes_had(past[:played])[one] for one in always]
        assert not had or max(had) - min(had) <= 1


@pytest.mark.parametrize("kind", [Seating.DRAW, Seating.BALANCED])
@pytest.mark.parametrize("entrants", [*ODD, 15, 17, 19, 21, 22, 23, 30])
def test_bots_go_round(kind: Seating, entrants: int) -> None:
    """With the same field nobody has had two bots more than another: one at most, while each table has one at most."""
    past = evening(kind, entrants, fill=Fill.BOTS, number=3)
    had = company(past)
    counts = [had[one] for one in range(1, entrants + 1)]
    assert max(counts) - min(counts) <= 1


def test_by_standing_the_first_four_sit_together() -> None:
    """From round 2 on tables are cut from the standings in order; the first round is a draw."""
    standings = [*range(12, 0, -1)]
    past = evening(Seating.STANDING, 12, 3, standings=lambda _: standings)
    assert {frozenset(people(table)) for table in past[0].tables} != set(map(frozenset, _fours(standings)))
    for placing in past[1:]:
        assert [set(people(table)) for table in placing.tables] == list(map(set, _fours(standings)))


def _fours(order: Sequence[int]) -> list[Sequence[int]]:
    return [order[first : first + 4] for first in range(0, len(order), 4)]


def test_by_standing_the_last_has_the_bye() -> None:
    """Among those with the fewest byes the lowest in the standings has it; who has had one comes later."""
    standings = [3, 1, 4, 5, 9, 2, 6, 8, 7]
    one = seat_round(Seating.STANDING, Fill.BYE, standings, [], seed(0, 1), round_number=2, rounds=5)
    two = seat_round(Seating.STANDING, Fill.BYE, standings, [one], seed(0, 1), round_number=3, rounds=5)
    assert (one.byes, two.byes) == ((7,), (8,))
    assert [set(people(table)) for table in two.tables] == [{3, 1, 4, 5}, {9, 2, 6, 7}]


def test_by_standing_bots_sit_low_and_then_elsewhere() -> None:
    """Bots sit at the lowest tables, until those there have had more of them than others."""
    standings = [*range(1, 11)]
    past: list[Placing] = []
    for number in range(2, 5):
        past.append(
            seat_round(Seating.STANDING, Fill.BOTS, standings, past, seed(0, number), round_number=number, rounds=5)
        )
    assert [[len(people(table)) for table in placing.tables] for placing in past] == [[4, 3, 3], [3, 3, 4], [3, 4, 3]]


@pytest.mark.parametrize("entrants", [8, 16, 21, 24])
def test_by_standing_seats_stay_even(entrants: int) -> None:
    """Whatever the standings, nobody sits in one seat three times more often than in another."""
    for number in range(3):
        past = evening(
            Seating.STANDING,
            entrants,
            number=number,
            standings=lambda played: sorted(range(1, entrants + 1), key=lambda one: seed(one, played)),
        )
        assert _unevenness(past, entrants) <= 2


@pytest.mark.parametrize("entrants", [8, 12, 15, 16, 19, 20, 23, 24, 28, 32])
def test_balanced_seats_rotate(entrants: int) -> None:
    """Balanced, with four at each table or one bot: over five rounds everybody sits in each seat, in one twice."""
    past = evening(Seating.BALANCED, entrants, fill=Fill.BOTS)
    assert _unevenness(past, entrants) <= 1


def _unevenness(past: Sequence[Placing], entrants: int) -> int:
    used = seats_used(past)
    counts = [[used[one, seat] for seat in range(4)] for one in range(1, entrants + 1)]
    return max(max(four) - min(four) for four in counts)


@given(KINDS, FILLS, st.integers(1, 3))
def test_too_few(kind: Seating, fill: Fill, entrants: int) -> None:
    """No table of four without byes, none with one alone beside bots."""
    if fill is Fill.BOTS and entrants > 1:
        placing = seat_round(kind, fill, range(entrants), [], seed(0, 1), round_number=1, rounds=3)
        assert len(placing.tables) == 1
        return
    with pytest.raises(RuleViolation) as refused:
        seat_round(kind, fill, range(entrants), [], seed(0, 1), round_number=1, rounds=3)
    assert refused.value.code == "too_few_entrants"


@pytest.mark.parametrize("kind", Seating)
def test_the_seed_decides(kind: Seating) -> None:
    """Another seed is another first round, for each kind."""
    first = {evening(kind, 16, 1, number=number)[0] for number in range(20)}
    assert len(first) == 20


@pytest.mark.parametrize("kind", [Seating.DRAW, Seating.BALANCED])
def test_standings_have_no_say_in_a_draw(kind: Seating) -> None:
    """Whoever checks a draw need not know how the standings were."""
    assert evening(kind, 13, 3) == evening(kind, 13, 3, standings=lambda played: range(13, 0, -1))


def test_a_draw_is_fair() -> None:
    """Over 4,000 draws of eight, who sits where and with whom is even: within six standard deviations."""
    seats: Counter[tuple[int, int]] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(4000):
        drawn = evening(Seating.DRAW, 8, 1, number=number)
        seats += seats_used(drawn)
        pairs += meetings(drawn)
    assert all(abs(count - 1000) < 6 * (4000 * 3 / 16) ** 0.5 for count in seats.values())
    assert all(abs(count - 4000 * 3 / 7) < 6 * (4000 * 12 / 49) ** 0.5 for count in pairs.values())
    assert (len(seats), len(pairs)) == (32, 28)


def test_an_order_of_three_hundred() -> None:
    """More entrants than a byte can number are drawn too."""
    placing = evening(Seating.DRAW, 301, 1)[0]
    assert everybody(placing) == [*range(1, 302)]
    assert sorted(map(len, map(people, placing.tables))) == [4] * 75
