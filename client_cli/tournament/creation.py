"""What a director may set when he opens a tournament: names and values, as people type them. Pure.

What a field takes stands here so that a slip is told before a server is asked; the server decides.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.options import OPTIONS, Option, Value, parse_setting, takes
from client_cli.style import Line, dress

_POINTS: Final = range(1_000)
_SIGNED: Final = range(-999, 1_000)
TERMS: Final = {
    one.name: one
    for one in (
        Option("preset", words=("quick", "wolsztyn", "koscian")),
        Option("rounds", numbers=range(1, 21)),
        Option("deals", numbers=range(4, 65, 4)),
        Option("scale", form=r"[0-9]{1,3}([,-][0-9]{1,3}){3}"),
        Option("seating", words=("draw", "balanced", "standing")),
        Option("fill", words=("bye", "bots")),
        Option("dropout", words=("bot", "forfeit")),
        Option("no_show_seconds", numbers=range(10, 3_601)),
        Option("round_minutes", numbers=range(1, 601), nothing=True),
        Option("break_seconds", numbers=range(3_601), nothing=True),
        Option("bye_big", numbers=_POINTS),
        Option("bye_small", numbers=_SIGNED),
        Option("missed_big", numbers=_POINTS),
        Option("missed_small", numbers=_SIGNED),
        Option("forfeit_big", numbers=_POINTS),
        Option("forfeit_small", numbers=_SIGNED),
        Option("admission", words=("open", "approval", "invitation")),
        Option("late_until", numbers=range(1, 21)),
        Option("team_size", words=("1", "2", "4")),
        Option("duplicate", flag=True),
        Option("listed", flag=True),
    )
}
"""The fields of a tournament itself."""
_OF_TABLES: Final = {name: one for name, one in OPTIONS.items() if name not in ("deals", "on_absence")}
KNOWN: Final[Mapping[str, Option]] = {**TERMS, **_OF_TABLES}
"""These and those of its tables."""
_QUOTED: Final = re.compile(r"\s*[\"„“”](.+?)[\"“”]\s*(.*)", re.DOTALL)
_NEGATIVE: Final = re.compile(r"-[0-9]{1,3}", re.ASCII)


def named_and_set(typed: str, presets: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """The name of a new tournament, in quotes or up to the first setting, and what is set; `presets` by folded word."""
    quoted = _QUOTED.fullmatch(typed)
    words = (quoted[2] if quoted else typed).split()
    first = next((n for n, word in enumerate(words) if "=" in word or word.casefold() in presets), len(words))
    if quoted:
        name, rest = quoted[1], words
    else:
        first = max(first, 1)
        name, rest = " ".join(words[:first]), words[first:]
    settings = [f"preset={presets[word.casefold()]}" if word.casefold() in presets else word for word in rest]
    return name.strip(), tuple(settings)


def options_of(texts: Catalogue, settings: Sequence[str]) -> dict[str, Value]:
    """The options that were typed.

    Raises:
        BadOption
    """
    return dict(_parsed(texts, setting) for setting in settings)


def _parsed(texts: Catalogue, setting: str) -> tuple[str, Value]:
    head, sign, tail = setting.partition("=")
    negative = _NEGATIVE.fullmatch(tail.strip())
    name, value = parse_setting(texts, f"{head}{sign}{tail.strip().lstrip('-+') if negative else tail}", KNOWN)
    if negative and isinstance(value, int) and -1 in (KNOWN[name].numbers or ()):
        return name, -value
    if negative:
        return parse_setting(texts, setting, KNOWN)  # which says what is wrong
    if name == "scale":
        return name, str(value).replace("-", ",")
    return name, int(str(value)) if name == "team_size" else value


def changed_terms(options: Mapping[str, object], settings: Mapping[str, Value]) -> dict[str, object]:
    """The options of a tournament with some set anew; another preset brings all of its own."""
    kept = {} if "preset" in settings else {name: value for name, value in options.items() if name != "on_absence"}
    if "rules" in settings:
        kept = {name: value for name, value in kept.items() if name in TERMS}
    return {**kept, **settings}


def option_lines(texts: Catalogue) -> list[Line]:
    """Every field of a tournament: how it is typed, what it means, what it takes."""
    lines: list[Line] = [[("title", texts("tournament.options"))]]
    for name, one in TERMS.items():
        values = texts("tournament.scale_form") if name == "scale" else takes(texts, one)
        meaning = texts("tournament.deals" if name == "deals" else f"option.{name}")
        lines.append(dress(f"  {name}: {meaning} {texts('rules.takes', values=values)}"))
    return [*lines, dress(texts("tournament.options_of_tables"))]
