"""A director's orders from the wire as decisions of the tournament, and the texts of strangers in them cleaned."""

from collections.abc import Callable
from fractions import Fraction
from typing import assert_never

from protocol import tournament_client as wire
from server.endpoint.names import clean_name, clean_saying, clean_title
from server.games.game import RuleViolation
from server.table.ids import PlayerId
from server.tournament import commands
from server.tournament.state import Director, Four

NameOf = Callable[[PlayerId], str | None]
"""The name of a player who is known here."""


def order_meant(order: wire.Order, name_of: NameOf) -> commands.Order:
    """The decision that an order means.

    Raises:
        RuleViolation: `bad_name`, `bad_text`
    """
    match order:
        case wire.CorrectOrder() | wire.AnnulOrder() | wire.PenaliseOrder() | wire.PaperOrder() | wire.UndoOrder():
            return _of_results(order)
        case wire.TellOrder() | wire.HaltOrder() | wire.GoOnOrder() | wire.EndOrder() | wire.OpenRoundOrder():
            return _of_course(order)
        case wire.TermsOrder():
            return commands.ChangeTerms(title(order.name), order.options)
        case wire.EntryOrder():
            return commands.OpenEntry(order.open)
        case _:
            return _of_entrants(order, name_of)


def _of_entrants(
    order: wire.ApproveOrder
    | wire.TurnAwayOrder
    | wire.EnterOrder
    | wire.InviteOrder
    | wire.NameDirectorOrder
    | wire.CallOrder
    | wire.ReplaceOrder
    | wire.MoveOrder,
    name_of: NameOf,
) -> commands.Order:
    match order:
        case wire.ApproveOrder():
            return commands.Approve(order.entrant)
        case wire.TurnAwayOrder():
            return commands.TurnAway(order.entrant, _reason(order.reason))
        case wire.EnterOrder():
            return commands.EnterGuest(_name(order.name), team(order.team))
        case wire.InviteOrder():
            return commands.Invite(_name(order.name))
        case wire.NameDirectorOrder():
            name = name_of(PlayerId(order.player)) or ""  # refused by the rules: it may be a repeat
            return commands.NameDirector(Director(PlayerId(order.player), name))
        case wire.CallOrder():
            return commands.Call(order.entrant, _reason(order.text, "text"))
        case wire.ReplaceOrder():
            return commands.Replace(order.entrant, order.by)
        case wire.MoveOrder():
            return commands.OfferMove(order.entrant)
        case _:
            assert_never(order)


def _of_results(
    order: wire.CorrectOrder | wire.AnnulOrder | wire.PenaliseOrder | wire.PaperOrder | wire.UndoOrder,
) -> commands.Order:
    match order:
        case wire.CorrectOrder():
            return commands.Correct(order.round, order.table, _four(order.small), _reason(order.reason))
        case wire.AnnulOrder():
            return commands.AnnulDeal(order.round, order.table, order.deal, _reason(order.reason))
        case wire.PenaliseOrder():
            big, reason = Fraction(order.big), _reason(order.reason)
            return commands.Penalise(order.entrant, order.round, big, order.small, reason)
        case wire.PaperOrder():
            return commands.EnterPaper(order.table, None if order.small is None else _four(order.small), order.round)
        case wire.UndoOrder():
            return commands.Undo(order.decision)
        case _:
            assert_never(order)


def _of_course(
    order: wire.TellOrder | wire.HaltOrder | wire.GoOnOrder | wire.EndOrder | wire.OpenRoundOrder,
) -> commands.Order:
    match order:
        case wire.TellOrder():
            return commands.Tell(_text(order.text))
        case wire.HaltOrder():
            return commands.Halt()
        case wire.GoOnOrder():
            return commands.GoOn()
        case wire.EndOrder():
            return commands.End(_reason(order.reason))
        case wire.OpenRoundOrder():
            return commands.OpenRound()
        case _:
            assert_never(order)


def title(text: str) -> str:
    """The name of a tournament.

    Raises:
        RuleViolation: `bad_text`
    """
    return _clean(clean_title, text, RuleViolation("bad_text", "name"))


def team(text: str) -> str:
    """The name of a team; empty is none.

    Raises:
        RuleViolation: `bad_text`
    """
    return _clean(clean_title, text, RuleViolation("bad_text", "team")) if text else ""


def _name(text: str) -> str:
    return _clean(clean_name, text, RuleViolation("bad_name", "name"))


def _text(text: str) -> str:
    return _clean(clean_saying, text, RuleViolation("bad_text", "text"))


def _reason(text: str, field: str = "reason") -> str:
    return _clean(clean_saying, text, RuleViolation("bad_text", field)) if text else ""


def _clean(cleaned: Callable[[str], str | None], text: str, refusal: RuleViolation) -> str:
    found = cleaned(text)
    if found is None:
        raise refusal
    return found


def _four(small: list[int]) -> Four:
    first, second, third, fourth = small
    return first, second, third, fourth
