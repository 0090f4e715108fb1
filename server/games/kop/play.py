"""Trumps, and the duties to follow and to beat. Source: docs/rules/kop.md, "Cards" and "Play"."""

from collections.abc import Sequence
from typing import Final

from server.games.cards import Card, hand
from server.games.kop.ruleset import RuleSet, Trumps, VoidDuty

EYES: Final = {"A": 11, "T": 10, "Q": 3, "J": 2}
"""Card points (oka) by rank; 104 in all."""

PACK: Final = tuple(Card)
"""The sixteen cards, in a fixed order: the shuffle starts from it."""

PLAY: Final = "play "
"""How the action begins that plays a card."""

TRUMP: Final = "trump"

_TRUMP_ORDER: Final = {
    Trumps.AS_DYCHA: hand("AH TH QC QS QH QD JC JS JH JD AD TD"),
    Trumps.AS_TRZY_DYCHY: hand("AH TC TS TH QC QS QH QD JC JS JH JD AD TD"),
}
_PLAIN_ORDER: Final = hand("AC TC AS TS")
_STRENGTH: Final = {
    trumps: {
        card: 20 - place
        for place, card in enumerate(dict.fromkeys(order + _PLAIN_ORDER))  # a trump ten keeps its first place
    }
    for trumps, order in _TRUMP_ORDER.items()
}
_SUIT_LED: Final = {
    trumps: {card: TRUMP if card in order else card.suit for card in PACK} for trumps, order in _TRUMP_ORDER.items()
}
_CARD_EYES: Final = {card: EYES[card.rank] for card in PACK}
_PLACE: Final = {
    trumps: {card: -strength for card, strength in by_card.items()} for trumps, by_card in _STRENGTH.items()
}


def _worth(card: Card, led: str, trumps: Trumps) -> int:
    """The card with the most of a trick wins it: the highest trump, else the highest of the suit led."""
    suit, strength = _SUIT_LED[trumps][card], _STRENGTH[trumps][card]
    if suit == TRUMP:
        return 100 + strength
    return strength if suit == led else 0


_WORTH: Final = {
    trumps: {led: {card: _worth(card, led, trumps) for card in PACK} for led in suits.values()}
    for trumps, suits in _SUIT_LED.items()
}
"""What a card is worth in a trick, by the trumps and the suit led."""


def eyes(cards: Sequence[Card]) -> int:
    """The card points of these cards."""
    return sum([_CARD_EYES[card] for card in cards])


def suit_of(card: Card, rules: RuleSet) -> str:
    """The suit that a card belongs to in play: `TRUMP`, or the letter of a plain suit."""
    return _SUIT_LED[rules.trumps][card]


def by_strength(cards: Sequence[Card], rules: RuleSet) -> tuple[Card, ...]:
    """The cards, highest trump first, then the plain ones."""
    return tuple(sorted(cards, key=_PLACE[rules.trumps].__getitem__))


def top_trumps(count: int, rules: RuleSet) -> tuple[Card, ...]:
    """The highest trumps."""
    return _TRUMP_ORDER[rules.trumps][:count]


def winning_place(trick: Sequence[Card], rules: RuleSet) -> int:
    """Which card of a trick (in the order played) wins it: the highest trump, else the highest of the suit led."""
    worth = _WORTH[rules.trumps][suit_of(trick[0], rules)]
    worths = [worth[card] for card in trick]
    return worths.index(max(worths))


def playable(cards: Sequence[Card], trick: Sequence[Card], rules: RuleSet) -> tuple[Card, ...]:
    """The cards of a hand that may be played to a trick (empty for a lead).

    Follow suit if you can, and among the cards that follow beat the best of the trick if you can;
    void in the suit led, play any card, or by `void_duty` a trump, one that beats if you can.
    """
    if not trick:
        return tuple(cards)
    suits = _SUIT_LED[rules.trumps]
    led = suits[trick[0]]
    following = [card for card in cards if suits[card] == led]
    if following:
        return _beating(following, trick, rules)
    trumps = [card for card in cards if suits[card] == TRUMP]
    if trumps and rules.void_duty is VoidDuty.TRUMP:
        return _beating(trumps, trick, rules)
    return tuple(cards)


def refusal(cards: Sequence[Card], trick: Sequence[Card], card: Card, rules: RuleSet) -> str | None:
    """Which duty forbids a card of the hand: `must_follow`, `must_beat`, `must_trump`, or none."""
    allowed = playable(cards, trick, rules)
    if card in allowed:
        return None
    suit = suit_of(card, rules)
    if suit_of(allowed[0], rules) == suit:
        return "must_beat"
    return "must_follow" if suit_of(allowed[0], rules) == suit_of(trick[0], rules) else "must_trump"


def _beating(candidates: Sequence[Card], trick: Sequence[Card], rules: RuleSet) -> tuple[Card, ...]:
    """Those of the candidates that would win the trick now, or all if none would."""
    worth = _WORTH[rules.trumps][suit_of(trick[0], rules)]
    best = max([worth[card] for card in trick])
    return tuple([card for card in candidates if worth[card] > best] or candidates)
