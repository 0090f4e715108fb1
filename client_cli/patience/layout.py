"""A patience as it stands in a view: its piles with the short names under which they are typed, and the moves offered.

Pure, and without rules: what may be done stands in the view's actions.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from client_cli.view import Message, View

GAMES: Final = ("carpet", "zopf", "burgvoegtin", "archway")
FOUNDATIONS: Final = ("foundation", "up", "down")
ROW: Final = 5
_NAME: Final = re.compile(r"([a-z]+)([0-9A-Z]*)")
_MOVE: Final = re.compile(r"move ([a-z]+[0-9A-Z]*)(?:\.([0-9]+))? ([a-z]+[0-9A-Z]*)")
_LETTERS: Final = {"corner": "c", "side": "s", "packet": "p", "column": "c", "braid": "b", "waste": "w", "stock": "d"}


def is_patience(view: View) -> bool:
    """Whether a patience is played at this table."""
    return view.public["game"] in GAMES


@dataclass(frozen=True, slots=True)
class Pile:
    """A pile: its name on the wire, the one that is typed, how many cards lie face down, and the open ones."""

    name: str
    kind: str
    short: str
    hidden: int
    cards: tuple[str, ...]

    @property
    def top(self) -> str | None:
        """The card that lies on top, if it is open."""
        return self.cards[-1] if self.cards else None

    @property
    def count(self) -> int:
        """How many cards it has."""
        return self.hidden + len(self.cards)


@dataclass(frozen=True, slots=True)
class Step:
    """A move that is offered or was made: the action, and its parts. `card` is None where it is not seen."""

    action: str
    source: str
    target: str
    place: int
    card: str | None

    @property
    def out(self) -> bool:
        """Whether it takes a card to a foundation."""
        return self.target in FOUNDATIONS


class Layout:
    """The deal in play, or as it lay at its end; `deal` is false before the first."""

    def __init__(self, view: View) -> None:
        play = view.play or {}
        self.view = view
        self.game = str(view.public["game"])
        self.play: Message = play
        self.table: Message = play.get("table") or {}
        self.deal = bool(self.table)
        self.running = play.get("phase") == "play"
        self.rules: Message = play.get("rules") or {}
        self.piles = {one["name"]: _pile(one) for one in self.table.get("piles", [])}

    def of(self, *kinds: str) -> list[Pile]:
        """The piles of these kinds, in order."""
        return [pile for pile in self.piles.values() if pile.kind in kinds]

    def one(self, kind: str) -> Pile | None:
        """The only pile of a kind; None where the game has none."""
        return next(iter(self.of(kind)), None)

    @property
    def varied(self) -> bool:
        """Whether the rules are not the usual ones; that corners are filled at once is usual."""
        return any(on is not (name == "fill_corners") for name, on in self.rules.items())

    @property
    def base(self) -> str:
        """The rank with which Zopf's foundations begin."""
        return next((pile.cards[0][0] for pile in self.of("foundation") if pile.cards), "A")

    @property
    def actions(self) -> list[str]:
        """What may be done now."""
        return self.view.actions

    @property
    def steps(self) -> list[Step]:
        """The moves of single cards that are offered."""
        return [step for action in self.actions if (step := self.step(action))]

    def step(self, action: str) -> Step | None:
        """A move of a card by its action; None for anything else."""
        found = _MOVE.fullmatch(action)
        if found is None:
            return None
        source, place, target = found[1], int(found[2] or 0), found[3]
        return Step(action, source, target, place, self.card_at(source, place))

    def card_at(self, name: str, place: int) -> str | None:
        """The open card at a place of a pile, 0 for the top one."""
        pile = self.piles.get(name)
        if pile is None or not pile.cards or place > len(pile.cards):
            return None
        return pile.cards[place - 1]

    def short_of(self, name: str) -> str:
        """The name under which a pile is typed."""
        pile = self.piles.get(name)
        return pile.short if pile else name

    def free(self) -> Iterator[tuple[str, int, str]]:
        """Every card that a player may ask for: pile, place (0: the top one), card."""
        for pile in self.piles.values():
            if pile.kind == "arch":
                yield from ((pile.name, place, card) for place, card in enumerate(pile.cards, start=1))
            elif pile.kind not in ("foundation", "stock") and pile.cards:
                yield pile.name, 0, pile.cards[-1]


def _pile(plain: Message) -> Pile:
    name, kind = str(plain["name"]), str(plain["kind"])
    return Pile(name, kind, short_name(name, kind), int(plain["hidden"]), tuple(plain["cards"]))


def short_name(name: str, kind: str) -> str:
    """`b3` for the carpet's eighth place, `c2` for a corner, the rank for the arch, else the kind's letter."""
    found = _NAME.fullmatch(name)
    mark = found[2] if found else ""
    if kind == "carpet":
        place = int(mark) - 1
        return "abcdefgh"[place // ROW] + str(place % ROW + 1)
    if kind == "arch":
        return mark
    return _LETTERS[kind] + mark if kind in _LETTERS else name
