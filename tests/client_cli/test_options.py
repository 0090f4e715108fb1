"""What a host may set, as it is typed."""

from typing import Any, get_args

import pytest

from client_cli.catalogue import LANGUAGES, load
from client_cli.named_sets import named_sets
from client_cli.options import OPTIONS, RULE_OPTIONS, BadOption, Value, changed, find_option, parse_setting, value_word
from client_cli.rules_text import agreed
from client_cli.style import plain
from protocol.kop_options import KopOptions
from server.games.game import RuleViolation
from server.games.kop.options import plain_options, terms
from server.games.kop.ruleset import RULE_SETS
from server.table.house_rules import BANK_SECONDS, CLOCK_SECONDS, OnAbsence, Talk, house_rules, plain_house_rules
from server.table.house_rules import NAMES as HOUSE_RULES


def test_the_fields_are_those_of_the_contract() -> None:
    """None is missing, none is left over, and the words are the same."""
    assert set(OPTIONS) == {*KopOptions.model_fields, *HOUSE_RULES}
    assert set(OPTIONS["on_absence"].words) == set(OnAbsence)
    assert set(OPTIONS["talk"].words) == set(Talk)
    assert (OPTIONS["clock_seconds"].numbers, OPTIONS["clock_bank"].numbers) == (CLOCK_SECONDS, BANK_SECONDS)
    for name, field in KopOptions.model_fields.items():
        words = {word for one in (field.annotation, *get_args(field.annotation)) for word in get_args(one)}
        if OPTIONS[name].words:
            assert set(OPTIONS[name].words) <= {word for word in words if isinstance(word, str)} | set(RULE_SETS)


def refusal(name: str, value: Value) -> str | None:
    """How the rules refuse a field with this value, if they do."""
    try:
        terms(house_rules({name: value})[1])
    except RuleViolation as refused:
        return refused.code
    return None


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", OPTIONS)
def test_every_value_can_be_typed_as_it_is_shown(language: str, name: str) -> None:
    """In the player's language and in English; and the server takes it."""
    option, texts = OPTIONS[name], load(language)
    values: list[Value] = [*option.words]
    values += [True, False] if option.flag else []
    values += [option.numbers[0], option.numbers[-1]] if option.numbers else []
    values += [None] if option.nothing else []
    for value in values:
        for spelling in (value_word(texts, value), value_word(load("en"), value).upper()):
            assert parse_setting(texts, f"{texts(f'option_name.{name}')}={spelling}") == (name, value)
            assert parse_setting(texts, f"{name} = {spelling}") == (name, value)
        assert refusal(name, value) in (None, "options_clash")


@pytest.mark.parametrize(
    ("language", "typed", "setting"),
    [
        ("en", "cap_zolo=2", ("cap_zolo", 2)),
        ("de", "cap-zolo=keine", ("cap_zolo", None)),
        ("pl", "cap_zolo=brak", ("cap_zolo", None)),
        ("pl", "late_calls=nie", ("late_calls", False)),
        ("de", "late_calls=aus", ("late_calls", False)),
        ("de", "Art des Ansagens=reihum", ("calling", "in_turn")),
        ("pl", "gathered=brak", ("gathered", "none")),
        ("en", "doubling_names=kontra, re", ("doubling_names", "kontra, re")),
        ("de", "stake=0,10", ("stake", "0.10")),
        ("en", "deals=none", ("deals", None)),
    ],
)
def test_a_setting_means(language: str, typed: str, setting: tuple[str, Value]) -> None:
    """None, yes and no in the player's language; decimal commas; hyphens for underscores."""
    assert parse_setting(load(language), typed) == setting


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("cap_zolo=13", "“13” is no value of cap in zolo (cap_zolo). Possible: 0 to 12, none."),
        ("late_calls=maybe", "“maybe” is no value of late doublings (late_calls). Possible: yes, no."),
        ("deals=5", "“5” is no value of deals of a match (deals). Possible: 4 to 400 in steps of 4, none."),
        ("colour=red", "There is no field “colour”; `kop rules` lists them all."),
        ("late_calls", "--set takes FIELD=VALUE, not “late_calls”."),
        ("calling=none", "“none” is no value of way of calling (calling). Possible: open, in turn."),
    ],
)
def test_a_slip_is_told(typed: str, text: str) -> None:
    """What is wrong, and what would do."""
    with pytest.raises(BadOption) as fault:
        parse_setting(load("en"), typed)
    assert str(fault.value) == text


@pytest.mark.parametrize(
    "wanted",
    [
        {"deals": 8},
        {"rules": "wolsztyn"},
        {"rules": "klassisch", "cap_zolo": 1},
        {"calling": "open"},
        {"calling": "in_turn", "passes_to_close": 3},
        {"clock_seconds": None},
        {"on_absence": "clock", "clock_seconds": 30},
        {"talk": "off", "stake": "0.20"},
    ],
)
@pytest.mark.parametrize("before", [{}, {"rules": "wolsztyn"}, {"rules": "koscian", "cap_zolo": 3}])
def test_options_that_are_changed_stay_such_as_can_be_played(
    wanted: dict[str, Value], before: dict[str, Value]
) -> None:
    """From the complete options of any table; what is set is set, and what is not keeps its value where it can."""
    clock: dict[str, Value] = {"clock_seconds": 20, "clock_bank": 60, "on_absence": "clock"}
    present: dict[str, Any] = {**plain_options(terms(before)), **plain_house_rules(house_rules(clock)[0])}
    made = changed(present, wanted)
    house, rest = house_rules(made)  # type: ignore[arg-type]
    after = {**plain_options(terms(rest)), **plain_house_rules(house)}
    assert {name: after[name] for name in wanted} == wanted
    assert after["currency"] == present["currency"]
    if "rules" not in wanted:
        assert after["cap_zolo"] == present["cap_zolo"]


def test_named_sets_are_those_of_the_rules() -> None:
    """Each field of each set, as it stands in `options`; of such options the rules make the same set."""
    for name, values in named_sets().items():
        assert set(values) == {option.name for option in RULE_OPTIONS}
        assert terms({"rules": "klassisch", "answer_seconds": None, **values}).rules.passes_to_close == (  # type: ignore[dict-item]
            RULE_SETS[name].passes_to_close
        )


def test_what_a_newer_server_agreed_on_is_shown_too() -> None:
    """A field that this client does not know, and a set whose values it does not know."""
    lines = [plain(line) for line in agreed(load("en"), {"rules": "gniezno", "calling": "open", "hats": True})]
    assert lines[0] == "Rules: gniezno"
    assert lines[1].startswith("  calling")
    assert lines[-1] == "  hats = True"


def test_a_field_is_found_by_either_name() -> None:
    """The one that is typed, and the one that is read."""
    assert find_option(load("de"), "Trümpfe").name == find_option(load("de"), "TRUMPS").name == "trumps"
