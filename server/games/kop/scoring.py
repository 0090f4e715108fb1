"""What a deal is worth, and to whom. Source: docs/rules/kop.md, "Scoring"."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from server.games.cards import Card, hand
from server.games.game import Seat
from server.games.kop.auction import BLACK_QUEENS
from server.games.kop.play import top_trumps
from server.games.kop.ruleset import CichaGuard, RuleSet, Trumps
from server.games.kop.sides import SEATS, Contract, GameKind, Side

ALL_EYES = 104
_BASE = {GameKind.CICHA: 4, GameKind.ZOLO: 5, GameKind.ZOLO_DU: 10}


class Margin(StrEnum):
    """How the losers came off: wyjście, bez wyjścia, bez bitki, or boki (52:52)."""

    EXIT = "exit"
    NO_EXIT = "no_exit"
    NO_TRICK = "no_trick"
    BOKI = "boki"


_TIMES = {Margin.EXIT: 1, Margin.BOKI: 1, Margin.NO_EXIT: 2, Margin.NO_TRICK: 3}

Four = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """A scored deal: one line of the sheet. `money` is in values and sums to 0."""

    deal: int
    dealer: Seat
    kind: GameKind
    caller: Seat | None
    old: tuple[Seat, ...]
    old_eyes: int
    won: Side
    margin: Margin
    doublings: tuple[Seat, ...]
    counted: int
    base: int
    value: int
    points: Four
    money: Four


@dataclass(frozen=True, slots=True)
class Taken:
    """What the Old have taken: card points and tricks."""

    eyes: int
    tricks: int


def score(
    deal: int,
    dealer: Seat,
    played: Contract,
    taken: Taken,
    doublings: tuple[Seat, ...],
    dealt: Sequence[Sequence[Card]],
    rules: RuleSet,
) -> Line:
    """The line of a finished deal."""
    won, margin = _outcome(played, taken, doublings)
    scored_as, doublings_count = _cicha_guarded(played, dealer, dealt, rules)
    counted = runs(doublings, played) if doublings_count else 0
    most = cap(scored_as, rules)
    if most is not None:
        counted = min(counted, most)
    base = _BASE.get(scored_as) or _TIMES[margin]
    value = base * 2**counted
    points, money = _ledgers(played, won, value)
    return Line(
        deal=deal,
        dealer=dealer,
        kind=played.kind,
        caller=played.caller,
        old=played.old,
        old_eyes=taken.eyes,
        won=won,
        margin=margin,
        doublings=doublings,
        counted=counted,
        base=base,
        value=value,
        points=points,
        money=money,
    )


def runs(doublings: Sequence[Seat], played: Contract) -> int:
    """How many doublings count: each run by one side is one."""
    sides = [played.side(seat) for seat in doublings]
    return sum(place == 0 or side is not sides[place - 1] for place, side in enumerate(sides))


def _outcome(played: Contract, taken: Taken, doublings: Sequence[Seat]) -> tuple[Side, Margin]:
    others = ALL_EYES - taken.eyes
    if played.kind is GameKind.ZOLO_DU:
        if taken.tricks == 4:
            return Side.OLD, _margin(others)
        return Side.YOUNG, _margin(taken.eyes)
    if taken.eyes != others:
        return (Side.OLD if taken.eyes > others else Side.YOUNG), _margin(min(taken.eyes, others))
    last = played.side(doublings[-1]) if doublings else Side.OLD
    return (Side.YOUNG if last is Side.OLD else Side.OLD), Margin.BOKI


def _margin(losers: int) -> Margin:
    return Margin.NO_TRICK if losers == 0 else Margin.NO_EXIT if losers < 26 else Margin.EXIT


def _cicha_guarded(
    played: Contract, dealer: Seat, dealt: Sequence[Sequence[Card]], rules: RuleSet
) -> tuple[GameKind, bool]:
    """As what a game is scored, and whether its doublings count."""
    if played.kind is not GameKind.CICHA:
        return played.kind, True
    held = set(dealt[played.old[0]])
    guards = set()
    if held >= BLACK_QUEENS.union(top_trumps(2, rules)):
        guards.add(rules.cicha_top_cards)
    tens = set(hand("TC TS TH") if rules.trumps is Trumps.AS_TRZY_DYCHY else hand("TH"))
    if played.old[0] == dealer and held >= BLACK_QUEENS | {Card.AH} and held & tens:
        guards.add(rules.cicha_dealer)
    if CichaGuard.AS_ZOLO in guards:
        return GameKind.ZOLO, True
    return GameKind.CICHA, CichaGuard.NO_DOUBLING not in guards


def cap(scored_as: GameKind, rules: RuleSet) -> int | None:
    """The most doublings that count in a game; None: all do."""
    match scored_as:
        case GameKind.ZOLO:
            return rules.cap_zolo
        case GameKind.ZOLO_DU:
            return rules.cap_zolo_du
        case GameKind.CICHA:
            return rules.cap_cicha
        case GameKind.ORDINARY | GameKind.WESELE:
            return None


def _ledgers(played: Contract, won: Side, value: int) -> tuple[Four, Four]:
    """The points and the money that a deal brings each seat."""
    stake = 3 * value if played.alone else value
    points: list[int] = []
    money: list[int] = []
    for seat in SEATS:
        wins = played.side(seat) is won
        amount = stake if seat in played.old else value
        points.append(value if wins else 0)
        money.append(amount if wins else -amount)
    return (points[0], points[1], points[2], points[3]), (money[0], money[1], money[2], money[3])
