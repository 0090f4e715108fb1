"""The deck follows from secret, bytes, name and cut, and from nothing else; every deck is equally likely."""

import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.kop.fair import commitment, cut_deck, keystream, lot, shuffled
from server.games.kop.play import PACK
from tests.games.kop.fair_vectors import FILE, text, vectors

SECRETS = st.binary(min_size=32, max_size=32)
NOTHING = (b"", b"", b"", b"")
BYTES = st.tuples(*[st.sampled_from([b"", bytes(32), bytes(range(32))])] * 4)


def test_golden_vectors(update_golden: bool) -> None:
    """The vectors in docs are what the code gives."""
    if update_golden:
        FILE.write_text(text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == text()


def test_vectors_show_every_case() -> None:
    """Among the vectors are deals without, with some and with all seats' bytes, a cut, and an unopened seat."""
    seats = [[(bool(seat["bytes"]), seat["opened"]) for seat in deal["seats"]] for deal in vectors()["deals"]]
    parts = {sum(opened for _, opened in four) for four in seats}
    assert {0, 2, 4} <= parts
    assert any((True, False) in four for four in seats)
    assert len({deal["cut"] for deal in vectors()["deals"]}) > 3
    assert {one["dealer"] for one in vectors()["lots"]} == {0, 1, 2, 3}


@given(SECRETS, BYTES, st.integers(1, 15))
def test_a_deck_is_the_whole_pack(secret: bytes, opened: tuple[bytes, ...], cut: int) -> None:
    """Whatever is shuffled and cut, all sixteen cards are there once."""
    deck = shuffled(secret, opened, "t1/1/1")
    assert sorted(deck) == sorted(cut_deck(deck, cut)) == sorted(PACK)
    assert deck == shuffled(secret, opened, "t1/1/1")


def test_everything_that_goes_in_matters() -> None:
    """Another secret, other bytes, the same bytes at another seat, or another deal: another deck."""
    one = bytes(range(32))
    decks = {
        shuffled(one, NOTHING, "t1/1/1"),
        shuffled(bytes(32), NOTHING, "t1/1/1"),
        shuffled(one, NOTHING, "t1/1/2"),
        shuffled(one, NOTHING, "t1/11/1"),
        *(shuffled(one, (*NOTHING[:seat], one, *NOTHING[seat + 1 :]), "t1/1/1") for seat in range(4)),
        shuffled(one, (one, one, b"", b""), "t1/1/1"),
    }
    assert len(decks) == 9


@given(SECRETS, BYTES, BYTES, st.text("abc/019", min_size=1, max_size=20), st.text("abc/019", min_size=1, max_size=20))
def test_labels_are_told_apart(secret: bytes, one: tuple[bytes, ...], two: tuple[bytes, ...], a: str, b: str) -> None:
    """Two deals have the same keystream only if bytes and names are the same, seat for seat."""
    same = (one, a) == (two, b)
    assert (list(islice(keystream(secret, one, a), 32)) == list(islice(keystream(secret, two, b), 32))) == same
    assert list(islice(keystream(secret, (), a), 32)) != list(islice(keystream(secret, two, b), 32))


def test_keystream_is_what_is_written() -> None:
    """The first block is the HMAC of the parts with their lengths, the purpose, and a counter."""
    secret, own = bytes(32), bytes(range(32))
    label = bytes(4) + b"\x00\x00\x00\x20" + own + bytes(4) + bytes(4) + b"\x00\x00\x00\x06t1/1/1"
    blocks = [hmac.new(secret, label + bytes((0, 0, 0, number)), hashlib.sha256).digest() for number in range(2)]
    assert bytes(islice(keystream(secret, (b"", own, b"", b""), "t1/1/1"), 64)) == b"".join(blocks)


def test_every_card_comes_to_every_place_alike() -> None:
    """In 16,000 decks each card lies at each place about a thousand times: within six standard deviations."""
    counts: Counter[tuple[str, int]] = Counter()
    for number in range(16_000):
        deck = shuffled(number.to_bytes(32, "big"), NOTHING, "t1/1/1")
        counts.update((card, place) for place, card in enumerate(deck))
    assert len(counts) == 256
    assert max(abs(count - 1000) for count in counts.values()) < 6 * 1000**0.5


def test_seats_bytes_alone_spread_the_cards_too() -> None:
    """With one fixed secret of the server, one seat's bytes bring each card to each place alike."""
    counts: Counter[tuple[str, int]] = Counter()
    for number in range(8_000):
        deck = shuffled(bytes(32), (b"", b"", number.to_bytes(32, "big"), b""), "t1/1/1")
        counts.update((card, place) for place, card in enumerate(deck))
    assert max(abs(count - 500) for count in counts.values()) < 6 * 500**0.5


def test_the_lot_draws_every_seat_alike() -> None:
    """Each seat deals first about a quarter of the time."""
    counts = Counter(lot(number.to_bytes(32, "big"), 4, "t1/1/lot") for number in range(4_000))
    assert max(abs(counts[seat] - 1000) for seat in range(4)) < 6 * 750**0.5


@pytest.mark.parametrize("bound", range(2, 17))
def test_numbers_below_a_bound_are_equally_likely(bound: int) -> None:
    """Of the 256 bytes each number has the same count, and the rest is dropped: the first kept byte decides."""
    seen: Counter[int] = Counter()
    for number in range(2_000):
        secret = number.to_bytes(32, "big")
        first = next(byte for byte in keystream(secret, (), "x") if byte < 256 // bound * bound)
        assert lot(secret, bound, "x") == first % bound
        seen[first % bound] += 1
    assert set(seen) == set(range(bound))


def test_commitment_is_the_hash() -> None:
    """The commitment is the SHA-256 of the secret, in small hexadecimal digits."""
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_the_cut_puts_the_first_cards_below() -> None:
    """A cut of three lays the first three cards behind the others."""
    assert cut_deck(PACK, 3) == (*PACK[3:], *PACK[:3])
