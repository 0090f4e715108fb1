"""Typed words made plain, so that capitals, accents and closing marks do not matter. Pure."""

import unicodedata
from typing import Final

_LETTERS: Final = str.maketrans({"ł": "l", "ß": "ss", "„": " ", "“": " ", "”": " ", '"': " "})


def fold(text: str) -> str:
    """The text without capitals, accents, needless blanks and closing marks."""
    small = unicodedata.normalize("NFKD", text.casefold().translate(_LETTERS))
    bare = " ".join("".join(char for char in small if not unicodedata.combining(char)).split())
    return bare if bare == "?" else bare.rstrip("?!. ")
