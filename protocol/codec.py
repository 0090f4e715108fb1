"""Frames to messages and back, for both subprotocols.

Decoding is strict and bounded: no frame, however built, makes more than a message, and what is no
message raises `Undecodable` (not the encoding), `UnknownType` or `BadField`.
"""

import json
from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from typing import Any, Final, NamedTuple

import msgpack
from pydantic import TypeAdapter, ValidationError

from protocol.client import FromClient

MAX_FRAME: Final = 16 * 1024
MAX_ITEMS: Final = 64


class Encoding(StrEnum):
    """The subprotocols of `/ws`, the server's first choice first."""

    MSGPACK = "kop.v1.msgpack"
    JSON = "kop.v1.json"


class Undecodable(ValueError):
    """The frame is not a map in the agreed encoding."""


class BadMessage(ValueError):
    """A map, but no message. `id` is the command's id where it could be read."""

    def __init__(self, detail: str, command_id: int | None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.command_id = command_id


class UnknownType(BadMessage):
    """The `type` is missing or not one of ours."""


class BadField(BadMessage):
    """A field is missing, unknown, of the wrong type or out of range."""


_MSGPACK: Final = Encoding.MSGPACK
_PACK: Final = msgpack.Packer().pack
_TO_JSON: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_CLIENT: Final[TypeAdapter[FromClient]] = TypeAdapter(FromClient)
_TAG_FAULTS: Final = frozenset({"union_tag_invalid", "union_tag_not_found"})


def unpack(frame: bytes, encoding: Encoding) -> dict[str, Any]:
    """The map in a frame.

    Raises:
        Undecodable: it is no map in this encoding, or nested or filled beyond the bounds.
    """
    try:
        match encoding:
            case Encoding.MSGPACK:
                plain = msgpack.unpackb(
                    frame, strict_map_key=True, max_array_len=MAX_ITEMS, max_map_len=MAX_ITEMS, max_ext_len=0
                )
            case Encoding.JSON:
                plain = json.loads(frame.decode())  # of bytes it would also take UTF-16 and half a character
    except (ValueError, msgpack.UnpackException, RecursionError) as fault:
        raise Undecodable(str(fault)) from None
    if not isinstance(plain, dict):
        raise Undecodable("not a map")
    return plain


def pack(plain: Any, encoding: Encoding) -> bytes:
    """The encoding of plain data: for a whole message or for a part that is spliced into one."""
    if encoding is _MSGPACK:
        packed: bytes = _PACK(plain)
        return packed
    return _TO_JSON(plain).encode()


class Entries(NamedTuple):
    """Some entries of a map, encoded, without its beginning and end."""

    number: int
    packed: bytes


def pack_entries(plain: dict[str, Any], encoding: Encoding) -> Entries:
    """The entries of a map that is put together of several such parts."""
    number, packed = len(plain), pack(plain, encoding)
    if encoding is _MSGPACK:
        return Entries(number, packed[len(_map_header(number)) :])
    return Entries(number, packed[1:-1])


def entry(name: str, packed: bytes, encoding: Encoding) -> Entries:
    """One entry, whose value is encoded already."""
    return Entries(1, _key(name, encoding) + packed)


@cache
def _key(name: str, encoding: Encoding) -> bytes:
    """The encoded name of an entry, up to its value: our messages have few."""
    return pack(name, encoding) + (b"" if encoding is _MSGPACK else b":")


def whole_map(parts: Sequence[Entries], encoding: Encoding) -> bytes:
    """The map that has the entries of all these parts, none of which is empty; no key may be in two of them."""
    numbers, packed = zip(*parts, strict=True)
    if encoding is _MSGPACK:
        return _map_header(sum(numbers)) + b"".join(packed)
    return b"{" + b",".join(packed) + b"}"


def begun_map(parts: Sequence[Entries], next_name: str, encoding: Encoding, later: int = 0) -> bytes:
    """The same map with one more entry, up to the value of that, and so many `later` ones.

    After the value comes `next_key` for each of those, and at last `MAP_END`.
    """
    begun = Entries(1 + later, _key(next_name, encoding))
    whole = whole_map([*parts, begun], encoding)
    return whole if encoding is _MSGPACK else whole[:-1]


def next_key(name: str, encoding: Encoding) -> bytes:
    """What stands between the value of an entry and that of a later one of this name."""
    return (b"" if encoding is _MSGPACK else b",") + _key(name, encoding)


MAP_END: Final = {Encoding.MSGPACK: b"", Encoding.JSON: b"}"}


@cache
def _map_header(number: int) -> bytes:
    return bytes((0x80 + number,)) if number < 16 else b"\xde" + number.to_bytes(2)


def decode(frame: bytes, encoding: Encoding) -> FromClient:
    """The client's message in a frame.

    Raises:
        Undecodable: the frame holds no map.
        UnknownType, BadField: the map is no message.
    """
    plain = unpack(frame, encoding)
    try:
        return _CLIENT.validate_python(plain)
    except ValidationError as fault:
        error = fault.errors(include_input=False, include_url=False, include_context=False)[0]
        command_id = plain.get("id")
        if type(command_id) is not int or not 0 < command_id < 2**53:
            command_id = None
        if error["type"] in _TAG_FAULTS and not error["loc"]:
            raise UnknownType("type", command_id) from None
        place = ".".join(str(part) for part in error["loc"][1:])
        words = "unknown or missing" if error["type"] in _TAG_FAULTS else error["msg"]  # which says the tag
        raise BadField(f"{place}: {words}"[:200], command_id) from None
