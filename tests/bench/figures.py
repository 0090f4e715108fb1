"""Figures and what they are made of; pure."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over the rounds."""

    median: float
    minimum: float
    maximum: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """The spread of the values of all rounds; at least one."""
        return cls(statistics.median(values), min(values), max(values))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: `key` names it for programs, `text` for people.

    `least` and `most` are the budget, where there is one; the median has to keep it.
    """

    key: str
    text: str
    unit: str
    spread: Spread
    least: float | None = None
    most: float | None = None

    @property
    def kept(self) -> bool | None:
        """Whether the budget is kept; None where there is none."""
        if self.least is None and self.most is None:
            return None
        above = self.least is None or self.spread.median >= self.least
        return above and (self.most is None or self.spread.median <= self.most)

    @property
    def budget(self) -> str:
        """The budget in signs, empty where there is none."""
        signs = (("≥", self.least), ("≤", self.most))
        return " ".join(f"{sign} {written(value)}" for sign, value in signs if value is not None)

    def plain(self) -> dict[str, Any]:
        """The row as it stands in the JSON file."""
        return {
            "key": self.key,
            "text": self.text,
            "unit": self.unit,
            "median": rounded(self.spread.median),
            "minimum": rounded(self.spread.minimum),
            "maximum": rounded(self.spread.maximum),
            "least": self.least,
            "most": self.most,
            "kept": self.kept,
        }

    @classmethod
    def read(cls, plain: dict[str, Any]) -> Self:
        """The row of a JSON file."""
        spread = Spread(plain["median"], plain["minimum"], plain["maximum"])
        return cls(plain["key"], plain["text"], plain["unit"], spread, plain["least"], plain["most"])


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share (0 to 1) of the ordered values does not exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def ratios(above: Sequence[float], below: Sequence[float]) -> list[float]:
    """The quotients, round by round."""
    return [one / other for one, other in zip(above, below, strict=True)]


def rounded(value: float) -> float:
    """Four significant digits: more would be noise."""
    if value == 0:
        return 0.0
    digits = 3 - math.floor(math.log10(abs(value)))
    return round(value, max(0, digits))


def written(value: float) -> str:
    """A value as people read it: three significant digits, thousands set apart."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}".removesuffix(".0")
    return f"{value:.2f}".removesuffix(".00")
