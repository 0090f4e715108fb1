"""What is done for a seat whose time has run out: no calls, and cards by a rule of thumb.

Deterministic, and only from what the seat has seen. Source: docs/rules/kop.md, "Play".
"""

from collections.abc import Callable, Sequence
from typing import Final

from server.games.cards import Card
from server.games.game import Seat
from server.games.kop.auction import Word
from server.games.kop.deal import left_of
from server.games.kop.match import Match
from server.games.kop.play import EYES, PACK, PLAY, TRUMP, by_strength, eyes, suit_of, winning_place
from server.games.kop.seen import Situation, watched
from server.games.kop.sides import Side

QUIET_WORDS: Final = (Word.ASK, Word.GO_ON, Word.PASS)
"""What a seat says that calls nothing."""

WORTH_TAKING: Final = 8
"""So many eyes on the table are worth a trump of ours."""

HIGH: Final = 4
"""So many of the highest trumps are kept for a trick of their own."""


def quiet(match: Match, seat: Seat) -> str | None:
    """The quietest action of the seat, one of its legal ones; None if it has nothing that it must do.

    Who may only call has nothing to do: the deal goes on without him.
    """
    if match.in_play is None:
        return None
    now = watched(match, seat)
    word = quiet_word(now)
    if word is not None:
        return word
    return f"{PLAY}{thumb_card(now)}" if now.cards else None


def quiet_word(now: Situation) -> str | None:
    """What the seat says if it calls nothing; None: it may play a card, or need not speak."""
    if now.cards:
        return None
    return next((action for action in now.actions if action in QUIET_WORDS), None)


def thumb_card(now: Situation, pick: Callable[[Sequence[Card]], Card] = lambda cards: cards[0]) -> Card:
    """A card by a simple rule of thumb; `pick` decides between cards that the rule holds for equal.

    Last in a trick of the others, take it with many eyes; take a fat trick with the lowest card that
    does; to a trick of a partner give eyes; else give little. The Old lead the highest trump that is
    still out, if they have it.
    """
    cards = by_strength(now.cards, now.rules)
    if len(cards) == 1:
        return cards[0]
    if not now.deal.trick:
        return _lead(now, cards, pick)
    return _answer(now, cards, pick)


def _answer(now: Situation, cards: Sequence[Card], pick: Callable[[Sequence[Card]], Card]) -> Card:
    trick = now.deal.trick
    last = len(trick) == 3
    holder = left_of(now.deal.leader, winning_place(trick, now.rules))
    own, other = now.sides[now.seat], now.sides[holder]
    ours = None if own is None or other is None else own is other
    winners = [card for card in cards if winning_place((*trick, card), now.rules) == len(trick)]
    if winners and ours is not True and (last or ours is None or eyes(trick) >= WORTH_TAKING):
        return pick(_most(winners, _worth)) if last else winners[-1]
    if ours and last:
        high = set(_trumps(now)[:HIGH])
        return pick(_most([card for card in cards if card not in high] or cards, _worth))
    return pick(_most(cards, lambda card: -_worth(card)))


def _lead(now: Situation, cards: Sequence[Card], pick: Callable[[Sequence[Card]], Card]) -> Card:
    gone = {card for _, card, _ in now.plays}
    highest = next((card for card in _trumps(now) if card not in gone), None)
    if highest is not None and highest in cards and now.sides[now.seat] is Side.OLD:
        return highest
    plain = [card for card in cards if suit_of(card, now.rules) != TRUMP]
    return pick(_most(plain or cards, lambda card: -_worth(card)))


def _trumps(now: Situation) -> Sequence[Card]:
    return by_strength([card for card in PACK if suit_of(card, now.rules) == TRUMP], now.rules)


def _worth(card: Card) -> int:
    return EYES[card.rank]


def _most(cards: Sequence[Card], key: Callable[[Card], int]) -> Sequence[Card]:
    """The cards for which the key is highest, the weakest card first."""
    highest = max(map(key, cards))
    return [card for card in reversed(cards) if key(card) == highest]
