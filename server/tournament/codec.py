"""The entries of a tournament's log as bytes, each with a format number; every released format stays readable.

An entry has the shape of a table's; only its events are others. There are no snapshots: a tournament has
hundreds of entries, not hundreds of thousands, and its whole log is its minutes.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import cattrs
from cattrs.preconf.msgpack import make_converter

from server.games.game import OptionValue
from server.games.values import changed
from server.table import lines
from server.table.lines import LogLine, Unreadable
from server.table.memory import Remembered, remember
from server.tournament.events import EVENT_TYPES, Announced, TournamentEvent
from server.tournament.evolution import announced, evolve
from server.tournament.state import Tournament

MOST_CLIENTS: Final = 640
"""Whose last commands are remembered: all entrants and directors may ask at once, and again after a cut."""


def evolved(tournament: Tournament | None, events: Sequence[TournamentEvent]) -> Tournament:
    """The tournament after events; those of the first entry open it.

    Raises:
        Unreadable: the first event opens no tournament.
    """
    if tournament is None:
        if not events or not isinstance(events[0], Announced):
            raise Unreadable("the first entry opens no tournament")
        tournament, events = announced(events[0]), events[1:]
    for event in events:
        tournament = evolve(tournament, event)
    return tournament


def settled(tournament: Tournament, line: LogLine) -> Tournament:
    """The tournament after a line of its log, whose events it has: with the command remembered."""
    memory = tournament.memory
    if line.client:
        memory = remember(memory, line.client, Remembered(line.number, line.asked, line.version, None), MOST_CLIENTS)
    return changed(tournament, memory=memory, at=line.at, version=line.version, nonce=line.nonce)


def encode(line: LogLine) -> bytes:
    """The body of an entry."""
    return lines.encode(line, _CONVERTER)


def decode(version: int, body: bytes) -> LogLine:
    """The line in the body of an entry.

    Raises:
        NewerFormat, Unreadable
    """
    return lines.decode(version, body, EVENT_TYPES, _CONVERTER)


def _make_converter() -> cattrs.Converter:
    converter = make_converter()
    converter.register_unstructure_hook(Fraction, str)
    converter.register_structure_hook(Fraction, lambda text, _: Fraction(text))
    converter.register_structure_hook(OptionValue, lambda value, _: value)
    return converter


_CONVERTER: Final = _make_converter()
