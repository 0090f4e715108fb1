"""The commands that a newcomer types first, as programs of their own."""

import os
import re
import subprocess
import sys
from pathlib import Path

PROGRAM = [sys.executable, "-m", "server.main"]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a player who has never been here."""
    return {**os.environ, "KOP_HOME": str(folder / "home"), "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8", "PYTHONUTF8": "1"}


def play(folder: Path, *, ready: bool) -> list[str]:
    """What `kop-server play` prints to somebody who quits as soon as he sees his hand."""
    command = [*PROGRAM, "play", "--port", "0", "--data-dir", str(folder / "data"), "--name", "Ola"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(folder)
    ) as playing:
        assert playing.stdin is not None
        assert playing.stdout is not None
        heard = []
        for line in playing.stdout:
            heard.append(line.rstrip("\n"))
            if ready and line.startswith("Ready for deal"):
                playing.stdin.write("\n")
                playing.stdin.flush()
            if line.startswith("Your hand"):
                playing.stdin.write("quit\n")
                playing.stdin.flush()
    assert playing.returncode == 0
    return heard


def hand(heard: list[str]) -> str:
    """The first hand that is shown."""
    return next(line for line in heard if line.startswith("Your hand"))


def test_play_seats_a_newcomer_at_a_running_table_and_goes_on_there(tmp_path: Path) -> None:
    """`kop-server play`: a link for friends, three bots sit down, the newcomer sees his cards; the next time again."""
    first = play(tmp_path, ready=True)
    link = re.compile(r"For your friends: http://127\.0\.0\.1:\d+/#(\w{4}-){2}\w{4}")
    assert any(link.fullmatch(line) for line in first)
    assert sum("takes seat" in line for line in first) == 3
    assert len(re.findall(r"(?:10|[AQJ])[♣♠♥♦]", hand(first))) == 4
    farewell = "Good bye. The server ends now, your table is kept: `make play` takes you back."
    assert first[-1] == farewell
    second = play(tmp_path, ready=False)
    assert second[0] == "You are back at your table, whose match is not over."
    assert hand(second) == hand(first)
    assert second[-1] == farewell


def test_the_demonstration_ends_by_itself_with_money_that_sums_to_zero(tmp_path: Path) -> None:
    """`kop-server demo`: 16 deals over real sockets, then the sheet; the money ledger sums to 0."""
    done = subprocess.run(
        [*PROGRAM, "demo"], capture_output=True, text=True, env=environment(tmp_path), timeout=100, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(bool(re.match(r"Deal \d+: ", line)) for line in lines) == 16
    money = next(line for line in lines if line.startswith("Money"))
    amounts = [int(amount) for amount in re.findall(r"Bot \d \(bot\) ([+-]?\d+)", money)]
    assert len(amounts) == 4, money
    assert sum(amounts) == 0


def test_a_second_server_on_the_same_folder_is_refused_with_the_pid_of_the_first(tmp_path: Path) -> None:
    """A data directory belongs to one server; the message names the process that has it."""
    command = [*PROGRAM, "serve", "--port", "0", "--data-dir", str(tmp_path / "data")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        first.stdout.readline()
        second = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
        first.terminate()
        first.wait(20)
    assert second.returncode == 1
    assert f"in use by pid {first.pid}" in second.stderr
