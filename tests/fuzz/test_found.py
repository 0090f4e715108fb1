"""What fuzzing has found, made small: each stays mended."""

import json

import pytest

from protocol.codec import BadField, Encoding, decode
from tests.fuzz import raw
from tests.fuzz.stranger import said
from tests.servers import ServerProcess


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"HEAD / HTTP/2.0\r\n", 400),
        (b"HEAD /" + b"a" * 9000, 414),
        (b"HEAD / HTTP/1.1\r\n" + b"X: y\r\n" * 4000 + b"\r\n", 431),
        (b"HEAD /nothing HTTP/1.1\r\n\r\n", 404),
        (b"HEAD /ws HTTP/1.1\r\n\r\n", 405),
    ],
    ids=["version", "line", "headers", "page", "upgrade"],
)
async def test_a_head_that_is_refused_has_no_body(victim: ServerProcess, request_: bytes, status: int) -> None:
    """Also where the request is refused before it is read to its end."""
    heard, _ = await said(victim.port, request_)
    assert raw.heard(heard, head_only=True).status == status


def test_a_version_that_msgpack_cannot_say_is_a_bad_field() -> None:
    """A number that one encoding cannot say is no number of the other either."""
    hello = {"type": "hello", "protocol": 2**64, "instance": "abcdefgh", "name": "Ada"}
    with pytest.raises(BadField):
        decode(json.dumps(hello).encode(), Encoding.JSON)
