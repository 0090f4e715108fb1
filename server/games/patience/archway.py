"""Archway, two packs: the modern descendant of Burgvögtin. Source: docs/rules/burgvoegtin.md.

In each suit one foundation goes up from an ace and one down from a king. Four open columns, of which the last
card is free, and an arch of all ranks, of which every card is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.patience.cards import KING, RANK, RANKS, SUIT, SUITS, Card, Cards
from server.games.patience.deals import dealing_order, places_of
from server.games.patience.layout import Move, Patience, Pile, Position, piles

COLUMN: Final = 12
COLUMNS: Final = ("column1", "column2", "column3", "column4")
ARCH: Final = tuple(f"arch{rank}" for rank in RANKS)
UP: Final = tuple(f"up{suit}" for suit in SUITS)
DOWN: Final = tuple(f"down{suit}" for suit in SUITS)


@dataclass(frozen=True, slots=True)
class Archway(Patience):
    """The rules of Archway.

    `columns_refill`: an empty column takes a card of the arch. `meet`: a card may cross from one foundation of
    its suit to the other, but for the ace and the king on which they stand.
    """

    columns_refill: bool = False
    meet: bool = False

    name: ClassVar[str] = "archway"
    packs: ClassVar[int] = 2
    piles: ClassVar[tuple[Pile, ...]] = (
        *piles("up", SUITS),
        *piles("down", SUITS),
        *piles("column", range(1, 5)),
        *piles("arch", RANKS),
    )

    def pack(self, number: int) -> Cards:
        """Both packs as shuffled, one ace and one king of each suit first, those of the first pack."""
        return dealing_order(number, self.packs, places_of("A", 1) | places_of("K", 1))

    def lay(self, pack: Cards, number: int, *, keep_twins: bool = False) -> Position:
        """The foundations, four columns of twelve, the rest sorted into the arch."""
        columns = [pack[8 + place : 8 + 4 * COLUMN : 4] for place in range(4)]
        rest = pack[8 + 4 * COLUMN :]
        arch = [tuple(card for card in rest if card[0] == rank) for rank in RANKS]
        return Position((*((card,) for card in pack[:8]), *columns, *arch))

    def refusal(self, position: Position, move: Move) -> str | None:
        """The rule that forbids a move."""
        kind = self.kinds.get(move.source)
        target = move.target if move.target in ("up", "down") else self.kinds.get(move.target)
        crosses = kind in ("up", "down") and target == ("down" if kind == "up" else "up")
        if bool(move.place) != (kind == "arch") or not (crosses or kind in ("column", "arch")):
            return "unknown_action"
        card = self.moving(position, move)
        if card is None:
            return "pile_empty"
        if move.target in ("up", "down"):
            if crosses and (not self.meet or len(self.cards(position, move.source)) == 1):
                return "foundation_stays"
            return None if self._fits(position, card, move.target) else "does_not_fit"
        if target != "column":
            return "unknown_action"
        if self.cards(position, move.target):
            return "gap_taken"
        return None if self.columns_refill and kind == "arch" else "stays_empty"

    def _fits(self, position: Position, card: Card, target: str) -> bool:
        top = RANK[self.cards(position, target + SUITS[SUIT[card]])[-1]]
        return RANK[card] == (top + 1 if target == "up" else top - 1)

    def candidates(self, position: Position) -> Iterator[Move]:
        """The columns' last cards, every card of the arch, and the foundations' top cards."""
        gaps = [column for column in COLUMNS if not self.cards(position, column)] if self.columns_refill else []
        for column in COLUMNS:
            yield Move(column, "up")
            yield Move(column, "down")
        for arch in ARCH:
            for place in range(1, len(self.cards(position, arch)) + 1):
                for target in ("up", "down", *gaps):
                    yield Move(arch, target, place)
        for up, down in zip(UP, DOWN, strict=True):
            yield Move(up, "down")
            yield Move(down, "up")

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move; nothing follows from it."""
        card = self.moving(position, move)
        assert card is not None
        target = move.target + SUITS[SUIT[card]] if move.target in ("up", "down") else move.target
        return self.after(position, move.source, self.index[target], move.place)

    def stuck(self, position: Position) -> bool:
        """Whether no free card fits, also not after cards have crossed from one foundation to the other.

        Refilling a column does not count: the card was free, and nothing is bared. Foundations of a suit can
        be shifted only while together they hold each rank once; then each free card of the suit fits sometime.
        """
        if self.won(position):
            return False
        free = [lies[-1] for lies in (self.cards(position, column) for column in COLUMNS) if lies]
        free += [card for arch in ARCH for card in self.cards(position, arch)]
        return not any(self._fits_sometime(position, card) for card in free)

    def _fits_sometime(self, position: Position, card: Card) -> bool:
        if self._fits(position, card, "up") or self._fits(position, card, "down"):
            return True
        suit = SUITS[SUIT[card]]
        both = len(self.cards(position, f"up{suit}")) + len(self.cards(position, f"down{suit}"))
        return self.meet and both == KING

    def safe(self, position: Position) -> Move | None:
        """A card whose twin lies on a foundation; with the columns empty, any card that fits.

        With cards that cross nothing is safe.
        """
        if self.meet:
            return None
        columns_gone = not any(self.cards(position, column) for column in COLUMNS)
        for move in self.moves(position):
            card = self.moving(position, move)
            if move.target in ("up", "down") and card is not None and (columns_gone or self._twin_lies(position, card)):
                return move
        return None

    def _twin_lies(self, position: Position, card: Card) -> bool:
        suit = SUITS[SUIT[card]]
        return any(card in self.cards(position, kind + suit) for kind in ("up", "down"))
