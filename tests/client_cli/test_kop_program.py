"""The program `kop` in pipes, against a real server."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import ServerProcess


@pytest.fixture
def kop(server: ServerProcess, tmp_path: Path) -> "Kop":
    """The program with its own folder, on the shared server."""
    return Kop(f"http://127.0.0.1:{server.port}", tmp_path)


class Kop:
    """Runs `kop` and gives what it said."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.environment = {**os.environ, "KOP_HOME": str(folder), "KOP_SERVER": address, "LC_ALL": "C.UTF-8"}

    def __call__(self, *arguments: str, typed: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "client_cli.main", *arguments]
        surroundings = self.environment | environment
        return subprocess.run(
            command,
            input=typed,
            capture_output=True,
            text=True,
            timeout=60,
            env=surroundings,
            encoding="utf-8",
            check=False,
        )


def test_create_says_code_and_link_and_keeps_the_seat(kop: Kop) -> None:
    """At the end of its input it leaves the terminal, not the table; `kop` alone goes back there."""
    created = kop("create", "--name", "Ola", typed="table\n")
    assert created.returncode == 0, created.stderr
    lines = created.stdout.splitlines()
    assert lines[0].startswith("The table is open. Code: ")
    assert lines[1] == f"For your friends: {kop.address}/#{lines[0].removeprefix('The table is open. Code: ')}"
    assert lines.count("Seat 1: Ola (you).") == 2
    again = kop(typed="bogus\n")
    assert again.returncode == 0
    assert "Seat 1: Ola (you)." in again.stdout
    assert "I do not understand “bogus”." in again.stdout


def test_a_friend_joins_by_link_another_watches_and_a_third_lists(kop: Kop) -> None:
    """Three profiles on one machine are three players."""
    created = kop("create", "--name", "Ola", "--public")
    table = created.stdout.splitlines()[0].rsplit(" ", 1)[1]
    joined = kop("join", table, "--name", "Jan", "--profile", "b", "--seat", "3", "--lang", "de")
    assert "Du sitzt auf Platz 3." in joined.stdout
    watching = kop("watch", table, "--name", "Ewa", "--profile", "c", "--lang", "pl", typed="pomoc\n")
    assert "Oglądasz grę." in watching.stdout
    listed = kop("list", "--profile", "d")
    assert f"{table}  Ola, free, Jan, free  (waiting for players, 16 deals, 1 pts)" in listed.stdout
    assert [run.returncode for run in (created, joined, watching, listed)] == [0, 0, 0, 0]


def test_a_whole_match_goes_by_in_a_pipe(kop: Kop) -> None:
    """A player who lets everything be automatic and types card numbers, with three bots."""
    typed = "auto ready on\nauto ask on\nauto go on\n"
    command = (
        "create",
        "--name",
        "Zed",
        "--bots",
        "3",
        "--bot-delay",
        "0",
        "--deals",
        "4",
        "--answer-seconds",
        "none",
        "--until-over",
    )
    with subprocess.Popen(
        [sys.executable, "-m", "client_cli.main", *command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kop.environment, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(typed)
        process.stdin.flush()
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(("You lead: ", "Your turn: ")):
                process.stdin.write(line.split(": ")[1].split(" ")[0].strip(" .\n") + "\n")
                process.stdin.flush()
    assert process.returncode == 0
    text = "".join(lines)
    assert text.count(", wyjście (") + text.count(" alone.") + text.count("bez ") + text.count("boki") >= 4
    assert "The match is over." in text
    assert "the sum is 0." in text


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("join", "NOSUCHCODE", "--name", "Ola"), 1, "There is no such table"),
        (("create", "--name", "x" * 40), 1, "This name is not possible"),
        (("create", "--name", "Ola", "--deals", "5"), 1, "does not accept the value of an option"),
        (("join", "a/b", "--name", "Ola"), 2, "neither a join code"),
        (("join", "ABC"), 2, "A name is needed"),
        (("list", "--server", "ftp://x"), 2, "is no server address"),
        (("list", "--profile", "../x"), 2, "is no profile name"),
        (("list", "--server", "127.0.0.1:1"), 1, "No Kop server answers"),
        (("dance",), 2, "invalid choice"),
        ((), 0, "You are at no table."),
        (("bot", "NOSUCHCODE"), 1, "There is no such table"),
    ],
)
def test_exit_codes(kop: Kop, arguments: tuple[str, ...], code: int, text: str) -> None:
    """0 done, 1 refused or failed with a sentence, 2 wrong usage."""
    done = kop(*arguments)
    assert (done.returncode, text in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_an_output_without_suits_gets_letters(kop: Kop) -> None:
    """Nothing breaks where the encoding is narrow."""
    done = kop("create", "--name", "Ola", "--lang", "pl", "--public", typed="pomoc\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0, done.stderr
    assert "Stol jest otwarty" in done.stdout
    assert done.stdout.isascii()


def test_a_closed_pipe_is_no_crash(kop: Kop) -> None:
    """`kop … | head -1`."""
    command = f"yes table | {sys.executable} -m client_cli.main create --name Ola | head -1"
    done = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, env=kop.environment, check=False
    )
    assert done.stdout.startswith("The table is open.")
    assert "Traceback" not in done.stderr
