"""The cards of the patiences: whole packs of 52, as two-letter texts.

Wire, logs and tests: rank, then suit (`KC 2D TH`); ranks `A 2-9 T J Q K`, suits `C S H D`. Two packs hold
each card twice; twins are told apart by where they lie, never by the card.
"""

from typing import Final, NewType

Card = NewType("Card", str)
"""A card as its two letters."""

Cards = tuple[Card, ...]
"""Cards in order; of a pile from the bottom, so that the last one lies on top."""

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CSHD"

PACK: Final[Cards] = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""One pack: suit by suit, ace to king."""

ACE: Final = 1
KING: Final = 13
RANK: Final[dict[Card, int]] = {card: RANKS.index(card[0]) + 1 for card in PACK}
"""The rank of a card as a number: ace 1 to king 13."""
SUIT: Final[dict[Card, int]] = {card: SUITS.index(card[1]) for card in PACK}
"""The suit of a card as a number: clubs 0, spades 1, hearts 2, diamonds 3."""


def cards(text: str) -> Cards:
    """The cards of a text such as `QS TD`, in its order.

    Raises:
        ValueError: a word is no card.
    """
    found = tuple(Card(word) for word in text.split())
    for card in found:
        if card not in RANK:
            raise ValueError(f"no card: {card}")
    return found


def card_of(rank: int, suit: int) -> Card:
    """The card of a rank from 1 to 13 and a suit from 0 to 3."""
    return PACK[13 * suit + rank - 1]


def is_red(card: Card) -> bool:
    """Whether the card is a heart or a diamond."""
    return SUIT[card] >= SUITS.index("H")


def rank_above(rank: int) -> int:
    """The next rank round the corner: after the king the ace."""
    return rank % KING + 1


def rank_below(rank: int) -> int:
    """The rank before it round the corner: before the ace the king."""
    return (rank - 2) % KING + 1
