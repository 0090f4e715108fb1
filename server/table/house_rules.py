"""What is agreed at a table beyond its game: absence, clocks, talk. Source: docs/protocol, "create".

These options stand in one map with those of the game; `house_rules` takes out its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from server.games.game import OptionValue, Plain, RuleViolation

CLOCK_SECONDS: Final = range(3, 601)
BANK_SECONDS: Final = range(3_601)


class OnAbsence(StrEnum):
    """What happens when a seat's player has been away for longer than the grace."""

    WAIT = "wait"
    BOT = "bot"
    VOTE = "vote"
    CLOCK = "clock"


class Talk(StrEnum):
    """What may be said at the table: anything, the ready-made phrases, or nothing."""

    FREE = "free"
    PHRASES = "phrases"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The agreement. `clock_seconds` for each decision (None: no clock), and `clock_bank` seconds per match beyond."""

    on_absence: OnAbsence = OnAbsence.VOTE
    clock_seconds: int | None = None
    clock_bank: int = 0
    talk: Talk = Talk.FREE


USUAL: Final = HouseRules()
NAMES: Final = ("on_absence", "clock_seconds", "clock_bank", "talk")


def house_rules(options: Mapping[str, OptionValue]) -> tuple[HouseRules, dict[str, OptionValue]]:
    """The house rules that options make, and the options that are left for the game.

    Raises:
        RuleViolation: `bad_option`, or `options_clash`; the detail names the options.
    """
    given = {name: options[name] for name in NAMES if name in options}
    changes: dict[str, Any] = {name: _value(name, value) for name, value in given.items()}
    agreed = HouseRules(**changes)
    if agreed.clock_seconds is None:
        for name, clashes in (("on_absence", agreed.on_absence is OnAbsence.CLOCK), ("clock_bank", agreed.clock_bank)):
            if clashes:
                raise RuleViolation("options_clash", f"clock_seconds {name}")
    return agreed, {name: value for name, value in options.items() if name not in NAMES}


def plain_house_rules(agreed: HouseRules) -> Plain:
    """All of them as options; `house_rules` makes the same of them."""
    return {name: getattr(agreed, name) for name in NAMES}


def _value(name: str, value: OptionValue) -> OnAbsence | Talk | int | None:
    match name:
        case "on_absence" if isinstance(value, str) and value in set(OnAbsence):
            return OnAbsence(value)
        case "talk" if isinstance(value, str) and value in set(Talk):
            return Talk(value)
        case "clock_seconds" if value is None or (type(value) is int and value in CLOCK_SECONDS):
            return value
        case "clock_bank" if type(value) is int and value in BANK_SECONDS:
            return value
        case _:
            raise RuleViolation("bad_option", name)
