"""Burgvögtin and Archway: layout, moves, end and variants (docs/rules/burgvoegtin.md)."""

import pytest

from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import ARCH, PACKETS, Burgvoegtin
from server.games.patience.cards import SUITS
from server.games.patience.layout import Pile, Position
from tests.games.patience.scenes import after, lies, position, refused

RULES = Burgvoegtin()
STRICT = Burgvoegtin(strict=True)
OPEN = Burgvoegtin(open_packets=True)
ARCHWAY = Archway()
ACES = {f"foundation{place}": f"A{'CSHD'[place % 4]}" for place in range(1, 9)}


def eight_aces(rules: Burgvoegtin = RULES, /, **piles: str) -> Position:
    """A position with the aces out."""
    return position(rules, **{**ACES, **piles})


def test_1_the_layout() -> None:
    """Eight aces, four packets of twelve of which the top card is seen, the rest by rank in the arch."""
    pack = RULES.pack(1)
    laid = RULES.lay(pack, 1)
    assert [len(cards) for cards in laid.piles[:8]] == [1] * 8
    assert [RULES.cards(laid, packet) for packet in PACKETS] == [pack[8 + place : 56 : 4] for place in range(4)]
    assert sum(len(RULES.cards(laid, arch)) for arch in ARCH) == 48
    assert all(card[0] == arch[-1] for arch in ARCH for card in RULES.cards(laid, arch))
    assert [RULES.hidden(laid, Pile(packet, "packet")) for packet in PACKETS] == [11] * 4


def test_the_worked_example() -> None:
    """The seed's example: two of spades, three of clubs, and a four under it that follows; the jack waits."""
    start = eight_aces(packet1="6H 2S", packet2="9D JH", packet3="4C 3C", packet4="8S")
    assert refused(RULES, start, "move packet3 foundation") == "does_not_fit"
    two = after(RULES, start, "move packet1 foundation", "move packet3 foundation")
    assert lies(RULES, two, "foundation1", "packet1", "packet3") == "AS 2S 3C, 6H, 4C"
    three = after(RULES, two, "move packet3 foundation")
    assert lies(RULES, three, "foundation1") == "AS 2S 3C 4C"
    assert refused(RULES, three, "move packet2 foundation") == "does_not_fit"


def test_2_1_every_card_of_the_arch_is_free() -> None:
    """By its place in the pile, since twins and suits can lie anywhere in it; suits do not matter."""
    start = eight_aces(packet1="KC", arch2="2C 2H 2C")
    assert lies(RULES, after(RULES, start, "move arch2.2 foundation"), "arch2", "foundation1") == "2C 2C, AS 2H"
    assert refused(RULES, start, "move arch2.4 foundation") == "pile_empty"
    assert refused(RULES, start, "move arch2 foundation") == "unknown_action"
    assert refused(RULES, start, "move packet1.1 foundation") == "unknown_action"


def test_2_2_and_2_3_nothing_else_moves() -> None:
    """No card goes to a packet, an arch pile or back; nothing is drawn."""
    start = eight_aces(packet1="2C", arch3="3C")
    for action in (
        "move arch3.1 packet2",
        "move packet1 arch2",
        "move packet1 packet2",
        "move foundation1 packet2",
        "draw",
        "redeal",
    ):
        assert refused(RULES, start, action) == "unknown_action"


def test_3_1_and_3_2_won_and_stuck() -> None:
    """Won when all lies on the foundations, stuck when nothing fits."""
    assert RULES.won(eight_aces())
    assert not RULES.stuck(eight_aces())
    assert RULES.stuck(eight_aces(packet1="2C KC"))
    assert not RULES.stuck(eight_aces(packet1="2C KC", arch2="2D"))


def test_3_3_safe_moves() -> None:
    """A packet card whose rank lies nowhere else in the packets; arch cards only when the packets are gone."""
    seven = "2C 2C 2S 2S 2H 2H 2D"
    assert str(RULES.safe(eight_aces(packet1="9C 2D", arch2=seven))) == "move packet1 foundation"
    assert RULES.safe(eight_aces(packet1="2D 2D", arch2="2C 2C 2S 2S 2H 2H")) is None
    assert RULES.safe(eight_aces(packet1="KC", arch2=seven)) is None
    assert str(RULES.safe(eight_aces(arch2="2C"))) == "move arch2.1 foundation"


def test_4_1_strict() -> None:
    """The arch waits while a packet's top card fits."""
    piles = {"packet1": "9C 2S", "arch2": "2C"}
    assert refused(STRICT, eight_aces(STRICT, **piles), "move arch2.1 foundation") == "packet_first"
    assert refused(RULES, eight_aces(**piles), "move arch2.1 foundation") is None
    gone = after(STRICT, eight_aces(STRICT, **piles), "move packet1 foundation")
    assert refused(STRICT, gone, "move arch2.1 foundation") is None


def test_4_2_open_packets() -> None:
    """The aces stay in the pack; all is seen; those on top of a packet or in the arch go out at once."""
    pack = OPEN.pack(1)
    laid = OPEN.lay(pack, 1)
    assert sum(len(OPEN.cards(laid, packet)) for packet in PACKETS) <= 48
    assert all(card[0] != "A" for arch in ARCH for card in OPEN.cards(laid, arch))
    assert all(OPEN.cards(laid, packet)[-1][0] != "A" for packet in PACKETS)
    out = sum(len(cards) for cards in laid.piles[:8])
    assert out == sum(card[0] == "A" for card in pack[48:]) + 48 - sum(len(OPEN.cards(laid, one)) for one in PACKETS)
    assert [OPEN.hidden(laid, Pile(packet, "packet")) for packet in PACKETS] == [0] * 4


def test_4_2_a_bared_ace_goes_out_at_once() -> None:
    """Also two of them, as part of the same move."""
    start = position(OPEN, foundation1="AC", packet1="7C AC AD 2C")
    assert lies(OPEN, after(OPEN, start, "move packet1 foundation"), "foundation1", "foundation2", "packet1") == (
        "AC 2C, AD, 7C"
    )


def two_kinds(rules: Archway = ARCHWAY, /, **piles: str) -> Position:
    """A position of Archway with the aces and kings out."""
    bases = {f"{kind}{suit}": rank + suit for kind, rank in (("up", "A"), ("down", "K")) for suit in SUITS}
    return position(rules, **{**bases, **piles})


def test_5_1_and_5_2_archway() -> None:
    """Up and down in suit, from four open columns and an arch of thirteen ranks."""
    laid = ARCHWAY.lay(ARCHWAY.pack(1), 1)
    assert laid.piles[:8] == tuple((card,) for card in ("AC", "AS", "AH", "AD", "KC", "KS", "KH", "KD"))
    assert [len(cards) for cards in laid.piles[8:12]] == [12] * 4
    start = two_kinds(column1="QH 2H", archQ="QH QD", arch2="2H")
    assert refused(ARCHWAY, start, "move column1 down") == "does_not_fit"
    assert refused(ARCHWAY, start, "move archQ.2 up") == "does_not_fit"
    end = after(ARCHWAY, start, "move column1 up", "move archQ.1 down", "move archQ.1 down")
    assert lies(ARCHWAY, end, "upH", "downH", "downD", "column1") == "AH 2H, KH QH, KD QD, QH"


def test_5_2_an_empty_column_stays_empty() -> None:
    """Without the field nothing goes there; columns and foundations never."""
    start = two_kinds(column1="9C", arch5="5C")
    assert refused(ARCHWAY, start, "move arch5.1 column2") == "stays_empty"
    assert refused(ARCHWAY, start, "move column1 column2") == "stays_empty"
    assert refused(ARCHWAY, start, "move upC column2") == "unknown_action"


def test_5_3_columns_refill() -> None:
    """An empty column takes a card of the arch, and of nothing else."""
    rules = Archway(columns_refill=True)
    start = two_kinds(rules, column1="9C", arch5="5C 5D")
    assert lies(rules, after(rules, start, "move arch5.2 column2"), "column2", "arch5") == "5D, 5C"
    assert refused(rules, start, "move arch5.1 column1") == "gap_taken"
    assert refused(rules, start, "move column1 column2") == "stays_empty"


def test_5_4_meet() -> None:
    """A card crosses to the other foundation of its suit where it fits; ace and king stay."""
    piles = {"upC": "AC 2C", "downC": "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C"}
    rules = Archway(meet=True)
    assert refused(ARCHWAY, two_kinds(**piles), "move upC down") == "foundation_stays"
    down = after(rules, two_kinds(rules, **piles), "move upC down")
    assert lies(rules, down, "upC", "downC")[:2] == "AC"
    assert refused(rules, down, "move upC down") == "foundation_stays"
    assert after(rules, down, "move downC up") == two_kinds(rules, **piles)
    assert refused(rules, two_kinds(rules, **piles), "move downS up") == "foundation_stays"


def test_5_5_stuck_counts_what_crossing_allows() -> None:
    """A card that fits only after others have crossed leaves a way on; a refilled column does not."""
    piles = {"upC": "AC 2C 3C", "downC": "KC QC JC TC 9C 8C 7C 6C 5C 4C", "column1": "9C"}
    assert ARCHWAY.stuck(two_kinds(**piles))
    meets = Archway(meet=True)
    assert not meets.stuck(two_kinds(meets, **piles))
    crossed = two_kinds(meets, **piles)
    for _ in range(4):
        crossed = after(meets, crossed, "move downC up")
    assert refused(meets, crossed, "move column1 up") == "does_not_fit"
    assert lies(meets, after(meets, crossed, "move downC up", "move column1 up"), "column1") == ""
    refill = Archway(columns_refill=True)
    assert refill.stuck(two_kinds(refill, column1="9C", arch5="5C"))


@pytest.mark.parametrize(
    ("piles", "safe"),
    [
        ({"column1": "2C", "column2": "9H"}, None),
        ({"upC": "AC 2C 3C", "downC": "KC QC JC TC 9C 8C 7C 6C 5C 4C 3C", "column1": "2C"}, "move column1 down"),
        ({"arch2": "2C"}, "move arch2.1 up"),
    ],
)
def test_5_6_safe_moves(piles: dict[str, str], safe: str | None) -> None:
    """The second of two twins, and everything when the columns are gone; nothing with cards that cross."""
    found = ARCHWAY.safe(two_kinds(**piles))
    assert (None if found is None else str(found)) == safe
    assert Archway(meet=True).safe(two_kinds(**piles)) is None
