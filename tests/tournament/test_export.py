"""Standings as text, CSV and plain data."""

import csv
import io
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.tournament.export import (
    fraction_text,
    plain_standings,
    plain_team_standings,
    small_text,
    standings_csv,
)
from server.tournament.standings import LineKind, standings, team_standings
from tests.tournament.samples import account, line

TEXTS = [
    ("0", "0"),
    ("11", "11"),
    ("23/2", "11½"),
    ("34/3", "11⅓"),
    ("35/3", "11⅔"),
    ("45/4", "11¼"),
    ("47/4", "11¾"),
    ("137/12", "11 5/12"),
    ("1/2", "½"),
    ("5/12", "5/12"),
    ("-1/2", "−½"),
    ("-3/2", "−1½"),
    ("-4", "−4"),
]


@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_big_points_as_people_write_them(value: str, text: str) -> None:
    """Exactly, whatever the fraction."""
    assert fraction_text(Fraction(value)) == text


def test_small_points_have_a_sign() -> None:
    """But nothing has none."""
    assert [small_text(points) for points in (91, -39, 0)] == ["+91", "−39", "0"]


def read(text: str) -> list[dict[str, str]]:
    """The rows under the header."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


ROWS = standings(
    [
        account(
            1,
            line(1, "7/2", 6, 1),
            line(2, "3", 35, kind=LineKind.BYE),
            line(2, "-1/2", -5, kind=LineKind.PENALTY),
            name='Łucja "Łu", Ż',
            team="Wolsztyn",
        ),
        account(2, line(1, "4/3", -6, 2), line(2, "0", 0, kind=LineKind.FORFEIT, table=1), name="=1+2", team="@home"),
        account(3),
    ]
)


def test_csv_goes_round() -> None:
    """Every row has every column, under one header line; lines end as RFC 4180 has it."""
    text = standings_csv(ROWS, 2)
    assert text.count("\r\n") == text.count("\n") == 4
    first, second, third = read(text)
    assert first == {
        "rank": "1",
        "number": "1",
        "name": 'Łucja "Łu", Ż',
        "team": "Wolsztyn",
        "big": "6",
        "big_decimal": "6",
        "small": "36",
        "won": "1",
        "seconds": "0",
        "penalty_big": "-0 1/2",
        "penalty_small": "-5",
        "remarks": "bye 2; penalty 2",
        "round_1_big": "3 1/2",
        "round_1_small": "6",
        "round_2_big": "3",
        "round_2_small": "35",
    }
    assert (second["big"], second["big_decimal"], second["remarks"]) == ("1 1/3", "1.333333", "forfeit 2")
    assert (second["penalty_big"], second["round_2_big"], second["round_2_small"]) == ("", "0", "0")
    assert (third["round_1_big"], third["big"], third["big_decimal"]) == ("", "0", "0")


@pytest.mark.parametrize("name", ["=1+2", "+48", "-1", "@SUM(A1)", " =1", "\t=1", "\N{FULLWIDTH EQUALS SIGN}1"])
def test_no_name_is_a_formula(name: str) -> None:
    """A spreadsheet reads it as text."""
    [row] = read(standings_csv(standings([account(1, name=name, team=name)]), 0))
    assert row["name"] == row["team"] == f"'{name}"


NAMES = st.text(min_size=1, max_size=12)


@given(NAMES)
def test_any_name_comes_back(name: str) -> None:
    """Quotes, commas and ends of lines are no matter; no cell begins like a formula."""
    [row] = read(standings_csv(standings([account(1, name=name)]), 1))
    assert row["name"] in {name, f"'{name}"}
    assert not row["name"].lstrip().startswith(("=", "+", "-", "@"))
    assert list(row)[-2:] == ["round_1_big", "round_1_small"]


def test_plain_standings_are_json() -> None:
    """Fractions as texts, each line of an account, the same keys in every row."""
    plain = plain_standings(ROWS)
    assert json.loads(json.dumps(plain)) == plain
    assert plain[1] == {
        "rank": 2,
        "entrant": 2,
        "name": "=1+2",
        "team": "@home",
        "big": "4/3",
        "small": -6,
        "won": 0,
        "seconds": 1,
        "lines": [
            {"round": 1, "kind": "played", "big": "4/3", "small": -6, "place": 2, "table": None},
            {"round": 2, "kind": "forfeit", "big": "0", "small": 0, "place": None, "table": 1},
        ],
    }
    assert {tuple(row) for row in plain} == {tuple(plain[0])}


def test_plain_teams() -> None:
    """An incomplete team has no rank."""
    accounts = [account(1, line(1, "7/2"), team="A"), account(2, team="A"), account(3, team="B")]
    assert plain_team_standings(team_standings(accounts, 2)) == [
        {
            "rank": 1,
            "team": "A",
            "complete": True,
            "big": "7/2",
            "small": 0,
            "won": 0,
            "seconds": 0,
            "members": [1, 2],
        },
        {
            "rank": None,
            "team": "B",
            "complete": False,
            "big": "0",
            "small": 0,
            "won": 0,
            "seconds": 0,
            "members": [3],
        },
    ]
