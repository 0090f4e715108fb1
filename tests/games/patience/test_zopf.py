"""Zopf: layout, moves, end and variants (docs/rules/zopf.md)."""

from dataclasses import replace

import pytest

from server.games.patience.cards import RANK, SUIT, Cards
from server.games.patience.deals import stock_place
from server.games.patience.layout import Position
from server.games.patience.zopf import CORNERS, SIDES, Zopf
from tests.games.patience.scenes import after, lies, position, refused

RULES = Zopf()
FULL_C = "8C 9C TC JC QC KC AC 2C 3C 4C 5C 6C 7C"


def base_eight(rules: Zopf = RULES, /, **piles: str) -> Position:
    """A position with the eight of hearts as the base card."""
    return position(rules, **{"foundation5": "8H", **piles})


def test_1_2_the_layout() -> None:
    """20 cards in the braid, four corners, eight sides, the 33rd card as base card, 71 in the stock."""
    pack = RULES.pack(1)
    laid = RULES.lay(pack, 1)
    assert RULES.cards(laid, "braid") == pack[:20]
    assert tuple(RULES.cards(laid, name)[0] for name in (*CORNERS, *SIDES)) == pack[20:32]
    assert [cards for cards in laid.piles[:8] if cards] == [(pack[32],)]
    assert RULES.cards(laid, "stock")[::-1] == pack[33:]
    assert len(pack[33:]) == 71
    assert RULES.cards(laid, "waste") == ()


def test_the_worked_example() -> None:
    """The seed's example: nine, ten and jack of hearts, and the corner filled twice from the braid."""
    start = base_eight(
        braid="2D 7C JH", corner1="9H", corner2="4S", corner3="5S", corner4="6S", side1="2C", side5="TH", stock="3C"
    )
    one = after(RULES, start, "move corner1 foundation")
    assert lies(RULES, one, "foundation5", "corner1", "braid") == "8H 9H, JH, 2D 7C"
    two = after(RULES, one, "move side5 foundation", "move corner1 foundation")
    assert lies(RULES, two, "foundation5", "corner1", "braid", "side5") == "8H 9H TH JH, 7C, 2D, "
    assert refused(RULES, two, "move braid side5") == "braid_stays"
    assert lies(RULES, after(RULES, two, "draw", "move waste side5"), "side5") == "3C"


def test_1_3_round_the_corner_in_suit() -> None:
    """After the king the ace, after the ace the two, each in its suit; a full foundation takes no more."""
    start = base_eight(foundation5="8H 9H TH JH QH KH", side1="AH", side2="2H", side3="AD", side4="8H")
    assert refused(RULES, start, "move side2 foundation") == "does_not_fit"
    assert refused(RULES, start, "move side3 foundation") == "does_not_fit"
    end = after(RULES, start, "move side1 foundation", "move side2 foundation", "move side4 foundation")
    assert lies(RULES, end, "foundation5", "foundation6") == "8H 9H TH JH QH KH AH 2H, 8H"
    full = base_eight(foundation1=FULL_C, side1="8C", side2="9C")
    assert lies(RULES, after(RULES, full, "move side1 foundation"), "foundation2") == "8C"


def test_2_1_free_cards() -> None:
    """The braid's last card, corners, sides and the waste's top; nothing below them, and nothing comes back."""
    start = base_eight(braid="9H 2C", corner1="9H", side1="9H", waste="2S 9H", stock="9H")
    for source in ("corner1", "side1", "waste"):
        assert refused(RULES, start, f"move {source} foundation") is None
    assert refused(RULES, start, "move braid foundation") == "does_not_fit"
    assert refused(RULES, start, "move stock foundation") == "unknown_action"
    assert refused(RULES, start, "move foundation5 side2") == "unknown_action"
    assert refused(RULES, start, "move side2 foundation") == "pile_empty"


def test_2_2_an_empty_corner_takes_only_the_braid() -> None:
    """Without the automatic filling the player may fill it, with the braid's last card alone."""
    rules = Zopf(fill_corners=False)
    start = base_eight(rules, braid="3D 4D", corner1="9H", corner2="5C", side1="6C", waste="7C")
    gap = after(rules, start, "move corner1 foundation")
    assert lies(rules, gap, "corner1", "braid") == ", 3D 4D"
    for source in ("corner2", "side1", "waste"):
        assert refused(rules, gap, f"move {source} corner1") == "corner_needs_braid"
    assert refused(rules, gap, "move braid corner2") == "gap_taken"
    assert lies(rules, after(rules, gap, "move braid corner1"), "corner1", "braid") == "4D, 3D"


def test_2_2_without_braid_a_corner_stays_empty() -> None:
    """Nothing fills it any more."""
    gone = after(RULES, base_eight(corner1="9H", waste="2C"), "move corner1 foundation")
    assert lies(RULES, gone, "corner1") == ""
    assert refused(RULES, gone, "move waste corner1") == "corner_needs_braid"


def test_2_3_an_empty_side_takes_only_the_waste() -> None:
    """It may stay empty; the next card of the stock is drawn first."""
    start = base_eight(braid="3D", corner1="4D", side2="5D", waste="6D", stock="7D")
    assert refused(RULES, start, "move braid side1") == "braid_stays"
    assert refused(RULES, start, "move corner1 side1") == "braid_stays"
    assert refused(RULES, start, "move side2 side1") == "side_needs_waste"
    assert refused(RULES, start, "move waste side2") == "gap_taken"
    assert refused(RULES, start, "move stock side1") == "unknown_action"
    assert lies(RULES, after(RULES, start, "move waste side1", "draw"), "side1", "waste") == "6D, 7D"


def test_2_4_draw_one_by_one() -> None:
    """The stock's top card comes to the waste; the one below it is free when it has gone."""
    start = base_eight(stock="2C 9H", waste="3C")
    one = after(RULES, start, "draw")
    assert lies(RULES, one, "stock", "waste") == "2C, 3C 9H"
    assert lies(RULES, after(RULES, one, "move waste foundation", "move waste side1"), "side1") == "3C"
    assert refused(RULES, base_eight(waste="3C"), "draw") == "stock_empty"


def test_2_5_three_passes() -> None:
    """The waste is turned over twice, unshuffled, and only when the stock is empty."""
    start = base_eight(stock="3C 2C")
    assert refused(RULES, start, "redeal") == "stock_not_empty"
    second = after(RULES, start, "draw", "draw", "redeal")
    assert (lies(RULES, second, "stock", "waste"), second.passes) == ("3C 2C, ", 2)
    third = after(RULES, second, "draw", "draw", "redeal", "draw", "draw")
    assert refused(RULES, third, "redeal") == "no_redeal_left"
    assert refused(RULES, base_eight(), "redeal") == "pile_empty"


def test_3_1_won() -> None:
    """Won when nothing lies but on the foundations."""
    assert RULES.won(base_eight())
    assert not RULES.won(base_eight(waste="2C"))
    assert not RULES.stuck(base_eight())


def test_3_2_stuck() -> None:
    """Stuck: no foundation move, no gap that can be filled, no draw, no redeal."""
    sides = {f"side{place}": "2C" for place in range(1, 9)}
    end = base_eight(**sides, waste="3S", braid="4S", corner1="5S", corner2="5S", corner3="5S", corner4="5S")
    last = replace(end, passes=3)
    assert RULES.stuck(last)
    assert not RULES.stuck(end)
    without = Zopf(fill_corners=False)
    assert not without.stuck(replace(last, piles=_without(RULES, last, "corner1")))
    assert not RULES.stuck(replace(last, piles=_without(RULES, last, "side1")))


def _without(rules: Zopf, where: Position, name: str) -> tuple[Cards, ...]:
    return tuple(() if pile.name == name else cards for pile, cards in zip(rules.piles, where.piles, strict=True))


@pytest.mark.parametrize(
    ("piles", "safe"),
    [
        ({"side1": "8C"}, "move side1 foundation"),
        ({"side1": "9H"}, None),
        ({"side1": "9H", "foundation6": "8H"}, "move side1 foundation"),
        ({"foundation5": "8H 9H TH", "foundation6": "8H", "side1": "9H"}, "move side1 foundation"),
        ({"foundation5": "8H 9H TH", "foundation6": "8H", "side1": "JH"}, None),
    ],
)
def test_3_3_safe_moves(piles: dict[str, str], safe: str | None) -> None:
    """Base cards, the second of two twins, and a card whose two predecessors lie."""
    found = RULES.safe(base_eight(**piles))
    assert (None if found is None else str(found)) == safe


def test_4_1_long_braid() -> None:
    """24 cards in the braid, the 37th is the base card, 67 in the stock."""
    rules = Zopf(long_braid=True)
    pack = rules.pack(3)
    laid = rules.lay(pack, 3)
    assert rules.cards(laid, "braid") == pack[:24]
    assert rules.base(laid) == RANK[pack[36]]
    assert len(rules.cards(laid, "stock")) == 67


def test_4_2_up_or_down() -> None:
    """The first card on a base card decides for all foundations; the other way is then closed."""
    rules = Zopf(either_direction=True)
    start = replace(
        position(rules, foundation5="8H", foundation1="8C", side1="7H", side2="9C", side3="7C", side4="9H"), direction=0
    )
    down = after(rules, start, "move side1 foundation")
    assert down.direction == -1
    assert refused(rules, down, "move side2 foundation") == "does_not_fit"
    assert lies(rules, after(rules, down, "move side3 foundation"), "foundation1") == "8C 7C"
    up = after(rules, start, "move side2 foundation", "move side4 foundation")
    assert (up.direction, lies(rules, up, "foundation5")) == (1, "8H 9H")
    assert rules.lay(rules.pack(1), 1).direction == 0


def test_4_2_a_base_card_decides_nothing() -> None:
    """It is safe while the direction is open; other cards are not, even if both predecessors lie."""
    rules = Zopf(either_direction=True)
    start = replace(position(rules, foundation5="8H", side1="8H", side2="9H"), direction=0)
    assert str(rules.safe(start)) == "move side1 foundation"
    both = after(rules, start, "move side1 foundation")
    assert both.direction == 0
    assert rules.safe(both) is None
    assert str(rules.safe(after(rules, replace(both, direction=1)))) == "move side2 foundation"


def test_4_2_downwards_round_the_corner() -> None:
    """After the ace the king."""
    rules = Zopf(either_direction=True)
    start = replace(position(rules, foundation5="2H AH", side1="KH", side2="3H"), direction=-1)
    assert lies(rules, after(rules, start, "move side1 foundation"), "foundation5") == "2H AH KH"


def test_4_3_single_twins() -> None:
    """No card lies twice in the braid; the twins lie in the stock where the number puts them."""
    rules = Zopf(single_twins=True)
    number = next(n for n in range(1, 200) if len(set(rules.pack(n)[:20])) < 19)
    pack = rules.pack(number)
    laid = rules.lay(pack, number)
    braid = rules.cards(laid, "braid")
    assert len(set(braid)) == len(braid) == 20
    assert braid == tuple(dict.fromkeys(pack))[:20]
    aside = [card for place, card in enumerate(pack[: pack.index(braid[-1]) + 1]) if card in pack[:place]]
    assert len(aside) >= 2
    stock = list(pack[20 + len(aside) + 13 :])
    for turn, card in enumerate(aside, 1):
        stock.insert(stock_place(number, turn, len(stock)), card)
    assert list(rules.cards(laid, "stock")[::-1]) == stock


def test_4_3_the_player_may_decline() -> None:
    """With `keep_twins` the braid is laid as it comes."""
    rules = Zopf(single_twins=True)
    assert rules.lay(rules.pack(1), 1, keep_twins=True) == RULES.lay(RULES.pack(1), 1)


JUHL = Zopf(build_on_sides=True)


def test_4_4_rows_go_down_in_alternating_colours() -> None:
    """Red seven on black eight, king on ace; one card at a time; only the last card of a row is free."""
    start = base_eight(JUHL, side1="8S", side2="7D", side3="7C", side4="AH", side5="KS", side6="6S")
    assert refused(JUHL, start, "move side3 side1") == "does_not_fit"
    assert refused(JUHL, start, "move side1 side2") == "does_not_fit"
    row = after(JUHL, start, "move side2 side1", "move side6 side1", "move side5 side4")
    assert lies(JUHL, row, "side1", "side4", "side2") == "8S 7D 6S, AH KS, "
    back = after(JUHL, row, "move side1 side2")
    assert lies(JUHL, back, "side1", "side2") == "8S 7D, 6S"


def test_4_4_an_empty_side_takes_any_single_free_card() -> None:
    """From the waste or from a row; but a row's only card moving there would change nothing."""
    start = base_eight(JUHL, side1="8S 7D", side2="5S", waste="2C")
    assert lies(JUHL, after(JUHL, start, "move side1 side3"), "side3") == "7D"
    assert lies(JUHL, after(JUHL, start, "move waste side3"), "side3") == "2C"
    assert refused(JUHL, start, "move side2 side3") == "changes_nothing"
    assert JUHL.safe(base_eight(JUHL, side1="8C")) is None


def test_4_5_braid_builds() -> None:
    """Braid and corners go to rows and side gaps only with the field; the corner is then filled."""
    piles = {"side1": "8S", "braid": "2C 7D", "corner1": "7H", "corner2": "KC", "corner3": "KC", "corner4": "KC"}
    closed = base_eight(JUHL, **piles)
    for action in ("move braid side1", "move corner1 side1", "move braid side2", "move corner1 side2"):
        assert refused(JUHL, closed, action) == "braid_stays"
    rules = Zopf(build_on_sides=True, braid_builds=True)
    built = after(rules, base_eight(rules, **piles), "move corner1 side1")
    assert lies(rules, built, "side1", "corner1", "braid") == "8S 7H, 7D, 2C"
    assert lies(rules, after(rules, base_eight(rules, **piles), "move braid side2"), "side2") == "7D"


def test_4_6_stuck_looks_through_the_rows() -> None:
    """A card two rows deep still counts, if moves between rows bare it; else the deal is stuck."""
    others = {"side3": "2C", "side4": "2C", "side5": "2S", "side6": "2S", "side7": "4C", "side8": "4C"}
    under = base_eight(JUHL, side1="9H 6S", side2="7D", waste="5C", **others)
    assert not JUHL.stuck(replace(under, passes=3))
    assert lies(JUHL, after(JUHL, under, "move side1 side2", "move side1 foundation"), "foundation5") == "8H 9H"
    buried = base_eight(JUHL, side1="9H 6S", side2="7C", waste="5C", **others)
    assert JUHL.stuck(replace(buried, passes=3))
    assert not JUHL.stuck(buried)


def test_4_6_a_gap_among_the_rows_is_no_way_on_by_itself() -> None:
    """With stock and waste gone, rows that can be shifted for ever still leave a deal stuck."""
    sides = {f"side{place}": "2C 3S" for place in range(1, 8)}
    gap = base_eight(JUHL, **sides)
    assert JUHL.moves(gap)
    assert JUHL.stuck(gap)


def test_suits_have_their_own_foundations() -> None:
    """Foundations 1 and 2 are clubs, then spades, hearts, diamonds."""
    laid = RULES.lay(RULES.pack(9), 9)
    place = next(place for place, cards in enumerate(laid.piles[:8]) if cards)
    assert place == 2 * SUIT[laid.piles[place][0]]
