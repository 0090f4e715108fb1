"""Every decision in a match of Kop: what an action, a deadline or the table's wish brings about.

Pure: events come out, `match.evolve` applies them. Source: docs/rules/kop.md.
"""

from collections.abc import Iterator, Sequence

from server.games.cards import Card
from server.games.game import Millis, Moment, RuleViolation, Seat, Stage
from server.games.kop.auction import Utterance, Word, allowed, check, utterance
from server.games.kop.deal import TRICKS, Deal, left_of, right_of, trick_taken, with_card, with_trick
from server.games.kop.events import (
    AnswerTimeOver,
    CardPlayed,
    DealAnnulled,
    DealOffered,
    DealScored,
    Dealt,
    FourBytes,
    FourTexts,
    KopEvent,
    LeadTakenBack,
    MatchEnded,
    Said,
    TimeCalled,
    TrickTaken,
)
from server.games.kop.fair import cut_deck, lot, shuffled
from server.games.kop.match import Match, deadline, evolve_deal
from server.games.kop.opening import CUTS, Opening, begin_opening, is_commitment, open_commitment, with_opened
from server.games.kop.options import MOST_DEALS
from server.games.kop.play import PACK, PLAY, playable, refusal
from server.games.kop.ruleset import RuleSet
from server.games.kop.same_cards import NO_CUT
from server.games.kop.same_cards import offer as same_deal
from server.games.kop.scoring import score
from server.games.kop.sides import SEATS

DEFAULT_CUT = len(PACK) // 2
_PLAYS = {PLAY + card: card for card in PACK}
_PLAYING = {card: action for action, card in _PLAYS.items()}
NOTHING: tuple[tuple[str, ...], ...] = ((), (), (), ())
NOBODY_COMMITTED: FourTexts = ("", "", "", "")
NOTHING_OPENED: FourBytes = (b"", b"", b"", b"")

LATE_CALL_MILLIS = 1_500
"""How long the second card of a deal waits for late calls, unless all others wave it through."""


def begin(label: str, moment: Moment) -> tuple[KopEvent, ...]:
    """The first deal on offer; its dealer is drawn by lot from its secret."""
    dealer = Seat(lot(moment.entropy, 4, f"{label}/lot"))
    return (DealOffered(label, 1, dealer, moment.entropy),)


def check_cut(match: Match, seat: Seat, word: str) -> None:
    """Whether a seat may say this with *ready*: nothing, a commitment, or as the one who cuts 1 to 15.

    Raises:
        RuleViolation: `not_your_cut`
    """
    if word and not is_commitment(word) and word not in cuts(match, seat):
        raise RuleViolation("not_your_cut")


def cuts(match: Match, seat: Seat) -> tuple[str, ...]:
    """The cuts that a seat may choose."""
    if match.offer is None or match.offer.seed or seat != right_of(match.offer.dealer):
        return ()
    return CUTS


def deal(match: Match, words: Sequence[str], moment: Moment) -> tuple[KopEvent, ...]:
    """Begins the deal on offer: with the opening of what seats committed to, or at once."""
    if match.offer is None:
        raise RuleViolation("deal_running")
    if match.offer.seed:  # what seats have committed to adds nothing
        return (_deal_out(match.offer, NOBODY_COMMITTED, NOTHING_OPENED, NO_CUT),)
    opening = begin_opening(words, moment.now)
    if opening is not None:
        return (opening,)
    cut = words[right_of(match.offer.dealer)]
    return (_deal_out(match.offer, NOBODY_COMMITTED, NOTHING_OPENED, int(cut) if cut else None),)


def _deal_out(offer: DealOffered, commitments: FourTexts, opened: FourBytes, cut: int | None) -> Dealt:
    """The deck of the offer, cut where the dealer's right neighbour chose."""
    cut = DEFAULT_CUT if cut is None else cut
    deck = shuffled(offer.secret, opened, f"{offer.label}/{offer.number}")
    return Dealt(offer.number, offer.dealer, cut, cut_deck(deck, cut), commitments, opened)


def decide(match: Match, seat: Seat, action: str, moment: Moment) -> tuple[KopEvent, ...]:
    """What a seat's action brings about.

    Raises:
        RuleViolation: the rule that forbids it, or `unknown_action`.
    """
    if match.opening is not None and match.offer is not None:
        return _decide_opening(match.offer, match.opening, seat, action)
    card = _PLAYS.get(action)
    if card is not None:
        return tuple(_decide_card(match, seat, card, moment))
    said = utterance(seat, action)
    if said is None:
        raise RuleViolation("unknown_action")
    return _decide_utterance(match, said, moment)


def _decide_opening(offer: DealOffered, opening: Opening, seat: Seat, action: str) -> tuple[KopEvent, ...]:
    cuts = seat == right_of(offer.dealer) and opening.cut is None
    opened = open_commitment(opening, seat, action, cuts=cuts)
    opening = with_opened(opening, opened)
    return (opened, _dealt_after(offer, opening)) if opening.complete else (opened,)


def _dealt_after(offer: DealOffered, opening: Opening) -> Dealt:
    cut = opening.cut_of(right_of(offer.dealer))
    return _deal_out(offer, opening.commitments, opening.bytes_of_seats(), cut)


def run_out(match: Match, moment: Moment) -> tuple[KopEvent, ...]:
    """The end of the answer time, of the pause after the lead, or of the opening, if it is due."""
    due = deadline(match)
    if due is None or due > moment.now:
        return ()
    if match.opening is not None and match.offer is not None:
        return (_dealt_after(match.offer, match.opening),)
    return (AnswerTimeOver(),)


def annul(match: Match, moment: Moment) -> tuple[KopEvent, ...]:
    """Makes the running deal void: it is laid open, its number is burned, and the next is offered, if one is to follow.

    The same dealer deals anew, except where all tables play the same cards.

    Raises:
        RuleViolation: `no_deal_running`
    """
    running, offer = match.running, match.offer
    if offer is None:
        raise RuleViolation("no_deal_running")
    void = DealAnnulled(running.number, running.dealt, offer.secret)
    return void, _next(match, offer, offer.dealer, moment)


def _next(match: Match, offer: DealOffered, dealer: Seat, moment: Moment) -> DealOffered | MatchEnded:
    """What follows the deal on offer, unless it was the last that was agreed."""
    if match.time_called:
        return MatchEnded()
    number = offer.number + 1
    return (
        same_deal(offer.label, number, offer.seed)
        if offer.seed
        else DealOffered(offer.label, number, dealer, moment.entropy)
    )


def end(match: Match) -> tuple[KopEvent, ...]:
    """Ends the match where it stands: a deal whose cards are out is laid open and does not count."""
    if match.stage is Stage.OVER:
        return ()
    running, offer = match.in_play, match.offer
    if running is None or offer is None:
        return (MatchEnded(),)
    return DealAnnulled(running.number, running.dealt, offer.secret), MatchEnded()


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


def call_time(match: Match) -> tuple[KopEvent, ...]:
    """No further deal: the match ends with the one in play, or now if no cards are out."""
    if match.time_called or match.stage is Stage.OVER:
        return ()
    return (TimeCalled(),) if match.in_play is not None else (TimeCalled(), MatchEnded())


def legal(match: Match, seat: Seat) -> tuple[str, ...]:
    """The actions that `decide` accepts from this seat now."""
    running = match.in_play
    return () if running is None else _menus(match.rules, running, (seat,))[0]


def offers(match: Match) -> Sequence[tuple[str, ...]]:
    """What is `legal` for each seat."""
    running = match.in_play
    return NOTHING if running is None else _menus(match.rules, running, SEATS)


def _menus(rules: RuleSet, running: Deal, seats: Sequence[Seat]) -> list[tuple[str, ...]]:
    if running.in_calls or _late_calls(rules, running):
        menus = allowed(running.auction, seats, running.dealt, rules, lead_lies=running.lead_lies)
    else:
        menus = [()] * len(seats)
    turn = running.turn
    if turn in seats and _why_not_yet(rules, running) is None:
        cards = playable(running.hands[turn], running.trick, rules)
        menus[seats.index(turn)] += tuple([_PLAYING[card] for card in cards])
    return menus


def awaited(match: Match) -> tuple[Seat, ...]:
    """The seats for whose question, answer, call or card a running deal waits."""
    running = match.in_play
    if running is None:
        return ()
    auction = running.auction
    if auction.speaker is not None and running.in_calls:
        return (auction.speaker,)
    wait = _why_not_yet(match.rules, running)
    if wait in ("await_answers", "await_calls"):
        return tuple(seat for seat in SEATS if seat != auction.leader and seat not in auction.waved)
    return (running.turn,)


def _decide_utterance(match: Match, said: Utterance, moment: Moment) -> tuple[KopEvent, ...]:
    running = match.running
    late = _late_calls(match.rules, running)
    if not running.in_calls and not late:
        raise RuleViolation("not_in_calls")
    check(running.auction, said, running.dealt[said.seat], match.rules, lead_lies=late)
    seconds = match.terms.answer_seconds
    due = None
    if said.word is Word.ASK and seconds is not None:
        due = Millis(moment.now + 1000 * seconds)
    if late and said.word is Word.DOUBLE:
        return Said(said, due), LeadTakenBack(running.leader, running.trick[0])
    return (Said(said, due),)


def _late_calls(rules: RuleSet, running: Deal) -> bool:
    """Whether the others may still double, since only the opening lead lies."""
    return rules.late_calls and running.lead_lies


def _why_not_yet(rules: RuleSet, running: Deal) -> str | None:
    """What the seat whose turn it is must wait for before it plays."""
    auction = running.auction
    if running.in_calls:
        if auction.may_lead:
            return None
        if auction.passes_to_close is not None:
            return "await_calls"
        return "await_answers" if auction.question else "ask_first"
    if _late_calls(rules, running) and auction.deadline is not None and not auction.waved_through:
        return "await_calls"
    return None


def _decide_card(match: Match, seat: Seat, card: Card, moment: Moment) -> Iterator[KopEvent]:
    running = match.running
    if seat != running.turn:
        raise RuleViolation("not_your_turn")
    wait = _why_not_yet(match.rules, running)
    if wait is not None:
        raise RuleViolation(wait)
    held = running.hands[seat]
    if card not in held:
        raise RuleViolation("not_your_card")
    duty = refusal(held, running.trick, card, match.rules)
    if duty is not None:
        raise RuleViolation(duty)
    events = list(_tricks(running, CardPlayed(seat, card, _pause(match, running, moment)), match.rules))
    yield from events
    if len(events) > 1:
        for event in events:
            running = evolve_deal(running, event)
        if len(running.tricks) == TRICKS:
            yield from _close(match, running, moment)


def _pause(match: Match, running: Deal, moment: Moment) -> Millis | None:
    """Until when the second card must wait, after an opening lead to which a doubling could still come."""
    if not running.in_calls or not match.rules.late_calls:
        return None
    if len(running.auction.doublings) >= len(match.rules.doubling_names):
        return None
    return Millis(moment.now + LATE_CALL_MILLIS)


def _tricks(running: Deal, played: CardPlayed, rules: RuleSet) -> Iterator[CardPlayed | TrickTaken]:
    """The card, the trick if it is full, and the fourth trick, which plays itself: everybody has one card."""
    yield played
    if len(running.trick) < 3:
        return
    running = with_card(running, played)
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
    yield DealScored(line, running.dealt, offer.secret, match.burned)
    if len(match.lines) + 1 == (match.terms.deals or MOST_DEALS):
        yield MatchEnded()
    else:
        yield _next(match, offer, left_of(running.dealer), moment)
