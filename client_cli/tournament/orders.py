"""A director's order from what was typed behind its word, with the entrants at hand. Pure.

Entrants are meant by their number or name. `r2` in front of a table's number means another round than the last.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from client_cli.clean import clean
from client_cli.meanings import Confused
from client_cli.talking import MOST_LETTERS
from client_cli.tournament.meanings import Order
from client_cli.tournament.people import Person, whom
from client_cli.tournament.points import parse_big, parse_small
from client_cli.tournament.reader import Words
from client_cli.view import Message

OF_PEOPLE: Final = frozenset({"approve", "turn_away", "director", "call", "replace", "penalty", "move"})
"""The orders about somebody, for which the list of the entrants is needed."""
_ALONE: Final[dict[str, Message]] = {
    "open_entry": {"order": "entry", "open": True},
    "close_entry": {"order": "entry", "open": False},
    "open_round": {"order": "open_round"},
    "halt": {"order": "halt"},
    "go_on": {"order": "go_on"},
}
_ROUND: Final = re.compile(r"r([0-9]{1,2})", re.ASCII | re.IGNORECASE)
_PLAYER: Final = re.compile(r"[a-z0-9]{8,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Sight:
    """What a director's client knows: the entrants (none where none are needed), the newest round, words."""

    people: Sequence[Person]
    round: int
    words: Words


def order_of(order: Order, sight: Sight) -> Message | Confused:
    """The order as it goes over the wire, or what is to be asked back."""
    if order.word in _ALONE:
        return _ALONE[order.word] if not order.rest else _how(order)
    about_people = order.word in OF_PEOPLE
    if len(clean(order.rest)) > MOST_LETTERS:
        return Confused("talk.too_long")
    parse = (_ABOUT_PEOPLE if about_people else _OTHERS).get(order.word)
    if parse is None or not order.rest:
        return _how(order)
    return parse(order, sight)


def _how(order: Order) -> Confused:
    return Confused(f"tournament_how.{order.word}")


def _one(words: Sequence[str], sight: Sight) -> tuple[Person, list[str]] | Confused:
    """Whom the first words mean, and the words behind; a question where that is not clear."""
    found, used = whom(words, sight.people)
    typed = " ".join(words[:used])
    if len(found) == 1:
        return found[0], list(words[used:])
    if not found:
        return Confused("tournament.nobody", (("who", clean(typed, 40)),))
    several = ", ".join(f"{one.number} {one.name}" for one in found[:8])
    return Confused("tournament.two_of_them", (("who", clean(typed, 40)), ("people", several)))


def _about_one(order: Order, sight: Sight) -> Message | Confused:
    """Somebody, with a reason or nothing behind him."""
    meant = _one(order.rest.split(), sight)
    if isinstance(meant, Confused):
        return meant
    person, words = meant
    text = clean(" ".join(words))
    match order.word:
        case "turn_away":
            return {"order": "turn_away", "entrant": person.number, "reason": text}
        case "call":
            return {"order": "call", "entrant": person.number, "text": text}
        case _:
            return {"order": order.word, "entrant": person.number} if not words else _how(order)


def _director(order: Order, sight: Sight) -> Message | Confused:
    """An entrant, or any player by his public id."""
    meant = _one(order.rest.split(), sight)
    if isinstance(meant, Confused):
        bare = order.rest.strip()
        by_id = meant.key == "tournament.nobody" and _PLAYER.fullmatch(bare) and any(sign.isdigit() for sign in bare)
        return {"order": "name_director", "player": bare} if by_id else meant
    return {"order": "name_director", "player": meant[0].player} if not meant[1] else _how(order)


def _replace(order: Order, sight: Sight) -> Message | Confused:
    """`WHO [by] WHO`, or a bot instead of the second."""
    meant = _one(order.rest.split(), sight)
    if isinstance(meant, Confused):
        return meant
    person, words = meant
    if words and sight.words.meaning(words[0]) == "by":
        words = words[1:]
    if not words:
        return _how(order)
    if len(words) == 1 and sight.words.meaning(words[0]) == "bot":
        return {"order": "replace", "entrant": person.number, "by": None}
    other = _one(words, sight)
    if isinstance(other, Confused):
        return other
    return {"order": "replace", "entrant": person.number, "by": other[0].number} if not other[1] else _how(order)


def _penalty(order: Order, sight: Sight) -> Message | Confused:
    """`WHO BIG [SMALL] [rROUND] REASON`."""
    meant = _one(order.rest.split(), sight)
    if isinstance(meant, Confused):
        return meant
    person, words = meant
    big = parse_big(words[0]) if words else None
    if big is None:
        return _how(order)
    small = parse_small(words[1]) if len(words) > 1 else None
    number, rest = _round(words[1 if small is None else 2 :], sight)
    if not rest:
        return _how(order)
    fields = {"entrant": person.number, "round": number, "big": big, "small": small or 0}
    return {"order": "penalise", **fields, "reason": clean(" ".join(rest))}


def _round(words: Sequence[str], sight: Sight) -> tuple[int, list[str]]:
    """The round that the first word names, else the newest one, and the words behind."""
    found = _ROUND.fullmatch(words[0]) if words else None
    return (int(found[1]), list(words[1:])) if found else (sight.round, list(words))


def _table(words: Sequence[str], sight: Sight) -> tuple[int, int, list[str]] | None:
    """Round and table that the first words name, and the words behind; None where no table is named."""
    number, rest = _round(words, sight)
    number = max(1, number)
    if not rest or not rest[0].isdecimal() or len(rest[0]) > 3:
        return None
    return number, int(rest[0]), rest[1:]


def _four(words: Sequence[str]) -> list[int] | None:
    """Small points by seat; None where the first four words are no four numbers."""
    numbers = [parse_small(word) for word in words[:4]]
    known = [number for number in numbers if number is not None]
    return known if len(known) == 4 and len(numbers) == 4 else None


def _sum(small: list[int]) -> Confused | None:
    """What some win the others lose; else there is a slip."""
    total = sum(small)
    return Confused("tournament.sum_not_zero", (("sum", f"{total:+d}"),)) if total else None


def _correct(order: Order, sight: Sight) -> Message | Confused:
    """`[rROUND] TABLE A B C D REASON`."""
    where = _table(order.rest.split(), sight)
    small = None if where is None else _four(where[2])
    if where is None or small is None or len(where[2]) < 5:
        return _how(order)
    if uneven := _sum(small):
        return uneven
    reason = clean(" ".join(where[2][4:]))
    return {"order": "correct", "round": where[0], "table": where[1], "small": small, "reason": reason}


def _annul(order: Order, sight: Sight) -> Message | Confused:
    """`[rROUND] TABLE DEAL REASON`."""
    where = _table(order.rest.split(), sight)
    if where is None or len(where[2]) < 2 or not where[2][0].isdecimal() or len(where[2][0]) > 4:
        return _how(order)
    fields = {"round": where[0], "table": where[1], "deal": int(where[2][0])}
    return {"order": "annul", **fields, "reason": clean(" ".join(where[2][1:]))}


def _paper(order: Order, sight: Sight) -> Message | Confused:
    """`[rROUND] TABLE`, or `[rROUND] TABLE A B C D`."""
    words = order.rest.split()
    named = {"round": max(1, int(found[1]))} if (found := _ROUND.fullmatch(words[0])) else {}
    words = words[1:] if named else words
    if not words or not words[0].isdecimal() or len(words[0]) > 3:
        return _how(order)
    small = _four(words[1:])
    if len(words) > 1 and (small is None or len(words) != 5):
        return _how(order)
    if small is not None and (uneven := _sum(small)):
        return uneven
    return {"order": "paper", **named, "table": int(words[0]), "small": small}


def _text(order: Order, sight: Sight) -> Message | Confused:
    """An order that takes the rest of the line as it is."""
    text = clean(order.rest).strip()
    match order.word:
        case "invite":
            return {"order": "invite", "name": text}
        case "tell":
            return {"order": "tell", "text": text}
        case "guest":
            return _guest(text, sight)
        case "undo":
            known = text.lstrip("#")
            return {"order": "undo", "decision": int(known)} if known.isdecimal() and len(known) < 5 else _how(order)
        case _:
            return {"order": "end", "reason": text}


def _guest(text: str, sight: Sight) -> Message:
    """`NAME [team TEAM]`."""
    words = text.split()
    cut = next((n for n, word in enumerate(words) if n and sight.words.meaning(word) == "team"), len(words))
    return {"order": "enter", "name": " ".join(words[:cut]), "team": " ".join(words[cut + 1 :])}


_Parse = Callable[[Order, Sight], Message | Confused]
_ABOUT_PEOPLE: Final[dict[str, _Parse]] = {
    "approve": _about_one,
    "turn_away": _about_one,
    "call": _about_one,
    "move": _about_one,
    "director": _director,
    "replace": _replace,
    "penalty": _penalty,
}
_OTHERS: Final[dict[str, _Parse]] = {
    "correct": _correct,
    "annul": _annul,
    "paper": _paper,
    "invite": _text,
    "tell": _text,
    "guest": _text,
    "undo": _text,
    "end": _text,
}
