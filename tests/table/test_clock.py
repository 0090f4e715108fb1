"""The clocks of a table: time for each decision, a bank beyond it, and what a run-out costs (docs/protocol)."""

import pytest

from server.games.game import Millis, OptionValue, Seat, Stage
from server.games.kop.events import AnswerTimeOver, CardPlayed, Said
from server.games.kop.opening import OPENING_MILLIS
from server.table import view
from server.table.commands import Act, NoteAbsent, NoteReturn, RunOut, TakeSeat
from server.table.events import Absent, ActedFor, Choice, ReadySaid, Returned, Sitter, StandInCame, Substitute
from server.table.ids import PlayerId
from server.table.records import records
from tests.games.kop.scenes import WHOLE_DEAL
from tests.table.phases import SECRETS, go_on, in_trick
from tests.table.scenes import Log, dealt, seated

A, B, C, D = (PlayerId(letter) for letter in "abcd")
SECONDS, BANK = 20, 60
CLOCKS: dict[str, OptionValue] = {"clock_seconds": SECONDS, "clock_bank": BANK}
FULL = 1000 * BANK
TIME = 1000 * SECONDS


def bank(log: Log) -> list[int]:
    """What is left in each seat's bank."""
    assert log.table.clock is not None
    return list(log.table.clock.bank)


def since(log: Log) -> list[Millis | None]:
    """Since when each seat's decision is awaited."""
    assert log.table.clock is not None
    return list(log.table.clock.since)


def after(log: Log, millis: int) -> Log:
    """The next command comes so much after the last one."""
    return log.at(log.now + millis)


# --- time and bank ------------------------------------------------------------------------------------------------


def test_without_the_option_there_are_no_clocks() -> None:
    """The default: nothing is shown, and nothing but the game's own times runs."""
    log = seated()
    assert (log.table.clock, view.public(log.table)["clock"], log.table.deadline) == (None, None, None)
    log.ready()
    assert (log.table.due, log.table.deadline) == ((None,) * 4, None)


def test_the_banks_are_full_when_a_match_begins() -> None:
    """And the time of all who are to be ready begins; before the match there is no clock."""
    log = Log().open(None, **CLOCKS).sit("bc")
    assert log.table.clock is None
    log.sit("d")
    assert (bank(log), since(log)) == ([FULL] * 4, [log.now] * 4)
    assert view.public(log.table)["clock"] == {
        "seconds": SECONDS,
        "bank": [FULL] * 4,
        "due": [log.now + TIME + FULL] * 4,
    }
    assert log.table.deadline == log.now + TIME + FULL


@pytest.mark.parametrize(("took", "left"), [(0, FULL), (TIME, FULL), (TIME + 1, FULL - 1), (TIME + FULL, 0)])
def test_a_decision_within_its_time_costs_no_bank(took: int, left: int) -> None:
    """What it takes beyond comes out of the bank, to the millisecond; the bank of nobody else."""
    log = dealt(WHOLE_DEAL, **CLOCKS)
    assert since(log) == [log.now, None, None, None]
    after(log, took).act(0, "ask")
    assert bank(log) == [left, FULL, FULL, FULL]


def test_a_decision_that_comes_just_after_its_time_is_a_decision() -> None:
    """Time is over when the clock says so: what comes before it counts, and the bank is at nothing, not less."""
    log = after(dealt(WHOLE_DEAL, **CLOCKS), TIME + FULL + 5).act(0, "ask")
    assert bank(log)[0] == 0


def test_each_decision_has_its_own_time() -> None:
    """From one card to the next: who leads has the whole time for it, though he has just played."""
    log = in_trick(3, **CLOCKS)
    after(log, TIME + 1000).act(3, "play JS")
    assert bank(log) == [FULL, FULL, FULL, FULL - 1000]
    assert since(log) == [None, None, log.now, None]
    assert log.match.running.tricks[0].winner == 2


def test_several_seats_owe_at_once() -> None:
    """The question waits for three: each has his own time from its beginning, whoever answers first."""
    log = dealt(WHOLE_DEAL, answer_seconds=None, **CLOCKS).say("0 ask")
    asked = log.now
    assert since(log) == [None, asked, asked, asked]
    log.at(asked + TIME + 2000).act(2, "go on")
    assert since(log) == [None, asked, None, asked]
    log.at(asked + TIME + 5000).act(1, "go on")
    assert bank(log) == [FULL, FULL - 5000, FULL - 2000, FULL]
    log.at(asked + TIME + 7000).act(3, "double 1")
    assert bank(log) == [FULL, FULL - 5000, FULL - 2000, FULL - 7000]
    assert since(log) == [log.now, None, None, None]


def test_a_call_of_somebody_else_begins_the_time_anew() -> None:
    """Another question stands: who is asked it has his time; what he had used beyond his time of the last is gone."""
    log = dealt(WHOLE_DEAL, **CLOCKS)
    after(log, TIME + 3000).act(2, "double 1")
    assert (bank(log), since(log)) == ([FULL - 3000, FULL, FULL, FULL], [log.now, None, None, None])


def test_an_answer_that_changes_no_question_begins_no_time_anew() -> None:
    """What others say meanwhile does not help: from *ready* to *ready* the time of the last runs on."""
    log = seated(**CLOCKS)
    began = log.now
    for seat in (0, 1, 3):
        after(log, 5000).act(seat, "ready")
    after(log, 1000).talk("c", "one moment")
    assert since(log) == [None, None, began, None]


def test_the_bank_is_full_again_in_the_next_match() -> None:
    """And in the match it is never refilled."""
    log = seated(deals=4, **CLOCKS)
    after(log, TIME + 4000).act(1, "ready").ready().play_on()
    spent = bank(log)
    assert spent[1] == FULL - 4000
    for _ in range(3):
        log.ready().play_on()
    assert (log.table.stage, bank(log)) == (Stage.OVER, spent)
    assert (since(log), log.table.deadline) == ([None] * 4, None)
    after(log, 10 * FULL).ready()
    assert (log.table.match, bank(log), since(log)) == (2, [FULL] * 4, [log.now] * 4)


# --- run-outs -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("log", "seat", "action"),
    [
        (dealt(WHOLE_DEAL, **CLOCKS), 0, "ask"),
        (dealt(WHOLE_DEAL, **CLOCKS).say("2 double 1"), 0, "ask"),
        (dealt(WHOLE_DEAL, rules="pagat", **CLOCKS).say("0 ask"), 1, "pass"),
        (dealt(WHOLE_DEAL, answer_seconds=None, **CLOCKS).say("0 ask, 1 go on"), 2, "go on"),
        (in_trick(0, **CLOCKS), 0, None),
        (in_trick(1, **CLOCKS), 1, None),
        (in_trick(11, **CLOCKS), 0, "play TS"),
    ],
    ids=["may I", "may I after a kontra", "pass", "go on", "lead", "card", "last card"],
)
def test_a_run_out_costs_one_decision(log: Log, seat: int, action: str | None) -> None:
    """The quiet one of the game, marked as the clock's; the player is not absent by it, and plays on."""
    before = log.table
    quiet = before.game.quiet(before.play, Seat(seat))
    assert quiet in view.actions(before, Seat(seat))
    assert action in (quiet, None)
    log.strike()
    mark, did, *_ = log.lines[-1].events
    assert mark == ActedFor(Seat(seat), Substitute.CLOCK)
    assert isinstance(did, Said | CardPlayed)
    assert log.table.play.deal.acts[before.game.acts(before.play)] == (seat, quiet)
    assert log.table.absences == ()
    assert bank(log)[seat] == 0
    assert min(bank(log)) >= 0
    assert log.table.due[seat] is None or log.table.due[seat] == log.now + TIME


def test_the_next_decision_has_its_time_but_no_bank() -> None:
    """After a run-out the seconds for each decision are all that is left."""
    log = in_trick(1, **CLOCKS).strike()
    log.say("2 play AH, 3 play JS")
    while log.match.running.turn != 1:
        log.play_on(1)
    assert log.table.deadline == log.now + TIME


def test_too_early_or_for_another_question_the_clock_does_nothing() -> None:
    """Nor does it strike twice for one decision."""
    log = in_trick(1, **CLOCKS)
    prompt, due = log.table.prompt, log.table.deadline
    assert due is not None
    assert log.at(due - 1).do(RunOut(prompt)) == ()
    assert log.at(due).do(RunOut("1.1c0")) == ()
    assert log.at(due).do(RunOut(prompt)) != ()
    assert log.at(due).do(RunOut(prompt)) == ()


def test_of_several_whose_time_is_over_each_pays_for_himself() -> None:
    """They owe the same answer: the clock gives it for one after the other, each as an entry of its own."""
    log = dealt(WHOLE_DEAL, answer_seconds=None, **CLOCKS).say("0 ask, 2 go on")
    for seat in (1, 3):
        log.strike()
        assert log.lines[-1].events[0] == ActedFor(Seat(seat), Substitute.CLOCK)
    assert bank(log) == [FULL, 0, FULL, 0]
    assert since(log) == [log.now, None, None, None]


@pytest.mark.parametrize("rule", ["wait", "bot", "vote"])
def test_who_is_not_ready_in_time_is_absent(rule: str) -> None:
    """Between deals a run-out is an absence, and the rule takes hold; who says ready is back."""
    log = seated(on_absence=rule, **CLOCKS).act(0, "ready").act(2, "ready").act(3, "ready")
    log.strike()
    absent = (Absent(Seat(1)), StandInCame(Seat(1))) if rule == "bot" else (Absent(Seat(1)),)
    assert log.lines[-1].events == absent
    assert (log.table.ready[1], log.table.deadline, bank(log)[1]) == (None, None, 0)
    back, *_ = log.do(Act(B, log.table.prompt, "ready"))
    assert back == Returned(Seat(1))
    assert view.stage(log.table) == "deal"


def test_under_the_clock_who_is_not_ready_is_made_ready() -> None:
    """First he is absent, then the clock says it for him; the deal begins."""
    log = seated(on_absence="clock", **CLOCKS).act(0, "ready").act(2, "ready").act(3, "ready")
    log.strike().strike()
    assert log.lines[-2].events == (Absent(Seat(1)),)
    assert log.lines[-1].events[:2] == (ActedFor(Seat(1), Substitute.CLOCK), ReadySaid(Seat(1), ""))
    assert view.stage(log.table) == "deal"


def test_a_whole_match_of_nobody_comes_to_its_end_by_the_clock() -> None:
    """All are away and the rule is the clock: it plays four deals, and stops."""
    log = seated(deals=4, on_absence="clock", **CLOCKS)
    for letter in "abcd":
        log.away(letter)
    go_on(log, deals=4, most=400)
    assert view.stage(log.table) == "over"
    assert log.table.deadline is None
    assert bank(log) == [0] * 4


def test_what_the_clock_did_stands_in_the_record() -> None:
    """As what a bot does in a person's place."""
    log = in_trick(1, **CLOCKS).strike()
    log.play_on()
    [record] = records(log.table, log.table, log.lines[-1].events, log.lines[-1].at)
    assert [record.plain["acts"][act][0] for act in record.plain["acted_for"]] == [1]
    assert record.plain["acted_for"] == [5]


# --- the game's own times -----------------------------------------------------------------------------------------


def test_the_answer_time_goes_on_beside_the_clock() -> None:
    """The sooner of the two comes first: the answer time ends for all, and costs nobody's bank."""
    log = dealt(WHOLE_DEAL, answer_seconds=15, **CLOCKS).say("0 ask")
    asked = log.now
    assert log.table.deadline == asked + 15_000
    assert log.table.due[1:] == (asked + TIME + FULL,) * 3
    log.strike()
    assert log.lines[-1].events == (AnswerTimeOver(),)
    assert (bank(log), since(log)) == ([FULL] * 4, [log.now, None, None, None])


def test_the_clock_may_be_the_sooner_one() -> None:
    """It says *go on* for each, and the answer time is over by that."""
    log = dealt(WHOLE_DEAL, answer_seconds=60, clock_seconds=5).say("0 ask")
    for _ in range(3):
        log.strike()
    assert view.public(log.table)["play"]["phase"] == "calls"
    assert log.table.awaited == (0,)
    assert log.table.deadline == log.now + 5000


def test_both_at_once_are_two_entries() -> None:
    """The game's first: nobody is made to say what the answer time has settled."""
    log = dealt(WHOLE_DEAL, answer_seconds=15, clock_seconds=15).say("0 ask")
    prompt = log.table.prompt
    log.strike()
    assert log.lines[-1].events == (AnswerTimeOver(),)
    assert log.at(log.now).do(RunOut(prompt)) == ()


def test_the_pause_after_the_lead_keeps_its_own_time() -> None:
    """Late calls: the pause ends before anybody's clock; who has said nothing in it still owes his card."""
    log = dealt(WHOLE_DEAL, rules="wolsztyn", **CLOCKS).say("0 ask, 1 pass, 2 pass, 3 pass, 0 play AD")
    assert log.table.deadline == log.now + 1500
    lead = log.now
    log.strike()
    assert (bank(log), since(log)) == ([FULL] * 4, [None, lead, None, None])


def test_no_clock_runs_in_the_opening() -> None:
    """It is done by programs and has its own time."""
    log = seated(**CLOCKS).commit(SECRETS)
    assert (since(log), log.table.deadline) == ([None] * 4, log.now + OPENING_MILLIS)
    log.strike()
    assert log.table.deadline == log.now + TIME + FULL


# --- where the clock stands ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["wait", "vote"])
def test_the_clock_stands_for_who_is_absent(rule: str) -> None:
    """The table waits for him in any case; what he had left is kept, and he has it when he is back."""
    log = in_trick(1, on_absence=rule, **CLOCKS)
    after(log, 7000).away("b")
    assert (since(log), log.table.deadline, bank(log)) == ([None] * 4, None, [FULL] * 4)
    after(log, 100 * FULL).back("b")
    assert (log.table.deadline, bank(log)) == (log.now + TIME + FULL, [FULL] * 4)


def test_the_clock_stands_for_a_stand_in_and_runs_for_who_is_back() -> None:
    """A bot has no clock; its player has his whole time, and the bank that he had."""
    log = in_trick(1, on_absence="bot", **CLOCKS)
    after(log, TIME + 5000).away("b")
    assert (since(log), bank(log)) == ([None] * 4, [FULL, FULL - 5000, FULL, FULL])
    after(log, 100 * FULL).back("b")
    assert log.table.deadline == log.now + TIME + FULL - 5000


def test_the_clock_stands_for_bots_of_the_server_and_runs_for_programs() -> None:
    """A bot that was seated has none either; a program over the wire is a player like any."""
    log = Log().open(None, **CLOCKS).sit("b").seat_bot()
    log.do(TakeSeat(Sitter(D, "D-name", program=True), None))
    began = log.now
    assert since(log) == [began, began, None, began]
    log.ready()
    while log.match.running.turn != 2 or log.table.awaited != (2,):
        log.play_on(1)
    assert (since(log), log.table.deadline) == ([None] * 4, None)


@pytest.mark.parametrize("rule", ["wait", "vote"])
def test_the_clock_stands_for_an_empty_seat(rule: str) -> None:
    """Who takes it has the whole time, and the seat's bank."""
    log = in_trick(1, on_absence=rule, **CLOCKS)
    after(log, TIME + 1000).leave("b")
    assert (log.table.deadline, bank(log)[1]) == (None, FULL - 1000)
    after(log, FULL).sit("e")
    assert log.table.deadline == log.now + TIME + FULL - 1000


def test_under_the_clock_it_runs_for_whoever_is_away() -> None:
    """Absent or given up: in a deal the clock plays on; between deals an empty seat is waited for."""
    log = in_trick(1, on_absence="clock", **CLOCKS)
    began = log.now
    after(log, 3000).away("b")
    assert log.table.deadline == began + TIME + FULL
    log.leave("b")
    assert log.table.deadline == began + TIME + FULL
    log = go_on(log)
    assert (log.table.stage, log.table.seats[1]) == (Stage.BETWEEN, None)
    assert since(log)[1] is None
    go_on(log.sit("e"), deals=2)
    assert len(log.match.lines) == 2


def test_a_vote_for_a_bot_needs_no_clock() -> None:
    """It takes the turn at once, and the clock stands."""
    log = in_trick(1, on_absence="vote", **CLOCKS).away("b").vote("ac", 1, Choice.BOT)
    assert log.table.deadline is None
    log.bot_acts(1, "play QD")
    assert since(log) == [None, None, log.now, None]


def test_coming_and_going_gains_no_bank() -> None:
    """Each time what was used beyond the time of the decision is gone; nothing becomes less than nothing."""
    log = in_trick(1, on_absence="wait", **CLOCKS)
    for left in (FULL - 40_000, 0, 0):
        after(log, TIME + 40_000).do(NoteAbsent(B))
        assert bank(log)[1] == left
        log.do(NoteReturn(B))
    assert log.table.deadline == log.now + TIME
