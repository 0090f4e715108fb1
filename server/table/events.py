"""What can happen at a table, beside the events of its game."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, get_args

from server.games.game import Millis, Plain, Seat
from server.table.affiliation import Affiliation
from server.table.house_rules import USUAL, HouseRules
from server.table.ids import PlayerId, TableId
from server.table.strength import Strength


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player in a seat, under the name he sat down with.

    `bot` is the strength of a bot of the server; `program`: a program that plays over the wire and says so.
    """

    player: PlayerId
    name: str
    bot: Strength | None = None
    program: bool = False

    @property
    def person(self) -> bool:
        """Whether it is a human being, as far as anybody has said."""
        return self.bot is None and not self.program


@dataclass(frozen=True, slots=True)
class Created:
    """A table was opened, with the game's complete options; its code, if it is private, is secret.

    A table of a `tournament` has no owner: his id is empty.
    """

    table: TableId
    game: str
    options: Plain
    code: str | None
    owner: PlayerId
    at: Millis
    house: HouseRules = USUAL
    tournament: Affiliation | None = None


@dataclass(frozen=True, slots=True)
class OptionsChanged:
    """The owner has changed what is agreed, before the first match: game's options, house rules."""

    options: Plain
    house: HouseRules


@dataclass(frozen=True, slots=True)
class Seated:
    """A player took a seat."""

    seat: Seat
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player gave up a seat, or a bot made room; in a deal the hand stays with the seat."""

    seat: Seat
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class SeatRemoved:
    """The owner took a player out of a seat; he cannot come back."""

    seat: Seat
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """The table has another owner."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class ReadySaid:
    """A seat is ready for the next deal (`word`: its cut, or empty), or for a rematch."""

    seat: Seat
    word: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match begins, numbered from 1 at this table."""

    match: int


@dataclass(frozen=True, slots=True)
class Absent:
    """A seat has nobody: its player has been away for longer than the grace, was not ready in time, or has left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class StandInCame:
    """A bot plays the seat of an absent player until he is back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Returned:
    """The player of a seat is back, and has it at once."""

    seat: Seat


class Choice(StrEnum):
    """What can be voted for while a seat has nobody."""

    WAIT = "wait"
    BOT = "bot"
    END = "end"


@dataclass(frozen=True, slots=True)
class Voted:
    """A seat has voted on the seat of an absent player; it may vote otherwise later."""

    seat: Seat
    absent: Seat
    choice: Choice


@dataclass(frozen=True, slots=True)
class Paused:
    """The table stands still from `at` on: a seat wanted it, the director did, or (None) nobody is left."""

    seat: Seat | None
    at: Millis
    director: bool = False


@dataclass(frozen=True, slots=True)
class Resumed:
    """The table goes on at `at`: a seat wanted it, the director did, or (None) somebody is back."""

    seat: Seat | None
    at: Millis
    director: bool = False


@dataclass(frozen=True, slots=True)
class TableClosed:
    """The director ends the match of a tournament's table before its time, and says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class TimeGiven:
    """Nobody could act for so long, since the server or its store was away: all deadlines are so much later."""

    millis: int


class Substitute(StrEnum):
    """Who acts in a player's place."""

    BOT = "bot"
    CLOCK = "clock"
    SUCCESSOR = "successor"
    """A person who took the seat in the middle of the deal."""


@dataclass(frozen=True, slots=True)
class ActedFor:
    """The next event is not the player's own doing: a bot or the clock has acted for his seat."""

    seat: Seat
    by: Substitute


@dataclass(frozen=True, slots=True)
class Talked:
    """Somebody has said something: a seat, or (None) a watcher, whom only watchers hear.

    `text` is what he wrote; `phrase` names a ready-made phrase. One of them is empty.
    """

    seat: Seat | None
    player: PlayerId
    name: str
    text: str
    phrase: str
    at: Millis


TableEvent = (
    Created
    | OptionsChanged
    | Seated
    | SeatLeft
    | SeatRemoved
    | OwnerChanged
    | ReadySaid
    | MatchStarted
    | Absent
    | StandInCame
    | Returned
    | Voted
    | Paused
    | Resumed
    | TableClosed
    | TimeGiven
    | ActedFor
    | Talked
)
TABLE_EVENTS: Final = frozenset(get_args(TableEvent))
"""Their types; every other event is one of the game."""
