"""What stands behind the command words about a table and the people there: seats, names, settings, files. Pure."""

import re
from collections.abc import Mapping
from typing import Final

from client_cli.fold import fold
from client_cli.meanings import (
    Choice,
    Command,
    Confused,
    Explain,
    Export,
    Format,
    Meaning,
    Mute,
    Order,
    Say,
    SayPhrase,
    SeatBot,
    Settle,
    Strength,
    Vote,
)
from client_cli.view import View

Words = Mapping[str, str]
"""The meaning of each word that can be typed, folded."""

_STRENGTHS: Final[dict[str, Strength]] = {"easy": "easy", "medium": "medium", "hard": "hard"}
_CHOICES: Final[dict[str, Choice]] = {
    "vote_wait": "wait", "bot": "bot", "vote_end": "end", "finish": "end", "quit": "end",
}  # fmt: skip
_FORMATS: Final[dict[str, Format]] = {"text": "text", "txt": "text", "csv": "csv", "json": "json"}
_QUOTES: Final = "\"'„“”"
_SETTING: Final = re.compile(r"[\s,;]+(?=[^\s=]+\s*=)")


def spoken_aloud(typed: str) -> Meaning | None:
    """What a line that begins with a quotation mark says; None where it does not."""
    bare = typed.strip()
    if bare[:1] not in tuple(_QUOTES):
        return None
    said = bare[1:].strip()
    if said[-1:] in tuple(_QUOTES.replace("'", "")) or (bare[0] == "'" and said[-1:] == "'"):
        said = said[:-1].strip()
    return Say(said) if said else Confused("talk.what")


def meant(meaning: str, rest: str, raw: str, words: Words, view: View | None) -> Meaning | None:
    """What a command word means with what stands behind it, folded (`rest`) and as typed (`raw`); None: no such word.

    Words that need nothing behind them are understood elsewhere.
    """
    match meaning:
        case "remove" | "hand_over":
            return _sitter("remove" if meaning == "remove" else "hand_over", rest, view)
        case "bot":
            return _seat_bot(rest, words)
        case "vote":
            return _vote(rest, words, view)
        case "say":
            return SayPhrase(int(raw)) if raw.isdecimal() and len(raw) < 3 else spoken_aloud(raw) or Say(raw)
        case "phrases" if rest.isdecimal() and len(rest) < 3:
            return SayPhrase(int(rest))
        case "mute" | "unmute":
            return Mute(raw, meaning == "mute")
        case "set":
            return _settings(raw)
        case "evening":
            return _export(raw)
        case "explain" if rest.isdecimal() and len(rest) < 5:
            return Explain(int(rest))
    return None


def seat_of(who: str, view: View | None) -> int | Confused:
    """The seat that a number or a name means."""
    names = view.names if view else []
    if who.isdecimal() and 0 < int(who[:4]) <= len(names):
        return int(who) - 1
    found = [seat for seat, name in enumerate(names) if name is not None and fold(name) == who]
    if len(found) > 1:
        return Confused("said.two_of_them", (("who", who), ("seats", ", ".join(str(seat + 1) for seat in found))))
    return found[0] if found else Confused("said.no_seat", (("who", who), ("count", str(len(names)))))


def _sitter(order: Order, who: str, view: View | None) -> Meaning:
    seat = seat_of(who, view)
    return seat if isinstance(seat, Confused) else Command(order, seat)


def _seat_bot(rest: str, words: Words) -> Meaning:
    """A seat, a strength, both in any order, or neither."""
    seat: int | None = None
    strength: Strength | None = None
    for word in rest.split():
        known = _STRENGTHS.get(words.get(word, ""))
        if word.isdecimal() and 0 < int(word[:4]) <= 16 and seat is None:
            seat = int(word) - 1
        elif known is not None and strength is None:
            strength = known
        else:
            return Confused("said.bot_wrong")
    return SeatBot(seat, strength)


def _vote(rest: str, words: Words, view: View | None) -> Meaning:
    """A choice, and about whom where several are away."""
    word, _, who = rest.partition(" ")
    choice = _CHOICES.get(words.get(word, ""))
    if choice is None:
        return Confused("said.vote_wrong")
    if not who:
        return Vote(choice)
    seat = seat_of(who, view)
    return seat if isinstance(seat, Confused) else Vote(choice, seat)


def _settings(raw: str) -> Meaning:
    """`NAME=VALUE`, once or several times; a single one may have blanks in its name."""
    parts = [raw.strip()] if raw.count("=") == 1 else [part for part in _SETTING.split(raw.strip()) if part]
    return Settle(tuple(parts)) if all("=" in part for part in parts) else Confused("said.set_how")


def _export(raw: str) -> Meaning:
    """A format and a file; a file's ending says its format too."""
    word, _, file = raw.strip().partition(" ")
    known = _FORMATS.get(fold(word))
    if known is not None and file.strip():
        return Export(known, file.strip())
    ending = _FORMATS.get(word.rpartition(".")[2].casefold()) if "." in word and not file else None
    return Export(ending, word) if ending else Confused("said.evening_how")
