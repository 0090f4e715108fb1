"""`kop record` for deals of patiences: what it tells and draws, and what it finds in a record that was changed."""

import json
from pathlib import Path
from typing import Any

import pytest

from client_cli.catalogue import LANGUAGES, load
from client_cli.clean import width
from client_cli.patience.board import PatienceBoard
from client_cli.patience.layout import GAMES
from client_cli.patience.narrate import span
from client_cli.record_command import RecordCommand
from client_cli.style import Line, Look, plain
from protocol.record import PatienceRecord
from server.games.patience.events import DealOver
from server.games.patience.events import Line as Result
from tests.cheating import CASES
from tests.client_cli import samples
from tests.client_cli.patience.deals import Deals
from tests.client_cli.test_record_command import Archive

Record = dict[str, Any]


def played(game: str, steps: int = 40, **options: Any) -> Record:
    """The record of deal 7 after so many moves and a taken-back one, foundation moves first; then it was given up."""
    deals = Deals(game, **options).dealt(7)
    for _ in range(steps):
        offered = [action for action in deals.actions if action.startswith("move ") or action in ("draw", "redeal")]
        if not offered:
            break
        out = [action for action in offered if action.endswith((" foundation", " up", " down"))]
        deals.act((out or offered)[0])
    for action in ("undo", "give_up"):
        if action in deals.actions:
            deals.act(action)
    last: Result = deals.state.lines[-1]
    own = deals.game.record(deals.state, DealOver(last))
    assert own is not None
    facts = {"format": 1, "record": "t1-1-1", "table": "t1", "match": 1, "at": samples.NOW}
    record = json.loads(json.dumps(facts | {"seats": ["Ola"], "bots": [False], "acted_for": []} | own))
    PatienceRecord.model_validate_json(json.dumps(record))
    return dict(record)


class Told:
    """The command at these records, with everything that it has printed."""

    def __init__(self, *records: Record, language: str = "en", look: Look | None = None) -> None:
        texts = load(language)
        self.lines: list[str] = []
        board = PatienceBoard(texts, look or Look())
        self.command = RecordCommand(Archive(records), texts, str, self._show, board=board)

    @property
    def text(self) -> str:
        """Everything in one text."""
        return "\n".join(self.lines)

    def _show(self, lines: list[Line]) -> None:
        self.lines += [plain(line) for line in lines]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
async def test_show_tells_what_was_played(game: str, language: str) -> None:
    """Game, variants, number, result, moves, what was taken back, the time; and how it lay at its end."""
    texts, record = load(language), played(game)
    told = Told(record, language=language)
    assert await told.command.show("t1-1-1") == 0
    line = record["line"]
    assert told.lines[0].startswith(texts(f"game_name.{game}"))
    assert "Ola" in told.lines[0]
    assert texts("patience_record.number", number="7") in told.lines
    assert texts("patience_record.rules", variants=texts("patience_record.usual")) in told.lines
    assert texts("patience.given_up", out=line["out"]) in told.text
    assert line["undos"] == 1
    facts = texts("patience.over_facts", time=span(line["millis"]), moves=line["moves"], auto=0, undos=1)
    assert facts in told.lines
    assert texts("patience_record.end") in told.lines


async def test_show_names_the_variants_and_the_day() -> None:
    """As people know them."""
    record = played("zopf", long_braid=True, fill_corners=False)
    told = Told(record)
    assert await told.command.show("t1-1-1") == 0
    assert "Rules: long braid, corners by hand." in told.lines
    record["day"] = record["line"]["day"] = "2026-01-02"
    assert await told.command.show("t1-1-1") == 0
    assert "The deal of the day 2026-01-02; its number was 7." in told.lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("look", [Look(), Look(rich=True)], ids=["sentences", "pictures"])
async def test_replay_goes_move_by_move(game: str, language: str, look: Look) -> None:
    """Every move with the piles after it, as the game draws them; within 80 columns."""
    texts, record = load(language), played(game)
    told = Told(record, language=language, look=look)
    assert await told.command.replay("t1-1-1") == 0
    count = len(record["moves"])
    for move in range(1, count + 1):
        assert texts("patience_record.move", move=move, all=count) in told.lines
    assert told.lines[-1] == texts("record.replayed")
    assert [line for line in told.lines if width(line) > 80] == []
    pictures = sum(line.startswith(texts(f"game_name.{game}") + " · ") for line in told.lines)
    assert pictures == (count + 1 if look.rich else 2)
    assert ("╭" in told.text) == look.rich


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
async def test_a_good_record_is_in_order(game: str, language: str) -> None:
    """It says so, with the number, and exit code 0; also of a won deal and one without a move."""
    for steps, options in ((0, {}), (1, {}), (40, {"auto_play": True}), (40, {}), (300, {})):
        record = played(game, steps, **options)
        told = Told(record, language=language)
        assert await told.command.verify(["t1-1-1"]) == 0, told.text
        said = load(language)("patience_record.in_order", record="t1-1-1", number="7", moves=len(record["moves"]))
        assert " ".join(told.lines) == said


def _swapped(record: Record) -> None:
    record["pack"][0], record["pack"][-1] = record["pack"][-1], record["pack"][0]


def _other_number(record: Record) -> None:
    record["number"] = record["line"]["number"] = "8"


def _illegal(record: Record) -> None:
    record["moves"][2:2] = ["move carpet1 carpet2"]


def _no_move(record: Record) -> None:
    record["moves"][3] = "fly"


def _no_pile(record: Record) -> None:
    record["moves"][1] = "move moon foundation"


def _opened(record: Record) -> None:
    record["opening"] = ["draw"]


def _won(record: Record) -> None:
    record["line"]["won"] = True


def _more_out(record: Record) -> None:
    record["line"]["out"] += 1


def _fewer_moves(record: Record) -> None:
    record["line"]["moves"] = 3


def _counted(record: Record) -> None:
    record["line"]["counts"] = True


def _other_line(record: Record) -> None:
    record["line"]["number"] = "9"


def _endless(record: Record) -> None:
    record["number"] = float("inf")


def _empty(record: Record) -> None:
    del record["moves"]


WRONG = {
    _swapped: "the cards are not those of number 7.",
    _other_number: "the cards are not those of number 8.",
    _illegal: "move 3 (move carpet1 carpet2) is against the rules: ",
    _no_move: "move 4 (fly) is against the rules: ",
    _no_pile: "move 2 (move moon foundation) is against the rules: ",
    _opened: "the rules make other moves before the first one.",
    _won: "the result is another one than the moves give.",
    _more_out: "the result is another one than the moves give.",
    _fewer_moves: "the result is another one than the moves give.",
    _counted: "the result is another one than the moves give.",
    _other_line: "the result is another one than the moves give.",
    _endless: "the record is damaged, or has been changed: ",
    _empty: "the record is damaged, or has been changed: ",
}


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change.__name__)
async def test_a_changed_record_is_found(change: Any) -> None:
    """It says what is wrong and where, in every language, with exit code 1."""
    for language in LANGUAGES:
        record = played("carpet")
        change(record)
        told = Told(record, language=language)
        assert await told.command.verify(["t1-1-1"]) == 1
        assert told.lines[0] == load(language)("record.cheated", record="t1-1-1")
        if language == "en":
            assert f"  - {WRONG[change]}" in " ".join(told.lines)


@pytest.mark.parametrize(
    "change", [_swapped, _illegal, _more_out, _endless, _empty], ids=lambda change: change.__name__
)
async def test_a_changed_record_is_not_shown_as_true(change: Any) -> None:
    """One line says why; exit code 1."""
    record = played("carpet")
    change(record)
    for action in ("show", "replay"):
        told = Told(record)
        assert await getattr(told.command, action)("t1-1-1") == 1
        assert len(told.lines) == 1


async def test_of_the_deal_of_a_day_it_says_whence_the_number_comes() -> None:
    """From the secret of that day, which a record has not."""
    record = played("carpet")
    record["day"] = record["line"]["day"] = "2026-01-02"
    told = Told(record)
    assert await told.command.verify(["t1-1-1"]) == 0
    assert "that day's secret; ranking 2026-01-02 shows both" in " ".join(told.lines)


async def test_records_of_both_kinds_are_verified_together(tmp_path: Path) -> None:
    """Each by its own rules, in their order; one that is wrong decides the exit code."""
    fair, bad = CASES["honest"](tmp_path), played("carpet")
    file = tmp_path / "records.json"
    for change, code in ((lambda one: None, 0), (_won, 1)):
        change(bad)
        file.write_text(json.dumps([bad, *fair.records]), encoding="utf-8")
        told = Told()
        assert await told.command.verify([str(file)]) == code
        assert told.lines[0].startswith("t1-1-1: NOT in order" if code else "t1-1-1: in order.")


async def test_list_export_and_explain(tmp_path: Path) -> None:
    """The list names the game; the file holds the record as it is; only Kop is explained."""
    record, file = played("archway"), tmp_path / "r.json"
    told = Told(record)
    assert await told.command.listing() == 0
    assert told.lines[0].startswith("t1-1-1  ")
    assert told.lines[0].endswith("Archway, match 1, deal 1: Ola")
    assert await told.command.export("t1-1-1", file) == 0
    assert json.loads(file.read_text(encoding="utf-8")) == record
    assert await told.command.explain(str(file)) == 1
    assert told.lines[-1] == "t1-1-1 is a record of a patience; only deals of Kop are explained."


async def test_nothing_in_a_record_reaches_the_terminal_raw() -> None:
    """Escapes in names, days and moves are not shown."""
    for field, value in {"seats": ["A\x1b[2J"], "day": "\x1b[2J", "moves": ["\x1b[2J"], "number": "\x1b"}.items():
        told = Told(played("carpet") | {field: value})
        for action in ("show", "replay"):
            await getattr(told.command, action)("t1-1-1")
        await told.command.verify(["t1-1-1"])
        assert told.lines
        assert "\x1b" not in told.text
