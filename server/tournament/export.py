"""Standings as text for people, as CSV (RFC 4180) and as plain data for JSON."""

import csv
import io
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from server.games.game import Plain
from server.tournament.standings import LineKind, ScoreLine, Standing, TeamStanding

MINUS: Final = "\N{MINUS SIGN}"
_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
_FORMULA: Final = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
_FORMULA_WIDE: Final = ("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")
_COLUMNS: Final = (
    *("rank", "number", "name", "team", "big", "big_decimal", "small", "won", "seconds"),
    *("penalty_big", "penalty_small", "remarks"),
)


def fraction_text(value: Fraction) -> str:
    """Big points as people write them: 11, 11½, 11⅓, 11 5/12, with a true minus sign."""
    whole, part = divmod(abs(value), 1)
    sign = MINUS if value < 0 else ""
    if not part:
        return f"{sign}{whole}"
    if part in _SIGNS:
        return f"{sign}{whole or ''}{_SIGNS[part]}"
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def small_text(points: int) -> str:
    """Small points with their sign: +91, −39, 0."""
    return f"{MINUS}{-points}" if points < 0 else f"+{points}" if points else "0"


def standings_csv(rows: Iterable[Standing], rounds: int) -> str:
    """The standings as CSV, with one header line; for spreadsheets it is best encoded as `utf-8-sig`.

    Big points stand exactly (`11 1/2`, `0 1/2`) and as a decimal number of at most six places (`11.5`). Each round
    has a column for its big and one for its small points, empty while there are none; penalties have their own, so
    these add up to the sums. `remarks` names the rounds without a game of one's own, as `bye 2; forfeit 4`. A name
    that a spreadsheet could take for a formula is preceded by an apostrophe.
    """
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    of_rounds = [f"round_{number}_{what}" for number in range(1, rounds + 1) for what in ("big", "small")]
    writer.writerow([*_COLUMNS, *of_rounds])
    for row in rows:
        writer.writerow([*_head(row), *_rounds(row, rounds)])
    return text.getvalue()


def _head(row: Standing) -> Iterator[str | int]:
    yield from (row.rank, row.entrant, _harmless(row.name), _harmless(row.team))
    yield from (_exact(row.big), _decimal(row.big), row.small, row.won, row.seconds)
    penalties = [line for line in row.lines if line.kind is LineKind.PENALTY]
    yield _exact(sum((line.big for line in penalties), Fraction(0))) if penalties else ""
    yield sum(line.small for line in penalties) if penalties else ""
    yield "; ".join(f"{line.kind.value} {line.round}" for line in row.lines if line.kind is not LineKind.PLAYED)


def _rounds(row: Standing, rounds: int) -> Iterator[str | int]:
    of_round = {line.round: line for line in row.lines if line.kind is not LineKind.PENALTY}
    for number in range(1, rounds + 1):
        line = of_round.get(number)
        yield from ("", "") if line is None else (_exact(line.big), line.small)


def _harmless(text: str) -> str:
    return f"'{text}" if text.lstrip().startswith(_FORMULA + _FORMULA_WIDE) else text


def _exact(value: Fraction) -> str:
    """In a form that spreadsheets read as a number: they would take 1/2 for a date, but not 0 1/2."""
    whole, part = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole} {part}" if part else f"{sign}{whole}"


def _decimal(value: Fraction) -> str:
    return f"{float(value):.6f}".rstrip("0").rstrip(".")


def plain_standings(rows: Iterable[Standing]) -> list[Plain]:
    """The standings for JSON, every line of each account with them. Big points are texts, as `23/2` or `11`."""
    return [_plain(row) for row in rows]


def plain_team_standings(rows: Iterable[TeamStanding]) -> list[Plain]:
    """The teams for JSON; `rank` is null for an incomplete one, `members` are the entrants' numbers in order."""
    return [
        {
            "rank": row.rank,
            "team": row.team,
            "complete": row.complete,
            "big": str(row.big),
            "small": row.small,
            "won": row.won,
            "seconds": row.seconds,
            "members": [member.entrant for member in row.members],
        }
        for row in rows
    ]


def _plain(row: Standing) -> Plain:
    return {
        "rank": row.rank,
        "entrant": row.entrant,
        "name": row.name,
        "team": row.team,
        "big": str(row.big),
        "small": row.small,
        "won": row.won,
        "seconds": row.seconds,
        "lines": [_plain_line(line) for line in row.lines],
    }


def _plain_line(line: ScoreLine) -> Plain:
    return {
        "round": line.round,
        "kind": line.kind.value,
        "big": str(line.big),
        "small": line.small,
        "place": line.place,
        "table": line.table,
    }
