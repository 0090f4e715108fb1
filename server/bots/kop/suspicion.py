"""How likely a hand is by what its seat has called, doubled, and left unsaid.

A model of sensible players who now and then do something else: nothing that the rules allow is held for
impossible. The constants say at which odds such a player calls, and how sure it is.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import exp
from typing import Final

from server.bots.kop.promise import promises
from server.games.compiled import Floats, Ints, compiled
from server.games.game import Seat
from server.games.kop.auction import Utterance, Word
from server.games.kop.ruleset import RuleSet
from server.games.kop.seen import Situation

SOLO_ODDS: Final = 1.0
SOLO_SURENESS: Final = 3.0
WILD_SOLO: Final = 0.003
"""How often any hand calls a solo."""
WESELE: Final = 0.75
"""How often who has both black queens and no good solo calls wesele."""
DOUBLE_ODDS: Final = 0.7
ANSWER_ODDS: Final = 1.2
DOUBLE_SURENESS: Final = 2.5
WILD_DOUBLE: Final = 0.03
"""How often any hand doubles."""
MOST: Final = 0.95

_KINDS: Final = {Word.ZOLO: 1, Word.ZOLO_DU: 1, Word.DOUBLE: 2, Word.WESELE: 3}


@dataclass(frozen=True, slots=True)
class Sign:
    """That a seat called something, or kept quiet, when a game stood and so many doublings had been said."""

    word: Word | None
    game: Word | None
    own: bool
    """Whether the game that stood was its own."""
    answers: bool
    """Whether there were doublings to answer."""


def signs(now: Situation, seat: Seat) -> tuple[Sign, ...]:
    """What a seat has told so far; who kept quiet twice in the same position told nothing new."""
    return tuple(dict.fromkeys(_signs(now, seat)))


def _signs(now: Situation, seat: Seat) -> Iterator[Sign]:
    standing: Utterance | None = None
    doublings = 0
    for said in now.deal.auction.said:
        if said.seat == seat:
            word = said.word if said.word in _KINDS else None
            game = None if standing is None else standing.word
            yield Sign(word, game, standing is not None and standing.seat == seat, doublings > 0)
        if said.word in (Word.WESELE, Word.ZOLO, Word.ZOLO_DU):
            standing, doublings = said, 0
        elif said.word is Word.DOUBLE:
            doublings += 1


@lru_cache(maxsize=512)
def likelihoods(rules: RuleSet, told: tuple[Sign, ...], *, leads: bool) -> Floats:
    """How likely a seat gives these signs, for every hand; the places are those of `promises`."""
    tables = promises(rules, leads=leads)
    likely = array("d", [1.0]) * len(tables.alone)
    for sign in told:
        kind = 0 if sign.word is None else _KINDS[sign.word]
        needed = ANSWER_ODDS if sign.answers else DOUBLE_ODDS
        free, solo = sign.game is None, sign.game is None or sign.game is Word.WESELE
        alone = sign.own and not solo
        _judge(likely, tables.alone, tables.with_partner, tables.both_queens, kind, free, solo, alone, needed)
    return likely


@compiled
def _judge(
    likely: Floats, alone: Floats, partner: Floats, both: Ints,
    kind: int, free: bool, may_solo: bool, is_alone: bool, needed: float,
) -> None:  # fmt: skip
    """Multiplies what is likely for each hand by the likelihood of one more sign."""
    for hand in range(len(likely)):
        solo = _bounded(SOLO_SURENESS * (alone[hand] - SOLO_ODDS), WILD_SOLO) if may_solo else WILD_SOLO
        wesele = WESELE * (1 - solo) if free and both[hand] else 0.0
        odds = alone[hand] if is_alone or (free and both[hand]) else partner[hand]
        double = _bounded(DOUBLE_SURENESS * (odds - needed), WILD_DOUBLE)
        if kind == 1:
            likely[hand] *= solo
        elif kind == 2:
            likely[hand] *= double
        elif kind == 3:
            likely[hand] *= wesele
        else:
            likely[hand] *= (1 - solo) * (1 - double) * (1 - wesele)


@compiled
def _bounded(odds: float, least: float) -> float:
    return max(least, min(MOST, 1 / (1 + exp(-odds))))
