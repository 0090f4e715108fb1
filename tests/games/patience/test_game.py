"""A table of one seat plays a patience through the contract of the games."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from protocol.patience import HintReason
from protocol.patience_options import PATIENCE_OPTIONS
from protocol.record import PatienceRecord
from server.games.game import WINNABLE, OptionValue, RuleViolation, Stage
from server.games.patience.deals import hidden_number
from server.games.patience.events import DealOver, Dealt, Moved
from server.games.patience.hint import Reason
from server.games.patience.options import MOST_DEALS
from server.games.patience.record import BadRecord, replay
from tests.games.patience.scenes import PLAYER, Board, board, game_of, moment, position, with_position

CARPET = board("carpet").match.rules
NEARLY = {"foundation1": "AC 2C", "foundation2": "AS", "foundation3": "AH", "foundation4": "AD"}


def winning() -> Board:
    """A board of Carpet on which one move wins."""
    table = board("carpet").deal()
    return with_position(table, position(CARPET, **NEARLY, carpet1="3C"))


def last_dealt(table: Board) -> Dealt:
    """The last deal in the log."""
    return next(event for event in reversed(table.log) if isinstance(event, Dealt))


@pytest.mark.parametrize(
    ("game", "options", "code", "detail"),
    [
        ("zopf", {"foster": True}, "unknown_option", "foster"),
        ("zopf", {"long_braid": 1}, "bad_option", "long_braid"),
        ("zopf", {"braid_builds": True}, "options_clash", "build_on_sides braid_builds"),
        ("carpet", {"number": 17}, "bad_option", "number"),
        ("carpet", {"number": "017"}, "bad_option", "number"),
        ("carpet", {"number": "123456789012345678901"}, "bad_option", "number"),
        ("carpet", {"no_undo": "yes"}, "bad_option", "no_undo"),
    ],
)
def test_refused_options(game: str, options: dict[str, OptionValue], code: str, detail: str) -> None:
    """Unknown and senseless options are refused by name."""
    with pytest.raises(RuleViolation) as caught:
        game_of(game).new_match(options)
    assert (caught.value.code, caught.value.detail) == (code, detail)


@pytest.mark.parametrize("name", ["zopf", "burgvoegtin", "carpet", "archway"])
def test_options_make_the_same_match(name: str) -> None:
    """`options` is complete, and `new_match` makes the same match of it."""
    game = game_of(name)
    match = game.new_match({"auto_play": True, "number": "17"})
    assert game.new_match(game.options(match)) == match
    assert game.seats == 1


def test_an_ordinary_deal_has_a_hidden_number() -> None:
    """It comes from the moment's bytes, is not shown in play, and is shown after the end."""
    table = board("carpet").deal(seed=3)
    assert last_dealt(table).number == str(hidden_number(bytes([3]) * 32))
    assert table.game.public(table.match)["table"]["number"] is None
    assert last_dealt(table).number not in str(table.told)
    table.act("give_up")
    assert table.game.public(table.match)["table"]["number"] == last_dealt(table).number
    assert table.match.lines[0].counts


def test_a_number_a_restart_and_again_are_known_deals() -> None:
    """They have full comfort, but stay outside statistics."""
    table = board("zopf").deal("number 42")
    assert table.game.public(table.match)["table"]["number"] == "42"
    table.act("draw", "restart")
    assert last_dealt(table).number == "42"
    table.act("give_up").deal()
    hidden = last_dealt(table)
    assert not hidden.known
    table.act("draw", "restart")
    assert (last_dealt(table).number, last_dealt(table).known) == (hidden.number, True)
    table.act("give_up").deal("again")
    assert (last_dealt(table).pack, last_dealt(table).known) == (hidden.pack, True)
    assert [line.counts for line in table.match.lines] == [False, False, True, False]
    assert table.game.sheet(table.match)["ledger"] == {"finished": 4, "won": 0, "counted": 1, "counted_won": 0}


def test_the_tables_number_is_dealt_first() -> None:
    """Then come hidden ones."""
    table = board("carpet", {"number": "17"}).deal()
    assert (last_dealt(table).number, last_dealt(table).known) == ("17", True)
    table.act("give_up").deal()
    assert not last_dealt(table).known


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("again", "unknown_action"),
        ("number 0", "bad_number"),
        ("number x", "bad_number"),
        ("number 17 again", "unknown_action"),
        ("keep_twins", "unknown_action"),
        ("number 17 keep_twins", "unknown_action"),
    ],
)
def test_refused_ready_words(word: str, code: str) -> None:
    """Nothing to deal again yet, no such number, no twins to keep."""
    table = board("zopf")
    with pytest.raises(RuleViolation, match=code):
        table.game.check_ready(table.match, PLAYER, word)


def test_keep_twins() -> None:
    """With single twins the player may decline, also for a known deal (zopf 4.3)."""
    table = board("zopf", {"single_twins": True})
    assert table.game.ready_words(table.match, PLAYER) == ("keep_twins",)
    table.deal("number 1 keep_twins")
    assert table.position == board("zopf").deal("number 1").position
    table.act("give_up")
    assert table.game.ready_words(table.match, PLAYER) == ("again", "keep_twins")


def test_a_win_ends_the_deal() -> None:
    """Its line is written, its record replays nothing that is not there, and the next deal is on offer."""
    table = winning().act("move carpet1 foundation")
    assert table.match.stage is Stage.BETWEEN
    line = table.match.lines[0]
    assert (line.won, line.out, line.moves, line.undos) == (True, 6, 1, 0)
    assert line.ended - line.started == 1000
    assert table.game.finished_deals(table.match) == 1
    assert table.refusal("undo") == "no_deal_running"


def test_stuck_ends_nothing() -> None:
    """The player is told, and may undo or give up."""
    table = board("carpet").deal()
    with_position(table, position(CARPET, **NEARLY, carpet1="9C", stock="8C")).act("draw", "move waste carpet2")
    assert table.game.public(table.match)["table"]["stuck"] is True
    assert table.in_play
    assert set(table.game.legal(table.match, PLAYER)) == {"undo", "restart", "ask_solver", "give_up"}


def test_undo_counts_and_hides_the_card_again() -> None:
    """Undo steps over a draw: counted, and the view shows a stock of the old size."""
    table = board("carpet").deal()
    before = table.game.public(table.match)["table"]["piles"]
    table.act("draw", "undo")
    after = table.game.public(table.match)["table"]
    assert after["piles"] == before
    assert (after["moves"], after["undos"], after["can_undo"], after["can_redo"]) == (1, 1, 0, 1)
    table.act("redo").act("undo", "draw")
    assert table.refusal("redo") == "nothing_to_redo"


def test_no_undo() -> None:
    """The field takes undo away."""
    table = board("carpet", {"no_undo": True}).deal().act("draw")
    assert table.refusal("undo") == "undo_off"
    assert "undo" not in table.game.legal(table.match, PLAYER)
    assert table.game.public(table.match)["table"]["can_undo"] == 0


def test_undo_of_an_either_direction_unsets_it() -> None:
    """Zopf 4.2: the decision is taken back with the move."""
    table = board("zopf", {"either_direction": True}).deal("number 3")
    for _ in range(200):
        moves = [move for move in table.game.legal(table.match, PLAYER) if move.endswith("foundation")]
        if table.match.running.position.direction:
            break
        table.act(moves[0] if moves else "draw")
    assert table.game.public(table.match)["table"]["direction"] in ("up", "down")
    table.act("undo")
    assert table.game.public(table.match)["table"]["direction"] is None


def test_auto_play_makes_safe_moves_each_of_which_can_be_undone() -> None:
    """After the player's move, not after undo; each is a step of its own."""
    table = board("carpet", {"auto_play": True}).deal()
    with_position(table, position(CARPET, **NEARLY, carpet1="3C", carpet2="9D", stock="4C"))
    table.act("draw")
    assert [event.auto for event in table.log if isinstance(event, Moved)][-3:] == [False, True, True]
    deal = table.match.running
    assert (deal.cursor - 3, deal.moves, deal.auto) == (len(deal.steps) - 3, 1, deal.auto)
    table.act("undo")
    assert table.match.running.cursor == len(table.match.running.steps) - 1


def test_auto_finishes_by_one_key() -> None:
    """The action `auto` makes every safe move, with or without the option."""
    table = board("burgvoegtin").deal()
    rules = table.match.rules
    aces = {f"foundation{place}": "AC" for place in range(1, 9)}
    with_position(table, position(rules, **aces, arch2="2C 2H", arch3="3C")).act("auto")
    assert table.match.lines[0].won
    assert board("carpet").deal().refusal("auto") in (None, "nothing_safe")


def test_asking_the_solver_marks_the_deal() -> None:
    """The verdict is a spoiler: the deal no longer counts."""
    table = board("carpet").deal().act("ask_solver", "give_up")
    assert table.match.lines[0].helped
    assert not table.match.lines[0].counts


def test_annul_and_finish() -> None:
    """An annulled deal leaves no line; a match ends between two deals."""
    table = board("carpet").deal()
    with pytest.raises(RuleViolation, match="deal_running"):
        table.game.finish(table.match)
    table.take(table.game.annul(table.match, moment()))
    assert table.match.lines == ()
    with pytest.raises(RuleViolation, match="no_deal_running"):
        table.game.annul(table.match, moment())
    with pytest.raises(RuleViolation, match="not_open_ended"):
        table.game.finish(table.match)
    table.deal().act("give_up").take(table.game.finish(table.match))
    assert table.game.stage(table.match) is Stage.OVER
    assert table.game.prompt(table.match) == "over"


def test_prompts_never_come_again() -> None:
    """Every question has its own name, also after undo."""
    table = board("carpet")
    prompts = [table.game.prompt(table.match)]
    table.deal()
    for action in ("draw", "undo", "redo", "undo", "draw", "give_up"):
        prompts.append(table.game.prompt(table.match))
        table.act(action)
    prompts.append(table.game.prompt(table.match))
    assert len(set(prompts)) == len(prompts)


def test_a_long_match_ends_by_itself() -> None:
    """So that none grows without bound."""
    table = board("carpet")
    for _ in range(MOST_DEALS):
        table.deal("number 1").act("give_up")
    assert table.match.stage is Stage.OVER


def test_a_deal_takes_only_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows can be shifted for ever; a deal may not."""
    monkeypatch.setattr("server.games.patience.decisions.MOST_STEPS", 2)
    table = board("carpet").deal().act("draw", "draw")
    assert table.refusal("draw") == "too_many_moves"
    assert "draw" not in table.game.legal(table.match, PLAYER)


def test_a_record_replays() -> None:
    """Move by move through the rules, to the same result; a changed one does not."""
    table = board("carpet", {"foster": True, "auto_play": True}).deal("number 5").act("draw", "draw", "undo", "give_up")
    over = next(event for event in table.log if isinstance(event, DealOver))
    plain = table.game.record(table.match, over)
    assert plain is not None
    steps = replay(plain)
    assert steps[-1].position == table.position
    changes: tuple[dict[str, object], ...] = (
        {"moves": [*plain["moves"], "redeal"]},
        {"number": "6"},
        {"opening": []},
        {"line": {**plain["line"], "out": 0}},
        {"pack": ["XX"]},
        {"moves": 3},
    )
    for change in changes:
        with pytest.raises(BadRecord):
            replay({**plain, **change})


def test_the_opening_of_foster_is_told_step_by_step() -> None:
    """Each automatic move with its card."""
    table = board("carpet", {"foster": True}).deal("number 5")
    told = next(one for one in table.told if one["event"] == "patience_dealt")
    assert told["opening"]
    assert all(step["card"] for step in told["opening"])


def test_the_example_is_a_record() -> None:
    """The second record in docs/records.md is one of a patience, it replays, and every further field is explained."""
    page = (Path(__file__).resolve().parents[3] / "docs" / "records.md").read_text(encoding="utf-8")
    text = re.findall(r"```json\n(.*?)```", page, re.DOTALL)[1]
    PatienceRecord.model_validate_json(text)
    assert len(replay(json.loads(text))) > 3
    assert [name for name in PatienceRecord.model_fields if f"`{name}`" not in page] == []


def test_every_reason_of_a_hint_is_in_the_contract() -> None:
    """And no other; the options of the contract are those of the games, with the same defaults."""
    assert set(get_args(HintReason)) == set(Reason)
    for name, model in PATIENCE_OPTIONS.items():
        game = game_of(name)
        assert model().model_dump() == game.options(game.new_match({}))


def test_a_winnable_deal_is_an_ordinary_one_and_marked() -> None:
    """Dealt from the moment's bytes, with its number hidden."""
    table = board("carpet", {"number": "17"})
    table.take(table.game.deal(table.match, [WINNABLE], moment(0, 9)))
    assert last_dealt(table).number == str(hidden_number(moment(0, 9).entropy))
    assert (last_dealt(table).known, table.match.running.helped) == (False, True)
    with pytest.raises(RuleViolation, match="unknown_action"):
        table.game.check_ready(table.match, PLAYER, WINNABLE)


def test_what_auto_play_did_can_be_started_over() -> None:
    """A deal in which only safe moves were made is dealt again from its beginning."""
    table = board("carpet").deal("number 1")
    table.act("auto", "restart")
    running = table.match.deal
    assert running is not None
    assert (running.steps, running.origin.number) == ((), "1")
