"""The table as a small picture of at most 78 columns: you at the bottom, play goes clockwise.

The picture is made on a canvas of cells; the caller prints its lines.
"""

from typing import Final

from client_cli.cards import SUITS, Face
from client_cli.catalogue import Catalogue
from client_cli.clean import shorten, width
from client_cli.sentences import doublings, heading, last_words, standing_game
from client_cli.style import SUIT_STYLES, Line, Look
from client_cli.view import View

WIDTH: Final = 78
_SIDE_LABEL: Final = 26
_CARD: Final = 5


class Canvas:
    """A rectangle of cells; what is put later lies on top."""

    def __init__(self, height: int) -> None:
        self._cells = [[("", " ")] * WIDTH for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Writes a text from a cell to the right; what does not fit is cut off."""
        for char in text:
            columns = width(char)
            if 0 <= x and x + columns <= WIDTH and columns:
                self._cells[y][x] = (style, char)
                if columns == 2:
                    self._cells[y][x + 1] = (style, "")
            x += columns

    def put_line(self, x: int, y: int, line: Line) -> None:
        """Writes styled pieces one after the other."""
        for style, text in line:
            self.put(x, y, text, style)
            x += width(text)

    def lines(self) -> list[Line]:
        """The rows, pieces of one style joined, blanks at the end cut."""
        return [_joined(row) for row in self._cells]


def _joined(row: list[tuple[str, str]]) -> Line:
    line: Line = []
    for style, char in row:
        style = "" if char == " " else style
        if line and line[-1][0] == style:
            line[-1] = (style, line[-1][1] + char)
        else:
            line.append((style, char))
    while line and not line[-1][1].strip():
        line.pop()
    if line:
        line[-1] = (line[-1][0], line[-1][1].rstrip())
    return line


class Painter:
    """Draws tables and hands in one language for one kind of terminal."""

    def __init__(self, texts: Catalogue, face: Face, look: Look) -> None:
        self._texts = texts
        self._face = face
        self._box = ("╭───╮", "│", "╰───╯") if look.unicode else ("+---+", "|", "+---+")
        self._back = "▮" if look.unicode else "#"
        self._mark = "▶ " if look.unicode else "> "

    def card(self, canvas: Canvas, x: int, y: int, card: str, *, barred: bool = False) -> None:
        """A card, five columns wide and four rows high."""
        top, side, bottom = self._box
        rank, suit = self._face(card)[:-1], self._face(card)[-1]
        style = "dim" if barred else SUIT_STYLES[SUITS[card[1]]]
        edge = "dim" if barred else "edge"
        canvas.put(x, y, top, edge)
        canvas.put(x, y + 1, f"{side}   {side}", edge)
        canvas.put(x, y + 2, f"{side}   {side}", edge)
        canvas.put(x, y + 3, bottom, edge)
        canvas.put(x + 1, y + 1, rank, style)
        canvas.put(x + 3, y + 2, suit, style)

    def hand(self, view: View) -> list[Line]:
        """The own hand side by side; cards that may not be played are dim, the others have their number."""
        hand, playable = view.hand, view.playable
        if not hand:
            return []
        canvas = Canvas(5 if playable else 4)
        left = (WIDTH - len(hand) * (_CARD + 1) + 1) // 2
        for place, card in enumerate(hand):
            x = left + place * (_CARD + 1)
            self.card(canvas, x, 0, card, barred=bool(playable) and card not in playable)
            if card in playable:
                canvas.put(x + 2, 4, str(place + 1), "turn")
        return canvas.lines()

    def table(self, view: View, seconds: int | None) -> list[Line]:
        """The heading, the four seats round the trick, and the own hand."""
        me = view.seat or 0
        left, top, right = ((me + step) % 4 for step in (1, 2, 3))
        trick = {played["seat"]: played["card"] for played in view.play["trick"]} if view.play else {}
        words = {} if trick else last_words(view, self._texts)
        canvas = Canvas(12 if trick else 9)
        middle, bottom = (5, 10) if trick else (4, 7)
        self._label(canvas, view, top, 0, None)
        self._label(canvas, view, left, middle, 1)
        self._label(canvas, view, right, middle, WIDTH - 2)
        self._label(canvas, view, me, bottom, None)
        centre = (WIDTH - _CARD) // 2
        places = {top: (centre, 2), left: (centre - 9, 4), right: (centre + 9, 4), me: (centre, 6)}
        for seat, (x, y) in places.items():
            if seat in trick:
                self.card(canvas, x, y, trick[seat])
        for seat, (x, y) in {top: (-1, 2), left: (1, 6), right: (WIDTH - 2, 6), me: (-1, 6)}.items():
            self._aligned(canvas, x, y, [("turn", f"“{words[seat]}”")] if seat in words else [])
        return [*self._head(view, seconds), *canvas.lines(), *self.hand(view)]

    def _head(self, view: View, seconds: int | None) -> list[Line]:
        facts = [standing_game(view, self._texts), doublings(view, self._texts)]
        if seconds is not None:
            facts.append(self._texts("table.deadline", seconds=seconds))
        second = " · ".join(fact for fact in facts if fact)
        lines: list[Line] = [[("title", shorten(" · ".join(heading(view, self._texts)), WIDTH))]]
        return lines + ([[("turn", shorten(second, WIDTH))]] if second else [])

    def _label(self, canvas: Canvas, view: View, seat: int, y: int, x: int | None) -> None:
        """Who sits there and what is to be seen of the seat, in two rows."""
        play, texts = view.play, self._texts
        name = shorten(view.names[seat] or texts("table.empty"), 20)
        turn = play is not None and play["turn"] == seat
        first: Line = [("turn", self._mark)] if turn else []
        first.append(("turn" if turn else "title" if view.names[seat] else "dim", name))
        if play is not None and play["dealer"] == seat:
            first.append(("dim", " " + texts("table.dealer_mark")))
        at = -1 if x is None else x
        self._aligned(canvas, at, y, first)
        self._aligned(canvas, at, y + 1, self._facts(view, seat))

    def _facts(self, view: View, seat: int) -> Line:
        play, texts = view.play, self._texts
        facts: list[tuple[str, str]] = []
        if view.names[seat] is not None and not view.here(seat):
            facts.append(("warn", texts("table.away")))
        if view.stage != "deal" or play is None:
            if view.public["ready"][seat]:
                facts.append(("good", texts("table.ready")))
            return _spaced(facts)
        if side := view.sides[seat]:
            facts.append((side, texts(f"side.{side}")))
        if play["cards"][seat]:
            facts.append(("dim", self._back * play["cards"][seat]))
        if play["taken"][seat]:
            key = "table.taken_hidden" if play["eyes"] is None else "table.taken"
            eyes = play["eyes"][seat] if play["eyes"] else None
            facts.append(("", texts(key, taken=play["taken"][seat], eyes=eyes)))
        return _spaced(facts)

    def _aligned(self, canvas: Canvas, x: int, y: int, line: Line) -> None:
        """At the left from column 1, centred at -1, else ending at the column."""
        columns = sum(width(text) for _, text in line)
        if x < 0:
            x = (WIDTH - columns) // 2
        elif x > _SIDE_LABEL:
            x -= columns - 1
        canvas.put_line(x, y, line)


def _spaced(facts: list[tuple[str, str]]) -> Line:
    line: Line = []
    for fact in facts:
        line += [("", "  "), fact] if line else [fact]
    return line
