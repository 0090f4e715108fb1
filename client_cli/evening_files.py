"""The sheet of the evening for other programs: CSV and JSON, or the table as a text. Files are never written over."""

import csv
import io
import json
from typing import Any, Final

from client_cli.amounts import split_stake
from client_cli.catalogue import Catalogue
from client_cli.clean import clean, clean_name
from client_cli.evening import OUTCOMES, evening_table
from client_cli.meanings import Format
from client_cli.style import plain
from client_cli.view import Message

_COUNTS: Final = tuple(f"{key}_{how}" for key in OUTCOMES for how in ("won", "lost"))
COLUMNS: Final = (
    "match", "name", "player", "bot", "seats", "deals", "points", "money", "currency", *_COUNTS, "pays",
)  # fmt: skip
"""Of the CSV: a row for each person in each match, then one for each in all of them (`match` is `all`), with whom
that person pays how much."""
_FORMULA: Final = ("=", "+", "-", "@")


def exported(evening: Message, texts: Catalogue, form: Format) -> str:
    """The sheet in one of the formats, with a line's end at its end."""
    match form:
        case "json":
            kept = {key: value for key, value in evening.items() if key not in ("type", "id")}
            return json.dumps(kept, ensure_ascii=False, indent=1) + "\n"
        case "csv":
            return _rows(evening)
        case "text":
            return "".join(plain(line) + "\n" for line in evening_table(evening, texts, unicode=True))


def _rows(evening: Message) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for match in evening["matches"]:
        number = match["first"] if match["first"] == match["last"] else f"{match['first']}..{match['last']}"
        rows.writerows(_row(one, number, evening) for one in match["people"])
    rows.writerows(_row(one, "all", evening) for one in evening["people"])
    return out.getvalue()


def _row(one: dict[str, Any], match: object, evening: Message) -> list[object]:
    currency = split_stake(evening["stake"])[1]
    seats = " ".join(str(seat + 1) for seat in one["seats"])
    pays = [
        f"{clean_name(debt['creditor'])} {clean(debt['amount'], 40)}"
        for debt in evening["debts"]
        if match == "all" and debt["debtor_player"] == one["player"]
    ]
    return [
        match, _cell(clean_name(one["name"])), clean(one["player"], 40), "yes" if one["bot"] else "no", seats,
        one["deals"], one["points"], clean(one["money"], 40), _cell(currency), *(one[key] for key in _COUNTS),
        _cell("; ".join(pays)),
    ]  # fmt: skip


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
