"""What the patiences look like, in the three languages: golden texts, and that they fit a small terminal."""

import json
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from client_cli.board import Board
from client_cli.catalogue import LANGUAGES, load
from client_cli.clean import width
from client_cli.howto import howto
from client_cli.patience.layout import GAMES, Layout
from client_cli.style import Line, Look, plain, wrap
from client_cli.view import View
from protocol.server import FromServer
from tests.client_cli.patience.deals import Deals

GOLDEN = Path(__file__).parent.parent / "golden"
RICH, SENTENCES, ASCII = Look(rich=True), Look(), Look(unicode=False, rich=True)
COLUMNS, ROWS = 80, 24
WATCHER = {"own": None}


def _played(deals: Deals, *actions: str) -> Deals:
    for action in actions:
        deals.act(action)
    return deals


def _on(deals: Deals, steps: int, *, rows: bool = False) -> Deals:
    """So many steps on: foundation moves first, then gaps, then draws and redeals; with `rows` first what builds them.

    What lies in a row stays there then.
    """
    for _ in range(steps):
        offered = [action for action in deals.actions if action.startswith("move ") or action in ("draw", "redeal")]
        out = [action for action in offered if action.endswith((" foundation", " up", " down"))]
        if not offered:
            break
        if rows:
            long = {step.source for step in Layout(deals.view).steps if Layout(deals.view).piles[step.source].count > 1}
            steps_ = [step for step in Layout(deals.view).steps if step.source not in long or step.source == "waste"]
            builds = [step.action for step in steps_ if step.target.startswith("side")]
            deals.act((builds or ["draw"])[0])
            continue
        deals.act((out or offered)[0])
    return deals


def states() -> dict[str, Deals]:
    """The layouts that are compared."""
    return {
        "carpet": Deals("carpet").dealt(1),
        "carpet on the way": _on(Deals("carpet").dealt(1), 40),
        "carpet stuck": _on(Deals("carpet").dealt(4), 200),
        "carpet given up": _played(_on(Deals("carpet").dealt(1), 5), "give_up"),
        "carpet before the first deal": Deals("carpet"),
        "carpet by foster": Deals("carpet", foster=True).dealt(5),
        "zopf": Deals("zopf").dealt(1),
        "zopf on the way": _on(Deals("zopf").dealt(1), 100),
        "zopf long, up or down": Deals("zopf", long_braid=True, either_direction=True, single_twins=True).dealt(3),
        "zopf with rows": _on(Deals("zopf", build_on_sides=True, fill_corners=False).dealt(9), 30, rows=True),
        "burgvoegtin": Deals("burgvoegtin").dealt(1),
        "burgvoegtin on the way": _on(Deals("burgvoegtin", strict=True).dealt(1), 30),
        "burgvoegtin, packets open": Deals("burgvoegtin", open_packets=True).dealt(1),
        "archway": Deals("archway").dealt(1),
        "archway on the way": _on(Deals("archway", columns_refill=True, meet=True).dealt(1), 30),
    }


def drawn(board: Board) -> list[tuple[str, list[Line]]]:
    """Everything that is compared, with a title each."""
    parts: list[tuple[str, list[Line]]] = []
    for title, deals in states().items():
        view = deals.view
        parts.append((title, board.happenings(view, None, 0) + board.invite(view, 0, with_hand=False)))
        parts.append((f"{title}: table", board.table(view, 0)))
        parts.append((f"{title}: help", board.help(view, 0)))
        parts.append((f"{title}: status", [[("", board.toolbar(view, 0, up=True))]]))
    parts.append(("watching", board.help(View(states()["carpet"].message | WATCHER), 0)))
    return parts


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "look"), [("pictures", RICH), ("sentences", SENTENCES)])
def test_golden_texts_of_the_patiences(language: str, kind: str, look: Look, update_golden: bool) -> None:
    """Pictures and sentences are as they were when somebody last looked at them."""
    parts = drawn(Board(load(language), look))
    text = "\n".join("\n".join([f"=== {title}", *map(plain, lines)]) for title, lines in parts) + "\n"
    golden = GOLDEN / f"patience-{kind}.{language}.txt"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_and_the_picture_after_it_fit_a_small_terminal(language: str) -> None:
    """80 columns; 24 rows with the prompt and the status line; no part is cut off."""
    board = Board(load(language), RICH)
    for title, deals in states().items():
        lines = board.happenings(deals.view, None, 0) + board.invite(deals.view, 0, with_hand=False)
        rows = [row for line in lines for row in wrap(line, COLUMNS)]
        assert len(rows) <= ROWS - 2, title
        assert [plain(row) for row in rows if width(plain(row)) > COLUMNS] == []
        assert width(board.toolbar(deals.view, 0, up=True)) < COLUMNS


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_last_row_says_in_one_row_what_may_be_done(language: str) -> None:
    """So that the picture does not jump."""
    board = Board(load(language), RICH)
    for title in ("carpet", "zopf", "burgvoegtin", "archway"):
        assert width(plain(board.invite(states()[title].view, 0, with_hand=False)[-1])) <= COLUMNS


def test_each_language_has_its_court_cards() -> None:
    """A 2-10 B D K in German, W D K in Polish, J Q K in English."""
    faces = {language: Board(load(language), RICH).patience.namer.face for language in LANGUAGES}
    shown = {
        language: [face(card) for card in ("AS", "TH", "JC", "QD", "KS", "2H")] for language, face in faces.items()
    }
    assert shown["de"] == ["A♠", "10♥", "B♣", "D♦", "K♠", "2♥"]
    assert shown["pl"] == ["A♠", "10♥", "W♣", "D♦", "K♠", "2♥"]
    assert shown["en"] == ["A♠", "10♥", "J♣", "Q♦", "K♠", "2♥"]


def test_a_picture_of_a_patience_can_be_drawn_in_ascii() -> None:
    """Where the output cannot show suits and box lines."""
    board = Board(load("en"), ASCII)
    for title, deals in states().items():
        text = "\n".join(plain(line) for line in board.table(deals.view, 0))
        assert {char for char in text if not char.isascii()} <= set("·ö"), title  # the console folds these


def test_hidden_cards_are_nowhere_in_what_is_drawn() -> None:
    """A stock shows its number of cards, a packet its top card; the number of a hidden deal is told after its end."""
    deals = Deals("burgvoegtin")
    deals.act("ready")
    text = "\n".join(plain(line) for line in Board(load("en"), RICH).table(deals.view, 0))
    assert "no." not in text
    assert text.count("─12╯") == 4


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_how_to_play_fits_a_terminal(game: str, language: str) -> None:
    """No line is wider than 78 columns, none ends in blanks, and there are about thirty."""
    lines = howto(language, game)
    assert 25 <= len(lines) <= 36
    assert [line for line in lines if len(line) > 78 or line != line.rstrip()] == []


def test_the_views_drawn_keep_to_the_contract() -> None:
    """They are such as the server may send."""
    contract: TypeAdapter[object] = TypeAdapter(FromServer)
    for deals in states().values():
        contract.validate_json(json.dumps(deals.message))
