"""What a match has brought to each person: both ledgers, and how the deals were won and lost."""

from collections import Counter
from collections.abc import Sequence

from server.games.kop.scoring import Line
from server.games.kop.sides import SEATS, Side

NUMBERS = (
    "deals",
    "points",
    "money",
    "old_won",
    "old_lost",
    "young_won",
    "young_lost",
    "alone_won",
    "alone_lost",
    "doublings_won",
    "doublings_lost",
)
"""The numbers of a person, by name; money is in values."""


def scores(lines: Sequence[Line], people: Sequence[Sequence[str]]) -> dict[str, dict[str, int]]:
    """The numbers of each person; `people` has who sat in each seat at each line."""
    found: dict[str, Counter[str]] = {}
    for line, sitters in zip(lines, people, strict=True):
        for seat in SEATS:
            numbers = found.setdefault(sitters[seat], Counter())
            wins = (seat in line.old) == (line.won is Side.OLD)
            side = "young" if seat not in line.old else "alone" if len(line.old) == 1 else "old"
            outcome = "won" if wins else "lost"
            numbers["deals"] += 1
            numbers["points"] += line.points[seat]
            numbers["money"] += line.money[seat]
            numbers[f"{side}_{outcome}"] += 1
            numbers[f"doublings_{outcome}"] += line.doublings.count(seat)
    return {person: {name: numbers[name] for name in NUMBERS} for person, numbers in found.items()}
