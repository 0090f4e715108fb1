"""What is agreed when a table is opened, and the sheet that comes of it (docs/rules/kop.md, 6.8)."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import OptionValue, Plain, RuleViolation
from server.games.kop import view
from server.games.kop.game import Kop
from tests.games.kop.scenes import SEATS, after
from tests.games.kop.strategies import Story, stories

KOP = Kop()


@settings(deadline=None, max_examples=40)
@given(played_deals=st.lists(stories(), min_size=1, max_size=3))
def test_both_ledgers_add_up_the_lines(played_deals: list[Story]) -> None:
    """6.8: points and money are the sums of the lines; money times the stake; the debts settle all of it."""
    match = KOP.new_match({"deals": 16, "stake": "0.25", "currency": "zł"})
    for story in played_deals:
        scored = after(story.opening(), story.steps)
        match = replace(match, lines=(*match.lines, *scored.lines))
    sheet = KOP.sheet(match)
    assert sheet["stake"] == "0.25 zł"
    assert sheet["ledger"] == view.public(match)["ledger"]
    for seat in SEATS:
        assert sheet["ledger"]["points"][seat] == sum(line.points[seat] for line in match.lines)
        owed = sum(line.money[seat] for line in match.lines) * Decimal("0.25")
        assert Decimal(sheet["ledger"]["money"][seat]) == owed
        paid: list[Plain] = [debt for debt in sheet["debts"] if debt["debtor"] == seat]
        got: list[Plain] = [debt for debt in sheet["debts"] if debt["creditor"] == seat]
        assert sum(Decimal(debt["amount"]) for debt in got) - sum(Decimal(debt["amount"]) for debt in paid) == owed
    assert len(sheet["debts"]) <= 3
    assert all(Decimal(debt["amount"]) > 0 for debt in sheet["debts"])
    assert sum(Decimal(amount) for amount in sheet["ledger"]["money"]) == 0


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rules": "klassisch", "deals": 4, "answer_seconds": 1, "stake": "0", "currency": "€"},
        {"deals": None, "answer_seconds": None, "stake": "123456.7890", "currency": "x" * 12},
        {"deals": 400, "answer_seconds": 600, "stake": "007.50"},
    ],
)
def test_options_make_the_same_match_again(options: dict[str, OptionValue]) -> None:
    """The complete options of a match make the same match."""
    match = KOP.new_match(options)
    complete = KOP.options(match)
    assert set(complete) == {"rules", "deals", "answer_seconds", "stake", "currency"}
    assert all(complete[name] == value for name, value in options.items() if value != "007.50")
    assert KOP.new_match(complete) == match
    assert KOP.options(KOP.new_match(complete)) == complete


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("rules", ["wolsztyn", "", None, 1]),
        ("deals", [0, 3, 6, 404, -4, True, "16", 16.0]),
        ("answer_seconds", [0, 601, -1, True, "15"]),
        ("stake", ["", "1.", ".5", "-1", "1e3", "1,5", "1.23456", "1234567", 1, None, "\u0661", "1\n"]),
        ("currency", ["", "x" * 13, "a\nb", None, 1]),
    ],
)
def test_bad_options_are_refused(option: str, values: list[OptionValue]) -> None:
    """A value that an option cannot have is refused; the detail names the option."""
    for value in values:
        with pytest.raises(RuleViolation) as refusal:
            KOP.new_match({option: value})
        assert (refusal.value.code, refusal.value.detail) == ("bad_option", option), value


def test_an_unknown_option_is_refused() -> None:
    """An option that the game does not have is refused by its name."""
    with pytest.raises(RuleViolation) as refusal:
        KOP.new_match({"deals": 4, "jokers": 2})
    assert (refusal.value.code, refusal.value.detail) == ("unknown_option", "jokers")
