"""What the client keeps survives crashes and other programs, stays private, and does not grow without bound."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from client_cli.kept import KeptFile
from client_cli.witness import Kept, gather
from tests.parties import SERVER

HASH = "ab" * 32


def offered(deal: int, table: str = "t1", commitment: str = HASH) -> dict[str, Any]:
    """A note of a server's commitment."""
    about = {"table": table, "match": 1, "deal": deal}
    return {"note": "offered", **about, "commitment": commitment, "scored": deal - 1, "at": 5}


def own(deal: int, seat: int = 0, cut: int = 0) -> dict[str, Any]:
    """A note of own bytes."""
    about = {"table": "t1", "match": 1, "deal": deal}
    return {"note": "own", **about, "seat": seat, "bytes": "cd" * 32, "cut": cut, "commitment": "ef" * 32}


def test_what_is_kept_is_there_for_the_next_program(tmp_path: Path) -> None:
    """A file that is opened anew says the same as the one that was written."""
    file = KeptFile(tmp_path / "home", "default", SERVER)
    file.append([offered(1), own(1)])
    file.append([offered(2)])
    again = KeptFile(tmp_path / "home", "default", SERVER)
    assert again.deals == file.deals
    kept = again.deals["t1", 1, 1]
    assert kept.offers == (HASH,)
    assert kept.own[0].secret == "cd" * 32
    assert list(again.deals) == [("t1", 1, 1), ("t1", 1, 2)]


def test_profiles_and_servers_are_apart(tmp_path: Path) -> None:
    """Another player on this machine, or another server, has a file of its own."""
    KeptFile(tmp_path, "default", SERVER).append([offered(1)])
    assert KeptFile(tmp_path, "other", SERVER).deals == {}
    assert KeptFile(tmp_path, "default", "https://kop.example").deals == {}


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such modes")
def test_nobody_else_reads_it(tmp_path: Path) -> None:
    """The file is for its owner only, whatever the mask, and so is a folder that had to be made."""
    before = os.umask(0)
    try:
        file = KeptFile(tmp_path / "home", "default", SERVER, most=2)
        for deal in range(1, 9):
            file.append([offered(deal)])
            assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_line_that_a_crash_cut_off_spoils_no_other(tmp_path: Path) -> None:
    """Wherever the file was cut off, the whole lines before count, and what is appended later does too."""
    file = KeptFile(tmp_path, "default", SERVER)
    file.append([offered(1), offered(2)])
    whole = file.path.read_bytes()
    second = whole.index(b"\n") + 1
    for length in range(second, len(whole) + 1):
        file.path.write_bytes(whole[:length])
        again = KeptFile(tmp_path, "default", SERVER)
        again.append([offered(3)])
        numbers = [key[2] for key in KeptFile(tmp_path, "default", SERVER).deals]
        assert numbers in ([1, 3], [1, 2, 3])
        assert (2 in numbers) == (length >= len(whole) - 1)


@pytest.mark.parametrize(
    "line",
    [b"\xff\xfe", b"[]", b"{}", b"null", b'{"note":5}', b'{"note":"offered"}', b"[" * 5000, b'"' + b"x" * 9000 + b'"'],
)
def test_lines_that_are_no_notes_are_passed_over(line: bytes, tmp_path: Path) -> None:
    """A damaged file is read as far as it goes."""
    file = KeptFile(tmp_path, "default", SERVER)
    file.append([offered(1)])
    with file.path.open("ab") as out:
        out.write(line + b"\n")
    file.append([offered(2)])
    assert [key[2] for key in KeptFile(tmp_path, "default", SERVER).deals] == [1, 2]


@pytest.mark.parametrize(
    "spoilt",
    [
        {"commitment": "ab"},
        {"commitment": None},
        {"scored": "x"},
        {"note": "own"},
        {"note": "opening", "commitments": [""]},
    ],
)
def test_a_note_with_a_damaged_field_changes_nothing(spoilt: dict[str, Any]) -> None:
    """What was known of the deal stays."""
    good = gather([offered(1)])
    assert gather([offered(1), offered(1) | spoilt]) == good


def test_only_the_newest_deals_stay(tmp_path: Path) -> None:
    """Past its bound the file holds the newest deals only; a deal that is noted again is new."""
    file = KeptFile(tmp_path, "default", SERVER, most=5)
    file.append([offered(1)])
    for deal in range(2, 40):
        file.append([offered(deal), own(deal)])
        file.append([own(1, seat=1)])
        assert len(file.deals) <= 10
    numbers = [key[2] for key in KeptFile(tmp_path, "default", SERVER).deals]
    assert numbers[-1] == 1
    assert 39 in numbers
    assert 2 not in numbers
    assert len(file.path.read_bytes().splitlines()) < 100
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".kop-")] == []


WRITER = """
import sys
from pathlib import Path
from client_cli.kept import KeptFile
file = KeptFile(Path(sys.argv[1]), "default", "S", most=30)
for deal in range(1, 41):
    file.append([{"note": "offered", "table": sys.argv[2], "match": 1, "deal": deal, "commitment": "ab" * 32,
                  "scored": 0, "at": 1}])
"""


def test_programs_that_run_at_once_spoil_nothing(tmp_path: Path) -> None:
    """Several programs append, and shorten the file, at once: no line is torn, the newest notes are there."""
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), table]) for table in ("a1", "b2", "c3")]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    file = KeptFile(tmp_path, "default", "S", most=30)
    for line in file.path.read_text(encoding="ascii").splitlines():
        json.loads(line)
    last = list(file.deals)[-1]
    assert last[2] == 40
    assert len(file.deals) >= 30


def test_what_cannot_be_written_is_not_claimed(tmp_path: Path) -> None:
    """Where the file cannot be written there is an error, and nothing counts as kept."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    file = KeptFile(blocked / "home", "default", SERVER)
    with pytest.raises((NotADirectoryError, FileExistsError)):
        file.append([offered(1)])
    assert file.deals == {}


def test_going_back_keeps_promises_and_forgets_cards() -> None:
    """After the store went back: an unfinished deal returns at once, a finished one when it is played again."""
    about = {"table": "t1", "match": 1}
    notes = [
        offered(1),
        {"note": "finished", **about, "deal": 1, "secret": HASH},
        offered(2, commitment="cd" * 32),
        own(2),
        {"note": "ready", **about, "deal": 2, "commitment": "ef" * 32},
        {"note": "hand", **about, "deal": 2, "seat": 0, "hand": ["AH", "TD"]},
        offered(1, table="t2"),
        {"note": "rolled_back", "table": "t1"},
    ]
    kept = gather(notes)
    assert kept["t1", 1, 1] == Kept(("t1", 1, 1), (HASH,), 0, finished=HASH, rolled_back=True)
    second = kept["t1", 1, 2]
    assert (second.offers, second.ready, second.hand, second.returned) == (("cd" * 32,), "", (), True)
    assert second.own
    assert not kept["t2", 1, 1].returned
    again = gather([*notes, offered(1, commitment="cd" * 32)])
    assert again["t1", 1, 1] == Kept(("t1", 1, 1), (HASH, "cd" * 32), 0, returned=True)
