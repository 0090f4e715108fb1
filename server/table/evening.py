"""The evening: what the matches of a table have brought to each person, kept when the next match begins."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from server.games.game import Seat
from server.table.ids import PlayerId

MOST_MATCHES: Final = 100
"""How many matches are told apart; of a longer evening the oldest are added together."""

Numbers = dict[str, int]
"""What a game counts for a person, by name; two matches are added name by name."""


@dataclass(frozen=True, slots=True)
class PersonScore:
    """What a person, or a bot, did in a match: where he sat, and the game's numbers."""

    player: PlayerId
    name: str
    bot: bool
    seats: tuple[Seat, ...]
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match, or (`last` above `first`) several that were added together."""

    first: int
    last: int
    deals: int
    people: tuple[PersonScore, ...]


def added(scores: Iterable[MatchScore]) -> tuple[PersonScore, ...]:
    """What these matches brought to each person in all, in the order they came to the table."""
    people: dict[PlayerId, PersonScore] = {}
    for score in scores:
        for one in score.people:
            before = people.get(one.player)
            people[one.player] = one if before is None else _sum(before, one)
    return tuple(people.values())


def with_match(evening: tuple[MatchScore, ...], score: MatchScore) -> tuple[MatchScore, ...]:
    """The evening with one more match."""
    if len(evening) < MOST_MATCHES:
        return (*evening, score)
    one, two, *rest = evening
    joined = MatchScore(one.first, two.last, one.deals + two.deals, added((one, two)))
    return (joined, *rest, score)


def _sum(one: PersonScore, other: PersonScore) -> PersonScore:
    numbers = {name: one.numbers.get(name, 0) + other.numbers.get(name, 0) for name in one.numbers | other.numbers}
    seats = tuple(sorted({*one.seats, *other.seats}))
    return replace(other, seats=seats, numbers=numbers)
