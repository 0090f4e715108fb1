"""What directors decide: results corrected and annulled, penalties, paper tables, seats, pauses, and taking it back."""

from fractions import Fraction

import pytest

from server.games.game import Millis, RuleViolation
from server.tournament import accounts, view
from server.tournament.commands import (
    AnnulDeal,
    Call,
    ChangeTerms,
    Correct,
    Direct,
    EnterGuest,
    EnterPaper,
    GoOn,
    Halt,
    NameDirector,
    NoteResult,
    OpenRound,
    Penalise,
    Replace,
    Tell,
    Undo,
)
from server.tournament.standings import LineKind, standings
from server.tournament.state import Director, Ending, Result, ResultKind, Stage
from tests.tournament.evenings import Evening, player


def refused(code: str) -> "pytest.RaisesExc[RuleViolation]":
    return pytest.raises(RuleViolation, match=f"^{code}")


def test_nobody_else_directs() -> None:
    """An entrant, a stranger: not_director."""
    evening = Evening()
    evening.enter_all(4)
    with refused("not_director"):
        evening.do(Direct(player(1), 0, OpenRound()))


def test_two_directors_cannot_decide_past_each_other() -> None:
    """The second order names a decision that is not the last one any more."""
    evening = Evening()
    evening.enter_all(8)
    other = Director(player(9), "Roman")
    evening.order(NameDirector(other))
    seen = len(evening.tournament.decisions)
    evening.order(OpenRound())
    with refused("decided_meanwhile"):
        evening.do(Direct(other.player, seen, OpenRound()))
    assert len(evening.tournament.rounds) == 1
    with refused("round_running"):
        evening.do(Direct(other.player, seen + 1, OpenRound()))


def test_terms_change_until_the_first_round() -> None:
    """And never to terms that cannot be."""
    evening = Evening()
    evening.enter_all(4)
    evening.order(ChangeTerms("Winter cup", {"preset": "koscian"}))
    assert evening.tournament.terms.scale == (5, 3, 1, 0)
    with refused("bad_option"):
        evening.order(ChangeTerms("Winter cup", {"rounds": 0}))
    evening.open_round()
    with refused("tournament_begun"):
        evening.order(ChangeTerms("Winter cup", {}))


def test_a_correction_needs_a_result_a_reason_and_a_sum_of_zero() -> None:
    """And counts; undone, the played result counts again."""
    evening = Evening()
    evening.enter_all(4)
    evening.open_round()
    with refused("table_playing"):
        evening.order(Correct(1, 1, (4, 0, 0, -4), "miscounted"))
    evening.result(1, (9, 1, -4, -6))
    for order, code in (
        (Correct(1, 1, (4, 0, 0, -4), ""), "reason_needed"),
        (Correct(1, 1, (4, 0, 0, 0), "miscounted"), "sum_not_zero"),
        (Correct(1, 2, (4, 0, 0, -4), "miscounted"), "no_such_table_number"),
        (Correct(2, 1, (4, 0, 0, -4), "miscounted"), "no_such_round"),
    ):
        with refused(code):
            evening.order(order)
    evening.order(Correct(1, 1, (4, 0, 0, -4), "miscounted"))
    table = evening.tournament.rounds[0].tables[0]
    assert table.result is not None
    assert table.result.small == (4, 0, 0, -4)
    evening.order(Undo(len(evening.tournament.decisions)))
    table = evening.tournament.rounds[0].tables[0]
    assert table.result is not None
    assert table.result.small == (9, 1, -4, -6)
    assert [one.undone for one in evening.tournament.decisions][-2:] == [True, False]


def test_a_decision_is_undone_until_the_first_card_of_the_next_round() -> None:
    """Then it stands."""
    evening = Evening()
    evening.enter_all(4)
    evening.open_round()
    evening.play_round()
    evening.order(Penalise(1, 1, Fraction(-1, 2), -10, "late"))
    penalty = len(evening.tournament.decisions)
    evening.break_over()
    evening.order(Undo(penalty))
    assert evening.tournament.penalties == ()
    with refused("cannot_undo"):
        evening.order(Undo(penalty))
    evening.order(Penalise(1, 1, Fraction(-1, 2), -10, "late all the same"))
    kept = len(evening.tournament.decisions)
    evening.result(1)
    evening.break_over()
    evening.result(1)
    with refused("too_late_to_undo"):
        evening.order(Undo(kept))


def test_a_paper_result_taken_back_after_the_round_is_corrected() -> None:
    """Otherwise the table would stay without a result for good, as nothing is entered into a round that is over."""
    evening = Evening(rounds=1)
    evening.enter_all(4)
    evening.open_round()
    evening.order(EnterPaper(1, (3, -1, -1, -1)))
    assert evening.tournament.stage is Stage.OVER
    evening.order(Undo(len(evening.tournament.decisions)))
    assert evening.tournament.rounds[0].tables[0].result is None
    evening.order(Correct(1, 1, (-1, 3, -1, -1), "the sheet was upside down"))
    table = evening.tournament.rounds[0].tables[0]
    assert table.result is not None
    assert table.result.small == (-1, 3, -1, -1)


def test_a_decision_says_what_it_is_about() -> None:
    """The points of a penalty and of an entered result, the number of an annulled deal."""
    evening = Evening()
    evening.enter_all(8)
    evening.open_round()
    evening.order(Penalise(1, 1, Fraction(-1, 2), -10, "late"))
    evening.order(AnnulDeal(1, 2, 3, "exposed card"))
    evening.order(EnterPaper(1, (9, 1, -4, -6)))
    told = view.decisions_page(evening.tournament)["decisions"][-3:]
    assert [(one["big"], one["small"], one["deal"]) for one in told] == [
        ("-1/2", [-10], 0), ("0", [], 3), ("0", [9, 1, -4, -6], 0)
    ]  # fmt: skip


def test_an_annulled_deal_does_not_count() -> None:
    """Whether the director says so after the table's end, or before it."""
    deals = [(1, (3, -1, -1, -1)), (2, (-2, -2, 2, 2))]
    evening = Evening()
    evening.enter_all(8)
    evening.open_round()
    evening.order(AnnulDeal(1, 1, 2, "exposed card"))
    evening.result(1, (1, -3, 1, 1), deals)
    evening.result(2, (1, -3, 1, 1), deals)
    with refused("no_such_deal"):
        evening.order(AnnulDeal(1, 2, 3, "exposed card"))
    evening.order(AnnulDeal(1, 2, 1, "exposed card"))
    first, second = (table.result for table in evening.tournament.rounds[0].tables)
    assert first is not None
    assert second is not None
    assert first.small == (3, -1, -1, -1)
    assert second.small == (-2, -2, 2, 2)
    evening.order(Undo(len(evening.tournament.decisions)))
    again = evening.tournament.rounds[0].tables[1].result
    assert again is not None
    assert again.small == (1, -3, 1, 1)


def test_a_penalty_is_a_line_of_its_own_with_exact_points() -> None:
    """Nobody and nothing cannot be punished."""
    evening = Evening(rounds=1)
    evening.enter_all(4)
    evening.open_round()
    evening.result(1, (9, 1, -4, -6))
    evening.order(Penalise(1, 0, Fraction(-1, 3), 0, "phone"))
    row = next(row for row in standings(accounts.accounts(evening.tournament)) if row.entrant == 1)
    assert sum((line.big for line in row.lines), Fraction(0)) == row.big
    assert [line.kind for line in row.lines] == [LineKind.PLAYED, LineKind.PENALTY]
    with refused("no_such_entrant"):
        evening.order(Penalise(5, 0, Fraction(-1), 0, "phone"))
    with refused("bad_points"):
        evening.order(Penalise(1, 0, Fraction(0), 0, "phone"))


def test_a_paper_table_has_its_result_from_the_director() -> None:
    """No runner opens it; it ends the round like any other."""
    evening = Evening(rounds=1)
    for _ in range(4):
        evening.order(EnterGuest("Guest", ""))
    evening.open_round()
    evening.order(EnterPaper(1, None))
    assert evening.do(NoteResult(1, 1, Result(ResultKind.PLAYED, (1, 1, -1, -1)))) == ()
    with refused("sum_not_zero"):
        evening.order(EnterPaper(1, (1, 1, 1, 1)))
    evening.order(EnterPaper(1, (7, 1, -1, -7)))
    assert evening.tournament.ending is Ending.PLAYED


def test_a_substitute_takes_a_seat_and_its_points() -> None:
    """Who was replaced missed the round; a bot's points are nobody's."""
    evening = Evening(rounds=1, fill="bye")
    evening.enter_all(5)
    evening.open_round()
    bye = evening.tournament.rounds[0].byes[0]
    seated = evening.tournament.rounds[0].tables[0].seats[0]
    assert seated is not None
    with refused("already_seated"):
        evening.order(Replace(seated, seated))
    evening.order(Replace(seated, bye))
    assert evening.tournament.rounds[0].tables[0].seats[0] == bye
    evening.play_round()
    row = next(row for row in standings(accounts.accounts(evening.tournament)) if row.entrant == bye)
    assert [line.kind for line in row.lines] == [LineKind.PLAYED]
    with refused("no_round_running"):
        evening.order(Replace(bye, None))


def test_halted_no_round_opens_and_what_is_due_is_later() -> None:
    """By as long as it stood still."""
    evening = Evening(round_minutes=10)
    evening.enter_all(4)
    evening.open_round()
    deadline = evening.tournament.rounds[0].deadline
    evening.order(Halt())
    with refused("halted"):
        evening.order(Halt())
    evening.now = Millis(evening.now + 60_000)
    evening.order(GoOn())
    later = evening.tournament.rounds[0].deadline
    assert deadline is not None
    assert later is not None
    assert later - deadline > 60_000
    evening.play_round()
    due = evening.tournament.due
    evening.order(Halt())
    halted = evening.tournament
    with refused("halted"):
        evening.open_round()
    evening.order(GoOn())
    after = evening.tournament.due
    assert halted.due is None
    assert due is not None
    assert after is not None
    assert after > due


def test_calls_and_messages_stand_in_the_list_of_decisions() -> None:
    """Everything a director does is visible to players."""
    evening = Evening()
    evening.enter_all(4)
    evening.order(Call(2, "to the desk"))
    evening.order(Tell("Soup is served"))
    listed = view.decisions_page(evening.tournament)["decisions"]
    assert [(one["kind"], one["name"], one["text"]) for one in listed] == [
        ("called", "Player 2", "to the desk"),
        ("announced", "", "Soup is served"),
    ]


def test_a_paper_result_that_was_taken_back_in_the_break_is_entered_anew() -> None:
    """The next round waits for it, and opens once it is there."""
    evening = Evening(rounds=2)
    evening.enter_all(4)
    evening.open_round()
    evening.order(EnterPaper(1, (7, 1, -1, -7)))
    evening.order(Undo(len(evening.tournament.decisions)))
    with refused("results_missing"):
        evening.open_round()
    evening.order(EnterPaper(1, (1, 7, -1, -7)))
    evening.open_round()
    assert len(evening.tournament.rounds) == 2
