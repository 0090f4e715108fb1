"""What a reader may know of a match, built up and never stripped down.

`public` is what everybody has seen; `own` adds what one seat knows: its hand, and what follows
from it about the sides. The shapes are documented in the wire contract (docs/protocol).
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from server.games.game import Plain, Seat, Stage
from server.games.kop.deal import Deal, Trick, left_of
from server.games.kop.fair import commitment
from server.games.kop.happenings import plain_line
from server.games.kop.match import Match, deadline
from server.games.kop.options import Terms
from server.games.kop.play import by_strength, eyes
from server.games.kop.ruleset import RULE_SETS, CichaGuard, Gathered
from server.games.kop.scoring import Four, Line, cap, runs
from server.games.kop.sides import CALLED, SEATS, Contract, GameKind, Known, Side, known_sides

NOBODY: Known = (None, None, None, None)


def public(match: Match) -> Plain:
    """What everybody may know."""
    running, played = match.in_play, match.deal
    view: Plain = {
        "phase": _phase(match),
        "deal": _number(match),
        "scored": len(match.lines),
        "deals": match.terms.deals,
        "dealer": match.offer.dealer if match.offer is not None else played.dealer if played is not None else 0,
        "commitment": commitment(match.offer.secret) if match.offer is not None else "",
        "rules": match.rules.name,
        "house_rules": match.rules != RULE_SETS[match.rules.name],
        "trumps": match.rules.trumps,
        "calling": match.rules.calling,
        "doubling_names": list(match.rules.doubling_names),
        "stake": stake(match.terms),
        "deadline": deadline(match),
        "tricks": [] if played is None else _gathered(played, match.rules.gathered),
        "ledger": ledger(match),
        "opening": _opening(match),
        "last": None if running is not None or not match.lines else plain_line(match.lines[-1]),
    }
    view.update(_NO_DEAL if running is None else _running(match, running))
    return view


def own(match: Match, seat: Seat) -> Plain:
    """What a seat knows beyond that."""
    running = match.in_play
    if running is None:
        return {"hand": [], "sides": list(NOBODY), "doubling": {"factor": 1, "exact": True}}
    sides = _sides(running, seat)
    return {
        "hand": list(by_strength(running.hands[seat], match.rules)),
        "sides": list(sides),
        "doubling": _doubling(match, running, sides),
    }


def stake(terms: Terms) -> str:
    """What a value of 1 is worth: the amount and the currency word."""
    return f"{terms.stake} {terms.currency}"


def ledger(match: Match) -> Plain:
    """Both ledgers of the match so far."""
    points, money = _sums(match.lines)
    return {"points": list(points), "money": [amount(match.terms, values) for values in money]}


def amount(terms: Terms, values: int) -> str:
    """So many values in money."""
    return f"{Decimal(values) * terms.stake:f}"


@lru_cache(maxsize=256)
def _sums(lines: Sequence[Line]) -> tuple[Four, Four]:
    points, money = [0] * 4, [0] * 4
    for line in lines:
        for seat in SEATS:
            points[seat] += line.points[seat]
            money[seat] += line.money[seat]
    return (points[0], points[1], points[2], points[3]), (money[0], money[1], money[2], money[3])


def _number(match: Match) -> int:
    if match.offer is not None:
        return match.offer.number
    return match.deal.number if match.deal is not None else 1


def _opening(match: Match) -> Plain | None:
    if match.opening is None:
        return None
    opening, opened = match.opening, sorted(one.seat for one in match.opening.opened)
    return {"commitments": list(opening.commitments), "cut": opening.cut, "opened": opened}


def _phase(match: Match) -> str:
    match match.stage:
        case Stage.DEAL if match.opening is not None:
            return "opening"
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
    "turn": None,
    "shown": [],
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
        "waved": list(auction.waved) if running.in_calls or running.lead_lies else [],
        "turn": running.turn if auction.speaker is None else auction.speaker,
        "shown": list(running.shown),
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
        case Gathered.NONE:  # a trick is gathered when the next card lies
            return [] if played.trick else [_plain_trick(trick) for trick in played.tricks[-1:]]


def _plain_trick(trick: Trick) -> Plain:
    cards: list[dict[str, Any]] = [
        {"seat": trick.player(place), "card": card} for place, card in enumerate(trick.cards)
    ]
    return {"cards": cards, "winner": trick.winner, "eyes": eyes(trick.cards)}


def _sides(running: Deal, viewer: Seat | None) -> Known:
    """The sides that a viewer knows, from the cards played and, at a seat, his own hand."""
    holder = {card: trick.player(place) for trick in running.tricks for place, card in enumerate(trick.cards)}
    holder.update((card, left_of(running.leader, place)) for place, card in enumerate(running.trick))
    holder.update((card, running.auction.leader) for card in running.shown)
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
