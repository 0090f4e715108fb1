"""What a director sets when a tournament is opened: a preset, single fields of it, and the options of its tables.

All stand in one map of options. The presets follow the regulations of Wolsztyn and Kościan, as far as
docs/rules/kop.md has them; what a bye scores there is ours.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, Final

from server.games.catalogue import CATALOGUE
from server.games.game import OptionValue, Plain, RuleViolation
from server.table.house_rules import OnAbsence, house_rules, plain_house_rules
from server.tournament.seating import Fill, Seating

GAME: Final = "kop"
MOST_ROUNDS: Final = 20
MOST_DEALS: Final = 64
MOST_POINTS: Final = 1_000
Scale = tuple[int, int, int, int]
_SCALE: Final = re.compile(r"[0-9]{1,3}(,[0-9]{1,3}){3}", re.ASCII)


class Admission(StrEnum):
    """Who may enter: who has the link or finds it in the list; whom the director approves; whom he has invited."""

    OPEN = "open"
    APPROVAL = "approval"
    INVITATION = "invitation"


class Dropout(StrEnum):
    """What happens to the seat of who is absent: a bot plays until he is back, or he forfeits the round."""

    BOT = "bot"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed in a tournament.

    Times are in seconds; `break_seconds` None: the director opens each round; `round_minutes` None: no limit.
    `scale` has the big points of places 1 to 4 at a table. A bye, a missed round (before a late entry, after a
    withdrawal, or forfeited) and those who sat with one who forfeits score what stands here. Entries are
    accepted until round `late_until` begins. `table` has the options of the tables, complete.
    """

    preset: str = "quick"
    rounds: int = 3
    deals: int = 16
    scale: Scale = (4, 3, 2, 1)
    seating: Seating = Seating.BALANCED
    fill: Fill = Fill.BOTS
    dropout: Dropout = Dropout.BOT
    no_show_seconds: int = 300
    round_minutes: int | None = None
    break_seconds: int | None = 60
    bye_big: int = 3
    bye_small: int = 35
    missed_big: int = 0
    missed_small: int = 0
    forfeit_big: int = 3
    forfeit_small: int = 35
    admission: Admission = Admission.OPEN
    late_until: int = 1
    team_size: int = 1
    duplicate: bool = False
    listed: bool = True
    table: Plain = field(default_factory=dict)


_OF_TABLES: Final[dict[str, Plain]] = {
    "quick": {"rules": "klassisch", "clock_seconds": 30, "clock_bank": 60, "talk": "free"},
    "wolsztyn": {"rules": "wolsztyn", "clock_seconds": 30, "clock_bank": 120, "talk": "phrases"},
    "koscian": {"rules": "koscian", "clock_seconds": 30, "clock_bank": 120, "talk": "phrases"},
}
_REGULATED: Final = Terms(rounds=5, deals=32, seating=Seating.DRAW, fill=Fill.BYE, round_minutes=60, late_until=2)
PRESETS: Final[dict[str, Terms]] = {
    "quick": Terms(),
    "wolsztyn": replace(_REGULATED, preset="wolsztyn"),
    "koscian": replace(_REGULATED, preset="koscian", scale=(5, 3, 1, 0)),
}
"""The named terms, without the options of their tables."""
_RANGES: Final = {
    "rounds": range(1, MOST_ROUNDS + 1),
    "deals": range(4, MOST_DEALS + 1, 4),
    "no_show_seconds": range(10, 3_601),
    "round_minutes": range(1, 601),
    "break_seconds": range(3_601),
    "bye_big": range(MOST_POINTS),
    "bye_small": range(-MOST_POINTS, MOST_POINTS),
    "missed_big": range(MOST_POINTS),
    "missed_small": range(-MOST_POINTS, MOST_POINTS),
    "forfeit_big": range(MOST_POINTS),
    "forfeit_small": range(-MOST_POINTS, MOST_POINTS),
    "late_until": range(1, MOST_ROUNDS + 1),
}
_OPTIONAL: Final = frozenset({"round_minutes", "break_seconds"})
_WORDS: Final[dict[str, type[StrEnum]]] = {
    "seating": Seating,
    "fill": Fill,
    "dropout": Dropout,
    "admission": Admission,
}
_FLAGS: Final = frozenset({"duplicate", "listed"})
_TEAM_SIZES: Final = (1, 2, 4)
_NOT_FOR_TABLES: Final = frozenset({"deals", "on_absence"})
NAMES: Final = tuple(one.name for one in fields(Terms) if one.name != "table")


def terms(options: Mapping[str, OptionValue]) -> Terms:
    """The terms that options make; what is not named is as in the preset.

    Raises:
        RuleViolation: `unknown_option`, `bad_option` or `options_clash`; the detail names the options.
    """
    preset = options.get("preset", "quick")
    if not isinstance(preset, str) or preset not in PRESETS:
        raise RuleViolation("bad_option", "preset")
    changes: dict[str, Any] = {name: _value(name, options[name]) for name in NAMES if name in options}
    agreed = replace(PRESETS[preset], **changes)
    rest = {name: value for name, value in options.items() if name not in NAMES}
    for name in rest:
        if name in _NOT_FOR_TABLES:
            raise RuleViolation("bad_option", name)
    return replace(agreed, table=_table_options(agreed, {**_OF_TABLES[preset], **rest}))


def plain_terms(agreed: Terms) -> Plain:
    """All of them as options, complete, with those of the tables."""
    plain = {name: getattr(agreed, name) for name in NAMES}
    plain["scale"] = ",".join(str(points) for points in agreed.scale)
    return {**{name: value for name, value in agreed.table.items() if name not in plain}, **plain}


def _table_options(agreed: Terms, options: Mapping[str, OptionValue]) -> Plain:
    """The options of each table, complete; its own rule on absence follows from the tournament's."""
    absence = OnAbsence.BOT if agreed.dropout is Dropout.BOT else OnAbsence.WAIT
    house, rest = house_rules({**options, "on_absence": absence.value})
    game = CATALOGUE[GAME]
    return {**game.options(game.new_match({**rest, "deals": agreed.deals})), **plain_house_rules(house)}


def _value(name: str, value: OptionValue) -> Any:
    if name == "preset":
        return value
    if name in _RANGES:
        if (value is None and name in _OPTIONAL) or (type(value) is int and value in _RANGES[name]):
            return value
    elif name in _WORDS:
        if isinstance(value, str) and value in set(_WORDS[name]):
            return _WORDS[name](value)
    elif name in _FLAGS:
        if isinstance(value, bool):
            return value
    elif name == "team_size":
        if type(value) is int and value in _TEAM_SIZES:
            return value
    elif name == "scale" and isinstance(value, str) and _SCALE.fullmatch(value):
        first, second, third, fourth = (int(points) for points in value.split(","))
        if first >= second >= third >= fourth and first > fourth:
            return first, second, third, fourth
    raise RuleViolation("bad_option", name)
