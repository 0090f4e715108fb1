"""A seat that nobody looks after, what the table's rule does about it, and the pause of a table.

In a running match a player who is away longer than the grace, who is not ready in time, or who gives
up his seat leaves it to the rule: wait, a bot, a vote of the others, or the clock. He has it back at
once when he comes. Source: "People" of docs/architecture.md.
"""

from collections.abc import Sequence
from typing import Any, Final

from server.games.game import Millis, Moment, RuleViolation, Seat
from server.table.commands import PauseTable, ResumeTable, Vote
from server.table.events import Absent, Choice, Paused, Resumed, Returned, Voted
from server.table.house_rules import OnAbsence
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.substitutes import stand_in

ANYONE_RESUMES_AFTER: Final = Millis(120_000)
"""How long only who paused a table may let it go on."""


def absent(table: Table, seat: Seat) -> Sequence[Any]:
    """The player of a seat is noted as absent, and the rule takes hold."""
    sitter = table.seats[seat]
    if len(table.seats) == 1 or sitter is None or sitter.bot is not None:
        return ()  # a table for one has nobody who waits: it pauses, and goes on with the first who comes
    if not table.running or table.absence(seat) is not None:
        return ()
    return (Absent(seat), *(stand_in(table, seat, empty=False) if table.house.on_absence is OnAbsence.BOT else ()))


def nobody_at(table: Table, seat: Seat) -> Sequence[Any]:
    """What follows when a seat was given up in a running match; waiting needs no word."""
    if len(table.seats) == 1 or not table.running or table.house.on_absence is OnAbsence.WAIT:
        return ()
    return stand_in(table, seat, empty=True) if table.house.on_absence is OnAbsence.BOT else (Absent(seat),)


def absent_player(table: Table, player: PlayerId) -> Sequence[Any]:
    """A player has been away for longer than the grace."""
    seat = table.seat_of(player)
    return () if seat is None else absent(table, seat)


def returned(table: Table, player: PlayerId) -> Sequence[Any]:
    """A player is back: he has his seat at once."""
    if not table.absences:
        return ()
    seat = table.seat_of(player)
    if seat is None or table.absence(seat) is None:
        return ()
    return (Returned(seat),)


def vote(table: Table, command: Vote) -> Sequence[Any]:
    """A seat votes on an absence; `decided` tells what comes of it.

    Raises:
        RuleViolation: `no_vote`: there is none, it is over, or this seat has no voice in it.
    """
    voice = table.seat_of(command.player)
    absence = next((one for one in table.absences if one.number == command.absence), None)
    sitter = None if voice is None else table.seats[voice]
    if voice is None or sitter is None:
        raise RuleViolation("not_seated")
    if absence is None or absence.stand_in or table.house.on_absence is not OnAbsence.VOTE or voice == absence.seat:
        raise RuleViolation("no_vote")
    if not sitter.person:
        raise RuleViolation("no_vote")  # a program: it would decide alone where no person is left
    return (*returned(table, command.player), Voted(voice, absence.seat, command.choice))


def decided(table: Table, moment: Moment) -> Sequence[Any]:
    """What the votes as they stand decide: a bot plays, or the match ends, if more than half of the people want it.

    Whoever comes or goes may make a majority of the others, so this is asked after every entry.
    """
    if table.house.on_absence is not OnAbsence.VOTE:
        return ()
    voters = table.people
    for absence in table.absences:
        votes = [choice for seat, choice in absence.votes if seat in voters]
        for choice in (Choice.BOT, Choice.END):
            if not absence.stand_in and 2 * votes.count(choice) > len(voters):
                empty = table.seats[absence.seat] is None
                bot = choice is Choice.BOT
                return stand_in(table, absence.seat, empty=empty) if bot else table.game.end(table.play, moment)
    return ()


def pause(table: Table, command: PauseTable, moment: Moment) -> Sequence[Any]:
    """The table stands still by its owner's wish; call `check_owner` first.

    Raises:
        RuleViolation: `paused`, or `no_match_running`
    """
    if table.pause is not None:
        raise RuleViolation("paused")
    if not table.running:
        raise RuleViolation("no_match_running")
    return (Paused(table.seat_of(command.player), moment.now),)


def resume(table: Table, command: ResumeTable, moment: Moment) -> Sequence[Any]:
    """The table goes on: its owner may always say so, each other seat when the pause has lasted.

    Raises:
        RuleViolation: `not_seated`, `not_paused`, or `resume_later`
    """
    seat, pause = table.seat_of(command.player), table.pause
    if seat is None:
        raise RuleViolation("not_seated")
    if pause is None:
        raise RuleViolation("not_paused")
    theirs = command.player == table.owner or pause.deserted
    if not theirs and moment.now < pause.at + ANYONE_RESUMES_AFTER:
        raise RuleViolation("resume_later")
    return (Resumed(seat, moment.now),)


def deserted(table: Table, moment: Moment) -> Sequence[Any]:
    """Nobody is there: the table stands still. One of a tournament goes on by its rule on absence."""
    stands = not table.running or table.pause is not None or table.tournament is not None
    return () if stands else (Paused(None, moment.now),)


def attended(table: Table, moment: Moment) -> Sequence[Any]:
    """Somebody is there again: a table that nobody was left at goes on."""
    return (Resumed(None, moment.now),) if table.pause is not None and table.pause.deserted else ()
