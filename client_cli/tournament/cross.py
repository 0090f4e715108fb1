"""The cross table and the comparison of the same cards, in at most 79 columns, or in sentences for a pipe."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name, pad, pad_left
from client_cli.style import Line, Look, dress
from client_cli.tournament.points import big_points, small_points
from client_cli.tournament.words import line_kind, seat_word
from client_cli.view import Message

_WIDTH: Final = 79
_NAME: Final = 17
_CELL: Final = 14
_ROUNDS: Final = 4
_MOST_MET: Final = 18
"""Up to so many entrants stand in the table of who has met whom; of more only who has met again is told."""
_PLAYED: Final = "played"


class CrossTable:
    """Draws both for one kind of terminal, in one language. `own` is the reader's number among the entrants."""

    def __init__(self, texts: Catalogue, look: Look) -> None:
        self._texts = texts
        self._look = look

    def cross(self, page: Message, title: str, own: int | None) -> list[Line]:
        """For each entrant, round by round, the table and what he scored there; and who has met whom."""
        rows: list[Message] = page["rows"]
        lines: list[Line] = [[("title", title)]]
        rounds = max((len(row["rounds"]) for row in rows), default=0)
        if not rounds:
            return [*lines, dress(self._texts("tournament.no_result_yet"))]
        if not self._look.rich:
            return lines + [self._sentence(row, own) for row in rows] + self._again(page)
        for start in range(0, rounds, _ROUNDS):
            lines += self._block(rows, range(start, min(rounds, start + _ROUNDS)), own)
        lines.append(dress(self._texts("standings.cross_note"), "dim"))
        return lines + (self._met(page) if len(rows) <= _MOST_MET else self._again(page))

    def _block(self, rows: Sequence[Message], rounds: range, own: int | None) -> list[Line]:
        heads = "".join(pad_left(self._texts("standings.round", round=one + 1), _CELL) for one in rounds)
        lines: list[Line] = [[("title", " " * (6 + _NAME) + heads)], self._rule()]
        for row in rows:
            mine = row["entrant"] == own
            mark = ("▶ " if self._look.unicode else "> ") if mine else "  "
            name = pad(clean_name(row["name"]), _NAME - 1) + " "
            cells = "".join(pad_left(self._cell(row, one), _CELL) for one in rounds)
            lines.append([("turn" if mine else "", f"{pad_left(clean(row['rank'], 4), 4)}{mark}{name}{cells}")])
        return lines

    def _rule(self) -> Line:
        return [("dim", ("─" if self._look.unicode else "-") * _WIDTH)]

    def _cell(self, row: Message, index: int) -> str:
        """What an entrant has of a round: `3: 4 +14`; a bye and the like by a word."""
        cell = row["rounds"][index] if index < len(row["rounds"]) else None
        if cell is None:
            return "-"
        if cell["kind"] is None:
            return f"{cell['table']}: ..."
        where = f"{cell['table']}:" if cell["kind"] == _PLAYED else self._texts(f"line_short.{cell['kind']}")
        return f"{where} {self._points(cell)}"

    def _points(self, cell: Message) -> str:
        return f"{big_points(cell['big'], unicode=self._look.unicode)} {small_points(cell['small'])}"

    def _sentence(self, row: Message, own: int | None) -> Line:
        told = []
        for number, cell in enumerate(row["rounds"], start=1):
            if cell is not None and cell["kind"] is not None:
                shown = {"round": number, "table": cell["table"], "points": self._points(cell)}
                key = "standings.cross_at" if cell["kind"] == _PLAYED else "standings.cross_kind"
                told.append(self._texts(key, kind=line_kind(self._texts, cell["kind"]), **shown))
        text = f"{clean(row['rank'], 4)}. {clean_name(row['name'])}: {'; '.join(told) or '-'}."
        return [("turn" if row["entrant"] == own else "", text)]

    def _met(self, page: Message) -> list[Line]:
        """How often each two have met, in the order of the standings."""
        rows, meetings = page["rows"], page["meetings"]
        heads = "".join(pad_left(clean(row["entrant"], 3), 3) for row in rows)
        lines: list[Line] = [[], [("title", self._texts("standings.met"))], [("dim", " " * (6 + _NAME) + heads)]]
        for place, row in enumerate(rows):
            counts = "".join(
                pad_left("·" if other == place else str(meetings[place][other] or "-"), 3) for other in range(len(rows))
            )
            name = f"{pad_left(clean(row['entrant'], 4), 4)}  {pad(clean_name(row['name']), _NAME)}"
            lines.append([("", f"{name}{counts}")])
        return lines

    def _again(self, page: Message) -> list[Line]:
        """Who has met more than once."""
        rows, meetings = page["rows"], page["meetings"]
        pairs = [
            f"{clean_name(rows[one]['name'])} - {clean_name(rows[other]['name'])} {meetings[one][other]}"
            for one in range(len(rows))
            for other in range(one + 1, len(rows))
            if meetings[one][other] > 1
        ]
        return [dress(self._texts("standings.met_again", pairs=", ".join(pairs)))] if pairs else []

    # ---- the same cards

    def comparison(self, page: Message, title: str, own: int | None) -> list[Line]:
        """Every seat against the same seat at the other tables; the reader's own one deal by deal."""
        texts, lines = self._texts, list[Line]([[("title", title)]])
        seats = [one for one in page["seats"] if one["most"]]
        if not seats:
            return [*lines, dress(texts("comparison.none"))]
        seats.sort(key=lambda one: -Fraction(one["points"], one["most"]))
        for place, one in enumerate(seats, start=1):
            mine = own is not None and one["entrant"] == own
            name = texts("tournament.house_bot") if one["entrant"] is None else clean_name(one["name"])
            shown = {"place": place, "name": name, "table": one["table"], "seat": seat_word(texts, one["seat"])}
            text = texts("comparison.line", points=one["points"], most=one["most"], **shown)
            lines.append([("turn" if mine else "", text)])
        for one in seats:
            if own is not None and one["entrant"] == own:
                lines += [[("", f"  {self._deal(deal)}")] for deal in one["deals"]]
        return [*lines, dress(texts("comparison.how"), "dim")]

    def _deal(self, deal: Message) -> str:
        shown = {"deal": deal["deal"], "points": deal["points"]}
        return self._texts("comparison.deal", money=small_points(deal["money"]), **shown)
