"""A patience as a picture of at most 78 columns and 17 rows, so that it fits a small terminal at a glance."""

from collections.abc import Callable
from typing import Final

from client_cli.cards import SUITS, Face
from client_cli.catalogue import Catalogue
from client_cli.clean import pad
from client_cli.patience.faces import RANKS, rank_face
from client_cli.patience.layout import ROW, Layout, Pile
from client_cli.patience.tiles import HEIGHT, WIDTH, Tiles
from client_cli.picture import Canvas
from client_cli.style import SUIT_STYLES, Line, Look

_SUIT_ORDER: Final = "CSHD"


class Painter:
    """Draws the layouts of the four patiences in one language."""

    def __init__(self, texts: Catalogue, face: Face, look: Look) -> None:
        self._texts = texts
        self._tiles = Tiles(face, look)
        self._unicode = look.unicode
        self._draw: dict[str, Callable[[Layout], list[Line]]] = {
            "carpet": self._carpet,
            "zopf": self._zopf,
            "burgvoegtin": self._burgvoegtin,
            "archway": self._archway,
        }

    def picture(self, layout: Layout) -> list[Line]:
        """The layout without its heading."""
        return self._draw[layout.game](layout)

    # ---- Carpet

    def _carpet(self, layout: Layout) -> list[Line]:
        canvas, tiles = Canvas(1 + 4 * HEIGHT), self._tiles
        self._head(canvas, 2, 0, "picture.carpet")
        for place, pile in enumerate(layout.of("carpet")):
            tiles.place(canvas, 2 + place % ROW * WIDTH, 1 + place // ROW * HEIGHT, pile.short, pile.top)
        self._head(canvas, 40, 0, "picture.foundations")
        for place, pile in enumerate(layout.of("foundation")):
            self._foundation(canvas, 40 + place * WIDTH, 1, _SUIT_ORDER[place], pile)
        self._stock(canvas, 40, 6, layout)
        return canvas.lines()

    # ---- Zopf

    def _zopf(self, layout: Layout) -> list[Line]:
        canvas, tiles = Canvas(14), self._tiles
        corners, sides = layout.of("corner"), layout.of("side")
        for row, y in enumerate((0, 6)):
            for place, pile in enumerate((corners[2 * row], *sides[4 * row : 4 * row + 4], corners[2 * row + 1])):
                x = 2 + place * (WIDTH + 1)
                below = f"×{pile.count}" if pile.count > 1 else ""
                tiles.place(canvas, x, y, pile.short, pile.top, below if self._unicode else below.replace("×", "x"))
        braid = layout.one("braid")
        if braid is not None:
            canvas.put(2, 3, self._texts("picture.braid", count=braid.count), "title")
            tiles.open_row(canvas, 2, 4, braid.cards, rows=2, each=12)
        canvas.put(2, 9, self._texts("picture.foundations"), "title")
        for place, pile in enumerate(layout.of("foundation")):
            self._foundation(canvas, 2 + place * WIDTH, 10, _SUIT_ORDER[place // 2], pile)
        self._stock(canvas, 56, 0, layout)
        goes, base = layout.table["direction"] or "open", rank_face(self._texts, layout.base)
        canvas.put(56, 5, self._texts(f"picture.direction_{goes}", base=base), "title")
        if layout.running:
            left = int(layout.table["passes_left"])
            canvas.put(56, 6, self._texts("picture.passes", passes=layout.table["passes"], left=left), "dim")
        return canvas.lines()[:13] + self._rows(layout)

    def _rows(self, layout: Layout) -> list[Line]:
        """The side rows of more than one card, two beside each other."""
        long = [pile for pile in layout.of("side") if pile.count > 1]
        canvas = Canvas((len(long) + 1) // 2)
        for place, pile in enumerate(long):
            x = 2 + place % 2 * 38
            canvas.put(x, place // 2, pile.short, "title")
            self._tiles.open_row(canvas, x + 2, place // 2, pile.cards[-8:])
        return canvas.lines()

    # ---- Burgvögtin and Archway

    def _burgvoegtin(self, layout: Layout) -> list[Line]:
        open_packets = bool(layout.rules.get("open_packets"))
        top = 9 if open_packets else 8
        canvas, tiles = Canvas(top + 1 + HEIGHT), self._tiles
        self._head(canvas, 2, 0, "picture.foundations")
        for place, pile in enumerate(layout.of("foundation")):
            tiles.place(canvas, 2 + place * WIDTH, 1, "", pile.top)
        packets = layout.of("packet")
        self._head(canvas, 2, 4, "picture.packets")
        if open_packets:
            self._columns(canvas, 5, packets)
        else:
            for place, pile in enumerate(packets):
                tiles.place(canvas, 2 + place * WIDTH, 5, pile.short, pile.top, str(pile.count))
        self._head(canvas, 2, top, "picture.arch")
        for place, pile in enumerate(layout.of("arch")):
            count = self._times(pile.count)
            face = pad(f" {rank_face(self._texts, pile.short)}", 3)
            style = "title" if pile.count else "dim"
            tiles.box(canvas, 2 + place * WIDTH, top + 1, "", [(style, face)], count, "" if pile.count else "dim")
        return canvas.lines()

    def _archway(self, layout: Layout) -> list[Line]:
        canvas = Canvas(12)
        for kind, x in (("up", 2), ("down", 30)):
            self._head(canvas, x, 0, f"picture.{kind}")
            for place, pile in enumerate(layout.of(kind)):
                self._foundation(canvas, x + place * WIDTH, 1, _SUIT_ORDER[place], pile)
        self._head(canvas, 2, 4, "picture.columns")
        self._columns(canvas, 5, layout.of("column"))
        self._head(canvas, 2, 9, "picture.arch")
        arch = layout.of("arch")
        for place, rank in enumerate(RANKS):
            x, pile = 2 + place % 7 * 11, arch[place]
            y = 10 + place // 7
            canvas.put(x, y, rank_face(self._texts, rank), "title" if pile.count else "dim")
            cards = sorted(pile.cards, key=lambda card: _SUIT_ORDER.index(card[1]))
            for at, card in enumerate(cards):
                suit = SUITS[card[1]]
                canvas.put(x + 2 + (rank == "T") + at, y, suit if self._unicode else card[1], SUIT_STYLES[suit])
        return canvas.lines()

    def _columns(self, canvas: Canvas, y: int, piles: list[Pile]) -> None:
        """Open packets or columns, a row each; only the last card is free."""
        for row, pile in enumerate(piles):
            canvas.put(2, y + row, pile.short, "title")
            self._tiles.open_row(canvas, 4, y + row, pile.cards)

    # ---- what several have

    def _foundation(self, canvas: Canvas, x: int, y: int, suit: str, pile: Pile) -> None:
        """The top card of a foundation; an empty one shows the suit that it waits for."""
        if pile.top is not None:
            self._tiles.place(canvas, x, y, "", pile.top)
        else:
            sign = SUITS[suit] if self._unicode else suit
            self._tiles.box(canvas, x, y, "", [("dim", f" {sign} ")])

    def _stock(self, canvas: Canvas, x: int, y: int, layout: Layout) -> None:
        """Stock and waste beside each other, with what they are called above."""
        stock, waste = layout.one("stock"), layout.one("waste")
        if stock is not None and waste is not None:
            canvas.put(x, y, self._texts("picture.stock"), "title")
            self._tiles.closed(canvas, x, y + 1, "", stock.count)
            canvas.put(x + 10, y, self._texts("picture.waste"), "title")
            self._tiles.place(canvas, x + 10, y + 1, waste.short, waste.top, str(waste.count) if waste.count else "")

    def _times(self, count: int) -> str:
        return f"{'×' if self._unicode else 'x'}{count}" if count else ""

    def _head(self, canvas: Canvas, x: int, y: int, key: str) -> None:
        canvas.put(x, y, self._texts(key), "title")
