"""The manners of thinking that make the strengths."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Manner:
    """How a player thinks: in how many worlds about a card and about a call, and how boldly it calls.

    `call_worlds` 0: it calls by the odds of its own hand. `suspicious`: it draws conclusions from calls
    and silence. A call must promise `margin` more than silence; `feared` is how often an opponent is
    thought to double where he wins, beside where he does not (`bluffed`), and `luck` how often who plays
    alone wins where he should lose.
    """

    card_worlds: int
    call_worlds: int
    suspicious: bool
    margin: float
    feared: float
    bluffed: float
    luck: float


HARD: Final = Manner(card_worlds=40, call_worlds=60, suspicious=True, margin=0.1, feared=0.35, bluffed=0.1, luck=0.1)
MEDIUM: Final = Manner(card_worlds=4, call_worlds=0, suspicious=False, margin=0.0, feared=0.0, bluffed=0.0, luck=0.0)
