"""Entries and snapshots as bytes, each with a format number; every released format stays readable.

An entry is what one accepted command did: when, who, under which id, and its events. Format 1 is
msgpack of a map of short keys; events stand in it as pairs of name and fields.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, get_args

import cattrs
import msgpack
from cattrs.preconf.msgpack import make_converter

from server.games.catalogue import CATALOGUE
from server.games.game import Millis, Seat
from server.games.values import changed
from server.table import evolution
from server.table.clock import ticked
from server.table.events import Created, TableEvent, Talked
from server.table.ids import PlayerId, RecordId
from server.table.memory import Remembered, remember
from server.table.records import DealRecord
from server.table.state import Table

FORMAT: Final = 1
_CLOCK: Final = ""
_PACK: Final = msgpack.Packer().pack
_OF_ENTRY: Final[dict[str, tuple[type[Any], ...]]] = {
    "t": (int,),
    "c": (str,),
    "i": (int,),
    "a": (str,),
    "s": (int, type(None)),
    "n": (bytes,),
}
_OF_RECORD: Final[dict[str, tuple[type[Any], ...]]] = {"p": (bool,), "r": (list,), "d": (dict,)}


class Unreadable(Exception):
    """An entry or snapshot that this server cannot read at all: the table stops, nothing is skipped."""


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


def evolved(table: Table | None, events: Sequence[Any]) -> Table:
    """The table after events; those of the first entry open it.

    Raises:
        Unreadable: the first event opens no table.
    """
    if table is None:
        if not events or not isinstance(events[0], Created):
            raise Unreadable("the first entry opens no table")
        table, events = evolution.new_table(events[0]), events[1:]
    for event in events:
        table = evolution.evolve(table, event)
    return table


def settled(before: Table | None, table: Table, line: LogLine) -> Table:
    """The table after a line of its log, whose events it has: with the clocks gone on and the command remembered."""
    if before is not None:
        table = ticked(before, table, line.at)
    memory, watchers = table.memory, table.watchers_memory
    if line.client != _CLOCK:
        remembered = Remembered(line.number, line.asked, line.version, line.seat)
        if line.seat is None and isinstance(line.events[0], Talked):
            watchers = remember(watchers, line.client, remembered)  # however many talk, no seat's is pushed out
        else:
            memory = remember(memory, line.client, remembered)
    return changed(table, memory=memory, watchers_memory=watchers, at=line.at, version=line.version, nonce=line.nonce)


def encode(line: LogLine) -> bytes:
    """The body of an entry."""
    events = [[type(event).__name__, _CONVERTER.unstructure(event)] for event in line.events]
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


def decode(version: int, body: bytes, game_name: str | None) -> LogLine:
    """The line in the body of an entry; the game is that of the table, None for the first entry.

    Raises:
        NewerFormat, Unreadable
    """
    plain = _unpacked(f"entry {version}", body)
    try:
        if game_name is None:
            game_name = plain["e"][0][1]["game"]
        types = _event_types(game_name)
        events = tuple(_CONVERTER.structure(fields, types[name]) for name, fields in plain["e"])
        _check_kinds(plain, _OF_ENTRY)
        return LogLine(version, plain["t"], plain["c"], plain["i"], plain["a"], plain["s"], events, plain["n"])
    except (KeyError, TypeError, ValueError, IndexError, cattrs.BaseValidationError) as fault:
        raise Unreadable(f"entry {version}: {type(fault).__name__}") from None


def nonce(body: bytes) -> bytes:
    """The writer's nonce in the body of an entry.

    Raises:
        NewerFormat, Unreadable
    """
    found = _unpacked("entry", body).get("n")
    if not isinstance(found, bytes):
        raise Unreadable("no nonce")
    return found


def encode_record(record: DealRecord) -> bytes:
    """The body of a record."""
    packed: bytes = msgpack.packb({"f": FORMAT, "p": record.private, "r": list(record.readers), "d": record.plain})
    return packed


def decode_record(record: RecordId, body: bytes) -> DealRecord:
    """The record in its body.

    Raises:
        NewerFormat, Unreadable
    """
    plain = _unpacked("record", body)
    try:
        _check_kinds(plain, _OF_RECORD)
        return DealRecord(record, plain["p"], _readers(plain["r"]), plain["d"])
    except (KeyError, TypeError) as fault:
        raise Unreadable(f"record: {type(fault).__name__}") from None


def encode_snapshot(table: Table) -> bytes:
    """The body of a snapshot."""
    packed: bytes = msgpack.packb(
        {"f": FORMAT, "s": _CONVERTER.unstructure(changed(table, play=None)), "p": _CONVERTER.unstructure(table.play)}
    )
    return packed


def decode_snapshot(body: bytes) -> Table:
    """The table in the body of a snapshot.

    Raises:
        NewerFormat, Unreadable
    """
    plain = _unpacked("snapshot", body)
    try:
        table = _CONVERTER.structure(plain["s"], Table)
        play = _CONVERTER.structure(plain["p"], table.game.state_type)
    except (KeyError, TypeError, ValueError, cattrs.BaseValidationError) as fault:
        raise Unreadable(f"snapshot: {type(fault).__name__}") from None
    return changed(table, play=play)


def _unpacked(what: str, body: bytes) -> dict[str, Any]:
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


def _readers(plain: list[Any]) -> tuple[PlayerId, ...]:
    if not all(isinstance(reader, str) for reader in plain):
        raise TypeError("r")
    return tuple(plain)


def _check_kinds(plain: dict[str, Any], kinds: dict[str, tuple[type[Any], ...]]) -> None:
    """What the converter does not look at; raises what it raises."""
    for name, kind in kinds.items():
        if type(plain[name]) not in kind:
            raise TypeError(name)


@lru_cache
def _event_types(game_name: str) -> dict[str, type[Any]]:
    types: Sequence[type[Any]] = (*get_args(TableEvent), *CATALOGUE[game_name].event_types)
    return {one.__name__: one for one in types}


def _make_converter() -> cattrs.Converter:
    converter = make_converter()
    converter.register_unstructure_hook(Decimal, str)
    converter.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    return converter


_CONVERTER: Final = _make_converter()
