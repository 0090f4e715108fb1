"""Deals as text, and matches that stand where a test needs them.

Hands are four groups of cards from seat 0 on, parted by `/`. What was said and played is text too:
seat and words, parted by commas; `-` for the seat is the answer time that runs out.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from server.games.cards import Card, hand
from server.games.game import Millis, Moment, RuleViolation, Seat
from server.games.kop import decisions as rules_of
from server.games.kop import match as match_of
from server.games.kop.events import DealOffered, Dealt, Hand, Hands
from server.games.kop.match import Match
from server.games.kop.options import Terms
from server.games.kop.play import PACK
from server.games.kop.ruleset import KLASSISCH, Calling, CichaGuard, RuleSet
from tests.games.kop import naive

SEATS = (Seat(0), Seat(1), Seat(2), Seat(3))
SECRET = bytes(range(32))
START = Millis(1_000_000)

Step = tuple[Seat | None, str]
"""A seat and its action, as it stands on the wire; without a seat the answer time runs out."""

TIME_OVER: Step = (None, "time over")
WHOLE_DEAL = "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS"
WHOLE_PLAYS = "AD QD AH JS TD JH QC TH AS TC JC TS QS JD QH AC"
QUIET = "0 ask, 1 go on, 2 go on, 3 go on"


def fields(**changed: Any) -> RuleSet:
    """The rule set `klassisch` with other fields."""
    return RuleSet(**{name: changed.get(name, getattr(KLASSISCH, name)) for name in RuleSet.__dataclass_fields__})


def four(text: str) -> Hands:
    """Four hands from text."""
    first, second, third, fourth = (hand(part) for part in text.split("/"))
    return first, second, third, fourth


def four_of(hands: Iterable[Iterable[Card]]) -> Hands:
    """Four hands of any shape as tuples."""
    first, second, third, fourth = (tuple(cards) for cards in hands)
    return first, second, third, fourth


def deck_of(hands: Sequence[Hand], dealer: int) -> tuple[Card, ...]:
    """The deck that deals these hands one card at a time from the dealer's left."""
    return tuple(hands[(dealer + 1 + place) % 4][turn] for turn in range(4) for place in range(4))


def moment(now: int = START) -> Moment:
    """A moment whose random bytes are those of a fixed secret."""
    return Moment(Millis(now), SECRET)


def dealt(
    hands: Hands | str,
    dealer: int = 3,
    rules: RuleSet = KLASSISCH,
    deals: int | None = 16,
    answer_seconds: int | None = 15,
) -> Match:
    """A match in whose first deal these hands were just dealt; with dealer 3 seat 0 leads."""
    if isinstance(hands, str):
        hands = four(hands)
    assert sorted(card for cards in hands for card in cards) == sorted(PACK)
    seconds = answer_seconds if rules.calling is Calling.OPEN else None
    match = Match(Terms(rules, deals, seconds, Decimal(1), "pts"))
    offer = DealOffered("table/1", 1, Seat(dealer), SECRET)
    match = match_of.evolve(match, offer)
    return match_of.evolve(match, Dealt(1, Seat(dealer), 8, deck_of(hands, dealer)))


def steps(text: str) -> list[Step]:
    """What was said and played, from text."""
    parsed: list[Step] = []
    for part in filter(None, text.split(", ")):
        seat, words = part.split(" ", 1)
        parsed.append((None if seat == "-" else Seat(int(seat)), words))
    return parsed


def events_of(match: Match, step: Step, now: int = START) -> Sequence[Any]:
    """What a step brings about; the answer time runs out when it is due."""
    seat, action = step
    if seat is None:
        due = match_of.deadline(match)
        assert due is not None
        return rules_of.run_out(match, moment(due))
    return rules_of.decide(match, seat, action, moment(now))


def after(match: Match, text: str | Iterable[Step], now: int = START) -> Match:
    """The match after these steps, each accepted."""
    for step in steps(text) if isinstance(text, str) else text:
        for event in events_of(match, step, now):
            match = match_of.evolve(match, event)
    return match


def played(match: Match, cards: str) -> Match:
    """The match after these cards, each played by the seat whose turn it is."""
    for card in cards.split():
        match = after(match, [(match.running.turn, f"play {card}")])
    return match


def in_play(hands: str, rules: RuleSet = KLASSISCH, said: str = QUIET) -> Match:
    """A deal whose calls are closed: seat 0 may lead."""
    return after(dealt(hands, rules=rules), said)


def refused(match: Match, seat: int, action: str) -> str | None:
    """The code with which an action is refused, None if it is accepted."""
    try:
        rules_of.decide(match, Seat(seat), action, moment())
    except RuleViolation as refusal:
        return refusal.code
    return None


def naive_hands(hands: Sequence[Hand]) -> naive.Hands:
    """Hands as the oracle takes them."""
    return [[str(card) for card in cards] for cards in hands]


def naive_rules(rules: RuleSet) -> naive.Rules:
    """A rule set as the oracle takes it."""
    return naive.Rules(
        trumps=rules.trumps.value,
        void_duty=rules.void_duty.value,
        names=len(rules.doubling_names),
        wesele_self_kontra=rules.wesele_self_kontra,
        cicha_first_kontra=rules.cicha_first_kontra,
        wesele_when=rules.wesele_when.value,
        wesele_named_jack=rules.wesele_named_jack,
        asked_bars_zolo=rules.asked_bars_zolo,
        passes_to_close=rules.passes_to_close,
        late_calls=rules.late_calls,
        cap_zolo=rules.cap_zolo,
        cap_zolo_du=rules.cap_zolo_du,
        cap_cicha=rules.cap_cicha,
        cicha_top_cards=rules.cicha_top_cards.value,
        cicha_dealer=rules.cicha_dealer.value,
    )


def guards(word: str) -> CichaGuard:
    """A guard from its word."""
    return CichaGuard(word)
