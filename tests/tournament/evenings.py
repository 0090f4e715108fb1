"""Tournaments played without tables: orders and results as a test says, every entry through its bytes."""

import random
from collections.abc import Sequence
from typing import Any

from server.games.game import Millis, Moment
from server.table.ids import PlayerId
from server.table.lines import LogLine
from server.tournament import codec, rules
from server.tournament.commands import (
    Announce,
    Command,
    Direct,
    NextRound,
    NoteFirstCard,
    NoteResult,
    OpenRound,
    Order,
    Register,
)
from server.tournament.events import TournamentEvent
from server.tournament.state import Director, Four, Result, ResultKind, Stage, Tournament, TournamentId

DIRECTOR = Director(PlayerId("director"), "Dorota")
ID = TournamentId("tournament0123456789ab")


class Evening:
    """A tournament under way; `lines` are its log. Time goes on by a second with each entry."""

    def __init__(self, seed: int = 1, **options: Any) -> None:
        self.chance = random.Random(seed)
        self.lines: list[LogLine] = []
        self.state: Tournament | None = None
        self.now = Millis(1_700_000_000_000)
        self.write(rules.announce(Announce(DIRECTOR, ID, "Autumn cup", options), self.moment()))

    @property
    def tournament(self) -> Tournament:
        """Its newest state."""
        assert self.state is not None
        return self.state

    def moment(self) -> Moment:
        """Now."""
        self.now = Millis(self.now + 1_000)
        return Moment(self.now, self.chance.randbytes(32))

    def write(self, events: Sequence[TournamentEvent]) -> None:
        """An entry with these events, read back from its bytes."""
        line = LogLine(len(self.lines) + 1, self.now, "", 0, "", None, tuple(events), self.chance.randbytes(8))
        read = codec.decode(line.version, codec.encode(line))
        assert read == line
        self.state = codec.settled(codec.evolved(self.state, read.events), read)
        self.lines.append(line)

    def do(self, command: Command) -> tuple[TournamentEvent, ...]:
        """Carries out a command; its events."""
        events = rules.decide(self.tournament, command, self.moment())
        if events:
            self.write(events)
        return events

    def order(self, order: Order) -> tuple[TournamentEvent, ...]:
        """The director decides, having seen all decisions."""
        return self.do(Direct(DIRECTOR.player, len(self.tournament.decisions), order))

    def enter(self, number: int, team: str = "", **more: Any) -> None:
        """A player enters."""
        self.do(Register(player(number), f"Player {number}", team, contribution=self.chance.randbytes(32), **more))

    def enter_all(self, entrants: int) -> None:
        """So many players enter."""
        for number in range(1, entrants + 1):
            self.enter(number)

    def open_round(self) -> None:
        """The director opens the next round."""
        self.order(OpenRound())

    def result(self, table: int, small: Four | None = None, deals: Sequence[tuple[int, Four]] = ()) -> None:
        """A table of the running round is over."""
        number = len(self.tournament.rounds)
        self.do(NoteFirstCard(number))
        outcome = small or self.small()
        self.do(NoteResult(number, table, Result(ResultKind.PLAYED, outcome, tuple(deals))))

    def small(self) -> Four:
        """Small points that a table may have."""
        first, second, third = (self.chance.randint(-40, 40) for _ in range(3))
        return first, second, third, -first - second - third

    def play_round(self) -> None:
        """All tables of the running round that play end, in any order."""
        running = self.tournament.rounds[-1]
        tables = [table.number for table in running.tables if not table.results]
        for number in self.chance.sample(tables, len(tables)):
            self.result(number)

    def break_over(self) -> None:
        """The pause is over."""
        due = self.tournament.due
        assert due is not None
        self.now = max(self.now, due)
        self.do(NextRound(len(self.tournament.rounds) + 1))

    def play_on(self) -> None:
        """The rest of the tournament."""
        if self.tournament.stage is Stage.REGISTRATION:
            self.open_round()
        while self.tournament.stage is not Stage.OVER:
            if self.tournament.stage is Stage.BREAK:
                self.break_over()
            else:
                self.play_round()


def player(number: int) -> PlayerId:
    """The public id of a player."""
    return PlayerId(f"player{number}")


def replayed(lines: Sequence[LogLine]) -> Tournament:
    """The tournament that a log makes."""
    state: Tournament | None = None
    for line in lines:
        state = codec.settled(codec.evolved(state, line.events), line)
    assert state is not None
    return state
