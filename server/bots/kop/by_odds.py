"""The medium bot's calls: by what its own hand promises, and who has called, without imagining the others' cards."""

from typing import Final

from server.bots.kop.promise import alone, with_partner
from server.games.kop.auction import BLACK_QUEENS, JACKS, Word
from server.games.kop.play import top_trumps
from server.games.kop.seen import Situation

ALL_TRICKS: Final = 4
SOLO: Final = 1.0
SILENT_SOLO: Final = 0.0
WITH_PARTNER: Final = (1.0, 1.6, 2.0, 2.4)
"""The odds, as logarithms, for the first and later doublings with an unknown partner."""
OF_SOLO: Final = 2.0
"""The odds for answering a doubling of the own solo; one more for each later one."""


def call_by_odds(now: Situation) -> str | None:
    """A call that is offered and that the hand is good for."""
    wanted = _game(now) or _doubling(now)
    if wanted is None or wanted in now.actions:
        return wanted
    return next((f"{wanted} {jack}" for jack in JACKS if f"{wanted} {jack}" in now.actions), None)


def _game(now: Situation) -> str | None:
    dealt, auction = now.deal.dealt[now.seat], now.deal.auction
    odds = alone(dealt, now.rules, leads=now.seat == auction.leader)
    if Word.ZOLO_DU in now.actions and set(dealt) == set(top_trumps(ALL_TRICKS, now.rules)):
        return Word.ZOLO_DU
    if Word.ZOLO in now.actions and odds > SOLO:
        return Word.ZOLO
    offered = any(action.startswith(Word.WESELE) for action in now.actions)
    return Word.WESELE if offered and odds < SILENT_SOLO else None


def _doubling(now: Situation) -> str | None:
    auction, dealt = now.deal.auction, now.deal.dealt[now.seat]
    said = len(auction.doublings)
    words = f"{Word.DOUBLE} {said + 1}"
    if words not in now.actions or (said and auction.doublings[-1] == now.seat):
        return None
    standing, leads = auction.standing, now.seat == auction.leader
    if standing is not None and standing.word is not Word.WESELE:
        if standing.seat == now.seat:
            return words if alone(dealt, now.rules, leads=leads) > OF_SOLO + said / 2 else None
        if standing.word is Word.ZOLO_DU and top_trumps(1, now.rules)[0] in dealt:
            return words  # a sure trick
        tops = len(set(dealt).intersection(top_trumps(ALL_TRICKS, now.rules)))
        return words if not said % 2 and tops >= 2 + said / 2 else None
    if standing is None and BLACK_QUEENS.issubset(dealt):
        return words if said and alone(dealt, now.rules, leads=leads) > SILENT_SOLO else None
    needed = WITH_PARTNER[min(said, len(WITH_PARTNER) - 1)]
    return words if with_partner(dealt, now.rules, leads=leads) > needed else None
