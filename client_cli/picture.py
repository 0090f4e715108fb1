"""The table as a small picture of at most 78 columns: you at the bottom, play goes clockwise.

The picture is made on a canvas of cells; the caller prints its lines.
"""

from dataclasses import dataclass
from typing import Final

from client_cli.cards import SUITS, Face
from client_cli.catalogue import Catalogue
from client_cli.clean import shorten, width
from client_cli.company import absence
from client_cli.company_text import clocks, paused
from client_cli.sentences import doublings, heading, last_words, shown, standing_game
from client_cli.style import SUIT_STYLES, Line, Look, wrap
from client_cli.view import View

WIDTH: Final = 78
_CARD: Final = 5
_CARD_X: Final = (WIDTH - _CARD) // 2
_CENTRE: Final = WIDTH // 2
_LEFT: Final = _CARD_X - 10
_RIGHT: Final = _CARD_X + _CARD + 10


class Canvas:
    """A rectangle of cells; what is put later lies on top."""

    def __init__(self, height: int) -> None:
        self._cells = [[("", " ")] * WIDTH for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Writes a text from a cell to the right; what does not fit is cut off."""
        for char in text:
            columns = width(char)
            if columns and x >= 0 and x + columns <= WIDTH:
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
        rank, suit = self._face(card)[:-1], self._face(card)[-1]
        style = "dim" if barred else SUIT_STYLES[SUITS[card[1]]]
        self._outline(canvas, x, y, "dim" if barred else "")
        canvas.put(x + 1, y + 1, rank, style)
        canvas.put(x + 3, y + 2, suit, style)

    def _outline(self, canvas: Canvas, x: int, y: int, style: str) -> None:
        top, side, bottom = self._box
        for row, text in enumerate((top, f"{side}   {side}", f"{side}   {side}", bottom)):
            canvas.put(x, y + row, text, style)

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

    def table(self, view: View, now: int) -> list[Line]:
        """The heading, the four seats round what lies on the table or was said, and the own hand."""
        playing = view.play is not None and view.play["phase"] == "play"
        me = view.seat or 0
        left, top, right = ((me + step) % 4 for step in (1, 2, 3))
        canvas = Canvas(12 if playing else 9)
        middle, bottom = (5, 10) if playing else (4, 7)
        labels = {top: _Place(_CENTRE, 0), left: _Place(_LEFT, middle), right: _Place(_RIGHT, middle)}
        for seat, place in (labels | {me: _Place(_CENTRE, bottom)}).items():
            self._label(canvas, view, seat, place)
        if playing:
            self._trick(
                canvas, view, {top: (_CARD_X, 2), left: (_CARD_X - 8, 4), right: (_CARD_X + 8, 4), me: (_CARD_X, 6)}
            )
        else:
            words = last_words(view, self._texts)
            places = {top: _Place(_CENTRE, 2), left: _Place(_LEFT, 6), right: _Place(_RIGHT, 6), me: _Place(_CENTRE, 6)}
            for seat, place in places.items():
                place.put(canvas, 0, [("turn", self._texts("table.speech", what=words[seat]))] if seat in words else [])
        return [*self._head(view, now), *canvas.lines(), *self.hand(view)]

    def _trick(self, canvas: Canvas, view: View, places: dict[int, tuple[int, int]]) -> None:
        """The cards of the trick, and an empty place for the one that is awaited."""
        assert view.play is not None
        if (turn := view.play["turn"]) in places:
            self._outline(canvas, *places[turn], "dim")
        for played in view.play["trick"]:
            self.card(canvas, *places[played["seat"]], played["card"])

    def _head(self, view: View, now: int) -> list[Line]:
        texts, seconds = self._texts, view.seconds(now)
        facts = [paused(view, texts, now).rstrip("."), standing_game(view, texts), doublings(view, texts)]
        if seconds is not None:
            facts.append(texts("table.deadline", seconds=seconds))
        facts.append(shown(view, texts, self._face))
        facts.append(texts("table.shuffling_short") if view.phase == "opening" else "")
        running = clocks(view, texts, now)
        facts.append(texts("company.clocks", clocks=running).rstrip(".") if running else "")
        second = " · ".join(fact for fact in facts if fact)
        lines: list[Line] = [[("title", shorten(" · ".join(heading(view, texts)), WIDTH))]]
        return lines + (wrap([("turn", second)], WIDTH) if second else [])

    def _label(self, canvas: Canvas, view: View, seat: int, place: "_Place") -> None:
        """Who sits there and what is to be seen of the seat, in two rows."""
        play, texts, marks = view.play, self._texts, list[tuple[str, str]]()
        if view.bot(seat):
            marks.append(("dim", " " + texts("table.bot_mark")))
        gone = absence(view, seat)
        if gone is not None:
            marks.append(("warn", " " + texts("table.stand_in_mark" if gone["stand_in"] else "table.absent_mark")))
        if play is not None and play["dealer"] == seat:
            marks.append(("dim", " " + texts("table.dealer_mark")))
        turn = play is not None and view.stage == "deal" and play["turn"] == seat
        room = _LEFT - width(self._mark) - sum(width(text) for _, text in marks)
        name = shorten(view.names[seat] or texts("table.empty"), min(20, room))
        first: Line = [("turn", self._mark)] if turn else []
        first.append(("turn" if turn else "title" if view.names[seat] else "dim", name))
        place.put(canvas, 0, first + marks)
        place.put(canvas, 1, self._facts(view, seat))

    def _facts(self, view: View, seat: int) -> Line:
        play, texts = view.play, self._texts
        facts: list[tuple[str, str]] = []
        if view.names[seat] is not None and not view.here(seat) and absence(view, seat) is None:
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a seat's lines go: ending at `_LEFT`, beginning at `_RIGHT`, or round `_CENTRE`."""

    x: int
    y: int

    def put(self, canvas: Canvas, row: int, line: Line) -> None:
        columns = sum(width(text) for _, text in line)
        x = self.x
        if x == _LEFT:
            x -= columns
        elif x == _CENTRE:
            x -= columns // 2
        canvas.put_line(max(0, x), self.y + row, line)


def _spaced(facts: list[tuple[str, str]]) -> Line:
    line: Line = []
    for fact in facts:
        line += [("", "  "), fact] if line else [fact]
    return line
