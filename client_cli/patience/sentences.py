"""A patience in sentences, each pile by its friendly name, as pipes and screen readers get it."""

from client_cli.cards import Face
from client_cli.catalogue import Catalogue
from client_cli.patience.faces import rank_face
from client_cli.patience.layout import FOUNDATIONS, Layout, Pile


class Namer:
    """Names piles and cards in one language."""

    def __init__(self, texts: Catalogue, face: Face) -> None:
        self.texts = texts
        self.face = face

    def typed(self, pile: Pile) -> str:
        """The name under which a pile is typed, as it stands in the picture."""
        return rank_face(self.texts, pile.short) if pile.kind == "arch" else pile.short

    def pile(self, layout: Layout, name: str) -> str:
        """A pile in a sentence: `the waste`, `corner c2`."""
        pile = layout.piles.get(name)
        return self.texts(f"pile.{pile.kind}", name=self.typed(pile)) if pile else name

    def card(self, card: str | None) -> str:
        """A card, or a word for one that is not seen."""
        return self.texts("pile.a_card") if card is None else self.face(card)

    def top(self, pile: Pile) -> str:
        """A pile with its open top card, or that it is empty: `c2 5♥`."""
        empty = self.texts("pile.hole" if pile.kind == "carpet" else "pile.empty")
        return f"{self.typed(pile)} {empty if pile.top is None else self.face(pile.top)}"


def described(layout: Layout, namer: Namer) -> list[str]:
    """Every pile with its cards, kind by kind."""
    lines = _foundations(layout, namer)
    match layout.game:
        case "carpet":
            lines += _carpet(layout, namer)
        case "zopf":
            lines += _zopf(layout, namer)
        case _:
            lines += _arch_game(layout, namer)
    return lines + _stock(layout, namer)


def _foundations(layout: Layout, namer: Namer) -> list[str]:
    lines = []
    for kind in FOUNDATIONS:
        piles = layout.of(kind)
        tops = [namer.face(pile.top) for pile in piles if pile.top is not None]
        if piles:
            shown = ", ".join(tops) or namer.texts("pile.none")
            lines.append(namer.texts(f"described.{kind}", cards=shown))
    return lines


def _carpet(layout: Layout, namer: Namer) -> list[str]:
    piles = layout.of("carpet")
    rows = [piles[start : start + 5] for start in range(0, len(piles), 5)]
    return [
        namer.texts("described.row", name=row[0].short[0], cards=", ".join(namer.top(pile) for pile in row))
        for row in rows
    ]


def _zopf(layout: Layout, namer: Namer) -> list[str]:
    texts, braid, lines = namer.texts, layout.one("braid"), list[str]()
    lines.append(
        texts(f"described.direction_{layout.table['direction'] or 'open'}", base=rank_face(texts, layout.base))
    )
    if braid is not None and braid.top is not None:
        rest = " ".join(namer.face(card) for card in reversed(braid.cards[:-1])) or namer.texts("pile.none")
        lines.append(texts("described.braid", count=braid.count, free=namer.face(braid.top), rest=rest))
    else:
        lines.append(texts("described.braid_gone"))
    for kind in ("corner", "side"):
        shown = ", ".join(_row(pile, namer) for pile in layout.of(kind))
        lines.append(texts(f"described.{kind}", cards=shown))
    return lines


def _row(pile: Pile, namer: Namer) -> str:
    """A pile of which all cards are told, the free one last."""
    if pile.count < 2:
        return namer.top(pile)
    return f"{namer.typed(pile)} {' '.join(namer.face(card) for card in pile.cards)}"


def _arch_game(layout: Layout, namer: Namer) -> list[str]:
    texts, lines = namer.texts, list[str]()
    for pile in layout.of("packet", "column"):
        if pile.hidden:
            lines.append(texts("described.packet", name=pile.short, card=namer.card(pile.top), count=pile.count))
        else:
            cards = " ".join(namer.face(card) for card in pile.cards) or texts("pile.empty")
            lines.append(texts(f"described.open_{pile.kind}", name=pile.short, cards=cards))
    arch = [
        " ".join(namer.face(card) for card in pile.cards)
        if layout.game == "archway"
        else f"{namer.typed(pile)} ×{pile.count}"
        for pile in layout.of("arch")
        if pile.count
    ]
    return [*lines, texts("described.arch", cards=", ".join(arch) or texts("pile.none"))]


def _stock(layout: Layout, namer: Namer) -> list[str]:
    stock, waste = layout.one("stock"), layout.one("waste")
    if stock is None or waste is None:
        return []
    if waste.top is None:
        lines = [namer.texts("described.stock_alone", stock=stock.count)]
    else:
        lines = [namer.texts("described.stock", stock=stock.count, top=namer.face(waste.top), waste=waste.count)]
    if layout.game == "zopf":
        shown = {"passes": layout.table["passes"], "left": layout.table["passes_left"]}
        lines.append(namer.texts("described.passes", **shown))
    return lines
