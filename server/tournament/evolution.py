"""How events change a tournament. Total: nothing is refused here."""

from typing import Any, assert_never

from server.games.game import Millis
from server.games.values import changed
from server.tournament.events import (
    Admitted,
    Announced,
    DealVoided,
    Decided,
    DirectorNamed,
    Ended,
    Entered,
    EntryOpened,
    Halted,
    Invited,
    MoveOffered,
    OnPaper,
    Penalised,
    PlaceMoved,
    ResultNoted,
    RoundBegun,
    RoundEnded,
    RoundOpened,
    SeatGiven,
    TermsChanged,
    TournamentEvent,
    WentOn,
    Withdrawn,
)
from server.tournament.state import (
    DecisionKind,
    Entrant,
    Result,
    Round,
    RoundTable,
    Stage,
    Status,
    Tournament,
)


def announced(event: Announced) -> Tournament:
    """The tournament that was opened."""
    return Tournament(
        id=event.tournament,
        name=event.name,
        terms=event.terms,
        directors=(event.director,),
        secret=event.secret,
        opened=event.at,
        since=event.at,
    )


def evolve(tournament: Tournament, event: TournamentEvent) -> Tournament:
    """The tournament after an event."""
    match event:
        case Announced():
            return announced(event)
        case TermsChanged(name=name, terms=terms):
            return changed(tournament, name=name, terms=terms)
        case DirectorNamed(director=director):
            return changed(tournament, directors=(*tournament.directors, director))
        case Invited() | Entered() | Admitted() | Withdrawn() | EntryOpened() | PlaceMoved() | MoveOffered():
            return _evolve_entry(tournament, event)
        case RoundOpened(round=opened):
            rounds = (*tournament.rounds, opened)
            return changed(tournament, rounds=rounds, stage=Stage.ROUND, since=opened.opened)
        case RoundBegun() | SeatGiven() | OnPaper() | ResultNoted() | DealVoided() | Penalised():
            return _evolve_round(tournament, event)
        case Decided(decision=decision):
            tournament = changed(tournament, decisions=(*tournament.decisions, decision))
            return _undone(tournament, decision.undoes) if decision.undoes else tournament
        case RoundEnded(at=at):
            rounds = (*tournament.rounds[:-1], changed(tournament.rounds[-1], ended=at))
            return changed(tournament, rounds=rounds, stage=Stage.BREAK, since=at)
        case Halted(at=at):
            return changed(tournament, halted=at)
        case WentOn(at=at):
            return _gone_on(tournament, at)
        case Ended(ending=ending, at=at):
            return changed(tournament, stage=Stage.OVER, ending=ending, since=at, open=False, halted=None, offers=())
        case _:
            assert_never(event)


def _evolve_entry(tournament: Tournament, event: Any) -> Tournament:
    """Who takes part."""
    match event:
        case Invited(invitation=invitation):
            return changed(tournament, invitations=(*tournament.invitations, invitation))
        case Entered(entrant=entrant, invitation=used):
            invitations = tuple(
                changed(one, entrant=entrant.number) if one.number == used else one for one in tournament.invitations
            )
            before, after = tournament.entrants[: entrant.number - 1], tournament.entrants[entrant.number :]
            return changed(tournament, entrants=(*before, entrant, *after), invitations=invitations)
        case Admitted(entrant=number, from_round=coming):
            return _with_entrant(tournament, number, status=Status.IN, from_round=coming)
        case Withdrawn(entrant=number):
            return _with_entrant(tournament, number, status=Status.OUT)
        case EntryOpened(open=taken):
            return changed(tournament, open=taken)
        case PlaceMoved(entrant=number, player=player):
            moved = _with_entrant(tournament, number, player=player, guest=False)
            return changed(moved, offers=tuple(one for one in tournament.offers if one.entrant != number))
        case MoveOffered(offer=offer):
            others = tuple(one for one in tournament.offers if one.entrant != offer.entrant)
            return changed(tournament, offers=(*others, offer))
        case _:
            return tournament


def _with_entrant(tournament: Tournament, number: int, **changes: Any) -> Tournament:
    entrants: tuple[Entrant, ...] = tuple(
        changed(one, **changes) if one.number == number else one for one in tournament.entrants
    )
    return changed(tournament, entrants=entrants)


def _evolve_round(tournament: Tournament, event: Any) -> Tournament:
    """How the round goes."""
    match event:
        case RoundBegun(round=number):
            return _with_round(tournament, number, begun=True)
        case SeatGiven(table=number, seat=seat, entrant=entrant):
            table = tournament.rounds[-1].tables[number - 1]
            first, second, third, fourth = (entrant if one == seat else table.seats[one] for one in range(4))
            given = changed(table, seats=(first, second, third, fourth))
            return _with_table(tournament, len(tournament.rounds), given)
        case OnPaper(table=number):
            table = tournament.rounds[-1].tables[number - 1]
            return _with_table(tournament, len(tournament.rounds), changed(table, paper=True))
        case ResultNoted(round=number, table=where, result=result):
            table = tournament.rounds[number - 1].tables[where - 1]
            return _with_table(tournament, number, changed(table, results=(*table.results, result)))
        case DealVoided(round=number, table=where, deal=deal, decision=decision):
            table = tournament.rounds[number - 1].tables[where - 1]
            return _with_table(tournament, number, changed(table, annulled=(*table.annulled, (decision, deal))))
        case Penalised(penalty=penalty):
            return changed(tournament, penalties=(*tournament.penalties, penalty))
        case _:
            return tournament


def _with_round(tournament: Tournament, number: int, **changes: Any) -> Tournament:
    rounds: tuple[Round, ...] = tuple(
        changed(one, **changes) if one.number == number else one for one in tournament.rounds
    )
    return changed(tournament, rounds=rounds)


def _with_table(tournament: Tournament, number: int, table: RoundTable) -> Tournament:
    tables = tournament.rounds[number - 1].tables
    return _with_round(tournament, number, tables=(*tables[: table.number - 1], table, *tables[table.number :]))


def _undone(tournament: Tournament, number: int) -> Tournament:
    """The tournament without what a decision has brought about; the decision stays in the list, as undone."""
    decisions = tuple(changed(one, undone=True) if one.number == number else one for one in tournament.decisions)
    decision = tournament.decisions[number - 1]
    tournament = changed(
        tournament,
        decisions=decisions,
        penalties=tuple(one for one in tournament.penalties if one.decision != number),
    )
    if decision.kind in (DecisionKind.CORRECTED, DecisionKind.ANNULLED, DecisionKind.PAPER):
        table = tournament.rounds[decision.round - 1].tables[decision.table - 1]
        results: tuple[Result, ...] = tuple(one for one in table.results if one.decision != number)
        annulled = tuple(one for one in table.annulled if one[0] != number)
        return _with_table(tournament, decision.round, changed(table, results=results, annulled=annulled))
    return tournament


def _gone_on(tournament: Tournament, at: Millis) -> Tournament:
    stood = 0 if tournament.halted is None else at - tournament.halted
    tournament = changed(tournament, halted=None)
    if tournament.stage is Stage.BREAK:
        return changed(tournament, since=Millis(tournament.since + stood))
    if tournament.stage is Stage.ROUND and tournament.rounds[-1].deadline is not None:
        deadline = Millis(tournament.rounds[-1].deadline + stood)
        return _with_round(tournament, len(tournament.rounds), deadline=deadline)
    return tournament
