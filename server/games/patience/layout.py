"""Piles and moves: what all patiences share.

A patience is a frozen value of its rules, with every variant as a field, and pure functions on positions.
A position is the cards of all piles; a move takes one card from a pile to another. What follows by itself
(a card turned, a corner filled) belongs to the move.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from server.games.game import RuleViolation
from server.games.patience.cards import Card, Cards


@dataclass(frozen=True, slots=True)
class Pile:
    """A place for cards: its name, such as `corner2`, and its kind, such as `corner`."""

    name: str
    kind: str


def piles(kind: str, marks: Sequence[object]) -> tuple[Pile, ...]:
    """Piles of a kind, each named by the kind and its mark."""
    return tuple(Pile(f"{kind}{mark}", kind) for mark in marks)


@dataclass(frozen=True, slots=True)
class Position:
    """The cards of all piles, in the order of the game's piles.

    `passes` counts the passes through the stock; `direction` is 1 if the foundations go up, -1 if they go
    down, 0 while that is not yet decided.
    """

    piles: tuple[Cards, ...]
    passes: int = 1
    direction: int = 1


@dataclass(frozen=True, slots=True)
class Move:
    """One card from a pile to a pile, or to the kind `foundation` of which the rules pick one.

    `place` counts from 1 at the bottom, in piles of which every card is free; 0 is the top card.
    """

    source: str
    target: str
    place: int = 0

    def __str__(self) -> str:
        """The move as an action: `draw`, `redeal`, or `move SOURCE[.PLACE] TARGET`."""
        if self == DRAW:
            return "draw"
        if self == REDEAL:
            return "redeal"
        place = f".{self.place}" if self.place else ""
        return f"move {self.source}{place} {self.target}"


DRAW: Final = Move("stock", "waste")
REDEAL: Final = Move("waste", "stock")
FOUNDATION: Final = "foundation"
_MOVE: Final = re.compile(r"move ([a-z]+[0-9A-Z]{0,2})(?:\.([1-9][0-9]?))? ([a-z]+[0-9A-Z]{0,2})", re.ASCII)


def move_of(action: str) -> Move:
    """The move that an action names.

    Raises:
        RuleViolation: `unknown_action`
    """
    if action == "draw":
        return DRAW
    if action == "redeal":
        return REDEAL
    found = _MOVE.fullmatch(action)
    if found is None:
        raise RuleViolation("unknown_action")
    source, place, target = found.groups()
    move = Move(source, target, int(place or 0))
    if move in (DRAW, REDEAL):
        raise RuleViolation("unknown_action")
    return move


class Patience(ABC):
    """The rules of one patience. Its fields are the variants; all are switches."""

    __slots__ = ()

    name: ClassVar[str]
    packs: ClassVar[int]
    piles: ClassVar[tuple[Pile, ...]]
    index: ClassVar[dict[str, int]]
    kinds: ClassVar[dict[str, str]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.index = {pile.name: place for place, pile in enumerate(cls.piles)}
        cls.kinds = {pile.name: pile.kind for pile in cls.piles}

    @abstractmethod
    def pack(self, number: int) -> Cards:
        """The cards of a numbered deal, in the order in which they are dealt."""

    @abstractmethod
    def lay(self, pack: Cards, number: int, *, keep_twins: bool = False) -> Position:
        """The layout of these cards. The number and `keep_twins` matter to single twins only."""

    def opening(self, laid: Position) -> tuple[Move, ...]:
        """Moves that are made before the player's first, without any choice."""
        return ()

    @abstractmethod
    def refusal(self, position: Position, move: Move) -> str | None:
        """The rule that forbids a move, as a stable word; None if it is allowed. Looks at open cards only."""

    @abstractmethod
    def candidates(self, position: Position) -> Iterator[Move]:
        """Moves worth asking about: every allowed one is among them."""

    @abstractmethod
    def play(self, position: Position, move: Move) -> Position:
        """The position after an allowed move, and what follows from it by itself."""

    @abstractmethod
    def stuck(self, position: Position) -> bool:
        """Whether the player can see that nothing leads further, though the deal is not won."""

    @abstractmethod
    def safe(self, position: Position) -> Move | None:
        """A move that can never hurt, if there is one."""

    def hidden(self, position: Position, pile: Pile) -> int:
        """How many cards of a pile, from its bottom, lie face down."""
        return len(position.piles[self.index[pile.name]]) if pile.kind == "stock" else 0

    def moves(self, position: Position) -> tuple[Move, ...]:
        """All allowed moves."""
        return tuple(move for move in self.candidates(position) if self.refusal(position, move) is None)

    def won(self, position: Position) -> bool:
        """Whether all cards lie on the foundations."""
        return not any(cards for pile, cards in zip(self.piles, position.piles, strict=True) if not is_foundation(pile))

    def cards(self, position: Position, name: str) -> Cards:
        """The cards of a pile."""
        return position.piles[self.index[name]]

    def moving(self, position: Position, move: Move) -> Card | None:
        """The card that a move would take: the one at its place, else the top one."""
        found = self.cards(position, move.source)
        if move.place > len(found) or not found:
            return None
        return found[move.place - 1]

    def start(self, laid: Position) -> Position:
        """The position in which the player begins."""
        for move in self.opening(laid):
            laid = self.play(laid, move)
        return laid

    def after(self, position: Position, source: str, target: int, place: int = 0) -> Position:
        """The position after one card went from a pile to the pile of that index; nothing else happens."""
        found = list(position.piles)
        origin = self.index[source]
        card = found[origin][place - 1]
        found[origin] = found[origin][: place - 1] + found[origin][place:] if place else found[origin][:-1]
        found[target] += (card,)
        return replace(position, piles=tuple(found))


def is_foundation(pile: Pile) -> bool:
    """Whether cards are collected on a pile."""
    return pile.kind in (FOUNDATION, "up", "down")
