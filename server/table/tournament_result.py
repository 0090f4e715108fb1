"""What a table has brought to its seats, for the tournament that it belongs to."""

from dataclasses import dataclass

from server.games.game import Stage
from server.table.state import Table


@dataclass(frozen=True, slots=True)
class Played:
    """The scored deals of a table's match: the number of each, and per seat its money in points (sums to 0).

    `small` is their sum per seat: the small points. `finished`: no more will follow.
    """

    finished: bool
    small: tuple[int, ...]
    deals: tuple[tuple[int, tuple[int, ...]], ...]


def result(table: Table) -> Played:
    """What the running or last match of a table has brought up to now."""
    deals = tuple((number, tuple(money)) for number, money in table.game.results(table.play))
    small = tuple(sum(money[seat] for _, money in deals) for seat in range(len(table.seats)))
    return Played(table.match > 0 and table.stage is Stage.OVER, small, deals)
