"""Calls in turn: who speaks, when they close, what each may say (docs/rules/kop.md, 8)."""

import pytest
from hypothesis import given, settings

from server.games.game import Seat
from server.games.kop import decisions as rules_of
from server.games.kop import match as match_of
from server.games.kop import view
from server.games.kop.ruleset import Calling, RuleSet, WeseleWhen
from tests.games.kop.scenes import SEATS, after, dealt, fields, refused, steps
from tests.games.kop.strategies import Story, in_turn, stories
from tests.table.scenes import CANDIDATES

# seat 0 leads, seat 1 holds both black queens and JC
HANDS = "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"
PASSES = "0 ask, 1 pass, 2 pass, 3 pass"

THREE = fields(calling=Calling.IN_TURN, passes_to_close=3)
FOUR = fields(calling=Calling.IN_TURN, passes_to_close=4)
FIRST_CALL = fields(calling=Calling.IN_TURN, passes_to_close=4, wesele_when=WeseleWhen.FIRST_CALL)
BARS = fields(calling=Calling.IN_TURN, passes_to_close=4, asked_bars_zolo=True)
NAMED = fields(calling=Calling.IN_TURN, passes_to_close=3, wesele_named_jack=True)
NO_CICHA_KONTRA = fields(calling=Calling.IN_TURN, passes_to_close=3, cicha_first_kontra=False)
SELF_KONTRA = fields(calling=Calling.IN_TURN, passes_to_close=4, wesele_self_kontra=True)

SPEAKERS = [
    # rules, what was said, who speaks next: None when the calls are closed
    (THREE, "", 0),
    (THREE, "0 ask", 1),
    (THREE, "0 ask, 1 pass, 2 pass", 3),
    (THREE, PASSES, None),  # nobody called: all four passes, whatever closes after a call
    (FOUR, PASSES, None),
    (THREE, "0 zolo", 1),
    (THREE, "0 zolo, 1 pass, 2 pass", 3),
    (THREE, "0 zolo, 1 pass, 2 pass, 3 pass", None),  # three passes after a call
    (FOUR, "0 zolo, 1 pass, 2 pass, 3 pass", 0),  # the caller is asked again
    (FOUR, "0 zolo, 1 pass, 2 pass, 3 pass, 0 pass", None),
    (FOUR, "0 zolo, 1 pass, 2 pass, 3 pass, 0 zolo du", 1),
    (THREE, "0 ask, 1 pass, 2 double 1", 3),  # a doubling is a call too
    (THREE, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass", 1),
    (THREE, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass, 1 pass", None),
    (FOUR, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass, 1 pass", 2),
    (FOUR, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass, 1 pass, 2 pass", None),
    (THREE, "0 ask, 1 pass, 2 pass, 3 double 1, 0 double 2, 1 pass, 2 pass", 3),
    (THREE, "0 ask, 1 double 1, 2 pass, 3 pass, 0 double 2, 1 pass, 2 pass, 3 pass", None),
    (THREE, "0 double 1, 1 pass, 2 pass, 3 pass", None),  # the leader need not ask
]


@pytest.mark.parametrize(("rules", "said", "speaker"), SPEAKERS)
def test_who_speaks_next(rules: RuleSet, said: str, speaker: int | None) -> None:
    """8.4, 8.5: the leader first, then clockwise; closed by four passes at once, or so many in a row after a call."""
    match = after(dealt(HANDS, rules=rules), said)
    assert match.running.auction.speaker == speaker
    may_speak = [seat for seat in SEATS if any(not act.startswith("play") for act in rules_of.legal(match, seat))]
    assert may_speak == ([] if speaker is None else [speaker])
    assert view.public(match)["turn"] == (0 if speaker is None else speaker)
    leads = [action for action in rules_of.legal(match, Seat(0)) if action.startswith("play")]
    assert len(leads) == (4 if speaker is None else 0)


OFFERED = [
    ("8.4 the leader acts first: he asks or calls", THREE, "", 0, "ask, zolo, zolo du, double 1"),
    ("8.4 nobody else does", THREE, "", 1, ""),
    ("8.4 then each passes or calls", THREE, "0 ask", 1, "pass, wesele, zolo, zolo du, double 1"),
    ("8.4 his question comes once", THREE, "0 ask, 1 pass, 2 zolo, 3 pass", 0, "pass, zolo du, double 1"),
    ("8.5 who called first passes later", FOUR, "0 zolo, 1 pass, 2 pass, 3 pass", 0, "pass, zolo du"),
    ("8.5 the last pass closes, it comes no more", THREE, PASSES, 3, ""),
    ("8.8 a wesele may be called late", FOUR, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass", 1, "pass, wesele, zolo, "
     "zolo du, double 2"),
    ("wesele_when: first_call, at once", FIRST_CALL, "0 ask", 1, "pass, wesele, zolo, zolo du, double 1"),
    ("wesele_when: first_call, not later", FIRST_CALL, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass", 1, "pass, zolo, "
     "zolo du, double 2"),
    ("asked_bars_zolo: nothing left but to double", BARS, "0 ask, 1 pass, 2 double 1, 3 pass", 0, "pass, double 2"),
    ("asked_bars_zolo: over another's game too", BARS, "0 ask, 1 wesele, 2 pass, 3 pass", 0, "pass, double 1"),
    ("asked_bars_zolo: who called first is not barred", BARS, "0 double 1, 1 pass, 2 pass, 3 pass", 0, "pass, zolo, "
     "zolo du, double 2"),
    ("wesele_named_jack", NAMED, "0 ask", 1, "pass, wesele JS, wesele JH, wesele JD, zolo, zolo du, double 1"),
    ("cicha_first_kontra: no", NO_CICHA_KONTRA, "0 ask", 1, "pass, wesele, zolo, zolo du"),
    ("3.6 no kontra to one's own wesele", FOUR, "0 ask, 1 wesele, 2 pass, 3 pass, 0 pass", 1, "pass, zolo, zolo du"),
    ("wesele_self_kontra", SELF_KONTRA, "0 ask, 1 wesele, 2 pass, 3 pass, 0 pass", 1, "pass, zolo, zolo du, double 1"),
]  # fmt: skip


@pytest.mark.parametrize(("paragraph", "rules", "said", "seat", "words"), OFFERED)
def test_what_a_seat_may_say(paragraph: str, rules: RuleSet, said: str, seat: int, words: str) -> None:
    """After what was said each seat is offered what the rules allow, and nothing else."""
    offered = rules_of.legal(after(dealt(HANDS, rules=rules), said), Seat(seat))
    assert sorted(offered) == sorted(filter(None, words.split(", "))), paragraph


REFUSED = [
    (THREE, "", 1, "pass", "not_your_turn"),
    (THREE, "", 0, "pass", "ask_first"),
    (THREE, "", 0, "go on", "no_question"),
    (THREE, "", 0, "play QH", "await_calls"),
    (THREE, "0 ask", 0, "play QH", "await_calls"),
    (THREE, "0 ask", 0, "ask", "not_your_turn"),
    (THREE, "0 ask", 1, "ask", "no_question"),
    (THREE, "0 ask", 1, "go on", "no_question"),
    (THREE, "0 ask", 2, "double 1", "not_your_turn"),
    (THREE, "0 ask, 1 pass, 2 double 1, 3 pass", 0, "ask", "no_question"),
    (THREE, PASSES, 0, "zolo", "not_your_turn"),
    (THREE, PASSES, 1, "double 1", "not_your_turn"),
    (THREE, PASSES, 1, "play QC", "not_your_turn"),
    (THREE, f"{PASSES}, 0 play QH", 2, "double 1", "not_in_calls"),  # no late calls
    (THREE, f"{PASSES}, 0 play QH", 1, "go on", "not_in_calls"),
    (THREE, f"{PASSES}, 0 play QH", 1, "pass", "not_in_calls"),
    (FIRST_CALL, "0 ask, 1 pass, 2 double 1, 3 pass, 0 pass", 1, "wesele", "wesele_too_late"),
    (BARS, "0 ask, 1 pass, 2 double 1, 3 pass", 0, "zolo", "asked_bars_zolo"),
    (BARS, "0 ask, 1 pass, 2 double 1, 3 pass", 0, "zolo du", "asked_bars_zolo"),
    (THREE, "0 zolo, 1 pass, 2 pass", 3, "wesele", "call_too_low"),
    (fields(), "0 ask", 1, "pass", "unknown_action"),  # open calling knows no pass
]


@pytest.mark.parametrize(("rules", "said", "seat", "action", "code"), REFUSED)
def test_refusals_in_turn(rules: RuleSet, said: str, seat: int, action: str, code: str) -> None:
    """What cannot be said is refused with its code."""
    assert refused(after(dealt(HANDS, rules=rules), said), seat, action) == code


def test_in_turn_no_answer_time_runs() -> None:
    """The question is a pass: it starts no clock, and nobody says go on to it."""
    match = dealt(HANDS, rules=THREE)
    for step in steps(PASSES):
        match = after(match, [step])
        public = view.public(match)
        assert (match_of.deadline(match), public["question"], public["waved"]) == (None, False, [])


def test_every_utterance_makes_a_new_prompt() -> None:
    """In turn a pass changes the question too: it is somebody else's."""
    match = dealt(HANDS, rules=THREE)
    seen = [match_of.prompt(match)]
    for step in steps(f"{PASSES}, 0 play QH, 1 play QC"):
        match = after(match, [step])
        seen.append(match_of.prompt(match))
    assert seen == ["1c0", "1c1", "1c2", "1c3", "1c4", "1c4p1", "1c4p2"]


@settings(deadline=None, max_examples=60)
@given(story=stories(in_turn()))
def test_the_speaker_goes_round(story: Story) -> None:
    """Whoever speaks sits to the left of who spoke before, until the calls close; then the leader leads."""
    match, leader = story.opening(), (story.dealer + 1) % 4
    last = None
    for seat, action in story.steps:
        if not action.startswith(("play", "go on", "time over")):
            assert last is None or seat == (last + 1) % 4 or not match.running.in_calls
            assert last is not None or seat == leader
            last = seat
        match = after(match, [(seat, action)])


@settings(deadline=None, max_examples=60)
@given(story=stories(in_turn()))
def test_what_is_offered_is_what_is_accepted(story: Story) -> None:
    """At every point of a deal with calls in turn each seat may do exactly what it is offered."""
    match = story.opening()
    for step in story.steps:
        for seat in SEATS:
            offered = rules_of.legal(match, seat)
            accepted = [action for action in {*CANDIDATES, *offered} if refused(match, seat, action) is None]
            assert sorted(accepted) == sorted(offered)
        match = after(match, [step])


@settings(deadline=None, max_examples=60)
@given(story=stories(in_turn()))
def test_no_prompt_comes_again(story: Story) -> None:
    """Also when cards go back to hand: a question that has passed never stands again."""
    match, seen = story.opening(), ["1c0"]
    for step in story.steps:
        match = after(match, [step])
        if match_of.prompt(match) != seen[-1]:
            seen.append(match_of.prompt(match))
    assert len(seen) == len(set(seen))
