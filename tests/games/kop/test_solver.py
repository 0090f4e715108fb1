"""The solver against a plain search over the naive rules, and what makes it usable everywhere."""

import random
import subprocess
import sys
from array import array
from typing import Any

import pytest

from server.games import compiled as compiling
from server.games.cards import Card
from server.games.compiled import compiled
from server.games.game import Seat
from server.games.kop.play import PACK, playable
from server.games.kop.ruleset import RULE_SETS, RuleSet
from server.games.kop.scoring import ALL_EYES
from server.games.kop.search import CARDS, NOT_ALLOWED
from server.games.kop.solver import (
    Position,
    best_eyes,
    eyes_by_card,
    order_of,
    side_mask,
    solve_best,
    solve_cards,
)
from tests.games.kop.open_hands import old_eyes
from tests.games.kop.scenes import WHOLE_DEAL, four, naive_hands, naive_rules

OLDS = ((0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def hands_of(rng: random.Random) -> list[list[Card]]:
    """Four hands of a shuffled pack."""
    pack = rng.sample(PACK, len(PACK))
    return [pack[at : at + 4] for at in range(0, 16, 4)]


def later(rng: random.Random, plays: int, rules: RuleSet) -> Position:
    """A position after so many cards, played by chance."""
    hands, leader, trick = hands_of(rng), Seat(rng.randrange(4)), list[Card]()
    for _ in range(plays):
        seat = (leader + len(trick)) % 4
        card = rng.choice(playable(hands[seat], trick, rules))
        hands[seat].remove(card)
        trick.append(card)
        if len(trick) == 4:
            leader, trick = Seat(rng.randrange(4)), []  # any seat may have won it
    return Position(hands, leader, tuple(trick), 0)


def assert_solved(position: Position, old: tuple[int, ...], rules: RuleSet) -> None:
    """Fails if the solver and the plain search differ, for the position or after any card."""
    oracle, sides = naive_rules(rules), set(old)
    seats = tuple(Seat(seat) for seat in old)
    trick = [str(card) for card in position.trick]
    expected = old_eyes(naive_hands([tuple(cards) for cards in position.hands]), position.leader, trick, sides, oracle)
    assert best_eyes(position, seats, rules) == expected + position.eyes
    mover = (position.leader + len(position.trick)) % 4
    by_card = eyes_by_card(position, seats, rules)
    assert set(by_card) == set(playable(position.hands[mover], position.trick, rules))
    assert (max if mover in sides else min)(by_card.values()) == expected + position.eyes
    for card, eyes in by_card.items():
        left = [[one for one in cards if one is not card] for cards in position.hands]
        after = old_eyes(naive_hands([tuple(c) for c in left]), position.leader, [*trick, str(card)], sides, oracle)
        assert eyes == after + position.eyes


def assert_deal_solved(rng: random.Random, rules: RuleSet) -> None:
    """Fails if the solver and the plain search differ from the first lead of a random deal."""
    hands, leader, old = hands_of(rng), Seat(rng.randrange(4)), rng.choice(OLDS)
    expected = old_eyes(naive_hands([tuple(cards) for cards in hands]), leader, [], set(old), naive_rules(rules))
    assert best_eyes(Position(hands, leader), tuple(Seat(seat) for seat in old), rules) == expected


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_it_agrees_with_a_plain_search(rules: RuleSet) -> None:
    """From the first lead of 8 deals, the same eyes."""
    rng = random.Random(rules.name)
    for _ in range(8):
        assert_deal_solved(rng, rules)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_it_agrees_with_a_plain_search_of_a_thousand_deals(rules: RuleSet) -> None:
    """From the first lead of 1,000 deals, the same eyes."""
    rng = random.Random(f"long {rules.name}")
    for _ in range(1_000):
        assert_deal_solved(rng, rules)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
def test_it_agrees_later_in_the_deal(rules: RuleSet) -> None:
    """From 120 positions in which 3 to 15 cards are played, the same eyes, in all and after each card."""
    rng = random.Random(f"later {rules.name}")
    for number in range(120):
        assert_solved(later(rng, 3 + number % 13, rules), rng.choice(OLDS), rules)


def test_many_worlds_are_solved_as_each_alone() -> None:
    """In one call every world has the eyes that it has alone, whoever are the Old in it."""
    rng, rules = random.Random(1), RULE_SETS["wolsztyn"]
    order = order_of(rules)
    worlds = [(hands_of(rng), rng.choice(OLDS)) for _ in range(50)]
    hands = array("q", [order.mask(cards) for four_hands, _ in worlds for cards in four_hands])
    olds = array("q", [side_mask(Seat(seat) for seat in old) for _, old in worlds])
    best = solve_best(hands, olds, Seat(2), (), order)
    by_card = solve_cards(hands, olds, Seat(2), (), order)
    for at, (four_hands, old) in enumerate(worlds):
        seats = tuple(Seat(seat) for seat in old)
        alone = eyes_by_card(Position(four_hands, Seat(2)), seats, rules)
        assert best[at] == best_eyes(Position(four_hands, Seat(2)), seats, rules)
        row = by_card[CARDS * at : CARDS * at + CARDS]
        assert {order.cards[n]: eyes for n, eyes in enumerate(row) if eyes != NOT_ALLOWED} == alone


@pytest.mark.parametrize("limits", [(53,), (53, 52, 26, 79, 1, 104), (104,), (30, 60, 90)])
def test_limits_tell_whether_they_are_reached(limits: tuple[int, ...]) -> None:
    """With limits every number is on the right side of each of them, for positions and after each card."""
    rng, rules = random.Random(2), RULE_SETS["klassisch"]
    order = order_of(rules)
    hands = array("q", [order.mask(cards) for _ in range(60) for cards in hands_of(rng)])
    olds = array("q", [side_mask(Seat(seat) for seat in rng.choice(OLDS)) for _ in range(60)])
    for solve in (solve_best, solve_cards):
        exact, about = solve(hands, olds, Seat(0), (), order), solve(hands, olds, Seat(0), (), order, limits)
        for one, other in zip(exact, about, strict=True):
            assert (one == NOT_ALLOWED) == (other == NOT_ALLOWED)
            assert [one >= limit for limit in limits] == [other >= limit for limit in limits]


def test_all_eyes_are_shared_out() -> None:
    """What one side takes the other does not: with the sides exchanged the eyes add up to 104 at the deal's best."""
    rng = random.Random(3)
    for rules in RULE_SETS.values():
        hands = hands_of(rng)
        seats = [Seat(0), Seat(2)], [Seat(1), Seat(3)]
        first, second = (best_eyes(Position(hands, Seat(1)), old, rules) for old in seats)
        assert first + second == ALL_EYES


def test_the_end_of_a_deal() -> None:
    """With no card left the eyes are those taken; with one each, those of the trick that they make."""
    rules = RULE_SETS["klassisch"]
    assert best_eyes(Position([[], [], [], []], Seat(0), (), 60), [Seat(0)], rules) == 60
    assert eyes_by_card(Position([[], [], [], []], Seat(0), (), 60), [Seat(0)], rules) == {}
    last = Position([[Card.QS], [Card.JD], [Card.QH], [Card.AC]], Seat(0), (), 60)
    assert eyes_by_card(last, [Seat(0)], rules) == {Card.QS: 79}
    assert eyes_by_card(last, [Seat(1), Seat(3)], rules) == {Card.QS: 60}


def test_a_function_that_cannot_be_kept_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no folder can be written to, nothing fails."""
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setattr(caching.CompileResultCacheImpl, "_locator_classes", [])

    @compiled
    def double(number: int) -> int:
        return 2 * number

    assert double(21) == 42


def test_without_numba_the_function_itself_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a platform without Numba the decorator changes nothing."""
    monkeypatch.setattr(compiling, "_NUMBA", None)

    def double(number: int) -> int:
        return 2 * number

    assert compiled(double) is double


PLAIN_RUN = """
import sys
sys.modules["numba"] = None
from server.games.kop.solver import Position, best_eyes
from server.games.kop.ruleset import KLASSISCH
from tests.games.kop.scenes import WHOLE_DEAL, four
print(best_eyes(Position(four(WHOLE_DEAL), 0), (0, 3), KLASSISCH))
"""


def test_it_gives_the_same_without_numba() -> None:
    """The code that is compiled elsewhere runs as it stands."""
    run: Any = subprocess.run([sys.executable, "-c", PLAIN_RUN], check=True, capture_output=True, text=True)
    assert int(run.stdout) == best_eyes(Position(four(WHOLE_DEAL), Seat(0)), (Seat(0), Seat(3)), RULE_SETS["klassisch"])


def test_the_server_starts_without_the_compiler() -> None:
    """What the server's own process imports brings in neither Numba nor NumPy."""
    code = "import server.main, server.bots.catalogue, sys; print({'numba', 'numpy'} & set(sys.modules))"
    run: Any = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "set()"
