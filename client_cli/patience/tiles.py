"""Cards as small boxes on a canvas, five columns wide and three rows high, with their pile's name in the upper edge."""

from typing import Final

from client_cli.cards import SUITS, Face
from client_cli.clean import pad_left, width
from client_cli.picture import Canvas
from client_cli.style import SUIT_STYLES, Line, Look

WIDTH: Final = 6
"""A box with the blank behind it."""
HEIGHT: Final = 3


class Tiles:
    """Draws boxes for one kind of terminal."""

    def __init__(self, face: Face, look: Look) -> None:
        self._face = face
        self._corners = ("╭", "╮", "╰", "╯") if look.unicode else ("+", "+", "+", "+")
        self._edge, self._side = ("─", "│") if look.unicode else ("-", "|")
        self._back = "▒" if look.unicode else "#"
        self.last = ("▸", "◂") if look.unicode else (">", "<")

    def card(self, card: str) -> Line:
        """A card three columns wide in its suit's colour."""
        return [(SUIT_STYLES[SUITS[card[1]]], pad_left(self._face(card), 3))]

    def box(self, canvas: Canvas, x: int, y: int, name: str, inside: Line, below: str = "", style: str = "dim") -> None:
        """A box with a name in its upper edge, what lies in it, and a count in its lower edge."""
        left, right, low_left, low_right = self._corners
        canvas.put(x, y, left + self._edge * 3 + right, style)
        canvas.put(x + 1, y, name[:3], "title")
        canvas.put(x, y + 1, self._side + "   " + self._side, style)
        canvas.put_line(x + 1, y + 1, inside)
        canvas.put(x, y + 2, low_left + self._edge * 3 + low_right, style)
        canvas.put(x + 4 - width(below), y + 2, below, "title")

    def place(self, canvas: Canvas, x: int, y: int, name: str, card: str | None, below: str = "") -> None:
        """A pile by its top card; an empty place is an empty box."""
        self.box(canvas, x, y, name, [] if card is None else self.card(card), below, "dim" if card is None else "")

    def closed(self, canvas: Canvas, x: int, y: int, name: str, count: int) -> None:
        """Cards that lie face down, with their number; none is an empty box."""
        inside: Line = [("dim", self._back * 3)] if count else []
        self.box(canvas, x, y, name, inside, str(count), "" if count else "dim")

    def open_row(self, canvas: Canvas, x: int, y: int, cards: tuple[str, ...], rows: int = 1, each: int = 14) -> None:
        """Cards side by side from the bottom one on, the last, free one between marks; in as many rows as given."""
        for place, card in enumerate(cards):
            at, row = x + place % each * 4, y + place // each
            if row < y + rows:
                canvas.put_line(at + 1, row, self.card(card))
            if place == len(cards) - 1:
                shown = width(self._face(card))
                canvas.put(at + 3 - shown, row, self.last[0], "turn")
                canvas.put(at + 4, row, self.last[1], "turn")
