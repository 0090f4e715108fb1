"""What a reader may know of a match, built up and never stripped down.

`public` is what everybody has seen; `own` adds what one seat knows: its hand, and what follows
from it about the sides. The shapes are documented in the wire contract (docs/protocol).
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar

from server.games.cards import Card
from server.games.game import Millis, OwnParts, Part, Plain, Seat, Stage, joined
from server.games.kop.auction import BLACK_QUEENS, JACKS, Auction, Utterance, Word
from server.games.kop.deal import Deal, Trick, left_of
from server.games.kop.events import DealOffered, Dealt, Hand
from server.games.kop.fair import commitment
from server.games.kop.happenings import plain_line
from server.games.kop.match import Match, deadline
from server.games.kop.opening import Opening
from server.games.kop.options import Terms
from server.games.kop.play import by_strength, eyes
from server.games.kop.ruleset import RULE_SETS, CichaGuard, Gathered, RuleSet
from server.games.kop.scoring import Line, cap, runs
from server.games.kop.sides import CALLED, SEATS, Contract, GameKind, Known, Side, known_sides

_Value = TypeVar("_Value")

NOBODY: Known = (None, None, None, None)
FROM = {leader: tuple(left_of(leader, place) for place in range(4)) for leader in SEATS}
"""The seats in the order in which they play to a trick, by who leads."""

Told = tuple[tuple[Card, Seat], ...]
"""Cards that tell of the sides, each with the seat that it was dealt to."""
Doublings = tuple[Seat, ...]
"""Who said the first, second … doubling of the standing game."""

_JACKS, _NONE = frozenset(JACKS), frozenset[Card]()


def public(match: Match) -> Plain:
    """What everybody may know."""
    return joined(parts(match)[0])


def own(match: Match, seat: Seat) -> Plain:
    """What a seat knows beyond that."""
    running = match.in_play
    return _no_cards() if running is None else _own(match.rules, *_seen(running), *_cards(running)[seat])


def parts(match: Match) -> tuple[Sequence[Part], OwnParts]:
    """The same in parts: most of it stays while cards are played."""
    terms, rules, deal, running = match.terms, match.rules, match.deal, match.in_play
    origin, tricks = (None, ()) if deal is None else (deal.origin, deal.tricks)
    said: tuple[Any, ...]
    if running is None:
        said = (None, (), False, False, _phase(match), deadline(match))
        known, lying, seats = _NOTHING_KNOWN, _NOTHING_LIES, _NO_CARDS
        lies = deal is not None and bool(deal.trick)
    else:
        in_calls, lies = running.in_calls, bool(running.trick)
        waits = in_calls or running.lead_lies
        due = deadline(match) if waits else None
        said = (running.auction, running.shown, in_calls, waits, "calls" if in_calls else "play", due)
        shared = (rules, *_seen(running))
        known, lying, seats = Part(shared, _of_sides), _lying(running), OwnParts(shared, _cards(running), _own)
    return (
        Part((terms,), _agreed),
        Part((terms, match.offer, origin, match.opening, match.lines, running is not None), _course),
        Part(said, _said),
        Part((rules, tricks, lies and rules.gathered is Gathered.NONE, running is not None), _gathered),
        known,
        lying,
    ), seats


def _cards(running: Deal) -> list[tuple[Seat, Hand, Hand]]:
    """Each seat with its cards, dealt and left."""
    return list(zip(SEATS, running.dealt, running.hands, strict=True))


def _own(
    rules: RuleSet,
    standing: Utterance | None,
    doublings: Doublings,
    told: Told,
    seat: Seat,
    dealt: Sequence[Card],
    hand: Sequence[Card],
) -> Plain:
    return {"hand": list(by_strength(hand, rules)), **_of_sides(rules, standing, doublings, told, seat, dealt)}


def _no_cards() -> Plain:
    return {"hand": [], **_nothing_known()}


_NO_CARDS = OwnParts((), ((),) * len(SEATS), _no_cards)


def stake(terms: Terms) -> str:
    """What a value of 1 is worth: the amount and the currency word."""
    return f"{terms.stake} {terms.currency}"


def ledger(match: Match) -> Plain:
    """Both ledgers of the match so far."""
    return _ledger(match.terms, match.lines)


def _ledger(terms: Terms, lines: Sequence[Line]) -> Plain:
    points = [sum(line.points[seat] for line in lines) for seat in SEATS]
    money = [sum(line.money[seat] for line in lines) for seat in SEATS]
    return {"points": points, "money": [amount(terms, values) for values in money]}


def amount(terms: Terms, values: int) -> str:
    """So many values in money."""
    return f"{Decimal(values) * terms.stake:f}"


def _agreed(terms: Terms) -> Plain:
    rules = terms.rules
    return {
        "deals": terms.deals,
        "rules": rules.name,
        "house_rules": rules != RULE_SETS[rules.name],
        "trumps": rules.trumps,
        "calling": rules.calling,
        "doubling_names": list(rules.doubling_names),
        "stake": stake(terms),
    }


def _course(
    terms: Terms,
    offer: DealOffered | None,
    dealt: Dealt | None,
    opening: Opening | None,
    lines: Sequence[Line],
    cards_out: bool,
) -> Plain:
    """What stays from when the cards are out to the end of the deal."""
    return {**_offered(offer, dealt), **_opening(opening), **_sheet(terms, lines, cards_out)}


def _offered(offer: DealOffered | None, dealt: Dealt | None) -> Plain:
    """The deal on offer, which is also the one in play; between the last one and the end, that one."""
    number, dealer = (1, Seat(0)) if dealt is None else (dealt.number, dealt.dealer)
    if offer is not None:
        number, dealer = offer.number, offer.dealer
    return {"deal": number, "dealer": dealer, "commitment": "" if offer is None else commitment(offer.secret)}


def _sheet(terms: Terms, lines: Sequence[Line], cards_out: bool) -> Plain:
    last = None if cards_out or not lines else plain_line(lines[-1])
    return {"scored": len(lines), "ledger": _ledger(terms, lines), "last": last}


def _opening(opening: Opening | None) -> Plain:
    if opening is None:
        return {"opening": None}
    opened = sorted(one.seat for one in opening.opened)
    return {"opening": {"commitments": list(opening.commitments), "cut": opening.cut, "opened": opened}}


def _phase(match: Match) -> str:
    """While no cards are out."""
    match match.stage:
        case Stage.DEAL:
            return "opening"
        case Stage.BETWEEN:
            return "ready"
        case Stage.OVER:
            return "over"


def _said(
    auction: Auction | None, shown: Sequence[Card], in_calls: bool, waits: bool, phase: str, deadline: Millis | None
) -> Plain:
    """What was said in the deal, and what is waited for; `waits`: that others say something."""
    plain: Plain = {
        "phase": phase,
        "deadline": deadline,
        "shown": list(shown),
        "said": [],
        "game": None,
        "caller": None,
        "jack": None,
        "question": False,
        "waved": [],
    }
    if auction is None:
        return plain
    plain["said"] = [{"seat": said.seat, "say": str(said)} for said in auction.said]
    plain["question"] = in_calls and auction.question
    plain["waved"] = list(auction.waved) if waits else []
    standing = auction.standing
    if standing is not None:
        plain |= {"game": CALLED[standing.word], "caller": standing.seat, "jack": standing.jack}
    return plain


def _gathered(rules: RuleSet, tricks: Sequence[Trick], out_of_sight: bool, cards_out: bool) -> Plain:
    """The tricks in sight, and while cards are out who took how many, with how many eyes."""
    match rules.gathered:
        case Gathered.ALL:
            in_sight = tricks
        case Gathered.LAST:
            in_sight = tricks[-1:]
        case Gathered.NONE:  # a trick is gathered when the next card lies
            in_sight = () if out_of_sight else tricks[-1:]
    taken, worth = [0, 0, 0, 0], [0, 0, 0, 0]
    for trick in tricks if cards_out else ():
        taken[trick.winner] += 1
        worth[trick.winner] += eyes(trick.cards)
    hidden = cards_out and rules.gathered is not Gathered.ALL
    return {
        "tricks": [
            {"cards": _plain_cards(trick.leader, trick.cards), "winner": trick.winner, "eyes": eyes(trick.cards)}
            for trick in in_sight
        ],
        "taken": taken,
        "eyes": None if hidden else worth,
    }


def _of_sides(
    rules: RuleSet,
    standing: Utterance | None,
    doublings: Doublings,
    told: Told,
    viewer: Seat | None = None,
    dealt: Sequence[Card] = (),
) -> Plain:
    """The sides as far as all, or one with his cards as dealt, know them; and what the doublings are worth by that."""
    holder = dict(told)
    if viewer is not None:
        holder |= dict.fromkeys(dealt, viewer)
    sides = known_sides(standing, holder, viewer)
    return {"sides": list(sides), "doubling": _doubling(rules, standing, doublings, sides)}


def _nothing_known() -> Plain:
    return {"sides": list(NOBODY), "doubling": {"factor": 1, "exact": True}}


_NOTHING_KNOWN = Part((), _nothing_known)


def _lying(running: Deal) -> Part:
    """What changes with every card."""
    speaker = running.auction.speaker
    held = _one(tuple(map(len, running.hands)))
    return Part((running.leader, running.trick, running.turn if speaker is None else speaker, held), _on_table)


def _on_table(leader: Seat, trick: Sequence[Card], turn: Seat | None, held: Sequence[int]) -> Plain:
    return {
        "turn": turn,
        "trick": _plain_cards(leader, trick),
        "cards": list(held),
    }


_NOTHING_LIES = Part((SEATS[0], (), None, (0, 0, 0, 0)), _on_table)


def _plain_cards(leader: Seat, cards: Sequence[Card]) -> list[Plain]:
    return [{"seat": seat, "card": card} for seat, card in zip(FROM[leader], cards, strict=False)]


def _seen(running: Deal) -> tuple[Utterance | None, Doublings, Told]:
    """All that tells of the sides to everybody: the game that stands, its doublings, and cards that were played."""
    standing, doublings = running.auction.called
    telling = BLACK_QUEENS if standing is None else _JACKS if standing.word is Word.WESELE else _NONE
    told = [(card, running.auction.leader) for card in running.shown if card in telling]
    for leader, cards in (*[(trick.leader, trick.cards) for trick in running.tricks], (running.leader, running.trick)):
        if not telling.isdisjoint(cards):
            told += [one for one in zip(cards, FROM[leader]) if one[0] in telling]  # noqa: B905  the trick may be open
    return standing, _one(doublings), _one(tuple(told))


@lru_cache(maxsize=4096)
def _one(value: _Value) -> _Value:
    """The same object for all equal values, since a part is kept while it is made of the very same."""
    return value


def _doubling(rules: RuleSet, standing: Utterance | None, said: Doublings, sides: Known) -> Plain:
    """What the doublings are worth to a viewer who knows these sides: exactly, or at most."""
    if not said:
        return {"factor": 1, "exact": True}
    if None in sides:
        return {"factor": 2 ** len(said), "exact": not said}
    old = tuple(seat for seat in SEATS if sides[seat] is Side.OLD)
    kind = (GameKind.CICHA if len(old) == 1 else GameKind.ORDINARY) if standing is None else CALLED[standing.word]
    counted = runs(said, Contract(kind, None, old))
    guards = {rules.cicha_top_cards, rules.cicha_dealer} - {CichaGuard.ALLOWED}
    if kind is GameKind.CICHA and guards:
        return {"factor": 2**counted, "exact": not said}
    most = cap(kind, rules)
    return {"factor": 2 ** (counted if most is None else min(counted, most)), "exact": True}
