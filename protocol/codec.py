"""Frames to messages and back, for both subprotocols.

Decoding is strict and bounded: no frame, however built, makes more than a message, and what is no
message raises `Undecodable` (not the encoding), `UnknownType` or `BadField`.
"""

import json
from enum import StrEnum
from typing import Any, Final

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
                plain = json.loads(frame)
    except (ValueError, msgpack.UnpackException, RecursionError) as fault:
        raise Undecodable(str(fault)) from None
    if not isinstance(plain, dict):
        raise Undecodable("not a map")
    return plain


def pack(plain: Any, encoding: Encoding) -> bytes:
    """The encoding of plain data: for a whole message or for a part that is spliced into one."""
    match encoding:
        case Encoding.MSGPACK:
            packed: bytes = msgpack.packb(plain)
            return packed
        case Encoding.JSON:
            return json.dumps(plain, ensure_ascii=False, separators=(",", ":")).encode()


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
        if error["type"] in _TAG_FAULTS:
            raise UnknownType("type", command_id) from None
        place = ".".join(str(part) for part in error["loc"][1:])
        raise BadField(f"{place}: {error['msg']}"[:200], command_id) from None
