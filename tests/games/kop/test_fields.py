"""Every field of a rule set decides something: where two values of it differ, the same deal goes differently."""

from collections.abc import Callable
from typing import Any

import pytest

from server.games.game import OptionValue, Seat
from server.games.kop import decisions, view
from server.games.kop.options import RULE_FIELDS, terms
from server.games.kop.ruleset import RuleSet
from tests.games.kop.scenes import after, dealt, refused

QUEENS_AT_1 = "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"  # seat 0 leads, seat 1 has queens and JC
STRONG_CICHA = "QH AC JC JH / QC TH AH QS / TC TD AS JD / QD TS JS AD"  # seat 1 with AH and TH
PASSES = "0 ask, 1 pass, 2 pass, 3 pass"

Probe = Callable[[RuleSet], Any]


def offered(said: str, seat: int, hands: str = QUEENS_AT_1) -> Probe:
    """What a seat may say or play after this."""
    return lambda rules: set(decisions.legal(after(dealt(hands, rules=rules), said), Seat(seat)))


def offers(action: str, said: str, seat: int, hands: str = QUEENS_AT_1) -> Probe:
    """Whether a seat may do this after that."""
    return lambda rules: action in decisions.legal(after(dealt(hands, rules=rules), said), Seat(seat))


def code(action: str, said: str, seat: int) -> Probe:
    """The code with which an action is refused after this; None if it is accepted."""
    return lambda rules: refused(after(dealt(QUEENS_AT_1, rules=rules), said), seat, action)


def value(said: str, dealer: int = 3, hands: str = QUEENS_AT_1) -> Probe:
    """What a deal is worth after these calls, when it is played out in the quietest way."""

    def probe(rules: RuleSet) -> tuple[int, int]:
        match = after(dealt(hands, dealer, rules), said)
        while match.in_play is not None:
            turn = match.running.turn
            card = next(one for one in decisions.legal(match, turn) if one.startswith("play"))
            match = after(match, [(turn, card)])
        [line] = match.lines
        return line.base, line.value

    return probe


def gathered(cards: str) -> Probe:
    """How many gathered tricks are in sight, and whether card points are, once the next trick has begun."""

    def probe(rules: RuleSet) -> tuple[int, bool]:
        match = after(dealt(QUEENS_AT_1, rules=rules), f"{QUIET}, {cards}")
        leader = match.running.turn
        match = after(match, f"{leader} {decisions.legal(match, leader)[0]}")
        public = view.public(match)
        return len(public["tricks"]), public["eyes"] is not None

    return probe


QUIET = "0 ask, 1 go on, 2 go on, 3 go on"
KONTRA_RE_BOK = "0 double 1, 1 double 2, 0 double 3, 1 double 4"  # by both sides in turn, if seat 1 is alone
CLOSE = f", {QUIET}"
TWO_TRICKS = "0 play QH, 1 play QS, 2 play AH, 3 play QD, 2 play AS, 3 play AD, 0 play TH, 1 play TS"

FIELDS: list[tuple[str, str, dict[str, OptionValue], list[tuple[OptionValue, Any]], Probe]] = [
    # the field, what it decides, the other options, its values with what follows from each, how it is seen
    (
        "trumps",
        "what beats the ten of hearts",
        {},
        [("as_dycha", {"play QS", "play JS", "play AD"}), ("as_trzy_dychy", {"play TC"})],
        offered(f"{QUIET}, 0 play TH", 1, "TH AC QH JH / TC QS JS AD / AH TD AS JD / QD TS QC JC"),
    ),
    (
        "calling",
        "who speaks first",
        {},
        [("open", True), ("in_turn", False)],
        offers("double 1", "", 2),
    ),
    (
        "passes_to_close",
        "who is asked again after a call and three passes",
        {"calling": "in_turn"},
        [(3, True), (4, False)],
        offers("play QH", "0 double 1, 1 pass, 2 pass, 3 pass", 0),
    ),
    (
        "doubling_names",
        "how many doublings there are",
        {},
        [("kontra", "no_more_doublings"), ("kontra,re", None)],
        code("double 2", "0 double 1", 2),
    ),
    (
        "void_duty",
        "what is played without the suit led",
        {},
        [("any", {"play AH", "play AS", "play TD", "play JD"}), ("trump", {"play AH"})],
        offered(f"{QUIET}, 0 play AC, 1 play QC", 2, "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"),
    ),
    (
        "wesele_self_kontra",
        "whether a wesele is doubled by its caller",
        {},
        [(False, False), (True, True)],
        offers("double 1", "1 wesele", 1),
    ),
    (
        "cicha_first_kontra",
        "whether both queens in hand bar the first doubling",
        {},
        [(True, True), (False, False)],
        offers("double 1", "", 1),
    ),
    (
        "wesele_when",
        "whether a wesele may come late",
        {},
        [("any", None), ("first_call", "wesele_too_late")],
        code("wesele", "0 ask, 1 go on", 1),
    ),
    (
        "wesele_named_jack",
        "how a wesele is called",
        {},
        [(False, "wesele_jack"), (True, None)],
        code("wesele JH", "", 1),
    ),
    (
        "asked_bars_zolo",
        "whether who has asked may call zolo",
        {},
        [(False, None), (True, "asked_bars_zolo")],
        code("zolo", "0 ask, 2 double 1", 0),
    ),
    (
        "late_calls",
        "whether the opening lead can be doubled",
        {"calling": "in_turn", "passes_to_close": 4},
        [(False, "not_in_calls"), (True, None)],
        code("double 1", f"{PASSES}, 0 play QH", 2),
    ),
    (
        "cap_zolo",
        "how many doublings count in a zolo",
        {},
        [(None, (5, 80)), (2, (5, 20)), (0, (5, 5))],
        value(f"1 zolo, {KONTRA_RE_BOK}{CLOSE}"),
    ),
    (
        "cap_zolo_du",
        "how many doublings count in a zolo du",
        {},
        [(None, (10, 160)), (3, (10, 80)), (0, (10, 10))],
        value(f"1 zolo du, {KONTRA_RE_BOK}{CLOSE}"),
    ),
    (
        "cap_cicha",
        "how many doublings count in a cicha",
        {},
        [(None, (4, 64)), (3, (4, 32)), (0, (4, 4))],
        value(f"{KONTRA_RE_BOK}{CLOSE}"),
    ),
    (
        "cicha_top_cards",
        "what a cicha with the highest cards is worth",
        {},
        [("allowed", (4, 64)), ("as_zolo", (5, 80)), ("no_doubling", (4, 4))],
        value(f"{KONTRA_RE_BOK}{CLOSE}", hands=STRONG_CICHA),
    ),
    (
        "cicha_dealer",
        "what a strong cicha of the dealer is worth",
        {},
        [("allowed", (4, 64)), ("as_zolo", (5, 80)), ("no_doubling", (4, 4))],
        value(
            "0 double 1, 1 double 2, 0 double 3, 1 double 4, 2 ask, 1 go on, 3 go on, 0 go on",
            dealer=1,
            hands=STRONG_CICHA,
        ),
    ),
    (
        "gathered",
        "which tricks can be looked at",
        {},
        [("all", (2, True)), ("last", (1, False)), ("none", (0, False))],
        gathered(TWO_TRICKS),
    ),
]


@pytest.mark.parametrize(("field", "what", "others", "values", "probe"), FIELDS, ids=[row[0] for row in FIELDS])
def test_a_field_decides(
    field: str,
    what: str,
    others: dict[str, OptionValue],
    values: list[tuple[OptionValue, Any]],
    probe: Probe,
) -> None:
    """Set as a host's option and nothing else changed, each value of the field has its own effect."""
    for set_to, follows in values:
        rules = terms({**others, **needed(field, set_to), field: set_to}).rules
        assert probe(rules) == follows, (what, set_to)
    effects = [str(follows) for _, follows in values]
    assert len(set(effects)) == len(effects) > 1


def needed(field: str, set_to: OptionValue) -> dict[str, OptionValue]:
    """What a value cannot be without."""
    return {"passes_to_close": 4} if (field, set_to) == ("calling", "in_turn") else {}


def test_every_field_is_looked_at() -> None:
    """The table has each field of a rule set once; only the name decides nothing."""
    assert sorted(row[0] for row in FIELDS) == sorted(RULE_FIELDS)
    assert set(RuleSet.__dataclass_fields__) == {"name", *RULE_FIELDS}
