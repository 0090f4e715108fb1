"""A table of a tournament: how it is opened, what its players may not do there, and what its director may.

Such a table has no owner. Its seats, its pauses and the end of its match are the tournament's: it asks for them by
commands of the server, which are harmless when they come twice.
"""

from collections.abc import Sequence
from typing import Any

from server.games.catalogue import CATALOGUE
from server.games.game import Moment, RuleViolation, Stage
from server.table.commands import (
    Act,
    AnnulDirected,
    CallTime,
    CloseTable,
    DirectorsCommand,
    GoOnTable,
    HaltTable,
    LeaveSeat,
    OpenForTournament,
    PlayersCommand,
    ReplaceSitter,
    ResumeTable,
    Say,
    TakeSeat,
    Vote,
)
from server.table.events import Created, Paused, Resumed, Seated, SeatLeft, TableClosed
from server.table.house_rules import house_rules
from server.table.ids import PlayerId
from server.table.seating import seat_of
from server.table.state import Table

NOBODY = PlayerId("")
"""The owner of a table that belongs to a tournament."""


def opening(command: OpenForTournament, moment: Moment) -> tuple[Created, Sequence[Seated]]:
    """What opens a table of a tournament, and who sits there at once; the match follows from it.

    Raises:
        RuleViolation: `unknown_game`, `unknown_option`, `bad_option`, `options_clash`, or `already_seated` if
            somebody was to have two seats
    """
    game = CATALOGUE.get(command.game)
    if game is None or game.seats != len(command.sitters):
        raise RuleViolation("unknown_game")
    if len({sitter.player for sitter in command.sitters}) < game.seats:
        raise RuleViolation("already_seated")
    house, rest = house_rules(command.options)
    options = game.options(game.new_match(rest))
    opened = Created(command.table, command.game, options, None, NOBODY, moment.now, house, command.tournament)
    return opened, command.seated


def check_player(table: Table, command: PlayersCommand) -> None:
    """Whether players may ask this at a table of a tournament; the other rules are looked at besides.

    Raises:
        RuleViolation: `tournament_table`, `already_seated`, `not_seated`, `no_vote`, or `talk_off`
    """
    match command:
        case Act() if table.stage is not Stage.OVER:
            return
        case TakeSeat(player=player) if table.seat_of(player) is not None:
            raise RuleViolation("already_seated")
        case LeaveSeat(player=player) | ResumeTable(player=player) | Act(player=player):
            seat_of(table, player)
            raise RuleViolation("tournament_table")
        case TakeSeat():
            raise RuleViolation("tournament_table")
        case Vote():
            raise RuleViolation("no_vote")
        case Say() if table.stage is Stage.DEAL:
            raise RuleViolation("talk_off")
        case _:
            return  # who asks as an owner is refused as one


def directed(table: Table, command: DirectorsCommand, moment: Moment) -> Sequence[Any]:
    """What a command of the tournament brings about; nothing when it comes again.

    Raises:
        RuleViolation: `not_of_tournament`, or why it is refused
    """
    if table.tournament is None:
        raise RuleViolation("not_of_tournament")
    match command:
        case CallTime():
            return table.game.call_time(table.play)
        case ReplaceSitter():
            return _replace(table, command)
        case AnnulDirected(deal=deal):
            if table.game.running_deal(table.play) != deal:
                raise RuleViolation("no_deal_running")
            return table.game.annul(table.play, moment)
        case HaltTable():
            return _halt(table, moment)
        case GoOnTable():
            return (Resumed(None, moment.now, True),) if table.pause is not None else ()
        case CloseTable(reason=reason):
            if table.stage is Stage.OVER:
                return ()
            return (TableClosed(reason), *table.game.end(table.play, moment))


def _replace(table: Table, command: ReplaceSitter) -> Sequence[Any]:
    """Somebody else gets a seat; in a running deal the hand stays with it."""
    if table.stage is Stage.OVER:
        raise RuleViolation("no_match_running")
    if command.seat not in range(len(table.seats)):
        raise RuleViolation("no_such_seat")
    there = table.seats[command.seat]
    if there is not None and there.player == command.sitter.player:
        return ()
    if table.seat_of(command.sitter.player) not in (None, command.seat):
        raise RuleViolation("already_seated")
    left = () if there is None else (SeatLeft(command.seat, there),)
    return (*left, Seated(command.seat, command.sitter))


def _halt(table: Table, moment: Moment) -> Sequence[Any]:
    if table.stage is Stage.OVER:
        raise RuleViolation("no_match_running")
    return () if table.pause is not None else (Paused(None, moment.now, True),)
