"""Where frames end and what is in them, against those of the library."""

import pytest
from websockets.frames import Frame, Opcode

from server.endpoint.incoming import extent, is_simple, payload
from tests.endpoint.peers import noise

SIZES = [0, 1, 125, 126, 127, 65_535, 65_536, 100_000]
BEFORE = b"what came before"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("masked", [True, False])
def test_a_frame_ends_where_the_library_ends_it(size: int, masked: bool) -> None:
    """Of every length, masked or not, wherever it begins, and however much has come after it."""
    sent = noise(size)
    one = Frame(Opcode.BINARY, sent).serialize(mask=masked)
    told, end = extent(BEFORE + one + b"more", len(BEFORE))
    assert end == len(BEFORE) + len(one)
    assert is_simple(BEFORE + one, len(BEFORE)) is masked
    if masked:
        assert payload(BEFORE + one + b"more", told, end) == sent


@pytest.mark.parametrize("size", SIZES)
def test_the_end_is_known_as_soon_as_the_length_is(size: int) -> None:
    """Not a byte sooner or later, so that what is too long is refused before it has come."""
    one = Frame(Opcode.TEXT, noise(size)).serialize(mask=True)
    head = len(one) - size - 4
    assert [extent(one[:came], 0)[1] for came in range(head + 1)] == [0] * head + [len(one)]


@pytest.mark.parametrize(
    "one",
    [
        Frame(Opcode.TEXT, b"begun", fin=False),
        Frame(Opcode.CONT, b"ended"),
        Frame(Opcode.PING, b"?"),
        Frame(Opcode.PONG, b"!"),
        Frame(Opcode.CLOSE, b"\x03\xe8"),
        Frame(Opcode.BINARY, b"reserved", rsv1=True),
        Frame(Opcode.BINARY, b"reserved", rsv3=True),
    ],
    ids=lambda one: f"{one.opcode.name} {one.fin}",
)
def test_only_whole_messages_are_simple(one: Frame) -> None:
    """Everything else is the core's."""
    head = 0x80 * one.fin | 0x40 * one.rsv1 | 0x10 * one.rsv3 | one.opcode
    assert not is_simple(bytes((head, 0x80 | len(one.data))) + one.data, 0)
