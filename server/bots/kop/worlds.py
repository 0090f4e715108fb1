"""The worlds of a seat: all ways in which the cards that it has not seen may lie, by everything it has seen.

A card cannot lie with a seat that should have played it instead of the card it played, nor a black queen
with anyone but the caller of a wesele, nor his named jack with him; and where a silent solo may not give
the first doubling, who gave it lacks a black queen.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from server.games.cards import Card
from server.games.compiled import Floats, Ints, compiled
from server.games.kop.auction import BLACK_QUEENS, Word
from server.games.kop.play import PACK, playable
from server.games.kop.seen import Situation
from server.games.kop.sides import SEATS
from server.games.kop.solver import Order

HAND: Final = 4

World = tuple[int, int, int, int]
"""The four hands as dealt, as bits."""


@dataclass(frozen=True, slots=True)
class Likely:
    """How likely each hand of each seat is, where `place` finds a hand by its bits."""

    place: Ints
    seats: tuple[Floats, Floats, Floats, Floats]


def draw(now: Situation, order: Order, likely: Likely, count: int, rng: Random) -> dict[World, float]:
    """Worlds with weights that add up to 1: all of them, or about so many by chance, the likelier rather."""
    holders = now.holders
    held = [order.mask(card for card, by in holders.items() if by == seat) for seat in SEATS]
    unseen = [card for card in PACK if card not in holders]
    cards, rooms = array("q", [order.bits[card] for card in unseen]), array("q", _rooms(now, unseen))
    queens, apart, lying = order.mask(BLACK_QUEENS), _apart(now), array("q", bytes(8 * len(unseen)))
    found, weights = array("q", bytes(32 * count)), array("d", bytes(8 * count))

    def fill(step: float, start: float, most: int) -> tuple[int, float]:
        hands = array("q", held)
        return _fill(
            cards, rooms, hands, lying, queens, apart, likely.place, *likely.seats, step, start, most, found, weights
        )

    number, total = fill(0.0, 0.0, 0)
    if number <= count:
        noted, _ = fill(0.0, 0.0, number)
    else:
        step = total / count
        noted, _ = fill(step, step * rng.random(), count)
    every = sum(weights[:noted])
    return {
        (found[at], found[at + 1], found[at + 2], found[at + 3]): weights[at // 4] / every
        for at in range(0, 4 * noted, 4)
    }


def _rooms(now: Situation, unseen: Sequence[Card]) -> list[int]:
    """For each unseen card the seats, as bits, where it may lie."""
    plays = now.plays
    rooms = []
    for card in unseen:
        barred = {by for by, played, before in plays if played not in playable((played, card), before, now.rules)}
        for said in now.deal.auction.said:
            if said.word is Word.WESELE:
                barred.update(seat for seat in SEATS if card in BLACK_QUEENS and seat != said.seat)
                barred.update({said.seat} if card is said.jack else ())
        rooms.append(sum(1 << seat for seat in SEATS if seat not in barred))
    return rooms


def _apart(now: Situation) -> int:
    """The seats, as bits, that cannot have both black queens: they gave the first doubling of no called game."""
    if now.rules.cicha_first_kontra:
        return 0
    seats = set()
    for said in now.deal.auction.said:
        if said.word in (Word.WESELE, Word.ZOLO, Word.ZOLO_DU):
            break
        if said.word is Word.DOUBLE and said.number == 1:
            seats.add(said.seat)
    return sum(1 << seat for seat in seats)


@compiled
def _fill(
    cards: Ints, rooms: Ints, hands: Ints, lying: Ints, queens: int, apart: int,
    place: Ints, first: Floats, second: Floats, third: Floats, fourth: Floats,
    step: float, start: float, most: int, found: Ints, weights: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Lays these cards into these hands in every way; how many ways there are, and their weights together.

    At most so many are noted: with a `step` those that are met when the weights are walked along in steps
    from `start` on, each with the steps that fell on it. Then the number is that of the noted ones.
    `lying` has room for where each card lies; the hands are as before at the end.
    """
    number, noted, total, at = 0, 0, 0.0, 0
    while at >= 0:
        if at == len(cards):
            if _allowed(hands, queens, apart):
                weight = first[place[hands[0]]] * second[place[hands[1]]] * third[place[hands[2]]]
                weight *= fourth[place[hands[3]]]
                total += weight
                number += 1
                if step > 0:
                    weight = 0.0
                    while start < total:
                        weight += 1
                        start += step
                if noted < most and weight > 0:
                    for seat in range(4):
                        found[4 * noted + seat] = hands[seat]
                    weights[noted] = weight
                    noted += 1
            at -= 1
            continue
        seat = lying[at] - 1  # where the card lies now; 0 for nowhere yet
        if seat >= 0:
            hands[seat] ^= cards[at]
        seat += 1
        while seat < 4 and not (rooms[at] >> seat & 1 and _has_room(hands[seat])):
            seat += 1
        if seat < 4:
            hands[seat] ^= cards[at]
            lying[at] = seat + 1
            at += 1
        else:
            lying[at] = 0
            at -= 1
    return (noted if most else number), total


@compiled
def _has_room(cards: int) -> bool:
    """Whether there are less than four cards: taking the lowest away three times leaves none."""
    for _ in range(HAND - 1):
        cards &= cards - 1
    return cards == 0


@compiled
def _allowed(hands: Ints, queens: int, apart: int) -> bool:
    """Whether no seat has both black queens that cannot."""
    allowed = True
    for seat in range(4):
        if apart >> seat & 1 and hands[seat] & queens == queens:
            allowed = False
    return allowed
