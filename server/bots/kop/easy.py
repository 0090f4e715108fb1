"""The easy bot: rules of thumb, and calls only with a hand that can hardly lose."""

from random import Random

from server.games.cards import Card
from server.games.kop.auction import BLACK_QUEENS, JACKS, Word
from server.games.kop.play import PLAY, TRUMP, suit_of, top_trumps
from server.games.kop.quiet import quiet_word, thumb_card
from server.games.kop.seen import Situation


def easy(now: Situation, rng: Random) -> str:
    """An action: a call with an obvious hand, else quiet words, else a card by a rule of thumb."""
    call = _call(now)
    if call is not None:
        return call
    word = quiet_word(now)
    if word is not None:
        return word
    if now.cards:
        return f"{PLAY}{thumb_card(now, rng.choice)}"
    return now.actions[0]


def _call(now: Situation) -> str | None:
    """A call that is offered; of the jacks to be named the highest."""
    wanted = _wanted_call(now)
    if wanted is None:
        return None
    if wanted in now.actions:
        return wanted
    return next((f"{wanted} {jack}" for jack in JACKS if f"{wanted} {jack}" in now.actions), None)


def _wanted_call(now: Situation) -> str | None:
    dealt, standing = set(now.deal.dealt[now.seat]), now.deal.auction.standing
    tops = len(dealt.intersection(top_trumps(4, now.rules)))
    others = standing is not None and standing.seat != now.seat
    alone = standing is not None and standing.word is not Word.WESELE
    double = f"{Word.DOUBLE} 1"
    if tops == 4:
        return Word.ZOLO_DU
    if tops == 3 and dealt.issubset(top_trumps(6, now.rules)):
        return double if others and alone else Word.ZOLO
    if dealt >= BLACK_QUEENS:
        return Word.WESELE
    over_queens = top_trumps(top_trumps(8, now.rules).index(Card.QC), now.rules)
    high = 2 * len(dealt.intersection(over_queens)) > len(over_queens)
    if others and alone:
        return double if high else None
    trumps = sum(suit_of(card, now.rules) == TRUMP for card in dealt)
    young = not dealt & BLACK_QUEENS and not (others and dealt.intersection(JACKS))
    return double if young and high and trumps >= 3 else None
