"""What is so at every table for one, whatever people do there: random walks of players who come, play, ask and go."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.kop import MatchOver
from protocol.patience import PatienceHappening
from protocol.record import PatienceRecord
from protocol.server import TableHappening, TableOwn, TablePublic
from protocol.sheets import Sheet
from server.games.game import Millis, OptionValue, RuleViolation, Seat
from server.games.kop.game import Kop
from server.games.patience.options import PATIENCES
from server.games.patience.record import replay
from server.table import codec, sheets, view
from server.table.commands import (
    Act,
    AnnulDeal,
    Command,
    DealWinnable,
    FinishMatch,
    HandOver,
    LeaveSeat,
    NoteAbsent,
    NoteAttended,
    NoteDeserted,
    NoteReturn,
    PassOwnership,
    PauseTable,
    RemoveSitter,
    ResumeTable,
    RunOut,
    StartDeal,
    TakeSeat,
)
from server.table.ids import PlayerId
from server.table.records import records
from server.table.state import Table
from tests.table.scenes import ACCEPTED, Log, outcome, sitter
from tests.table.test_one_seat import opened

HAPPENING: TypeAdapter[Any] = TypeAdapter(TableHappening | PatienceHappening | MatchOver)
PEOPLE = ("a", "b", "e")
CANDIDATES = (
    *("draw", "redeal", "undo", "redo", "auto", "restart", "give_up", "ask_solver", "ready", "ready again"),
    *("ready keep_twins", "rematch", "ready winnable", "move waste foundation", "move carpet1 foundation", "jump", ""),
)
OPTIONS: dict[str, list[dict[str, OptionValue]]] = {
    "zopf": [{}, {"single_twins": True, "auto_play": True}, {"build_on_sides": True, "either_direction": True}],
    "burgvoegtin": [{}, {"open_packets": True, "no_undo": True}],
    "carpet": [{}, {"foster": True, "auto_play": True, "number": "5"}],
    "archway": [{}, {"meet": True, "columns_refill": True}],
}
TABLES = st.sampled_from([(game, options) for game in PATIENCES for options in OPTIONS[game]])


def command(table: Table, number: int) -> Command:
    """Some wish, chosen by a number: mostly one of the actions on offer."""
    player, choice = PlayerId(PEOPLE[number // 7 % 3]), number // 21
    sitting = table.seats[0]
    offered = view.actions(table, Seat(0))
    if number % 7 and sitting is not None and offered:
        return Act(sitting.player, table.prompt, offered[choice % len(offered)])
    wishes: list[Command] = [
        *(Act(player, table.prompt, action) for action in ("ready number 17", "ready", "ask_solver", "give_up")),
        *(LeaveSeat(player), TakeSeat(sitter(player), None), RemoveSitter(player, PlayerId("b"))),
        *(PauseTable(player), ResumeTable(player), NoteDeserted(), NoteAttended(), RunOut(table.prompt)),
        *(NoteAbsent(player), NoteReturn(player), HandOver(player, PlayerId("b")), PassOwnership(player, table.owner)),
        *(StartDeal(player, table.prompt), FinishMatch(player, table.prompt), AnnulDeal(player, table.prompt)),
        DealWinnable(player, table.prompt, bytes([choice % 256]) * 32),
    ]
    return wishes[choice % len(wishes)]


def check(log: Log) -> None:
    """The shapes of the wire, nobody absent, and exactly the actions on offer are accepted."""
    table = log.table
    assert table.absences == ()
    assert table.deadline is None
    TablePublic.model_validate_json(json.dumps(view.public(table)))
    TableOwn.model_validate_json(json.dumps(view.own(table, Seat(0))))
    Sheet.model_validate_json(json.dumps({"type": "sheet", "id": 1, "table": table.id, **sheets.sheet(table)}))
    sitting, offered = table.seats[0], view.actions(table, Seat(0))
    for action in {*CANDIDATES, *offered} if sitting is not None else ():
        accepted = outcome(table, Act(sitting.player, table.prompt, action), log.moment()) == ACCEPTED  # type: ignore[union-attr]
        assert accepted == (action in offered), action


@settings(deadline=None, max_examples=100)
@given(opening=TABLES, numbers=st.lists(st.integers(0, 10_000), max_size=40))
def test_every_state_of_a_table_for_one_is_sound(
    opening: tuple[str, dict[str, OptionValue]], numbers: list[int]
) -> None:
    """Views, happenings, offers, sheet and records after every command; the log gives the same table again."""
    log = opened(*opening)
    for number in numbers:
        before = log.table
        try:
            events = log.do(command(log.table, number))
        except RuleViolation:
            assert log.table is before
            continue
        for event in events:
            told = view.happening(log.table, event)
            if told is not None:
                HAPPENING.validate_json(json.dumps(told))
        for record in records(log.table, before, events, Millis(log.now)):
            PatienceRecord.model_validate_json(json.dumps(record.plain))
            replay(record.plain)
        check(log)
    state = None
    for line in log.lines:
        read = codec.decode(line.version, codec.encode(line), opening[0])
        state = codec.settled(state, codec.evolved(state, read.events), read)
    assert state == log.table
    assert codec.decode_snapshot(codec.encode_snapshot(log.table)) == log.table


def test_kop_gives_no_help() -> None:
    """Neither hints nor a solver in a running deal, nor a search for good cards."""
    game = Kop()
    match = game.new_match({})
    assert game.hint(match) is None
    for ask, code in ((game.puzzle, "no_hint"), (game.winnable, "not_winnable")):
        with pytest.raises(RuleViolation, match=code):
            ask(match)
