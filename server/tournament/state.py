"""The state of a tournament, and what follows from it."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Final, NewType

from server.games.game import Millis
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId, Memory, Remembered, recall
from server.tournament.terms import Terms

TournamentId = NewType("TournamentId", str)
NEVER: Final = Millis(0)


class Stage(StrEnum):
    """How far a tournament is: before its first round, in a round, between two rounds, or over."""

    REGISTRATION = "registration"
    ROUND = "round"
    BREAK = "break"
    OVER = "over"


class Ending(StrEnum):
    """Why a tournament is over: all rounds are played, its director ended it, or too few are left to play on."""

    PLAYED = "played"
    DIRECTOR = "director"
    NOBODY_LEFT = "nobody_left"


class Status(StrEnum):
    """Where an entrant stands: he waits for the director's approval, is in, or is out."""

    WAITING = "waiting"
    IN = "in"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Director:
    """Who runs the tournament, or helps to."""

    player: PlayerId
    name: str


@dataclass(frozen=True, slots=True)
class Entrant:
    """Who takes part, numbered from 1 in the order of entry.

    `from_round` is the first round that he can play in. `contribution` are bytes of his own for the draws.
    A `guest` was entered by the director and has no device: he plays at paper tables, or a bot does for him.
    """

    number: int
    player: PlayerId
    name: str
    team: str
    status: Status
    from_round: int
    contribution: bytes = b""
    guest: bool = False
    program: bool = False


@dataclass(frozen=True, slots=True)
class Invitation:
    """A personal invitation: its code lets one player enter. `entrant`: who has used it."""

    number: int
    name: str
    code: str = field(repr=False)
    entrant: int | None = None


class ResultKind(StrEnum):
    """Where a table's result comes from: it was played, somebody forfeited, the director entered or corrected it."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    PAPER = "paper"
    CORRECTED = "corrected"


Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Result:
    """Small points by seat. `deals` has the money of each scored deal by seat, under the deal's number.

    `forfeited` are the seats that forfeited: then nothing else counts. `decision` is the director's that made it.
    """

    kind: ResultKind
    small: Four
    deals: tuple[tuple[int, Four], ...] = ()
    forfeited: tuple[int, ...] = ()
    decision: int | None = None


@dataclass(frozen=True, slots=True)
class RoundTable:
    """A table of a round: who sits in which seat (None: a bot of the house), and its results, the last one counts.

    `annulled` are the deals that do not count, each after the number of the decision. A table on `paper` is played
    with real cards, and its result is entered by the director.
    """

    number: int
    id: TableId
    seats: tuple[int | None, int | None, int | None, int | None]
    results: tuple[Result, ...] = ()
    annulled: tuple[tuple[int, int], ...] = ()
    paper: bool = False

    @property
    def result(self) -> Result | None:
        """What counts: the last result, without the deals that are annulled."""
        if not self.results:
            return None
        last, void = self.results[-1], {deal for _, deal in self.annulled}
        if last.kind is not ResultKind.PLAYED or not void:
            return last
        deals = tuple(one for one in last.deals if one[0] not in void)
        first, second, third, fourth = (sum(money[seat] for _, money in deals) for seat in range(4))
        return replace(last, small=(first, second, third, fourth), deals=deals)


@dataclass(frozen=True, slots=True)
class Round:
    """A round: its draw's secret, which is public since it was drawn, and for the same cards the decks' commitments.

    `seed` makes the decks: secret until the round is over. `begun`: its first card is out. `deadline`: of its
    time limit; later by what it stood still.
    """

    number: int
    opened: Millis
    deadline: Millis | None
    secret: bytes
    tables: tuple[RoundTable, ...]
    byes: tuple[int, ...]
    seed: bytes = field(default=b"", repr=False)
    commitments: tuple[str, ...] = ()
    begun: bool = False
    ended: Millis | None = None

    def table(self, number: int) -> RoundTable | None:
        """The table of that number."""
        return self.tables[number - 1] if 1 <= number <= len(self.tables) else None


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that the director has given or taken, in a round (0: in none)."""

    decision: int
    entrant: int
    round: int
    big: Fraction
    small: int
    reason: str


class DecisionKind(StrEnum):
    """What a director decides, as it stands in the list for all to see."""

    APPROVED = "approved"
    TURNED_AWAY = "turned_away"
    ENTERED = "entered"
    OPENED_ROUND = "opened_round"
    CALLED = "called"
    REPLACED = "replaced"
    CORRECTED = "corrected"
    ANNULLED = "annulled"
    PENALTY = "penalty"
    ANNOUNCED = "announced"
    PAPER = "paper"
    MOVED = "moved"
    HALTED = "halted"
    WENT_ON = "went_on"
    CLOSED = "closed"
    REOPENED = "reopened"
    TERMS = "terms"
    DIRECTOR = "director"
    ENDED = "ended"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of a director, numbered from 1: what, about whom, and why.

    `round` and `table` say where, 0 for nowhere; `text` is his reason or message, a stranger's text.
    `undoes` is the decision that it takes back. `deal` is the annulled one, 0 for none. `big` and `small` are the
    points of a penalty, `small` those of the four seats of a result that he enters; empty for none.
    """

    number: int
    at: Millis
    by: str
    kind: DecisionKind
    round: int = 0
    table: int = 0
    entrant: int = 0
    text: str = ""
    undoes: int = 0
    undone: bool = False
    deal: int = 0
    big: Fraction = Fraction()
    small: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveOffer:
    """A code with which an entrant's place moves to another device, until a time."""

    entrant: int
    code: str = field(repr=False)
    until: Millis


@dataclass(frozen=True, slots=True)
class Tournament:
    """A tournament at a version of its log.

    `secret` makes every draw and deck: it is never shown, only what follows from it for a round that is drawn.
    `halted` is since when it stands still. `since` is when its stage began. `open`: whether it takes entries.
    """

    id: TournamentId
    name: str
    terms: Terms
    directors: tuple[Director, ...]
    secret: bytes = field(repr=False)
    opened: Millis
    stage: Stage = Stage.REGISTRATION
    since: Millis = NEVER
    open: bool = True
    halted: Millis | None = None
    ending: Ending | None = None
    entrants: tuple[Entrant, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    decisions: tuple[Decision, ...] = ()
    offers: tuple[MoveOffer, ...] = ()
    memory: Memory = ()
    at: Millis = NEVER
    version: int = 0
    nonce: bytes = field(default=b"")

    @property
    def round(self) -> Round | None:
        """The running or last round."""
        return self.rounds[-1] if self.rounds else None

    @property
    def playing(self) -> tuple[Entrant, ...]:
        """The entrants who play in the next round, by number."""
        coming = len(self.rounds) + 1
        return tuple(one for one in self.entrants if one.status is Status.IN and one.from_round <= coming)

    @property
    def due(self) -> Millis | None:
        """When the next round opens by itself; None while it does not."""
        pause = self.terms.break_seconds
        if self.stage is not Stage.BREAK or self.halted is not None or pause is None:
            return None
        return Millis(self.since + 1000 * pause)

    def directs(self, player: PlayerId) -> bool:
        """Whether a player is a director."""
        return any(one.player == player for one in self.directors)

    def entrant_of(self, player: PlayerId) -> Entrant | None:
        """A player as an entrant."""
        for one in self.entrants:
            if one.player == player:
                return one
        return None

    def entrant(self, number: int) -> Entrant | None:
        """The entrant of that number."""
        return self.entrants[number - 1] if 1 <= number <= len(self.entrants) else None

    def seat_of(self, entrant: int) -> tuple[RoundTable, int] | None:
        """An entrant's table and seat in the running or last round."""
        if self.round is not None:
            for table in self.round.tables:
                if entrant in table.seats:
                    return table, table.seats.index(entrant)
        return None

    def told(self, one: Round, table: RoundTable) -> Result | None:
        """What everybody may know of a table's result: where all play the same cards, nothing before all are done."""
        hidden = bool(one.seed) and self.stage is Stage.ROUND and one is self.round
        return None if hidden else table.result

    def recalled(self, command: CommandId, asked: str) -> Remembered | None:
        """What became of this command, if it took effect before; see `memory.recall`."""
        return recall(self.memory, command, asked)
