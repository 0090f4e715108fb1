"""Carpet: layout, moves, end and Foster's way (docs/rules/carpet.md)."""

import pytest

from server.games.patience.carpet import CARPET, Carpet
from server.games.patience.layout import Position
from tests.games.patience.scenes import after, lies, position, refused

RULES = Carpet()
FOSTER = Carpet(foster=True)
ACES = {"foundation1": "AC", "foundation2": "AS", "foundation3": "AH", "foundation4": "AD"}


def four_aces(**piles: str) -> Position:
    """A position with the aces out."""
    return position(RULES, **{**ACES, **piles})


def test_1_the_layout() -> None:
    """Four aces, twenty cards in the carpet, twenty-eight in the stock."""
    pack = RULES.pack(1)
    laid = RULES.lay(pack, 1)
    assert laid.piles[:4] == (("AC",), ("AS",), ("AH",), ("AD",))
    assert tuple(RULES.cards(laid, name)[0] for name in CARPET) == pack[4:24]
    assert RULES.cards(laid, "stock")[::-1] == pack[24:]
    assert len(pack[24:]) == 28


def test_the_worked_example() -> None:
    """The seed's example: five cards out, five holes filled from the stock, the six of hearts waits for the five."""
    start = four_aces(carpet1="2D", carpet2="2S", carpet3="2H", carpet4="3D", carpet5="3S", stock="6H 5H 4H 3H KS KC")
    holes = after(RULES, start, *(f"move carpet{place} foundation" for place in (1, 2, 3, 4, 5)))
    assert lies(RULES, holes, "foundation2", "foundation3", "foundation4") == "AS 2S 3S, AH 2H, AD 2D 3D"
    filled = after(RULES, holes, *(f"move stock carpet{place}" for place in (1, 2, 3, 4, 5)))
    assert lies(RULES, filled, "carpet1", "carpet3", "stock") == "KC, 3H, 6H"
    waits = after(RULES, filled, "draw")
    assert refused(RULES, waits, "move waste foundation") == "does_not_fit"
    end = after(RULES, waits, *(f"move carpet{place} foundation" for place in (3, 4, 5)), "move waste foundation")
    assert lies(RULES, end, "foundation3") == "AH 2H 3H 4H 5H 6H"


def test_2_1_cards_of_the_carpet_stay() -> None:
    """They go to the foundations, never within the carpet, nor to the waste."""
    start = four_aces(carpet1="3C", carpet2="2C", waste="4C 5C")
    assert refused(RULES, start, "move carpet1 foundation") == "does_not_fit"
    assert refused(RULES, start, "move carpet1 carpet3") == "carpet_stays"
    assert refused(RULES, start, "move carpet1 carpet2") == "carpet_stays"
    assert refused(RULES, start, "move carpet1 waste") == "unknown_action"
    assert refused(RULES, start, "move waste foundation") == "does_not_fit"
    assert lies(RULES, after(RULES, start, "move carpet2 foundation", "move carpet1 foundation"), "foundation1") == (
        "AC 2C 3C"
    )


def test_2_2_holes_take_the_waste_and_only_without_it_the_stock() -> None:
    """At once or later."""
    start = four_aces(carpet1="9C", stock="5C 6C", waste="7C")
    assert refused(RULES, start, "move stock carpet2") == "waste_first"
    assert refused(RULES, start, "move waste carpet1") == "gap_taken"
    assert refused(RULES, start, "move stock foundation") == "draw_first"
    filled = after(RULES, start, "move waste carpet2", "move stock carpet7")
    assert lies(RULES, filled, "carpet2", "carpet7", "stock") == "7C, 6C, 5C"
    assert refused(RULES, four_aces(carpet1="9C"), "move stock carpet2") == "pile_empty"


def test_2_3_one_pass() -> None:
    """The waste is never turned over."""
    start = four_aces(carpet1="9C", stock="5C")
    end = after(RULES, start, "draw")
    assert refused(RULES, end, "draw") == "stock_empty"
    assert refused(RULES, end, "redeal") == "unknown_action"


def test_3_1_and_3_2_won_and_stuck() -> None:
    """A hole that can be filled keeps the deal alive, though stock and foundations give nothing."""
    assert RULES.won(four_aces())
    full = {f"carpet{place}": "KC" for place in range(1, 21)}
    assert RULES.stuck(four_aces(**full, waste="2C 9C"))
    assert not RULES.stuck(four_aces(**{**full, "carpet3": ""}, waste="2C 9C"))
    assert not RULES.stuck(four_aces(**full, waste="2C 9C", stock="3C"))
    assert RULES.stuck(four_aces(carpet1="9C"))


def test_3_3_every_foundation_move_is_safe() -> None:
    """From the carpet and from the waste."""
    assert str(RULES.safe(four_aces(carpet4="2H"))) == "move carpet4 foundation"
    assert str(RULES.safe(four_aces(waste="2H"))) == "move waste foundation"
    assert RULES.safe(four_aces(carpet4="3H", stock="2H")) is None


@pytest.mark.parametrize("number", range(1, 30))
def test_4_1_foster(number: int) -> None:
    """The aces stay in the pack; what fits goes out and holes are filled, by itself, until nothing fits."""
    pack = FOSTER.pack(number)
    laid = FOSTER.lay(pack, number)
    assert tuple(FOSTER.cards(laid, name)[0] for name in CARPET) == pack[:20]
    assert len(FOSTER.cards(laid, "stock")) == 32
    start = FOSTER.start(laid)
    assert FOSTER.safe(start) is None
    assert not FOSTER.cards(start, "waste")
    assert not FOSTER.cards(start, "stock") or all(FOSTER.cards(start, name) for name in CARPET)
    assert after(FOSTER, laid, *(str(move) for move in FOSTER.opening(laid))) == start


def test_4_1_then_the_base_rules_hold() -> None:
    """An ace that turns up later opens its foundation."""
    start = position(FOSTER, foundation2="AS", carpet1="9C", stock="KC AH")
    assert lies(FOSTER, after(FOSTER, start, "draw", "move waste foundation"), "foundation3") == "AH"
    assert RULES.opening(RULES.lay(RULES.pack(1), 1)) == ()
