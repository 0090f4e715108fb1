"""What a director decides about results: corrections, annulled deals, penalties, paper tables, and taking it back."""

from collections.abc import Sequence
from typing import Final, assert_never

from server.games.game import RuleViolation
from server.tournament.commands import (
    AnnulDeal,
    Correct,
    EnterPaper,
    Penalise,
    Undo,
)
from server.tournament.desk import Desk
from server.tournament.events import (
    DealVoided,
    OnPaper,
    Penalised,
    ResultNoted,
    TournamentEvent,
)
from server.tournament.state import (
    DecisionKind,
    Four,
    Penalty,
    Result,
    ResultKind,
)

MOST_DEALS: Final = 1_000
MOST_SMALL: Final = 10_000
"""The most small points that a result or penalty can be, either way."""
_UNDOABLE: Final = frozenset({DecisionKind.CORRECTED, DecisionKind.ANNULLED, DecisionKind.PENALTY, DecisionKind.PAPER})

Events = Sequence[TournamentEvent]
ResultOrder = Correct | AnnulDeal | EnterPaper | Penalise | Undo


def decide(desk: Desk, order: ResultOrder) -> Events:
    """The events of a decision about results.

    Raises:
        RuleViolation: why it is refused
    """
    match order:
        case Correct():
            return _correct(desk, order)
        case AnnulDeal():
            return _annul(desk, order)
        case EnterPaper():
            return _paper(desk, order)
        case Penalise():
            return _penalise(desk, order)
        case Undo(decision=number):
            return _undo(desk, number)
        case _:
            assert_never(order)


def _annul(desk: Desk, order: AnnulDeal) -> Events:
    table = desk.table(order.round, order.table)
    known = table.result is None or any(order.deal == one for one, _ in table.result.deals)
    again = any(order.deal == one for _, one in table.annulled)
    if not known or again or not 1 <= order.deal <= MOST_DEALS:
        raise RuleViolation("no_such_deal")
    round_, table_, deal, why = order.round, order.table, order.deal, order.reason
    decided = desk.decided(DecisionKind.ANNULLED, round_=round_, table=table_, deal=deal, text=why)
    return (decided, DealVoided(order.round, order.table, order.deal, desk.number))


def _penalise(desk: Desk, order: Penalise) -> Events:
    desk.entrant(order.entrant)
    if not 0 <= order.round <= len(desk.tournament.rounds):
        raise RuleViolation("no_such_round")
    big, small = order.big, order.small
    if abs(big) > MOST_SMALL or abs(small) > MOST_SMALL or big.denominator > 12 or not (big or small):
        raise RuleViolation("bad_points")
    penalty = Penalty(desk.number, order.entrant, order.round, big, small, order.reason)
    entrant, round_, why = order.entrant, order.round, order.reason
    decided = desk.decided(DecisionKind.PENALTY, round_=round_, entrant=entrant, text=why, big=big, small=(small,))
    return (decided, Penalised(penalty))


def _correct(desk: Desk, order: Correct) -> Events:
    table = desk.table(order.round, order.table)
    if not table.results and desk.tournament.rounds[order.round - 1].ended is None:
        raise RuleViolation("table_playing")
    if not order.reason:
        raise RuleViolation("reason_needed")
    _check_sum(order.small)
    deals = () if table.result is None else table.result.deals
    result = Result(ResultKind.CORRECTED, order.small, deals, decision=desk.number)
    round_, why = order.round, order.reason
    decided = desk.decided(DecisionKind.CORRECTED, round_=round_, table=order.table, text=why, small=order.small)
    return (decided, ResultNoted(order.round, order.table, result))


def _paper(desk: Desk, order: EnterPaper) -> Events:
    """Of a table in the running round, or of one whose result on paper was taken back when its round was over."""
    number = len(desk.tournament.rounds) if order.round is None else order.round
    if not desk.tournament.rounds:
        raise RuleViolation("no_round_running")
    table = desk.table(number, order.table)
    if table.results:
        raise RuleViolation("result_there")
    if not table.paper and desk.running().number != number:
        raise RuleViolation("no_round_running")
    small = order.small or ()
    decided = desk.decided(DecisionKind.PAPER, round_=number, table=order.table, small=small)
    on_paper = () if table.paper else (OnPaper(order.table),)
    if order.small is None:
        if table.paper:
            raise RuleViolation("already_so")
        return (decided, *on_paper)
    _check_sum(order.small)
    result = Result(ResultKind.PAPER, order.small, decision=desk.number)
    return (decided, *on_paper, ResultNoted(number, order.table, result))


def _undo(desk: Desk, number: int) -> Events:
    tournament = desk.tournament
    if not 1 <= number <= len(tournament.decisions):
        raise RuleViolation("no_such_decision")
    decision = tournament.decisions[number - 1]
    if decision.kind not in _UNDOABLE or decision.undone:
        raise RuleViolation("cannot_undo")
    if any(one.begun and one.opened > decision.at for one in tournament.rounds):
        raise RuleViolation("too_late_to_undo")
    return (desk.decided(DecisionKind.UNDONE, undoes=number),)


def _check_sum(small: Four) -> None:
    """Small points are money: what some win the others lose."""
    if sum(small):
        raise RuleViolation("sum_not_zero")
    if any(abs(points) > MOST_SMALL for points in small):
        raise RuleViolation("bad_points")
