"""All fifty-two cards as people write and see them: A 2-10 J Q K, with each language's letters. On the wire: `TH`."""

import re
from typing import Final

from client_cli.cards import SUITS, Face
from client_cli.catalogue import Catalogue
from client_cli.fold import fold

RANKS: Final = "A23456789TJQK"
_COURT: Final = {
    "en": {"J": "J", "Q": "Q", "K": "K"},
    "de": {"J": "B", "Q": "D", "K": "K"},
    "pl": {"J": "W", "Q": "D", "K": "K"},
}
_READ: Final = {"1": "A", "10": "T", "T": "T", "D": "Q", "Q": "Q", "J": "J", "B": "J", "W": "J"}
_SUITS: Final = {symbol: suit for suit, symbol in SUITS.items()} | {suit: suit for suit in SUITS}
_SUITS_WHITE: Final = {"♧": "C", "♤": "S", "♡": "H", "♢": "D"}
_CARD: Final = re.compile(r"(10|[1-9ATJQKDBW])\s*([CSHD♣♠♥♦♧♤♡♢])")
_RANK: Final = re.compile(r"10|[1-9ATJQKDBW]")
_EMOJI_MARK: Final = "\N{VARIATION SELECTOR-16}"


def rank_face(texts: Catalogue, rank: str) -> str:
    """A rank as the language writes it."""
    return "10" if rank == "T" else _COURT[texts.language].get(rank, rank)


def all_faces(texts: Catalogue, *, unicode: bool) -> Face:
    """A function that writes a card for people: `10♥`, or `10H` where symbols cannot be shown."""
    faces = {
        rank + suit: rank_face(texts, rank) + (symbol if unicode else suit)
        for rank in RANKS
        for suit, symbol in SUITS.items()
    }
    return lambda card: faces.get(card, "?")


def read_card(typed: str) -> str | None:
    """The card that was typed, with the letters of any of the languages; None if it is none."""
    found = _CARD.fullmatch(typed.replace(_EMOJI_MARK, "").strip().upper())
    if found is None:
        return None
    return _rank(found[1]) + (_SUITS | _SUITS_WHITE)[found[2]]


def read_rank(typed: str) -> str | None:
    """The rank that was typed."""
    said = fold(typed).upper()
    return _rank(said) if _RANK.fullmatch(said) else None


def _rank(letters: str) -> str:
    return _READ.get(letters, letters)
