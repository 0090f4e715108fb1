"""Accounts and evenings for the tests of standings."""

from collections.abc import Sequence
from fractions import Fraction

from server.tournament.scoring import table_scores
from server.tournament.standings import Account, LineKind, ScoreLine

Evening = tuple[tuple[Account, ...], tuple[tuple[tuple[int | None, ...], ...], ...]]


def line(
    round_: int,
    big: str,
    small: int = 0,
    place: int | None = None,
    *,
    kind: LineKind = LineKind.PLAYED,
    table: int | None = None,
) -> ScoreLine:
    """A line with big points as text."""
    return ScoreLine(round_, kind, Fraction(big), small, place, table)


def account(entrant: int, *lines: ScoreLine, team: str = "", name: str = "") -> Account:
    """An account, with a name made of the number where none is given."""
    return Account(entrant, name or f"Player {entrant}", team, lines)


def played(
    names: Sequence[str],
    rounds: Sequence[Sequence[tuple[Sequence[int | None], Sequence[int]]]],
    scale: Sequence[int] = (4, 3, 2, 1),
) -> Evening:
    """Accounts and placings of rounds of tables, each with its entrants and small points by seat."""
    lines: dict[int, list[ScoreLine]] = {entrant: [] for entrant in range(1, len(names) + 1)}
    for number, tables in enumerate(rounds, start=1):
        for table, (seats, small) in enumerate(tables, start=1):
            scores = table_scores(small, scale)
            for entrant, points, (place, big) in zip(seats, small, scores, strict=True):
                if entrant is not None:
                    lines[entrant].append(ScoreLine(number, LineKind.PLAYED, big, points, place, table))
    accounts = tuple(Account(number, name, "", tuple(lines[number])) for number, name in enumerate(names, start=1))
    return accounts, tuple(tuple(tuple(seats) for seats, _ in tables) for tables in rounds)
