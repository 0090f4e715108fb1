"""Zopf (Braid), two packs. Source: docs/rules/zopf.md.

A braid whose last card alone is free, four corners that only the braid fills, eight sides that only the waste
fills, and eight foundations that all begin with the rank of the base card and go round the corner.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from server.games.patience.cards import RANK, SUIT, Card, Cards, is_red, rank_above, rank_below
from server.games.patience.deals import dealing_order, stock_place
from server.games.patience.layout import DRAW, FOUNDATION, REDEAL, Move, Patience, Pile, Position, piles
from server.games.patience.rows import way_on

PASSES: Final = 3
BRAID: Final = 20
LONG_BRAID: Final = 24
FULL: Final = 13
CORNERS: Final = ("corner1", "corner2", "corner3", "corner4")
SIDES: Final = ("side1", "side2", "side3", "side4", "side5", "side6", "side7", "side8")
FREE: Final = ("braid", *CORNERS, *SIDES, "waste")


@dataclass(frozen=True, slots=True)
class Zopf(Patience):
    """The rules of Zopf.

    `braid_builds` goes with `build_on_sides`. Without `fill_corners` the player fills the corners himself.
    """

    long_braid: bool = False
    either_direction: bool = False
    single_twins: bool = False
    build_on_sides: bool = False
    braid_builds: bool = False
    fill_corners: bool = True

    name: ClassVar[str] = "zopf"
    packs: ClassVar[int] = 2
    piles: ClassVar[tuple[Pile, ...]] = (
        *piles(FOUNDATION, range(1, 9)),
        Pile("braid", "braid"),
        *piles("corner", range(1, 5)),
        *piles("side", range(1, 9)),
        Pile("stock", "stock"),
        Pile("waste", "waste"),
    )

    def pack(self, number: int) -> Cards:
        """Both packs as shuffled."""
        return dealing_order(number, self.packs)

    def lay(self, pack: Cards, number: int, *, keep_twins: bool = False) -> Position:
        """The braid, four corners, eight sides, the base card on its foundation, the rest as the stock."""
        rest = list(reversed(pack))
        braid: list[Card] = []
        aside: list[Card] = []
        while len(braid) < (LONG_BRAID if self.long_braid else BRAID):
            card = rest.pop()
            twin = self.single_twins and not keep_twins and card in braid
            (aside if twin else braid).append(card)
        around = [(rest.pop(),) for _ in (*CORNERS, *SIDES)]
        base = rest.pop()
        for turn, card in enumerate(aside, 1):
            rest.insert(len(rest) - stock_place(number, turn, len(rest)), card)
        foundations: list[Cards] = [()] * 8
        foundations[2 * SUIT[base]] = (base,)
        laid = (*foundations, tuple(braid), *around, tuple(rest), ())
        return Position(laid, direction=0 if self.either_direction else 1)

    def refusal(self, position: Position, move: Move) -> str | None:
        """The rule that forbids a move."""
        if move == DRAW:
            return None if self.cards(position, "stock") else "stock_empty"
        if move == REDEAL:
            return self._why_no_redeal(position)
        source = self.kinds.get(move.source)
        if move.source not in FREE or move.place:
            return "unknown_action"
        card = self.moving(position, move)
        if card is None:
            return "pile_empty"
        if move.target == FOUNDATION:
            return "does_not_fit" if self.foundation(position, card) is None else None
        match self.kinds.get(move.target):
            case "corner":
                return self._why_not_corner(position, move)
            case "side" if source in ("braid", "corner") and not self.braid_builds:
                return "braid_stays"
            case "side":
                return self._why_not_side(position, move, card)
            case _:
                return "unknown_action"

    def _why_no_redeal(self, position: Position) -> str | None:
        if self.cards(position, "stock"):
            return "stock_not_empty"
        if not self.cards(position, "waste"):
            return "pile_empty"
        return None if position.passes < PASSES else "no_redeal_left"

    def _why_not_corner(self, position: Position, move: Move) -> str | None:
        if self.cards(position, move.target):
            return "gap_taken"
        return None if move.source == "braid" else "corner_needs_braid"

    def _why_not_side(self, position: Position, move: Move, card: Card) -> str | None:
        row = self.cards(position, move.target)
        if not self.build_on_sides:
            if row:
                return "gap_taken"
            return None if move.source == "waste" else "side_needs_waste"
        if not row:
            alone = move.source in SIDES and len(self.cards(position, move.source)) == 1
            return "changes_nothing" if alone else None
        fits = RANK[row[-1]] == rank_above(RANK[card]) and is_red(row[-1]) != is_red(card)
        return None if fits else "does_not_fit"

    def foundation(self, position: Position, card: Card) -> int | None:
        """The index of a foundation that takes a card."""
        base = self.base(position)
        for index in (2 * SUIT[card], 2 * SUIT[card] + 1):
            lies = position.piles[index]
            if not lies:
                if RANK[card] == base:
                    return index
            elif len(lies) < FULL and RANK[card] in self._next_ranks(position.direction, RANK[lies[-1]]):
                return index
        return None

    def _next_ranks(self, direction: int, rank: int) -> tuple[int, ...]:
        if direction > 0:
            return (rank_above(rank),)
        return (rank_below(rank),) if direction else (rank_above(rank), rank_below(rank))

    def base(self, position: Position) -> int:
        """The rank with which every foundation begins."""
        return RANK[next(lies[0] for lies in position.piles[:8] if lies)]

    def candidates(self, position: Position) -> Iterator[Move]:
        """Draw, redeal, every free card to the foundations, the gaps, and with building to every side."""
        yield DRAW
        yield REDEAL
        gaps = [name for name in (*CORNERS, *SIDES) if not self.cards(position, name)]
        rows = [name for name in SIDES if self.cards(position, name)] if self.build_on_sides else []
        for source in FREE:
            if self.cards(position, source):
                for target in (FOUNDATION, *gaps, *rows):
                    yield Move(source, target)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move; a corner that it left empty is filled from the braid."""
        if move == REDEAL:
            stock, waste = self.index["stock"], self.index["waste"]
            found = list(position.piles)
            found[stock], found[waste] = found[waste][::-1], ()
            return replace(position, piles=tuple(found), passes=position.passes + 1)
        if move.target == FOUNDATION:
            position = self._played(position, move)
        else:
            position = self.after(position, move.source, self.index[move.target])
        if self.fill_corners:
            for corner in CORNERS:
                if not self.cards(position, corner) and self.cards(position, "braid"):
                    position = self.after(position, "braid", self.index[corner])
        return position

    def _played(self, position: Position, move: Move) -> Position:
        """The position after a card went to a foundation; the second card on one sets the direction for all."""
        card = self.cards(position, move.source)[-1]
        target = self.foundation(position, card)
        assert target is not None
        lies = position.piles[target]
        if not position.direction and lies:
            position = replace(position, direction=1 if RANK[card] == rank_above(RANK[lies[-1]]) else -1)
        return self.after(position, move.source, target)

    def stuck(self, position: Position) -> bool:
        """Whether no card can go to a foundation or into a gap, and none can be turned.

        With building on the sides: whether no arrangement of the rows leads to such a move.
        """
        if self.won(position):
            return False
        if not self.build_on_sides:
            return not self.moves(position)
        return way_on(self, position) is None

    def safe(self, position: Position) -> Move | None:
        """A base card, a card whose twin lies, or a card whose two predecessors lie.

        Until the direction is set only base cards; with building on the sides nothing, since a card may
        still be wanted there.
        """
        if self.build_on_sides:
            return None
        base = self.base(position)
        for source in FREE:
            lies = self.cards(position, source)
            if not lies or self.foundation(position, lies[-1]) is None:
                continue
            card = lies[-1]
            if RANK[card] == base or (position.direction and self._twin_or_both(position, card)):
                return Move(source, FOUNDATION)
        return None

    def _twin_or_both(self, position: Position, card: Card) -> bool:
        pair = position.piles[2 * SUIT[card] : 2 * SUIT[card] + 2]
        before = rank_below(RANK[card]) if position.direction > 0 else rank_above(RANK[card])
        twin_lies = any(card in lies for lies in pair)
        return twin_lies or all(any(RANK[one] == before for one in lies) for lies in pair)
