"""What a table, a hand and a sheet look like, in the three languages: golden texts."""

import json
import string
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from client_cli.board import Board
from client_cli.catalogue import LANGUAGES, load
from client_cli.clean import width
from client_cli.named_sets import named_sets
from client_cli.options import OPTIONS
from client_cli.rules_text import explained, side_by_side
from client_cli.style import Line, Look, plain
from client_cli.talking import phrase_lines
from client_cli.view import View
from protocol.server import FromServer
from tests.client_cli import evenings, samples
from tests.client_cli.samples import NOW

GOLDEN = Path(__file__).parent / "golden"
RICH, SENTENCES, ASCII = Look(rich=True), Look(), Look(unicode=False, rich=True)
STATES = {
    "waiting": samples.waiting(),
    "calls": samples.doubled_calls(),
    "my turn": samples.my_turn(),
    "first words": samples.first_words(),
    "my call": samples.my_call(),
    "late calls": samples.late_calls(),
    "opening": samples.opening(),
    "seat empty": samples.seat_empty(),
    "owner away": samples.seat_empty() | {"here": [False, True, True, True], "own": samples.own(1)},
    "watching": samples.my_turn() | {"own": None, "watchers": 2},
    "paused": samples.paused(),
    "paused lately": samples.paused_lately(),
    "away": samples.away(),
    "with a clock": samples.clocked(),
    "voted": samples.voted(),
}


def drawn(board: Board) -> list[tuple[str, list[Line]]]:
    """Everything that is compared, with a title each."""
    parts: list[tuple[str, list[Line]]] = []
    for title, message in STATES.items():
        view = View(message)
        parts.append((title, board.table(view, NOW)))
        parts.append((f"{title}: asked", board.invite(view, NOW, with_hand=False)))
        parts.append((f"{title}: help", board.help(view, NOW)))
        parts.append((f"{title}: status", [[("", board.toolbar(view, NOW, up=True))]]))
    turn, texts = View(samples.my_turn()), board.texts
    parts.append(("tricks", board.tricks(turn, None)))
    parts.append(("sheet", board.sheet(samples.sheet(), turn)))
    parts.append(("rules of the table", board.rules(samples.WOLSZTYN)))
    parts.append(("named rule sets", side_by_side(texts, named_sets())))
    parts += [(f"field {name}", explained(texts, option, named_sets())) for name, option in OPTIONS.items()]
    parts.append(("empty sheet", board.sheet(samples.sheet() | {"lines": [], "debts": []}, turn)))
    parts.append(("evening", board.evening(evenings.evening())))
    parts.append(("evening of no match", board.evening(evenings.evening() | {"matches": []})))
    parts.append(("open hands", board.open_hands(evenings.record(acted_for=[5]), evenings.explanation())))
    said = (evenings.talked("Good evening"), evenings.talked(phrase="thanks"), evenings.talked("Hm", seat=None))
    parts.append(("talk", [board.talked(one, turn) for one in said]))
    parts.append(("phrases", phrase_lines(texts)))
    return parts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "look"), [("pictures", RICH), ("sentences", SENTENCES)])
def test_golden_texts(language: str, kind: str, look: Look, update_golden: bool) -> None:
    """Pictures and sentences are as they were when somebody last looked at them."""
    parts = drawn(Board(load(language), look))
    text = "\n".join("\n".join([f"=== {title}", *map(plain, lines)]) for title, lines in parts) + "\n"
    golden = GOLDEN / f"{kind}.{language}.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_pictures_fit_eighty_columns(language: str) -> None:
    """Tables, hands and sheets; sentences are wrapped by the terminal."""
    for title, lines in drawn(Board(load(language), RICH)):
        if not title.endswith(
            ("asked", "help", "status", "tricks", "paused", "lately", "away", "clock", "voted", "phrases")
        ):
            assert [plain(line) for line in lines if width(plain(line)) > 79] == []


def test_a_picture_can_be_drawn_in_ascii() -> None:
    """Where the output cannot show suits and box lines."""
    text = "\n".join(plain(line) for line in Board(load("en"), ASCII).table(View(samples.my_turn()), NOW))
    assert "+---+" in text
    assert set(text) - set(string.printable) <= set("·×ł")  # the console folds these


def test_names_that_are_wide_or_hostile_keep_the_picture_straight() -> None:
    """Wide letters take two columns, and no escape comes through."""
    names = ("\x1b[31mOla", "日本語の名前はここまで", "W" * 24, "\N{RIGHT-TO-LEFT OVERRIDE}Max")
    board = Board(load("en"), RICH)
    lines = board.table(samples.view(seats=samples.sitters(names)), NOW)
    assert all(width(plain(line)) <= 78 for line in lines)
    assert "\x1b" not in "".join(text for line in lines for _, text in line)


def test_samples_keep_to_the_contract() -> None:
    """The views that these tests draw are such as the server may send."""
    contract: TypeAdapter[object] = TypeAdapter(FromServer)
    for message in STATES.values():
        contract.validate_json(json.dumps(message))
    contract.validate_json(json.dumps(samples.sheet()))
    contract.validate_json(json.dumps(evenings.evening()))
    explained_ = {"type": "explanation", "id": 1, "record": "t1-1-3", "explanation": evenings.explanation()}
    contract.validate_json(json.dumps(explained_))
    lines = {"type": "talk", "id": 1, "table": "t1", "lines": [evenings.talked("Hm", seat=None)]}
    contract.validate_json(json.dumps(lines))
