"""Who was out and enters again, what a repeated command is known by, and what comes out with the draws."""

from dataclasses import replace

import pytest

from server.games.game import RuleViolation
from server.table.ids import PlayerId
from server.table.lines import LogLine
from server.table.memory import CommandId, digest
from server.tournament import codec, rules, view
from server.tournament.commands import (
    Approve,
    Direct,
    End,
    EnterPaper,
    Invite,
    NameDirector,
    OpenRound,
    Register,
    Tell,
    TurnAway,
    Undo,
    Withdraw,
    asked,
)
from server.tournament.directing import MOST_DECISIONS
from server.tournament.entry import MOST_ENTRIES
from server.tournament.state import Director, Stage, Status
from tests.tournament.evenings import DIRECTOR, Evening, player


def refused(code: str) -> "pytest.RaisesExc[RuleViolation]":
    return pytest.raises(RuleViolation, match=f"^{code}")


def status(evening: Evening, number: int) -> Status:
    entrant = evening.tournament.entrant(number)
    assert entrant is not None
    return entrant.status


def test_nobody_gets_round_the_directors_approval_by_entering_twice() -> None:
    """Who asks, takes it back, and asks again, waits; so does who was turned away. Once let in, he may come back."""
    evening = Evening(admission="approval")
    evening.enter(1)
    evening.do(Withdraw(player(1)))
    events = evening.do(Register(player(1), "Player 1", ""))
    assert status(evening, 1) is Status.WAITING
    assert view.happenings(evening.tournament, events)[0]["event"] == "entered"
    evening.order(TurnAway(1, "full"))
    evening.enter(1)
    assert status(evening, 1) is Status.WAITING
    evening.order(Approve(1))
    evening.do(Withdraw(player(1)))
    evening.enter(1)
    assert status(evening, 1) is Status.IN


def test_who_was_put_out_of_an_open_tournament_waits_for_its_director() -> None:
    """Who has gone by himself does not."""
    evening = Evening()
    evening.enter_all(5)
    evening.do(Withdraw(player(5)))
    evening.enter(5)
    assert status(evening, 5) is Status.IN
    evening.order(TurnAway(5, "rude"))
    evening.enter(5)
    assert status(evening, 5) is Status.WAITING


def test_who_was_invited_comes_back_without_another_invitation() -> None:
    """His is used, and still counts."""
    evening = Evening(admission="invitation")
    evening.order(Invite("Ala"))
    code = evening.tournament.invitations[0].code
    evening.enter(1, code=code)
    evening.do(Withdraw(player(1)))
    evening.enter(1)
    assert status(evening, 1) is Status.IN
    assert code not in repr(evening.tournament)
    assert repr(evening.tournament.secret) not in repr(evening.tournament)


def test_who_comes_back_needs_room_in_his_team() -> None:
    """Another has taken his place meanwhile."""
    evening = Evening(team_size=2)
    evening.enter(1, "Reds")
    evening.enter(2, "Reds")
    evening.do(Withdraw(player(1)))
    evening.enter(3, "Reds")
    with refused("team_full"):
        evening.enter(1)


def test_nobody_makes_a_log_endless_by_coming_and_going() -> None:
    """Whoever is out when it is very long stays out."""
    evening = Evening()
    evening.enter(1)
    evening.do(Withdraw(player(1)))
    long = replace(evening.tournament, version=MOST_ENTRIES)
    with refused("entry_closed"):
        rules.decide(long, Register(player(1), "Player 1", ""), evening.moment())


def test_an_evening_of_too_many_decisions_still_comes_to_its_end() -> None:
    """Its rounds open, it can be ended; nothing else is decided."""
    evening = Evening()
    evening.enter_all(4)
    evening.order(Tell("hello"))
    many = replace(evening.tournament, decisions=evening.tournament.decisions * MOST_DECISIONS)
    with refused("too_many_decisions"):
        rules.decide(many, Direct(DIRECTOR.player, MOST_DECISIONS, Tell("hello")), evening.moment())
    for order, stage in ((OpenRound(), Stage.ROUND), (End("late"), Stage.OVER)):
        events = rules.decide(many, Direct(DIRECTOR.player, MOST_DECISIONS, order), evening.moment())
        assert codec.evolved(many, events).stage is stage


def test_a_repeat_is_known_though_a_name_has_changed() -> None:
    """The player has another name by now, and the director who was named is not here any more."""
    one = Register(PlayerId("a"), "Ala", "Reds", "CODE", b"1" * 32)
    assert asked(one) == asked(replace(one, name="Ola"))
    assert asked(one) != asked(replace(one, code=None))
    names = [NameDirector(Director(PlayerId("b"), name)) for name in ("Roman", "")]
    assert len({asked(Direct(PlayerId("a"), 0, order)) for order in names}) == 1
    evening = Evening()
    with refused("no_such_player"):
        evening.order(names[1])


def test_the_commands_of_a_whole_hall_are_remembered() -> None:
    """All enter at once, and ask again after a cut: the first is known when the last one is in."""
    evening = Evening()
    state = evening.tournament
    for number in range(1, 201):
        command = Register(player(number), f"Player {number}", "")
        events = rules.decide(state, command, evening.moment())
        what = digest(asked(command))
        line = LogLine(state.version + 1, state.at, f"client{number}", 1, what, None, events, b"")
        state = codec.settled(codec.evolved(state, events), line)
    known = state.recalled(CommandId("client1", 1), asked(Register(player(1), "Player 1", "")))
    assert known is not None
    assert known.version == 2


def test_what_entrants_add_comes_out_with_their_first_draw_and_stays_out() -> None:
    """Not before; and not hidden again where somebody leaves, and is to play again in a later round."""
    evening = Evening(fill="bye", late_until=3)
    evening.enter_all(5)
    assert view.terms_page(evening.tournament)["contributions"] == {}
    evening.open_round()
    evening.play_round()
    evening.do(Withdraw(player(1)))
    evening.open_round()
    evening.enter(1)
    evening.enter(6)
    assert set(view.terms_page(evening.tournament)["contributions"]) == {"1", "2", "3", "4", "5"}


def test_a_paper_result_is_taken_back_and_entered_anew_when_the_next_round_is_drawn() -> None:
    """Its round is named then; until it is there no further round is drawn."""
    evening = Evening()
    evening.enter_all(4)
    evening.open_round()
    evening.order(EnterPaper(1, (3, 0, 0, -3)))
    paper = len(evening.tournament.decisions)
    evening.open_round()
    evening.order(Undo(paper))
    evening.result(1)
    assert evening.tournament.stage is Stage.BREAK
    with refused("results_missing"):
        evening.open_round()
    with refused("result_there"):
        evening.order(EnterPaper(1, (0, 3, 0, -3)))
    with refused("no_such_round"):
        evening.order(EnterPaper(1, (0, 3, 0, -3), 3))
    evening.order(EnterPaper(1, (0, 3, 0, -3), 1))
    result = evening.tournament.rounds[0].tables[0].result
    assert result is not None
    assert result.small == (0, 3, 0, -3)
    evening.open_round()
    assert len(evening.tournament.rounds) == 3


def test_a_paper_result_is_taken_back_when_all_is_over() -> None:
    """And entered anew: the standings of an evening never lack a table for good."""
    evening = Evening(rounds=1)
    evening.enter_all(4)
    evening.open_round()
    evening.order(EnterPaper(1, (3, 0, 0, -3)))
    assert evening.tournament.stage is Stage.OVER
    evening.order(Undo(len(evening.tournament.decisions)))
    evening.order(EnterPaper(1, (0, 3, 0, -3)))
    assert evening.tournament.stage is Stage.OVER
    result = evening.tournament.rounds[0].tables[0].result
    assert result is not None
    assert result.small == (0, 3, 0, -3)
