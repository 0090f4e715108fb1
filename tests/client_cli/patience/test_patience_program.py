"""The program `kop` at patiences, in pipes, against a real server."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client_cli.patience.layout import GAMES
from tests.servers import ServerProcess

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server of this module."""
    process = ServerProcess(Path(tmp_path_factory.mktemp("patience"))).start()
    yield process
    process.stop()


@pytest.fixture
def kop(server: ServerProcess, tmp_path: Path) -> Run:
    """The program with its own folder, on that server."""
    environment = {**os.environ, "KOP_HOME": str(tmp_path), "KOP_SERVER": f"http://127.0.0.1:{server.port}"}

    def run(*arguments: str, typed: str = "") -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "client_cli.main", *arguments]
        return subprocess.run(
            command, input=typed, capture_output=True, timeout=60, env=environment | {"LC_ALL": "C.UTF-8"},
            encoding="utf-8", check=False,
        )  # fmt: skip

    return run


@pytest.mark.parametrize("game", GAMES)
def test_each_patience_is_dealt_at_once_and_gone_back_to(kop: Run, game: str) -> None:
    """A hint helps on; the second call is at the same deal."""
    first = kop(game, "--name", "Ola", typed="h\ny\n")
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    assert lines[0] == "Deal 1."
    assert any(line.startswith("Hint: ") for line in lines)
    again = kop(game, typed="undo\nquit\n")
    assert again.returncode == 0, again.stderr
    assert "You are back at your deal." in again.stdout
    assert "Taken back: " in again.stdout


def test_a_numbered_deal_by_fosters_way(kop: Run) -> None:
    """The number is known from the start; `create --game` does the same."""
    for command in (("carpet",), ("create", "--game", "carpet")):
        run = kop(*command, "--name", "Ola", "--set", "foster=yes", "--number", "5", typed="rules\ngive up\ny\nsheet\n")
        assert run.returncode == 0, run.stderr
        assert "Deal 1, number 5." in run.stdout
        assert "At the start went out by themselves: A♥, A♠, 2♠, 3♠, 4♠. Holes filled from the stock: 5." in run.stdout
        assert "  foster = yes: " in run.stdout
        assert "1: not won, 5 out, " in run.stdout


def test_solver_daily_results_and_ranking(kop: Run) -> None:
    """A helped deal does not count; the deal of the day does, and stands in the ranking."""
    typed = "solve\ny\ndaily\ny\ngive up\ny\nwinnable\n"
    run = kop("carpet", "--name", "Ola", typed=typed)
    assert run.returncode == 0, run.stderr
    assert "The solver looks into all cards; this deal is marked as helped." in run.stdout
    assert "can be won from here" in run.stdout or "cannot be won from here" in run.stdout
    assert "Deal 2, the deal of the day " in run.stdout
    assert "Deal 3." in run.stdout
    later = kop("carpet", typed="ranking\nresults\nall results\n")  # the server files both a moment after it has told
    assert "1: Ola did not win, " in later.stdout
    assert later.stdout.count("Carpet: won 0 of 1 (0 %)") == 2


def test_wrong_fields_and_pages(kop: Run) -> None:
    """A slip is told before a server is asked; each game has its page."""
    wrong = kop("carpet", "--set", "long_braid=yes")
    assert wrong.returncode == 2
    assert "There is no field “long_braid” here; possible are foster, no_undo, " in wrong.stderr
    assert kop("how", "zopf", "--lang", "de").stdout.startswith("SO GEHT ZOPF\n")
    assert kop("how", "--lang", "de").stdout.startswith("SO ") is True
    assert "Foster's way (foster)" in kop("rules", "foster", "--lang", "en").stdout
