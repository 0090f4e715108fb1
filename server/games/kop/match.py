"""A match of Kop: its deals one after another, its sheet, and every decision in it.

Pure: `decide` makes events of actions, `evolve` applies them. Source: docs/rules/kop.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import assert_never

from server.games.cards import Card
from server.games.game import Millis, Moment, RuleViolation, Seat, Stage
from server.games.kop.auction import Utterance, Word, candidates, check, say, utterance
from server.games.kop.deal import TRICKS, Deal, deal_out, left_of, right_of, trick_taken, with_card, with_trick
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
from server.games.kop.fair import cut_deck, lot, shuffled
from server.games.kop.play import PACK, playable, refusal
from server.games.kop.ruleset import RuleSet
from server.games.kop.scoring import Line, score

MOST_DEALS = 400
"""Where an open-ended match ends by itself, so that none grows without bound."""

DEFAULT_CUT = len(PACK) // 2


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table was opened. `deals` None: open-ended; no answer time: None."""

    rules: RuleSet
    deals: int | None
    answer_seconds: int | None
    stake: Decimal
    currency: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the deal on offer between deals, the deal in play or just played, and the sheet."""

    terms: Terms
    offer: DealOffered | None = None
    deal: Deal | None = None
    lines: tuple[Line, ...] = ()
    stage: Stage = Stage.BETWEEN

    @property
    def rules(self) -> RuleSet:
        """The rule set of all its deals."""
        return self.terms.rules

    @property
    def running(self) -> Deal:
        """The deal in play.

        Raises:
            RuleViolation: `no_deal_running`
        """
        if self.stage is not Stage.DEAL or self.deal is None:
            raise RuleViolation("no_deal_running")
        return self.deal


def begin(label: str, moment: Moment) -> tuple[KopEvent, ...]:
    """The first deal on offer; its dealer is drawn by lot from its secret."""
    dealer = Seat(lot(moment.entropy, 4, f"{label}/lot"))
    return (DealOffered(label, 1, dealer, moment.entropy),)


def check_cut(match: Match, seat: Seat, word: str) -> None:
    """Whether a seat may say this with *ready*: nothing, or as the dealer's right neighbour a cut of 1 to 15.

    Raises:
        RuleViolation: `not_your_cut`
    """
    if word and word not in cuts(match, seat):
        raise RuleViolation("not_your_cut")


def cuts(match: Match, seat: Seat) -> tuple[str, ...]:
    """The cuts that a seat may choose."""
    if match.offer is None or seat != right_of(match.offer.dealer):
        return ()
    return tuple(str(cut) for cut in range(1, len(PACK)))


def deal(match: Match, words: Sequence[str]) -> tuple[KopEvent, ...]:
    """Deals the deck on offer, cut where the dealer's right neighbour said."""
    offer = match.offer
    if offer is None:
        raise RuleViolation("deal_running")
    cut = int(words[right_of(offer.dealer)] or DEFAULT_CUT)
    deck = shuffled(offer.secret, (), f"{offer.label}/{offer.number}")
    return (Dealt(offer.number, offer.dealer, cut, cut_deck(deck, cut)),)


def decide(match: Match, seat: Seat, action: str, moment: Moment) -> tuple[KopEvent, ...]:
    """What a seat's action brings about.

    Raises:
        RuleViolation: the rule that forbids it, or `unknown_action`.
    """
    said = utterance(seat, action)
    if said is not None:
        return (_decide_utterance(match, said, moment),)
    word, _, name = action.partition(" ")
    if word != "play" or name not in PACK:
        raise RuleViolation("unknown_action")
    return tuple(_decide_card(match, seat, Card(name), moment))


def run_out(match: Match, moment: Moment) -> tuple[KopEvent, ...]:
    """The answer time's end, if it is due."""
    due = deadline(match)
    return (AnswerTimeOver(),) if due is not None and due <= moment.now else ()


def deadline(match: Match) -> Millis | None:
    """When the answer time runs out, while one runs."""
    if match.stage is not Stage.DEAL or match.deal is None or not match.deal.in_calls:
        return None
    auction = match.deal.auction
    return None if auction.may_lead else auction.deadline


def finish(match: Match) -> tuple[KopEvent, ...]:
    """Ends an open-ended match.

    Raises:
        RuleViolation: `not_open_ended`, or `deal_running`
    """
    if match.stage is Stage.DEAL:
        raise RuleViolation("deal_running")
    if match.terms.deals is not None or match.stage is Stage.OVER or not match.lines:
        raise RuleViolation("not_open_ended")
    return (MatchEnded(),)


def legal(match: Match, seat: Seat) -> tuple[str, ...]:
    """The actions that `decide` accepts from this seat now."""
    if match.stage is not Stage.DEAL or match.deal is None:
        return ()
    running = match.deal
    actions: list[str] = []
    if running.in_calls:
        for said in candidates(running.auction, seat, match.rules):
            try:
                check(running.auction, said, running.dealt[seat], match.rules)
            except RuleViolation:
                continue
            actions.append(str(said))
    if seat == running.turn and (not running.in_calls or running.auction.may_lead):
        cards = playable(running.hands[seat], running.trick, match.rules)
        actions.extend(f"play {card}" for card in cards)
    return tuple(actions)


def prompt(match: Match) -> str:
    """Names the question: the deal on offer, the calls and questions so far, the cards played, or the rematch."""
    if match.stage is Stage.DEAL and match.deal is not None:
        running = match.deal
        if running.in_calls:
            return f"{running.number}c{running.auction.number}"
        return f"{running.number}p{running.cards_played}"
    return "over" if match.stage is Stage.OVER else f"{len(match.lines) + 1}r"


def evolve(match: Match, event: KopEvent) -> Match:
    """The match after an event."""
    match event:
        case DealOffered():
            return replace(match, offer=event, stage=Stage.BETWEEN)
        case Dealt():
            return replace(match, deal=deal_out(event.number, event.dealer, event.deck), stage=Stage.DEAL)
        case MatchEnded():
            return replace(match, stage=Stage.OVER, offer=None)
        case DealScored(line=line):
            return replace(match, lines=(*match.lines, line), offer=None, stage=Stage.BETWEEN)
        case Said() | AnswerTimeOver() | CardPlayed() | TrickTaken():
            return match if match.deal is None else replace(match, deal=_evolve_deal(match.deal, event))
        case _:
            assert_never(event)


def _evolve_deal(running: Deal, event: Said | AnswerTimeOver | CardPlayed | TrickTaken) -> Deal:
    match event:
        case Said(utterance=said, deadline=due):
            return replace(running, auction=say(running.auction, said, due))
        case AnswerTimeOver():
            return replace(running, auction=replace(running.auction, time_over=True, deadline=None))
        case CardPlayed():
            return with_card(running, event)
        case TrickTaken():
            return with_trick(running, event)
        case _:
            assert_never(event)


def _decide_utterance(match: Match, said: Utterance, moment: Moment) -> KopEvent:
    running = match.running
    if not running.in_calls:
        raise RuleViolation("not_in_calls")
    check(running.auction, said, running.dealt[said.seat], match.rules)
    seconds = match.terms.answer_seconds
    due = None
    if said.word is Word.ASK and seconds is not None:
        due = Millis(moment.now + 1000 * seconds)
    return Said(said, due)


def _decide_card(match: Match, seat: Seat, card: Card, moment: Moment) -> Iterator[KopEvent]:
    running = match.running
    if seat != running.turn:
        raise RuleViolation("not_your_turn")
    if running.in_calls and not running.auction.may_lead:
        raise RuleViolation("await_answers" if running.auction.question else "ask_first")
    held = running.hands[seat]
    if card not in held:
        raise RuleViolation("not_your_card")
    duty = refusal(held, running.trick, card, match.rules)
    if duty is not None:
        raise RuleViolation(duty)
    for event in _tricks(running, CardPlayed(seat, card), match.rules):
        running = _evolve_deal(running, event)
        yield event
    if len(running.tricks) == TRICKS:
        yield from _close(match, running, moment)


def _tricks(running: Deal, played: CardPlayed, rules: RuleSet) -> Iterator[CardPlayed | TrickTaken]:
    """The card, the trick if it is full, and the fourth trick, which plays itself: everybody has one card."""
    yield played
    running = with_card(running, played)
    if len(running.trick) < 4:
        return
    taken = trick_taken(running, rules)
    yield taken
    running = with_trick(running, taken)
    if len(running.tricks) == TRICKS - 1:
        yield from _tricks_of_last_cards(running, rules)


def _tricks_of_last_cards(running: Deal, rules: RuleSet) -> Iterator[CardPlayed | TrickTaken]:
    for place in range(4):
        seat = left_of(running.leader, place)
        played = CardPlayed(seat, running.hands[seat][0])
        running = with_card(running, played)
        yield played
    yield trick_taken(running, rules)


def _close(match: Match, running: Deal, moment: Moment) -> Iterator[KopEvent]:
    """Scores a deal whose tricks are all gathered, and ends the match or offers the next deal."""
    offer = match.offer
    if offer is None:
        return
    played = running.contract()
    line = score(
        running.number,
        running.dealer,
        played,
        running.taken(played.old),
        running.auction.doublings,
        running.dealt,
        match.rules,
    )
    yield DealScored(line, running.dealt, offer.secret)
    if running.number == (match.terms.deals or MOST_DEALS):
        yield MatchEnded()
    else:
        yield DealOffered(offer.label, running.number + 1, left_of(running.dealer), moment.entropy)
