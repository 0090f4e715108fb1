"""Hints for Zopf: the braid decides. What comes from braid and corners goes first; a gap among the sides is for
a card that is wanted soon, the later the pass the less soon.
"""

from server.games.patience.cards import KING, RANK, SUIT, Card
from server.games.patience.hint import Hint, Reason
from server.games.patience.layout import DRAW, FOUNDATION, REDEAL, Move, Position
from server.games.patience.rows import way_on
from server.games.patience.zopf import CORNERS, FREE, PASSES, SIDES, Zopf


def zopf_hint(rules: Zopf, position: Position) -> Hint | None:
    """A move to the foundations, a filling, a row, the next card, or a redeal."""
    return (
        _to_foundation(rules, position)
        or _from_braid(rules, position)
        or _on_rows(rules, position)
        or _into_gap(rules, position)
        or _turn(rules, position)
        or _rest(rules, position)
    )


def _to_foundation(rules: Zopf, position: Position) -> Hint | None:
    """Base cards and safe cards, then braid, corners, sides and waste, in this order."""
    fitting = [name for name in FREE if _fits(rules, position, name)]
    if not fitting:
        return None
    for name in fitting:
        if RANK[rules.cards(position, name)[-1]] == rules.base(position):
            return Hint(Move(name, FOUNDATION), Reason.BASE_CARD)
    if not position.direction:
        fitting.sort(key=lambda name: -_follow(rules, position, name))
    elif (safe := rules.safe(position)) is not None:
        return Hint(safe, Reason.SAFE)
    reasons = {"braid": Reason.FREES_BRAID, "corner": Reason.OPENS_CORNER}
    name = fitting[0]
    bared = rules.cards(position, "braid")
    reason = reasons.get(rules.kinds[name], Reason.TO_FOUNDATION) if bared else Reason.TO_FOUNDATION
    return Hint(Move(name, FOUNDATION), reason)


def _fits(rules: Zopf, position: Position, name: str) -> bool:
    cards = rules.cards(position, name)
    return bool(cards) and rules.foundation(position, cards[-1]) is not None


def _follow(rules: Zopf, position: Position, name: str) -> int:
    """How many free cards fit after this one has decided the direction."""
    after = rules.play(position, Move(name, FOUNDATION))
    return sum(_fits(rules, after, other) for other in FREE)


def _from_braid(rules: Zopf, position: Position) -> Hint | None:
    """The braid's last card into an empty corner, where the player fills them himself."""
    gaps = [name for name in CORNERS if not rules.cards(position, name)]
    if gaps and rules.cards(position, "braid"):
        return Hint(Move("braid", gaps[0]), Reason.FREES_BRAID)
    return None


def _on_rows(rules: Zopf, position: Position) -> Hint | None:
    """A card on a row, if that bares one of the waste or the braid, or frees a side."""
    if not rules.build_on_sides:
        return None
    braid = (*CORNERS, "braid") if rules.cards(position, "braid") else ()
    goes_on = rules.cards(position, "stock") or rules.cards(position, "waste")
    # at the very end rows are moved only on the way to something else, see `_rest`: else hints run in a circle
    alone = [name for name in SIDES if goes_on and len(rules.cards(position, name)) == 1]
    for source in (*braid, "waste", *alone):
        for target in SIDES:
            move = Move(source, target)
            if source != target and rules.cards(position, target) and rules.refusal(position, move) is None:
                return Hint(move, Reason.FREES_SIDE if source in alone else Reason.BUILDS_ROW)
    return None


def _into_gap(rules: Zopf, position: Position) -> Hint | None:
    """The waste's card into an empty side, if few cards are missing before it."""
    gaps = [name for name in SIDES if not rules.cards(position, name)]
    waste = rules.cards(position, "waste")
    if not gaps or not waste or _missing(rules, position, waste[-1]) > 2 * position.passes - 1:
        return None
    return Hint(Move("waste", gaps[0]), Reason.SOON_WANTED)


def _missing(rules: Zopf, position: Position, card: Card) -> int:
    """How many cards must go out before this one, on the foundation of its suit that is nearest to it."""
    base = rules.base(position)
    directions = (position.direction,) if position.direction else (1, -1)
    found = [KING]
    for direction in directions:
        before = (RANK[card] - base) * direction % KING
        pair = position.piles[2 * SUIT[card] : 2 * SUIT[card] + 2]
        found += [before - len(lies) for lies in pair if len(lies) <= before]
    return min(found)


def _turn(rules: Zopf, position: Position) -> Hint | None:
    if rules.cards(position, "stock"):
        return Hint(DRAW, Reason.DRAW)
    if rules.cards(position, "waste") and position.passes < PASSES:
        return Hint(REDEAL, Reason.REDEAL)
    return None


def _rest(rules: Zopf, position: Position) -> Hint | None:
    """What is left at the end of the last pass: the waste's card into any gap, or rows to rearrange."""
    gaps = [name for name in SIDES if not rules.cards(position, name)]
    if gaps and rules.cards(position, "waste"):
        return Hint(Move("waste", gaps[0]), Reason.BARES_WASTE)
    move = way_on(rules, position) if rules.build_on_sides else None
    return None if move is None else Hint(move, Reason.CLEARS_WAY)
