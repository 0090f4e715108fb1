"""Hints for Carpet: what fits goes out; a hole is for a card that is wanted before the holes run out."""

from server.games.patience.cards import RANK, SUIT, Card
from server.games.patience.carpet import CARPET, Carpet
from server.games.patience.hint import Hint, Reason
from server.games.patience.layout import DRAW, Move, Position


def carpet_hint(rules: Carpet, position: Position) -> Hint | None:
    """A move to the foundations, a filling, or the next card."""
    safe = rules.safe(position)
    if safe is not None:
        return Hint(safe, Reason.TO_FOUNDATION)
    holes = [name for name in CARPET if not rules.cards(position, name)]
    waste, stock = rules.cards(position, "waste"), rules.cards(position, "stock")
    if holes and waste:
        filling = Move("waste", holes[0])
        if not stock:
            return Hint(filling, Reason.BARES_WASTE)
        if _cards_not_in_sight(rules, position, waste[-1]) <= len(holes):
            return Hint(filling, Reason.SOON_WANTED)
    return Hint(DRAW, Reason.DRAW) if stock else None


def _cards_not_in_sight(rules: Carpet, position: Position, card: Card) -> int:
    """How many cards must go out before this one, and lie neither in the carpet nor on the foundations."""
    before = range(len(position.piles[SUIT[card]]) + 1, RANK[card])
    lies = [top for name in CARPET for top in rules.cards(position, name) if SUIT[top] == SUIT[card]]
    return len(before) - sum(RANK[top] in before for top in lies)
