"""The tournament that a table belongs to, as the table knows it."""

from dataclasses import dataclass, field

from server.games.game import Millis


@dataclass(frozen=True, slots=True)
class Affiliation:
    """Which tournament, which of its rounds, and which table of the round.

    `seed`: only where all tables of a round play the same cards: where their decks come from. It is secret, and stands
    in no view, log line, record or message. `deadline` is that of the round; it is shown, and whoever runs the
    tournament enforces it.
    """

    tournament: str
    name: str
    round: int
    rounds: int
    number: int
    seed: bytes = field(default=b"", repr=False)
    deadline: Millis | None = None

    @property
    def duplicate(self) -> bool:
        """Whether all tables of the round play the same cards."""
        return bool(self.seed)

    @property
    def label(self) -> str:
        """Names the round in the making of the cards that all its tables play."""
        return f"{self.tournament}/{self.round}"
