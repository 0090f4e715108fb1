"""Every released format stays readable: entries, snapshots and records that a release has written.

`released/VERSION.json` holds, in base64, whole logs that the code of that release wrote, with what it
showed of them. A new release adds its file; none is ever written anew.
"""

import json
from base64 import b64decode
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgpack
import pytest

from protocol.record import KopRecord
from server.games.game import Stage
from server.games.kop.record import replay
from server.table import codec, sheets, view
from server.table.commands import NoteAbsent
from server.table.events import Absent, Choice
from server.table.house_rules import USUAL
from server.table.ids import PlayerId, RecordId
from server.table.state import NEVER, Table
from tests.table.phases import go_on, in_trick
from tests.table.scenes import Log, replayed

FOLDER = Path(__file__).parent / "released"
LOGS = [
    pytest.param(log, id=f"{file.stem}: {log['what']}")
    for file in sorted(FOLDER.glob("*.json"))
    for log in json.loads(file.read_text(encoding="utf-8"))
]
Released = dict[str, Any]

every_log = pytest.mark.parametrize("log", LOGS)


def bodies(log: Released) -> list[bytes]:
    """The entries of a log."""
    return [b64decode(body) for body in log["entries"]]


def snapshots(log: Released) -> list[tuple[Table, Released]]:
    """The snapshots of a log as they are read today, and what the release showed to everybody there."""
    return [(codec.decode_snapshot(b64decode(one["body"])), one["public"]) for one in log["snapshots"]]


def balances(sheet: Released) -> dict[str, Decimal]:
    """What the debts of a sheet bring to each name."""
    found: dict[str, Decimal] = {}
    for debt in sheet["debts"]:
        found[debt["debtor"]] = found.get(debt["debtor"], Decimal(0)) - Decimal(debt["amount"])
        found[debt["creditor"]] = found.get(debt["creditor"], Decimal(0)) + Decimal(debt["amount"])
    return found


def agrees(older: Any, newer: Any) -> bool:
    """Whether everything that the release showed is shown still; there may be more."""
    if isinstance(older, dict):
        return isinstance(newer, dict) and all(name in newer and agrees(older[name], newer[name]) for name in older)
    if isinstance(older, list):
        return len(older) == len(newer) and all(map(agrees, older, newer))
    return bool(older == newer)


@every_log
def test_the_entries_give_the_same_sheet(log: Released) -> None:
    """Who sat there, every line, both ledgers, and who owes how much."""
    table = replayed(bodies(log))
    sheet, released = sheets.sheet(table), dict(log["sheet"])
    assert balances(sheet) == balances(released)
    del released["debts"]
    assert agrees(released, sheet)
    assert table.house == USUAL
    assert (table.absences, table.pause, table.clock) == ((), None, None)


@every_log
def test_the_snapshots_show_the_same_table(log: Released) -> None:
    """Everything that was shown to everybody is shown still."""
    for table, public in snapshots(log):
        assert agrees(public, json.loads(json.dumps(view.public(table))))


@every_log
def test_the_log_goes_on_from_every_snapshot(log: Released) -> None:
    """A snapshot and the entries after it give what all entries give; what was before it 0.1.0 did not keep."""
    whole = replayed(bodies(log))
    for table, _ in snapshots(log):
        rest = bodies(log)[table.version :]
        again = replayed(rest, table) if rest else table
        lacking: dict[str, Any] = {"last": (), "dealt_to": (), "at": NEVER, "evening": ()}
        assert replace(again, **lacking) == replace(whole, **lacking)
        assert sheets.sheet(again) == sheets.sheet(whole)


@every_log
def test_what_was_read_is_written_and_read_back(log: Released) -> None:
    """In today's format."""
    for table, _ in snapshots(log):
        assert codec.decode_snapshot(codec.encode_snapshot(table)) == table
    for version, body in enumerate(bodies(log), 1):
        line = codec.decode(version, body, None if version == 1 else "kop")
        assert codec.decode(version, codec.encode(line), None if version == 1 else "kop") == line


@every_log
def test_the_records_replay(log: Released) -> None:
    """They fit the contract, in which bots and substitutes are absent, and give the same result."""
    assert log["records"]
    for one in log["records"]:
        record = codec.decode_record(RecordId(one["id"]), b64decode(one["body"]))
        assert record.plain["record"] == one["id"]
        read = KopRecord.model_validate_json(json.dumps(record.plain))
        assert (read.bots, read.acted_for) == ([False] * 4, [])
        replay(record.plain)


@every_log
def test_such_a_table_goes_on_under_the_rules_of_today(log: Released) -> None:
    """From the middle of a match: somebody is missed, the others vote, a bot plays, a deal is scored."""
    for table, _ in snapshots(log):
        if not table.running:
            continue
        going = Log(table, [codec.decode(n, body, None if n == 1 else "kop") for n, body in enumerate(bodies(log), 1)])
        del going.lines[table.version :]
        going.now = going.lines[-1].at
        for letter in "uvwx":
            if not going.table.full:
                going.sit(letter)
        away = next(one.player for one in going.table.seats if one is not None and one.player != going.table.owner)
        absent = going.do(NoteAbsent(away))
        seat = going.table.seat_of(PlayerId(away))
        assert seat is not None
        assert absent == (Absent(seat),)
        voters = [one.player for one in going.table.seats if one is not None and one.player != away]
        going.vote("".join(voters[:2]), seat, Choice.BOT)
        before = len(going.match.lines)
        go_on(going, deals=before + 1)
        assert len(going.match.lines) == before + 1
        assert going.table.stage in (Stage.BETWEEN, Stage.OVER)
        assert sum(sheets.sheet(going.table)["lines"][-1]["line"]["money"]) == 0


def test_a_seat_given_up_before_the_change_of_servers_still_pays() -> None:
    """A state of 0.1.0 says who has seen which hand, and by that who sat there last."""
    log = in_trick(11).leave("b")
    plain = msgpack.unpackb(codec.encode_snapshot(log.table))
    del plain["s"]["last"], plain["s"]["dealt_to"]
    log.state = codec.decode_snapshot(msgpack.packb(plain))
    assert (log.table.last, log.table.dealt_to) == ((), ())
    log.leave("c").sit("e", 2).play_on()
    assert sheets.sheet(log.table)["lines"][0]["names"] == ["A-name", "B-name", "E-name", "D-name"]
