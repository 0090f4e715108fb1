"""The state of a table, and what follows from it."""

from dataclasses import dataclass, field
from typing import Any, Final

from server.games.catalogue import CATALOGUE
from server.games.game import Game, Millis, Plain, Seat, Stage
from server.table.affiliation import Affiliation
from server.table.evening import MatchScore
from server.table.events import Choice, Sitter, Talked
from server.table.house_rules import USUAL, HouseRules, OnAbsence, plain_house_rules
from server.table.ids import Lifetime, PlayerId, TableId
from server.table.memory import CommandId, Memory, Remembered, recall

NEVER: Final = Millis(0)


@dataclass(frozen=True, slots=True)
class Absence:
    """A seat that nobody looks after: its player is away, or it was given up in a running match.

    `number` names the absence at this table; `votes` has who voted what, where the rule is a vote.
    """

    seat: Seat
    number: int
    stand_in: bool = False
    votes: tuple[tuple[Seat, Choice], ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """The table stands still since `at`, by a seat's wish, by the director's, or (None) because nobody is left."""

    at: Millis
    seat: Seat | None
    director: bool = False

    @property
    def deserted(self) -> bool:
        """Whether it is because nobody is left."""
        return self.seat is None and not self.director


@dataclass(frozen=True, slots=True)
class Clock:
    """Per seat: milliseconds left in its bank, and since when its decision is awaited (None: it is not)."""

    bank: tuple[int, ...]
    since: tuple[Millis | None, ...]

    def due(self, seconds: int) -> tuple[Millis | None, ...]:
        """When each seat's time for its decision is over, at so many seconds for each, the bank included."""
        return tuple(
            None if since is None else Millis(since + 1000 * seconds + bank)
            for since, bank in zip(self.since, self.bank, strict=True)
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A table at a version of its log. `play` is the state of its game's running or last match.

    `ready` holds what each seat said with *ready* (empty: nothing further), None if it has not.
    `saw` has who gave up which seat in the running deal: they have seen that hand. `dealt_to` has to
    whom the cards of the running or last deal were dealt, `sat` the same of each scored deal of the
    match: what a deal brings is theirs. `acted_for` has which acts of the running or last deal were
    somebody else's. `last` has who gave up or lost each seat last. `at` and `nonce` are those of the
    newest entry; `watchers_memory` is of what watchers said. A table of a `tournament` has no owner.
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
    last: tuple[Sitter | None, ...] = ()
    house: HouseRules = USUAL
    absences: tuple[Absence, ...] = ()
    pause: Pause | None = None
    clock: Clock | None = None
    acted_for: tuple[int, ...] = ()
    dealt_to: tuple[Sitter | None, ...] = ()
    evening: tuple[MatchScore, ...] = ()
    talk: tuple[Talked, ...] = ()
    memory: Memory = ()
    watchers_memory: Memory = ()
    at: Millis = NEVER
    version: int = 0
    nonce: bytes = field(default=b"")
    tournament: Affiliation | None = None

    @property
    def game(self) -> Game:
        """The game played here."""
        return CATALOGUE[self.game_name]

    @property
    def options(self) -> Plain:
        """All that was agreed, complete: the game's options and the house rules."""
        return {**self.game.options(self.play), **plain_house_rules(self.house)}

    @property
    def stage(self) -> Stage:
        """How far the match is."""
        return self.game.stage(self.play)

    @property
    def running(self) -> bool:
        """Whether a match has begun and is not over."""
        return self.match > 0 and self.stage is not Stage.OVER

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

    def absence(self, seat: Seat) -> Absence | None:
        """The absence of a seat, if nobody looks after it."""
        for one in self.absences:
            if one.seat == seat:
                return one
        return None

    def played_by_bot(self, seat: Seat) -> bool:
        """Whether a bot of the server acts for the seat: its own, or a stand-in."""
        sitter, absence = self.seats[seat], self.absence(seat)
        return (sitter is not None and sitter.bot is not None) or (absence is not None and absence.stand_in)

    def plays_for_another(self, seat: Seat) -> bool:
        """Whether cards are out and this seat's were dealt to another than who sits there now."""
        sitter = self.seats[seat]
        if not self.dealt_to or self.dealt_to[seat] is sitter:
            return False
        first = self.dealt_to[seat] if self.game.cards_out(self.play) else sitter
        return sitter is not None and first is not None and first.player != sitter.player

    def recalled(self, command: CommandId, asked: str) -> Remembered | None:
        """What became of this command, if it took effect before; see `memory.recall`."""
        return recall(self.memory, command, asked) or recall(self.watchers_memory, command, asked)

    @property
    def goes_on(self) -> bool:
        """Whether it is played on by its rule on absence though nobody is there: a running match of a tournament."""
        return self.tournament is not None and self.running

    @property
    def closed_to_watchers(self) -> bool:
        """Whether nobody may watch, since other tables play the same cards, perhaps longer than this one."""
        return self.tournament is not None and self.tournament.duplicate

    def keeps_out(self, player: PlayerId) -> bool:
        """Whether a player may neither sit here nor watch."""
        return player in self.barred or (self.closed_to_watchers and self.seat_of(player) is None)

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of persons who are there."""
        return tuple(
            Seat(seat)
            for seat, sitter in enumerate(self.seats)
            if sitter is not None and sitter.person and self.absence(Seat(seat)) is None
        )

    @property
    def prompt(self) -> str:
        """Names the question that stands; it never comes again at this table."""
        return f"{self.match}.{self.game.prompt(self.play)}"

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats for whose decision the table waits."""
        if self.pause is not None or not self.running:
            return ()
        if self.stage is Stage.BETWEEN:
            return tuple(Seat(seat) for seat, word in enumerate(self.ready) if word is None)
        return tuple(self.game.awaited(self.play))

    @property
    def clocked(self) -> tuple[Seat, ...]:
        """The seats whose clock runs: for bots, and for those whom the table waits for in their absence, it stands."""
        if self.house.clock_seconds is None:
            return ()
        return tuple(seat for seat in self.awaited if self._clock_runs(seat))

    def _clock_runs(self, seat: Seat) -> bool:
        if self.played_by_bot(seat):
            return False
        if self.house.on_absence is OnAbsence.CLOCK:
            return self.seats[seat] is not None or self.stage is Stage.DEAL
        return self.seats[seat] is not None and self.absence(seat) is None

    @property
    def due(self) -> tuple[Millis | None, ...]:
        """When each seat's time for its decision is over, the bank included; None where no clock runs."""
        clock, seconds = self.clock, self.house.clock_seconds
        return (None,) * len(self.seats) if clock is None or seconds is None else clock.due(seconds)

    @property
    def deadline(self) -> Millis | None:
        """When the game's deadline, or the first seat's time, runs out."""
        if self.pause is not None:
            return None
        games = self.game.deadline(self.play)
        if self.clock is None:
            return games
        times = (games, *self.due)
        return min((time for time in times if time is not None), default=None)

    @property
    def lifetime(self) -> Lifetime:
        """How long it is kept when nothing more happens."""
        if self.stage is Stage.OVER:
            return Lifetime.ENDED
        if self.stage is Stage.BETWEEN and self.game.finished_deals(self.play) == 0 and self.match <= 1:
            return Lifetime.UNSTARTED if self.tournament is None else Lifetime.MATCH
        return Lifetime.MATCH
