"""How well the cards that the others have played fit a world: eyes go to partners rather than to opponents."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from typing import Final

from server.bots.kop.worlds import World
from server.games.cards import Card
from server.games.game import Seat
from server.games.kop.deal import left_of
from server.games.kop.play import EYES, PACK, playable, winning_place
from server.games.kop.seen import Situation
from server.games.kop.sides import Contract
from server.games.kop.solver import Order

PER_EYE: Final = 0.1
"""How much each eye that a player could have given otherwise speaks against a world."""


@dataclass(frozen=True, slots=True)
class Hint:
    """That a seat threw a card on a trick of another: its eyes, and those of what it might have thrown instead.

    `others` has a bit for each card that, if held, could have been thrown as well, without taking the trick.
    """

    seat: Seat
    winner: Seat
    eyes: int
    others: tuple[tuple[int, int], ...]


def hints(now: Situation, order: Order) -> tuple[Hint, ...]:
    """What the cards of the others tell."""
    return tuple(_hints(now, order))


def _hints(now: Situation, order: Order) -> Iterator[Hint]:
    tricks = [(trick.leader, trick.cards) for trick in now.deal.tricks]
    tricks.append((now.deal.leader, now.deal.trick))
    gone: set[Card] = set()
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            seat = left_of(leader, place)
            best = winning_place(cards, now.rules)
            gone.add(card)
            if seat == now.seat or place in (0, best):
                continue
            others = [
                (order.bits[other], EYES[other.rank])
                for other in PACK
                if other not in gone
                and other in playable((card, other), cards[:place], now.rules)
                and winning_place((*cards[:place], other, *cards[place + 1 :]), now.rules) == best
            ]
            yield Hint(seat, left_of(leader, best), EYES[card.rank], tuple(others))


def fitness(told: tuple[Hint, ...], world: World, played: Contract) -> float:
    """How well a world fits the hints: 1 if nobody could have served his side better."""
    missed = 0
    for hint in told:
        hand = world[hint.seat]
        eyes = [worth for bit, worth in hint.others if hand & bit]
        if eyes:
            ours = played.side(hint.seat) is played.side(hint.winner)
            missed += max(0, max(eyes) - hint.eyes) if ours else max(0, hint.eyes - min(eyes))
    return exp(-PER_EYE * missed)
