"""The clocks of a table: time for each decision, and a bank beyond it. Times are data; nothing here waits.

A time that runs out costs one decision: the quiet one of the game (a question, a pass, *go on*, a
card), or *ready*: whoever is not ready in time counts as absent.
"""

from collections.abc import Sequence
from typing import Any

from server.games.game import Millis, Moment, Seat, Stage
from server.games.values import changed
from server.table.absence import absent
from server.table.events import ActedFor, ReadySaid, Substitute, TimeGiven
from server.table.state import NEVER, Clock, Table


def run_out(table: Table, moment: Moment) -> Sequence[Any]:
    """What a deadline that has passed brings about: the game's, or that of the first seat whose time is over."""
    if table.pause is not None:
        return ()
    events = table.game.run_out(table.play, moment)
    late = next((Seat(seat) for seat, due in enumerate(table.due) if due is not None and due <= moment.now), None)
    if events or late is None:
        return events
    if table.stage is Stage.BETWEEN:
        return absent(table, late) or (ActedFor(late, Substitute.CLOCK), ReadySaid(late, ""))
    action = table.game.quiet(table.play, late)
    if action is None:
        return ()
    return (ActedFor(late, Substitute.CLOCK), *table.game.decide(table.play, late, action, moment))


def give_time(table: Table, since: Millis, moment: Moment) -> Sequence[Any]:
    """The time in which nobody could act is given back, where a clock runs; in a pause none does."""
    since = max(since, table.at)
    if table.deadline is None or since == NEVER or since >= moment.now:  # of a state of 0.1.0 the time is not known
        return ()
    return (TimeGiven(moment.now - since),)


def fresh_clock(table: Table) -> Clock | None:
    """The clock of a match that begins, with full banks."""
    if table.house.clock_seconds is None:
        return None
    seats = len(table.seats)
    return Clock((1000 * table.house.clock_bank,) * seats, (None,) * seats)


def ticked(before: Table, after: Table, at: Millis) -> Table:
    """The table after an entry of that time: who has decided has spent his time, whose turn it is now begins his."""
    clock, seconds = after.clock, after.house.clock_seconds
    if clock is None or seconds is None or after.pause is not None:
        return after
    running, same = after.clocked, before.prompt == after.prompt
    bank, since = list(clock.bank), list(clock.since)
    for seat, began in enumerate(clock.since):
        if began is not None and not (same and seat in running):
            bank[seat] = max(0, bank[seat] - max(0, at - began - 1000 * seconds))
            since[seat] = None
        if since[seat] is None and seat in running:
            since[seat] = at
    return changed(after, clock=Clock(tuple(bank), tuple(since)))


def shifted(clock: Clock | None, millis: int) -> Clock | None:
    """The clock after it stood still for so long."""
    if clock is None:
        return None
    return changed(clock, since=tuple(None if began is None else Millis(began + millis) for began in clock.since))
