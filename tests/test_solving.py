"""`kop-server solve`: a line for each deal, in the order of their numbers; what cannot be asked is said in a line."""

import json

import pytest

from server.games.patience.options import terms
from server.games.patience.solver.solve import solve_deal
from server.main import main


def test_a_line_for_each_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """Number, verdict, positions and time as JSON on stdout; how far it is on stderr."""
    assert main(["solve", "carpet", "--deals", "17-20", "--json"]) == 0
    told = capsys.readouterr()
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["number"] for line in lines] == ["17", "18", "19", "20"]
    rules = terms("carpet", {}).rules
    for line in lines:
        assert set(line) == {"number", "verdict", "positions", "millis"}
        assert line["verdict"] == solve_deal(rules, int(line["number"])).verdict.value
    assert told.err.rstrip().endswith("4/4")


def test_variants_change_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    """The deal is solved under them; several may be named."""
    assert main(["solve", "burgvoegtin", "--variant", "open_packets", "strict", "--deals", "5", "--json"]) == 0
    line = json.loads(capsys.readouterr().out)
    rules = terms("burgvoegtin", {"open_packets": True, "strict": True}).rules
    assert line["verdict"] == solve_deal(rules, 5).verdict.value


def test_columns_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    """Without `--json` the same, with tabs between."""
    assert main(["solve", "carpet", "--deals", "17"]) == 0
    assert capsys.readouterr().out.split("\t")[:2] == ["17", "winnable"]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["carpet", "--deals", "0"], "--deals"),
        (["carpet", "--deals", "9-8"], "--deals"),
        (["carpet", "--deals", "1-x"], "--deals"),
        (["carpet", "--deals", "1-100000000000000000000"], "--deals"),
        (["carpet", "--deals", "1", "--variant", "strict"], "--variant"),
        (["carpet", "--deals", "1", "--variant", "no_undo"], "--variant"),
        (["zopf", "--deals", "1", "--variant", "braid_builds"], "--variant"),
        (["carpet", "--deals", "1", "--seconds", "0"], "--seconds"),
        (["carpet", "--deals", "1", "--seconds", "nan"], "--seconds"),
    ],
)
def test_what_cannot_be_asked(arguments: list[str], named: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, and one line that names the argument."""
    assert main(["solve", *arguments]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"kop-server: {named}")
