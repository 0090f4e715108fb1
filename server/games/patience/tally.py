"""What the deals of a match have brought to each player, in numbers that can be added."""

from collections.abc import Mapping, Sequence

from server.games.patience.events import Line


def scores(lines: Sequence[Line], people: Sequence[Sequence[str]]) -> Mapping[str, Mapping[str, int]]:
    """Each player's deals and wins, and those of them that count; `people` has who sat there at each deal."""
    found: dict[str, dict[str, int]] = {}
    for line, (player,) in zip(lines, people, strict=True):
        numbers = {
            "deals": 1,
            "points": 0,
            "money": 0,
            "won": int(line.won),
            "counted": int(line.counts),
            "counted_won": int(line.counts and line.won),
        }
        before = found.get(player, {})
        found[player] = {name: before.get(name, 0) + number for name, number in numbers.items()}
    return found
