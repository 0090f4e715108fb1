"""Big and small points as people read and type them. Over the wire big points are exact fractions: `23/2`. Pure."""

import re
from fractions import Fraction
from typing import Final

from client_cli.clean import clean

_SIGNS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
_TYPED: Final = {sign: f" {part}" for part, sign in _SIGNS.items()}
_FRACTION: Final = re.compile(r"([+-]?)(?:([0-9]{1,4})\s+)?([0-9]{1,4})/([1-9][0-9]?)", re.ASCII)
_DECIMAL: Final = re.compile(r"[+-]?[0-9]{1,4}(\.[0-9]|\.[0-9]5)?", re.ASCII)
_SMALL: Final = re.compile(r"[+-]?[0-9]{1,5}", re.ASCII)


def big_points(text: object, *, unicode: bool = True) -> str:
    """`23/2` as `11½`, or as `11 1/2` where the output cannot show that; what is no fraction is only cleaned."""
    try:
        exact = Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        return clean(text, 12)
    whole, part = divmod(abs(exact), 1)
    sign = "-" if exact < 0 else ""
    if not part:
        return f"{sign}{whole}"
    if unicode and part in _SIGNS:
        return f"{sign}{whole or ''}{_SIGNS[part]}"
    return f"{sign}{whole} {part}" if whole else f"{sign}{part}"


def small_points(number: object) -> str:
    """A whole number with its sign: `+91`, `-4`, `0`."""
    return f"{number:+d}" if isinstance(number, int) and number else clean(number, 8)


def parse_big(text: str) -> str | None:
    """What was typed as big points, as it goes over the wire: `-1/2`, `-0.5`, `-½` and `1½`; None: it is none."""
    plain = text.replace("−", "-")
    for sign, part in _TYPED.items():
        plain = plain.replace(sign, part)
    plain = plain.strip().replace("- ", "-").replace("+ ", "+").replace(",", ".")
    if _DECIMAL.fullmatch(plain):
        return str(Fraction(plain))
    found = _FRACTION.fullmatch(plain)
    if found is None:
        return None
    exact = int(found[2] or 0) + Fraction(int(found[3]), int(found[4]))
    return str(-exact if found[1] == "-" else exact)


def parse_small(text: str) -> int | None:
    """A whole number with or without a sign; None: it is none."""
    plain = text.replace("−", "-")
    return int(plain) if _SMALL.fullmatch(plain) else None
