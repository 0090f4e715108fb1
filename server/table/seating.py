"""Who sits where: seats taken, given up, handed to bots and back, and who owns the table."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from server.games.game import RuleViolation, Seat
from server.table.absence import nobody_at
from server.table.commands import HandOver, PassOwnership, RemoveSitter, SeatBot, TakeSeat
from server.table.events import OwnerChanged, Seated, SeatLeft, SeatRemoved
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.substitutes import bot_for


def check_owner(table: Table, player: PlayerId) -> None:
    """Whether the player owns the table.

    Raises:
        RuleViolation: `not_owner`, or `not_seated`
    """
    if player != table.owner:
        raise RuleViolation("not_owner")
    seat_of(table, player)


def seat_of(table: Table, player: PlayerId) -> Seat:
    """The seat of a player.

    Raises:
        RuleViolation: `not_seated`
    """
    seat = table.seat_of(player)
    if seat is None:
        raise RuleViolation("not_seated")
    return seat


def take_seat(table: Table, command: TakeSeat) -> Sequence[Any]:
    """A player sits down; a bot makes room for him."""
    if command.player in table.barred:
        raise RuleViolation("barred")
    if table.seat_of(command.player) is not None:
        raise RuleViolation("already_seated")
    wanted = _wanted(table, command)
    there = table.seats[wanted]
    seated = Seated(wanted, command.sitter)
    first = command.player != table.owner and not any(one is not None and one.bot is None for one in table.seats)
    return (
        *(() if there is None else (SeatLeft(wanted, there),)),
        seated,
        *((OwnerChanged(command.player),) if first else ()),
    )


def _wanted(table: Table, command: TakeSeat) -> Seat:
    """The seat that a player gets: in a deal whose cards he has seen, only his own."""
    known = next((seat for sitter, seat in table.saw if sitter.player == command.player), None)
    wanted = command.seat if command.seat is not None else known
    if wanted is None:
        free = (seat for seat, sitter in enumerate(table.seats) if sitter is None)
        bots = (seat for seat, sitter in enumerate(table.seats) if sitter is not None and sitter.bot is not None)
        found = next(chain(free, bots), None)
        if found is None:
            raise RuleViolation("table_full")
        wanted = Seat(found)
    if wanted >= len(table.seats):
        raise RuleViolation("no_such_seat")
    if known is not None and wanted != known:
        raise RuleViolation("saw_other_hand")
    there = table.seats[wanted]
    if there is not None and there.bot is None:
        raise RuleViolation("table_full" if table.full else "seat_taken")
    return wanted


def seat_bot(table: Table, command: SeatBot) -> Sequence[Any]:
    """The owner lets a bot take a free seat."""
    check_owner(table, command.player)
    if len(table.seats) == 1:
        raise RuleViolation("unknown_action")  # nobody else plays a game for one
    if table.full and command.seat is None:
        raise RuleViolation("no_free_seat")
    seat = command.seat if command.seat is not None else Seat(table.seats.index(None))
    if seat >= len(table.seats):
        raise RuleViolation("no_such_seat")
    if table.seats[seat] is not None:
        raise RuleViolation("seat_taken")
    return (Seated(seat, bot_for(table, seat, command.strength)),)


def remove(table: Table, command: RemoveSitter) -> Sequence[Any]:
    """The owner takes a person or a bot out of a seat."""
    check_owner(table, command.player)
    seat = table.seat_of(command.sitter)
    if seat is None or command.sitter == command.player:
        raise RuleViolation("no_such_sitter")
    if table.played_by_bot(seat) and table.absence(seat) is None and table.game.cards_out(table.play):
        raise RuleViolation("deal_running")  # an empty seat would let the owner annul a deal that he does not like
    return vacate(table, seat, removed=True)


def vacate(table: Table, seat: Seat, *, removed: bool) -> Sequence[Any]:
    """A seat is given up, or its sitter removed; what follows is the table's rule on absence."""
    sitter = table.seats[seat]
    if sitter is None:
        raise RuleViolation("not_seated")
    if removed and sitter.bot is None:
        return (SeatRemoved(seat, sitter), *nobody_at(table, seat))
    left: tuple[Any, ...] = (SeatLeft(seat, sitter),)
    others = [one.player for one in table.seats if one is not None and one.bot is None and one is not sitter]
    if sitter.player == table.owner and others:
        left = (*left, OwnerChanged(others[0]))
    return left if removed else (*left, *nobody_at(table, seat))


def hand_over(table: Table, command: HandOver) -> Sequence[Any]:
    """The owner makes another person the owner."""
    check_owner(table, command.player)
    seat = table.seat_of(command.to)
    sitter = None if seat is None else table.seats[seat]
    if sitter is None or sitter.bot is not None or command.to == command.player:
        raise RuleViolation("no_such_sitter")
    return (OwnerChanged(command.to),)


def pass_ownership(table: Table, command: PassOwnership) -> Sequence[Any]:
    """The owner has been away too long, and another who sits there takes over; no bot of the server does."""
    seat = table.seat_of(command.player)
    sitter = None if seat is None else table.seats[seat]
    owned = table.tournament is None and table.owner == command.owner != command.player
    passes = owned and sitter is not None and sitter.bot is None
    return (OwnerChanged(command.player),) if passes else ()
