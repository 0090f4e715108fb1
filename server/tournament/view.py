"""What may be known of a tournament: by everybody, by an entrant about himself, by its directors. Plain data.

Built up, never stripped down: no secret of a draw or deck, no code and no player's bytes come in before their
time. Pages are made on request; `public`, `own` and `happenings` go to everybody who follows.
"""

from collections.abc import Iterable

from server.games.game import Plain, RuleViolation
from server.table.ids import PlayerId
from server.tournament import events as facts
from server.tournament.accounts import accounts
from server.tournament.comparison import ComparedSeat, compare
from server.tournament.cross_table import CrossCell, cross_table
from server.tournament.export import plain_standings, plain_team_standings
from server.tournament.opening import draw_commitments
from server.tournament.scoring import table_scores
from server.tournament.standings import standings, team_standings
from server.tournament.state import (
    Decision,
    Entrant,
    Four,
    Result,
    ResultKind,
    Round,
    RoundTable,
    Stage,
    Status,
    Tournament,
)
from server.tournament.terms import plain_terms


def public(tournament: Tournament) -> Plain:
    """How it stands, in short: for everybody who follows."""
    running = tournament.round
    here = [one for one in tournament.entrants if one.status is Status.IN]
    tables = () if running is None else running.tables
    return {
        "name": tournament.name,
        "preset": tournament.terms.preset,
        "stage": tournament.stage.value,
        "round": len(tournament.rounds),
        "rounds": tournament.terms.rounds,
        "deals": tournament.terms.deals,
        "admission": tournament.terms.admission.value,
        "team_size": tournament.terms.team_size,
        "duplicate": tournament.terms.duplicate,
        "open": tournament.open and len(tournament.rounds) < tournament.terms.late_until,
        "halted": tournament.halted,
        "ending": None if tournament.ending is None else tournament.ending.value,
        "due": tournament.due,
        "deadline": None if running is None or tournament.stage is not Stage.ROUND else running.deadline,
        "entrants": len(here),
        "waiting": sum(one.status is Status.WAITING for one in tournament.entrants),
        "tables": len(tables),
        "finished": sum(bool(table.results) for table in tables),
        "directors": [{"player": one.player, "name": one.name} for one in tournament.directors],
        "decisions": len(tournament.decisions),
    }


def own(tournament: Tournament, player: PlayerId) -> Plain | None:
    """What concerns a player: as an entrant, as a director; None for who only watches."""
    entrant, directs = tournament.entrant_of(player), tournament.directs(player)
    if entrant is None and not directs:
        return None
    plain: Plain = {"directs": directs, "entrant": None, "status": None, "team": "", "from_round": None}
    plain |= {"table": None, "number": None, "seat": None, "bye": False, "finished": False}
    if entrant is None:
        return plain
    plain |= {"entrant": entrant.number, "status": entrant.status.value, "team": entrant.team}
    plain["from_round"] = entrant.from_round
    where = tournament.seat_of(entrant.number) if tournament.stage is Stage.ROUND else None
    if where is not None:
        table, seat = where
        id_ = None if table.paper else table.id
        plain |= {"table": id_, "number": table.number, "seat": seat, "finished": bool(table.results)}
    elif tournament.stage is Stage.ROUND and tournament.round is not None:
        plain["bye"] = entrant.number in tournament.round.byes
    return plain


def happenings(tournament: Tournament, events: Iterable[facts.TournamentEvent]) -> list[Plain]:
    """What everybody is told of events; the tournament is as it is after them."""
    return [told for event in events if (told := _told(tournament, event)) is not None]


def _told(tournament: Tournament, event: facts.TournamentEvent) -> Plain | None:
    match event:
        case facts.Entered(entrant=entrant):
            return {"event": "entered", "entrant": entrant.number, "name": entrant.name, "status": entrant.status.value}
        case facts.Admitted(entrant=number):
            return {"event": "admitted", **_named(tournament, number)}
        case facts.Withdrawn(entrant=number):
            return {"event": "withdrawn", **_named(tournament, number)}
        case facts.PlaceMoved(entrant=number):
            return {"event": "moved", **_named(tournament, number)}
        case facts.RoundOpened(round=opened):
            return {"event": "round_opened", "round": opened.number, "tables": len(opened.tables)}
        case facts.SeatGiven(table=number, seat=seat, entrant=entrant_number):
            given = {"event": "seat_given", "table": number, "seat": seat}
            return {**given, "name": None if entrant_number is None else _name(tournament, entrant_number)}
        case facts.ResultNoted(round=round_, table=number, result=result):
            one = tournament.rounds[round_ - 1]
            known = tournament.told(one, one.tables[number - 1]) is not None
            told = {"event": "result", "round": round_, "table": number, "kind": result.kind.value}
            return {**told, "small": list(result.small) if known else []}
        case facts.Decided(decision=decision):
            return {"event": "decided", **decision_line(tournament, decision)}
        case facts.RoundEnded(round=round_):
            return {"event": "round_ended", "round": round_}
        case facts.Ended(ending=ending):
            return {"event": "ended", "ending": ending.value}
        case _:
            return None  # what stands in `public`, what a decision has said already, and what is secret


def _named(tournament: Tournament, number: int) -> Plain:
    return {"entrant": number, "name": _name(tournament, number)}


def _name(tournament: Tournament, number: int) -> str:
    entrant = tournament.entrant(number)
    return "" if entrant is None else entrant.name


def decision_line(tournament: Tournament, decision: Decision) -> Plain:
    """A decision, as it stands in the list for all to see."""
    return {
        "number": decision.number,
        "at": decision.at,
        "by": decision.by,
        "kind": decision.kind.value,
        "round": decision.round,
        "table": decision.table,
        "entrant": decision.entrant,
        "name": _name(tournament, decision.entrant),
        "text": decision.text,
        "undoes": decision.undoes,
        "undone": decision.undone,
        "deal": decision.deal,
        "big": str(decision.big),
        "small": list(_small(tournament, decision)),
    }


def _small(tournament: Tournament, decision: Decision) -> tuple[int, ...]:
    """The small points in a decision; those of a table whose result may not be told yet are left out."""
    if not decision.table:
        return decision.small
    one = tournament.rounds[decision.round - 1]
    return () if tournament.told(one, one.tables[decision.table - 1]) is None else decision.small


# Pages


def terms_page(tournament: Tournament) -> Plain:
    """What is agreed, and what everybody needs to do the draws so far again."""
    drawn = _drawn(tournament)
    return {
        "options": plain_terms(tournament.terms),
        "commitments": list(draw_commitments(tournament)),
        "secrets": [one.secret.hex() for one in tournament.rounds],
        "contributions": {
            str(one.number): one.contribution.hex()
            for one in tournament.entrants
            if one.number in drawn  # what a draw was made of is public once it is drawn, and not before
        },
        "cards": [{"commitments": list(one.commitments), "seed": _open_seed(one)} for one in tournament.rounds],
    }


def _drawn(tournament: Tournament) -> set[int]:
    """The entrants who were in a draw: also who has been out since, and will be in a later one again."""
    seated = {entrant for one in tournament.rounds for table in one.tables for entrant in table.seats if entrant}
    byes = {entrant for one in tournament.rounds for entrant in one.byes}
    late = len(tournament.rounds) + 1
    return (
        seated | byes | {one.number for one in tournament.entrants if one.status is Status.IN and one.from_round < late}
    )


def _open_seed(one: Round) -> str:
    return one.seed.hex() if one.ended is not None else ""


def entrants_page(tournament: Tournament) -> Plain:
    """Who takes part."""
    return {"entrants": [_entrant(one) for one in tournament.entrants]}


def _entrant(one: Entrant) -> Plain:
    return {
        "entrant": one.number,
        "player": one.player,
        "name": one.name,
        "team": one.team,
        "status": one.status.value,
        "from_round": one.from_round,
        "guest": one.guest,
        "program": one.program,
    }


def standings_page(tournament: Tournament) -> Plain:
    """The order so far, with every line of each account; and of the teams, where there are some."""
    found, size = accounts(tournament), tournament.terms.team_size
    return {
        "rows": plain_standings(standings(found)),
        "teams": plain_team_standings(team_standings(found, size)) if size > 1 else [],
    }


def round_page(tournament: Tournament, number: int) -> Plain:
    """A round: its tables with their results, its byes.

    Raises:
        RuleViolation: `no_such_round`
    """
    if not 1 <= number <= len(tournament.rounds):
        raise RuleViolation("no_such_round")
    one = tournament.rounds[number - 1]
    return {
        "round": number,
        "opened": one.opened,
        "deadline": one.deadline,
        "ended": one.ended,
        "tables": [_table(tournament, one, table) for table in one.tables],
        "byes": [_named(tournament, entrant) for entrant in one.byes],
    }


def _table(tournament: Tournament, one: Round, table: RoundTable) -> Plain:
    return {
        "number": table.number,
        "table": None if table.paper else table.id,
        "paper": table.paper,
        "seats": [None if entrant is None else _named(tournament, entrant) for entrant in table.seats],
        "annulled": [deal for _, deal in table.annulled],
        "result": _result(tournament, tournament.told(one, table)),
    }


def _result(tournament: Tournament, result: Result | None) -> Plain | None:
    if result is None:
        return None
    forfeit = result.kind is ResultKind.FORFEIT
    scores = () if forfeit else table_scores(result.small, tournament.terms.scale)
    return {
        "kind": result.kind.value,
        "small": list(result.small),
        "places": [place for place, _ in scores],
        "big": [str(big) for _, big in scores],
        "forfeited": list(result.forfeited),
        "deals": len(result.deals),
    }


def cross_page(tournament: Tournament) -> Plain:
    """What each entrant did in each round, in the order of the standings, and how often any two have met."""
    placings = [[table.seats for table in one.tables] for one in tournament.rounds]
    found = cross_table(accounts(tournament), placings)
    return {
        "rows": [
            {"rank": row.standing.rank, **_named(tournament, row.standing.entrant), "rounds": _cells(row.rounds)}
            for row in found.rows
        ],
        "meetings": [list(row) for row in found.meetings],
    }


def _cells(cells: Iterable[CrossCell | None]) -> list[Plain | None]:
    return [
        None
        if cell is None
        else {
            "kind": None if cell.line is None else cell.line.kind.value,
            "table": cell.table,
            "place": None if cell.line is None else cell.line.place,
            "big": None if cell.line is None else str(cell.line.big),
            "small": None if cell.line is None else cell.line.small,
            "opponents": list(cell.opponents),
        }
        for cell in cells
    ]


def comparison_page(tournament: Tournament, number: int) -> Plain:
    """How the seats of a round that is over did with the same cards, seat by seat.

    Raises:
        RuleViolation: `no_such_round`, `not_same_cards`, or `round_running`
    """
    if not 1 <= number <= len(tournament.rounds):
        raise RuleViolation("no_such_round")
    one = tournament.rounds[number - 1]
    if not one.seed:
        raise RuleViolation("not_same_cards")
    if one.ended is None:
        raise RuleViolation("round_running")
    results = {table.number: _by_number(table.result) for table in one.tables if table.result is not None}
    return {"round": number, "seats": [_compared(tournament, one, seat) for seat in compare(results)]}


def _by_number(result: Result) -> list[Four | None]:
    """The money of each deal from number 1 on, None where one did not count."""
    money = dict(result.deals)
    return [money.get(number) for number in range(1, max(money, default=0) + 1)]


def _compared(tournament: Tournament, one: Round, compared: ComparedSeat) -> Plain:
    entrant = one.tables[compared.table - 1].seats[compared.seat]
    return {
        "table": compared.table,
        "seat": compared.seat,
        "entrant": entrant,
        "name": None if entrant is None else _name(tournament, entrant),
        "points": compared.points,
        "most": compared.most,
        "deals": [{"deal": deal.deal + 1, "money": deal.money, "points": deal.points} for deal in compared.deals],
    }


def decisions_page(tournament: Tournament) -> Plain:
    """What its directors have decided."""
    return {"decisions": [decision_line(tournament, one) for one in tournament.decisions]}


def desk_page(tournament: Tournament) -> Plain:
    """What only directors see, without the tables, which the runtime looks at."""
    return {
        "waiting": [_entrant(one) for one in tournament.entrants if one.status is Status.WAITING],
        "invitations": [
            {"number": one.number, "name": one.name, "code": one.code, "entrant": one.entrant}
            for one in tournament.invitations
        ],
        "offers": [{"entrant": one.entrant, "code": one.code, "until": one.until} for one in tournament.offers],
    }
