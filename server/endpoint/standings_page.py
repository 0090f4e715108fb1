"""A tournament as one page of HTML: to be read on a phone, printed, or handed on as a link.

Pure: no script, nothing to load; its answer must have the headers `standings_style.PAGE_HEADERS`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from server.endpoint.standings_parts import (
    Head,
    caption,
    group,
    headings,
    name,
    note,
    points,
    scrolled,
    section,
    unseen_caption,
)
from server.endpoint.standings_style import STYLE
from server.endpoint.standings_texts import TEXTS, Language, Texts
from server.tournament.cross_table import CrossCell, CrossRow, CrossTable, cross_table
from server.tournament.export import fraction_text, small_text
from server.tournament.scoring import table_scores
from server.tournament.standings import Account, LineKind, ScoreLine, Standing, TeamStanding, standings, team_standings

MOST_MEETINGS: Final = 32
"""The matrix of meetings is left out for more entrants than this: no sheet of paper holds it."""
ROUNDS_IN_A_LINE: Final = 7
"""Up to so many rounds, paper has room for a line for each entrant in the cross table."""
_NONE: Final = "–"


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of a round: its entrants by seat (None: a house bot), and their small points if it was played out."""

    number: int
    seats: tuple[int | None, ...]
    small: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class _Sheet:
    """What the parts of the page are made from."""

    texts: Texts
    rows: tuple[Standing, ...]
    scale: tuple[int, ...]
    names: Mapping[int, str]
    lines: Mapping[tuple[int, int], ScoreLine]

    def name(self, entrant: int | None) -> str:
        """The entrant's name, as HTML; a house bot's where there is none."""
        if entrant is None:
            return f"<i>{escape(self.texts.bot)}</i>"
        return name(self.names.get(entrant, f"{entrant}"))

    def line(self, entrant: int | None, number: int) -> ScoreLine | None:
        """The entrant's line of a round."""
        return None if entrant is None else self.lines.get((entrant, number))


def standings_page(
    title: str,
    subtitle: str,
    accounts: Iterable[Account],
    rounds: Sequence[Sequence[SeatedTable]],
    *,
    scale: tuple[int, ...],
    team_size: int,
    language: Language,
) -> str:
    """The whole page: standings, teams, rounds, lines beside the tables, cross table, meetings.

    `rounds` has the tables of each round placed so far, from number 1 on; `team_size` is 1 where there are no teams.
    All texts may be anything: they are escaped.
    """
    accounts = tuple(accounts)
    sheet = _sheet(accounts, scale, TEXTS[language])
    texts = sheet.texts
    teams = team_standings(accounts, team_size) if team_size > 1 else ()
    cross = cross_table(accounts, [[table.seats for table in tables] for tables in rounds])
    sections = {
        "standings": (texts.standings, _standings(sheet)),
        "teams": (texts.teams, _teams(sheet, teams)),
        "rounds": (texts.rounds, _rounds(sheet, rounds)),
        "apart": (texts.apart, _apart(sheet)),
        "cross": (texts.cross, _cross(sheet, cross, len(rounds))),
        "meetings": (texts.meetings, _meetings(sheet, cross) if rounds else ""),
    }
    shown = [(anchor, heading, body) for anchor, (heading, body) in sections.items() if body]
    links = "".join(f'<a href="#{anchor}">{escape(heading)}</a>' for anchor, heading, _ in shown)
    main = "\n".join(section(anchor, heading, body) for anchor, heading, body in shown)
    return f"""<!DOCTYPE html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{escape(title)}</title>
<style>{STYLE}</style>
</head>
<body>
<header><h1>{name(title)}</h1><p>{name(subtitle)}</p></header>
<nav aria-label="{escape(texts.contents)}">{links}</nav>
<main>
{main}
</main>
</body>
</html>
"""


def _sheet(accounts: Iterable[Account], scale: tuple[int, ...], texts: Texts) -> _Sheet:
    rows = standings(accounts)
    lines = {(row.entrant, line.round): line for row in rows for line in row.lines if line.kind is not LineKind.PENALTY}
    return _Sheet(texts, rows, scale, {row.entrant: row.name for row in rows}, lines)


def _sums(row: Standing | TeamStanding) -> str:
    return (
        f'<td class="n b">{fraction_text(row.big)}</td><td class="n">{small_text(row.small)}</td>'
        f'<td class="n">{row.won}</td><td class="n">{row.seconds}</td>'
    )


def _of_sums(texts: Texts) -> tuple[Head, ...]:
    won, seconds = ("n", texts.won_short, texts.won), ("n", texts.seconds_short, texts.seconds)
    return (("n", texts.big), ("n", texts.small), won, seconds)


def _standings(sheet: _Sheet) -> str:
    texts = sheet.texts
    if not sheet.rows:
        return f"<p>{escape(texts.nobody)}</p>"
    lines = "\n".join(
        f'<tr><td class="n">{row.rank}</td><th scope="row">{name(row.name)}'
        f"{f'<small>{name(row.team)}</small>' if row.team else ''}</th>{_sums(row)}</tr>"
        for row in sheet.rows
    )
    heads = headings(("n", texts.rank), ("", texts.player), *_of_sums(texts))
    table = f'<table class="list">{unseen_caption(texts.standings)}{heads}<tbody>\n{lines}\n</tbody></table>\n'
    return note(texts.order) + table


def _teams(sheet: _Sheet, teams: Sequence[TeamStanding]) -> str:
    if not teams:
        return ""
    texts = sheet.texts
    lines = "\n".join(
        f'<tr><td class="n">{row.rank or _NONE}</td><th scope="row">{name(row.team)}'
        f"<small>{', '.join(name(member.name) for member in row.members)}"
        f"{'' if row.complete else f' – {escape(texts.incomplete)}'}</small></th>{_sums(row)}</tr>"
        for row in teams
    )
    heads = headings(("n", texts.rank), ("", texts.team), *_of_sums(texts))
    return f'<table class="list">{unseen_caption(texts.teams)}{heads}<tbody>\n{lines}\n</tbody></table>\n'


def _rounds(sheet: _Sheet, rounds: Sequence[Sequence[SeatedTable]]) -> str:
    if not rounds:
        return ""
    texts = sheet.texts
    heads = headings(("t", texts.table), ("", texts.player), ("n", texts.place), ("n", texts.small), ("n", texts.big))
    tables = "".join(
        f"<table>{caption(f'{texts.round} {number}')}{heads}"
        f"{''.join(_group(sheet, number, table) for table in tables)}{_away(sheet, number)}</table>\n"
        for number, tables in enumerate(rounds, start=1)
    )
    return f'<div class="rounds">\n{tables}</div>\n'


def _group(sheet: _Sheet, number: int, table: SeatedTable) -> str:
    """The seats of a table, one row each."""
    scores = None if table.small is None else table_scores(table.small, sheet.scale)
    rows = []
    for seat, entrant in enumerate(table.seats):
        line = sheet.line(entrant, number)
        if scores is not None and table.small is not None and (line is None or line.kind is LineKind.PLAYED):
            place, big = scores[seat]
            cells = points(f"{place}", small_text(table.small[seat]), fraction_text(big))
        elif line is not None:
            cells = _of_line(sheet, line)
        else:
            cells = points(_NONE, _NONE, _NONE)
        rows.append(f"<td>{sheet.name(entrant)}</td>{cells}")
    running = scores is None and all(sheet.line(entrant, number) is None for entrant in table.seats)
    state = f"<small>{escape(sheet.texts.in_play)}</small>" if running else ""
    return group(f"{table.number}{state}", rows)


def _away(sheet: _Sheet, number: int) -> str:
    """Those who sat at no table of a round."""
    rows = [
        f"<td>{name(row.name)}</td>{_of_line(sheet, line)}"
        for row in sheet.rows
        for line in row.lines
        if line.round == number and line.kind in {LineKind.BYE, LineKind.MISSED}
    ]
    return group(_NONE, rows) if rows else ""


def _of_line(sheet: _Sheet, line: ScoreLine) -> str:
    kind = f'<span class="k">{escape(sheet.texts.kinds[line.kind])}</span>'
    return points(kind, small_text(line.small), fraction_text(line.big))


def _apart(sheet: _Sheet) -> str:
    """Every line that was not played, by round."""
    texts = sheet.texts
    lines = [(line, row) for row in sheet.rows for line in row.lines if line.kind is not LineKind.PLAYED]
    if not lines:
        return ""
    rows = "\n".join(
        f'<tr><td>{line.round or _NONE}</td><th scope="row">{name(row.name)}</th>'
        f'<td class="k">{escape(texts.kinds[line.kind])}</td>'
        f'<td class="n">{small_text(line.small)}</td><td class="n b">{fraction_text(line.big)}</td></tr>'
        for line, row in sorted(lines, key=lambda one: (one[0].round == 0, one[0].round))
    )
    heads = headings(("", texts.round), ("", texts.player), ("", texts.what), ("n", texts.small), ("n", texts.big))
    return f'<table class="list">{unseen_caption(texts.apart)}{heads}<tbody>\n{rows}\n</tbody></table>\n'


def _cross(sheet: _Sheet, cross: CrossTable, rounds: int) -> str:
    if not rounds:
        return ""
    texts = sheet.texts
    numbers = (("n", f"{texts.round_short}{number}", f"{texts.round} {number}") for number in range(1, rounds + 1))
    heads = headings(("", texts.player), *numbers, ("n", texts.total))
    rows = "\n".join(_cross_row(sheet, row) for row in cross.rows)
    table = f"<table>{unseen_caption(texts.cross)}{heads}<tbody>\n{rows}\n</tbody></table>\n"
    return note(texts.cell) + scrolled("cross" if rounds <= ROUNDS_IN_A_LINE else "cross many", texts.cross, table)


def _cross_row(sheet: _Sheet, row: CrossRow) -> str:
    one = row.standing
    cells = "".join(_cross_cell(sheet, cell) for cell in row.rounds)
    total = f"<td><b>{fraction_text(one.big)}</b> <small>{small_text(one.small)}</small>{_penalties(sheet, row)}</td>"
    return f'<tr><th scope="row">{one.rank}. {name(one.name)}</th>{cells}{total}</tr>'


def _cross_cell(sheet: _Sheet, cell: CrossCell | None) -> str:
    if cell is None:
        return f"<td>{_NONE}</td>"
    where = "" if cell.table is None else f"{escape(sheet.texts.table_short)}\N{NO-BREAK SPACE}{cell.table}"
    if cell.line is None:
        return f"<td>… <small>{where}</small></td>"
    if cell.line.kind is not LineKind.PLAYED:
        where = f'<span class="k">{escape(sheet.texts.kinds[cell.line.kind])}</span>'
    big, small = fraction_text(cell.line.big), small_text(cell.line.small)
    return f"<td><b>{big}</b> <small>{small}</small> <small>{where}</small></td>"


def _penalties(sheet: _Sheet, row: CrossRow) -> str:
    word = escape(sheet.texts.kinds[LineKind.PENALTY])
    return "".join(
        f' <small class="k">{word} {fraction_text(line.big)} / {small_text(line.small)}</small>'
        for line in row.penalties
    )


def _meetings(sheet: _Sheet, cross: CrossTable) -> str:
    if len(cross.rows) > MOST_MEETINGS:
        return ""
    texts = sheet.texts
    heads = headings(
        ("", texts.player), *(("", str(at), row.standing.name) for at, row in enumerate(cross.rows, start=1))
    )
    rows = "\n".join(
        f'<tr><th scope="row">{at + 1}. {name(row.standing.name)}</th>{"".join(_met(cross.meetings[at], at))}</tr>'
        for at, row in enumerate(cross.rows)
    )
    table = f"<table>{unseen_caption(texts.meetings)}{heads}<tbody>\n{rows}\n</tbody></table>\n"
    return note(texts.met) + scrolled("met", texts.meetings, table)


def _met(meetings: Sequence[int], self: int) -> Iterator[str]:
    for other, times in enumerate(meetings):
        yield '<td class="self"></td>' if other == self else f'<td class="m{min(times, 2)}">{times}</td>'
