"""Double dummy: how many eyes the Old take when all four hands are open and both sides play their best.

What a deal is worth never falls when the Old take more eyes, whatever is played: a trick has at least
eight eyes, so without eyes one has no trick, and with all 104 every trick. So best play for eyes is
best play for the game's value.

Cards are bits, sorted so that within a suit a higher bit is a higher card; what differs between
rule sets stands in a table of numbers. Source: docs/rules/kop.md, "Play".
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from server.games.cards import Card
from server.games.compiled import Ints
from server.games.game import Seat
from server.games.kop.play import EYES, PACK, TRUMP, by_strength, suit_of, winning_place
from server.games.kop.ruleset import RuleSet, VoidDuty
from server.games.kop.search import (
    CARD_EYES,
    CARDS,
    DUTY,
    HIGHER,
    KNOWN,
    NOT_ALLOWED,
    SUIT,
    TRAIL,
    TRUMPS,
    solve,
)


@dataclass(frozen=True, slots=True)
class Position:
    """A deal in play with open hands: the cards left, the trick on the table and who led it, the Old's eyes so far."""

    hands: Sequence[Sequence[Card]]
    leader: Seat
    trick: Sequence[Card] = ()
    eyes: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The cards as bits under a rule set: `cards` from bit 0 on, and the table of the search."""

    cards: tuple[Card, ...]
    bits: dict[Card, int]
    table: Ints

    def mask(self, cards: Iterable[Card]) -> int:
        """The bits of these cards."""
        return sum(self.bits[card] for card in cards)


def best_eyes(position: Position, old: Sequence[Seat], rules: RuleSet) -> int:
    """The eyes that these Old have at the end with best play by both sides."""
    order = order_of(rules)
    found = solve_best(_hands(position, order), array("q", [side_mask(old)]), position.leader, position.trick, order)
    return position.eyes + found[0]


def eyes_by_card(position: Position, old: Sequence[Seat], rules: RuleSet) -> dict[Card, int]:
    """The same after each card that the seat to move may play; empty when no cards are left."""
    order = order_of(rules)
    found = solve_cards(_hands(position, order), array("q", [side_mask(old)]), position.leader, position.trick, order)
    return {card: position.eyes + found[at] for at, card in enumerate(order.cards) if found[at] != NOT_ALLOWED}


def side_mask(old: Iterable[Seat]) -> int:
    """Seats as bits."""
    return sum(1 << seat for seat in old)


def solve_best(
    hands: Ints, olds: Ints, leader: Seat, trick: Sequence[Card], order: Order, limits: Sequence[int] = ()
) -> Ints:
    """The Old's eyes still to come in many worlds, the trick on the table with them.

    The worlds differ in the hands (the cards left, as bits, four numbers for each) and in who are the Old.
    With `limits`, which is quicker, it is only sure of each limit whether it is reached.
    """
    found = array("q", bytes(8 * len(olds)))
    lying, asked = _lying(trick, order), array("q", limits)
    solve(order.table, hands, olds, leader, lying, asked, _trail(), _known(), found, False)
    return found


def solve_cards(
    hands: Ints, olds: Ints, leader: Seat, trick: Sequence[Card], order: Order, limits: Sequence[int] = ()
) -> Ints:
    """The same after each card of the seat to move: sixteen numbers for each world, by the cards of the order.

    `NOT_ALLOWED` stands for a card that may not be played there.
    """
    found = array("q", [NOT_ALLOWED]) * (CARDS * len(olds))
    lying, asked = _lying(trick, order), array("q", limits)
    solve(order.table, hands, olds, leader, lying, asked, _trail(), _known(), found, True)
    return found


@cache
def order_of(rules: RuleSet) -> Order:
    """The cards as bits under a rule set."""
    ranked = by_strength(PACK, rules)[::-1]
    suits = {card: suit_of(card, rules) for card in ranked}
    cards = tuple(sorted(ranked, key=lambda card: suits[card]))  # stable: C, S, trumps
    bits = {card: 1 << at for at, card in enumerate(cards)}
    table = array("q", bytes(8 * (DUTY + 1)))
    for at, card in enumerate(cards):
        table[SUIT + at] = sum(bits[other] for other in cards if suits[other] == suits[card])
        table[HIGHER + at] = sum(bits[other] for other in cards if winning_place((card, other), rules) == 1)
        table[CARD_EYES + at] = EYES[card.rank]
    table[TRUMPS] = sum(bits[card] for card in cards if suits[card] == TRUMP)
    table[DUTY] = rules.void_duty is VoidDuty.TRUMP
    return Order(cards, bits, table)


def _hands(position: Position, order: Order) -> Ints:
    return array("q", [order.mask(cards) for cards in position.hands])


def _lying(trick: Sequence[Card], order: Order) -> Ints:
    return array("q", [order.cards.index(card) for card in trick])


def _known() -> Ints:
    return array("q", bytes(8 * KNOWN))


def _trail() -> Ints:
    return array("q", bytes(8 * TRAIL))
