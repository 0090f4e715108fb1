"""A director's desk while he decides: what his orders are about, and the decision as it will stand in the list."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from server.games.game import Millis, Moment, RuleViolation
from server.tournament.events import Decided
from server.tournament.state import Decision, DecisionKind, Entrant, Round, RoundTable, Stage, Tournament

_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_NO_POINTS: Final = Fraction()


@dataclass(frozen=True, slots=True)
class Desk:
    """The tournament as it is, the name of who decides, and when."""

    tournament: Tournament
    by: str
    moment: Moment

    @property
    def now(self) -> Millis:
        """When he decides."""
        return self.moment.now

    @property
    def number(self) -> int:
        """The number of his decision."""
        return len(self.tournament.decisions) + 1

    def decided(
        self,
        kind: DecisionKind,
        *,
        round_: int | None = None,
        table: int = 0,
        entrant: int = 0,
        text: str = "",
        undoes: int = 0,
        deal: int = 0,
        big: Fraction = _NO_POINTS,
        small: tuple[int, ...] = (),
    ) -> Decided:
        """The decision, about the running or last round if no other is named."""
        where = len(self.tournament.rounds) if round_ is None else round_
        return Decided(
            Decision(
                self.number,
                self.now,
                self.by,
                kind,
                where,
                table,
                entrant,
                text,
                undoes,
                deal=deal,
                big=big,
                small=small,
            )
        )

    def code(self) -> str:
        """Twelve signs of 5 bits, from the moment's bytes."""
        return "".join(_ALPHABET[byte % 32] for byte in self.moment.entropy[:12])

    def check_not_over(self) -> None:
        """Raises RuleViolation: `tournament_over`."""
        if self.tournament.stage is Stage.OVER:
            raise RuleViolation("tournament_over")

    def check_before_first_round(self) -> None:
        """Raises RuleViolation: `tournament_over`, `tournament_begun`."""
        self.check_not_over()
        if self.tournament.rounds:
            raise RuleViolation("tournament_begun")

    def entrant(self, number: int) -> Entrant:
        """An entrant by his number.

        Raises:
            RuleViolation: `no_such_entrant`
        """
        entrant = self.tournament.entrant(number)
        if entrant is None:
            raise RuleViolation("no_such_entrant")
        return entrant

    def running(self) -> Round:
        """The running round.

        Raises:
            RuleViolation: `no_round_running`
        """
        running = self.tournament.round
        if running is None or self.tournament.stage is not Stage.ROUND:
            raise RuleViolation("no_round_running")
        return running

    def table(self, round_: int, number: int) -> RoundTable:
        """A table of a round.

        Raises:
            RuleViolation: `no_such_round`, `no_such_table_number`
        """
        if not 1 <= round_ <= len(self.tournament.rounds):
            raise RuleViolation("no_such_round")
        table = self.tournament.rounds[round_ - 1].table(number)
        if table is None:
            raise RuleViolation("no_such_table_number")
        return table

    def seat(self, entrant: int) -> tuple[RoundTable, int]:
        """Where an entrant sits in the running round, at a table that still plays.

        Raises:
            RuleViolation: `no_round_running`, `no_such_entrant`, `not_at_a_table`, `table_finished`
        """
        self.running()
        self.entrant(entrant)
        where = self.tournament.seat_of(entrant)
        if where is None:
            raise RuleViolation("not_at_a_table")
        if where[0].results:
            raise RuleViolation("table_finished")
        return where
