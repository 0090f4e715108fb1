"""What a director decides. Each decision is a fact for all to see; what it brings about follows it."""

from collections.abc import Sequence
from typing import Final, assert_never

from server.games.game import Moment, RuleViolation
from server.tournament import entry_orders, result_orders
from server.tournament.commands import (
    Call,
    ChangeTerms,
    Direct,
    End,
    EnterPaper,
    GoOn,
    Halt,
    OpenRound,
    Replace,
    Tell,
)
from server.tournament.desk import Desk
from server.tournament.entry_orders import EntryOrder
from server.tournament.events import (
    Ended,
    Halted,
    SeatGiven,
    TermsChanged,
    TournamentEvent,
    WentOn,
)
from server.tournament.opening import open_round
from server.tournament.result_orders import ResultOrder
from server.tournament.state import (
    DecisionKind,
    Ending,
    Status,
    Tournament,
)
from server.tournament.terms import terms

MOST_DECISIONS: Final = 1_000
_ALWAYS: Final = (OpenRound, EnterPaper, GoOn, End)
"""What an evening needs to come to its end; none of them can be given without end."""
CourseOrder = ChangeTerms | OpenRound | Call | Replace | Tell | Halt | GoOn | End
Events = Sequence[TournamentEvent]


def decide(tournament: Tournament, command: Direct, moment: Moment) -> Events:
    """The events of a director's decision.

    Raises:
        RuleViolation: why it is refused
    """
    if len(tournament.decisions) >= MOST_DECISIONS and not isinstance(command.order, _ALWAYS):
        raise RuleViolation("too_many_decisions")
    by = next(one.name for one in tournament.directors if one.player == command.player)
    desk, order = Desk(tournament, by, moment), command.order
    if isinstance(order, EntryOrder):
        return entry_orders.decide(desk, order)
    if isinstance(order, ResultOrder):
        return result_orders.decide(desk, order)
    return _course(desk, order)


def _course(desk: Desk, order: CourseOrder) -> Events:
    """How the tournament goes on."""
    match order:
        case Call(entrant=number, text=text):
            desk.entrant(number)
            return (desk.decided(DecisionKind.CALLED, entrant=number, text=text),)
        case Tell(text=text):
            return (desk.decided(DecisionKind.ANNOUNCED, text=text),)
        case Replace():
            return _replace(desk, order)
        case ChangeTerms(name=name, options=options):
            desk.check_before_first_round()
            return (desk.decided(DecisionKind.TERMS), TermsChanged(name, terms(options)))
        case OpenRound():
            events = open_round(desk.tournament, desk.now)
            return (desk.decided(DecisionKind.OPENED_ROUND, round_=len(desk.tournament.rounds) + 1), *events)
        case Halt():
            desk.check_not_over()
            if desk.tournament.halted is not None:
                raise RuleViolation("halted")
            return (desk.decided(DecisionKind.HALTED), Halted(desk.now))
        case GoOn():
            if desk.tournament.halted is None:
                raise RuleViolation("not_halted")
            return (desk.decided(DecisionKind.WENT_ON), WentOn(desk.now))
        case End(reason=reason):
            desk.check_not_over()
            return (desk.decided(DecisionKind.ENDED, text=reason), Ended(Ending.DIRECTOR, desk.now))
        case _:
            assert_never(order)


def _replace(desk: Desk, order: Replace) -> Events:
    table, seat = desk.seat(order.entrant)
    if order.by is not None:
        if desk.entrant(order.by).status is not Status.IN:
            raise RuleViolation("not_entered")
        if desk.tournament.seat_of(order.by) is not None:
            raise RuleViolation("already_seated")
    decided = desk.decided(DecisionKind.REPLACED, table=table.number, entrant=order.entrant)
    return (decided, SeatGiven(table.number, seat, order.by))
