"""What is to be done at a table of the running round, so that it is as its tournament says, and what it has to tell.

What is and what is to be are compared: done twice, or by two processes, it is done once.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from server.games.game import Millis, Seat
from server.games.game import Stage as TableStage
from server.table.commands import (
    AnnulDirected,
    CallTime,
    CloseTable,
    DirectorsCommand,
    GoOnTable,
    HaltTable,
    ReplaceSitter,
)
from server.table.events import Sitter
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.strength import Strength
from server.table.substitutes import NAMES
from server.table.tournament_result import Played
from server.table.tournament_result import result as outcome_of
from server.tournament.commands import NoteFirstCard, NoteResult
from server.tournament.commands import ServersCommand as Note
from server.tournament.state import Four, Result, ResultKind, Round, RoundTable, Stage, Tournament
from server.tournament.terms import Dropout

BOTS: Final = Strength.MEDIUM
"""How well the bots of the house play that fill seats."""


def sitter(tournament: Tournament, place: RoundTable, seat: int) -> Sitter:
    """Who is to sit in a seat: an entrant, or a bot of the house where there is none, or one without a device."""
    number = place.seats[seat]
    entrant = None if number is None else tournament.entrant(number)
    if entrant is None or entrant.guest:
        name = NAMES[2 * seat] if entrant is None else entrant.name
        return Sitter(PlayerId(f"bot{len(tournament.rounds)}t{place.number}x{seat}"), name, BOTS)
    return Sitter(entrant.player, entrant.name, program=entrant.program)


def sitters(tournament: Tournament, place: RoundTable) -> tuple[Sitter, Sitter, Sitter, Sitter]:
    """Who is to sit at a table."""
    first, second, third, fourth = (sitter(tournament, place, seat) for seat in range(4))
    return first, second, third, fourth


def to_open(tournament: Tournament) -> tuple[RoundTable, ...]:
    """The tables that have to be there: of the running round, without those on paper."""
    running = tournament.round
    if running is None or tournament.stage is not Stage.ROUND:
        return ()
    return tuple(place for place in running.tables if not place.paper and not place.results)


def at_table(
    tournament: Tournament, one: Round, place: RoundTable, table: Table, now: Millis
) -> Iterator[DirectorsCommand]:
    """What is to be done at a table, given its state."""
    if table.stage is TableStage.OVER:
        return
    over = tournament.stage is not Stage.ROUND or one is not tournament.round
    if over or place.results or place.paper:
        yield CloseTable("tournament")
        return
    for seat in range(4):
        wanted, there = sitter(tournament, place, seat), table.seats[seat]
        if there is None or (there.player, there.bot) != (wanted.player, wanted.bot):
            yield ReplaceSitter(Seat(seat), wanted)
    if (tournament.halted is not None) != (table.pause is not None):
        yield HaltTable() if tournament.halted is not None else GoOnTable()
    running = table.game.running_deal(table.play)
    if running is not None and any(deal == running for _, deal in place.annulled):
        yield AnnulDirected(running)
    if one.deadline is not None and now >= one.deadline and tournament.halted is None:
        yield CallTime()


def to_note(
    tournament: Tournament, one: Round, place: RoundTable, table: Table, absent_for: Mapping[Seat, float]
) -> Iterator[Note]:
    """What a table has to tell; `absent_for` has for how many seconds which seats have had nobody."""
    if tournament.stage is not Stage.ROUND or one is not tournament.round or place.results:
        return
    if not one.begun and table.game.finished_deals(table.play) + table.game.acts(table.play):
        yield NoteFirstCard(one.number)
    if table.stage is TableStage.OVER:
        outcome = outcome_of(table)
        yield NoteResult(one.number, place.number, Result(ResultKind.PLAYED, _four(outcome.small), _deals(outcome)))
    elif tournament.terms.dropout is Dropout.FORFEIT and tournament.halted is None:
        late = tuple(int(seat) for seat, seconds in absent_for.items() if seconds >= tournament.terms.no_show_seconds)
        if late:
            forfeit = Result(ResultKind.FORFEIT, (0, 0, 0, 0), forfeited=late)
            yield NoteResult(one.number, place.number, forfeit)


def _four(numbers: tuple[int, ...]) -> Four:
    first, second, third, fourth = numbers
    return first, second, third, fourth


def _deals(outcome: Played) -> tuple[tuple[int, Four], ...]:
    return tuple((number, _four(money)) for number, money in outcome.deals)
