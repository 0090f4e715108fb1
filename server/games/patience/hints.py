"""Hints: a useful move, with a reason as a stable word that clients put into sentences.

A hint knows what the player can see, and no more. Who always follows the hints is the *sensible player* whose
wins `tests/bench/patience.py` counts.
"""

from server.games.game import Plain
from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.hint import Hint
from server.games.patience.hints_burgvoegtin import archway_hint, burgvoegtin_hint
from server.games.patience.hints_carpet import carpet_hint
from server.games.patience.hints_zopf import zopf_hint
from server.games.patience.layout import Patience, Position
from server.games.patience.zopf import Zopf


def hint(rules: Patience, position: Position) -> Hint | None:
    """A move for the player, and why; None if the deal is won, or nothing leads further."""
    if rules.won(position):
        return None
    match rules:
        case Zopf():
            return zopf_hint(rules, position)
        case Burgvoegtin():
            return burgvoegtin_hint(rules, position)
        case Carpet():
            return carpet_hint(rules, position)
        case Archway():
            return archway_hint(rules, position)
        case _:
            return None


def plain_hint(rules: Patience, position: Position) -> Plain:
    """A hint as plain data: `move`, `reason` and `about`, all None if there is none."""
    return as_plain(hint(rules, position))


def as_plain(found: Hint | None) -> Plain:
    """A hint as plain data."""
    if found is None:
        return {"move": None, "reason": None, "about": None}
    return {"move": str(found.move), "reason": found.reason.value, "about": found.about or None}
