"""Whatever bytes a frame holds, reading it gives a message or the codec's own refusal, in bounded memory."""

import json
import tracemalloc
from collections.abc import Iterator
from typing import Any

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.client import ClientMessage, FromClient
from protocol.codec import MAX_FRAME, BadField, BadMessage, Encoding, Undecodable, decode, pack
from tests.fuzz import messages, strange
from tests.fuzz.script import Script

ENCODINGS = pytest.mark.parametrize("encoding", list(Encoding), ids=["msgpack", "json"])
TYPES = pytest.mark.parametrize("kind", messages.types(), ids=messages.NAMES)
SCRIPTS = st.binary(max_size=160)
MOST_BYTES = 4 * 1024 * 1024
"""Memory that reading one frame may take for a while."""


def read(frame: bytes, encoding: Encoding) -> FromClient | None:
    """The message in a frame, None if it is refused as it should be."""
    try:
        message = decode(frame, encoding)
    except Undecodable:
        return None
    except BadMessage as fault:
        detail = fault.detail
    else:
        assert isinstance(message, ClientMessage)
        return message
    assert len(detail) <= 200
    assert strange.SECRET not in detail
    pack(detail, encoding)  # it can be told
    return None


@ENCODINGS
@settings(deadline=None)
@given(frame=st.binary(max_size=200))
def test_any_bytes_are_a_message_or_refused(encoding: Encoding, frame: bytes) -> None:
    read(frame, encoding)


@ENCODINGS
@settings(max_examples=400, deadline=None)
@given(script=SCRIPTS)
def test_messages_that_are_nearly_right_are_a_message_or_refused(encoding: Encoding, script: bytes) -> None:
    read(strange.frame(Script(script), encoding), encoding)


@pytest.mark.long
@ENCODINGS
@settings(max_examples=20_000, deadline=None)
@given(script=SCRIPTS)
def test_many_messages_that_are_nearly_right(encoding: Encoding, script: bytes) -> None:
    read(strange.frame(Script(script), encoding), encoding)


@ENCODINGS
@TYPES
@settings(max_examples=30, deadline=None)
@given(script=SCRIPTS)
@example(script=b"")
@example(script=b"\xff" * 64)
def test_a_valid_message_is_read_alike_in_both_encodings(
    encoding: Encoding, kind: type[ClientMessage], script: bytes
) -> None:
    """It is what it was, and says itself again in the same words."""
    plain = messages.valid(kind, Script(script))
    message = decode(pack(plain, encoding), encoding)
    assert message == kind.model_validate(plain)
    assert decode(pack(message.model_dump(), encoding), encoding) == message


@ENCODINGS
@TYPES
def test_a_strange_value_in_any_field_is_refused_or_fits(encoding: Encoding, kind: type[ClientMessage]) -> None:
    """Every strange value in every field: strict, so that what is read is what was said."""
    whole = messages.valid(kind, Script(b"\xff" * 64))
    for name in (*whole, "unknown"):
        for value in strange.VALUES:
            if encoding is Encoding.JSON and isinstance(value, bytes | tuple | msgpack.Timestamp):
                continue  # JSON cannot say it
            pairs = list({**whole, name: value}.items())
            message = read(strange.encoded(pairs, encoding), encoding)
            if message is not None and name != "type":
                said = getattr(message, name)
                assert (said, type(said)) == (value, type(value)), (name, value)


@ENCODINGS
def test_what_is_refused_never_says_a_value(encoding: Encoding) -> None:
    """A token or a code in the wrong place is not repeated in the refusal."""
    for kind in messages.types():
        whole = messages.valid(kind, Script(b"\xff" * 64))
        for name in whole:
            for wrong in (strange.SECRET, [strange.SECRET], {"a": strange.SECRET}, strange.SECRET * 20):
                frame = strange.encoded(list({**whole, name: wrong}.items()), encoding)
                read(frame, encoding)


@ENCODINGS
def test_an_unknown_order_is_a_bad_field_that_says_no_value(encoding: Encoding) -> None:
    """The type of the message is known; and the word is not repeated."""
    whole = {"type": "tournament_direct", "id": 7, "tournament": "t", "after": 0, "order": {"order": strange.SECRET}}
    with pytest.raises(BadField, match="order: unknown") as refused:
        decode(pack(whole, encoding), encoding)
    assert strange.SECRET not in refused.value.detail
    assert refused.value.command_id == 7


def frames_that_grow(encoding: Encoding) -> Iterator[bytes]:
    """Bombs, and the widest values within the limits."""
    yield from strange.BOMBS[encoding]
    for value in strange.VALUES:
        yield strange.encoded([("type", "create"), ("id", 1), ("options", value)], encoding)[:MAX_FRAME]


@ENCODINGS
def test_no_frame_grows_beyond_a_few_megabytes(encoding: Encoding) -> None:
    read(b"", encoding)  # what the first call keeps for ever
    for frame in frames_that_grow(encoding):
        assert len(frame) <= MAX_FRAME
        tracemalloc.start()
        try:
            read(frame, encoding)
            assert tracemalloc.get_traced_memory()[1] < MOST_BYTES, frame[:40]
        finally:
            tracemalloc.stop()


def test_every_pattern_of_the_contract_has_examples() -> None:
    """So that a new field with a pattern of its own is not left out."""
    found: set[str] = set()

    def look(part: Any) -> None:
        if isinstance(part, dict):
            found.update(value for key, value in part.items() if key == "pattern" and isinstance(value, str))
            for value in part.values():
                look(value)
        elif isinstance(part, list):
            for value in part:
                look(value)

    look(TypeAdapter(FromClient).json_schema())
    assert found == set(messages.PATTERNS)


def test_every_number_of_the_contract_is_bounded() -> None:
    """So that both encodings, and clients in every language, can say the same numbers."""
    unbounded: list[str] = []

    def look(part: Any, place: str) -> None:
        if isinstance(part, dict):
            if part.get("type") == "integer" and not {"minimum", "maximum"} <= part.keys():
                unbounded.append(place)
            for key, value in part.items():
                look(value, f"{place}.{key}")
        elif isinstance(part, list):
            for number, value in enumerate(part):
                look(value, f"{place}.{number}")

    look(TypeAdapter(FromClient).json_schema(), "")
    assert not unbounded


@pytest.mark.parametrize("name", ["utf-16", "utf-32", "utf-8-sig"])
def test_json_is_utf_8_and_nothing_else(name: str) -> None:
    """Half a character is bad there too, and so is a byte order mark."""
    plain = '{"type": "ping"}'
    assert decode(plain.encode(), Encoding.JSON) is not None
    with pytest.raises(Undecodable):
        decode(plain.encode(name), Encoding.JSON)
    with pytest.raises(Undecodable):
        decode(json.dumps({"type": "x"}).encode().replace(b"x", b"\xed\xa0\x80"), Encoding.JSON)
