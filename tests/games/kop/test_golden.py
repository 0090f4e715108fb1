"""A whole match of each named rule set, entry by entry, as every seat and a watcher see it.

A file holds for each entry who did what, what all were told, and of each view what is other than
before: `all` is the public part, `0` to `3` are the own parts. Read from its beginning it gives every
view in full. After each deal stand the sheet and the record.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.games.kop.record import replay
from server.games.kop.ruleset import RULE_SETS
from server.table import codec, sheets, view
from server.table.codec import LogLine
from server.table.records import records
from server.table.state import Table
from tests.games.kop.golden_matches import MATCHES, GoldenDeal
from tests.games.kop.scenes import SEATS, four
from tests.table.scenes import Log

FOLDER = Path(__file__).parent / "golden"


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_golden_match(rules: str, *, update_golden: bool) -> None:
    """Every view after every entry is the one in the file; `--update-golden` writes it anew."""
    file = FOLDER / f"{rules}.txt"
    found = "\n".join(match_as_text(rules)) + "\n"
    if update_golden:
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def match_as_text(rules: str) -> Iterator[str]:
    """The lines of a file."""
    deals = MATCHES[rules]
    log = Log(dealing=[(four(deal.hands), deal.dealer) for deal in deals])
    log.open("KEY", rules=rules, deals=4, stake="0.50", currency="zł").sit("bcd")
    shown: dict[str, str] = {}
    yield from entries(log, 0, shown)
    for deal in deals:
        yield f"\n=== {deal.title}"
        seen = len(log.lines)
        play(log, deal)
        yield from entries(log, seen, shown)
        if not deal.annulled:
            yield f"sheet {text(sheets.sheet(log.table))}"
            yield f"record {text(record_of(log))}"


def play(log: Log, deal: GoldenDeal) -> None:
    """A deal by its script, to its end."""
    log.commit(deal.commits)
    for seat in deal.opens:
        log.open_bytes(seat, *deal.commits[seat])
    if log.match.opening is not None:
        log.time_over()
    log.say(deal.script)
    if deal.annulled:
        log.leave("b").annul().sit("b")
    else:
        log.play_on()


def record_of(log: Log) -> dict[str, Any]:
    """The record of the deal that the newest entry has finished."""
    line = log.lines[-1]
    before = codec.evolved(None, [event for line in log.lines[:-1] for event in line.events])
    [record] = records(log.table, before, line.events, line.at)
    return record.plain


def entries(log: Log, seen: int, shown: dict[str, str]) -> Iterator[str]:
    """The entries after those seen: who did what, what was told, what changed in whose view."""
    table = None
    for line in log.lines:
        table = codec.settled(table, codec.evolved(table, line.events), line)
        if line.version > seen:
            yield f"\n--- {line.version}: {line.client or 'the clock'} at {line.at}"
            yield from told(table, line)
            yield from changes(table, shown)


def told(table: Table, line: LogLine) -> Iterator[str]:
    """What everybody is told of an entry."""
    for event in line.events:
        happened = view.happening(table, event)
        if happened is not None:
            yield f"told {text(happened)}"


def changes(table: Table, shown: dict[str, str]) -> Iterator[str]:
    """What is other in the views than it was shown; nothing but a dash stands for what is gone."""
    now = dict(leaves("all", view.public(table)))
    for seat in SEATS:
        now.update(leaves(str(seat), view.own(table, seat)))
    for name in [name for name in shown if name not in now]:
        del shown[name]
        yield f"{name} -"
    for name, value in now.items():
        if shown.get(name) != value:
            shown[name] = value
            yield f"{name} {value}"


def leaves(name: str, value: Any) -> Iterator[tuple[str, str]]:
    """The parts of a view by their paths; a list is one part."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(f"{name}.{key}", part)
    else:
        yield name, text(value)


def text(value: Any) -> str:
    """Plain data as one line."""
    return json.dumps(value, ensure_ascii=False)


def sheet_of(rules: str) -> dict[str, Any]:
    """The last sheet of a golden match."""
    lines = [line for line in match_as_text(rules) if line.startswith("sheet")]
    sheet: dict[str, Any] = json.loads(lines[-1].removeprefix("sheet "))
    return sheet


RESULTS = {
    # game, doublings that count, base, value of each line
    "klassisch": [("ordinary", 2, 1, 4), ("wesele", 2, 2, 8), ("zolo", 2, 5, 20), ("cicha", 2, 4, 16)],
    "pagat": [("ordinary", 2, 1, 4), ("wesele", 2, 1, 4), ("zolo", 3, 5, 40), ("cicha", 2, 4, 16)],
    "wolsztyn": [("ordinary", 2, 1, 4), ("zolo", 2, 5, 20), ("cicha", 2, 5, 20), ("cicha", 0, 4, 4)],
    "koscian": [("ordinary", 5, 1, 32), ("zolo_du", 3, 10, 80), ("cicha", 3, 5, 40), ("wesele", 1, 3, 6)],
}


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_golden_matches_have_every_peculiarity(rules: str) -> None:
    """Games, doublings, caps and guards come out as the titles say."""
    lines = [one["line"] for one in sheet_of(rules)["lines"]]
    assert [(line["game"], line["counted"], line["base"], line["value"]) for line in lines] == RESULTS[rules]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_golden_records_replay(rules: str) -> None:
    """Each record in the file gives the deal again; an annulled deal stands in the record after it."""
    lines = (FOLDER / f"{rules}.txt").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line.removeprefix("record ")) for line in lines if line.startswith("record")]
    for record in found:
        replay(record)
    burned = [[one["deal"] for one in record["fair"]["burned"]] for record in found]
    assert burned == ([[]] * 4 if rules == "klassisch" else [[], [], [3], []])
