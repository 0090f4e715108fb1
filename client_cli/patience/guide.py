"""What may be done now at a patience, and why: what the table asks (`invite`), and the answer to `?` (`help`)."""

from typing import Final

from client_cli.patience.layout import Layout, Step
from client_cli.patience.narrate import Teller
from client_cli.patience.sentences import Namer

_MOST: Final = 14
_VARIANTS: Final = {
    "carpet": ("foster",),
    "zopf": ("either_direction", "single_twins", "build_on_sides", "braid_builds"),
    "burgvoegtin": ("strict", "open_packets"),
    "archway": ("columns_refill", "meet"),
}


class Guide:
    """Finds its words from the actions of the view, without rules."""

    def __init__(self, namer: Namer, teller: Teller) -> None:
        self._namer = namer
        self._texts = namer.texts
        self._teller = teller

    def invite(self, layout: Layout) -> list[tuple[str, str]]:
        """A style and a sentence: what Enter does, or that nothing leads on."""
        texts, actions = self._texts, layout.actions
        if "ready" in actions:
            return [("turn", texts("patience.ask_next" if layout.deal else "patience.ask_first"))]
        if "rematch" in actions:
            return [("turn", texts("patience.ask_rematch"))]
        if not layout.running or layout.view.seat is None:
            return []
        if layout.table["stuck"]:
            return [("warn", texts("patience.stuck")), ("turn", self._stuck(layout))]
        return [("turn", " ".join([*self._enter(layout), texts("patience.keys")]))]

    def _stuck(self, layout: Layout) -> str:
        return self._texts("patience.stuck_undo" if "undo" in layout.actions else "patience.stuck_new")

    def _enter(self, layout: Layout) -> list[str]:
        if "draw" in layout.actions:
            return [self._texts("patience.enter_draws")]
        return [self._texts("patience.r_redeals")] if "redeal" in layout.actions else []

    def help(self, layout: Layout) -> list[str]:
        """Everything that may be done now, and why the rest may not."""
        texts, game = self._texts, layout.game
        if layout.view.seat is None:
            return [texts("patience.help_watching")]
        if not layout.running:
            return [*self._between(layout), texts("patience.help_look"), texts("patience.help_leave")]
        lines = [texts(f"patience.rule_{game}"), *self._variants(layout), *self._now(layout)]
        lines += [texts("patience.help_type"), texts(f"patience.help_type_{game}")]
        keys = [texts(f"patience.key_{action}") for action in ("auto", "undo", "redo") if action in layout.actions]
        lines.append(texts("patience.help_keys", keys="; ".join([*keys, texts("patience.key_hint")])))
        return [*lines, texts("patience.help_deal"), texts("patience.help_solver"), *self._look()]

    def moves(self, layout: Layout) -> list[str]:
        """All moves of cards that are offered, to foundations first."""
        return self._now(layout) if layout.running else [self._texts("patience.no_deal")]

    def choice(self, actions: tuple[str, ...], layout: Layout) -> str:
        """Moves that are meant as well, each with the number that chooses it."""
        shown = [f"{number}: {self._teller.step(action, layout)}" for number, action in enumerate(actions, start=1)]
        return self._texts("patience.which", choices="; ".join(shown))

    def _between(self, layout: Layout) -> list[str]:
        texts = self._texts
        lines = [texts("patience.help_next" if layout.deal else "patience.help_ready")]
        if layout.deal:
            lines.append(texts("patience.help_again"))
        lines.append(texts("patience.help_number"))
        lines += [texts("patience.help_winnable")] if layout.game != "archway" else []
        return lines + ([texts("patience.help_twins")] if layout.rules.get("single_twins") else [])

    def _look(self) -> list[str]:
        return [self._texts("patience.help_look"), self._texts("patience.help_leave")]

    def _variants(self, layout: Layout) -> list[str]:
        """The rules in which this table differs from the usual ones."""
        on = [name for name in _VARIANTS[layout.game] if layout.rules.get(name)]
        if layout.game == "zopf" and not layout.rules.get("fill_corners", True):
            on.append("own_corners")
        return [self._texts(f"patience.variant_{name}") for name in on]

    def _now(self, layout: Layout) -> list[str]:
        """The moves that are offered, and why nothing else is."""
        texts, steps = self._texts, layout.steps
        out = [step for step in steps if step.out]
        fills = [step for step in steps if not step.out]
        lines = [texts("patience.can_go_out", cards=self._typed(out, layout))] if out else [texts("patience.none_fits")]
        if fills:
            gaps = list(
                dict.fromkeys(f"{self._name(step, layout)} {self._short(step.target, layout)}" for step in fills)
            )
            lines.append(texts("patience.can_fill", moves=_cut(gaps)))
        if layout.one("stock") is not None:
            lines.append(texts(f"patience.stock_{self._stock(layout)}"))
        return lines

    def _stock(self, layout: Layout) -> str:
        if "draw" in layout.actions:
            return "draw"
        if layout.game == "carpet":
            return "gone"
        waste = layout.one("waste")
        return "redeal" if "redeal" in layout.actions else "last_pass" if waste is not None and waste.count else "gone"

    def _typed(self, steps: list[Step], layout: Layout) -> str:
        """Cards as they can be typed, each with the pile on which it lies."""
        shown = []
        for step in steps:
            side = f" {self._texts(f'pile.short_{step.target}')}" if step.target in ("up", "down") else ""
            shown.append(f"{self._name(step, layout)}{side} ({self._namer.pile(layout, step.source)})")
        return _cut(list(dict.fromkeys(shown)))

    def _name(self, step: Step, layout: Layout) -> str:
        alike = layout.game == "burgvoegtin" and step.source.startswith("arch")  # suits do not matter there
        return self._short(step.source, layout) if alike or step.card is None else self._namer.face(step.card)

    def _short(self, name: str, layout: Layout) -> str:
        pile = layout.piles.get(name)
        return self._namer.typed(pile) if pile else name


def _cut(shown: list[str]) -> str:
    return ", ".join(shown[:_MOST]) + (", …" if len(shown) > _MOST else "")
