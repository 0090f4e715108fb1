"""Carpet, one pack. Source: docs/rules/carpet.md.

Twenty free cards, four foundations up in suit, a stock that is gone through once. Holes in the carpet are
filled from the waste, or if it is empty from the stock.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.patience.cards import RANK, SUIT, Card, Cards
from server.games.patience.deals import dealing_order, places_of
from server.games.patience.layout import DRAW, FOUNDATION, Move, Patience, Pile, Position, piles

SIZE: Final = 20
CARPET: Final = tuple(f"carpet{place}" for place in range(1, SIZE + 1))


@dataclass(frozen=True, slots=True)
class Carpet(Patience):
    """The rules of Carpet, and Foster's older way, in which the aces stay in the pack."""

    foster: bool = False

    name: ClassVar[str] = "carpet"
    packs: ClassVar[int] = 1
    piles: ClassVar[tuple[Pile, ...]] = (
        *piles(FOUNDATION, range(1, 5)),
        *piles("carpet", range(1, SIZE + 1)),
        Pile("stock", "stock"),
        Pile("waste", "waste"),
    )

    def pack(self, number: int) -> Cards:
        """The pack as shuffled, the aces first; in Foster's way they stay where they are."""
        return dealing_order(number, self.packs, () if self.foster else places_of("A", self.packs))

    def lay(self, pack: Cards, number: int, *, keep_twins: bool = False) -> Position:
        """The aces as foundations, twenty cards as the carpet, the rest as the stock."""
        aces = 0 if self.foster else 4
        foundations: list[Cards] = [(card,) for card in pack[:aces]] or [()] * 4
        carpet = [(card,) for card in pack[aces : aces + SIZE]]
        return Position((*foundations, *carpet, pack[aces + SIZE :][::-1], ()))

    def opening(self, laid: Position) -> tuple[Move, ...]:
        """Foster's first part: what fits goes out and the stock fills the holes, until nothing fits."""
        if not self.foster:
            return ()
        moves: list[Move] = []
        while move := self._opening_move(laid):
            moves.append(move)
            laid = self.play(laid, move)
        return tuple(moves)

    def _opening_move(self, position: Position) -> Move | None:
        for name in CARPET:
            move = Move(name, FOUNDATION)
            if self.refusal(position, move) is None:
                return move
        holes = (name for name in CARPET if not self.cards(position, name))
        hole = next(holes, None) if self.cards(position, "stock") else None
        return Move("stock", hole) if hole else None

    def refusal(self, position: Position, move: Move) -> str | None:
        """The rule that forbids a move."""
        if move == DRAW:
            return None if self.cards(position, "stock") else "stock_empty"
        source, target = self.kinds.get(move.source), self.kinds.get(move.target)
        if source not in ("carpet", "waste", "stock") or move.place:
            return "unknown_action"
        if move.target != FOUNDATION and target != "carpet":
            return "unknown_action"
        if source == "stock" and move.target == FOUNDATION:
            return "draw_first"
        if source == "stock" and self.cards(position, "waste"):
            return "waste_first"
        card = self.moving(position, move)
        if card is None:
            return "pile_empty"
        if move.target == FOUNDATION:
            return None if self._fits(position, card) else "does_not_fit"
        if source == "carpet":
            return "carpet_stays"
        return "gap_taken" if self.cards(position, move.target) else None

    def _fits(self, position: Position, card: Card) -> bool:
        return len(position.piles[SUIT[card]]) == RANK[card] - 1

    def candidates(self, position: Position) -> Iterator[Move]:
        """Draw, what lies in the carpet and on the waste to the foundations, and the holes."""
        yield DRAW
        for name in (*CARPET, "waste"):
            yield Move(name, FOUNDATION)
        for name in CARPET:
            if not self.cards(position, name):
                yield Move("waste", name)
                yield Move("stock", name)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move; nothing follows from it."""
        if move.target != FOUNDATION:
            return self.after(position, move.source, self.index[move.target])
        card = self.moving(position, move)
        assert card is not None
        return self.after(position, move.source, SUIT[card])

    def stuck(self, position: Position) -> bool:
        """Whether no card fits, no hole can be filled and the stock is gone."""
        return not self.won(position) and not self.moves(position)

    def safe(self, position: Position) -> Move | None:
        """Any card that fits on a foundation: none can be wanted elsewhere."""
        for name in (*CARPET, "waste"):
            move = Move(name, FOUNDATION)
            if self.refusal(position, move) is None:
                return move
        return None
