"""What a host may set, as it is typed."""

from typing import get_args

import pytest

from client_cli.catalogue import LANGUAGES, load
from client_cli.named_sets import named_sets
from client_cli.options import OPTIONS, RULE_OPTIONS, BadOption, Value, find_option, parse_setting, value_word
from client_cli.rules_text import agreed
from client_cli.style import plain
from protocol.kop_options import KopOptions
from server.games.game import RuleViolation
from server.games.kop.options import terms
from server.games.kop.ruleset import RULE_SETS


def test_the_fields_are_those_of_the_contract() -> None:
    """None is missing, none is left over, and the words are the same."""
    assert set(OPTIONS) == set(KopOptions.model_fields)
    for name, field in KopOptions.model_fields.items():
        words = {word for one in (field.annotation, *get_args(field.annotation)) for word in get_args(one)}
        if OPTIONS[name].words:
            assert set(OPTIONS[name].words) <= {word for word in words if isinstance(word, str)} | set(RULE_SETS)


def refusal(name: str, value: Value) -> str | None:
    """How the rules refuse a field with this value, if they do."""
    try:
        terms({name: value})
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
        ("deals=5", "“5” is no value of deals of a match (deals). Possible: 4 to 400, none."),
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
