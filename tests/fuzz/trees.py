"""Plain data, changed in one place somewhere in it: what was valid before is nearly so."""

from collections.abc import Sequence
from typing import Any

from tests.fuzz.script import Script

Path = tuple[Any, ...]


def changed(plain: Any, script: Script, values: Sequence[Any]) -> Any:
    """The data with one to three parts replaced, left out, doubled or exchanged for another part of it."""
    for _ in range(1 + script.below(3)):
        places = list(_places(plain))
        if places:
            plain = _changed(plain, script.one_of(places), script, [*values, *_parts(plain, script)])
    return plain


def _places(plain: Any) -> list[Path]:
    """The way to every part, the whole excepted."""
    found: list[Path] = []
    waiting: list[tuple[Path, Any]] = [((), plain)]
    while waiting:
        way, part = waiting.pop()
        inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list | tuple) else ()
        for key, value in inside:
            found.append((*way, key))
            waiting.append(((*way, key), value))
    return found


def _parts(plain: Any, script: Script) -> list[Any]:
    """Some other part of the data."""
    way = script.one_of(_places(plain))
    for key in way:
        plain = plain[key]
    return [plain] * 8


def _changed(plain: Any, way: Path, script: Script, values: Sequence[Any]) -> Any:
    key, *rest = way
    copy: Any = dict(plain) if isinstance(plain, dict) else list(plain)
    if rest:
        copy[key] = _changed(plain[key], tuple(rest), script, values)
        return copy
    match script.below(4):
        case 0:
            del copy[key]
        case 1 if isinstance(copy, list):
            copy.insert(key, copy[key])
        case 1:
            copy[script.one_of(("x", "", "f", "format"))] = copy[key]
        case _:
            copy[key] = script.one_of(values)
    return copy
