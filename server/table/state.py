"""The state of a table, and the events that make it."""

from dataclasses import dataclass, field
from typing import Any

from server.games.catalogue import CATALOGUE
from server.games.game import Game, Millis, Plain, Seat, Stage
from server.table.ids import Lifetime, PlayerId, TableId
from server.table.memory import Memory


@dataclass(frozen=True, slots=True)
class Sitter:
    """A player in a seat, under the name he sat down with."""

    player: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class Created:
    """A table was opened, with the game's complete options; its code, if it is private, is secret."""

    table: TableId
    game: str
    options: Plain
    code: str | None
    owner: PlayerId
    at: Millis


@dataclass(frozen=True, slots=True)
class Seated:
    """A player took a seat."""

    seat: Seat
    sitter: Sitter


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player gave up a seat; in a deal the hand stays with the seat."""

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


TableEvent = Created | Seated | SeatLeft | SeatRemoved | OwnerChanged | ReadySaid | MatchStarted


@dataclass(frozen=True, slots=True)
class Table:
    """A table at a version of its log. `play` is the state of its game's running or last match.

    `ready` holds what each seat said with *ready* (empty: nothing further), None if it has not.
    `saw` has who gave up which seat in the running deal: they have seen that hand. `sat` has who
    sat there at each deal of the match when it was scored. `nonce` is that of the newest entry.
    """

    id: TableId
    game_name: str
    code: str | None
    owner: PlayerId
    opened: Millis
    play: Any
    seats: tuple[Sitter | None, ...]
    ready: tuple[str | None, ...]
    match: int = 0
    barred: tuple[PlayerId, ...] = ()
    saw: tuple[tuple[Sitter, Seat], ...] = ()
    sat: tuple[tuple[Sitter | None, ...], ...] = ()
    memory: Memory = ()
    version: int = 0
    nonce: bytes = field(default=b"")

    @property
    def game(self) -> Game:
        """The game played here."""
        return CATALOGUE[self.game_name]

    @property
    def stage(self) -> Stage:
        """How far the match is."""
        return self.game.stage(self.play)

    @property
    def full(self) -> bool:
        """Whether every seat is taken."""
        return None not in self.seats

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a player, if he has one."""
        for seat, sitter in enumerate(self.seats):
            if sitter is not None and sitter.player == player:
                return Seat(seat)
        return None

    @property
    def prompt(self) -> str:
        """Names the question that stands; it never comes again at this table."""
        return f"{self.match}.{self.game.prompt(self.play)}"

    @property
    def deadline(self) -> Millis | None:
        """When the game's deadline runs out."""
        return self.game.deadline(self.play)

    @property
    def lifetime(self) -> Lifetime:
        """How long it is kept when nothing more happens."""
        if self.stage is Stage.OVER:
            return Lifetime.ENDED
        if self.stage is Stage.BETWEEN and self.game.finished_deals(self.play) == 0 and self.match <= 1:
            return Lifetime.UNSTARTED
        return Lifetime.MATCH
