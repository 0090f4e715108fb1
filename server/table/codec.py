"""Entries and snapshots as bytes, each with a format number; every released format stays readable.

The shape of an entry stands in `lines`.
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, get_args

import cattrs
import msgpack
from cattrs.preconf.msgpack import make_converter

from server.games.catalogue import CATALOGUE
from server.games.values import changed
from server.table import evolution, lines
from server.table.clock import ticked
from server.table.events import Created, TableEvent, Talked
from server.table.ids import PlayerId, RecordId
from server.table.lines import FORMAT as FORMAT
from server.table.lines import LogLine as LogLine
from server.table.lines import NewerFormat as NewerFormat
from server.table.lines import Unreadable as Unreadable
from server.table.lines import nonce as nonce
from server.table.memory import Remembered, remember
from server.table.records import DealRecord
from server.table.state import Table

_CLOCK: Final = ""
_OF_RECORD: Final[dict[str, tuple[type[Any], ...]]] = {"p": (bool,), "r": (list,), "d": (dict,)}


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
    table = ticked(table if before is None else before, table, line.at)
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
    return lines.encode(line, _CONVERTER)


def decode(version: int, body: bytes, game_name: str | None) -> LogLine:
    """The line in the body of an entry; the game is that of the table, None for the first entry.

    Raises:
        NewerFormat, Unreadable
    """
    plain = lines.unpacked(f"entry {version}", body)
    try:
        types = _event_types(plain["e"][0][1]["game"] if game_name is None else game_name)
    except (KeyError, TypeError, IndexError) as fault:
        raise Unreadable(f"entry {version}: {type(fault).__name__}") from None
    return lines.structured(version, plain, types, _CONVERTER)


def encode_record(record: DealRecord) -> bytes:
    """The body of a record."""
    packed: bytes = msgpack.packb({"f": FORMAT, "p": record.private, "r": list(record.readers), "d": record.plain})
    return packed


def decode_record(record: RecordId, body: bytes) -> DealRecord:
    """The record in its body.

    Raises:
        NewerFormat, Unreadable
    """
    plain = lines.unpacked("record", body)
    try:
        lines.check_kinds(plain, _OF_RECORD)
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
    plain = lines.unpacked("snapshot", body)
    try:
        table = _CONVERTER.structure(plain["s"], Table)
        play = _CONVERTER.structure(plain["p"], table.game.state_type)
    except (KeyError, TypeError, ValueError, cattrs.BaseValidationError) as fault:
        raise Unreadable(f"snapshot: {type(fault).__name__}") from None
    return changed(table, play=play)


def _readers(plain: list[Any]) -> tuple[PlayerId, ...]:
    if not all(isinstance(reader, str) for reader in plain):
        raise TypeError("r")
    return tuple(plain)


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
