"""What a reader may know of a match, built up and never stripped down.

`public` is what everybody has seen; `own` adds what one seat knows: its hand, and what follows
from it about the sides. The shapes are documented in the wire contract (docs/protocol).
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, assert_never

from server.games.game import Plain, Seat, Stage
from server.games.kop.deal import Deal, Trick, left_of
from server.games.kop.events import (
    AnswerTimeOver,
    CardPlayed,
    DealOffered,
    DealScored,
    Dealt,
    KopEvent,
    MatchEnded,
    Said,
    TrickTaken,
)
from server.games.kop.fair import commitment
from server.games.kop.match import Match, Terms
from server.games.kop.play import by_strength, eyes
from server.games.kop.ruleset import CichaGuard, Gathered
from server.games.kop.scoring import Four, Line, cap, runs
from server.games.kop.sides import CALLED, SEATS, Contract, GameKind, Known, Side, known_sides

NOBODY: Known = (None, None, None, None)


def public(match: Match) -> Plain:
    """What everybody may know."""
    running = match.deal if match.stage is Stage.DEAL else None
    played = match.deal
    view: Plain = {
        "phase": _phase(match),
        "deal": len(match.lines) + (match.stage is not Stage.OVER),
        "deals": match.terms.deals,
        "dealer": match.offer.dealer if match.offer is not None else played.dealer if played is not None else 0,
        "commitment": commitment(match.offer.secret) if match.offer is not None else "",
        "doubling_names": list(match.rules.doubling_names),
        "stake": stake(match.terms),
        "tricks": [] if played is None else _gathered(played, match.rules.gathered),
        "ledger": ledger(match),
        "last": None if running is not None or not match.lines else plain_line(match.lines[-1]),
    }
    view.update(_NO_DEAL if running is None else _running(match, running))
    return view


def own(match: Match, seat: Seat) -> Plain:
    """What a seat knows beyond that."""
    running = match.deal
    if match.stage is not Stage.DEAL or running is None:
        return {"hand": [], "sides": list(NOBODY), "doubling": {"factor": 1, "exact": True}}
    sides = _sides(running, seat)
    return {
        "hand": list(by_strength(running.hands[seat], match.rules)),
        "sides": list(sides),
        "doubling": _doubling(match, running, sides),
    }


def happening(event: KopEvent) -> Plain:
    """An event as everybody may see it."""
    match event:
        case DealOffered():
            return {
                "event": "deal_offered",
                "deal": event.number,
                "dealer": event.dealer,
                "commitment": commitment(event.secret),
            }
        case Dealt():
            return {
                "event": "dealt",
                "deal": event.number,
                "dealer": event.dealer,
                "leader": left_of(event.dealer),
                "cut": event.cut,
            }
        case Said(utterance=said):
            return {"event": "said", "seat": said.seat, "say": str(said)}
        case AnswerTimeOver():
            return {"event": "answer_time_over"}
        case CardPlayed(seat=seat, card=card):
            return {"event": "card_played", "seat": seat, "card": card}
        case TrickTaken(seat=seat, eyes=worth):
            return {"event": "trick_taken", "seat": seat, "eyes": worth}
        case DealScored():
            return {
                "event": "deal_scored",
                "line": plain_line(event.line),
                "hands": [list(cards) for cards in event.hands],
                "secret": event.secret.hex(),
            }
        case MatchEnded():
            return {"event": "match_over"}
        case _:
            assert_never(event)


def stake(terms: Terms) -> str:
    """What a value of 1 is worth: the amount and the currency word."""
    return f"{terms.stake} {terms.currency}"


def plain_line(line: Line) -> Plain:
    """A line of the sheet."""
    return {
        "deal": line.deal,
        "dealer": line.dealer,
        "game": line.kind,
        "caller": line.caller,
        "old": list(line.old),
        "old_eyes": line.old_eyes,
        "won": line.won,
        "margin": line.margin,
        "doublings": list(line.doublings),
        "counted": line.counted,
        "base": line.base,
        "value": line.value,
        "points": list(line.points),
        "money": list(line.money),
    }


def ledger(match: Match) -> Plain:
    """Both ledgers of the match so far."""
    points, money = _sums(match.lines)
    return {"points": list(points), "money": [amount(match.terms, values) for values in money]}


def amount(terms: Terms, values: int) -> str:
    """So many values in money."""
    return f"{Decimal(values) * terms.stake:f}"


def debts(match: Match) -> list[Plain]:
    """Who owes whom, in the fewest payments: who can settle with one other does."""
    owed = dict(enumerate(_sums(match.lines)[1]))
    payments: list[Plain] = []

    def pay(debtor: int, creditor: int) -> None:
        values = min(-owed[debtor], owed[creditor])
        owed[debtor] += values
        owed[creditor] -= values
        payments.append({"debtor": debtor, "creditor": creditor, "amount": amount(match.terms, values)})

    for debtor in owed:
        for creditor in owed:
            if owed[debtor] < 0 and owed[debtor] == -owed[creditor]:
                pay(debtor, creditor)
    while any(owed.values()):
        pay(min(owed, key=owed.__getitem__), max(owed, key=owed.__getitem__))
    return payments


@lru_cache(maxsize=256)
def _sums(lines: Sequence[Line]) -> tuple[Four, Four]:
    points, money = [0] * 4, [0] * 4
    for line in lines:
        for seat in SEATS:
            points[seat] += line.points[seat]
            money[seat] += line.money[seat]
    return (points[0], points[1], points[2], points[3]), (money[0], money[1], money[2], money[3])


def _phase(match: Match) -> str:
    match match.stage:
        case Stage.DEAL:
            return "calls" if match.running.in_calls else "play"
        case Stage.BETWEEN:
            return "ready"
        case Stage.OVER:
            return "over"


_NO_DEAL: Plain = {
    "said": [],
    "game": None,
    "caller": None,
    "jack": None,
    "question": False,
    "waved": [],
    "deadline": None,
    "turn": None,
    "trick": [],
    "taken": [0, 0, 0, 0],
    "eyes": [0, 0, 0, 0],
    "cards": [0, 0, 0, 0],
    "sides": list(NOBODY),
    "doubling": {"factor": 1, "exact": True},
}


def _running(match: Match, running: Deal) -> Plain:
    auction = running.auction
    standing = auction.standing
    sides = _sides(running, None)
    all_in_sight = match.rules.gathered is Gathered.ALL
    return {
        "said": [{"seat": said.seat, "say": str(said)} for said in auction.said],
        "game": None if standing is None else CALLED[standing.word],
        "caller": None if standing is None else standing.seat,
        "jack": None if standing is None else standing.jack,
        "question": running.in_calls and auction.question,
        "waved": list(auction.waved) if running.in_calls else [],
        "deadline": auction.deadline if running.in_calls and not auction.may_lead else None,
        "turn": running.turn,
        "trick": [{"seat": left_of(running.leader, place), "card": card} for place, card in enumerate(running.trick)],
        "taken": [sum(trick.winner == seat for trick in running.tricks) for seat in SEATS],
        "eyes": [running.taken((seat,)).eyes for seat in SEATS] if all_in_sight else None,
        "cards": [len(cards) for cards in running.hands],
        "sides": list(sides),
        "doubling": _doubling(match, running, sides),
    }


def _gathered(played: Deal, gathered: Gathered) -> list[Plain]:
    match gathered:
        case Gathered.ALL:
            return [_plain_trick(trick) for trick in played.tricks]
        case Gathered.LAST:
            return [_plain_trick(trick) for trick in played.tricks[-1:]]
        case Gathered.NONE:
            return []


def _plain_trick(trick: Trick) -> Plain:
    cards: list[dict[str, Any]] = [
        {"seat": trick.player(place), "card": card} for place, card in enumerate(trick.cards)
    ]
    return {"cards": cards, "winner": trick.winner, "eyes": eyes(trick.cards)}


def _sides(running: Deal, viewer: Seat | None) -> Known:
    """The sides that a viewer knows, from the cards played and, at a seat, his own hand."""
    holder = {card: trick.player(place) for trick in running.tricks for place, card in enumerate(trick.cards)}
    holder.update((card, left_of(running.leader, place)) for place, card in enumerate(running.trick))
    if viewer is not None:
        holder.update((card, viewer) for card in running.dealt[viewer])
    return known_sides(running.auction.standing, holder, viewer)


def _doubling(match: Match, running: Deal, sides: Known) -> Plain:
    """What the doublings are worth to a viewer who knows these sides: exactly, or at most."""
    said = running.auction.doublings
    if None in sides:
        return {"factor": 2 ** len(said), "exact": not said}
    rules, standing = match.rules, running.auction.standing
    old = tuple(seat for seat in SEATS if sides[seat] is Side.OLD)
    kind = (GameKind.CICHA if len(old) == 1 else GameKind.ORDINARY) if standing is None else CALLED[standing.word]
    counted = runs(said, Contract(kind, None, old))
    guards = {rules.cicha_top_cards, rules.cicha_dealer} - {CichaGuard.ALLOWED}
    if kind is GameKind.CICHA and guards:
        return {"factor": 2**counted, "exact": not said}
    most = cap(kind, rules)
    return {"factor": 2 ** (counted if most is None else min(counted, most)), "exact": True}
