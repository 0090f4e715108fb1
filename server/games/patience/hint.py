"""A hint: a move, and the reason for it as a stable word."""

from dataclasses import dataclass
from enum import StrEnum

from server.games.patience.layout import Move


class Reason(StrEnum):
    """Why a move is useful."""

    BASE_CARD = "hint.base_card"
    """It opens a foundation."""
    SAFE = "hint.safe"
    """It can never hurt."""
    FREES_BRAID = "hint.frees_braid"
    """It takes a card off the braid."""
    OPENS_CORNER = "hint.opens_corner"
    """It empties a corner, which the braid's next card takes."""
    TO_FOUNDATION = "hint.to_foundation"
    """It fits."""
    SOON_WANTED = "hint.soon_wanted"
    """The waste's card will be wanted soon: it goes into the gap, where it stays free."""
    BARES_WASTE = "hint.bares_waste"
    """Nothing else is left: into the gap, to see what lies under it."""
    BUILDS_ROW = "hint.builds_row"
    """It goes on a row without taking a gap."""
    FREES_SIDE = "hint.frees_side"
    """A row's only card goes on another row, and its side is free."""
    CLEARS_WAY = "hint.clears_way"
    """Rearranging the rows leads on."""
    DRAW = "hint.draw"
    """Nothing better is to be done with what lies open."""
    REDEAL = "hint.redeal"
    """The stock is empty: turn the waste over."""
    DIGS_PACKET = "hint.digs_packet"
    """A packet's card, or a column's, fits: it bares the next one."""
    ARCH_FOR_PACKET = "hint.arch_for_packet"
    """A card of the arch, so that the top card of `about` fits, now or after more of them."""
    FINISH = "hint.finish"
    """Only the arch is left: everything goes out."""
    CROSSES = "hint.crosses"
    """A card crosses to its suit's other foundation, so that the free card of `about` fits."""
    SOLVER_LINE = "hint.solver_line"
    """The next move of a line that wins, from the solver, which sees all cards."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, why, and the pile that the reason is about, if that is another one."""

    move: Move
    reason: Reason
    about: str = ""
