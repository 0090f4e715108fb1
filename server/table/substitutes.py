"""Bots of the server in the place of players who are not there."""

from collections.abc import Sequence
from typing import Any, Final

from server.games.game import Seat
from server.table.events import Seated, Sitter, StandInCame
from server.table.ids import PlayerId
from server.table.state import Table
from server.table.strength import Strength

NAMES: Final = ("Ada", "Bartek", "Celina", "Darek", "Ewa", "Felek", "Gosia", "Heniek")
"""What the bots of the house are called."""


def bot_for(table: Table, seat: Seat, strength: Strength) -> Sitter:
    """A bot for a seat, with an id and a name of its own at this table."""
    taken = {sitter.name for sitter in table.seats if sitter is not None}
    name = next(name for name in (*NAMES[2 * seat :], *NAMES) if name not in taken)
    return Sitter(PlayerId(f"bot{table.version + 1}x{seat}"), name, strength)


def stand_in(table: Table, seat: Seat, *, empty: bool) -> Sequence[Any]:
    """A bot plays for who is absent; a seat that was given up (`empty`) it takes, until somebody wants it."""
    return (Seated(seat, bot_for(table, seat, Strength.HARD)),) if empty else (StandInCame(seat),)
