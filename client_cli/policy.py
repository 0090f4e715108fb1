"""A simple sensible player: picks an action from a view. Pure; chance comes in as `rng`.

It knows the order of the cards and which tricks are worth taking; what is allowed it takes from the
view's actions, whatever the rule set.
"""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

from client_cli.cards import EYES
from client_cli.view import Need, View, need_of

TRUMPS: Final = {
    "as_dycha": ("AH", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD"),
    "as_trzy_dychy": ("AH", "TC", "TS", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD"),
}
_Key = Callable[[str], Any]

_BLACK_QUEENS: Final = frozenset({"QC", "QS"})
_WORTH_TAKING: Final = 8
_HARMLESS: Final = ("go on", "pass", "ask", "ready", "rematch")


class Order:
    """The cards by height: which are trumps, the four highest of them, and which card takes a trick from which."""

    def __init__(self, trumps: tuple[str, ...]) -> None:
        self.trumps = trumps
        self.top = frozenset(trumps[:4])
        self.over_queens = frozenset(trumps[: trumps.index("QC")])
        self._height = {"AC": 2, "AS": 2, "TC": 1, "TS": 1} | {card: 20 - place for place, card in enumerate(trumps)}

    def height(self, card: str) -> int:
        """The higher, the stronger; among plain cards within the suit only."""
        return self._height[card]

    def beats(self, card: str, best: str) -> bool:
        """Whether a card played later takes the trick from the best one so far."""
        if card in self.trumps:
            return best not in self.trumps or self._height[card] > self._height[best]
        return best not in self.trumps and card[1] == best[1] and self._height[card] > self._height[best]


@cache
def order_of(trumps: str) -> Order:
    """The order of this name; for one that this client does not know, that of most tables."""
    return Order(TRUMPS.get(trumps, TRUMPS["as_dycha"]))


def choose(view: View, rng: Random) -> str | None:
    """One of the view's actions; None where nothing has to be done and silence is best."""
    if view.playable:
        return "play " + _card(view, rng)
    if at_once(view):
        return "go on"
    return _call(view) or next((action for action in _HARMLESS if action in view.actions), None)


def at_once(view: View) -> bool:
    """Whether others wait only for this player's *go on* to a lead that lies already: no time for thinking."""
    return need_of(view) is Need.LATE


def _order(view: View) -> Order:
    return order_of(str(view.play["trumps"]) if view.play else "")


def _call(view: View) -> str | None:
    """A call that is offered, with a clearly strong hand only; of the jacks to be named the first."""
    wanted = _wanted_call(view)
    named = [action for action in view.actions if wanted == "wesele" and action.startswith("wesele ")]
    return wanted if wanted in view.actions else next(iter(named), None)


def _wanted_call(view: View) -> str | None:
    play, hand, order = view.play, set(view.hand), _order(view)
    if play is None or not hand:
        return None
    tops = len(hand & order.top)
    others_game = play["game"] is not None and play["caller"] != view.seat
    if tops == 4:
        return "zolo du"
    if tops == 3 and all(card in order.trumps[:6] or card[0] == "A" for card in hand):
        return "double 1" if play["game"] in ("zolo", "zolo_du") else "zolo"
    if hand >= _BLACK_QUEENS:
        return "wesele"
    high = 2 * len(hand & order.over_queens) > len(order.over_queens)
    if others_game and play["game"] != "wesele":
        return "double 1" if high else None
    trumps = sum(card in order.trumps for card in hand)
    young = not hand & _BLACK_QUEENS and not (others_game and any(card[0] == "J" for card in hand))
    return "double 1" if young and high and trumps >= 3 else None


def _card(view: View, rng: Random) -> str:
    playable, order = view.playable, _order(view)
    if len(playable) == 1:
        return playable[0]
    trick = view.play["trick"] if view.play else []
    if not trick:
        return _lead(view, playable, rng)
    best = trick[0]
    for played in trick[1:]:
        best = played if order.beats(played["card"], best["card"]) else best
    last = len(trick) == 3
    with_us = _same_side(view, best["seat"])
    winners = [card for card in playable if order.beats(card, best["card"])]
    eyes = sum(EYES[played["card"][0]] for played in trick)
    if winners and with_us is not True and (last or with_us is None or eyes >= _WORTH_TAKING):
        return _most(winners, _value, rng) if last else _least(winners, order.height, rng)
    if with_us and last:
        return _most([card for card in playable if card not in order.top] or playable, _value, rng)
    return _least(playable, lambda card: (_value(card), order.height(card)), rng)


def _lead(view: View, playable: list[str], rng: Random) -> str:
    """The highest trump still out if it is ours and we are on the side that draws trumps, else something cheap."""
    order = _order(view)
    gone = {played["card"] for trick in (view.play["tricks"] if view.play else []) for played in trick["cards"]}
    highest = next((trump for trump in order.trumps if trump not in gone), None)
    own_side = view.sides[view.seat] if view.seat is not None else None
    if highest in playable and (own_side == "old" or rng.random() < 0.5):
        return highest
    plain = [card for card in playable if card not in order.trumps]
    return _least(plain or playable, lambda card: (_value(card), order.height(card)), rng)


def _same_side(view: View, seat: int) -> bool | None:
    """Whether a seat plays with us; None where it is not known."""
    if view.seat is None:
        return None
    ours, theirs = view.sides[view.seat], view.sides[seat]
    return None if ours is None or theirs is None else ours == theirs


def _value(card: str) -> int:
    return EYES[card[0]]


def _least(cards: list[str], key: _Key, rng: Random) -> str:
    lowest = min(map(key, cards))
    return rng.choice([card for card in cards if key(card) == lowest])


def _most(cards: list[str], key: _Key, rng: Random) -> str:
    highest = max(map(key, cards))
    return rng.choice([card for card in cards if key(card) == highest])
