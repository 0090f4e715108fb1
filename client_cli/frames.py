"""Frames of the subprotocol `kop.v1.msgpack` to plain maps and back; nothing is validated."""

from typing import Any, Final

import msgpack

from client_cli.view import Message

SUBPROTOCOL: Final = "kop.v1.msgpack"
PROTOCOL: Final = 1
MAX_FRAME: Final = 4 * 1024 * 1024


class Garbage(Exception):
    """What came is no message of ours."""


def pack(message: Message) -> bytes:
    """The frame of a message."""
    frame: bytes = msgpack.packb(message)
    return frame


PING: Final = pack({"type": "ping"})


def unpack(frame: bytes) -> Message:
    """The message in a frame.

    Raises:
        Garbage: there is none; a server that sends such is not one of ours.
    """
    try:
        message: Any = msgpack.unpackb(frame)
    except (ValueError, msgpack.UnpackException) as fault:
        raise Garbage(str(fault)) from fault
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Garbage("no message")
    return message
