"""What the tables of a round tell its director, as plain data. Pure."""

from server.games.game import Plain, Seat
from server.table import view
from server.table.state import Table
from server.tournament.state import RoundTable, Tournament


def stand(tournament: Tournament, place: RoundTable, table: Table | None) -> Plain:
    """How a table of the running round stands: who blocks it since when (ms), who is absent. None: it is not open."""
    plain: Plain = {"number": place.number, "table": place.id, "stage": "unopened", "deal": 0}
    plain |= {"deals": tournament.terms.deals, "waiting_for": [], "absent": [], "paused": False}
    if table is None:
        return plain
    running = table.game.running_deal(table.play)
    awaited = table.awaited if table.pause is None else ()
    return {
        **plain,
        "stage": view.stage(table),
        "deal": table.game.finished_deals(table.play) if running is None else running,
        "waiting_for": [{"seat": seat, "name": _name(table, seat), "since": table.at} for seat in awaited],
        "absent": [int(one.seat) for one in table.absences],
        "paused": table.pause is not None,
    }


def _name(table: Table, seat: Seat) -> str:
    sitter = table.seats[seat]
    return "" if sitter is None else sitter.name
