"""A whole match of `klassisch`, entry by entry, as every seat and a watcher see it.

The file holds for each entry who did what, what all were told, and of each view what is other than
before: `all` is the public part, `0` to `3` are the own parts. Read from its beginning it gives every
view in full. Time and random bytes are fixed; the hands are set, so that each kind of game is played.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from server.table import codec, view
from server.table.codec import LogLine
from server.table.state import Table
from tests.games.kop.scenes import SEATS, four
from tests.table.scenes import Log

FILE = Path(__file__).parent / "golden" / "klassisch.txt"

# title, dealer, hands, what was said, cards played in their order (the last four play themselves)
DEALS = [
    (
        "An ordinary game, with kontra and re; it ends 52:52.",
        3,
        "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS",
        "0 ask, 1 go on, 2 double 1, 0 double 2, 0 ask, 1 go on, 3 go on, 2 go on",
        "AD QD AH JS TD JH QC TH AS TC JC TS",
    ),
    (
        "A wesele; the partner holds the jack of spades and learns it when the caller plays that of clubs.",
        0,
        "JS AH TC AD / TH QH AS TD / QC QS JC AC / QD JH JD TS",
        "1 ask, 2 wesele, 3 double 1, 2 double 2, 1 ask, 0 go on, 2 go on, 3 go on",
        "TD JC QD AH",
    ),
    (
        "A zolo, called over a kontra; the answer time runs out.",
        1,
        "AH TH QC AC / TC QD JC TD / TS AS QH JH / QS JS JD AD",
        "2 ask, 3 double 1, 0 zolo, 1 double 1, 3 double 2, 0 double 3, 2 ask, 1 go on, - time over",
        "AS",
    ),
    (
        "A cicha, that nobody sees until the second black queen falls.",
        2,
        "TH JC TC AD / QC QS AH JD / QH JS AS TD / QD JH AC TS",
        "3 ask, 0 double 1, 1 double 2, 3 ask, 0 go on, 1 go on, 2 go on",
        "AC TC QC TD",
    ),
]


def test_the_golden_match(*, update_golden: bool) -> None:
    """Every view after every entry is the one in the file; `--update-golden` writes it anew."""
    found = "\n".join(match_as_text()) + "\n"
    if update_golden:
        FILE.write_text(found, encoding="utf-8")
    assert found == FILE.read_text(encoding="utf-8")


def match_as_text() -> Iterator[str]:
    """The lines of the file."""
    log = Log(dealing=[(four(hands), dealer) for _, dealer, hands, _, _ in DEALS])
    log.open("KEY", deals=4, stake="0.50", currency="zł").sit("bcd")
    shown: dict[str, str] = {}
    yield from entries(log, 0, shown)
    for title, _, _, said, cards in DEALS:
        yield f"\n=== {title}"
        seen = len(log.lines)
        log.ready().say(said)
        for card in cards.split():
            log.act(log.match.running.turn, f"play {card}")
        log.play_on()
        yield from entries(log, seen, shown)
        yield f"sheet {text(view.sheet(log.table))}"


def entries(log: Log, seen: int, shown: dict[str, str]) -> Iterator[str]:
    """The entries after those seen: who did what, what was told, what changed in whose view."""
    table = None
    for line in log.lines:
        table = codec.settled(codec.evolved(table, line.events), line)
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


def test_the_golden_match_has_every_kind_of_game() -> None:
    """The match of the file is whole: an ordinary game, a wesele, a zolo and a cicha, with doublings in each."""
    lines = [line for line in match_as_text() if line.startswith("sheet")]
    sheet = json.loads(lines[-1].removeprefix("sheet "))
    assert [line["line"]["game"] for line in sheet["lines"]] == ["ordinary", "wesele", "zolo", "cicha"]
    assert all(line["line"]["counted"] for line in sheet["lines"])
    assert len(lines) == 4
