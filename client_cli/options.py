"""What a host may set for a table, as people type it: names and values in the player's language and in English. Pure.

What a field takes stands here so that a slip is told before a server is asked; the server decides. A
test holds that these are the fields of the contract.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from client_cli.catalogue import Catalogue, load
from client_cli.clean import clean
from client_cli.fold import fold

Value = str | int | bool | None


class BadOption(ValueError):
    """No field of this name, or a value that it does not take; the text says so in the player's language."""


@dataclass(frozen=True, slots=True)
class Option:
    """A field: it takes one of `words`, a number of a range, yes or no (`flag`), or a text of the given form.

    `nothing`: also *none*.
    """

    name: str
    words: tuple[str, ...] = ()
    numbers: range | None = None
    flag: bool = False
    form: str = ""
    nothing: bool = False


_CAP: Final = range(13)
_GUARD: Final = ("allowed", "as_zolo", "no_doubling")
MATCH_OPTIONS: Final = (
    Option("rules", words=("klassisch", "pagat", "wolsztyn", "koscian")),
    Option("deals", numbers=range(4, 401, 4), nothing=True),
    Option("answer_seconds", numbers=range(1, 601), nothing=True),
    Option("stake", form=r"[0-9]{1,6}([.,][0-9]{1,4})?"),
    Option("currency", form=r".{1,12}"),
)
RULE_OPTIONS: Final = (
    Option("trumps", words=("as_dycha", "as_trzy_dychy")),
    Option("calling", words=("open", "in_turn")),
    Option("passes_to_close", numbers=range(3, 5), nothing=True),
    Option("doubling_names", form=r".{1,200}"),
    Option("void_duty", words=("any", "trump")),
    Option("wesele_self_kontra", flag=True),
    Option("cicha_first_kontra", flag=True),
    Option("wesele_when", words=("any", "first_call")),
    Option("wesele_named_jack", flag=True),
    Option("asked_bars_zolo", flag=True),
    Option("late_calls", flag=True),
    Option("cap_zolo", numbers=_CAP, nothing=True),
    Option("cap_zolo_du", numbers=_CAP, nothing=True),
    Option("cap_cicha", numbers=_CAP, nothing=True),
    Option("cicha_top_cards", words=_GUARD),
    Option("cicha_dealer", words=_GUARD),
    Option("gathered", words=("all", "last", "none")),
)
HOUSE_OPTIONS: Final = (
    Option("on_absence", words=("wait", "bot", "vote", "clock")),
    Option("clock_seconds", numbers=range(3, 601), nothing=True),
    Option("clock_bank", numbers=range(3_601)),
    Option("talk", words=("free", "phrases", "off")),
)
"""What is agreed beyond the game: who is away, clocks, talk."""
OPTIONS: Final = {one.name: one for one in (*MATCH_OPTIONS, *HOUSE_OPTIONS, *RULE_OPTIONS)}


def parse_setting(texts: Catalogue, typed: str, known: Mapping[str, Option] = OPTIONS) -> tuple[str, Value]:
    """The field and the value of `FIELD=VALUE`; `known`: the fields of the game.

    Raises:
        BadOption
    """
    name, sign, value = typed.partition("=")
    if not sign:
        raise BadOption(texts("options.form", text=clean(typed, 40)))
    option = find_option(texts, name, known)
    return option.name, parse_value(texts, option, value.strip())


def find_option(texts: Catalogue, typed: str, known: Mapping[str, Option] = OPTIONS) -> Option:
    """The field of this name.

    Raises:
        BadOption
    """
    said = _plain(typed)
    for option in known.values():
        if said in (_plain(option.name), _plain(texts(f"option_name.{option.name}"))):
            return option
    if known is not OPTIONS:
        names = get_close_matches(said, known, 3, 0.5) or known
        raise BadOption(texts("options.no_such_here", text=clean(typed, 40), names=", ".join(names)))
    raise BadOption(texts("options.no_such", text=clean(typed, 40)))


def parse_value(texts: Catalogue, option: Option, typed: str) -> Value:
    """The value that was typed for a field.

    Raises:
        BadOption
    """
    said = _plain(typed)
    for word in option.words:
        if said == _plain(word) or said in _spellings(texts, word):
            return word
    if option.flag and said in _spellings(texts, "yes") | _typed(texts, "on"):
        return True
    if option.flag and said in _spellings(texts, "no") | _typed(texts, "off"):
        return False
    if option.nothing and said in _spellings(texts, "none"):
        return None
    if option.numbers is not None and typed.isascii() and typed.isdigit() and len(typed) < 5:
        if int(typed) in option.numbers:
            return int(typed)
    elif option.form and re.fullmatch(option.form, typed):
        return typed.replace(",", ".") if option.name == "stake" else typed
    raise BadOption(
        texts("options.bad", text=clean(typed, 40), field=named_option(texts, option.name), values=takes(texts, option))
    )


def changed(options: Mapping[str, object], settings: Mapping[str, Value]) -> dict[str, object]:
    """The options of a table with some of them set anew.

    Another rule set brings all of its own fields; with another way of calling, or without a clock, what went with the
    former goes unless it is set too.
    """
    gone: set[str] = set()
    if "rules" in settings:
        gone = {option.name for option in RULE_OPTIONS} | {"answer_seconds"}
    elif "calling" in settings and settings["calling"] != options.get("calling"):
        gone = {"passes_to_close", "late_calls", "answer_seconds"}
    if settings.get("clock_seconds", "") is None:
        gone |= {"clock_bank"} | ({"on_absence"} if options.get("on_absence") == "clock" else set())
    kept = {name: value for name, value in options.items() if name not in gone}
    return {**kept, **settings}


def takes(texts: Catalogue, option: Option) -> str:
    """What a field takes, in words."""
    values = [spelled(texts, word) for word in option.words]
    if option.flag:
        values += [spelled(texts, word) for word in ("yes", "no")]
    if option.numbers is not None:
        key = "options.range" if option.numbers.step == 1 else "options.range_steps"
        least, most, step = option.numbers[0], option.numbers[-1], option.numbers.step
        values.append(texts(key, least=least, most=most, step=step))
    if option.form:
        values.append(texts("options.amount" if option.name == "stake" else "options.text"))
    if option.nothing:
        values.append(spelled(texts, "none"))
    return ", ".join(values)


def named_option(texts: Catalogue, name: str) -> str:
    """A field in the player's words, with the name that is typed."""
    key = f"option_name.{name}"
    return f"{texts(key)} ({name})" if key in texts else name


def value_word(texts: Catalogue, value: object) -> str:
    """A value in the player's words."""
    if value is None or isinstance(value, bool):
        return texts(f"option_value.{'none' if value is None else 'yes' if value else 'no'}")
    key = f"option_value.{value}"
    return texts(key) if key in texts else clean(str(value).replace(",", ", "), 240)


def spelled(texts: Catalogue, word: str) -> str:
    """A word in the player's language, with the English one that works everywhere."""
    shown = value_word(texts, word)
    return shown if _plain(shown) == _plain(word) else f"{shown} ({word})"


def _spellings(texts: Catalogue, word: str) -> set[str]:
    key = f"option_value.{word}"
    return {_plain(one(key)) for one in (texts, load("en")) if key in one}


def _typed(texts: Catalogue, meaning: str) -> set[str]:
    return {_plain(word) for one in (texts, load("en")) for word in one.words[meaning]}


def _plain(text: str) -> str:
    return fold(text.replace("_", " ").replace("-", " "))
