"""A simple sensible player: picks an action from a view. Pure; chance comes in as `rng`.

It knows the order of the cards of `as_dycha` and which tricks are worth taking; what is allowed it
takes from the view's actions, so that a slightly different order only makes it play less well.
"""

from collections.abc import Callable
from random import Random
from typing import Any, Final

from client_cli.cards import EYES
from client_cli.view import View

TRUMPS: Final = ("AH", "TH", "QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD", "AD", "TD")
TOP: Final = frozenset(TRUMPS[:4])
_Key = Callable[[str], Any]

_BLACK_QUEENS: Final = frozenset({"QC", "QS"})
_WORTH_TAKING: Final = 8
_HEIGHT: Final = {card: 20 - place for place, card in enumerate(TRUMPS)} | {"AC": 2, "AS": 2, "TC": 1, "TS": 1}


def choose(view: View, rng: Random) -> str | None:
    """One of the view's actions; None where nothing has to be done and silence is best."""
    if view.playable:
        return "play " + _card(view, rng)
    actions = view.actions
    call = _call(view)
    if call in actions:
        return call
    return next((action for action in ("go on", "ask", "ready", "rematch") if action in actions), None)


def beats(card: str, best: str) -> bool:
    """Whether a card played later takes the trick from the best one so far."""
    if card in TRUMPS:
        return best not in TRUMPS or _HEIGHT[card] > _HEIGHT[best]
    return best not in TRUMPS and card[1] == best[1] and _HEIGHT[card] > _HEIGHT[best]


def _call(view: View) -> str | None:
    """A game or the first doubling, with a clearly strong hand only."""
    play, hand = view.play, set(view.hand)
    if play is None or not hand:
        return None
    tops = len(hand & TOP)
    others_game = play["game"] is not None and play["caller"] != view.seat
    if tops == 4:
        return "zolo du"
    if tops == 3 and all(card in TRUMPS[:6] or card[0] == "A" for card in hand):
        return "double 1" if play["game"] in ("zolo", "zolo_du") else "zolo"
    if hand >= _BLACK_QUEENS:
        return "wesele"
    high = len(hand & {"AH", "TH"})
    if others_game and play["game"] != "wesele":
        return "double 1" if high == 2 else None
    trumps = sum(card in TRUMPS for card in hand)
    young = not hand & _BLACK_QUEENS and not (others_game and any(card[0] == "J" for card in hand))
    return "double 1" if young and high == 2 and trumps >= 3 else None


def _card(view: View, rng: Random) -> str:
    playable = view.playable
    if len(playable) == 1:
        return playable[0]
    trick = view.play["trick"] if view.play else []
    if not trick:
        return _lead(view, playable, rng)
    best = trick[0]
    for played in trick[1:]:
        best = played if beats(played["card"], best["card"]) else best
    last = len(trick) == 3
    with_us = _same_side(view, best["seat"])
    winners = [card for card in playable if beats(card, best["card"])]
    eyes = sum(EYES[played["card"][0]] for played in trick)
    if winners and with_us is not True and (last or with_us is None or eyes >= _WORTH_TAKING):
        return _most(winners, _value, rng) if last else _least(winners, _height, rng)
    if with_us and last:
        return _most([card for card in playable if card not in TOP] or playable, _value, rng)
    return _least(playable, lambda card: (_value(card), _height(card)), rng)


def _lead(view: View, playable: list[str], rng: Random) -> str:
    """The highest trump still out if it is ours and we are on the side that draws trumps, else something cheap."""
    gone = {played["card"] for trick in (view.play["tricks"] if view.play else []) for played in trick["cards"]}
    highest = next((trump for trump in TRUMPS if trump not in gone), None)
    own_side = view.sides[view.seat] if view.seat is not None else None
    if highest in playable and (own_side == "old" or rng.random() < 0.5):
        return highest
    plain = [card for card in playable if card not in TRUMPS]
    return _least(plain or playable, lambda card: (_value(card), _height(card)), rng)


def _same_side(view: View, seat: int) -> bool | None:
    """Whether a seat plays with us; None where it is not known."""
    if view.seat is None:
        return None
    ours, theirs = view.sides[view.seat], view.sides[seat]
    return None if ours is None or theirs is None else ours == theirs


def _value(card: str) -> int:
    return EYES[card[0]]


def _height(card: str) -> int:
    return _HEIGHT[card]


def _least(cards: list[str], key: _Key, rng: Random) -> str:
    lowest = min(map(key, cards))
    return rng.choice([card for card in cards if key(card) == lowest])


def _most(cards: list[str], key: _Key, rng: Random) -> str:
    highest = max(map(key, cards))
    return rng.choice([card for card in cards if key(card) == highest])
