"""The cross table: what each entrant did in each round, against whom, and how often any two have met."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from server.tournament.standings import Account, LineKind, ScoreLine, Standing, standings

Placing = Sequence[int | None]
"""The entrants at a table, by seat; None for a house bot."""


@dataclass(frozen=True, slots=True)
class CrossCell:
    """An entrant's round. `line` is None while his table plays, `table` where he sat at none.

    `opponents` are the others at his table from his left neighbour on; None is a house bot.
    """

    line: ScoreLine | None
    table: int | None
    opponents: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class CrossRow:
    """An entrant: a cell for each round, None where he had nothing to do with it yet, and his penalties."""

    standing: Standing
    rounds: tuple[CrossCell | None, ...]
    penalties: tuple[ScoreLine, ...]


@dataclass(frozen=True, slots=True)
class CrossTable:
    """The rows in the order of the standings; `meetings` has a number for each two of them, 0 for the same."""

    rows: tuple[CrossRow, ...]
    meetings: tuple[tuple[int, ...], ...]


def cross_table(accounts: Iterable[Account], placings: Sequence[Sequence[Placing]]) -> CrossTable:
    """The cross table of all rounds that were placed: `placings` has for each round its tables, from number 1 on."""
    order = standings(accounts)
    rows = tuple(_row(standing, placings) for standing in order)
    met = _meetings(placings)
    entrants = [row.entrant for row in order]
    return CrossTable(rows, tuple(tuple(met.get((one, other), 0) for other in entrants) for one in entrants))


def _row(standing: Standing, placings: Sequence[Sequence[Placing]]) -> CrossRow:
    of_round = {line.round: line for line in standing.lines if line.kind is not LineKind.PENALTY}
    cells = (_cell(standing.entrant, of_round.get(number), tables) for number, tables in enumerate(placings, start=1))
    penalties = tuple(line for line in standing.lines if line.kind is LineKind.PENALTY)
    return CrossRow(standing, tuple(cells), penalties)


def _cell(entrant: int, line: ScoreLine | None, tables: Sequence[Placing]) -> CrossCell | None:
    for number, seats in enumerate(tables, start=1):
        if entrant in seats:
            seat = seats.index(entrant)
            return CrossCell(line, number, (*seats[seat + 1 :], *seats[:seat]))
    return None if line is None else CrossCell(line, None, ())


def _meetings(placings: Sequence[Sequence[Placing]]) -> dict[tuple[int, int], int]:
    """How often two have sat at one table, under both orders of the two."""
    met: dict[tuple[int, int], int] = {}
    for tables in placings:
        for seats in tables:
            for one, other in combinations([entrant for entrant in seats if entrant is not None], 2):
                met[one, other] = met[other, one] = met.get((one, other), 0) + 1
    return met
