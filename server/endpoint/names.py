"""What a player may call himself, and say: visible characters only, in one normal form."""

import unicodedata
from typing import Final

MOST: Final = 24
MOST_TITLE: Final = 64
MOST_SAID: Final = 200
MOST_MARKS: Final = 2
"""Combining marks on one letter."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters, marks and signs that show nothing: fillers, joiners, the empty Braille cell."""


def clean_name(text: str) -> str | None:
    """The name in NFC with single blanks; None if it is empty, too long, or has what cannot be seen."""
    return _visible(text, MOST)


def clean_title(text: str) -> str | None:
    """The name of a tournament or a team, likewise."""
    return _visible(text, MOST_TITLE)


def clean_saying(text: str) -> str | None:
    """What somebody says, likewise."""
    return _visible(text, MOST_SAID)


def _visible(text: str, most: int) -> str | None:
    """Control, format (zero-width and direction), private, unassigned and surrogate characters are refused."""
    name = " ".join(part for part in unicodedata.normalize("NFC", text).split(" ") if part)
    if not 1 <= len(name) <= most or unicodedata.combining(name[0]):
        return None
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        if category[0] == "C" or character in _BLANKS or (category[0] == "Z" and character != " "):
            return None
        marks = marks + 1 if category[0] == "M" else 0
        if marks > MOST_MARKS:
            return None
    return name
