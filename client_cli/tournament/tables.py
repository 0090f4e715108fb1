"""Standings and the tables of a round, drawn in at most 79 columns, or in sentences for a pipe."""

from collections.abc import Callable, Sequence
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name, pad, pad_left
from client_cli.style import Line, Look, dress
from client_cli.tournament.points import big_points, small_points
from client_cli.tournament.words import line_kind, person
from client_cli.view import Message

_WIDTH: Final = 79
_NAME: Final = 26
_TEAM: Final = 15
_NUMBER: Final = 8
_SEAT: Final = 18
_ROUND_HEAD: Final = 6
_PLAYED: Final = "played"


class Tables:
    """Draws for one kind of terminal, in one language. `own` is the reader's number among the entrants."""

    def __init__(self, texts: Catalogue, look: Look) -> None:
        self._texts = texts
        self._look = look

    # ---- standings

    def standings(self, page: Message, title: str, own: int | None) -> list[Line]:
        """Who stands where; below, what is no table's result: byes, missed rounds, forfeits, penalties."""
        texts, rows = self._texts, page["rows"]
        lines: list[Line] = [[("title", title)]]
        if not rows:
            return [*lines, dress(texts("tournament.nobody_entered"))]
        if self._look.rich:
            teams = any(row["team"] for row in rows)
            lines += [self._head(teams=teams), self._rule()]
            lines += [self._row(row, own, teams=teams) for row in rows]
        else:
            lines += [self._sentence(row, own) for row in rows]
        return lines + self._apart(rows, own) + self._teams(page["teams"])

    def _head(self, *, teams: bool) -> Line:
        texts = self._texts
        names = pad(texts("standings.name"), _NAME) + (pad(texts("standings.team"), _TEAM) if teams else "")
        columns = "".join(pad_left(texts(f"standings.{one}"), _NUMBER) for one in ("big", "small", "won", "seconds"))
        return [("title", f"{pad_left(texts('standings.rank'), 4)}  {names}{columns}".rstrip())]

    def _rule(self) -> Line:
        return [("dim", ("─" if self._look.unicode else "-") * _WIDTH)]

    def _row(self, row: Message, own: int | None, *, teams: bool) -> Line:
        mine = row["entrant"] == own
        names = pad(clean_name(row["name"]), _NAME - 1) + " "
        names += pad(clean(row["team"], _TEAM - 1), _TEAM) if teams else ""
        cells = (self._big(row["big"]), small_points(row["small"]), clean(row["won"], 6), clean(row["seconds"], 6))
        numbers = "".join(pad_left(cell, _NUMBER) for cell in cells)
        return [
            ("turn" if mine else "", f"{pad_left(clean(row['rank'], 4), 4)}{self._mark(mine=mine)}{names}{numbers}")
        ]

    def _mark(self, *, mine: bool) -> str:
        return ("▶ " if self._look.unicode else "> ") if mine else "  "

    def _sentence(self, row: Message, own: int | None) -> Line:
        mine = row["entrant"] == own
        name = clean_name(row["name"]) + (f" ({clean(row['team'], 24)})" if row["team"] else "")
        shown = {"rank": clean(row["rank"], 4), "name": name, "big": self._big(row["big"])}
        shown |= {"small": small_points(row["small"]), "won": row["won"], "seconds": row["seconds"]}
        return [("turn" if mine else "", self._texts("standings.line_you" if mine else "standings.line", **shown))]

    def _apart(self, rows: Sequence[Message], own: int | None) -> list[Line]:
        """The lines of accounts that no table has made, one by one."""
        lines: list[Line] = []
        for row in rows:
            for line in row["lines"]:
                if line["kind"] == _PLAYED or (line["kind"] == "missed" and not line["small"] and line["big"] == "0"):
                    continue
                shown = {
                    "name": clean_name(row["name"]),
                    "kind": line_kind(self._texts, line["kind"]),
                    "round": line["round"],
                }
                shown |= {"big": self._big(line["big"]), "small": small_points(line["small"])}
                key = "standings.apart" if line["round"] else "standings.apart_no_round"
                lines.append([("turn" if row["entrant"] == own else "", f"  {self._texts(key, **shown)}")])
        return [[], [("title", self._texts("standings.apart_title"))], *lines] if lines else []

    def _teams(self, teams: Sequence[Message]) -> list[Line]:
        texts = self._texts
        lines: list[Line] = [[], [("title", texts("standings.teams"))]] if teams else []
        for team in teams:
            shown = {
                "rank": "-" if team["rank"] is None else team["rank"],
                "team": clean(team["team"], 24),
                "big": self._big(team["big"]),
            }
            shown["small"] = small_points(team["small"])
            if self._look.rich:
                name = pad(str(shown["team"]), _NAME)
                numbers = pad_left(str(shown["big"]), _NUMBER) + pad_left(str(shown["small"]), _NUMBER)
                lines.append([("", f"{pad_left(str(shown['rank']), 4)}  {name}{numbers}")])
            else:
                lines.append(dress(texts("standings.team_line", **shown)))
        return lines

    def _big(self, points: object) -> str:
        return big_points(points, unicode=self._look.unicode)

    # ---- a round

    def round(self, page: Message, title: str, own: int | None) -> list[Line]:
        """The tables of a round with their results, and the byes."""
        texts = self._texts
        lines: list[Line] = [[("title", title)]]
        draw: Callable[[Message, int | None], list[Line]] = self._drawn if self._look.rich else self._told
        for table in page["tables"]:
            lines += draw(table, own)
        if page["byes"]:
            names = texts.join([clean_name(one["name"]) for one in page["byes"]])
            lines.append(dress(texts("tournament.byes", names=names)))
        return lines

    def _drawn(self, table: Message, own: int | None) -> list[Line]:
        mine = any(one is not None and one["entrant"] == own for one in table["seats"])
        style, result = "turn" if mine else "", table["result"]
        head = f"{self._mark(mine=mine)}{clean(table['number'], 3)}"
        names = "".join(pad(person(self._texts, one), _SEAT - 1) + " " for one in table["seats"])
        rows: list[Line] = [[(style, (pad(head, _ROUND_HEAD) + names).rstrip())]]
        if result is not None and result["big"]:
            scored = "".join(pad(cell, _SEAT) for cell in self._scored(result))
            rows.append([("", (" " * _ROUND_HEAD + scored).rstrip())])
        return rows + [[("dim", " " * _ROUND_HEAD + note)] for note in self._notes(table)]

    def _scored(self, result: Message) -> list[str]:
        return [
            f"{self._big(big)} {small_points(small)}" for big, small in zip(result["big"], result["small"], strict=True)
        ]

    def _told(self, table: Message, own: int | None) -> list[Line]:
        mine = any(one is not None and one["entrant"] == own for one in table["seats"])
        names, result = [person(self._texts, one) for one in table["seats"]], table["result"]
        if result is not None and result["big"]:
            names = [f"{name} {scored}" for name, scored in zip(names, self._scored(result), strict=True)]
        notes = "".join(f" {note}" for note in self._notes(table))
        text = self._texts("tournament.table_line", table=clean(table["number"], 4), people=", ".join(names)) + notes
        return [[("turn" if mine else "", text)]]

    def _notes(self, table: Message) -> list[str]:
        """What is to be said of a table beside its points."""
        texts, result, notes = self._texts, table["result"], []
        if result is None:
            notes.append(texts("result_kind.paper_open" if table["paper"] else "result_kind.playing"))
        elif result["kind"] == "forfeit":
            who = [person(texts, table["seats"][seat]) for seat in result["forfeited"]]
            notes.append(texts("result_kind.forfeit", names=texts.join(who)))
        elif result["kind"] in ("paper", "corrected"):
            notes.append(texts(f"result_kind.{result['kind']}"))
        if table["annulled"]:
            notes.append(texts("result_kind.annulled", deals=", ".join(clean(one, 6) for one in table["annulled"])))
        return notes
