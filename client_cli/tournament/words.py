"""How seats, people, times and options of a tournament are called."""

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.company_text import span
from client_cli.options import value_word
from client_cli.tournament.creation import TERMS
from client_cli.view import Message

_COMPASS = ("north", "east", "south", "west")


def seat_word(texts: Catalogue, seat: object) -> str:
    """Where at the table a seat is, as clubs say it: `seat 2, in the east`."""
    known = isinstance(seat, int) and 0 <= seat < len(_COMPASS)
    where = texts(f"compass.{_COMPASS[seat]}") if known and isinstance(seat, int) else "?"
    return texts("tournament.seat", seat=seat + 1 if isinstance(seat, int) else "?", where=where)


def person(texts: Catalogue, one: Message | None) -> str:
    """An entrant at a table, by name; a bot of the house where there is none."""
    return texts("tournament.house_bot") if one is None else clean_name(one["name"])


def line_kind(texts: Catalogue, kind: object) -> str:
    """What a line of an account is for; the word of one that is newer than this client."""
    key = f"line_kind.{kind}"
    return texts(key) if key in texts else clean(kind, 24)


def in_time(texts: Catalogue, at: int, now: int) -> str:
    """How long it is until a time; both in ms."""
    return span(texts, max(0, -(-(at - now) // 1000)))


def term_value(texts: Catalogue, name: str, value: object) -> str:
    """The value of a field of a tournament, in words."""
    special = f"admission.{value}"
    if name == "admission" and special in texts:
        return texts(special)
    if name == "scale":
        return clean(str(value).replace(",", "-"), 24)
    known = TERMS.get(name)
    if known is not None and known.numbers is not None and value is not None:
        return clean(value, 24)
    return value_word(texts, value)
