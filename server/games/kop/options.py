"""What a host may set when a table is opened: a named rule set, single fields of it, and the match.

Every field of a rule set is an option of the same name; `doubling_names` are written with commas.
Combinations that cannot be played are refused as `options_clash`, with both names.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from server.games.game import OptionValue, Plain, RuleViolation
from server.games.kop.ruleset import (
    RULE_SETS,
    Calling,
    CichaGuard,
    Gathered,
    RuleSet,
    Trumps,
    VoidDuty,
    WeseleWhen,
)

MOST_DEALS: Final = 400
"""Where an open-ended match ends by itself, so that none grows without bound."""
MOST_DOUBLINGS: Final = 12
ANSWER_SECONDS: Final = 15
PASSES_TO_CLOSE: Final = 4

_STAKE: Final = re.compile(r"[0-9]{1,6}(\.[0-9]{1,4})?", re.ASCII)
_MATCH_OPTIONS: Final = ("rules", "deals", "answer_seconds", "stake", "currency")
_WORDS: Final[dict[str, type[StrEnum]]] = {
    "trumps": Trumps,
    "calling": Calling,
    "void_duty": VoidDuty,
    "wesele_when": WeseleWhen,
    "cicha_top_cards": CichaGuard,
    "cicha_dealer": CichaGuard,
    "gathered": Gathered,
}
_NUMBERS: Final = {
    "passes_to_close": range(3, 5),
    "cap_zolo": range(MOST_DOUBLINGS + 1),
    "cap_zolo_du": range(MOST_DOUBLINGS + 1),
    "cap_cicha": range(MOST_DOUBLINGS + 1),
}
RULE_FIELDS: Final = tuple(field.name for field in fields(RuleSet) if field.name != "name")


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table was opened. `deals` None: open-ended; no answer time: None."""

    rules: RuleSet
    deals: int | None
    answer_seconds: int | None
    stake: Decimal
    currency: str


def terms(options: Mapping[str, OptionValue]) -> Terms:
    """The terms that options make; what is not named takes the default of its rule set.

    Raises:
        RuleViolation: `unknown_option`, `bad_option`, or `options_clash`; the detail names the options.
    """
    for name in options:
        if name not in _MATCH_OPTIONS and name not in RULE_FIELDS:
            raise RuleViolation("unknown_option", name)
    named = options.get("rules", "klassisch")
    if not isinstance(named, str) or named not in RULE_SETS:
        raise RuleViolation("bad_option", "rules")
    changes: dict[str, Any] = {name: _field(name, options[name]) for name in RULE_FIELDS if name in options}
    rules = replace(RULE_SETS[named], **_following_calling(RULE_SETS[named], changes), **changes)
    usual = ANSWER_SECONDS if rules.calling is Calling.OPEN else None
    seconds = options.get("answer_seconds", usual)
    if seconds is not None and (type(seconds) is not int or not 1 <= seconds <= 600):
        raise RuleViolation("bad_option", "answer_seconds")
    _check_clashes(rules, seconds)
    return _terms(rules, seconds, options)


def _following_calling(named: RuleSet, changes: Mapping[str, Any]) -> dict[str, Any]:
    """What goes with another way of calling, where the host has not said it himself."""
    calling = changes.get("calling", named.calling)
    if calling is named.calling:
        return {}
    in_turn = calling is Calling.IN_TURN
    usual = {"passes_to_close": PASSES_TO_CLOSE if in_turn else None, "late_calls": False}
    return {name: value for name, value in usual.items() if name not in changes}


def plain_options(agreed: Terms) -> Plain:
    """All options, complete: `terms` makes the same terms of them, also when a named set has changed since."""
    rules = agreed.rules
    plain: Plain = {name: getattr(rules, name) for name in RULE_FIELDS}
    plain["doubling_names"] = ",".join(rules.doubling_names)
    return {
        "rules": rules.name,
        "deals": agreed.deals,
        "answer_seconds": agreed.answer_seconds,
        "stake": str(agreed.stake),
        "currency": agreed.currency,
        **plain,
    }


def _terms(rules: RuleSet, seconds: int | None, options: Mapping[str, OptionValue]) -> Terms:
    deals, stake, currency = options.get("deals", 16), options.get("stake", "1"), options.get("currency", "pts")
    if deals is not None and (type(deals) is not int or not 4 <= deals <= MOST_DEALS or deals % 4):
        raise RuleViolation("bad_option", "deals")
    if not isinstance(stake, str) or not _STAKE.fullmatch(stake):
        raise RuleViolation("bad_option", "stake")
    if not isinstance(currency, str) or not 1 <= len(currency) <= 12 or not currency.isprintable():
        raise RuleViolation("bad_option", "currency")
    return Terms(rules, deals, seconds, Decimal(stake), currency)


def _field(name: str, value: OptionValue) -> Any:
    """The value of a rule set's field.

    Raises:
        RuleViolation: `bad_option`
    """
    if name == "doubling_names":
        return _doubling_names(value)
    if name in _WORDS:
        if isinstance(value, str) and value in set(_WORDS[name]):
            return _WORDS[name](value)
    elif name in _NUMBERS:
        if value is None or (type(value) is int and value in _NUMBERS[name]):
            return value
    elif isinstance(value, bool):
        return value
    raise RuleViolation("bad_option", name)


def _doubling_names(value: OptionValue) -> tuple[str, ...]:
    names = tuple(name.strip() for name in value.split(",")) if isinstance(value, str) else ()
    distinct = len({name.casefold() for name in names}) == len(names)
    if not 1 <= len(names) <= MOST_DOUBLINGS or not distinct:
        raise RuleViolation("bad_option", "doubling_names")
    if not all(1 <= len(name) <= 16 and name.isprintable() for name in names):
        raise RuleViolation("bad_option", "doubling_names")
    return names


def _check_clashes(rules: RuleSet, answer_seconds: int | None) -> None:
    """Refuses what cannot be played together, with both names."""
    in_turn = rules.calling is Calling.IN_TURN
    if in_turn != (rules.passes_to_close is not None):
        raise RuleViolation("options_clash", "calling passes_to_close")
    if rules.late_calls and not in_turn:
        raise RuleViolation("options_clash", "calling late_calls")
    if in_turn and answer_seconds is not None:
        raise RuleViolation("options_clash", "calling answer_seconds")
