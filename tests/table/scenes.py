"""Tables as a test needs them: commands carried out one by one, each an entry of a log in memory.

Players are called by their first letter: `a` opens the table and sits at seat 0, `b`, `c`, `d` take
the next ones. Every entry gets random bytes made of its version, so a log is the same each time.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from server.games.cards import Card
from server.games.game import Millis, Moment, OptionValue, RuleViolation, Seat, Stage
from server.games.kop.auction import JACKS
from server.games.kop.events import DealOffered, Dealt, Hands
from server.games.kop.match import Match
from server.games.kop.opening import seat_commitment
from server.games.kop.ruleset import Calling, RuleSet
from server.table import codec, rules, view
from server.table.codec import LogLine
from server.table.commands import (
    Act,
    AnnulDeal,
    BotActs,
    ChangeOptions,
    Command,
    Create,
    FinishMatch,
    LeaveSeat,
    NoteAbsent,
    NoteReturn,
    PauseTable,
    RemoveSitter,
    ResumeTable,
    RunOut,
    Say,
    SeatBot,
    ServersCommand,
    StartDeal,
    TakeSeat,
    Vote,
    asked,
)
from server.table.events import Choice, Sitter
from server.table.ids import PlayerId, TableId
from server.table.memory import digest
from server.table.state import Table
from server.table.strength import Strength
from tests.games.kop.scenes import deck_of, four, steps

FIRST_SECOND = 1_700_000_000_000
TABLE = TableId("t")
ACCEPTED = "accepted"

CANDIDATES = (
    *(f"play {card}" for card in Card),
    *("ask", "go on", "wesele", *(f"wesele {jack}" for jack in JACKS), "zolo", "zolo du"),
    *(f"double {number}" for number in range(1, 7)),
    *("ready", "ready 1", "ready 8", "ready 15", "rematch"),
    *("", "play", "play 1C", "double 0", "ready 16", "rematch 1", "zolo zolo", "pass"),
)
"""Actions that could be tried: all that can be allowed, and some that never are."""


def sitter(letter: str) -> Sitter:
    """A player whose id is a letter, and whose name begins with it."""
    return Sitter(PlayerId(letter), f"{letter.upper()}-name")


@dataclass
class Log:
    """A table and the entries that made it. `dealing` replaces the hands of the deals to come."""

    state: Table | None = None
    lines: list[LogLine] = field(default_factory=list)
    now: int = FIRST_SECOND
    dealing: list[tuple[Hands, int]] = field(default_factory=list)

    @property
    def table(self) -> Table:
        """The table, once it is open."""
        assert self.state is not None
        return self.state

    @property
    def match(self) -> Match:
        """Its match of Kop."""
        play = self.table.play
        assert isinstance(play, Match)
        return play

    def moment(self) -> Moment:
        """Now, with bytes made of the next version."""
        return Moment(Millis(self.now), (len(self.lines) + 1).to_bytes(32, "big"))

    def do(self, command: Command) -> tuple[Any, ...]:
        """Carries out a command, writes its entry, and returns its events.

        Raises:
            RuleViolation
        """
        self.now += 1000
        moment = self.moment()
        events = rules.opened(command, moment) if self.state is None else rules.decide(self.table, command, moment)
        self.write(command, tuple(self._with_hands(event) for event in events))
        return self.lines[-1].events if events else ()

    def write(self, command: Command, events: tuple[Any, ...]) -> None:
        """Writes the entry of a command with these events."""
        if not events:
            return
        after = codec.evolved(self.state, events)
        clock = isinstance(command, ServersCommand)
        line = LogLine(
            version=len(self.lines) + 1,
            at=Millis(self.now),
            client="" if isinstance(command, ServersCommand) else f"client-of-{command.player}",
            number=0 if clock else len(self.lines) + 1,
            asked="" if isinstance(command, ServersCommand) else digest(asked(command)),
            seat=None if isinstance(command, ServersCommand) else after.seat_of(command.player),
            events=events,
            nonce=(len(self.lines) + 1).to_bytes(8, "big"),
        )
        self.lines.append(line)
        self.state = codec.settled(self.state, after, line)

    def _with_hands(self, event: Any) -> Any:
        """An event, with the hands and dealer that the test wants."""
        if isinstance(event, Dealt) and self.dealing:
            hands, dealer = self.dealing.pop(0)
            return replace(event, dealer=Seat(dealer), deck=deck_of(hands, dealer))
        if isinstance(event, DealOffered) and self.dealing:
            return replace(event, dealer=Seat(self.dealing[0][1]))
        return event

    # --- what players do ---

    def open(self, code: str | None = None, /, **options: OptionValue) -> "Log":
        """`a` opens a table for Kop."""
        self.do(Create(sitter("a"), TABLE, "kop", options, code))
        return self

    def sit(self, letters: str, seat: int | None = None) -> "Log":
        """Players take seats."""
        for letter in letters:
            self.do(TakeSeat(sitter(letter), None if seat is None else Seat(seat)))
        return self

    def leave(self, letter: str) -> "Log":
        """A player gives up the seat."""
        self.do(LeaveSeat(PlayerId(letter)))
        return self

    def act(self, seat: int, action: str) -> "Log":
        """The player at a seat answers the question that stands."""
        player = self.table.seats[seat]
        assert player is not None
        self.do(Act(player.player, self.table.prompt, action))
        return self

    def turn(self, seat: int, action: str) -> "Log":
        """Whoever plays a seat, its player or a bot of the server, answers the question that stands."""
        return self.bot_acts(seat, action) if self.table.played_by_bot(Seat(seat)) else self.act(seat, action)

    def ready(self) -> "Log":
        """All who have not said it say ready, or ask for a rematch."""
        word = rules.REMATCH if self.table.stage is Stage.OVER else rules.READY
        for seat, said in enumerate(self.table.ready):
            if said is None:
                self.turn(seat, word)
        return self

    def seat_bot(self, seat: int | None = None, strength: Strength = Strength.HARD, letter: str = "a") -> "Log":
        """Somebody lets a bot take a seat."""
        self.do(SeatBot(PlayerId(letter), None if seat is None else Seat(seat), strength))
        return self

    def bot_acts(self, seat: int, action: str) -> "Log":
        """A bot of the server answers the question that stands for a seat that it plays."""
        self.do(BotActs(Seat(seat), self.table.prompt, action))
        return self

    def change(self, letter: str = "a", /, **options: OptionValue) -> "Log":
        """Somebody agrees on other options."""
        self.do(ChangeOptions(PlayerId(letter), options))
        return self

    def away(self, letter: str) -> "Log":
        """A player has been away for longer than the grace."""
        self.do(NoteAbsent(PlayerId(letter)))
        return self

    def back(self, letter: str) -> "Log":
        """A player is back."""
        self.do(NoteReturn(PlayerId(letter)))
        return self

    def vote(self, letters: str, seat: int, choice: Choice) -> "Log":
        """Players vote on the absence of a seat."""
        for letter in letters:
            self.do(self.ballot(letter, seat, choice))
        return self

    def ballot(self, letter: str, seat: int, choice: Choice) -> Vote:
        """A player's vote on the absence of a seat, not given yet."""
        absence = self.table.absence(Seat(seat))
        assert absence is not None
        return Vote(PlayerId(letter), absence.number, choice)

    def pause(self, letter: str = "a") -> "Log":
        """Somebody lets the table stand still."""
        self.do(PauseTable(PlayerId(letter)))
        return self

    def resume(self, letter: str = "a") -> "Log":
        """Somebody lets it go on."""
        self.do(ResumeTable(PlayerId(letter)))
        return self

    def talk(self, letter: str, text: str = "", phrase: str = "") -> "Log":
        """Somebody says something."""
        self.do(Say(PlayerId(letter), f"{letter.upper()}-name", text, phrase))
        return self

    def at(self, now: int) -> "Log":
        """The next command comes at this time."""
        self.now = now - 1000
        return self

    def strike(self) -> "Log":
        """The clock comes exactly at the deadline."""
        due = self.table.deadline
        assert due is not None
        self.at(due).do(RunOut(self.table.prompt))
        return self

    def remove(self, letter: str, seat: int) -> "Log":
        """Somebody removes the player of a seat."""
        sitting = self.table.seats[seat]
        assert sitting is not None
        self.do(RemoveSitter(PlayerId(letter), sitting.player))
        return self

    def start(self, letter: str = "a") -> "Log":
        """Somebody starts the deal."""
        self.do(StartDeal(PlayerId(letter), self.table.prompt))
        return self

    def finish(self, letter: str = "a") -> "Log":
        """Somebody finishes the match."""
        self.do(FinishMatch(PlayerId(letter), self.table.prompt))
        return self

    def annul(self, letter: str = "a") -> "Log":
        """Somebody annuls the running deal."""
        self.do(AnnulDeal(PlayerId(letter), self.table.prompt))
        return self

    def commit(self, secrets: Mapping[int, tuple[bytes, int]]) -> "Log":
        """All say ready; these seats commit to bytes and a cut (0: none), and nobody has opened yet."""
        for seat in range(4):
            self.act(seat, f"ready {seat_commitment(*secrets[seat])}" if seat in secrets else "ready")
        return self

    def open_bytes(self, seat: int, secret: bytes, cut: int = 0) -> "Log":
        """A seat opens what it has committed to."""
        return self.act(seat, f"open {secret.hex()} {cut}" if cut else f"open {secret.hex()}")

    def time_over(self) -> "Log":
        """The clock comes when the deadline has passed."""
        due = self.table.deadline
        assert due is not None
        self.now = due
        self.do(RunOut(self.table.prompt))
        return self

    def say(self, text: str) -> "Log":
        """What was said and played, as text: `0 ask, 1 go on, - time over, 0 play AH`."""
        for seat, action in steps(text):
            if seat is None:
                self.time_over()
            else:
                self.act(seat, action)
        return self

    def play_on(self, most: int = 100) -> "Log":
        """The deal goes on in the quietest way, to its end or for at most so many commands."""
        while self.table.stage is Stage.DEAL and most:
            offers = [(seat, action) for seat in range(4) for action in view.actions(self.table, Seat(seat))]
            seat, action = next(one for one in offers if one[1].split(" ")[0] in ("ask", "go", "pass", "play"))
            self.turn(seat, action)
            most -= 1
        return self

    def refused(self, command: Command) -> str | None:
        """The code with which a command is refused, None if it is accepted."""
        found = outcome(self.table, command, self.moment())
        return None if found == ACCEPTED else found


def seated(code: str | None = None, /, **options: OptionValue) -> Log:
    """A table with all four seated and the first deal on offer."""
    return Log().open(code, **options).sit("bcd")


def dealt(hands: str, dealer: int = 3, /, **options: OptionValue) -> Log:
    """A table at which these hands were just dealt; with dealer 3 seat 0 leads."""
    log = Log(dealing=[(four(hands), dealer)]).open(None, **options).sit("bcd")
    return log.ready()


def outcome(table: Table, command: Command, moment: Moment) -> str:
    """The code with which a command is refused, or `accepted`."""
    try:
        rules.decide(table, command, moment)
    except RuleViolation as refusal:
        return refusal.code
    return ACCEPTED


def with_rules(table: Table, rule_set: RuleSet) -> Table:
    """The table under other rules."""
    play = table.play
    assert isinstance(play, Match)
    seconds = play.terms.answer_seconds if rule_set.calling is Calling.OPEN else None
    return replace(table, play=replace(play, terms=replace(play.terms, rules=rule_set, answer_seconds=seconds)))


def replayed(bodies: Sequence[bytes], table: Table | None = None) -> Table:
    """The table of encoded entries, from the first on or after a snapshot."""
    for body in bodies:
        version = 1 if table is None else table.version + 1
        line = codec.decode(version, body, None if table is None else table.game_name)
        table = codec.settled(table, codec.evolved(table, line.events), line)
    assert table is not None
    return table
