"""Numbered deals are PySolFC's (vectors made with pysol-cards 0.24), and hidden numbers are random ones."""

import random

import pytest

from server.games.patience.cards import PACK
from server.games.patience.deals import MOST, dealing_order, hidden_number, places_of, stock_place
from server.games.patience.options import PATIENCES
from server.games.patience.twister import fractions
from server.games.patience.zopf import Zopf

VECTORS = [
    (1, 1, "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S"),
    (1, 2, "QD QC KC 3C 4C 2C KD 5C 4D JD JS 6H"),
    (1, 617, "7D AD 5C 3S 5S 8C 2D AH TD 7S QD AC"),
    (1, 31999, "JD JH AD QH KH 6S 6D JC AC TH AS 8H"),
    (1, 32001, "4C AC JD 8H 5S 6S 6D KH JC 4S 7H TC"),
    (1, 123456789, "8H 2H JD 3D KH 6S 5D 6H 5S 3S 4S TS"),
    (1, 10000000000000000007, "AD 4C 5D 2D 3H 9C JD TS 4S 7H KC QD"),
    (1, 99999999999999999999, "KS JC TD 5C 2S 2C 3S 9D 4H 7S 4D 2H"),
    (2, 1, "3D 5H JC KH 5S 5H KC KC 8D JD AS 8C"),
    (2, 2, "7D 3S QS 7S 7H TD 9H 9D JD QS QC JC"),
    (2, 617, "KS 8C 5C 4D 4C 9D KD 9S 2C KC 9S 4C"),
    (2, 31999, "3D 5S 2H 7H AH QS JS 7S 9C AC 5S 3S"),
    (2, 32001, "8C AC JD 4S TH KH 5D 5H TS 9D 8S 7D"),
    (2, 123456789, "2S 4C JD 8H 4H AD AD KD KH 8H QH QD"),
    (2, 10000000000000000007, "AH 7C JH 5H 8C 5S 2D 9D JH 8S 3H 8C"),
    (2, 99999999999999999999, "QD 9S 8D 9C 6H 4C 7H 7D AS 4D 6D JC"),
]
"""Packs, number, and the first twelve cards from the end of the shuffled deck."""


@pytest.mark.parametrize(("packs", "number", "first"), VECTORS)
def test_a_number_gives_pysolfcs_cards(packs: int, number: int, first: str) -> None:
    """The cards of a deal, in the order in which they are dealt."""
    found = dealing_order(number, packs)
    assert " ".join(found[:12]) == first
    assert sorted(found) == sorted(PACK * packs)


def test_carpet_one() -> None:
    """Carpet 1 begins JD 2D 9H JC 5D, as in PySolFC."""
    rules = PATIENCES["carpet"]()
    laid = rules.lay(rules.pack(1), 1)
    assert [laid.piles[rules.index[f"carpet{place}"]][0] for place in range(1, 6)] == ["JD", "2D", "9H", "JC", "5D"]


@pytest.mark.parametrize("number", [1, 31_999, 32_000, 2**32, 2**64 + 17, MOST])
def test_the_twister_is_pythons(number: int) -> None:
    """The written-out generator gives what Python's own gives, with the same seed."""
    found = fractions(number)
    python = random.Random(number)
    assert [next(found) for _ in range(300)] == [python.random() for _ in range(300)]


@pytest.mark.parametrize("number", [0, -1, MOST + 1])
def test_no_such_number(number: int) -> None:
    """Numbers go from 1 to twenty digits."""
    with pytest.raises(ValueError, match="no deal has the number"):
        dealing_order(number, 1)


def test_cards_laid_out_beforehand_come_first() -> None:
    """Aces, or one ace and king of each suit, are taken out of the shuffled deck; the rest keeps its order."""
    plain = dealing_order(5, 2)
    aces = dealing_order(5, 2, places_of("A", 2))
    assert aces[:8] == ("AC", "AC", "AS", "AS", "AH", "AH", "AD", "AD")
    assert aces[8:] == tuple(card for card in plain if card[0] != "A")
    both = dealing_order(5, 2, places_of("A", 1) | places_of("K", 1))
    assert both[:8] == ("AC", "AS", "AH", "AD", "KC", "KS", "KH", "KD")
    assert sorted(both) == sorted(plain)


def test_hidden_numbers_have_twenty_digits() -> None:
    """From 32 bytes: the smallest, the largest, and in between different ones."""
    assert hidden_number(bytes(32)) == 10**19
    assert len({hidden_number(bytes([seed]) * 32) for seed in range(256)}) == 256
    assert all(10**19 <= hidden_number(bytes([seed]) * 32) <= MOST for seed in range(256))


@pytest.mark.parametrize(
    ("number", "turn", "size", "place"),
    [(1, 1, 71, 63), (1, 2, 72, 19), (12345678901234567890, 1, 70, 33), (31999, 3, 71, 66)],
)
def test_where_a_twin_goes(number: int, turn: int, size: int, place: int) -> None:
    """Vectors of the documented function (zopf 4.3)."""
    assert stock_place(number, turn, size) == place


def test_variants_use_the_same_shuffled_pack() -> None:
    """The pack of a number does not depend on the variants, but for aces that stay in it."""
    assert Zopf(long_braid=True, single_twins=True).pack(7) == Zopf().pack(7)
