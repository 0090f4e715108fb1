"""The sheet of the evening for other programs, and files that are never written over."""

import csv
import io
import json
from pathlib import Path

import pytest

from client_cli.board import Board
from client_cli.catalogue import LANGUAGES, load
from client_cli.evening_files import COLUMNS, exported
from client_cli.new_files import NotWritten, write_new
from client_cli.style import Look, plain
from tests.client_cli import evenings
from tests.client_cli.samples import debt


def rows(evening: dict[str, object]) -> list[dict[str, str]]:
    """The rows of the CSV by column."""
    return list(csv.DictReader(io.StringIO(exported(evening, load("de"), "csv"))))


def test_csv_has_a_row_for_each_person_of_each_match_and_of_all() -> None:
    """With numbers that a program can read, whatever the language."""
    told = rows(evenings.evening())
    assert tuple(told[0]) == COLUMNS
    assert [row["match"] for row in told] == ["1"] * 4 + ["2..3"] * 2 + ["all"] * 5
    assert (told[0]["name"], told[0]["money"], told[0]["currency"], told[0]["old_won"]) == ("Ola", "1.20", "zł", "5")
    assert (told[5]["name"], told[5]["bot"], told[5]["seats"]) == ("Heniek", "yes", "4")
    assert [row["pays"] for row in told if row["pays"]] == ["Heniek 12344.40"]


def test_no_name_becomes_a_formula() -> None:
    """A spreadsheet takes such a name as text; escapes do not come through."""
    evening = evenings.evening()
    evening["matches"][0]["people"][0]["name"] = '=HYPERLINK("x")\x1b[2J'
    assert rows(evening)[0]["name"] == '\'=HYPERLINK("x")[2J'


def test_json_is_what_the_server_said() -> None:
    """Without what belongs to the message."""
    told = json.loads(exported(evenings.evening(), load("pl"), "json"))
    assert told == {key: value for key, value in evenings.evening().items() if key not in ("type", "id")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_text_is_the_table_that_a_terminal_shows(language: str) -> None:
    """Line for line."""
    shown = Board(load(language), Look(rich=True)).evening(evenings.evening())
    assert exported(evenings.evening(), load(language), "text").splitlines() == [plain(line) for line in shown]


def test_a_bot_and_a_person_of_one_name_are_told_apart() -> None:
    """By what the debt says of them."""
    evening = evenings.evening()
    people = [evenings.person("Ada", 0, money="1"), evenings.person("Ada", 1, money="-1", bot=True)]
    evening |= {
        "people": people,
        "debts": [debt("Ada", "Ada", "1", debtor_player="p1", creditor_player="p0", debtor_bot=True)],
    }
    assert "Ada (bot) owes Ada 1 zł." in exported(evening, load("en"), "text")
    assert [row["pays"] for row in rows(evening) if row["match"] == "all"] == ["", "Ada 1"]


def test_a_file_is_never_written_over(tmp_path: Path) -> None:
    """What is in the way is told, and what the system says; the home folder may be written as people do."""
    file, texts = tmp_path / "evening.txt", load("en")
    write_new(file, "one\n", texts)
    with pytest.raises(NotWritten, match="is there already"):
        write_new(file, "two\n", texts)
    assert file.read_text() == "one\n"
    for wrong in (tmp_path / "no" / "such", tmp_path, Path("a\0b"), Path("~nobody-of-this-name/x")):
        with pytest.raises(NotWritten):
            write_new(wrong, "", texts)
