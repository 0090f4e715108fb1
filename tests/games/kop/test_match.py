"""A match from the lot to its end: phases, prompts, the answer time, the cut, the dealers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import Millis, Moment, OptionValue, RuleViolation, Seat, Stage
from server.games.kop import decisions as rules_of
from server.games.kop import view
from server.games.kop.decisions import NOTHING_OPENED
from server.games.kop.events import AnswerTimeOver, DealOffered, DealScored, Dealt, MatchEnded, Said
from server.games.kop.fair import cut_deck, lot, shuffled
from server.games.kop.game import Kop
from server.games.kop.match import Match
from server.games.kop.options import MOST_DEALS
from server.games.kop.play import PACK
from tests.games.kop.scenes import (
    QUIET,
    SEATS,
    START,
    WHOLE_DEAL,
    WHOLE_PLAYS,
    after,
    dealt,
    events_of,
    moment,
    played,
    steps,
)
from tests.games.kop.strategies import walk

KOP = Kop()
TWELVE = " ".join(WHOLE_PLAYS.split()[:12])


def opened(entropy: bytes = bytes(32), **options: OptionValue) -> Match:
    """A match whose first deal is on offer."""
    match = KOP.new_match(options)
    for event in KOP.begin(match, "t/1", Moment(START, entropy)):
        match = KOP.evolve(match, event)
    return match


def next_deal(match: Match, words: tuple[str, str, str, str] = ("", "", "", "")) -> Match:
    """The match with the deal on offer dealt and played in the quietest way to its end."""
    [event] = KOP.deal(match, words, moment())
    match = KOP.evolve(match, event)
    return after(match, walk(match, []))


# --- phases and prompts -------------------------------------------------------------------------------------------


def test_phases_follow_one_another() -> None:
    """A match waits for ready, opens calls, plays, and waits for ready again; the last deal ends it."""
    match = opened(deals=4)
    phases = [view.public(match)["phase"]]
    for _ in range(4):
        [event] = KOP.deal(match, ("",) * 4, moment())
        match = KOP.evolve(match, event)
        for step in walk(match, []):
            phases.append(view.public(match)["phase"])
            match = after(match, [step])
        phases.append(view.public(match)["phase"])
    assert phases == [*(["ready"] + ["calls"] * 5 + ["play"] * 11) * 4, "over"]
    assert match.stage is Stage.OVER


@pytest.mark.parametrize(
    ("said", "prompts"),
    [
        ("0 ask, 1 go on, 2 go on, 3 go on", "1c0 1c1 1c1 1c1 1c1"),
        ("0 ask, 1 go on, 3 double 1, 0 ask, 3 go on", "1c0 1c1 1c1 1c2 1c3 1c3"),
        ("2 zolo, 2 zolo du, 0 ask, - time over", "1c0 1c1 1c2 1c3 1c3"),
    ],
)
def test_the_prompt_changes_with_calls_and_questions_only(said: str, prompts: str) -> None:
    """Each call and each question makes a new prompt; *go on* and the end of the answer time do not."""
    match = dealt(WHOLE_DEAL)
    seen = [KOP.prompt(match)]
    for step in steps(said):
        match = after(match, [step])
        seen.append(KOP.prompt(match))
    assert seen == prompts.split()


@settings(deadline=None, max_examples=30)
@given(numbers=st.lists(st.integers(0, 499), min_size=60, max_size=60), open_ended=st.booleans())
def test_no_prompt_comes_again_in_a_match(numbers: list[int], *, open_ended: bool) -> None:
    """A prompt that was answered or withdrawn never stands again in the match, its end included."""
    match = opened(deals=None if open_ended else 4)
    prompts = []
    for number in range(4):
        prompts.append(KOP.prompt(match))
        [event] = KOP.deal(match, ("",) * 4, moment())
        match = KOP.evolve(match, event)
        for step in walk(match, numbers[number * 15 :]):
            prompts.append(KOP.prompt(match))
            match = after(match, [step])
    if open_ended:
        prompts.append(KOP.prompt(match))
        [ended] = KOP.finish(match)
        match = KOP.evolve(match, ended)
    prompts.append(KOP.prompt(match))
    changes = [prompt for place, prompt in enumerate(prompts) if place == 0 or prompt != prompts[place - 1]]
    assert len(changes) == len(set(changes))
    assert prompts[-1] not in prompts[:-1]


# --- the answer time ----------------------------------------------------------------------------------------------


def test_the_answer_time_runs_from_the_question() -> None:
    """3.8: the question sets a deadline; run_out does nothing before it and ends the answer time when it is due."""
    match = after(dealt(WHOLE_DEAL, answer_seconds=20), "0 ask, 1 go on")
    due = START + 20_000
    assert KOP.deadline(match) == due
    assert view.public(match)["deadline"] == due
    assert KOP.run_out(match, moment(due - 1)) == ()
    assert KOP.run_out(match, moment(due)) == (AnswerTimeOver(),)
    assert KOP.run_out(match, moment(due + 99_000)) == (AnswerTimeOver(),)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "0 ask, 2 double 1",
        "0 ask, 2 zolo",
        "0 ask, 0 zolo",
        "0 ask, - time over",
        QUIET,
        f"{QUIET}, 0 play AD",
        f"{QUIET}, 0 play AD, 1 play QD",
    ],
)
def test_no_answer_time_runs(said: str) -> None:
    """3.8: before the question, after a call withdrew it, when all went on or the time is over, and in play."""
    match = after(dealt(WHOLE_DEAL), said)
    assert KOP.deadline(match) is None
    assert view.public(match)["deadline"] is None
    assert KOP.run_out(match, moment(START + 10**9)) == ()


def test_a_new_question_has_a_new_answer_time() -> None:
    """3.7, 3.8: after a call the leader asks again, and the time starts anew."""
    match = after(dealt(WHOLE_DEAL), "0 ask, 2 double 1")
    [said] = events_of(match, (Seat(0), "ask"), now=START + 5_000)
    assert isinstance(said, Said)
    assert said.deadline == START + 20_000


def test_without_an_answer_time_the_leader_waits_for_all() -> None:
    """3.8: answer_seconds off: no deadline; two answers are not enough, three are."""
    match = after(dealt(WHOLE_DEAL, answer_seconds=None), "0 ask, 1 go on, 2 go on")
    assert KOP.deadline(match) is None
    assert not [action for action in KOP.legal(match, Seat(0)) if action.startswith("play")]
    match = after(match, "3 go on")
    assert len([action for action in KOP.legal(match, Seat(0)) if action.startswith("play")]) == 4


# --- the deal -----------------------------------------------------------------------------------------------------


def test_the_first_dealer_is_drawn_by_lot() -> None:
    """2.1: the lot comes from the secret and the match's label; every seat is drawn."""
    dealers = []
    for number in range(40):
        entropy = number.to_bytes(32, "big")
        [offer] = KOP.begin(KOP.new_match({}), "t/1", Moment(START, entropy))
        assert isinstance(offer, DealOffered)
        assert (offer.number, offer.secret, offer.label) == (1, entropy, "t/1")
        assert offer.dealer == lot(entropy, 4, "t/1/lot")
        dealers.append(offer.dealer)
    assert set(dealers) == set(SEATS)


@pytest.mark.parametrize("dealer", SEATS)
def test_only_the_right_neighbour_cuts(dealer: Seat) -> None:
    """2.2: the dealer's right neighbour may choose 1 to 15; everybody else is refused, and so is any other word."""
    match = opened()
    assert match.offer is not None
    match = replace(match, offer=replace(match.offer, dealer=dealer))
    cutter = Seat((dealer + 3) % 4)
    for seat in SEATS:
        words = KOP.ready_words(match, seat)
        assert list(words) == ([str(cut) for cut in range(1, 16)] if seat == cutter else [])
        KOP.check_ready(match, seat, "")
        for word in ("1", "15", "0", "16", "-1", "07", "x", "1 ", "²"):
            if word in words:
                KOP.check_ready(match, seat, word)
            else:
                with pytest.raises(RuleViolation, match="not_your_cut"):
                    KOP.check_ready(match, seat, word)


@pytest.mark.parametrize(("word", "cut"), [("", 8), ("1", 1), ("7", 7), ("15", 15)])
def test_the_deck_is_shuffled_cut_and_dealt_one_by_one(word: str, cut: int) -> None:
    """2.2: the deck is that of the secret, cut as said, dealt from the dealer's left; without a word in the middle."""
    match = opened()
    assert match.offer is not None
    dealer, words = match.offer.dealer, [""] * 4
    words[(dealer + 3) % 4] = word
    [event] = KOP.deal(match, words, moment())
    assert isinstance(event, Dealt)
    deck = shuffled(match.offer.secret, NOTHING_OPENED, "t/1/1")
    assert (event.number, event.dealer, event.cut, event.deck) == (1, dealer, cut, cut_deck(deck, cut))
    hands = KOP.evolve(match, event).running.dealt
    for place, card in enumerate(event.deck):
        assert hands[(dealer + 1 + place) % 4][place // 4] is card
    assert event.deck == (*deck[cut:], *deck[:cut])
    assert sorted(event.deck) == sorted(PACK)


def test_the_deal_passes_to_the_left() -> None:
    """2.1: each deal is dealt by the left neighbour of the dealer before; its left neighbour leads."""
    match = opened(deals=8)
    assert match.offer is not None
    first = match.offer.dealer
    for number in range(8):
        assert view.public(match)["dealer"] == (first + number) % 4
        [event] = KOP.deal(match, ("",) * 4, moment())
        assert KOP.evolve(match, event).running.turn == (first + number + 1) % 4
        match = next_deal(match)
    assert [line.dealer for line in match.lines] == [(first + number) % 4 for number in range(8)]
    assert [line.deal for line in match.lines] == list(range(1, 9))


def test_each_deal_has_a_secret_of_its_own() -> None:
    """The next offer's secret is fresh, and the last deal's is told with its result only."""
    match = played(after(dealt(WHOLE_DEAL), QUIET), " ".join(WHOLE_PLAYS.split()[:11]))
    fresh = bytes(reversed(range(32)))
    events = rules_of.decide(match, match.running.turn, "play TS", Moment(START, fresh))
    [scored] = [event for event in events if isinstance(event, DealScored)]
    [offered] = [event for event in events if isinstance(event, DealOffered)]
    assert match.offer is not None
    assert (scored.secret, scored.hands) == (match.offer.secret, match.running.dealt)
    assert (offered.secret, offered.number, offered.dealer) == (fresh, 2, 0)
    assert events[-1] is offered


# --- how a match ends ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [4, 8])
def test_a_match_has_so_many_deals(deals: int) -> None:
    """2.3: after the last deal the match is over, and nothing is offered, dealt or finished any more."""
    match = opened(deals=deals)
    for number in range(deals):
        assert match.stage is Stage.BETWEEN
        assert view.public(match)["deal"] == number + 1
        match = next_deal(match)
    assert (match.stage, match.offer, len(match.lines)) == (Stage.OVER, None, deals)
    assert view.public(match)["deal"] == deals
    with pytest.raises(RuleViolation, match="not_open_ended"):
        KOP.finish(match)


def test_an_open_ended_match_ends_when_it_is_finished() -> None:
    """2.3: an open-ended match goes on until it is finished between two deals, one of which was played."""
    match = opened(deals=None)
    with pytest.raises(RuleViolation, match="not_open_ended"):
        KOP.finish(match)
    for _ in range(5):
        match = next_deal(match)
    assert view.public(match)["deals"] is None
    [event] = KOP.deal(match, ("",) * 4, moment())
    with pytest.raises(RuleViolation, match="deal_running"):
        KOP.finish(KOP.evolve(match, event))
    [ended] = KOP.finish(match)
    assert ended == MatchEnded()
    match = KOP.evolve(match, ended)
    assert (match.stage, match.offer, len(match.lines)) == (Stage.OVER, None, 5)


def test_a_match_of_a_fixed_length_cannot_be_finished() -> None:
    """2.3: a match that was agreed for a number of deals is played out."""
    with pytest.raises(RuleViolation, match="not_open_ended"):
        KOP.finish(next_deal(opened(deals=4)))


@pytest.mark.parametrize(("scored", "last"), [(MOST_DEALS - 2, False), (MOST_DEALS - 1, True)])
def test_an_open_ended_match_ends_by_itself_at_the_cap(scored: int, *, last: bool) -> None:
    """No match grows without bound: the deal with the number of the cap is its last."""
    match = dealt(WHOLE_DEAL, deals=None)
    [line] = played(after(match, QUIET), TWELVE).lines
    match = replace(match, lines=(line,) * scored)
    match = played(after(match, QUIET), TWELVE)
    assert (match.stage is Stage.OVER) is last


def test_nothing_is_dealt_twice_or_without_an_offer() -> None:
    """The game deals only what is on offer."""
    with pytest.raises(RuleViolation, match="deal_running"):
        KOP.deal(KOP.new_match({}), ("",) * 4, moment(Millis(0)))
