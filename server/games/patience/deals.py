"""Numbered deals: the pack that a number gives, the same as in PySolFC.

Deal n of a game is PySolFC's deal n of the same game: below 32000 the generator of Microsoft FreeCell, which
takes a single pack rank by rank; else the Mersenne Twister. The deck lies clubs, spades, hearts, diamonds, ace
to king, pack after pack; it is shuffled from its end, and the cards are dealt from its end. Cards that the game
lays out beforehand are put on top, so they are dealt first.

An ordinary deal has a number of twenty digits, drawn from 32 fresh bytes. Who knows the number knows all cards.
"""

import hashlib
from collections.abc import Collection
from typing import Final

from server.games.patience.cards import PACK, SUITS, Card, Cards
from server.games.patience.twister import fractions, microsoft

MOST: Final = 10**20 - 1
"""The highest deal number."""
_FIRST_TWISTER: Final = 32000
_FIRST_OF_TWENTY_DIGITS: Final = 10**19


def dealing_order(number: int, packs: int, first: Collection[int] = ()) -> Cards:
    """The cards of a deal in the order in which they are dealt.

    `first` are the cards that the game lays out beforehand, as places in the deck as it lies before the shuffle.

    Raises:
        ValueError: no deal has this number.
    """
    if not 1 <= number <= MOST:
        raise ValueError(f"no deal has the number {number}")
    deck = _shuffled(number, list(range(len(PACK) * packs)))
    deck.reverse()
    ahead = sorted((place for place in deck if place in first), key=_by_rank_and_suit)
    return tuple(PACK[place % len(PACK)] for place in (*ahead, *(place for place in deck if place not in first)))


def _by_rank_and_suit(place: int) -> tuple[int, int]:
    return place % 13, place % len(PACK) // 13


def _shuffled(number: int, deck: list[int]) -> list[int]:
    if number < _FIRST_TWISTER:
        if len(deck) == len(PACK):
            deck = [13 * suit + rank for rank in range(13) for suit in (0, 3, 2, 1)]
        numbers = microsoft(number)
        return _swapped(deck, [next(numbers) % (last + 1) for last in range(len(deck) - 1, 0, -1)])
    parts = fractions(number)
    return _swapped(deck, [int(next(parts) * (last + 1)) for last in range(len(deck) - 1, 0, -1)])


def _swapped(deck: list[int], others: list[int]) -> list[int]:
    """The deck after each card from the last on was exchanged with another one."""
    for last, other in zip(range(len(deck) - 1, 0, -1), others, strict=True):
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def hidden_number(entropy: bytes) -> int:
    """The number of an ordinary deal: twenty digits from 32 fresh bytes."""
    return _FIRST_OF_TWENTY_DIGITS + int.from_bytes(entropy, "big") % (9 * _FIRST_OF_TWENTY_DIGITS)


def stock_place(number: int, turn: int, size: int) -> int:
    """Where the card put aside as the `turn`-th (from 1) goes into a stock of this size, 0 being on top.

    The remainder, by size + 1, of the SHA-256 of the text `NUMBER/twin/TURN`, read as a big-endian number.
    """
    digest = hashlib.sha256(f"{number}/twin/{turn}".encode()).digest()
    return int.from_bytes(digest, "big") % (size + 1)


def places_of(rank: str, packs: int) -> frozenset[int]:
    """The places of all cards of a rank in the deck before the shuffle."""
    cards = [Card(rank + suit) for suit in SUITS]
    return frozenset(len(PACK) * pack + PACK.index(card) for pack in range(packs) for card in cards)
