"""Text from the network made safe for a terminal, and how wide text is there.

Whatever a server sends, no control, escape, direction or invisible character of it reaches the
terminal.
"""

import unicodedata
from typing import Final

_DROPPED: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS: Final = frozenset({"Mn", "Me"})
MOST_MARKS: Final = 2


def clean(text: object, limit: int | None = None) -> str:
    """The visible characters of a text, with at most two marks on a letter, cut to `limit` columns."""
    kept: list[str] = []
    marks = 0
    for char in str(text):
        category = unicodedata.category(char)
        if category in _MARKS:
            marks += 1
            if marks > MOST_MARKS:
                continue
        else:
            marks = 0
        if char in "\t\n\r":
            kept.append(" ")
        elif category not in _DROPPED:
            kept.append(char)
    visible = "".join(kept)
    return visible if limit is None else shorten(visible, limit)


def clean_name(text: object) -> str:
    """A player's name fit for the terminal, never empty."""
    return clean(text, 24).strip() or "?"


def width(text: str) -> int:
    """How many columns a cleaned text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.category(char) in _MARKS:
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def shorten(text: str, limit: int) -> str:
    """The text itself, or as much as fits `limit` columns with a dot at its end."""
    if width(text) <= limit:
        return text
    kept = ""
    for char in text:
        if width(kept + char) > limit - 1:
            break
        kept += char
    return kept + "."


def pad(text: str, columns: int) -> str:
    """The text filled with blanks on its right to a number of columns; longer text is shortened."""
    short = shorten(text, columns)
    return short + " " * (columns - width(short))


def pad_left(text: str, columns: int) -> str:
    """The same with the blanks on the left."""
    short = shorten(text, columns)
    return " " * (columns - width(short)) + short
