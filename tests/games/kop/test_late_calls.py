"""Late calls: while only the opening lead lies the others may double, and the card goes back (docs/rules/kop.md, 8)."""

from dataclasses import replace

import pytest
from hypothesis import given, settings

from server.games.cards import hand
from server.games.game import Seat
from server.games.kop import decisions as rules_of
from server.games.kop import match as match_of
from server.games.kop import view
from server.games.kop.decisions import LATE_CALL_MILLIS
from server.games.kop.events import AnswerTimeOver, CardPlayed, LeadTakenBack, Said
from server.games.kop.match import Match
from server.games.kop.ruleset import WOLSZTYN, RuleSet
from tests.games.kop.scenes import SEATS, START, after, dealt, events_of, moment, refused, steps
from tests.games.kop.strategies import Story, in_turn, stories

# seat 0 leads, seat 1 holds both black queens and JC
HANDS = "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"
LEAD = "0 ask, 1 pass, 2 pass, 3 pass, 0 play QH"
CARDS_OF_1 = ("play TS", "play QS", "play QC")  # what beats the queen of hearts

THREE = replace(WOLSZTYN, passes_to_close=3)
ONE_NAME = replace(WOLSZTYN, doubling_names=("kontra",))


def late(said: str, rules: RuleSet = WOLSZTYN) -> Match:
    """The deal after this was said and played."""
    return after(dealt(HANDS, rules=rules), said)


OFFERED = [
    # what was said and played, what each seat may do
    (LEAD, ["", "go on", "go on, double 1", "go on, double 1"]),  # seat 1 may not: a silent holder of both queens
    (f"{LEAD}, 3 go on", ["", "go on", "go on, double 1", "double 1"]),  # who has waved it through may still double
    (f"{LEAD}, 1 go on, 2 go on, 3 go on", ["", "*", "double 1", "double 1"]),
    (f"{LEAD}, - time over", ["", "*", "double 1", "double 1"]),
    (f"{LEAD}, 2 double 1", ["", "", "", "pass, zolo, zolo du, double 2"]),  # the seat left of the doubler
    (f"{LEAD}, 3 double 1", ["pass, double 2", "", "", ""]),  # no new question; who has asked calls no zolo
    (f"{LEAD}, 2 double 1, 3 pass, 0 pass, 1 double 2, 2 pass", ["", "", "", "pass, zolo, zolo du, double 3"]),
    (f"{LEAD}, 2 double 1, 3 pass, 0 pass, 1 pass", ["", "", "pass, zolo, zolo du, double 2", ""]),  # 4 close
    (f"{LEAD}, - time over, 1 play TS", ["", "", "play AH", ""]),  # two cards lie: it is over
]


@pytest.mark.parametrize(("done", "words"), OFFERED)
def test_what_each_seat_may_do(done: str, words: list[str]) -> None:
    """8.6: the others double or wave it through, no game is called, the leader waits; then the next seat plays."""
    match = late(done)
    for seat, expected in zip(SEATS, words, strict=True):
        found = rules_of.legal(match, seat)
        wanted = CARDS_OF_1 if expected == "*" else filter(None, expected.split(", "))
        assert sorted(found) == sorted(wanted), seat


REFUSED = [
    (LEAD, 0, "double 1", "not_your_turn"),  # not by the leader
    (LEAD, 0, "go on", "not_your_turn"),
    (LEAD, 2, "zolo", "not_in_calls"),  # only doublings
    (LEAD, 1, "wesele", "not_in_calls"),
    (LEAD, 2, "pass", "not_in_calls"),
    (LEAD, 2, "ask", "not_in_calls"),
    (LEAD, 1, "double 1", "no_first_doubling"),
    (LEAD, 2, "double 2", "doubling_out_of_order"),
    (LEAD, 1, "play QC", "await_calls"),
    (LEAD, 2, "play AH", "not_your_turn"),
    (f"{LEAD}, 1 go on, 2 go on", 1, "play QC", "await_calls"),
    (f"{LEAD}, 2 go on", 2, "go on", "already_went_on"),
    (f"{LEAD}, - time over", 2, "go on", "no_question"),
    (f"{LEAD}, - time over, 1 play QC", 2, "double 1", "not_in_calls"),
    (f"{LEAD}, - time over, 1 play QC", 2, "go on", "not_in_calls"),
    (f"{LEAD}, 2 double 1", 0, "play QH", "await_calls"),
    (f"{LEAD}, 2 double 1", 0, "ask", "not_your_turn"),
    (f"{LEAD}, 3 double 1", 0, "ask", "no_question"),
    (f"{LEAD}, 3 double 1", 0, "zolo", "asked_bars_zolo"),
    (f"{LEAD}, 2 double 1", 1, "play QC", "not_your_turn"),
]


@pytest.mark.parametrize(("done", "seat", "action", "code"), REFUSED)
def test_refusals_of_late_calls(done: str, seat: int, action: str, code: str) -> None:
    """What cannot be done while the opening lead lies, or after a late doubling, has its code."""
    assert refused(late(done), seat, action) == code


def test_the_card_goes_back_and_stays_public() -> None:
    """One act makes two events: the doubling, and the card back in hand; all go on seeing which it was."""
    match = late(LEAD)
    said, back = events_of(match, (Seat(2), "double 1"))
    assert isinstance(said, Said)
    assert back == LeadTakenBack(Seat(0), hand("QH")[0])
    match = late(f"{LEAD}, 2 double 1")
    public = view.public(match)
    assert (public["phase"], public["trick"], public["cards"], public["shown"]) == ("calls", [], [4] * 4, ["QH"])
    assert "QH" in view.own(match, Seat(0))["hand"]
    assert match.running.hands == match.running.dealt


@pytest.mark.parametrize("card", ["QH", "AC", "TH"])
def test_the_leader_leads_again_as_he_likes(card: str) -> None:
    """The same card or another; what he had shown stays known as his."""
    match = late(f"{LEAD}, 2 double 1, 3 pass, 0 pass, 1 pass, 2 pass, 0 play {card}")
    public = view.public(match)
    assert [one["card"] for one in public["trick"]] == [card]
    assert public["shown"] == ["QH"]
    assert match_of.prompt(match) == "1c9p1"


def test_every_late_doubling_shows_a_card() -> None:
    """It may come again and again: each card that was led stays public, the same one is listed once."""
    again = ", 3 pass, 0 pass, 1 pass, 2 pass"
    match = late(f"{LEAD}, 2 double 1{again}, 0 play AC, 2 double 2{again}, 0 play QH, 2 double 3")
    assert view.public(match)["shown"] == ["QH", "AC"]


def test_a_queen_that_was_shown_counts_as_seen() -> None:
    """4.5: the sides follow from a card that lay on the table, though it is back in hand; it was the leader's."""
    hands = "QC AC TH JH / QH TS JC QS / AH TD AS JD / QD TC JS AD"
    match = after(dealt(hands, rules=WOLSZTYN), "0 ask, 1 pass, 2 pass, 3 pass, 0 play QC, 3 double 1")
    assert view.public(match)["sides"] == ["old", None, None, None]
    assert view.own(match, Seat(1))["sides"] == ["old", "old", "young", "young"]
    assert view.own(match, Seat(2))["sides"] == ["old", None, "young", None]


@pytest.mark.parametrize(
    ("rules", "passes"), [(THREE, "3 pass, 0 pass, 1 pass"), (WOLSZTYN, "3 pass, 0 pass, 1 pass, 2 pass")]
)
def test_the_passes_that_close_are_counted_anew(rules: RuleSet, passes: str) -> None:
    """After a late doubling three, or four, passes in a row close as before."""
    match = late(f"{LEAD}, 2 double 1", rules)
    for step in steps(passes):
        assert not match.running.auction.may_lead
        match = after(match, [step])
    assert match.running.auction.may_lead


# --- the pause ----------------------------------------------------------------------------------------------------


def test_the_pause_is_data() -> None:
    """The lead starts a deadline of 1.5 s; before it nothing happens, at it the second card may be played."""
    match = late(LEAD)
    due = START + LATE_CALL_MILLIS
    assert LATE_CALL_MILLIS == 1_500
    assert (match_of.deadline(match), view.public(match)["deadline"]) == (due, due)
    assert refused(match, 1, "play QC") == "await_calls"
    assert rules_of.run_out(match, moment(due - 1)) == ()
    assert rules_of.run_out(match, moment(due)) == (AnswerTimeOver(),)
    match = late(f"{LEAD}, - time over")
    assert match_of.deadline(match) is None
    assert refused(match, 1, "play QC") is None


def test_all_three_wave_it_through() -> None:
    """When the three others have said go on the pause is over at once; the leader is not asked."""
    match = late(f"{LEAD}, 3 go on, 1 go on")
    assert match_of.deadline(match) is not None
    assert view.public(match)["waved"] == [1, 3]
    match = after(match, "2 go on")
    assert match_of.deadline(match) is None
    assert rules_of.run_out(match, moment(START + 10**6)) == ()
    assert refused(match, 1, "play QC") is None


def test_a_go_on_makes_no_other_answer_stale() -> None:
    """The prompt stays while they wave; a doubling makes a new one, and of two that cross the second is too late."""
    match = late(LEAD)
    assert match_of.prompt(after(match, "3 go on")) == match_of.prompt(match) == "1c4p1"
    assert match_of.prompt(after(match, "- time over")) == "1c4p1"
    assert match_of.prompt(after(match, "2 double 1")) == "1c5"


def test_the_pause_starts_anew_with_the_next_lead() -> None:
    """After a late doubling the card led again starts another pause; an answer to the first one is forgotten."""
    match = late(f"{LEAD}, 1 go on, 3 go on, 2 double 1, 3 pass, 0 pass, 1 pass, 2 pass")
    assert match_of.deadline(match) is None
    [played] = events_of(match, (Seat(0), "play AC"), now=START + 60_000)
    assert isinstance(played, CardPlayed)
    assert played.deadline == START + 60_000 + LATE_CALL_MILLIS
    match = after(match, "0 play AC", now=START + 60_000)
    assert view.public(match)["waved"] == []
    assert refused(match, 1, "play QC") == "await_calls"


def test_no_pause_when_every_doubling_is_said() -> None:
    """Nothing could come: the second card is played at once."""
    match = late("0 ask, 1 pass, 2 double 1, 3 pass, 0 pass, 1 pass, 2 pass, 0 play QH", ONE_NAME)
    assert match_of.deadline(match) is None
    assert sorted(rules_of.legal(match, Seat(1))) == sorted(CARDS_OF_1)
    assert refused(match, 2, "go on") == "no_question"
    assert refused(match, 2, "double 2") == "no_more_doublings"


def test_the_last_name_said_late_ends_the_pauses() -> None:
    """The card comes back for the last doubling, and the next lead has no pause."""
    match = late(f"{LEAD}, 2 double 1, 3 pass, 0 pass, 1 pass, 2 pass, 0 play QH", ONE_NAME)
    assert match_of.deadline(match) is None
    assert sorted(rules_of.legal(match, Seat(1))) == sorted(CARDS_OF_1)


def test_no_pause_in_later_tricks() -> None:
    """Only the opening lead of a deal can be doubled."""
    match = late(f"{LEAD}, - time over, 1 play TS, 2 play AH, 3 play QD, 2 play AS")
    assert match_of.deadline(match) is None
    assert refused(match, 1, "double 1") == "not_in_calls"
    assert refused(match, 3, "play JS") is None


@settings(deadline=None, max_examples=100)
@given(story=stories(in_turn()))
def test_shown_cards_stay_with_the_leader(story: Story) -> None:
    """Whatever was shown was the leader's, stays in the view, and is again in his hand or played."""
    match, leader = story.opening(), Seat((story.dealer + 1) % 4)
    shown: list[str] = []
    for step in story.steps[:-1]:
        match = after(match, [step])
        now = view.public(match)["shown"]
        assert now[: len(shown)] == shown
        assert set(now) <= set(match.running.dealt[leader])
        shown = now
