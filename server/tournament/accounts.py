"""What each entrant has scored so far, line by line: the input of every standings list."""

from collections.abc import Iterator
from fractions import Fraction

from server.tournament.scoring import table_scores
from server.tournament.standings import Account, LineKind, ScoreLine
from server.tournament.state import Entrant, Result, ResultKind, Round, RoundTable, Status, Tournament
from server.tournament.terms import Terms


def accounts(tournament: Tournament) -> tuple[Account, ...]:
    """Of all who are in, or have played; byes, missed rounds, forfeits and penalties are lines of their own."""
    found = []
    for entrant in tournament.entrants:
        lines = tuple(_lines(tournament, entrant))
        took_part = any(line.kind is not LineKind.MISSED for line in lines)
        if entrant.status is Status.IN or took_part:
            found.append(Account(entrant.number, entrant.name, entrant.team, lines))
    return tuple(found)


def _lines(tournament: Tournament, entrant: Entrant) -> Iterator[ScoreLine]:
    for one in tournament.rounds:
        line = _line_of_round(tournament, one, entrant)
        if line is not None:
            yield line
    for penalty in tournament.penalties:
        if penalty.entrant == entrant.number:
            yield ScoreLine(penalty.round, LineKind.PENALTY, penalty.big, penalty.small, None, None)


def _line_of_round(tournament: Tournament, one: Round, entrant: Entrant) -> ScoreLine | None:
    """The entrant's line of a round; None while his table plays, or its result may not be told yet."""
    terms = tournament.terms
    for table in one.tables:
        if entrant.number in table.seats:
            seat = table.seats.index(entrant.number)
            return _line_at_table(terms, one.number, table, seat, tournament.told(one, table))
    if entrant.number in one.byes:
        return ScoreLine(one.number, LineKind.BYE, Fraction(terms.bye_big), terms.bye_small, None, None)
    return _missed(terms, one.number, LineKind.MISSED, None)


def _missed(terms: Terms, number: int, kind: LineKind, table: int | None) -> ScoreLine:
    return ScoreLine(number, kind, Fraction(terms.missed_big), terms.missed_small, None, table)


def _line_at_table(terms: Terms, number: int, table: RoundTable, seat: int, result: Result | None) -> ScoreLine | None:
    if result is None:
        return None
    if result.kind is ResultKind.FORFEIT:
        if seat in result.forfeited:
            return _missed(terms, number, LineKind.FORFEIT, table.number)
        big, small = Fraction(terms.forfeit_big), terms.forfeit_small
        return ScoreLine(number, LineKind.AWARDED, big, small, None, table.number)
    place, big = table_scores(result.small, terms.scale)[seat]
    return ScoreLine(number, LineKind.PLAYED, big, result.small[seat], place, table.number)
