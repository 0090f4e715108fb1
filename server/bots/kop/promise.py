"""What a hand promises before a card is played: how likely it wins alone, and with an unknown partner.

The weights were fitted to 40,000 random deals for each order of trumps, solved with open hands: they
add up to the logarithm of the odds. `python -m tests.bench.bots` shows how well the bots call with them.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import exp
from typing import Final

from server.games.cards import Card
from server.games.compiled import Floats, Ints
from server.games.kop.auction import BLACK_QUEENS
from server.games.kop.play import PACK, by_strength
from server.games.kop.ruleset import RuleSet, Trumps
from server.games.kop.solver import order_of


@dataclass(frozen=True, slots=True)
class Weights:
    """What each card adds, the highest trump first, the plain cards last; what the first lead adds; and the rest."""

    cards: tuple[float, ...]
    lead: float
    always: float = 0.0


_ALONE: Final = {
    Trumps.AS_DYCHA: Weights(
        (4.07, 2.34, 0.83, 0.09, -0.73, -1.5, -1.84, -2.2, -2.4, -2.49, -3.67, -3.79, -7.3, -7.2, -7.3, -7.2), 1.83
    ),
    Trumps.AS_TRZY_DYCHY: Weights(
        (3.77, 1.77, 1.18, 0.32, -0.77, -1.65, -2.41, -2.92, -2.87, -2.92, -3.17, -3.23, -4.67, -4.65, -5.91, -6.36),
        1.43,
    ),
}
_YOUNG: Final = {
    Trumps.AS_DYCHA: Weights(
        (1.09, 0.78, 0.0, 0.0, 0.03, -0.05, -0.11, -0.16, -0.22, -0.2, -0.24, -0.32, -0.75, -0.81, -0.78, -0.82), 0.37
    ),
    Trumps.AS_TRZY_DYCHY: Weights(
        (1.26, 0.79, 0.5, 0.29, 0.0, 0.0, -0.18, -0.19, -0.25, -0.27, -0.29, -0.3, -0.37, -0.44, -0.7, -0.68), 0.44
    ),
}
_OLD: Final = {
    Trumps.AS_DYCHA: Weights(
        (2.12, 1.37, 0.15, 0.16, 0.26, 0.18, 0.11, 0.03, -0.03, -0.03, -0.09, -0.18, -0.66, -0.71, -0.71, -0.72),
        0.38,
        0.31,
    ),
    Trumps.AS_TRZY_DYCHY: Weights(
        (1.78, 1.08, 0.69, 0.43, 0.02, 0.01, -0.18, -0.2, -0.2, -0.26, -0.3, -0.32, -0.4, -0.47, -0.78, -0.78),
        0.5,
        0.03,
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Promises:
    """The same for every hand: `place` finds a hand, by its bits, in the other tables."""

    place: Ints
    alone: Floats
    with_partner: Floats
    both_queens: Ints


@cache
def promises(rules: RuleSet, *, leads: bool) -> Promises:
    """What each hand promises under a rule set."""
    place = array("q", bytes(8 * 2 ** len(PACK)))
    hands = list(combinations(PACK, 4))
    for at, cards in enumerate(hands):
        place[order_of(rules).mask(cards)] = at
    return Promises(
        place,
        array("d", [alone(cards, rules, leads=leads) for cards in hands]),
        array("d", [with_partner(cards, rules, leads=leads) for cards in hands]),
        array("q", [BLACK_QUEENS.issubset(cards) for cards in hands]),
    )


def chance(odds: float) -> float:
    """The probability that has these odds, given as their logarithm."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


def alone(dealt: Iterable[Card], rules: RuleSet, *, leads: bool) -> float:
    """The odds, as a logarithm, that a hand wins alone against three."""
    return _sum(_ALONE[rules.trumps], dealt, rules, leads=leads)


def with_partner(dealt: Iterable[Card], rules: RuleSet, *, leads: bool) -> float:
    """The odds, as a logarithm, that a hand's side wins the ordinary game: the Old with one black queen."""
    cards = tuple(dealt)
    weights = _YOUNG if BLACK_QUEENS.isdisjoint(cards) else _OLD
    return _sum(weights[rules.trumps], cards, rules, leads=leads)


def _sum(weights: Weights, dealt: Iterable[Card], rules: RuleSet, *, leads: bool) -> float:
    places = _places(rules)
    return sum(weights.cards[places[card]] for card in dealt) + weights.lead * leads + weights.always


@cache
def _places(rules: RuleSet) -> dict[Card, int]:
    return {card: place for place, card in enumerate(by_strength(PACK, rules))}
