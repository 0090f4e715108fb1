"""Which move a typed card or pile means: among those offered, else the one whose refusal tells why not. Pure."""

from collections.abc import Mapping
from typing import Final

from client_cli.meanings import Confused, Do
from client_cli.patience.faces import read_card, read_rank
from client_cli.patience.layout import FOUNDATIONS, Layout, Pile, Step
from client_cli.patience.meanings import Meaning, Which

_LOOK_ALIKE: Final = ("carpet", "corner", "side", "column")
"""Kinds whose empty piles are as good as each other."""
_LONG: Final = ("waste", "stock", "braid")


def read_move(typed: str, said: str, layout: Layout, sides: Mapping[str, str]) -> Meaning:
    """The move that was typed: what goes, and where to, if that is said. `sides`: words for foundations."""
    wrong = Confused("said.wrong", (("typed", typed.strip()[:40]),))
    what, where = _parted(said, layout, sides)
    if not what:
        return wrong
    if not layout.running:
        return Confused("patience.no_deal")
    named, hole = steps_named(what, layout), pile_named(what, layout)
    if not named and hole is not None and not hole.count and not where:
        return _filled(hole, layout)
    target = _target(where, layout, sides)
    if where and target is None:
        return wrong
    found = _best([step for step in named if target is None or _goes_to(step, target, layout)], layout)
    if len(found) == 1:
        return Do(found[0].action)
    if found:
        return Which(tuple(step.action for step in found))
    return _refused(what, target, layout) or _absent(what, layout) or wrong


def steps_named(what: str, layout: Layout) -> list[Step]:
    """The offered moves of a pile or a card."""
    pile, card, rank = pile_named(what, layout), read_card(what), read_rank(what)
    if pile is not None and pile.kind != "arch":
        return [step for step in layout.steps if step.source == pile.name]
    if card is not None:
        return [step for step in layout.steps if step.card == card and step.source != "stock"]
    return [step for step in layout.steps if rank and step.source == f"arch{rank}"]


def pile_named(what: str, layout: Layout) -> Pile | None:
    """The pile that is typed so."""
    rank = read_rank(what)
    for pile in layout.piles.values():
        if what == pile.short.casefold() or (what in _LONG and what == pile.kind):
            return pile
        if pile.kind == "arch" and pile.short == rank:
            return pile
    return None


def _parted(said: str, layout: Layout, sides: Mapping[str, str]) -> tuple[str, str]:
    """What goes, and where to; a card may be typed with a blank in it. Empty where nothing is known so."""
    words = said.replace("->", " ").replace(">", " ").split()
    for cut in range(len(words), 0, -1):
        what, where = " ".join(words[:cut]), " ".join(words[cut:])
        known = pile_named(what, layout) is not None or read_card(what) is not None or read_rank(what) is not None
        if known and (not where or where in sides or pile_named(where, layout) or read_card(where)):
            return what, where
    return "", ""


def _target(where: str, layout: Layout, sides: Mapping[str, str]) -> str | None:
    if where in sides:
        return sides[where]
    if (pile := pile_named(where, layout)) is not None:
        return pile.name
    card = read_card(where) if where else None
    return next((pile.name for pile in layout.piles.values() if card and pile.top == card), None)


def _goes_to(step: Step, target: str, layout: Layout) -> bool:
    pile = layout.piles.get(target)
    return target in (step.target, "foundation" if step.out else "") or (
        pile is not None and pile.kind in FOUNDATIONS and step.target == pile.kind
    )


def _best(steps: list[Step], layout: Layout) -> list[Step]:
    """Foundations before gaps; of moves that come to the same only the first."""
    out = [step for step in steps if step.out]
    kept: dict[tuple[str, ...], Step] = {}
    for step in out or steps:
        kept.setdefault(_sameness(step, layout), step)
    return list(kept.values())


def _sameness(step: Step, layout: Layout) -> tuple[str, ...]:
    target = layout.piles.get(step.target)
    where = target.kind if target is not None and not target.count and target.kind in _LOOK_ALIKE else step.target
    if step.source.startswith("arch") and layout.game == "burgvoegtin":
        return ("arch", where)  # suits do not matter there
    if step.source.startswith("arch"):
        return ("arch", str(step.card), where)  # twins lie beside each other
    return (step.source, where)


def _filled(hole: Pile, layout: Layout) -> Meaning:
    """The move that fills an empty place; where none is offered, one whose refusal tells why."""
    steps = [step for step in layout.steps if step.target == hole.name]
    if len(steps) == 1:
        return Do(steps[0].action)
    if steps:
        return Which(tuple(step.action for step in steps))
    if hole.kind in ("waste", "stock", "braid"):
        return Confused("error.pile_empty")
    if hole.kind in ("packet", "arch"):
        return Confused("patience.empty_pile")
    return Do(f"move {'braid' if hole.kind == 'corner' else 'waste'} {hole.name}")


def _refused(what: str, target: str | None, layout: Layout) -> Meaning | None:
    """A move that is not offered: the server says which rule forbids it."""
    pile, card = pile_named(what, layout), read_card(what)
    usual = "up" if layout.game == "archway" else "foundation"
    goal = usual if target is None or (target in FOUNDATIONS and layout.game != "archway") else target
    if pile is not None and pile.kind == "arch":
        return Do(f"move {pile.name}.1 {goal}") if pile.cards else Confused("patience.empty_pile")
    if pile is not None:
        return Do(f"move {pile.name} {goal}")
    for name, place, lies in layout.free():
        if lies == card:
            return Do(f"move {name}{f'.{place}' if place else ''} {goal}")
    return None


def _absent(what: str, layout: Layout) -> Meaning | None:
    """A card that is not free."""
    card = read_card(what)
    return None if card is None else Confused("patience.not_free", (("card", what),))
