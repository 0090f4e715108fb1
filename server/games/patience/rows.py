"""What the rows of Zopf's sides can be turned into, where cards may be built on them.

A deal is stuck only if no arrangement that moves between the rows can reach allows any other move. The rows
can be rearranged without end, so this looks at every arrangement once; piles that differ only in their place
count as one.
"""

from collections import deque
from typing import TYPE_CHECKING, Final

from server.games.patience.layout import Move, Position

MOST_ARRANGEMENTS: Final = 3_000
"""Where the search ends: rows that can be arranged in more ways count as leading on. Play comes nowhere near it,
but a position can be steered there, and a view must not take seconds."""

if TYPE_CHECKING:
    from server.games.patience.zopf import Zopf


def way_on(rules: "Zopf", position: Position) -> Move | None:
    """The first move on the shortest way to a move that does more than rearrange rows; None if there is no way.

    After very many arrangements any move counts as one. A corner's card that goes to a row only rearranges once
    the braid is gone: nothing new is bared by it.
    """
    waiting: deque[tuple[Position, Move | None]] = deque([(position, None)])
    seen = {_arrangement(rules, position)}
    while waiting:
        position, first = waiting.popleft()
        if len(seen) > MOST_ARRANGEMENTS:
            return first
        moves = rules.moves(position)
        for move in moves:
            if not _only_rearranges(rules, position, move):
                return first or move
        for move in moves:
            found = rules.play(position, move)
            key = _arrangement(rules, found)
            if key not in seen:
                seen.add(key)
                waiting.append((found, first or move))
    return None


def _only_rearranges(rules: "Zopf", position: Position, move: Move) -> bool:
    if rules.kinds.get(move.target) != "side":
        return False
    source = rules.kinds[move.source]
    return source == "side" or (source == "corner" and not rules.cards(position, "braid"))


def _arrangement(rules: "Zopf", position: Position) -> tuple[object, ...]:
    """The rows and the corners' cards, whatever their places; all else stays as it is."""
    sides, corners = rules.index["side1"], rules.index["corner1"]
    return (
        tuple(sorted(position.piles[sides : sides + 8])),
        tuple(sorted(position.piles[corners : corners + 4])),
    )
