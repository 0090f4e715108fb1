"""The order of a tournament: of its entrants and of their teams.

Source: the regulations of Wolsztyn and Kościan, as docs/rules/kop.md has them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeVar

Key = TypeVar("Key")


class LineKind(StrEnum):
    """Where the points of a line come from; `awarded` goes to the others at a table where somebody forfeited."""

    PLAYED = "played"
    BYE = "bye"
    MISSED = "missed"
    FORFEIT = "forfeit"
    AWARDED = "awarded"
    PENALTY = "penalty"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of an entrant's account; byes, forfeits and penalties are lines of their own.

    `round` is 0 for a penalty outside the rounds; what a penalty takes away is negative. `place` is 1 to 4, of shared
    places the best, and None where nothing was played. `table` is the table's number in its round.
    """

    round: int
    kind: LineKind
    big: Fraction
    small: int
    place: int | None
    table: int | None


@dataclass(frozen=True, slots=True)
class Account:
    """An entrant with all his lines; `team` is empty for who has none."""

    entrant: int
    name: str
    team: str
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of the individual classification; `won` counts first places, shared or not, `seconds` second places."""

    rank: int
    entrant: int
    name: str
    team: str
    big: Fraction
    small: int
    won: int
    seconds: int
    lines: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """A row of the team classification, with its members in their order; an incomplete team has no rank (None)."""

    rank: int | None
    team: str
    big: Fraction
    small: int
    won: int
    seconds: int
    members: tuple[Standing, ...]

    @property
    def complete(self) -> bool:
        """Whether the team has as many members as a team needs."""
        return self.rank is not None


@dataclass(frozen=True, slots=True)
class _Total:
    """What the order goes by."""

    big: Fraction
    small: int
    won: int
    seconds: int

    @property
    def order(self) -> tuple[Fraction, int, int, int]:
        """Smaller is better; equal only for those who share a rank."""
        return -self.big, -self.small, -self.won, -self.seconds


def standings(accounts: Iterable[Account]) -> tuple[Standing, ...]:
    """The entrants in order: big points, small points, rounds won, second places, all the more the better.

    Who is equal in all four shares a rank, as in 1, 2, 2, 4, and stands in the order of the entrants' numbers.
    """
    of = {account.entrant: account for account in accounts}
    totals = {entrant: _total(of[entrant].lines) for entrant in sorted(of)}
    return tuple(
        Standing(
            rank,
            entrant,
            of[entrant].name,
            of[entrant].team,
            totals[entrant].big,
            totals[entrant].small,
            totals[entrant].won,
            totals[entrant].seconds,
            of[entrant].lines,
        )
        for rank, entrant in _ranked(totals)
    )


def team_standings(accounts: Iterable[Account], size: int) -> tuple[TeamStanding, ...]:
    """The teams in the same order, by the sums over their members; entrants without a team are left out.

    Teams of the same rank stand in the order of their names. A team with fewer than `size` members stands at the end
    and has no rank. Who has left a team still counts with what he scored in it, so it may have more than `size`.
    """
    members: dict[str, list[Standing]] = {}
    for row in standings(accounts):
        if row.team:
            members.setdefault(row.team, []).append(row)
    totals = {team: _sum(members[team]) for team in sorted(members)}
    whole = _ranked({team: total for team, total in totals.items() if len(members[team]) >= size})
    parts = _ranked({team: total for team, total in totals.items() if len(members[team]) < size})
    order = [*whole, *((None, team) for _, team in parts)]
    return tuple(_team(rank, team, totals[team], members[team]) for rank, team in order)


def _team(rank: int | None, team: str, total: _Total, members: Iterable[Standing]) -> TeamStanding:
    return TeamStanding(rank, team, total.big, total.small, total.won, total.seconds, tuple(members))


def _total(lines: Iterable[ScoreLine]) -> _Total:
    lines = tuple(lines)
    places = [line.place for line in lines if line.kind is LineKind.PLAYED]
    big = sum((line.big for line in lines), Fraction(0))
    return _Total(big, sum(line.small for line in lines), places.count(1), places.count(2))


def _sum(rows: Iterable[Standing]) -> _Total:
    rows = tuple(rows)
    big = sum((row.big for row in rows), Fraction(0))
    return _Total(big, sum(row.small for row in rows), sum(row.won for row in rows), sum(row.seconds for row in rows))


def _ranked(totals: Mapping[Key, _Total]) -> list[tuple[int, Key]]:
    """Rank and key, best first; equal ones share a rank and stay in the order of the mapping."""
    ranked: list[tuple[int, Key]] = []
    last: _Total | None = None
    for position, key in enumerate(sorted(totals, key=lambda one: totals[one].order), start=1):
        ranked.append((ranked[-1][0] if totals[key] == last else position, key))
        last = totals[key]
    return ranked
