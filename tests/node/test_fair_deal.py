"""A verifier in another language, written from docs/fair-deal.md alone, agrees with the server and with ours."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from client_cli.verdict import Word
from client_cli.verifying import verify
from tests.cheating import CASES, ME, Case
from tests.games.kop.fair_vectors import FILE
from tests.parties import Party, contributor
from tests.table.tournaments import DUPLICATE, all_records, opened, second

VERIFIER = Path(__file__).parent / "verify.mjs"
NODE = shutil.which("node")
IN_CI = os.environ.get("CI") == "true"
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed")


def run(*arguments: object) -> tuple[int, Any]:
    """The exit code of the verifier and what it prints."""
    done = subprocess.run([str(NODE), VERIFIER, *map(str, arguments)], capture_output=True, check=False, timeout=60)
    assert done.returncode in (0, 1), done.stderr.decode()
    return done.returncode, json.loads(done.stdout)


def test_the_verifier_is_run_in_ci() -> None:
    """Where every change is checked, Node is there."""
    assert not IN_CI or NODE


def test_the_verifier_knows_nothing_of_ours() -> None:
    """It needs nothing but Node, so that it can be taken as it is."""
    imports = [line for line in VERIFIER.read_text(encoding="utf-8").splitlines() if line.startswith("import")]
    assert imports
    assert all('from "node:' in line for line in imports)


@needs_node
def test_the_vectors_are_met(tmp_path: Path) -> None:
    """Every commitment, keystream, deck, hand and lot of the vectors comes out the same; a wrong one is noticed."""
    assert run("--vectors", FILE) == (0, [])
    vectors = json.loads(FILE.read_text(encoding="utf-8"))
    vectors["deals"][3]["shuffled"] = vectors["deals"][2]["shuffled"]
    vectors["lots"][0]["dealer"] = (vectors["lots"][0]["dealer"] + 1) % 4
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(vectors), encoding="utf-8")
    assert run("--vectors", wrong) == (1, ["all seats add bytes: shuffled", f"lot {vectors['lots'][0]['purpose']}"])


def plain(records: list[dict[str, Any]], kept: Any) -> list[dict[str, Any]]:
    """Our verdicts in the other verifier's words; it knows no rules of play."""
    verdicts = []
    for verdict in verify(records, kept):
        findings = [found for found in verdict.findings if found.word is not Word.REPLAY_WRONG]
        verdicts.append({(found.word.value, found.seat, found.number) for found in findings})
    return [{"record": record["record"], "findings": found} for record, found in zip(records, verdicts, strict=True)]


def agrees(tmp_path: Path, records: list[dict[str, Any]], notes: Path | None, kept: Any) -> None:
    """Both verifiers find the same."""
    file = tmp_path / "records.json"
    file.write_text(json.dumps(records), encoding="utf-8")
    code, verdicts = run(file, notes) if notes else run(file)
    found = [
        {
            "record": verdict["record"],
            "findings": {(one["word"], one["seat"], one["number"]) for one in verdict["findings"]},
        }
        for verdict in verdicts
    ]
    assert found == plain(records, kept)
    assert code == any(verdict["outcome"] == "cheated" for verdict in verdicts)


@needs_node
@pytest.mark.parametrize("way", CASES.values(), ids=CASES.keys())
def test_both_verifiers_find_the_same(way: Callable[[Path], Case], tmp_path: Path) -> None:
    """Honest or not, with this client's notes and without: the same findings, seat for seat."""
    case = way(tmp_path)
    agrees(tmp_path, case.records, case.notes, case.kept)
    agrees(tmp_path, case.records, None, {})


@needs_node
def test_an_honest_match_shows_that_nobody_chose(tmp_path: Path) -> None:
    """The other verifier says so too."""
    at = Party({"rules": "koscian", "deals": 8}, 9, {seat: contributor(tmp_path, seat) for seat in range(4)})
    for number in range(8):
        at.deal({at.cutter: number + 1})
    file = tmp_path / "records.json"
    file.write_text(json.dumps(at.records), encoding="utf-8")
    code, verdicts = run(file, at.clients[ME].file.path)
    assert code == 0
    assert {verdict["outcome"] for verdict in verdicts} == {"nobody_chose"}


@needs_node
def test_both_agree_about_the_same_cards(tmp_path: Path) -> None:
    """Records of two tables of a round, right ones and changed ones."""
    here, there = opened("abcd", DUPLICATE), second()
    for _ in range(2):
        here.ready().play_on()
        there.ready().play_on()
    right = [record.plain for record in (*all_records(here), *all_records(there))]
    agrees(tmp_path, right, None, {})
    first, where = right[0], right[0]["tournament"]
    changed = [
        {**first, "dealer": (first["dealer"] + 1) % 4},
        {**first, "cut": 8},
        {**first, "tournament": {**where, "round": 3}},
        {**first, "tournament": {**where, "duplicate": False}},
        {**first, "fair": {**first["fair"], "opened": ["0" * 64, "", "", ""]}},
    ]
    for one in changed:
        agrees(tmp_path, [one], None, {})
