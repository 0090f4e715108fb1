"""Which call is worth more than silence, on average over the worlds of an outlook."""

from array import array
from collections.abc import Iterator, Sequence
from typing import Final

from server.bots.kop.cards import remaining
from server.bots.kop.manner import Manner
from server.bots.kop.outlook import Outlook, Stakes
from server.bots.kop.promise import alone, with_partner
from server.games.compiled import Ints
from server.games.kop.auction import BLACK_QUEENS, Utterance, Word, utterance
from server.games.kop.play import PLAY
from server.games.kop.seen import Situation
from server.games.kop.solver import side_mask, solve_best

SOLO_ODDS: Final = -1.5
DOUBLE_ODDS: Final = -0.2
"""With a hand that promises less, as the logarithm of the odds, a solo or a doubling is not thought about."""

LIMITS: Final = {Word.ZOLO: (53, 52), Word.ZOLO_DU: (104,)}
ALL_LIMITS: Final = (53, 52, 26, 79, 1, 104)
"""The eyes of the Old at which the value of a game changes."""


def calls(now: Situation) -> list[Utterance]:
    """The calls among the seat's actions that are worth a thought."""
    return list(_calls(now))


def _calls(now: Situation) -> Iterator[Utterance]:
    dealt, auction = now.deal.dealt[now.seat], now.deal.auction
    leads = now.seat == auction.leader
    for action in now.actions:
        said = None if action.startswith(PLAY) else utterance(now.seat, action)
        if said is None:
            continue
        match said.word:
            case Word.ZOLO | Word.ZOLO_DU:
                if alone(dealt, now.rules, leads=leads) > SOLO_ODDS:
                    yield said
            case Word.DOUBLE:
                hidden = auction.standing is None and BLACK_QUEENS.issubset(dealt)
                own = auction.standing is not None and auction.standing.seat == now.seat
                if hidden or own or with_partner(dealt, now.rules, leads=leads) > DOUBLE_ODDS:
                    yield said
            case Word.WESELE:
                yield said
            case Word.ASK | Word.GO_ON | Word.PASS:
                continue


def best_call(outlook: Outlook, thought: Sequence[Utterance], manner: Manner) -> Utterance | None:
    """The call with the most expected money, if it promises more than silence."""
    now, auction = outlook.now, outlook.now.deal.auction
    eyes = _solved(outlook, auction.standing, lying=True)
    silence = _money(outlook, Stakes(now, outlook.order, auction.standing, auction.doublings), eyes, manner.luck)
    best, most = None, _mean(outlook, silence) + manner.margin
    for call in thought:
        doubles = call.word is Word.DOUBLE
        standing = auction.standing if doubles else call
        doublings = (*auction.doublings, call.seat) if doubles else ()
        after = eyes if doubles and not now.deal.trick else _solved(outlook, standing, lying=False)
        money = _money(outlook, Stakes(now, outlook.order, standing, doublings), after, manner.luck)
        promised = _mean(outlook, [_answered(*pair, manner) for pair in zip(money, silence, strict=True)])
        if promised > most:
            best, most = call, promised
    return best


def _answered(money: float, silence: float, manner: Manner) -> float:
    """The money if opponents may double a call that changes it."""
    if money == silence:
        return money
    return money * (1 + (manner.feared if money < 0 else manner.bluffed))


def _solved(outlook: Outlook, standing: Utterance | None, *, lying: bool) -> Ints:
    """The eyes of the Old in each world if this game stands; `lying`: the opening lead stays, if one lies."""
    now, order = outlook.now, outlook.order
    stakes = Stakes(now, order, standing, ())
    olds = array("q", [side_mask(stakes.contract(world).old) for world in outlook.worlds])
    limits = ALL_LIMITS if standing is None else LIMITS.get(standing.word, ALL_LIMITS)
    if lying:
        return solve_best(remaining(outlook), olds, now.deal.leader, now.deal.trick, order, limits)
    hands = array("q", [hand for world in outlook.worlds for hand in world])
    return solve_best(hands, olds, now.deal.auction.leader, (), order, limits)


def _money(outlook: Outlook, stakes: Stakes, eyes: Ints, luck: float) -> list[float]:
    """The money in each world with so many eyes; who is alone wins by luck now and then where he should lose."""
    money = []
    for at, world in enumerate(outlook.worlds):
        played = stakes.contract(world)
        won = stakes.money(world, played, eyes[at])
        lost_alone = played.alone and (won > 0) is not (outlook.now.seat in played.old)
        money.append(won * (1 - 2 * luck) if lost_alone else won)
    return money


def _mean(outlook: Outlook, money: Sequence[float]) -> float:
    return sum(weight * one for weight, one in zip(outlook.weights, money, strict=True))
