"""The program `kop` in pipes, against a real server."""

import csv
import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from client_cli.howto import howto
from tests.servers import ServerProcess


@pytest.fixture(scope="module")
def brisk_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose bots do not take the time of a person."""
    folder = Path(tmp_path_factory.mktemp("brisk"))
    process = ServerProcess(folder, {"KOP_LIMIT_BOT_SECONDS": "0.01"}).start()
    yield process
    process.stop()


@pytest.fixture
def kop(brisk_server: ServerProcess, tmp_path: Path) -> "Kop":
    """The program with its own folder, on the server of this module."""
    return Kop(f"http://127.0.0.1:{brisk_server.port}", tmp_path)


class Kop:
    """Runs `kop` and gives what it said."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.environment = {**os.environ, "KOP_HOME": str(folder), "KOP_SERVER": address, "LC_ALL": "C.UTF-8"}

    def home(self, name: str) -> str:
        """A folder for another player who has never been here."""
        return f"{self.environment['KOP_HOME']}-{name}"

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
    link = created.stdout.splitlines()[1].removeprefix("For your friends: ")
    assert link == f"{kop.address}/#{table}"
    joined = kop("join", link, "--name", "Jan", "--profile", "b", "--seat", "3", "--lang", "de")
    assert "Du sitzt auf Platz 3." in joined.stdout
    watching = kop("watch", table, "--name", "Ewa", "--profile", "c", "--lang", "pl", typed="pomoc\n")
    assert "Oglądasz grę." in watching.stdout
    listed = kop("list", "--profile", "d")
    assert f"{table}  Ola, free, Jan, free  (waiting for players, klassisch, 16 deals, 1 pts)" in listed.stdout
    assert [run.returncode for run in (created, joined, watching, listed)] == [0, 0, 0, 0]


def match(kop: Kop, *options: str) -> str:
    """What a player reads who lets everything be automatic and types card numbers, with three bots."""
    command = ["create", "--name", "Zed", "--bots", "3", "--strength", "easy", "--deals", "4", "--until-over", *options]
    with subprocess.Popen(
        [sys.executable, "-m", "client_cli.main", *command],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=kop.environment, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("auto ready on\nauto ask on\nauto go on\n")
        process.stdin.flush()
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(("You lead: ", "Your turn: ")):
                process.stdin.write(line.split(": ")[1].split(" ")[0].strip(" .\n") + "\n")
                process.stdin.flush()
    assert process.returncode == 0, lines
    return "".join(lines)


@pytest.mark.parametrize("rules", ["klassisch", "pagat", "wolsztyn", "koscian"])
def test_a_whole_match_goes_by_in_a_pipe(kop: Kop, rules: str) -> None:
    """With every named set; all that is to be answered is answered by itself."""
    text = match(kop, "--rules", rules)
    assert text.count(", wyjście (") + text.count(" alone.") + text.count("bez ") + text.count("boki") >= 4
    assert text.count("All are ready and shuffle together.") == 4
    assert "The match is over." in text
    assert "the sum is 0." in text
    assert "Careful" not in text


def test_records_are_listed_shown_replayed_exported_shared_and_verified(kop: Kop, tmp_path: Path) -> None:
    """All that a player needs to see afterwards that nobody chose his cards."""
    match(kop, "--rules", "wolsztyn")
    listed = kop("record", "list").stdout.splitlines()
    names = [line.split()[0] for line in listed]
    assert [name.rsplit("-", 1)[1] for name in names] == ["4", "3", "2", "1"]
    assert "Rules wolsztyn" in kop("record", "show", names[0]).stdout
    assert kop("record", "replay", names[0]).returncode == 0
    verified = kop("record", "verify", *names)
    assert verified.returncode == 0, verified.stdout
    assert verified.stdout.splitlines() == [f"{name}: nobody chose these cards." for name in names]
    files = [str(tmp_path / f"{place}.json") for place in range(4)]
    assert [kop("record", "export", name, file).returncode for name, file in zip(names, files, strict=True)] == [0] * 4
    assert kop("record", "export", names[0], files[0]).returncode == 1
    assert kop("record", "verify", *files, "--server", "127.0.0.1:1").returncode == 0
    code = kop("record", "share", names[1]).stdout.split()[-1]
    friend = kop("record", "show", code, "--profile", "friend")
    assert (friend.returncode, "Rules wolsztyn" in friend.stdout) == (0, True), friend.stdout
    assert kop("record", "show", names[2], "--profile", "friend", "--lang", "pl").returncode == 1


def test_a_record_that_was_changed_is_not_in_order(kop: Kop, tmp_path: Path) -> None:
    """Then the exit code is 1."""
    match(kop)
    name = kop("record", "list").stdout.split()[0]
    file = tmp_path / "record.json"
    assert kop("record", "export", name, str(file)).returncode == 0
    record = json.loads(file.read_text())
    record["deck"] = record["deck"][::-1]
    file.write_text(json.dumps(record))
    verified = kop("record", "verify", str(file), "--lang", "de")
    assert (verified.returncode, verified.stdout.splitlines()[0].endswith("NICHT in Ordnung:")) == (1, True)


def test_a_host_changes_single_fields_of_a_named_set(kop: Kop) -> None:
    """The table says what differs; values are spelled in any of the player's languages."""
    options = ("--rules", "wolsztyn", "--set", "cap_zolo=keine", "--set", "late-calls=nein", "--set", "trumps=as_dycha")
    told = kop("create", "--name", "Ola", "--lang", "de", *options, typed="tisch\nregeln\n")
    assert told.returncode == 0, told.stderr
    lines = told.stdout.splitlines()
    assert "Regeln: wolsztyn" in lines
    changed = [" ".join(line.split()) for line in lines if line.startswith("* ")]
    assert changed == [
        "* trumps as_dycha statt as_trzy_dychy",
        "* late_calls nein statt ja",
        "* cap_zolo keine statt 2",
    ]


def test_rules_are_told_without_a_server(kop: Kop) -> None:
    """The named sets side by side, one of them, one field; at most 80 columns."""
    for arguments in ((), ("wolsztyn",), ("gathered",), ("cap-zolo",), ("kontra on one's own wesele",)):
        told = kop("rules", *arguments, "--server", "127.0.0.1:1")
        assert told.returncode == 0, told.stderr
        assert all(len(line) <= 80 for line in told.stdout.splitlines())
    assert "Sposób" not in kop("rules", "calling").stdout
    assert "po kolei (in_turn)" in kop("rules", "sposób zapowiadania", "--lang", "pl").stdout


def test_the_page_for_newcomers_needs_no_server(kop: Kop) -> None:
    """In the player's language; and it is not empty."""
    told = kop("how", "--server", "127.0.0.1:1", "--lang", "pl")
    assert (told.returncode, told.stdout.splitlines()) == (0, howto("pl"))


def test_a_table_is_opened_with_bots_clocks_and_its_rules_of_talk(kop: Kop) -> None:
    """The bots are the server's; what was agreed beyond the game stands with the rules."""
    options = ("--bots", "2", "--strength", "medium", "--clock", "30+60", "--on-absence", "Uhr", "--talk", "phrases")
    told = kop("create", "--name", "Ola", "--lang", "de", *options, typed="regeln\ntisch\n", KOP_HOME=kop.home("x"))
    assert told.returncode == 0, told.stderr
    assert "Stärke: mittel" in told.stdout
    assert told.stdout.count(" (Bot, mittel).") == 2
    agreed = {" ".join(line.split()[:2]) for line in told.stdout.splitlines() if line.startswith("  ")}
    assert {"on_absence Uhr", "clock_seconds 30", "clock_bank 60", "talk Sätze"} <= agreed


def test_the_evening_is_printed_for_people_and_programs(kop: Kop) -> None:
    """Of the player's table, or of one that is named by its code; to a stranger it is none."""
    match(kop)
    told = kop("evening")
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.splitlines()[-1].startswith(("Money in pts; the sum is 0.", "Z")) or " owes " in told.stdout
    assert kop("evening", "--plain").stdout.startswith("The evening at table ")
    rows = list(csv.DictReader(io.StringIO(kop("evening", "--format", "csv").stdout)))
    assert [row["match"] for row in rows] == ["1"] * 4 + ["all"] * 4
    assert sum(int(row["money"]) for row in rows[4:]) == 0
    assert [row["bot"] for row in rows[4:]].count("yes") == 3
    whole = json.loads(kop("evening", "--format", "json").stdout)
    again = json.loads(kop("evening", whole["table"], "--format", "json").stdout)
    assert again == whole
    assert kop("evening", "nosuchtable").returncode == 1
    stranger = kop("evening", "--profile", "stranger")
    assert (stranger.returncode, stranger.stdout) == (1, "")


CLASH = ("--set", "calling=in_turn", "--set", "passes_to_close=none")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("join", "NOSUCHCODE", "--name", "Ola"), 1, "There is no such table"),
        (("create", "--name", "x" * 40), 1, "This name is not possible"),
        (("create", "--name", "Ola", "--deals", "5"), 1, "does not accept this value of deals of a match (deals)"),
        (("create", "--name", "Ola", *CLASH), 1, "way of calling (calling) and passes that close"),
        (("create", "--name", "Ola", "--set", "calling=sideways"), 2, "Possible: open, in turn."),
        (("create", "--name", "Ola", "--set", "colour=red"), 2, "There is no field “colour”"),
        (("create", "--name", "Ola", "--set", "trumps"), 2, "--set takes FIELD=VALUE"),
        (("create", "--name", "Ola", "--rules", "poker"), 1, "value of rule set (rules)"),
        (("rules", "colour"), 2, "There is no field “colour”"),
        (("create", "--name", "Ola", "--set", "on_absence=clock"), 1, "do not go together with these values"),
        (("create", "--name", "Ola", "--clock", "2"), 2, "must be 3 to 600 seconds"),
        (("create", "--name", "Ola", "--talk", "loud"), 2, "Possible: free, phrases, off."),
        (("record", "explain", "nosuch-1-1"), 1, "There is no such record"),
        (("evening",), 1, "You are at no table."),
        (("record", "show", "nosuch-1-1"), 1, "There is no such record"),
        (("record", "verify", "--server", "127.0.0.1:1", "nosuch"), 1, "No Kop server answers"),
        (("record",), 2, "ACTION"),
        (("join", "a/b", "--name", "Ola"), 2, "neither a join code"),
        (("join", "ABC"), 2, "A name is needed"),
        (("list", "--server", "ftp://x"), 2, "is no server address"),
        (("list", "--profile", "../x"), 2, "is no profile name"),
        (("list", "--server", "127.0.0.1:1"), 1, "No Kop server answers"),
        (("dance",), 2, "invalid choice"),
        ((), 0, "You are at no table."),
        (("bot", "NOSUCHCODE"), 1, "There is no such table"),
        (("bot", "--tournament", "tournament000000000000"), 1, "There is no such tournament"),
        (("bot", "--tournament", "http://nowhere:x/tournament/tournament000000000000"), 2, "is neither a join code"),
        (("bot", "NOSUCHCODE", "--tournament", "tournament000000000000"), 2, "and not both"),
        (("bot",), 2, "kop bot needs a table"),
    ],
)
def test_exit_codes(kop: Kop, arguments: tuple[str, ...], code: int, text: str) -> None:
    """0 done, 1 refused or failed with a sentence, 2 wrong usage."""
    done = kop(*arguments)
    assert (done.returncode, text in done.stdout + done.stderr) == (code, True), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_who_plays_online_needs_nothing_of_the_server() -> None:
    """The rules are loaded for records and named sets only, when they are asked for."""
    look = "import sys, client_cli.main; print([name for name in sys.modules if name.split('.')[0] == 'server'])"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


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
