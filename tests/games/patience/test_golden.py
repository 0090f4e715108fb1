"""A whole deal of each patience and of its variants, step by step, as everybody sees it.

A file holds for each step the action, what was told, and of the view what is other than before. The deals are
known ones; the player takes what fits, fills gaps, draws, and takes a step back now and then.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.games.game import OptionValue
from server.games.patience.events import DealOver
from server.games.patience.record import replay
from tests.games.patience.scenes import PLAYER, Board, board

FOLDER = Path(__file__).parent / "golden"
GOLDEN: dict[str, tuple[str, str, dict[str, OptionValue]]] = {
    "zopf": ("zopf", "617", {}),
    "zopf_juhl": ("zopf", "12345678901234567890", {"build_on_sides": True, "braid_builds": True}),
    "zopf_ella": ("zopf", "31999", {"single_twins": True, "either_direction": True, "auto_play": True}),
    "burgvoegtin": ("burgvoegtin", "1", {}),
    "burgvoegtin_durheim": ("burgvoegtin", "2", {"open_packets": True, "strict": True, "auto_play": True}),
    "archway": ("archway", "3", {"columns_refill": True, "meet": True}),
    "carpet": ("carpet", "1", {}),
    "carpet_foster": ("carpet", "3", {"foster": True, "auto_play": True}),
}
"""The game, the deal's number, the options."""
MOST_STEPS = 150


@pytest.mark.parametrize("name", GOLDEN)
def test_the_golden_deal(name: str, *, update_golden: bool) -> None:
    """Every step is the one in the file; `--update-golden` writes it anew."""
    file = FOLDER / f"{name}.txt"
    found = "\n".join(deal_as_text(*GOLDEN[name])) + "\n"
    if update_golden:
        file.parent.mkdir(exist_ok=True)
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8")


def deal_as_text(game: str, number: str, options: dict[str, OptionValue]) -> Iterator[str]:
    """The lines of a file."""
    table = board(game, options)
    shown: dict[str, str] = {}
    table.deal(f"number {number}")
    yield from step(table, f"ready number {number}", 0, shown)
    for count in range(MOST_STEPS):
        if not table.in_play:
            break
        told = len(table.told)
        action = next_action(table, count)
        table.act(action)
        yield from step(table, action, told, shown)
    if table.in_play:
        told = len(table.told)
        table.act("give_up")
        yield from step(table, "give_up", told, shown)
    over = next(event for event in table.log if isinstance(event, DealOver))
    record = table.game.record(table.match, over)
    assert record is not None
    assert replay(record)[-1].position == table.position
    yield f"record {text(record)}"


def next_action(table: Board, count: int) -> str:
    """What fits on a foundation, else a gap, else another move; every thirtieth time a step back."""
    legal = list(table.game.legal(table.match, PLAYER))
    if count % 30 == 29 and "undo" in legal:
        return "undo"
    moves = [action for action in legal if action.startswith("move ")]
    out = [action for action in moves if action.endswith(("foundation", "up", "down"))]
    out = [action for action in out if not action.startswith(("move up", "move down"))]
    fillings = moves if count % 3 == 0 else []
    return next(iter([*out, *fillings, *(one for one in legal if one in ("draw", "redeal")), *moves, "give_up"]))


def step(table: Board, action: str, told: int, shown: dict[str, str]) -> Iterator[str]:
    """The lines of one step."""
    yield f"\n--- {action}"
    yield from (f"told {text(one)}" for one in table.told[told:])
    view = table.game.public(table.match)
    of_deal = view.pop("table") or {}
    parts = {f"piles.{pile['name']}": _pile(pile) for pile in of_deal.pop("piles", [])}
    parts |= {name: text(part) for name, part in view.items()}
    parts |= {f"table.{name}": text(part) for name, part in of_deal.items()}
    parts["legal"] = " / ".join(table.game.legal(table.match, PLAYER))
    for name, part in parts.items():
        if shown.get(name) != part:
            yield f"{name} {part}"
    shown.update(parts)


def _pile(pile: dict[str, Any]) -> str:
    return f"{'#' * pile['hidden']} {' '.join(pile['cards'])}".strip()


def text(plain: object) -> str:
    """Plain data on one line."""
    return json.dumps(plain, ensure_ascii=False)
