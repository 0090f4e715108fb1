"""What a director decides about who takes part: approval, guests, invitations, other directors, other devices."""

from collections.abc import Sequence
from typing import Final, assert_never

from server.games.game import Millis, RuleViolation
from server.table.ids import PlayerId
from server.tournament.commands import (
    Approve,
    EnterGuest,
    Invite,
    NameDirector,
    OfferMove,
    OpenEntry,
    TurnAway,
)
from server.tournament.desk import Desk
from server.tournament.entry import MOST_ENTRANTS, team_with_room, withdrawn
from server.tournament.events import (
    Admitted,
    DirectorNamed,
    Entered,
    EntryOpened,
    Invited,
    MoveOffered,
    TournamentEvent,
    Withdrawn,
)
from server.tournament.state import (
    DecisionKind,
    Entrant,
    Invitation,
    MoveOffer,
    Status,
)

MOST_DIRECTORS: Final = 8
MOST_INVITATIONS: Final = 512
MOVE_MILLIS: Final = 300_000

Events = Sequence[TournamentEvent]
EntryOrder = Approve | TurnAway | EnterGuest | Invite | OpenEntry | OfferMove | NameDirector


def decide(desk: Desk, order: EntryOrder) -> Events:
    """The events of a decision about who takes part.

    Raises:
        RuleViolation: why it is refused
    """
    desk.check_not_over()
    tournament = desk.tournament
    match order:
        case Approve() | TurnAway():
            return _admission(desk, order)
        case EnterGuest():
            return _enter_guest(desk, order)
        case Invite(name=name):
            if len(tournament.invitations) >= MOST_INVITATIONS:
                raise RuleViolation("too_many_invitations")
            invitation = Invitation(len(tournament.invitations) + 1, name, desk.code())
            return (Invited(invitation),)
        case OpenEntry(open=taken):
            if tournament.open == taken:
                raise RuleViolation("already_so")
            kind = DecisionKind.REOPENED if taken else DecisionKind.CLOSED
            return (desk.decided(kind), EntryOpened(taken))
        case OfferMove(entrant=number):
            desk.entrant(number)
            offer = MoveOffer(number, desk.code(), Millis(desk.now + MOVE_MILLIS))
            return (desk.decided(DecisionKind.MOVED, entrant=number), MoveOffered(offer))
        case NameDirector():
            return _name_director(desk, order)
        case _:
            assert_never(order)


def _enter_guest(desk: Desk, order: EnterGuest) -> Events:
    """Somebody without a device: his public id leads to no player."""
    tournament, number = desk.tournament, len(desk.tournament.entrants) + 1
    if number > MOST_ENTRANTS:
        raise RuleViolation("tournament_full")
    entrant = Entrant(
        number=number,
        player=PlayerId(f"guest{number}.{tournament.id}"),
        name=order.name,
        team=team_with_room(tournament, order.team),
        status=Status.IN,
        from_round=len(tournament.rounds) + 1,
        guest=True,
    )
    return (desk.decided(DecisionKind.ENTERED, entrant=number), Entered(entrant))


def _admission(desk: Desk, order: Approve | TurnAway) -> Events:
    entrant = desk.entrant(order.entrant)
    if isinstance(order, Approve):
        if entrant.status is not Status.WAITING:
            raise RuleViolation("already_entered")
        coming = len(desk.tournament.rounds) + 1
        return (desk.decided(DecisionKind.APPROVED, entrant=entrant.number), Admitted(entrant.number, coming))
    if entrant.status is Status.OUT:
        raise RuleViolation("not_entered")
    decided = desk.decided(DecisionKind.TURNED_AWAY, entrant=entrant.number, text=order.reason)
    waiting = entrant.status is Status.WAITING
    return (decided, *((Withdrawn(entrant.number),) if waiting else withdrawn(desk.tournament, entrant)))


def _name_director(desk: Desk, order: NameDirector) -> Events:
    if not order.director.name:
        raise RuleViolation("no_such_player")
    if desk.tournament.directs(order.director.player):
        raise RuleViolation("already_so")
    if len(desk.tournament.directors) >= MOST_DIRECTORS:
        raise RuleViolation("too_many_directors")
    return (desk.decided(DecisionKind.DIRECTOR, text=order.director.name), DirectorNamed(order.director))
