"""Tables for one: nobody waits for the player, so nobody is absent; a deserted table stands still, and goes on."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from protocol.kop import KopHappening
from protocol.patience import PatienceHappening
from protocol.record import PatienceRecord
from protocol.server import TableHappening, TableOwn, TablePublic
from server.games.game import Millis, OptionValue, RuleViolation, Seat, Stage
from server.games.patience.deals import hidden_number
from server.games.patience.events import DealOver, Dealt, SolverAsked
from server.games.patience.match import Match
from server.games.patience.options import PATIENCES
from server.games.patience.record import replay
from server.table import codec, evolution, sheets, view
from server.table.commands import (
    Act,
    ChangeOptions,
    Create,
    DealWinnable,
    LeaveSeat,
    NoteAbsent,
    NoteAttended,
    NoteDeserted,
    PauseTable,
    ResumeTable,
    SeatBot,
    TakeSeat,
    asked,
)
from server.table.events import Paused, ReadySaid, Resumed, SeatLeft
from server.table.ids import PlayerId
from server.table.records import records
from server.table.strength import Strength
from tests.table.scenes import TABLE, Log, sitter

A, E = PlayerId("a"), PlayerId("e")
HAPPENING: TypeAdapter[Any] = TypeAdapter(TableHappening | KopHappening | PatienceHappening)


def opened(game: str = "carpet", options: dict[str, OptionValue] | None = None) -> Log:
    """A table for one, whose player sits there."""
    log = Log()
    log.do(Create(sitter("a"), TABLE, game, options or {}, "CODE"))
    return log


def act(log: Log, action: str) -> tuple[Any, ...]:
    """The player answers the question that stands."""
    return log.do(Act(A, log.table.prompt, action))


def playing(game: str = "carpet", options: dict[str, OptionValue] | None = None) -> Log:
    """A deal is running."""
    log = opened(game, options)
    act(log, "ready")
    return log


def play(log: Log) -> Match:
    """The match of the patience."""
    found = log.table.play
    assert isinstance(found, Match)
    return found


@pytest.mark.parametrize("game", PATIENCES)
def test_a_match_begins_at_once_and_a_deal_with_ready(game: str) -> None:
    """The seat is taken, so the match runs; what is shown and told has the shapes of the wire contract."""
    log = playing(game)
    assert log.table.stage is Stage.DEAL
    while "draw" in view.actions(log.table, Seat(0)) and len(log.lines) < 40:
        act(log, "draw")
    act(log, "give_up")
    for line in log.lines:
        for event in line.events:
            told = view.happening(log.table, event)
            if told is not None:
                HAPPENING.validate_json(json.dumps(told))
    TablePublic.model_validate_json(json.dumps(view.public(log.table)))
    TableOwn.model_validate_json(json.dumps(view.own(log.table, Seat(0))))


def test_nobody_is_absent() -> None:
    """Neither who is away while a watcher looks on, nor a seat that was given up."""
    log = playing()
    assert log.do(NoteAbsent(A)) == ()
    *_, left = log.do(LeaveSeat(A))
    assert isinstance(left, SeatLeft)
    assert log.table.absences == ()
    log.do(TakeSeat(sitter("e"), None))
    assert log.table.seat_of(E) == 0
    assert log.table.stage is Stage.BETWEEN


@pytest.mark.parametrize("options", [{"clock_seconds": 10}, {"clock_seconds": 10, "on_absence": "clock"}])
def test_there_is_no_clock(options: dict[str, OptionValue]) -> None:
    """Neither when the table is opened nor later."""
    with pytest.raises(RuleViolation) as caught:
        opened(options=options)
    assert (caught.value.code, caught.value.detail) == ("bad_option", "clock_seconds")


def test_no_bot_plays() -> None:
    """A seat waits for a person."""
    log = opened()
    assert log.refused(SeatBot(A, None, Strength.HARD)) == "unknown_action"
    assert log.refused(ChangeOptions(A, {})) == "match_begun"
    log.do(LeaveSeat(A))
    assert log.refused(SeatBot(A, None, Strength.HARD)) == "not_seated"


def test_there_is_no_evening() -> None:
    """Nobody owes anything; the sheet has the deals."""
    log = playing()
    act(log, "give_up")
    with pytest.raises(RuleViolation, match="no_evening"):
        sheets.evening(log.table)
    sheet = sheets.sheet(log.table)
    assert (sheet["stake"], sheet["debts"], len(sheet["lines"])) == ("", [], 1)
    assert sheet["lines"][0]["names"] == ["A-name"]


def test_standing_still_is_no_playing_time() -> None:
    """A deserted table pauses and goes on with the first who comes; so does one that was paused."""
    log = playing()
    began = play(log).running.origin.at
    log.do(NoteDeserted())
    log.now += 1_000_000
    log.do(NoteAttended())
    assert play(log).running.origin.at == began + 1_001_000
    log.do(PauseTable(A))
    log.now += 1_000_000
    log.do(ResumeTable(A))
    act(log, "give_up")
    line = play(log).lines[0]
    assert line.ended - line.started < 10_000


def test_an_act_lets_a_deserted_table_go_on() -> None:
    """First it goes on, then the act counts; what may be done is offered. A wanted pause is not ended so."""
    log = playing()
    log.do(NoteDeserted())
    assert "draw" in view.actions(log.table, Seat(0))
    went_on, *_ = act(log, "draw")
    assert went_on == Resumed(None, Millis(log.now))
    assert log.table.pause is None
    (paused,) = log.do(PauseTable(A))
    assert isinstance(paused, Paused)
    assert log.refused(Act(A, log.table.prompt, "draw")) == "paused"
    assert log.refused(Act(E, log.table.prompt, "draw")) == "not_seated"


def test_a_deserted_table_goes_on_with_ready_too() -> None:
    """Between two deals: the deal is dealt in the same entry."""
    log = opened()
    log.do(NoteDeserted())
    events = act(log, "ready")
    assert [type(event) for event in events] == [Resumed, ReadySaid, Dealt]


def test_a_restart_leaves_the_record_of_the_deal_that_it_ends() -> None:
    """Its moves, not those of the deal that has begun with it."""
    log = playing()
    act(log, "draw")
    before = log.table
    events = act(log, "restart")
    (record,) = records(log.table, before, events, Millis(log.now))
    assert record.id == "t-1-1"
    assert record.plain["moves"] == ["draw"]
    PatienceRecord.model_validate_json(json.dumps(record.plain))
    assert len(replay(record.plain)) == 2


def test_an_ended_match_is_void_where_it_stands() -> None:
    """A running deal leaves no line."""
    log = playing()
    for event in log.table.game.end(log.table.play, log.moment()):
        log.state = evolution.evolve(log.table, event)
    assert log.table.stage is Stage.OVER
    assert play(log).lines == ()


def test_numbers_of_a_person() -> None:
    """Deals, wins, and those that count, added over a match; for nothing."""
    log = playing()
    act(log, "give_up")
    act(log, "ready number 17")
    act(log, "give_up")
    people = [["a"], ["e"]]
    numbers = log.table.game.scores(log.table.play, people)
    assert numbers["a"] == {"deals": 1, "points": 0, "money": 0, "won": 0, "counted": 1, "counted_won": 0}
    assert numbers["e"]["counted"] == 0
    assert log.table.game.money(log.table.play, 0) == "0"


# --- the solver -----------------------------------------------------------------------------------------------------


def test_hidden_cards_leave_the_table_only_for_a_marked_deal() -> None:
    """What a solver gets is refused before; a hint needs no mark."""
    log = opened()
    game = log.table.game
    assert game.hint(log.table.play) is None
    with pytest.raises(RuleViolation, match="no_deal_running"):
        game.puzzle(log.table.play)
    act(log, "ready")
    hint = game.hint(log.table.play)
    assert hint is not None
    assert hint["move"] in view.actions(log.table, Seat(0))
    with pytest.raises(RuleViolation, match="not_marked"):
        game.puzzle(log.table.play)
    act(log, "ask_solver")
    assert game.puzzle(log.table.play) == (play(log).rules, play(log).running.position)


def test_a_winnable_deal_is_dealt_from_the_bytes_and_marked() -> None:
    """An ordinary hidden deal, also where the table has a number; asked again it is the same command."""
    log = opened(options={"number": "17"})
    wish = DealWinnable(A, log.table.prompt, bytes([7]) * 32)
    events = log.do(wish)
    assert [type(event) for event in events] == [ReadySaid, Dealt, SolverAsked]
    assert events[1].number == str(hidden_number(bytes([7]) * 32))
    assert not events[1].known
    assert play(log).running.helped
    assert asked(wish) == asked(DealWinnable(A, wish.prompt, b""))
    act(log, "give_up")
    line = next(event for event in log.lines[-1].events if isinstance(event, DealOver)).line
    assert (line.helped, line.counts) == (True, False)


def test_nobody_says_winnable_himself() -> None:
    """The word is the table's; a wish for it is refused where it cannot be."""
    log = opened()
    assert log.refused(Act(A, log.table.prompt, "ready winnable")) == "unknown_action"
    assert log.refused(DealWinnable(E, log.table.prompt, bytes(32))) == "not_seated"
    assert log.refused(DealWinnable(A, "1.1m0", bytes(32))) == "stale"
    assert opened("archway").refused(DealWinnable(A, "1.1r", bytes(32))) == "not_winnable"
    log.do(PauseTable(A))
    assert log.refused(DealWinnable(A, log.table.prompt, bytes(32))) == "paused"
    log.do(ResumeTable(A))
    act(log, "ready")
    assert log.refused(DealWinnable(A, log.table.prompt, bytes(32))) == "deal_running"


@pytest.mark.parametrize("game", PATIENCES)
def test_log_and_snapshot_give_the_same_table(game: str) -> None:
    """Whatever happened: read back, it is the table that it was."""
    log = playing(game)
    for action in ("draw", "undo", "redo", "ask_solver", "restart", "give_up", "ready again"):
        if action in view.actions(log.table, Seat(0)):
            act(log, action)
    state = None
    for line in log.lines:
        read = codec.decode(line.version, codec.encode(line), game)
        state = codec.settled(state, codec.evolved(state, read.events), read)
    assert state == log.table
    assert codec.decode_snapshot(codec.encode_snapshot(log.table)) == log.table


def test_who_leaves_a_running_deal_has_given_it_up() -> None:
    """No deal can be dodged: it counts as not won, and the seat is free."""
    log = playing()
    act(log, "draw")
    log.do(LeaveSeat(A))
    (line,) = play(log).lines
    assert (line.won, log.table.seats, log.table.stage) == (False, (None,), Stage.BETWEEN)
    assert records(log.table, None, log.lines[-1].events, log.lines[-1].at)[0].readers == ("a",)
