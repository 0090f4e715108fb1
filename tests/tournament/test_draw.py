"""The seed of a draw follows from the secret, the label and what entrants added, and from nothing else."""

import hashlib
import hmac
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.kop.fair import in_any_order
from server.tournament.draw import chance, commitment, draw_seed

SECRET = bytes(range(32))
LABEL = "tournament0123456789ab/1"
ADDED = ((3, bytes(32)), (17, b"\xff" * 32))


def test_known_answer() -> None:
    """The vector of docs/tournament-seating.md, and the same worked out byte by byte."""
    parts = [
        b"\x00\x00\x00\x24" + b"\x00\x00\x00\x03" + bytes(32),
        b"\x00\x00\x00\x24" + b"\x00\x00\x00\x11" + b"\xff" * 32,
        b"\x00\x00\x00\x18" + LABEL.encode(),
    ]
    assert draw_seed(SECRET, LABEL, ADDED) == hmac.digest(SECRET, b"".join(parts) + bytes(4), "sha256")
    assert draw_seed(SECRET, LABEL, ADDED).hex() == "06b5b64af61d12e993e27200657fe1ded200784534cf3f0569770f8eddfad904"
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_the_order_of_contributions_does_not_matter() -> None:
    """Entrants are taken by number; nobody, and who added nothing, are the same."""
    three = [*ADDED, (5, b"abc")]
    assert len({draw_seed(SECRET, LABEL, order) for order in permutations(three)}) == 1
    assert draw_seed(SECRET, LABEL, [*ADDED, (4, b"")]) == draw_seed(SECRET, LABEL, ADDED)


CONTRIBUTIONS = st.dictionaries(st.integers(0, 300), st.binary(min_size=1, max_size=40), max_size=4)


@given(CONTRIBUTIONS, CONTRIBUTIONS, st.text(max_size=8), st.text(max_size=8))
def test_draws_are_told_apart(one: dict[int, bytes], two: dict[int, bytes], a: str, b: str) -> None:
    """Two draws with the same secret have the same seed only if labels, numbers and bytes are the same."""
    same = (one, a) == (two, b)
    assert (draw_seed(SECRET, a, [*one.items()]) == draw_seed(SECRET, b, [*two.items()])) == same


def test_twice_the_same_entrant() -> None:
    """An entrant who contributes twice is a mistake of the caller."""
    with pytest.raises(ValueError, match="once"):
        draw_seed(SECRET, LABEL, [(1, b"a"), (1, b"b")])


def test_long_orders_are_even() -> None:
    """Numbers past a byte: in 3,000 orders of 300 things the first place is even over three thirds."""
    stream = chance(SECRET, "test")
    thirds = [0, 0, 0]
    for _ in range(3000):
        order = in_any_order(range(300), stream)
        thirds[order[0] // 100] += 1
    assert sorted(order) == [*range(300)]
    assert all(abs(count - 1000) < 6 * (3000 * 2 / 9) ** 0.5 for count in thirds)
