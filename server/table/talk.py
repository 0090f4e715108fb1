"""What people say to each other at a table. Spectators hear the seats; the seats do not hear spectators."""

from collections.abc import Sequence
from typing import Any, Final

from server.games.game import Moment, RuleViolation
from server.table.commands import Say
from server.table.events import Talked
from server.table.house_rules import Talk
from server.table.state import Table

PHRASES: Final = frozenset(
    {
        "hello", "good_luck", "well_played", "nice_hand", "thanks", "sorry", "oops", "one_moment", "hurry_please",
        "i_am_back", "one_more_match", "last_match", "bye", "yes", "no", "no_hard_feelings",
    }
)  # fmt: skip
"""The ready-made phrases by name: each reader's client says them in his language."""

MOST_KEPT: Final = 50
"""How many sayings of seats, and how many of watchers, a table remembers for those who come later."""


def say(table: Table, command: Say, moment: Moment) -> Sequence[Any]:
    """Somebody says something: a seat to all, a watcher to the watchers.

    Raises:
        RuleViolation: `talk_off`, `phrases_only`, `no_such_phrase`, or `nothing_said`
    """
    if table.house.talk is Talk.OFF:
        raise RuleViolation("talk_off")
    if command.text and table.house.talk is Talk.PHRASES:
        raise RuleViolation("phrases_only")
    if command.phrase and command.phrase not in PHRASES:
        raise RuleViolation("no_such_phrase")
    if bool(command.text) == bool(command.phrase):
        raise RuleViolation("nothing_said")
    seat = table.seat_of(command.player)
    sitter = None if seat is None else table.seats[seat]
    name = command.name if sitter is None else sitter.name
    return (Talked(seat, command.player, name, command.text, command.phrase, moment.now),)


def kept(talk: tuple[Talked, ...], said: Talked) -> tuple[Talked, ...]:
    """What a table remembers after one more: the watchers never push out what the seats said, nor the seats theirs."""
    alike = [one for one in talk if (one.seat is None) == (said.seat is None)]
    gone = alike[0] if len(alike) == MOST_KEPT else None
    return (*(one for one in talk if one is not gone), said)


def heard(table: Table, *, by_seat: bool) -> tuple[Talked, ...]:
    """What a seat, or a watcher, has heard lately."""
    return tuple(one for one in table.talk if one.seat is not None or not by_seat)
