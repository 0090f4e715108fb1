"""The medium and the hard bot: imagine how the unseen cards may lie, solve each world, take the best on average."""

from random import Random

from server.bots.kop.by_odds import call_by_odds
from server.bots.kop.calls import best_call, calls
from server.bots.kop.cards import best_card
from server.bots.kop.manner import Manner
from server.bots.kop.outlook import look
from server.games.cards import Card
from server.games.kop.play import PLAY
from server.games.kop.quiet import quiet_word
from server.games.kop.seen import Situation


def deliberate(now: Situation, manner: Manner, rng: Random, budget: int) -> str:
    """An action of a player who thinks in this manner."""
    if now.cards:
        return f"{PLAY}{_card(now, manner, rng, budget)}"
    if not manner.call_worlds:
        return call_by_odds(now) or quiet_word(now) or now.actions[0]
    thought = calls(now)
    if thought:
        outlook = look(now, _share(manner.call_worlds, budget), rng, suspicious=manner.suspicious)
        call = best_call(outlook, thought, manner)
        if call is not None:
            return str(call)
    return quiet_word(now) or now.actions[0]


def _card(now: Situation, manner: Manner, rng: Random, budget: int) -> Card:
    if len(now.cards) == 1:
        return now.cards[0]
    outlook = look(now, _share(manner.card_worlds, budget), rng, suspicious=manner.suspicious)
    return best_card(outlook, suspicious=manner.suspicious)


def _share(worlds: int, budget: int) -> int:
    return max(1, worlds * budget // 100)
