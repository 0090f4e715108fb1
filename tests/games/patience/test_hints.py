"""Hints: a move that is allowed, for a reason, that leads to an end."""

import pytest
from hypothesis import given, settings

from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.hint import Reason
from server.games.patience.hints import hint
from server.games.patience.layout import Patience, move_of
from server.games.patience.zopf import Zopf
from tests.games.patience.scenes import position
from tests.games.patience.strategies import choices, chosen, numbers, rules

FOUR = {"foundation1": "AC", "foundation2": "AS", "foundation3": "AH", "foundation4": "AD"}
EIGHT = {f"foundation{place}": "AC" for place in range(1, 9)}
BASE = {"foundation5": "8H"}
FULL = {f"side{place}": "2C" for place in range(1, 9)}
KINGS = {f"{kind}{suit}": rank + suit for kind, rank in (("up", "A"), ("down", "K")) for suit in "CSHD"}


@pytest.mark.parametrize(
    ("patience", "piles", "move", "reason"),
    [
        (Carpet(), {**FOUR, "carpet1": "2C"}, "move carpet1 foundation", Reason.TO_FOUNDATION),
        (Carpet(), {**FOUR, "carpet1": "KC", "waste": "3C", "stock": "5C"}, "move waste carpet2", Reason.SOON_WANTED),
        (Carpet(), {**FOUR, "waste": "3C"}, "move waste carpet1", Reason.BARES_WASTE),
        (Carpet(), {**FOUR, "stock": "3C"}, "draw", Reason.DRAW),
        (Zopf(), {**BASE, "side1": "8C"}, "move side1 foundation", Reason.BASE_CARD),
        (
            Zopf(),
            {**BASE, "corner1": "9H", "braid": "2C", "side1": "9H"},
            "move corner1 foundation",
            Reason.OPENS_CORNER,
        ),
        (Zopf(), {**BASE, "corner1": "9H", "braid": "9H", "side1": "9H"}, "move braid foundation", Reason.FREES_BRAID),
        (Zopf(), {**BASE, "side1": "9H"}, "move side1 foundation", Reason.TO_FOUNDATION),
        (Zopf(), {**BASE, **FULL, "foundation6": "8H", "side1": "9H"}, "move side1 foundation", Reason.SAFE),
        (Zopf(), {**BASE, "waste": "TH", "stock": "2C"}, "move waste side1", Reason.SOON_WANTED),
        (Zopf(), {**BASE, "waste": "JH", "stock": "2C"}, "draw", Reason.DRAW),
        (Zopf(), {**BASE, "waste": "JH"}, "redeal", Reason.REDEAL),
        (Zopf(fill_corners=False), {**BASE, "braid": "2C"}, "move braid corner1", Reason.FREES_BRAID),
        (Zopf(build_on_sides=True), {**BASE, "side1": "5D", "waste": "4C"}, "move waste side1", Reason.BUILDS_ROW),
        (
            Zopf(build_on_sides=True),
            {**BASE, "side1": "5D", "side2": "4C", "stock": "KC"},
            "move side2 side1",
            Reason.FREES_SIDE,
        ),
        (
            Burgvoegtin(),
            {**EIGHT, "packet1": "2C 2C", "packet2": "2C 2C 2C"},
            "move packet2 foundation",
            Reason.DIGS_PACKET,
        ),
        (
            Burgvoegtin(),
            {**EIGHT, "packet1": "4C", "arch2": "2D", "arch3": "3D"},
            "move arch2.1 foundation",
            Reason.ARCH_FOR_PACKET,
        ),
        (Burgvoegtin(), {**EIGHT, "arch2": "2D"}, "move arch2.1 foundation", Reason.FINISH),
        (Archway(), {**KINGS, "column1": "2H", "column2": "9C QC"}, "move column2 down", Reason.DIGS_PACKET),
        (
            Archway(),
            {**KINGS, "column1": "TC", "archQ": "QS QC", "archJ": "JC"},
            "move archQ.2 down",
            Reason.ARCH_FOR_PACKET,
        ),
        (
            Archway(meet=True),
            {**KINGS, "upC": "AC 2C 3C", "downC": "KC QC JC TC 9C 8C 7C 6C 5C 4C", "column1": "9C"},
            "move downC up",
            Reason.CROSSES,
        ),
    ],
)
def test_the_hint_and_its_reason(patience: Patience, piles: dict[str, str], move: str, reason: Reason) -> None:
    """What it advises, and why."""
    found = hint(patience, position(patience, **piles))
    assert found is not None
    assert (str(found.move), found.reason) == (move, reason)


@settings(max_examples=60, deadline=None)
@given(patience=rules(), number=numbers(), line=choices())
def test_a_hint_is_allowed_and_there_unless_stuck(patience: Patience, number: int, line: list[int]) -> None:
    """Everywhere on any line: a hint is an allowed move; without one the deal is won or stuck."""
    where = patience.start(patience.lay(patience.pack(number), number))
    for choice in line[:150]:
        action = chosen(patience, where, choice)
        if action is None:
            break
        where = patience.play(where, move_of(action))
    found = hint(patience, where)
    if found is None:
        assert patience.won(where) or patience.stuck(where)
    else:
        assert patience.refusal(where, found.move) is None


@settings(max_examples=30, deadline=None)
@given(patience=rules(), number=numbers())
def test_following_the_hints_comes_to_an_end(patience: Patience, number: int) -> None:
    """Hints never go round in circles."""
    where = patience.start(patience.lay(patience.pack(number), number))
    for _ in range(700):
        found = hint(patience, where)
        if found is None:
            return
        where = patience.play(where, found.move)
    raise AssertionError("hints without end")
