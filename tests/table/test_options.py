"""What is agreed at a table beyond its game: each house rule, value by value, and its change before the start."""

from typing import Any

import pytest

from server.games.game import OptionValue, RuleViolation
from server.games.kop.game import Kop
from server.table import sheets, view
from server.table.commands import ChangeOptions, Create
from server.table.events import OptionsChanged
from server.table.house_rules import NAMES, USUAL, HouseRules, OnAbsence, Talk, house_rules, plain_house_rules
from server.table.ids import PlayerId
from tests.table.scenes import TABLE, Log, seated, sitter

A, B, E = (PlayerId(letter) for letter in "abe")
Options = dict[str, OptionValue]
CLOCK: Options = {"clock_seconds": 20}

VALUES: list[tuple[str, list[OptionValue], list[Any], Options]] = [
    # the option, values that it can have, values that it cannot, and what goes with it
    ("on_absence", ["wait", "bot", "vote"], ["", "Wait", "end", None, 1, True], {}),
    ("on_absence", ["clock"], [], CLOCK),
    ("clock_seconds", [None, 3, 20, 600], [2, 0, -1, 601, True, "20", 20.0], {}),
    ("clock_bank", [0], [-1, 3601, None, True, "0", 1.5], {}),
    ("clock_bank", [0, 1, 3600], [], CLOCK),
    ("talk", ["free", "phrases", "off"], ["", "on", None, 0, True], {}),
]


def test_the_table_has_every_house_rule() -> None:
    """What a host may set beside the game."""
    assert {option for option, *_ in VALUES} == set(NAMES) == set(HouseRules.__dataclass_fields__)
    assert {value for option, good, *_ in VALUES if option == "on_absence" for value in good} == set(OnAbsence)
    assert {value for option, good, *_ in VALUES if option == "talk" for value in good} == set(Talk)


@pytest.mark.parametrize(("option", "good", "bad", "more"), VALUES, ids=range(len(VALUES)))
def test_values_that_a_house_rule_has_and_has_not(
    option: str, good: list[OptionValue], bad: list[Any], more: Options
) -> None:
    """A possible value stands in the complete options; any other is refused by the option's name."""
    for value in good:
        log = Log().open(None, **{**more, option: value})
        assert log.table.options[option] == value
        assert type(log.table.options[option]) is type(value) or isinstance(value, str)
    for value in bad:
        with pytest.raises(RuleViolation) as refusal:
            Log().open(None, **{option: value})
        assert (refusal.value.code, refusal.value.detail) == ("bad_option", option), value


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"on_absence": "clock"}, "clock_seconds on_absence"),
        ({"on_absence": "clock", "clock_seconds": None}, "clock_seconds on_absence"),
        ({"clock_bank": 10}, "clock_seconds clock_bank"),
        ({"clock_bank": 10, "on_absence": "clock"}, "clock_seconds on_absence"),
    ],
)
def test_house_rules_that_clash(options: Options, names: str) -> None:
    """Neither a bank nor the clock's rule on absence without a clock: both names are told."""
    with pytest.raises(RuleViolation) as refusal:
        Log().open(None, **options)
    assert (refusal.value.code, refusal.value.detail) == ("options_clash", names)
    log = Log().open(None)
    with pytest.raises(RuleViolation) as refusal:
        log.change(**options)
    assert (refusal.value.code, refusal.value.detail) == ("options_clash", names)


def test_what_is_not_named_is_usual() -> None:
    """A vote, no clock, free talk: and the complete options make the same house rules again."""
    log = Log().open()
    assert log.table.house == USUAL == HouseRules(OnAbsence.VOTE, None, 0, Talk.FREE)
    for house in (USUAL, HouseRules(OnAbsence.CLOCK, 20, 60, Talk.OFF)):
        again, rest = house_rules(plain_house_rules(house) | {"deals": 4})
        assert (again, rest) == (house, {"deals": 4})


def test_the_complete_options_are_those_of_game_and_house() -> None:
    """In the sheet; the game's part is what the game makes of them, and no name is used twice."""
    log = Log().open(None, deals=8, talk="off")
    kop = Kop()
    game_options = kop.options(kop.new_match({"deals": 8}))
    assert not set(NAMES) & set(game_options)
    assert sheets.sheet(log.table)["options"] == {**game_options, **plain_house_rules(log.table.house)}


@pytest.mark.parametrize(
    ("options", "code", "detail"),
    [
        ({"jokers": 1}, "unknown_option", "jokers"),
        ({"talk": "off", "jokers": 1}, "unknown_option", "jokers"),
        ({"deals": 5}, "bad_option", "deals"),
        ({"talk": "loud"}, "bad_option", "talk"),
        ({"rules": "pagat", "answer_seconds": 15}, "options_clash", "calling answer_seconds"),
    ],
)
def test_a_change_is_checked_as_at_the_opening(options: Options, code: str, detail: str) -> None:
    """The same refusals, and nothing changes."""
    log = Log().open(None, deals=8)
    before = log.table
    with pytest.raises(RuleViolation) as refusal:
        log.change(**options)
    assert (refusal.value.code, refusal.value.detail) == (code, detail)
    assert log.table is before
    with pytest.raises(RuleViolation) as opening:
        Log().do(Create(sitter("a"), TABLE, "kop", options, None))
    assert (opening.value.code, opening.value.detail) == (code, detail)


def test_the_owner_changes_them_before_the_start() -> None:
    """Instead of the former ones: what is not named is usual again. All are told the complete options."""
    log = Log().open("CODE", deals=8, stake="0.50", talk="off").sit("b")
    log.change(deals=4, rules="pagat", on_absence="bot")
    [changed] = log.lines[-1].events
    assert isinstance(changed, OptionsChanged)
    assert (log.table.options["deals"], log.table.options["rules"]) == (4, "pagat")
    assert (log.table.options["stake"], log.table.house) == ("1", HouseRules(OnAbsence.BOT))
    assert view.happening(log.table, changed) == {"event": "options_changed", "options": log.table.options}
    assert [one is not None for one in log.table.seats] == [True, True, False, False]
    log.sit("cd").ready()
    assert log.match.terms.deals == 4
    assert log.match.rules.name == "pagat"


def test_changed_clocks_count_from_the_first_match_on() -> None:
    """A clock that was agreed late runs as one from the beginning; one that was dropped does not."""
    log = Log().open().change(clock_seconds=20).sit("bcd")
    assert log.table.clock is not None
    log = Log().open(None, clock_seconds=20).change().sit("bcd")
    assert log.table.clock is None


@pytest.mark.parametrize(
    ("log", "player", "code"),
    [
        (Log().open().sit("b"), B, "not_owner"),
        (Log().open(), E, "not_owner"),
        (seated(), A, "match_begun"),
        (seated().leave("b"), A, "match_begun"),
        (seated().ready(), A, "match_begun"),
    ],
    ids=range(5),
)
def test_changes_that_are_refused(log: Log, player: PlayerId, code: str) -> None:
    """Only the owner, and only before the first match begins."""
    assert log.refused(ChangeOptions(player, {"deals": 4})) == code


def test_a_table_that_emptied_before_the_match_keeps_its_new_options() -> None:
    """Who comes next finds what was agreed last, and owns the table."""
    log = Log().open().change(deals=4).leave("a").sit("b")
    assert (log.table.owner, log.table.options["deals"]) == (B, 4)
    assert log.refused(ChangeOptions(B, {"deals": 12})) is None
