"""`kop-server play` and `demo` end as a whole: with them go the server, its Valkey, and the clients."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.e2e.test_commands import environment
from tests.servers import ServerProcess

PROGRAM = [sys.executable, "-m", "server.main"]
PATIENCE = 30.0
Start = Callable[..., "subprocess.Popen[str]"]
_seen: set[int] = set()
"""Processes that a test has found; what a failed one leaves is ended."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a command in a process group of its own, as a terminal does; ends what is left of it."""
    started: list[subprocess.Popen[str]] = []

    def run(*arguments: str) -> "subprocess.Popen[str]":
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(tmp_path),
            start_new_session=True,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()
    while _seen:
        pid = _seen.pop()
        if not ended(pid):
            os.kill(pid, signal.SIGKILL)


def offspring(pid: int) -> dict[int, str]:
    """All processes that a process has started, and those that they have, with their programs."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    found: dict[int, str] = {}
    parents = {pid}
    while parents:
        children = {int(row[0]): row[2] for row in rows if int(row[1]) in parents and int(row[0]) not in found}
        found |= children
        parents = set(children)
    found = {one: program for one, program in found.items() if not program.startswith("ps ")}
    _seen.update(found)
    return found


def ended(pid: int) -> bool:
    """Whether there is no such process, or only its exit code is left."""
    listed = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
    return listed.stdout.strip() in ("", "Z")


def until(fact: Callable[[], bool]) -> None:
    """Waits for a fact about processes, which tell nobody."""
    patience = time.monotonic() + PATIENCE
    while not fact():
        assert time.monotonic() < patience
        time.sleep(0.01)


def read_to(stream: IO[str] | None, wanted: str) -> None:
    """Reads lines up to one that holds this."""
    assert stream is not None
    for line in stream:
        if wanted in line:
            return
    raise AssertionError(f"no {wanted!r}")


def server_and_valkey(processes: dict[int, str]) -> list[int]:
    """The processes among them that must not be left."""
    found = [[pid for pid, program in processes.items() if word in program] for word in ("server.main serve", "valkey")]
    assert all(found), processes
    return [pid for pids in found for pid in pids]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_play_ends_with_its_server_and_valkey(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    """A closed terminal, a kill and Ctrl-C: after it no process is left of all that it had started."""
    playing = start("play", "--port", "0", "--data-dir", str(tmp_path / "data"), "--name", "Ola")
    read_to(playing.stdout, "takes seat")
    processes = offspring(playing.pid)
    server_and_valkey(processes)
    if number is signal.SIGINT:
        os.killpg(playing.pid, number)
    else:
        playing.send_signal(number)
    _, errors = playing.communicate(timeout=PATIENCE)
    assert playing.returncode != 0 or number is signal.SIGINT
    until(lambda: all(ended(pid) for pid in processes))
    assert "Traceback" not in errors
    assert "Traceback" not in (tmp_path / "data" / "server.log").read_text()


def test_a_signal_before_the_server_listens_ends_it_too(start: Start, tmp_path: Path) -> None:
    """The terminal is closed while the server starts."""
    playing = start("play", "--port", "0", "--data-dir", str(tmp_path / "data"))
    until(lambda: any("server.main serve" in program for program in offspring(playing.pid).values()))
    processes = offspring(playing.pid)
    playing.send_signal(signal.SIGHUP)
    _, errors = playing.communicate(timeout=PATIENCE)
    until(lambda: all(ended(pid) for pid in processes))
    assert "Traceback" not in errors


def test_play_says_why_its_server_does_not_start(start: Start, own_server: ServerProcess) -> None:
    """The data folder is in use: the reason stands in one line, with the path of the log."""
    folder = own_server.folder / "data"
    playing = start("play", "--port", "0", "--data-dir", str(folder))
    _, errors = playing.communicate(timeout=PATIENCE)
    assert playing.returncode == 1
    (line,) = errors.splitlines()
    assert line.startswith("kop-server: the server did not start: ")
    assert f"in use by pid {own_server.pid}" in line
    assert str(folder / "server.log") in line
    assert not ended(own_server.pid)


@pytest.mark.parametrize(("command", "seen"), [("demo", "Deal 1: "), ("demo-tournament", "Round 1, table ")])
def test_a_demonstration_that_is_interrupted_ends_quietly(command: str, seen: str, start: Start) -> None:
    """Ctrl-C in `demo` or `demo-tournament`: no traceback, and no process is left."""
    showing = start(command)
    read_to(showing.stdout, seen)
    processes = offspring(showing.pid)
    server_and_valkey(processes)
    os.killpg(showing.pid, signal.SIGINT)
    _, errors = showing.communicate(timeout=PATIENCE)
    assert showing.returncode == 130
    until(lambda: all(ended(pid) for pid in processes))
    assert "Traceback" not in errors, errors
