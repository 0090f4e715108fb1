"""What happens at a patience as short sentences: moves, draws, what was taken back, how a deal ended."""

from collections.abc import Callable
from typing import Any

from client_cli.catalogue import Catalogue
from client_cli.clean import clean
from client_cli.patience.layout import FOUNDATIONS, Layout
from client_cli.patience.sentences import Namer
from client_cli.view import View

Happening = dict[str, Any]
SILENT = frozenset({"ready", "match_started", "patience_offered", "seated"})
"""What needs no words where one plays alone."""
_PLACES = ("carpet", "corner", "side", "packet", "column", "braid", "waste")


class Teller:
    """Tells what happened between two views."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._texts: Catalogue = namer.texts
        self._told: dict[str, Callable[[Happening, Layout], list[str]]] = {
            "patience_dealt": self._dealt,
            "undone": lambda h, at: [self._texts("patience.undone", move=self.move(h["move"], at))],
            "redone": lambda h, at: [self._texts("patience.redone", move=self.move(h["move"], at))],
            "solver_asked": lambda h, at: [self._texts("patience.solver_asked")],
            "patience_over": self._over,
            "patience_annulled": lambda h, at: [self._texts("patience.annulled", deal=h["deal"])],
            "match_over": lambda h, at: [self._texts("happened.match_over")],
        }

    def tell(self, happenings: list[Happening], view: View) -> list[tuple[str, str]]:
        """A style and a sentence for each happening; what was played by itself stands in one sentence."""
        layout, lines, cards = Layout(view), list[tuple[str, str]](), list[str]()
        for happening in happenings:
            event = happening["event"]
            if event == "moved" and happening["auto"]:
                cards.append(self._namer.card(happening["card"]))
                continue
            lines += self._by_itself(cards)
            cards = []
            if event == "moved":
                lines.append(("", self._moved(happening, layout)))
            elif event in self._told:
                first, *more = self._told[event](happening, layout)
                lines += [(_style(happening), first), *(("", text) for text in more)]
        return lines + self._by_itself(cards)

    def knows(self, event: str) -> bool:
        """Whether this is what it tells."""
        return event == "moved" or event in self._told

    def move(self, action: str, layout: Layout) -> str:
        """A move in words, without its card."""
        if action in ("draw", "redeal"):
            return self._texts(f"patience.move_{action}")
        step = layout.step(action)
        if step is None:
            return clean(action, 32)
        source = self._namer.pile(layout, step.source)
        if step.out:
            return self._texts(f"patience.move_{step.target}", source=source)
        return self._texts("patience.move_from_to", source=source, target=self._namer.pile(layout, step.target))

    def step(self, action: str, layout: Layout) -> str:
        """A move that is offered, with its card: `5♥ from b3 to the foundation`."""
        step = layout.step(action)
        if step is None or step.card is None:
            return self.move(action, layout)
        return self._texts("patience.step", card=self._namer.face(step.card), move=self.move(action, layout))

    def changes(self, view: View, before: View | None) -> str:
        """Which cards have become free since the view before; empty if none."""
        if before is None or before.play is None:
            return ""
        layout, earlier, shown = Layout(view), Layout(before), list[str]()
        for pile in layout.of(*_PLACES):
            was = earlier.piles.get(pile.name)
            if was is not None and pile.top is not None and (pile.top, pile.count) != (was.top, was.count):
                shown.append(f"{self._namer.pile(layout, pile.name)} {self._namer.face(pile.top)}")
        return self._texts("patience.now_free", cards=", ".join(shown)) if shown else ""

    def _by_itself(self, cards: list[str]) -> list[tuple[str, str]]:
        return [("good", self._texts("patience.by_itself", cards=", ".join(cards)))] if cards else []

    def _moved(self, happening: Happening, layout: Layout) -> str:
        action, card = str(happening["move"]), self._namer.card(happening["card"])
        if action == "draw":
            return self._texts("patience.drawn", card=card)
        if action == "redeal":
            return self._texts("patience.redealt")
        step = layout.step(action)
        if step is None:
            return clean(action, 32)
        source = self._namer.pile(layout, step.source)
        if step.target in FOUNDATIONS:
            return self._texts(f"patience.out_{step.target}", card=card, source=source)
        return self._texts("patience.moved", card=card, source=source, target=self._namer.pile(layout, step.target))

    def _dealt(self, happening: Happening, layout: Layout) -> list[str]:
        number = happening["number"]
        key = "patience.dealt_known" if happening["known"] and number else "patience.dealt"
        lines = [self._texts(key, deal=happening["deal"], number=clean(number or "", 20))]
        if happening["day"]:
            lines = [self._texts("patience.dealt_day", deal=happening["deal"], day=clean(happening["day"], 10))]
        out = [self._namer.card(one["card"]) for one in happening["opening"] if one["move"].endswith(" foundation")]
        filled = len(happening["opening"]) - len(out)
        if happening["opening"]:
            lines.append(self._texts("patience.opening", cards=", ".join(out) or "-", filled=filled))
        return lines

    def _over(self, happening: Happening, layout: Layout) -> list[str]:
        line, texts = happening["line"], self._texts
        lines = [
            texts("patience.won" if line["won"] else "patience.given_up", out=line["out"]),
            texts("patience.over_facts", time=span(line["millis"]), **counts(line)),
        ]
        if not line["counts"]:
            again = "patience.not_counted_again" if line["day"] else "patience.not_counted_known"
            lines.append(texts(again if line["known"] else "patience.not_counted_helped"))
        number = line["number"]
        return [*lines, texts("patience.over_number", number=clean(number, 20))] if number else lines


def _style(happening: Happening) -> str:
    if happening["event"] == "patience_over" and happening["line"]["won"]:
        return "good"
    return "title" if happening["event"] in ("patience_over", "match_over") else ""


def counts(line: Happening) -> dict[str, int]:
    """Moves, cards played by themselves, and moves taken back."""
    return {key: int(line[key]) for key in ("moves", "auto", "undos")}


def span(millis: int) -> str:
    """A time as minutes and seconds, with hours where there are some: `3:07`, `1:02:09`."""
    seconds = int(millis) // 1000
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
