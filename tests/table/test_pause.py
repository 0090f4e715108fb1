"""A table that stands still: by its owner's wish, or because nobody is left; nothing is lost by it."""

import pytest

from server.games.game import OptionValue, Seat, Stage
from server.table import view
from server.table.absence import ANYONE_RESUMES_AFTER
from server.table.commands import (
    Act,
    BotActs,
    NoteAttended,
    NoteDeserted,
    PassOwnership,
    PauseTable,
    ResumeTable,
    RunOut,
    StartDeal,
)
from server.table.events import Absent, Choice, Paused, Resumed
from server.table.ids import PlayerId
from tests.games.kop.scenes import WHOLE_DEAL
from tests.table.phases import PHASES, SECRETS, Phase, go_on, in_trick, over
from tests.table.scenes import CANDIDATES, Log, dealt, seated

A, B, C, E = (PlayerId(letter) for letter in "abce")
CLOCKS: dict[str, OptionValue] = {"clock_seconds": 20, "clock_bank": 60}
LONG = 10_000_000

at_every_phase = pytest.mark.parametrize("phase", PHASES.values(), ids=PHASES)


# --- who pauses and who resumes -----------------------------------------------------------------------------------


@at_every_phase
def test_the_owner_pauses_a_running_match(phase: Phase) -> None:
    """At every phase; it is shown by whom, since when, and from when on anybody may let it go on."""
    log = phase()
    assert log.do(PauseTable(A)) == (Paused(Seat(0), log.moment().now),)
    shown = {"seat": 0, "at": log.now, "anyone_from": log.now + ANYONE_RESUMES_AFTER, "director": False}
    assert view.public(log.table)["pause"] == shown
    assert log.do(ResumeTable(A)) == (Resumed(Seat(0), log.moment().now),)
    assert view.public(log.table)["pause"] is None


@pytest.mark.parametrize(
    ("log", "player", "code"),
    [
        (dealt(WHOLE_DEAL), B, "not_owner"),
        (dealt(WHOLE_DEAL), E, "not_owner"),
        (dealt(WHOLE_DEAL).pause(), A, "paused"),
        (Log().open(), A, "no_match_running"),
        (over(), A, "no_match_running"),
    ],
    ids=range(5),
)
def test_pauses_that_are_refused(log: Log, player: PlayerId, code: str) -> None:
    """Only the owner pauses, only a running match, and once."""
    assert log.refused(PauseTable(player)) == code


@pytest.mark.parametrize(
    ("player", "later", "code"),
    [
        (A, 0, None),
        (B, 0, "resume_later"),
        (B, ANYONE_RESUMES_AFTER - 1, "resume_later"),
        (B, ANYONE_RESUMES_AFTER, None),
        (E, ANYONE_RESUMES_AFTER, "not_seated"),
    ],
)
def test_who_may_let_it_go_on_and_when(player: PlayerId, later: int, code: str | None) -> None:
    """The owner at once, every other seat after two minutes, who does not sit there never."""
    log = dealt(WHOLE_DEAL).pause()
    log.now += later
    assert log.refused(ResumeTable(player)) == code


def test_what_does_not_stand_still_cannot_go_on() -> None:
    """Resumed twice, or never paused: refused."""
    assert dealt(WHOLE_DEAL).refused(ResumeTable(A)) == "not_paused"
    assert dealt(WHOLE_DEAL).pause().resume().refused(ResumeTable(A)) == "not_paused"


def test_the_new_owner_may_let_it_go_on() -> None:
    """The right goes with the ownership."""
    log = dealt(WHOLE_DEAL).pause()
    log.do(PassOwnership(C, A))
    assert log.refused(ResumeTable(A)) == "resume_later"
    assert log.refused(ResumeTable(C)) is None


# --- while it stands ----------------------------------------------------------------------------------------------


@at_every_phase
def test_nothing_is_offered_and_every_act_is_refused(phase: Phase) -> None:
    """`paused`, whatever it is; an answer to another question is stale all the same."""
    log = phase().pause()
    prompt = log.table.prompt
    for seat, letter in enumerate("abcd"):
        assert view.actions(log.table, Seat(seat)) == ()
        for action in CANDIDATES:
            assert log.refused(Act(PlayerId(letter), prompt, action)) == "paused"
            assert log.refused(Act(PlayerId(letter), "0.0", action)) == "stale"
    assert log.refused(Act(E, prompt, "ready")) == "not_seated"
    assert (log.table.awaited, log.table.deadline) == ((), None)


@at_every_phase
def test_no_clock_strikes_and_no_bot_acts(phase: Phase) -> None:
    """However late it is."""
    log = phase(on_absence="bot", **CLOCKS).away("b").pause()
    log.now += LONG
    prompt = log.table.prompt
    assert log.do(RunOut(prompt)) == ()
    for action in CANDIDATES:
        assert log.do(BotActs(Seat(1), prompt, action)) == ()


def test_a_deal_is_not_started_in_a_pause() -> None:
    """Nor does the last *ready* that is missing come from the owner's *start*."""
    log = seated().act(1, "ready").pause()
    assert log.refused(StartDeal(A, log.table.prompt)) == "paused"
    log.resume().start()
    assert view.stage(log.table) == "deal"


def test_seats_change_hands_in_a_pause() -> None:
    """People come, go, are missed and vote; the table stands all the while, and the deal is not ended by it."""
    log = in_trick(1).pause()
    deal = log.match.in_play
    log.leave("b").sit("e").away("c").vote("ad", 2, Choice.BOT).back("c").talk("d", "well?")
    assert (log.table.pause is not None, log.match.in_play) == (True, deal)
    assert len(go_on(log.resume()).match.lines) == 1


def test_the_last_seat_filled_in_a_pause_begins_no_deal() -> None:
    """Between deals: what is to follow follows when the table goes on."""
    log = seated().pause().leave("b").sit("e")
    assert view.stage(log.table) == "between"
    log.resume().ready()
    assert view.stage(log.table) == "deal"


def test_the_end_of_a_match_ends_the_pause() -> None:
    """Voted for, or by the owner between the deals of an open-ended match: there is nothing left to go on with."""
    log = in_trick(1).away("b").pause().vote("ac", 1, Choice.END)
    assert (log.table.stage, log.table.pause) == (Stage.OVER, None)
    log = seated(deals=None).ready().play_on().pause().finish()
    assert (log.table.stage, log.table.pause) == (Stage.OVER, None)
    assert log.ready().table.match == 2


# --- times --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stood", [1, 1000, LONG])
@pytest.mark.parametrize(
    "log",
    [
        dealt(WHOLE_DEAL, answer_seconds=15).say("0 ask"),
        dealt(WHOLE_DEAL, rules="wolsztyn").say("0 ask, 1 pass, 2 pass, 3 pass, 0 play AD"),
        seated().commit(SECRETS),
        seated(**CLOCKS),
        in_trick(1, **CLOCKS),
        dealt(WHOLE_DEAL, answer_seconds=15, **CLOCKS).say("0 ask, 1 go on"),
    ],
    ids=["answer time", "pause after the lead", "opening", "ready", "card", "answer time and clock"],
)
def test_what_was_left_of_every_time_is_kept(log: Log, stood: int) -> None:
    """To the millisecond: the deadline and each seat's time are later by just as long as the table stood."""
    log = Log(log.state, list(log.lines), log.now)
    due, each = log.table.deadline, log.table.due
    assert due is not None
    log.at(log.now + 300).pause()
    log.at(log.now + stood).resume()
    assert log.table.deadline == due + stood
    assert log.table.due == tuple(None if one is None else one + stood for one in each)
    assert log.at(due + stood - 1).do(RunOut(log.table.prompt)) == ()
    assert log.at(due + stood).do(RunOut(log.table.prompt)) != ()


def test_a_pause_costs_no_bank() -> None:
    """What was used before and after it is added up; the pause is not."""
    log = in_trick(1, **CLOCKS)
    began = log.now
    log.at(began + 15_000).pause().at(log.now + LONG).resume()
    log.at(log.now + 8_000).act(1, "play QD")
    assert log.table.clock is not None
    assert log.table.clock.bank == (60_000, 57_000, 60_000, 60_000)


def test_several_pauses_in_one_question() -> None:
    """Each is given back."""
    log = in_trick(1, **CLOCKS)
    due = log.table.deadline
    assert due is not None
    for stood in (10, 200, 3000):
        log.at(log.now + 50).pause().at(log.now + stood).resume()
    assert log.table.deadline == due + 3210


def test_who_is_back_in_a_pause_has_his_time_when_it_ends() -> None:
    """His clock stood when the pause began: it begins when the table goes on."""
    log = in_trick(1, on_absence="wait", **CLOCKS).away("b").pause().back("b")
    assert log.table.deadline is None
    log.at(log.now + LONG).resume()
    assert log.table.deadline == log.now + 80_000


def test_who_goes_in_a_pause_has_spent_what_he_had_used() -> None:
    """And no more: the pause is not counted, though his clock ran when it began."""
    log = in_trick(1, on_absence="wait", **CLOCKS)
    log.at(log.now + 25_000).pause().away("b").at(log.now + LONG).resume()
    assert log.table.clock is not None
    assert (log.table.clock.bank[1], log.table.clock.since[1]) == (55_000, None)


def test_the_times_of_a_deal_that_is_over_do_not_come_back() -> None:
    """A pause between deals moves no deadline, since none stands."""
    log = in_trick(12).pause()
    log.at(log.now + LONG).resume()
    assert log.table.deadline is None
    log.ready()
    assert log.table.deadline is None


# --- nobody is left -----------------------------------------------------------------------------------------------


@at_every_phase
def test_a_deserted_table_stands_still_until_somebody_comes(phase: Phase) -> None:
    """Whoever it is: the note that somebody is there lets it go on."""
    log = phase(**CLOCKS)
    assert log.do(NoteDeserted()) == (Paused(None, log.moment().now),)
    began, due = log.now, log.table.due
    assert log.do(NoteDeserted()) == ()
    stood = log.at(began + LONG).do(NoteAttended())
    assert stood == (Resumed(None, log.moment().now),)
    assert log.do(NoteAttended()) == ()
    assert log.table.due == tuple(None if one is None else one + LONG for one in due)


def test_any_seat_lets_a_deserted_table_go_on() -> None:
    """At once: nobody wanted the pause."""
    log = dealt(WHOLE_DEAL)
    log.do(NoteDeserted())
    assert log.refused(ResumeTable(C)) is None
    assert log.refused(ResumeTable(E)) == "not_seated"


@pytest.mark.parametrize("name", [name for name in PHASES if name != "opening"])  # in which nothing is offered
def test_an_act_lets_a_deserted_table_go_on(name: str) -> None:
    """Who acts is there: first the table goes on with its times moved, then the act counts, as it would have."""
    log = PHASES[name](**CLOCKS)
    began, due = log.now, log.table.due
    offered = [(seat, action) for seat in range(4) for action in view.actions(log.table, Seat(seat))]
    log.do(NoteDeserted())
    assert offered == [(seat, action) for seat in range(4) for action in view.actions(log.table, Seat(seat))]
    seat, action = next((seat, action) for seat, action in offered if log.table.seats[seat] is not None)
    sitting = log.table.seats[seat]
    assert sitting is not None
    went_on, *_ = log.at(began + LONG).do(Act(sitting.player, log.table.prompt, action))
    assert went_on == Resumed(None, log.moment().now)
    assert log.table.pause is None
    for before, after in zip(due, log.table.due, strict=True):
        assert None in (before, after) or after >= before  # type: ignore[operator]


def test_a_wanted_pause_is_not_ended_by_who_comes() -> None:
    """Nor does a desertion change it."""
    log = dealt(WHOLE_DEAL).pause()
    assert log.do(NoteDeserted()) == ()
    assert log.do(NoteAttended()) == ()
    assert log.table.pause is not None
    assert log.table.pause.seat == 0


@pytest.mark.parametrize("log", [Log().open(), over()], ids=["seating", "over"])
def test_only_a_running_match_is_deserted(log: Log) -> None:
    """Before and after it nothing runs that could stand still."""
    assert log.do(NoteDeserted()) == ()
    assert log.do(NoteAttended()) == ()


def test_absences_are_noted_in_a_pause_too() -> None:
    """Who is away while the table stands is absent when it goes on."""
    log = dealt(WHOLE_DEAL, on_absence="bot").pause().away("b")
    assert Absent(Seat(1)) in log.lines[-1].events
    log.resume()
    assert log.table.played_by_bot(Seat(1))
    assert log.table.people == (0, 2, 3)
