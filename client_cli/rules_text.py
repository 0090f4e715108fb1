"""Rule sets in words: the named ones side by side, one field with its values, and what a table has agreed on."""

import textwrap
from collections.abc import Mapping
from itertools import zip_longest
from typing import Final

from client_cli.catalogue import Catalogue
from client_cli.clean import clean, pad, width
from client_cli.named_sets import named_sets
from client_cli.options import (
    HOUSE_OPTIONS,
    MATCH_OPTIONS,
    OPTIONS,
    RULE_OPTIONS,
    Option,
    named_option,
    takes,
    value_word,
)
from client_cli.style import Line

Sets = Mapping[str, Mapping[str, object]]
_NAME: Final = 19
_CELL: Final = 15
_VALUE: Final = 27
_WIDTH: Final = 79


def side_by_side(texts: Catalogue, sets: Sets) -> list[Line]:
    """A table of at most 80 columns: a line for each field, a column for each named set."""
    lines: list[Line] = [[("title", text) for _, text in _row(("", *sets))]]
    for option in RULE_OPTIONS:
        cells = [[option.name], *(_cell(texts, values.get(option.name)) for values in sets.values())]
        lines += [_row(row) for row in zip_longest(*cells, fillvalue="")]
    others = ", ".join(option.name for option in (*MATCH_OPTIONS, *HOUSE_OPTIONS))
    return lines + _told(texts("rules.others", names=others)) + _told(texts("rules.how"))


def explained(texts: Catalogue, option: Option, sets: Sets) -> list[Line]:
    """What a field means, what it takes, and its value in each named set."""
    lines: list[Line] = [[("title", named_option(texts, option.name))]]
    lines += _told(texts(f"option.{option.name}")) + _told(texts("rules.takes", values=takes(texts, option)))
    by_value: dict[str, list[str]] = {}
    for name, values in sets.items():
        if option.name in values:
            by_value.setdefault(value_word(texts, values[option.name]), []).append(name)
    return lines + [[("", f"  {', '.join(names)}: {value}")] for value, names in by_value.items()]


def agreed(texts: Catalogue, options: Mapping[str, object]) -> list[Line]:
    """What a table has agreed on, field by field; what differs from the named set is marked and said."""
    name = clean(options.get("rules", "?"), 24)
    usual = named_sets().get(name, {})
    lines: list[Line] = [[("title", texts("rules.of_table", name=name))]]
    known = [option for option in (*MATCH_OPTIONS[1:], *HOUSE_OPTIONS, *RULE_OPTIONS) if option.name in options]
    lines += [_agreed(texts, option, options[option.name], usual) for option in known]
    return lines + [
        [("", clean(f"  {name} = {value}", _WIDTH))] for name, value in options.items() if name not in OPTIONS
    ]


def in_short(texts: Catalogue, options: Mapping[str, object]) -> str:
    """What a table has agreed on, without the fields that are as its named set has them."""
    name = clean(options.get("rules", "?"), 24)
    usual = named_sets().get(name, {})
    differing = [
        option
        for option in (*MATCH_OPTIONS[1:], *HOUSE_OPTIONS, *RULE_OPTIONS)
        if option.name in options and (option.name not in usual or usual[option.name] != options[option.name])
    ]
    told = [f"{option.name} = {value_word(texts, options[option.name])}" for option in differing]
    return "; ".join([texts("rules.of_table", name=name), *told])


def _agreed(texts: Catalogue, option: Option, value: object, usual: Mapping[str, object]) -> Line:
    differs = option.name in usual and usual[option.name] != value
    shown = value_word(texts, value)
    cell = shown if width(shown) >= _VALUE else pad(shown, _VALUE)
    note = texts(f"option_name.{option.name}")
    if differs:
        note = texts("rules.instead", usual=value_word(texts, usual[option.name]))
    line = f"{'* ' if differs else '  '}{pad(option.name, _NAME)}{cell} {note}"
    return [("turn" if differs else "", line)]


def _row(cells: tuple[str, ...]) -> Line:
    return [("", pad(cells[0], _NAME) + "".join(pad(cell, _CELL) for cell in cells[1:]))]


def _cell(texts: Catalogue, value: object) -> list[str]:
    return textwrap.wrap(value_word(texts, value), _CELL - 1) or [""]


def _told(text: str) -> list[Line]:
    return [[("", row)] for row in textwrap.wrap(text, _WIDTH)]
