"""What a client notes of each deal: what the server took, what it took back, what all have seen; each once."""

import json
from pathlib import Path
from typing import Any

from client_cli.contribution import still_ready
from client_cli.view import View
from server.table.commands import LeaveSeat, TakeSeat
from server.table.events import Sitter
from server.table.ids import PlayerId
from tests.parties import Party, contributor

ME = 2
KEY = ("t1", 1, 1)


def test_ready_that_is_taken_back_is_no_accusation(tmp_path: Path) -> None:
    """Who stands up before the deal and sits down again has promised nothing any more."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    client = party.clients[ME]
    party.act(ME, client.ready(party.seen(ME), "ready"))
    assert client.file.deals[KEY].ready
    party.do(LeaveSeat(PlayerId("p2")))
    assert not client.file.deals[KEY].ready
    party.do(TakeSeat(Sitter(PlayerId("p2"), "Ewa"), None))
    assert not still_ready(party.seen(ME))
    for seat in range(4):
        party.act(seat, "ready")
    party.play_out()
    assert party.alarms == []


def test_leaving_takes_ready_back_and_nothing_that_was_dealt(tmp_path: Path) -> None:
    """`left` concerns the deal on offer only."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    party.deal()
    client = party.clients[ME]
    party.act(ME, client.ready(party.seen(ME), "ready"))
    client.left("t2")
    assert client.file.deals["t1", 1, 2].ready
    client.left("t1")
    assert not client.file.deals["t1", 1, 2].ready
    assert client.file.deals[KEY].ready


def test_an_older_view_takes_nothing_back(tmp_path: Path) -> None:
    """A reply may come before the view that goes with it: the view before it does not undo *ready*."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    client = party.clients[ME]
    before = party.seen(ME)
    words = client.ready(before, "ready")
    client.accepted("t1", words, before.version + 1)
    client.heard(before, 0)
    assert client.file.deals[KEY].ready
    client.heard(View({**before.message, "version": before.version + 1}), 0)
    assert not client.file.deals[KEY].ready


def test_only_own_actions_are_noted_as_taken(tmp_path: Path) -> None:
    """A reply to a plain *ready*, or about another table, is not one to a commitment."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    client = party.clients[ME]
    words = client.ready(party.seen(ME), "ready")
    for table, action in (("t1", "ready"), ("t2", words), ("t1", f"ready {'ab' * 32}"), ("t1", "play AH")):
        client.accepted(table, action, 5)
        assert not client.file.deals[KEY].ready
    client.accepted("t1", words, 5)
    assert client.file.deals[KEY].ready


def test_a_rematch_is_another_match(tmp_path: Path) -> None:
    """One message may tell the end of a match and the start of the next: each note is about its own match."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    for _ in range(4):
        party.deal()
    for seat in range(4):
        party.act(seat, "rematch")
    record = party.deal()
    kept = party.kept(ME)
    assert record["match"] == 2
    assert kept["t1", 2, 1].offers == (record["fair"]["commitment"],)
    assert [kept["t1", 1, deal].finished != "" for deal in range(1, 5)] == [True] * 4
    joined = [
        {"event": "deal_scored", "line": {"deal": 9}, "secret": "ab" * 32},
        {"event": "match_started", "match": 2},
        {"event": "deal_annulled", "deal": 8, "secret": "cd" * 32},
    ]
    party.clients[ME].heard(View({**party.seen(ME).message, "happened": joined}), 0)
    assert kept["t1", 1, 9].finished == "ab" * 32
    assert kept["t1", 2, 8].annulled == "cd" * 32


def test_each_thing_is_noted_once(tmp_path: Path) -> None:
    """However often a server tells the same, the file does not grow."""
    party = Party({"deals": 4}, 1, {ME: contributor(tmp_path, ME)})
    party.deal()
    party.ready()
    party.annul()
    client = party.clients[ME]
    client.rolled_back("t1")
    party.ready()
    size = client.file.path.stat().st_size
    seen: list[dict[str, Any]] = [
        {"event": "deal_scored", "line": {"deal": 1}, "secret": "ab" * 32},
        {"event": "deal_annulled", "deal": 2, "secret": "cd" * 32},
        {"event": "dealt", "deal": 3, "opened": [""] * 4, "cut": 8},
    ]
    view = View({**party.seen(ME).message, "happened": seen})
    client.heard(view, 0)
    grown = client.file.path.stat().st_size
    for _ in range(50):
        client.heard(view, 0)
        client.heard(party.seen(ME), 0)
    assert client.file.path.stat().st_size == grown
    for _ in range(50):
        client.rolled_back("t1")
    assert client.file.path.stat().st_size - grown < 100
    assert size <= grown


def test_the_file_is_written_as_documented(tmp_path: Path) -> None:
    """Every note and its fields stand in the table of docs/fair-deal.md."""
    party = Party({"deals": 4}, 1, {seat: contributor(tmp_path, seat) for seat in (0, ME)})
    party.deal()
    party.ready()
    party.annul()
    client = party.clients[ME]
    party.act(ME, client.ready(party.seen(ME), "ready"))
    client.left("t1")
    client.rolled_back("t1")
    page = (Path(__file__).resolve().parents[2] / "docs" / "fair-deal.md").read_text(encoding="utf-8")
    table = page.split("## What a client keeps")[1].split("## Findings")[0]
    rows = {
        line.split("`")[1]: line for line in table.splitlines() if line.startswith("| `") and "when" not in line[:12]
    }
    notes = [json.loads(line) for line in client.file.path.read_text(encoding="ascii").splitlines()]
    assert {note["note"] for note in notes} == set(rows) - {"note"}
    for note in notes:
        for name in set(note) - {"note", "table", "match", "deal"}:
            assert f"`{name}`" in rows[note["note"]], note
