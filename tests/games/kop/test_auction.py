"""Open calls: what each seat may say and why not (docs/rules/kop.md, 3). Calls in turn: `test_in_turn`."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import Seat
from server.games.kop import decisions as rules_of
from server.games.kop import match as match_of
from server.games.kop.auction import JACKS, Utterance, Word, utterance
from server.games.kop.ruleset import RuleSet, WeseleWhen
from tests.games.kop import naive
from tests.games.kop.scenes import (
    SEATS,
    TIME_OVER,
    after,
    dealt,
    events_of,
    fields,
    naive_hands,
    naive_rules,
    refused,
    steps,
)
from tests.games.kop.strategies import Story, stories

# seat 0 leads, seat 1 holds both black queens and JC
HANDS = "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"

KLASSISCH = fields()
SELF_KONTRA = fields(wesele_self_kontra=True)
NO_CICHA_KONTRA = fields(cicha_first_kontra=False)
FIRST_CALL = fields(wesele_when=WeseleWhen.FIRST_CALL)
NAMED = fields(wesele_named_jack=True)
BARS = fields(asked_bars_zolo=True)
ONE_NAME = fields(doubling_names=("kontra",))
NO_NAME = fields(doubling_names=())

OFFERED = [
    ("3.1 any seat may call", KLASSISCH, "", 0, "ask, zolo, zolo du, double 1"),
    ("3.1 any seat may call", KLASSISCH, "", 2, "zolo, zolo du, double 1"),
    ("3.1 also before the question", KLASSISCH, "3 zolo", 2, "zolo du, double 1"),
    ("3.2 only a higher game", KLASSISCH, "1 wesele", 2, "zolo, zolo du, double 1"),
    ("3.2 only a higher game", KLASSISCH, "2 zolo du", 1, "double 1"),
    ("3.2 the caller may raise himself", KLASSISCH, "2 zolo", 2, "zolo du"),
    ("3.3 wesele needs both queens", KLASSISCH, "", 1, "wesele, zolo, zolo du, double 1"),
    ("3.4 in their order, whoever says them", KLASSISCH, "2 double 1", 2, "zolo, zolo du, double 2"),
    ("3.4 as many as the rules name", KLASSISCH, "2 double 1, 2 double 2, 2 double 3, 2 double 4", 3, "zolo, zolo du"),
    ("3.4 as many as the rules name", ONE_NAME, "2 double 1", 3, "zolo, zolo du"),
    ("3.4 none if the rules name none", NO_NAME, "", 3, "zolo, zolo du"),
    ("3.5 a game wipes out the doublings", KLASSISCH, "2 double 1, 1 wesele", 3, "zolo, zolo du, double 1"),
    ("3.6 no kontra to one's own wesele", KLASSISCH, "1 wesele", 1, "zolo, zolo du"),
    ("3.6 but an answer", KLASSISCH, "1 wesele, 2 double 1", 1, "zolo, zolo du, double 2"),
    ("3.6 wesele_self_kontra", SELF_KONTRA, "1 wesele", 1, "zolo, zolo du, double 1"),
    ("3.6 never to one's own zolo", SELF_KONTRA, "2 zolo", 2, "zolo du"),
    ("3.6 nor to one's own zolo du", SELF_KONTRA, "2 zolo du", 2, ""),
    ("3.6 but an answer", KLASSISCH, "2 zolo du, 3 double 1", 2, "double 2"),
    ("3.6 a wesele overcalled by another is no bar", KLASSISCH, "1 wesele, 2 zolo", 1, "zolo du, double 1"),
    ("3.6 anybody may kontra while nothing is called", KLASSISCH, "", 1, "wesele, zolo, zolo du, double 1"),
    ("3.6 cicha_first_kontra: no", NO_CICHA_KONTRA, "", 1, "wesele, zolo, zolo du"),
    ("3.6 cicha_first_kontra: no, another may", NO_CICHA_KONTRA, "", 2, "zolo, zolo du, double 1"),
    ("3.6 cicha_first_kontra: no, but an answer", NO_CICHA_KONTRA, "2 double 1", 1, "wesele, zolo, zolo du, double 2"),
    ("3.6 cicha_first_kontra: no, over a zolo", NO_CICHA_KONTRA, "2 zolo", 1, "zolo du, double 1"),
    ("3.7 the leader asks", KLASSISCH, "0 ask", 0, "zolo, zolo du, double 1"),
    ("3.7 the others answer", KLASSISCH, "0 ask", 2, "go on, zolo, zolo du, double 1"),
    ("3.7 once", KLASSISCH, "0 ask, 2 go on", 2, "zolo, zolo du, double 1"),
    ("3.7 a call withdraws the question", KLASSISCH, "0 ask, 2 go on, 3 zolo", 0, "ask, zolo du, double 1"),
    ("3.7 and every go on", KLASSISCH, "0 ask, 2 go on, 3 zolo, 0 ask", 2, "go on, zolo du, double 1"),
    ("3.7 a doubling does so too", KLASSISCH, "0 ask, 2 go on, 3 double 1", 2, "zolo, zolo du, double 2"),
    ("3.7 the leader's own call too", KLASSISCH, "0 ask, 2 go on, 0 double 1", 2, "zolo, zolo du, double 2"),
    ("3.8 two answers are not enough", KLASSISCH, "0 ask, 1 go on, 2 go on", 0, "zolo, zolo du, double 1"),
    (
        "3.8 all three",
        KLASSISCH,
        "0 ask, 1 go on, 2 go on, 3 go on",
        0,
        "zolo, zolo du, double 1, play QH, play AC, play TH, play JH",
    ),
    (
        "3.8 the answer time is over",
        KLASSISCH,
        "0 ask, 1 go on, - time over",
        0,
        "zolo, zolo du, double 1, play QH, play AC, play TH, play JH",
    ),
    ("3.8 the others may still call", KLASSISCH, "0 ask, - time over", 1, "go on, wesele, zolo, zolo du, double 1"),
    ("3.8 a call after the time", KLASSISCH, "0 ask, - time over, 3 zolo", 0, "ask, zolo du, double 1"),
    ("3.8 then the question is new", KLASSISCH, "0 ask, - time over, 3 zolo, 0 ask", 0, "zolo du, double 1"),
    ("wesele_when: first_call", FIRST_CALL, "0 ask", 1, "go on, wesele, zolo, zolo du, double 1"),
    ("wesele_when: first_call", FIRST_CALL, "0 ask, 1 go on", 1, "zolo, zolo du, double 1"),
    ("wesele_when: first_call", FIRST_CALL, "1 double 1", 1, "zolo, zolo du, double 2"),
    ("wesele_when: any", KLASSISCH, "0 ask, 1 go on", 1, "wesele, zolo, zolo du, double 1"),
    ("wesele_named_jack", NAMED, "", 1, "wesele JS, wesele JH, wesele JD, zolo, zolo du, double 1"),
    ("wesele_named_jack", NAMED, "", 2, "zolo, zolo du, double 1"),
    ("asked_bars_zolo", BARS, "0 ask", 0, "double 1"),
    ("asked_bars_zolo: the others not", BARS, "0 ask", 2, "go on, zolo, zolo du, double 1"),
    ("asked_bars_zolo: only the first utterance", BARS, "0 double 1, 0 ask", 0, "zolo, zolo du, double 2"),
    ("asked_bars_zolo: for the whole deal", BARS, "0 ask, 2 zolo", 0, "ask, double 1"),
]


@pytest.mark.parametrize(("paragraph", "rules", "said", "seat", "words"), OFFERED)
def test_what_a_seat_may_say(paragraph: str, rules: RuleSet, said: str, seat: int, words: str) -> None:
    """After what was said each seat is offered what the rules allow, and nothing else."""
    offered = rules_of.legal(after(dealt(HANDS, rules=rules), said), Seat(seat))
    assert sorted(offered) == sorted(filter(None, words.split(", "))), paragraph


REFUSED = [
    (KLASSISCH, "", 1, "ask", "not_leader"),
    (KLASSISCH, "0 ask", 0, "ask", "already_asked"),
    (KLASSISCH, "0 ask, - time over", 0, "ask", "already_asked"),
    (KLASSISCH, "0 ask", 0, "go on", "leader_goes_not_on"),
    (KLASSISCH, "", 1, "go on", "no_question"),
    (KLASSISCH, "0 ask, 2 double 1", 1, "go on", "no_question"),
    (KLASSISCH, "0 ask, 1 go on", 1, "go on", "already_went_on"),
    (KLASSISCH, "", 0, "play QH", "ask_first"),
    (KLASSISCH, "0 ask, 2 zolo", 0, "play QH", "ask_first"),
    (KLASSISCH, "0 ask, 1 go on", 0, "play QH", "await_answers"),
    (KLASSISCH, "0 ask, - time over", 1, "play QC", "not_your_turn"),
    (KLASSISCH, "", 0, "wesele", "wesele_needs_queens"),
    (KLASSISCH, "", 1, "wesele JS", "wesele_jack"),
    (KLASSISCH, "", 0, "wesele JS", "wesele_needs_queens"),
    (KLASSISCH, "2 zolo", 1, "wesele", "call_too_low"),
    (KLASSISCH, "2 zolo", 0, "wesele", "call_too_low"),  # the same word, whatever the hand
    (KLASSISCH, "1 wesele", 1, "wesele", "call_too_low"),
    (KLASSISCH, "2 zolo", 2, "zolo", "call_too_low"),
    (KLASSISCH, "2 zolo du", 1, "zolo", "call_too_low"),
    (KLASSISCH, "2 zolo", 2, "double 1", "no_first_doubling"),
    (KLASSISCH, "1 wesele", 1, "double 1", "no_first_doubling"),
    (NO_CICHA_KONTRA, "", 1, "double 1", "no_first_doubling"),
    (KLASSISCH, "2 double 1", 3, "double 1", "doubling_taken"),
    (KLASSISCH, "", 3, "double 2", "doubling_out_of_order"),
    (KLASSISCH, "2 double 1, 3 zolo", 1, "double 2", "doubling_out_of_order"),
    (KLASSISCH, "", 3, "double 5", "no_more_doublings"),
    (ONE_NAME, "2 double 1", 3, "double 2", "no_more_doublings"),
    (FIRST_CALL, "0 ask, 1 go on", 1, "wesele", "wesele_too_late"),
    (NAMED, "", 1, "wesele", "wesele_jack"),
    (NAMED, "", 1, "wesele JC", "wesele_jack"),
    (BARS, "0 ask", 0, "zolo", "asked_bars_zolo"),
    (BARS, "0 ask", 0, "zolo du", "asked_bars_zolo"),
    (BARS, "0 ask, 2 zolo", 0, "zolo", "call_too_low"),
    (KLASSISCH, "", 0, "double", "unknown_action"),
    (KLASSISCH, "", 0, "double 0", "unknown_action"),
    (KLASSISCH, "", 0, "double 01", "unknown_action"),
    (KLASSISCH, "", 0, "double 100", "unknown_action"),
    (KLASSISCH, "", 0, "double ²", "unknown_action"),
    (KLASSISCH, "", 0, "double -1", "unknown_action"),
    (KLASSISCH, "", 0, "wesele QC", "unknown_action"),
    (KLASSISCH, "", 0, "zolo  du", "unknown_action"),
    (KLASSISCH, "", 0, "Ask", "unknown_action"),
    (KLASSISCH, "", 0, "", "unknown_action"),
]


@pytest.mark.parametrize(("rules", "said", "seat", "action", "code"), REFUSED)
def test_refusals_in_calls(rules: RuleSet, said: str, seat: int, action: str, code: str) -> None:
    """What cannot be said is refused with its code."""
    assert refused(after(dealt(HANDS, rules=rules), said), seat, action) == code


def test_of_two_doublings_that_cross_the_first_stands() -> None:
    """3.4: kontra from seat 2 and from seat 3 at once: the second one is refused, and is no re."""
    match = after(dealt(HANDS), "2 double 1")
    assert refused(match, 3, "double 1") == "doubling_taken"
    assert match.running.auction.doublings == (2,)


def test_only_the_doublings_of_the_standing_game_count() -> None:
    """3.5: a game wipes out the doublings before it."""
    said = after(dealt(HANDS), "2 double 1, 3 double 2, 1 wesele, 0 double 1, 2 zolo").running.auction
    assert (said.doublings, str(said.standing)) == ((), "zolo")
    assert len(said.said) == 5


@pytest.mark.parametrize("word", ["ask", "go on", "wesele", "zolo", "zolo du", "double 1", "double 99", "wesele JC"])
def test_words_of_an_utterance_are_those_of_its_action(word: str) -> None:
    """What was said reads as the action that said it."""
    said = utterance(Seat(2), word)
    assert said is not None
    assert (said.seat, str(said)) == (2, word)


@given(
    said=st.builds(
        Utterance, st.sampled_from(SEATS), st.sampled_from(Word), st.integers(1, 99), st.sampled_from([None, *JACKS])
    )
)
def test_every_utterance_is_read_back(said: Utterance) -> None:
    """An utterance that can be is read back from its own words."""
    number = said.number if said.word is Word.DOUBLE else 0
    jack = said.jack if said.word is Word.WESELE else None
    proper = Utterance(said.seat, said.word, number, jack)
    assert utterance(said.seat, str(proper)) == proper


@settings(deadline=None, max_examples=150)
@given(story=stories())
def test_calls_agree_with_the_oracle(story: Story) -> None:
    """After each utterance of random calls every seat, and the clock, may do what the naive rules say."""
    match, oracle = story.opening(), naive_rules(story.rules)
    hands, leader = naive_hands(story.hands), (story.dealer + 1) % 4
    said: list[naive.Said] = []
    for seat, action in story.steps:
        if not (match.running.in_calls or match.running.lead_lies):
            break
        state = naive.State(hands, leader, said, oracle)
        for viewer in SEATS:
            assert sorted(rules_of.legal(match, viewer)) == sorted(naive.legal_words(state, viewer))
        assert (match_of.deadline(match) is not None) == bool(naive.legal_words(state, None))
        match = after(match, [(seat, action)])
        said.append((seat, action))


def test_an_utterance_is_one_event() -> None:
    """Whatever is said brings about itself and nothing else."""
    match = dealt(HANDS)
    for step in (*steps("0 ask, 1 go on, 2 double 1, 0 ask"), TIME_OVER):
        assert len(events_of(match, step)) == 1
        match = after(match, [step])
