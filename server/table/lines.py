"""One line of a log, and how it stands in the store: the shape that the logs of tables and of tournaments share.

An entry is what one accepted command did: when, who, under which id, and its events. Format 1 is
msgpack of a map of short keys; events stand in it as pairs of name and fields.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cattrs
import msgpack

from server.games.game import Millis, Seat

FORMAT: Final = 1
_PACK: Final = msgpack.Packer().pack
_OF_ENTRY: Final[dict[str, tuple[type[Any], ...]]] = {
    "t": (int,),
    "c": (str,),
    "i": (int,),
    "a": (str,),
    "s": (int, type(None)),
    "n": (bytes,),
}


class Unreadable(Exception):
    """An entry or snapshot that this server cannot read at all: its table stops, nothing is skipped."""


class NewerFormat(Unreadable):
    """Written by a newer server: the table is left to newer processes."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. `client` and `number` are the command's id; the server's clock has none.

    `nonce` is the writer's: with the version it tells this entry from any other.
    """

    version: int
    at: Millis
    client: str
    number: int
    asked: str
    seat: Seat | None
    events: tuple[Any, ...]
    nonce: bytes


def encode(line: LogLine, converter: cattrs.Converter) -> bytes:
    """The body of an entry."""
    events = [[type(event).__name__, converter.unstructure(event)] for event in line.events]
    packed: bytes = _PACK(
        {
            "f": FORMAT,
            "t": line.at,
            "c": line.client,
            "i": line.number,
            "a": line.asked,
            "s": line.seat,
            "n": line.nonce,
            "e": events,
        }
    )
    return packed


def decode(version: int, body: bytes, types: Mapping[str, type[Any]], converter: cattrs.Converter) -> LogLine:
    """The line in the body of an entry, whose events are of these types by name.

    Raises:
        NewerFormat, Unreadable
    """
    return structured(version, unpacked(f"entry {version}", body), types, converter)


def structured(
    version: int, plain: dict[str, Any], types: Mapping[str, type[Any]], converter: cattrs.Converter
) -> LogLine:
    """The line in an entry that is unpacked already.

    Raises:
        Unreadable
    """
    try:
        events = tuple(converter.structure(fields, types[name]) for name, fields in plain["e"])
        check_kinds(plain, _OF_ENTRY)
        return LogLine(version, plain["t"], plain["c"], plain["i"], plain["a"], plain["s"], events, plain["n"])
    except (KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, cattrs.BaseValidationError) as fault:
        raise Unreadable(f"entry {version}: {type(fault).__name__}") from None


def nonce(body: bytes) -> bytes:
    """The writer's nonce in the body of an entry.

    Raises:
        NewerFormat, Unreadable
    """
    found = unpacked("entry", body).get("n")
    if not isinstance(found, bytes):
        raise Unreadable("no nonce")
    return found


def unpacked(what: str, body: bytes) -> dict[str, Any]:
    """A body as a map, of a format that this server knows.

    Raises:
        NewerFormat, Unreadable
    """
    try:
        plain = msgpack.unpackb(body, use_list=True)
        written = plain["f"]
    except (ValueError, msgpack.UnpackException, KeyError, TypeError) as fault:
        raise Unreadable(f"{what}: {type(fault).__name__}") from None
    if not isinstance(written, int) or written < FORMAT:
        raise Unreadable(f"{what}: format {written}")
    if written > FORMAT:
        raise NewerFormat(f"{what}: format {written}")
    return dict(plain)


def check_kinds(plain: dict[str, Any], kinds: dict[str, tuple[type[Any], ...]]) -> None:
    """What the converter does not look at; raises what it raises."""
    for name, kind in kinds.items():
        if type(plain[name]) not in kind:
            raise TypeError(name)
