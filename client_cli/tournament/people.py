"""The entrants of a tournament, and whom a director means by a name or a number. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client_cli.clean import clean_name
from client_cli.fold import fold
from client_cli.view import Message


@dataclass(frozen=True, slots=True)
class Person:
    """An entrant, as the page of the entrants has him; the name is fit for the terminal."""

    number: int
    name: str
    player: str
    out: bool = False


def people_of(page: Message) -> list[Person]:
    """The entrants of their page."""
    return [
        Person(int(one["entrant"]), clean_name(one["name"]), str(one["player"]), one["status"] == "out")
        for one in page["entrants"]
    ]


def whom(words: Sequence[str], people: Iterable[Person]) -> tuple[list[Person], int]:
    """Who is meant by the first of the words, and how many words that took.

    A number is an entrant's number. Else as many words as possible are a whole name, else the beginning of one.
    Who is out is meant only where nobody else can be.
    """
    everybody = list(people)
    bare = words[0].lstrip("#") if words else ""
    if bare.isdecimal() and len(bare) < 5:
        return [one for one in everybody if one.number == int(bare)], 1
    for whole in (True, False):
        for length in range(len(words), 0, -1):
            typed = fold(" ".join(words[:length]))
            found = [one for one in everybody if _fits(fold(one.name), typed, whole=whole)]
            if found and typed:
                return [one for one in found if not one.out] or found, length
    return [], min(1, len(words))


def _fits(name: str, typed: str, *, whole: bool) -> bool:
    return name == typed if whole else name.startswith(typed)
