"""`kop-server demo-tournament`, in small; and that its check finds what is wrong."""

import dataclasses
import os
import re
import subprocess
import sys
from pathlib import Path

from client_cli.address import Server
from server.configuration import Configuration, from_environment
from server.demonstrating import Evening, check, play_evening
from tests.e2e.test_commands import environment
from tests.servers import ServerProcess

SMALL = Evening(entrants=5, rounds=1, deals=4)
PROGRAM = """
import os, sys
from server.configuration import from_environment
from server.demonstrating import Evening, demo_tournament
evening = Evening(entrants=int(sys.argv[1]), rounds=1, deals=int(sys.argv[2]))
sys.exit(demo_tournament(from_environment(os.environ), evening))
"""


def configuration(folder: Path) -> Configuration:
    """Of a server with an embedded store in this folder."""
    set_ = {name: value for name, value in os.environ.items() if not name.startswith("KOP_")}
    return dataclasses.replace(from_environment(set_), data_dir=folder)


def demonstrate(folder: Path, *, entrants: int, deals: int) -> "subprocess.CompletedProcess[str]":
    """The demonstration with these numbers, in a process of its own, to its end."""
    command = [sys.executable, "-c", PROGRAM, str(entrants), str(deals)]
    return subprocess.run(command, capture_output=True, text=True, env=environment(folder), timeout=100, check=False)


def test_a_small_tournament_is_played_shown_and_checked(tmp_path: Path) -> None:
    """Four bots at a table and one with a bye: the result, five rows, the line of the bye, the sentence at the end."""
    done = demonstrate(tmp_path, entrants=5, deals=4)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert len(re.findall(r"^Round 1, table 1: Bot ", done.stdout, re.MULTILINE)) == 1
    assert len(re.findall(r"^ +[1-5]  Bot [1-5] ", done.stdout, re.MULTILINE)) == 5
    assert len(re.findall(r"round 1, bye: 3 / \+35", done.stdout)) == 1
    assert "\nChecked: the 2 logs that the store kept, played again, make the same results " in done.stdout


async def test_the_check_finds_a_row_that_the_logs_do_not_make(tmp_path: Path) -> None:
    """A point too many in one row, a row too few, and a tournament that is not there."""
    server = ServerProcess(tmp_path).start()
    try:
        said = await play_evening(
            SMALL, Server(f"http://127.0.0.1:{server.port}"), environment(tmp_path), tmp_path / "bots.log"
        )
        assert server.faults == []
    finally:
        server.stop()
    here = configuration(tmp_path / "data")
    assert await check(here, said) == ([], 2)
    rows = said.standings["rows"]
    changed = {**said.standings, "rows": [{**rows[0], "small": rows[0]["small"] + 1}, *rows[1:]]}
    (fault,) = (await check(here, dataclasses.replace(said, standings=changed)))[0]
    assert fault.startswith("the server said {")
    short = {**said.standings, "rows": rows[:-1]}
    assert (await check(here, dataclasses.replace(said, standings=short)))[0] == [
        "the server's list has 4 rows, the logs make 5"
    ]
    unknown = dataclasses.replace(said, tournament="tournament000000000000")
    assert await check(here, unknown) == (["the tournament has no log"], 0)


def test_what_cannot_be_played_is_said_with_the_reason_and_nothing_is_said_to_be_checked(tmp_path: Path) -> None:
    """The server refuses the terms; exit code 1."""
    done = demonstrate(tmp_path, entrants=5, deals=3)
    assert done.returncode == 1
    why = "the tournament was not played to its end: tournament_create was refused: bad_option deals"
    assert done.stderr == f"kop-server: {why}\n"
    assert "Checked" not in done.stdout


def test_bots_that_end_too_early_are_told_with_what_they_said(tmp_path: Path) -> None:
    """More of them than one program holds: it ends with a word, and the tournament cannot be played."""
    done = demonstrate(tmp_path, entrants=2_001, deals=4)
    assert done.returncode == 1
    assert "the bots ended too early, with exit code 2" in done.stderr
    assert "--count: must be 1 to 2000" in done.stderr
    assert "Checked" not in done.stdout
