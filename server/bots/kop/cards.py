"""Which card is best on average over the worlds of an outlook."""

from array import array
from typing import Final

from server.bots.kop.hints import fitness, hints
from server.bots.kop.outlook import Outlook, Stakes
from server.games.cards import Card
from server.games.compiled import Ints
from server.games.kop.search import CARDS
from server.games.kop.sides import SEATS
from server.games.kop.solver import side_mask, solve_cards

FIRST_LIMITS: Final = (53, 52, 26, 79, 1, 104, 40, 66)
"""In the first trick it is enough to know which of these eyes are reached: the values of games change there."""

EYES_WORTH: Final = 0.004
"""What an eye is worth beside the money of the deal: it decides between cards of equal money."""


def best_card(outlook: Outlook, *, suspicious: bool) -> Card:
    """The card with the most expected money for its player; the weaker of equals.

    `suspicious`: worlds count less in which the others would have thrown away their side's eyes.
    """
    now, order = outlook.now, outlook.order
    stakes = Stakes(now, order, now.deal.auction.standing, now.deal.auction.doublings)
    contracts = [stakes.contract(world) for world in outlook.worlds]
    olds = array("q", [side_mask(played.old) for played in contracts])
    limits = FIRST_LIMITS if len(now.deal.tricks) == 0 else ()
    found = solve_cards(remaining(outlook), olds, now.deal.leader, now.deal.trick, order, limits)
    values = dict.fromkeys(sorted(now.cards, key=order.bits.__getitem__), 0.0)
    places = {card: order.cards.index(card) for card in values}
    told = hints(now, order) if suspicious else ()
    for at, (world, weight) in enumerate(zip(outlook.worlds, outlook.weights, strict=True)):
        played = contracts[at]
        weight *= fitness(told, world, played)
        before = now.deal.taken(played.old).eyes
        ours = 1 if now.seat in played.old else -1
        for card, place in places.items():
            eyes = before + found[CARDS * at + place]
            values[card] += weight * (stakes.money(world, played, eyes) + EYES_WORTH * ours * eyes)
    return max(values, key=values.__getitem__)


def remaining(outlook: Outlook) -> Ints:
    """The cards left in each world, four hands after another."""
    now, order = outlook.now, outlook.order
    gone = [order.mask(card for by, card, _ in now.plays if by == seat) for seat in SEATS]
    return array("q", [hand & ~gone[seat] for world in outlook.worlds for seat, hand in enumerate(world)])
