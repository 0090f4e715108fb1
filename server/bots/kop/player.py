"""One seat at Kop, played at a strength. Source of the rules: docs/rules/kop.md."""

from random import Random

from server.bots.kop.deliberate import deliberate
from server.bots.kop.easy import easy
from server.bots.kop.manner import HARD, MEDIUM
from server.games.game import Plain
from server.games.kop.auction import Word
from server.games.kop.options import plain_options, terms
from server.games.kop.play import PLAY
from server.games.kop.seen import situation
from server.table.strength import Strength


def choose(seen: Plain, strength: Strength, rng: Random, budget: int) -> str:
    """One of the seat's actions."""
    now = situation(seen)
    if len(now.actions) == 1:
        return now.actions[0]
    match strength:
        case Strength.EASY:
            return easy(now, rng)
        case Strength.MEDIUM:
            return deliberate(now, MEDIUM, rng, budget)
        case Strength.HARD:
            return deliberate(now, HARD, rng, budget)


def warm() -> None:
    """Thinks once about a call and once about a card, so that everything is compiled before it counts."""
    seen: Plain = {"seat": 0, "dealer": 3, "hand": ["AH", "TH", "QC", "JD"], "options": plain_options(terms({}))}
    asked = [[0, Word.ASK], *([seat, Word.GO_ON] for seat in (1, 2, 3))]
    calls = [Word.ASK, Word.ZOLO, Word.ZOLO_DU, f"{Word.DOUBLE} 1"]
    cards = [f"{PLAY}{card}" for card in seen["hand"]]
    choose({**seen, "acts": [], "actions": calls}, Strength.HARD, Random(0), 1)  # noqa: S311  no secret
    choose({**seen, "acts": asked, "actions": cards}, Strength.HARD, Random(0), 1)  # noqa: S311  no secret
