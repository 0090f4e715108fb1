"""Who sits where: the owner's rights, leaving, coming back, and what happens to a hand (docs/protocol)."""

import pytest

from server.games.game import Seat
from server.games.kop.events import Dealt
from server.games.kop.opening import seat_commitment
from server.table import rules, sheets, view
from server.table.commands import (
    Act,
    FinishMatch,
    LeaveSeat,
    PassOwnership,
    RemoveSitter,
    StartDeal,
    TakeSeat,
)
from server.table.events import OwnerChanged, ReadySaid, SeatLeft, SeatRemoved
from server.table.evolution import MOST_BARRED
from server.table.ids import PlayerId
from tests.games.kop.scenes import QUIET, WHOLE_DEAL
from tests.table.scenes import Log, dealt, seated, sitter

A, B, C, E = (PlayerId(letter) for letter in "abce")


# --- the owner ----------------------------------------------------------------------------------------------------


def test_the_owner_starts_for_those_who_are_not_ready() -> None:
    """Start says ready for the others, and deals; during a deal or with an empty seat it is refused."""
    log = seated().act(2, "ready")
    assert log.refused(StartDeal(B, log.table.prompt)) == "not_owner"
    *said, out = log.do(StartDeal(A, log.table.prompt))
    assert said == [ReadySaid(Seat(seat), "") for seat in (0, 1, 3)]
    assert isinstance(out, Dealt)
    assert log.refused(StartDeal(A, log.table.prompt)) == "deal_running"
    assert seated().leave("c").refused(StartDeal(A, "1.1r")) == "seats_empty"


def test_who_was_removed_cannot_come_back() -> None:
    """The owner takes somebody out; that player is barred from every seat, another may take it."""
    log = seated(on_absence="wait")
    assert log.do(RemoveSitter(A, C)) == (SeatRemoved(Seat(2), sitter("c")),)
    assert log.refused(TakeSeat(sitter("c"), Seat(2))) == "barred"
    assert log.refused(TakeSeat(sitter("c"), None)) == "barred"
    assert log.refused(TakeSeat(sitter("e"), None)) is None


@pytest.mark.parametrize(
    ("player", "sitter_id", "code"),
    [(B, C, "not_owner"), (E, C, "not_owner"), (A, A, "no_such_sitter"), (A, E, "no_such_sitter")],
)
def test_removals_that_are_refused(player: PlayerId, sitter_id: PlayerId, code: str) -> None:
    """Only the owner removes, and neither himself nor who does not sit there (any more)."""
    assert Log().open().sit("bc").refused(RemoveSitter(player, sitter_id)) == code


def test_the_owners_commands_answer_one_question_only() -> None:
    """A second *start* cannot deal, or finish, what comes next: its prompt is that of the first."""
    log = seated(deals=4)
    prompt = log.table.prompt
    log.do(StartDeal(A, prompt))
    assert log.refused(StartDeal(A, prompt)) == "stale"
    assert log.refused(FinishMatch(A, prompt)) == "stale"


def test_a_rematch_needs_everybody() -> None:
    """The owner alone cannot begin the next match, whose sheet replaces that of the last one."""
    log = seated(deals=4)
    for _ in range(4):
        log.ready().play_on()
    assert log.refused(StartDeal(A, log.table.prompt)) == "rematch_needs_all"
    assert len(sheets.sheet(log.table)["lines"]) == 4


def test_money_goes_with_the_person_who_sat_there() -> None:
    """Who takes a seat in mid-match neither inherits its debts nor gets what its former holder won."""
    log = seated(deals=4).ready().play_on()
    log.leave("c").sit("e")
    for _ in range(3):
        log.ready().play_on()
    lines, balance = sheets.sheet(log.table)["lines"], dict.fromkeys("abcde", 0)
    for debt in sheets.sheet(log.table)["debts"]:
        for name, sign in ((debt["debtor"], -1), (debt["creditor"], 1)):
            balance[next(letter for letter in "abcde" if sitter(letter).name == name)] += sign * int(debt["amount"])
    assert balance["c"] == lines[0]["line"]["money"][2]
    assert balance["e"] == sum(line["line"]["money"][2] for line in lines[1:])


def test_who_leaves_in_the_opening_has_seen_no_hand() -> None:
    """No cards are out: he may take any seat."""
    log = seated()
    for seat, letter in enumerate("abcd"):
        log.act(seat, f"ready {seat_commitment(letter.encode() * 32, 0)}")
    assert view.public(log.table)["play"]["phase"] == "opening"
    log.leave("b").leave("c")
    assert log.refused(TakeSeat(sitter("b"), Seat(2))) is None


def test_the_server_passes_ownership_to_who_sits_there() -> None:
    """Only to a seated player; to the owner himself it changes nothing."""
    log = seated()
    assert log.do(PassOwnership(B, A)) == (OwnerChanged(B),)
    assert rules.decide(log.table, PassOwnership(B, B), log.moment()) == ()
    assert rules.decide(log.table, PassOwnership(E, B), log.moment()) == ()


def test_the_bar_is_bounded() -> None:
    """Of those removed the table remembers the last ones only."""
    log = Log().open()
    for number in range(MOST_BARRED + 2):
        log.do(TakeSeat(sitter(f"x{number}"), Seat(1)))
        log.do(RemoveSitter(A, PlayerId(f"x{number}")))
    assert len(log.table.barred) == MOST_BARRED
    assert log.refused(TakeSeat(sitter("x0"), None)) is None
    assert log.refused(TakeSeat(sitter("x2"), None)) == "barred"


def test_ownership_passes_on_when_the_owner_leaves() -> None:
    """The next seated player owns the table; when another leaves nothing passes."""
    log = seated(on_absence="wait")
    assert log.do(LeaveSeat(C)) == (SeatLeft(Seat(2), sitter("c")),)
    assert log.do(LeaveSeat(A)) == (SeatLeft(Seat(0), sitter("a")), OwnerChanged(B))
    assert log.refused(RemoveSitter(A, PlayerId("d"))) == "not_owner"
    assert log.refused(RemoveSitter(B, PlayerId("d"))) is None


def test_who_comes_to_an_empty_table_owns_it() -> None:
    """The last to leave stays the owner until somebody else sits down: no table that is played at has no owner."""
    log = Log().open().leave("a")
    assert log.table.owner == "a"
    assert log.refused(StartDeal(A, log.table.prompt)) == "not_seated"
    log.sit("b")
    assert log.table.owner == "b"
    assert Log().open().leave("a").sit("a").sit("b").table.owner == "a"


def test_leaving_without_a_seat_is_refused() -> None:
    """Only who sits can leave."""
    assert seated().refused(LeaveSeat(E)) == "not_seated"


# --- leaving ------------------------------------------------------------------------------------------------------


def test_leaving_between_deals_takes_the_ready_along() -> None:
    """Who takes the seat says ready for himself."""
    log = seated().act(2, "ready").leave("c")
    assert log.table.ready[2] is None
    assert log.refused(Act(B, log.table.prompt, "ready")) is None
    log.act(1, "ready").act(3, "ready").act(0, "ready")
    assert view.stage(log.table) == "between"
    log.sit("e").act(2, "ready")
    assert view.stage(log.table) == "deal"


def test_in_a_deal_the_hand_stays_with_the_seat() -> None:
    """Who takes the seat goes on with its cards; the others see no difference in the play."""
    log = dealt(WHOLE_DEAL).say(QUIET).say("0 play AD")
    play, hand = view.public(log.table)["play"], view.own(log.table, Seat(1))["play"]["hand"]
    log.leave("b")
    assert view.public(log.table)["play"] == play
    assert log.refused(Act(B, log.table.prompt, "play QD")) == "not_seated"
    log.sit("e")
    assert view.own(log.table, Seat(1))["play"]["hand"] == hand
    log.act(1, "play QD")


def test_the_sheet_names_who_sat_there_though_he_left_before_the_end() -> None:
    """The fourth trick plays itself: who gave up the seat after his third card stands on the line."""
    log = dealt(WHOLE_DEAL).say(QUIET).play_on(most=10)
    log.leave("b").play_on()
    assert view.stage(log.table) == "between"
    assert log.table.sat == (tuple(sitter(letter) for letter in "abcd"),)
    assert sheets.sheet(log.table)["lines"][0]["names"] == [sitter(letter).name for letter in "abcd"]


def test_who_saw_a_hand_can_only_come_back_to_it() -> None:
    """In the same deal: without a wish to his old seat, to another never; while another sits there, not at all."""
    log = dealt(WHOLE_DEAL).leave("b").leave("c")
    assert log.refused(TakeSeat(sitter("b"), Seat(2))) == "saw_other_hand"
    assert log.refused(TakeSeat(sitter("c"), Seat(1))) == "saw_other_hand"
    log.sit("c")
    assert log.table.seat_of(C) == 2
    log.sit("e")
    assert log.table.seat_of(E) == 1
    log.leave("d")
    assert log.refused(TakeSeat(sitter("b"), None)) == "seat_taken"
    assert log.refused(TakeSeat(sitter("b"), Seat(3))) == "saw_other_hand"
    log.sit("d").play_on().leave("c").sit("b")
    assert log.table.seat_of(B) == 2


def test_who_left_between_deals_may_sit_anywhere() -> None:
    """No hand was seen: every free seat is open."""
    log = seated().leave("b").leave("c")
    assert log.refused(TakeSeat(sitter("b"), Seat(2))) is None


def test_the_sheet_names_who_sat_there() -> None:
    """Each line has the names at its deal's end."""
    log = seated(deals=4).ready().play_on().leave("d").sit("e").ready().play_on()
    names = [line["names"] for line in sheets.sheet(log.table)["lines"]]
    assert names == [["A-name", "B-name", "C-name", "D-name"], ["A-name", "B-name", "C-name", "E-name"]]
