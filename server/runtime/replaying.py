"""What stands in a tournament's log as the result of a table, held against what the table's own log makes of it."""

from collections.abc import Sequence

from server.runtime.loading import load
from server.store.port import Store
from server.table.tournament_result import result
from server.tournament.state import ResultKind, Round, RoundTable, Tournament


async def differences(tournament: Tournament, store: Store) -> Sequence[str]:
    """Where a result of the tournament is not what its table's log makes; in English, for operators and tests.

    Results that a director has entered, or that somebody has forfeited, are not the table's; what was played before
    a correction is looked at. A table whose log has expired cannot be compared, and is named too.

    Raises:
        StoreAway, Unreadable
    """
    found = []
    for one in tournament.rounds:
        for table in one.tables:
            difference = await _difference(one, table, store)
            if difference:
                found.append(f"round {one.number}, table {table.number}: {difference}")
    return found


async def _difference(one: Round, table: RoundTable, store: Store) -> str:
    noted = next((made for made in table.results if made.kind is ResultKind.PLAYED), None)
    if noted is None:
        return "" if table.results or one.ended is None else "it has no result"
    loaded = await load(table.id, store)
    if loaded is None:
        return "its log is not there any more"
    made = result(loaded.table)
    if not made.finished:
        return "its match is not over"
    if (made.small, made.deals) != (noted.small, noted.deals):
        return f"{made.small} were played, {noted.small} are noted"
    return ""
