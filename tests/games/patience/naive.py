"""The patiences written a second time, plainly, to compare with: cards are pairs, piles are lists in a dict.

Written from the rules pages, without a look at the product's modules; slow, and only for tests. `moves` gives
for each allowed move the action and what lies where afterwards.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Table = dict[str, list[str]]
RANKS = "A23456789TJQK"
Variants = dict[str, bool]


def rank(card: str) -> int:
    return RANKS.index(card[0])


def red(card: str) -> bool:
    return card[1] in "HD"


class Naive:
    """A table under the rules of one patience. `direction` and `passes` as in the product."""

    def __init__(self, name: str, variants: Variants, table: Table, direction: int, passes: int) -> None:
        self.name, self.on, self.table = name, variants, table
        self.direction, self.passes = direction, passes

    def moves(self) -> dict[str, "Naive"]:
        """Every allowed action, with the table after it."""
        rules: dict[str, Any] = {
            "zopf": self.zopf,
            "burgvoegtin": self.burgvoegtin,
            "archway": self.archway,
            "carpet": self.carpet,
        }
        return dict(rules[self.name]())

    def copy(self) -> "Naive":
        return Naive(self.name, self.on, deepcopy(self.table), self.direction, self.passes)

    def piles(self, kind: str) -> list[str]:
        return [name for name in self.table if name.rstrip("0123456789") == kind]

    def moved(self, source: str, target: str, place: int = -1) -> "Naive":
        new = self.copy()
        new.table[target].append(new.table[source].pop(place))
        return new

    # Zopf

    def zopf(self) -> Iterator[tuple[str, "Naive"]]:
        yield from self.drawing(3)
        free = ["braid", *self.piles("corner"), *self.piles("side"), "waste"]
        for source in [name for name in free if self.table[name]]:
            card = self.table[source][-1]
            done = self.onto_zopf_foundation(source, card)
            if done is not None:
                yield f"move {source} foundation", done.filled()
            for corner in self.piles("corner"):
                if source == "braid" and not self.table[corner]:
                    yield f"move braid {corner}", self.moved("braid", corner).filled()
            for side in self.piles("side"):
                if self.may_go_to_side(source, side):
                    yield f"move {source} {side}", self.moved(source, side).filled()

    def may_go_to_side(self, source: str, side: str) -> bool:
        below, card = self.table[side], self.table[source][-1]
        if not self.on["build_on_sides"]:
            return source == "waste" and not below
        if (source == "braid" or source.startswith("corner")) and not self.on["braid_builds"]:
            return False
        if not below:
            return not (source.startswith("side") and len(self.table[source]) == 1)
        return red(below[-1]) != red(card) and (rank(below[-1]) - rank(card)) % 13 == 1

    def onto_zopf_foundation(self, source: str, card: str) -> "Naive | None":
        mine = self.piles("foundation")[2 * "CSHD".index(card[1]) :][:2]
        base = next(rank(self.table[name][0]) for name in self.piles("foundation") if self.table[name])
        for name in mine:
            pile = self.table[name]
            if not pile and rank(card) == base:
                return self.moved(source, name)
            step = (rank(card) - rank(pile[-1])) % 13 if pile else 0
            step = -1 if step == 12 else step
            if pile and len(pile) < 13 and step in ((self.direction,) if self.direction else (1, -1)):
                new = self.moved(source, name)
                new.direction = step
                return new
        return None

    def filled(self) -> "Naive":
        if self.on["fill_corners"]:
            for corner in self.piles("corner"):
                if not self.table[corner] and self.table["braid"]:
                    self.table[corner].append(self.table["braid"].pop())
        return self

    def drawing(self, passes: int) -> Iterator[tuple[str, "Naive"]]:
        if self.table["stock"]:
            yield "draw", self.moved("stock", "waste")
        elif self.table["waste"] and self.passes < passes:
            new = self.copy()
            new.passes += 1
            new.table["stock"], new.table["waste"] = new.table["waste"][::-1], []
            yield "redeal", new

    # Burgvögtin

    def burgvoegtin(self) -> Iterator[tuple[str, "Naive"]]:
        heights = [len(self.table[name]) for name in self.piles("foundation")]
        packets = [name for name in self.piles("packet") if self.table[name]]
        fitting = [name for name in packets if rank(self.table[name][-1]) in heights]
        for name in fitting:
            yield f"move {name} foundation", self.out(name, -1)
        if self.on["strict"] and fitting:
            return
        for name in [name for name in self.table if name.startswith("arch")]:
            for place, card in enumerate(self.table[name]):
                if rank(card) in heights:
                    yield f"move {name}.{place + 1} foundation", self.out(name, place)

    def out(self, source: str, place: int) -> "Naive":
        height = rank(self.table[source][place])
        target = next(name for name in self.piles("foundation") if len(self.table[name]) == height)
        new = self.moved(source, target, place)
        for packet in new.piles("packet"):
            if new.table[packet] and new.table[packet][-1][0] == "A":
                return new.out(packet, -1)
        return new

    # Archway

    def archway(self) -> Iterator[tuple[str, "Naive"]]:
        for name, pile in self.table.items():
            places = range(len(pile)) if name.startswith("arch") else range(len(pile) - 1, len(pile))
            for place in places:
                at = f".{place + 1}" if name.startswith("arch") else ""
                for kind, step in (("up", 1), ("down", -1)):
                    base = name.startswith(("up", "down"))
                    if base and (not self.on["meet"] or len(pile) == 1 or name.startswith(kind)):
                        continue
                    target = kind + pile[place][1]
                    if place >= 0 and rank(pile[place]) - rank(self.table[target][-1]) == step:
                        yield f"move {name}{at} {kind}", self.moved(name, target, place)
                for column in self.piles("column"):
                    if self.on["columns_refill"] and at and not self.table[column]:
                        yield f"move {name}{at} {column}", self.moved(name, column, place)

    # Carpet

    def carpet(self) -> Iterator[tuple[str, "Naive"]]:
        yield from self.drawing(1)
        for name in [*self.piles("carpet"), "waste"]:
            if self.table[name]:
                card = self.table[name][-1]
                target = self.piles("foundation")["CSHD".index(card[1])]
                if len(self.table[target]) == rank(card):
                    yield f"move {name} foundation", self.moved(name, target)
        source = "waste" if self.table["waste"] else "stock"
        for name in self.piles("carpet"):
            if not self.table[name] and self.table[source]:
                yield f"move {source} {name}", self.moved(source, name)
