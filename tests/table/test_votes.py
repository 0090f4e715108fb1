"""The vote on a seat that nobody looks after: who has a voice, what decides, and what an end by vote leaves."""

from collections.abc import Callable

import pytest

from server.games.game import OptionValue, Seat, Stage
from server.games.kop.events import DealAnnulled, MatchEnded
from server.table import sheets, view
from server.table.commands import NoteReturn, TakeSeat, Vote
from server.table.events import Choice, Returned, Sitter, StandInCame, Voted
from server.table.ids import PlayerId
from server.table.strength import Strength
from tests.games.kop.scenes import SEATS
from tests.table.phases import PHASES, Phase, go_on, in_trick
from tests.table.scenes import Log

A, B, D, E = (PlayerId(letter) for letter in "abde")
B_SEAT = Seat(1)

at_every_phase = pytest.mark.parametrize("phase", PHASES.values(), ids=PHASES)


def deserted(**more: OptionValue) -> Log:
    """The first trick of a deal, in which the player of seat 1 is away: the other three vote."""
    return in_trick(1, on_absence="vote", **more).away("b")


@at_every_phase
def test_more_than_half_decide_for_a_bot(phase: Phase) -> None:
    """Two of three: a bot stands in, and the deal goes on; who is back has his seat all the same."""
    log = phase(on_absence="vote").away("b")
    assert log.do(log.ballot("a", 1, Choice.BOT)) == (Voted(Seat(0), B_SEAT, Choice.BOT),)
    assert log.do(log.ballot("d", 1, Choice.BOT)) == (Voted(Seat(3), B_SEAT, Choice.BOT), StandInCame(B_SEAT))
    assert log.table.played_by_bot(B_SEAT)
    assert len(go_on(log).match.lines) == 1
    [shown] = view.public(log.table)["absences"]
    assert (shown["stand_in"], shown["votes"]) == (True, None)
    assert log.do(NoteReturn(B)) == (Returned(B_SEAT),)


@at_every_phase
def test_for_a_seat_that_was_given_up_a_bot_sits_down(phase: Phase) -> None:
    """The same vote: the bot has the seat until somebody wants it."""
    log = phase(on_absence="vote").leave("b").vote("ad", 1, Choice.BOT)
    assert [one.bot for one in log.table.seats if one is not None and one.bot] == [Strength.HARD]
    assert log.table.absences == ()
    assert len(go_on(log).match.lines) == 1
    log.sit("e")
    assert log.table.seat_of(E) == 1


@at_every_phase
def test_the_end_by_vote_lays_the_deal_open_and_keeps_the_finished_ones(phase: Phase) -> None:
    """Hands and secret are told to all, the deal counts for nothing, the match is over; a rematch is possible."""
    log = phase(on_absence="vote")
    lines, deal, offer = log.match.lines, log.match.in_play, log.match.offer
    log.away("b").vote("a", 1, Choice.END)
    _, *events = log.do(log.ballot("c", 1, Choice.END))
    assert offer is not None
    void = [] if deal is None else [DealAnnulled(deal.number, deal.dealt, offer.secret)]
    assert events == [*void, MatchEnded()]
    assert view.stage(log.table) == "over"
    assert (log.match.lines, len(log.table.sat)) == (lines, len(lines))
    assert (log.table.absences, log.table.pause, log.table.ready) == ((), None, (None,) * 4)
    assert log.table.deadline is None
    assert view.own(log.table, Seat(0))["actions"] == ["rematch"]
    told = view.happening(log.table, events[0])
    if deal is not None:
        assert told is not None
        assert told["hands"] == [[str(card) for card in cards] for cards in deal.dealt]
    assert log.ready().table.match == 2


def test_a_match_that_was_ended_keeps_its_money() -> None:
    """What the finished deals brought stands on the sheet and in the evening."""
    log = in_trick(12, on_absence="vote")
    before = sheets.sheet(log.table)["ledger"]
    log.ready().play_on(3).away("b").vote("cd", 1, Choice.END)
    assert sheets.sheet(log.table)["ledger"] == before
    log.ready()
    assert [match["deals"] for match in sheets.evening(log.table)["matches"]] == [1]


def test_without_a_majority_it_waits() -> None:
    """One of three, three ways of three, two ways of two: nothing happens."""
    log = deserted().vote("a", 1, Choice.END).vote("c", 1, Choice.BOT).vote("d", 1, Choice.WAIT)
    assert (log.table.stage, log.table.played_by_bot(B_SEAT)) == (Stage.DEAL, False)
    log = deserted().away("c").vote("a", 1, Choice.END).vote("d", 1, Choice.BOT)
    assert (log.table.stage, log.table.played_by_bot(B_SEAT)) == (Stage.DEAL, False)


def test_waiting_may_be_voted_for_and_changes_nothing() -> None:
    """A majority for waiting waits, and may think otherwise later."""
    log = deserted().vote("acd", 1, Choice.WAIT)
    assert log.table.absence(B_SEAT) is not None
    log.vote("ac", 1, Choice.BOT)
    assert log.table.played_by_bot(B_SEAT)


def test_a_vote_may_be_changed() -> None:
    """Only the last one counts; it is shown."""
    log = deserted().vote("a", 1, Choice.BOT).vote("a", 1, Choice.END).vote("c", 1, Choice.BOT)
    [absence] = view.public(log.table)["absences"]
    assert absence["votes"] == [{"seat": 0, "choice": "end"}, {"seat": 2, "choice": "bot"}]
    assert not log.table.played_by_bot(B_SEAT)
    log.vote("a", 1, Choice.BOT)
    assert log.table.played_by_bot(B_SEAT)


@pytest.mark.parametrize("go", [lambda log: log.leave("c"), lambda log: log.remove("a", 2), lambda log: log.away("c")])
def test_the_vote_of_who_has_gone_does_not_count(go: Callable[[Log], Log]) -> None:
    """Neither for a majority nor against one: those who are there decide."""
    log = go(deserted().vote("c", 1, Choice.END))
    log.vote("a", 1, Choice.END)
    assert view.stage(log.table) == "deal"
    log.vote("d", 1, Choice.END)
    assert view.stage(log.table) == "over"


def test_the_next_in_a_seat_votes_for_himself() -> None:
    """Who takes the seat of one who has voted has not voted."""
    log = deserted().vote("c", 1, Choice.END).leave("c").sit("e", 2)
    [absence] = view.public(log.table)["absences"]
    assert absence["votes"] == []
    log.vote("a", 1, Choice.END)
    assert view.stage(log.table) == "deal"
    log.vote("e", 1, Choice.END)
    assert view.stage(log.table) == "over"


def test_who_is_away_and_back_has_his_vote_still() -> None:
    """It counts again with him."""
    log = deserted().vote("c", 1, Choice.BOT).away("c").back("c").vote("a", 1, Choice.BOT)
    assert log.table.played_by_bot(B_SEAT)


def test_who_votes_is_there() -> None:
    """An absent player who votes on another's seat is back by it, and counts."""
    log = deserted().away("c")
    assert log.do(log.ballot("c", 1, Choice.BOT)) == (Returned(Seat(2)), Voted(Seat(2), B_SEAT, Choice.BOT))
    log.vote("a", 1, Choice.BOT)
    assert log.table.played_by_bot(B_SEAT)


def test_one_who_is_left_decides_alone() -> None:
    """The bots of the server have no voice, nor has who is away."""
    log = in_trick(1, on_absence="vote").leave("c").vote("ab", 2, Choice.BOT).away("b").away("d")
    log.vote("a", 1, Choice.END)
    assert view.stage(log.table) == "over"


def test_a_program_has_no_voice() -> None:
    """It would decide alone where no person is left."""
    log = Log().open(None, on_absence="vote").sit("bc")
    log.do(TakeSeat(Sitter(D, "D-name", program=True), None))
    log.away("b")
    assert log.refused(log.ballot("d", 1, Choice.END)) == "no_vote"
    log.vote("ac", 1, Choice.END)
    assert view.stage(log.table) == "over"


@pytest.mark.parametrize(
    ("log", "letter", "code"),
    [
        (deserted(), "e", "not_seated"),
        (deserted(), "b", "no_vote"),  # on his own seat
        (deserted().vote("ac", 1, Choice.BOT), "d", "no_vote"),  # decided
        (in_trick(1, on_absence="bot").away("b"), "a", "no_vote"),
        (in_trick(1, on_absence="wait").away("b"), "a", "no_vote"),
        (in_trick(1, on_absence="clock", clock_seconds=20).away("b"), "a", "no_vote"),
    ],
    ids=range(6),
)
def test_votes_that_are_refused(log: Log, letter: str, code: str) -> None:
    """A vote needs a seat, another's absence, and the rule."""
    assert log.refused(log.ballot(letter, 1, Choice.END)) == code


def test_a_vote_on_an_absence_that_is_over_is_refused() -> None:
    """The next absence of the same seat has another number: an old wish to end the match does not end it."""
    log = deserted()
    old = log.ballot("a", 1, Choice.END)
    log.back("b")
    assert log.refused(old) == "no_vote"
    log.away("b")
    assert log.refused(old) == "no_vote"
    assert log.refused(Vote(A, 10_000, Choice.END)) == "no_vote"


def test_each_absence_has_its_own_vote() -> None:
    """Two are away: for one a bot plays, for the other it waits."""
    log = deserted().away("c").vote("ad", 1, Choice.BOT)
    assert [log.table.played_by_bot(seat) for seat in SEATS] == [False, True, False, False]
    numbers = [absence.number for absence in log.table.absences]
    assert len(set(numbers)) == 2
