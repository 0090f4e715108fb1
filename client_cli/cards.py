"""Cards as people write and see them. On the wire a card is two letters, rank then suit: `TH`."""

import re
from collections.abc import Callable
from typing import Final

from client_cli.catalogue import Catalogue

SUITS: Final = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}
EYES: Final = {"A": 11, "T": 10, "Q": 3, "J": 2}

_RANK_LETTERS: Final = {"A": "A", "T": "T", "10": "T", "Q": "Q", "D": "Q", "J": "J", "B": "J", "W": "J"}
_SUIT_LETTERS: Final = {letter: letter for letter in SUITS} | {
    "♣": "C",
    "♧": "C",
    "♠": "S",
    "♤": "S",
    "♥": "H",
    "♡": "H",
    "♦": "D",
    "♢": "D",
}
_EMOJI_MARK: Final = "\N{VARIATION SELECTOR-16}"
_CARD: Final = re.compile(rf"({'|'.join(_RANK_LETTERS)})\s*([{''.join(_SUIT_LETTERS)}])")

Face = Callable[[str], str]


def parse_card(typed: str) -> str | None:
    """The card that was typed, in any of the three languages' letters, or None.

    The rank is A, 10 or T, Q or D, J or B or W; the suit is c, s, h, d or a symbol.
    """
    found = _CARD.fullmatch(typed.replace(_EMOJI_MARK, "").strip().upper())
    return _RANK_LETTERS[found[1]] + _SUIT_LETTERS[found[2]] if found else None


def face_of(texts: Catalogue, *, unicode: bool) -> Face:
    """A function that writes a card for people: `Q♣`, or `QC` where symbols cannot be shown."""
    ranks = {rank: texts(f"card.{rank}") for rank in EYES}
    suits = SUITS if unicode else {suit: suit for suit in SUITS}
    faces = {rank + suit: ranks[rank] + suits[suit] for rank in ranks for suit in suits}
    return lambda card: faces.get(card, "?")


def faces(face: Face, cards: list[str]) -> str:
    """Several cards with blanks between."""
    return " ".join(face(card) for card in cards)
