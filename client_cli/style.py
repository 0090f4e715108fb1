"""Pieces of text with a style each, and what the terminal can show.

A `Line` is a list of (style, text); the console that prints it knows what a style looks like. A
suit's cards carry the suit's style, whoever wrote the sentence.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from client_cli.clean import clean, width

Line = list[tuple[str, str]]

SUIT_STYLES: Final = {"♣": "club", "♠": "spade", "♥": "heart", "♦": "diamond"}
_CARD: Final = re.compile(r"((?:10|[2-9ATKQJDBW])[♣♠♥♦])")

_TWO: Final = {"club": "bold", "spade": "bold", "heart": "bold fg:ansired", "diamond": "bold fg:ansired"}
_FOUR: Final = _TWO | {"club": "bold fg:ansigreen", "diamond": "bold fg:ansibrightblue"}
_STYLES: Final = {
    "title": "bold",
    "turn": "bold fg:ansiyellow",
    "dim": "fg:ansibrightblack",
    "warn": "bold fg:ansired",
    "old": "fg:ansimagenta",
    "young": "fg:ansicyan",
    "good": "fg:ansigreen",
    "bad": "fg:ansired",
    "talk": "italic fg:ansibrightmagenta",
}


@dataclass(frozen=True, slots=True)
class Look:
    """How this terminal is drawn to: suit symbols and box lines or ASCII; pictures or sentences."""

    unicode: bool = True
    rich: bool = False


def styles(*, four_colour: bool) -> Mapping[str, str]:
    """What each style looks like, in prompt_toolkit's words."""
    return _STYLES | (_FOUR if four_colour else _TWO)


def dress(text: str, style: str = "") -> Line:
    """A sentence as a line in which each card has its suit's colour."""
    return [(SUIT_STYLES.get(part[-1:], style), part) for part in _CARD.split(text) if part]


def plain(line: Line) -> str:
    """The text of a line, cleaned for the terminal."""
    return clean("".join(text for _, text in line)).rstrip()


def wrap(line: Line, columns: int) -> list[Line]:
    """The line, or several that break between words, none wider than `columns` where words allow."""
    if width(plain(line)) <= columns:
        return [line]
    rows: list[Line] = [[]]
    used, blank = 0, False
    for style, text in line:
        for word in re.findall(r" *[^ ]+| +$", text):
            if used and used + width(word) > columns and (blank or word.startswith(" ")):
                rows.append([])
                used, word = 0, word.lstrip()
            rows[-1].append((style, word))
            used, blank = used + width(word), word.endswith(" ")
    return rows


def can_show(encoding: str | None, sample: str = "♣♠♥♦╭─╮│╰╯▮▶·×") -> bool:
    """Whether an output with this encoding shows suits and box lines."""
    try:
        sample.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
