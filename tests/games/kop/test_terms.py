"""What a host may set (every option, value by value), and the sheet that comes of it (docs/rules/kop.md, 6.8)."""

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.kop_options import KopOptions
from server.games.game import OptionValue, RuleViolation
from server.games.kop import view
from server.games.kop.game import Kop
from server.games.kop.options import ANSWER_SECONDS, RULE_FIELDS, plain_options, terms
from server.games.kop.ruleset import RULE_SETS, Calling
from tests.games.kop.scenes import SEATS, after
from tests.games.kop.strategies import Story, stories

KOP = Kop()
MATCH_OPTIONS = {"rules", "deals", "answer_seconds", "stake", "currency"}
Options = dict[str, OptionValue]
PEOPLE = ("ada", "bolek", "cela", "darek")


@settings(deadline=None, max_examples=40)
@given(played_deals=st.lists(stories(), min_size=1, max_size=3))
def test_both_ledgers_add_up_the_lines(played_deals: list[Story]) -> None:
    """6.8: points and money are the sums of the lines, per seat and per person; money times the stake."""
    match = KOP.new_match({"deals": 16, "stake": "0.25", "currency": "zł"})
    for story in played_deals:
        scored = after(story.opening(), story.steps)
        match = replace(match, lines=(*match.lines, *scored.lines))
    sheet, scores = KOP.sheet(match), KOP.scores(match, [PEOPLE] * len(match.lines))
    assert sheet["stake"] == "0.25 zł"
    assert sheet["ledger"] == view.public(match)["ledger"]
    for seat in SEATS:
        assert sheet["ledger"]["points"][seat] == sum(line.points[seat] for line in match.lines)
        owed = sum(line.money[seat] for line in match.lines) * Decimal("0.25")
        assert Decimal(sheet["ledger"]["money"][seat]) == owed
        assert KOP.money(match, scores[PEOPLE[seat]]["money"]) == sheet["ledger"]["money"][seat]
        assert scores[PEOPLE[seat]]["points"] == sheet["ledger"]["points"][seat]
    assert sum(Decimal(amount) for amount in sheet["ledger"]["money"]) == 0


# --- named sets ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RULE_SETS)
def test_a_named_set_is_what_a_host_starts_from(name: str) -> None:
    """Only the name given: every field is that of the set, and the answer time is one where calls are open."""
    made = terms({"rules": name})
    assert made.rules == RULE_SETS[name]
    open_calling = made.rules.calling is Calling.OPEN
    assert made.answer_seconds == (ANSWER_SECONDS if open_calling else None)


def test_without_a_name_it_is_klassisch() -> None:
    """The seed's rules are the default."""
    assert terms({}).rules == RULE_SETS["klassisch"]


# --- every value --------------------------------------------------------------------------------------------------

TABLE: list[tuple[str, list[OptionValue], list[OptionValue]]] = [
    # the option, values that it can have, values that it cannot
    ("rules", ["klassisch", "pagat", "wolsztyn", "koscian"], ["", "Pagat", "skat", None, 1, True]),
    ("deals", [4, 16, 32, 400, None], [0, 3, 6, 404, -4, True, "16", 16.0]),  # type: ignore[list-item]
    ("answer_seconds", [1, 15, 600, None], [0, 601, -1, True, "15"]),
    ("stake", ["0", "0.50", "007.5", "123456.7890"], ["", "1.", ".5", "-1", "1e3", "1,5", "1.23456", "1234567", 1]),
    ("stake", ["1"], [None, "\u0661", "1\n"]),
    ("currency", ["€", "x" * 12], ["", "x" * 13, "a\nb", None, 1]),
    ("trumps", ["as_dycha", "as_trzy_dychy"], ["none", "AS_DYCHA", "", None, 1, True]),
    ("calling", ["open"], ["", "Open", None, 1]),  # `in_turn` needs the number of passes: see the clashes
    ("passes_to_close", [None], [2, 5, 0, -3, True, "3", ""]),
    ("doubling_names", ["kontra", "kontra, re ,bok", "a,b,c,d,e,f,g,h,i,j,k,l", "x" * 16], ["", ",", "a,,b", "a,A"]),
    ("doubling_names", ["słup"], ["a,b,c,d,e,f,g,h,i,j,k,l,m", "x" * 17, "a\x00", "a\u202eb", None, 4, True]),
    ("void_duty", ["any", "trump"], ["none", "", None, False]),
    ("wesele_self_kontra", [True, False], [None, 0, 1, "yes", "true"]),
    ("cicha_first_kontra", [True, False], [None, 0, 1, "yes", "true"]),
    ("wesele_when", ["any", "first_call"], ["first", "", None, True]),
    ("wesele_named_jack", [True, False], [None, 0, 1, "yes"]),
    ("asked_bars_zolo", [True, False], [None, 0, 1, "yes"]),
    ("late_calls", [False], [None, 0, 1, "no"]),
    ("cap_zolo", [0, 1, 12, None], [-1, 13, True, "2"]),
    ("cap_zolo_du", [0, 1, 12, None], [-1, 13, True, "2"]),
    ("cap_cicha", [0, 1, 12, None], [-1, 13, True, "2"]),
    ("cicha_top_cards", ["allowed", "as_zolo", "no_doubling"], ["", "never", None, True]),
    ("cicha_dealer", ["allowed", "as_zolo", "no_doubling"], ["", "never", None, True]),
    ("gathered", ["all", "last", "none"], ["", "one", None, 0]),
]


def test_the_table_has_every_option() -> None:
    """What a host may set is the match and every field of a rule set; the wire contract names the same."""
    assert {option for option, _, _ in TABLE} == MATCH_OPTIONS | set(RULE_FIELDS) == set(KopOptions.model_fields)


@pytest.mark.parametrize(("option", "good", "bad"), TABLE)
def test_values_that_an_option_has_and_has_not(option: str, good: list[OptionValue], bad: list[OptionValue]) -> None:
    """A possible value is taken and stands in the complete options; any other is refused by the option's name."""
    for value in good:
        found = plain_options(terms({option: value}))[option]
        written = re.sub(" *, *", ",", str(value)) if option == "doubling_names" else value
        assert found == written or Decimal(found) == Decimal(str(value))
    for value in bad:
        with pytest.raises(RuleViolation) as refusal:
            terms({option: value})
        assert (refusal.value.code, refusal.value.detail) == ("bad_option", option), value


def test_an_unknown_option_is_refused() -> None:
    """An option that the game does not have is refused by its name; the name of a rule set is no option either."""
    for option in ("jokers", "name", "Deals", ""):
        with pytest.raises(RuleViolation) as refusal:
            KOP.new_match({"deals": 4, option: 2})
        assert (refusal.value.code, refusal.value.detail) == ("unknown_option", option)


# --- what cannot be played together -------------------------------------------------------------------------------

CLASHES: list[tuple[Options, str]] = [
    ({"calling": "in_turn", "passes_to_close": None}, "calling passes_to_close"),
    ({"passes_to_close": 3}, "calling passes_to_close"),
    ({"rules": "pagat", "calling": "open", "passes_to_close": 3}, "calling passes_to_close"),
    ({"rules": "pagat", "passes_to_close": None}, "calling passes_to_close"),
    ({"rules": "wolsztyn", "calling": "open", "late_calls": True}, "calling late_calls"),
    ({"late_calls": True}, "calling late_calls"),
    ({"rules": "pagat", "answer_seconds": 15}, "calling answer_seconds"),
    ({"calling": "in_turn", "passes_to_close": 4, "answer_seconds": 1}, "calling answer_seconds"),
]


@pytest.mark.parametrize(("options", "names"), CLASHES)
def test_what_cannot_be_played_together_is_refused(options: Options, names: str) -> None:
    """Each value is possible, but not both: `options_clash`, with both names."""
    with pytest.raises(RuleViolation) as refusal:
        KOP.new_match(options)
    assert (refusal.value.code, refusal.value.detail) == ("options_clash", names)


@pytest.mark.parametrize(
    ("options", "passes", "late"),
    [({"calling": "in_turn"}, 4, False), ({"rules": "wolsztyn", "calling": "open"}, None, False)],
)
def test_what_goes_with_calling_follows_it(options: Options, passes: int | None, late: bool) -> None:
    """A host who changes how calls go need not know what goes with it."""
    rules = KOP.new_match(options).rules
    assert (rules.passes_to_close, rules.late_calls) == (passes, late)


@pytest.mark.parametrize(
    "options",
    [
        {"calling": "in_turn", "passes_to_close": 3},
        {"calling": "in_turn", "passes_to_close": 4, "late_calls": True},
        {"rules": "pagat", "calling": "open", "passes_to_close": None, "answer_seconds": 30},
        {"rules": "wolsztyn", "calling": "open", "passes_to_close": None, "late_calls": False},
        {"rules": "koscian", "passes_to_close": 3, "late_calls": False, "answer_seconds": None},
    ],
)
def test_what_can_be_played_together_is_taken(options: Options) -> None:
    """A host may go from one way of calling to the other, if he says all that belongs to it."""
    complete = KOP.options(KOP.new_match(options))
    assert options.items() <= complete.items()


# --- complete options ---------------------------------------------------------------------------------------------


@st.composite
def possible(draw: st.DrawFn) -> Options:
    """Options that are possible together, freely chosen."""
    options: dict[str, Any] = {}
    for option, good, _ in TABLE:
        if draw(st.booleans()):
            options[option] = draw(st.sampled_from(good))
    in_turn = draw(st.booleans())
    options["calling"] = "in_turn" if in_turn else "open"
    options["passes_to_close"] = draw(st.sampled_from([3, 4])) if in_turn else None
    options["late_calls"] = in_turn and draw(st.booleans())
    if in_turn:
        options["answer_seconds"] = None
    return options


@settings(deadline=None, max_examples=150)
@given(options=possible())
def test_options_make_the_same_match_again(options: Options) -> None:
    """The complete options of a match make the same match, under whatever named set, and are complete."""
    match = KOP.new_match(options)
    complete = KOP.options(match)
    assert set(complete) == MATCH_OPTIONS | set(RULE_FIELDS)
    assert KOP.new_match(complete) == match
    assert KOP.options(KOP.new_match(complete)) == complete
    KopOptions.model_validate(complete)


# --- the page -----------------------------------------------------------------------------------------------------

PAGE = Path(__file__).resolve().parents[3] / "docs" / "rules" / "kop.md"
WORDS = {"yes": True, "no": False, "–": None, "none": None}


def documented() -> dict[str, dict[str, Any]]:
    """The table of named rule sets in the rules page: per set what stands there for each field."""
    rows = re.findall(r"^\| (`[a-z_`, ]+`) \|(.*)\|$", PAGE.read_text(encoding="utf-8").split("## 9.")[1], re.MULTILINE)
    sets: dict[str, dict[str, Any]] = {name: {} for name in RULE_SETS}
    for fields, cells in rows:
        names = re.findall(r"`([a-z_]+)`", fields)
        for name, cell in zip(RULE_SETS, cells.split("|"), strict=False):
            values = [value.strip().strip("`") for value in cell.split(",")]
            if names == ["doubling_names"]:
                sets[name]["doubling_names"] = tuple(values)
            elif len(values) in (1, len(names)):
                sets[name] |= dict(zip(names, values * (len(names) // len(values)), strict=True))
    return sets


def test_the_named_sets_are_those_of_the_page() -> None:
    """Every field of every set stands in section 9 of the rules with its value."""
    for name, page in documented().items():
        assert set(page) == set(RULE_FIELDS)
        for field, text in page.items():
            value = getattr(RULE_SETS[name], field)
            assert value == WORDS.get(text, text) or str(value) == text, (name, field)
