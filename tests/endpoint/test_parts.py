"""The views in parts: whatever is kept, what is sent is the view as it is now."""

import json
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings

from protocol.codec import MAP_END, Encoding, begun_map, entry, next_key, pack, pack_entries, whole_map
from server.endpoint.parts import PackedTable
from server.games.game import RuleViolation, Seat
from server.table import view
from server.table.state import Table
from tests.table.scenes import Log
from tests.table.walks import command, walks, young_walks

ENCODINGS = list(Encoding)


def unpacked(packed: bytes, encoding: Encoding) -> Any:
    """The plain data."""
    return msgpack.unpackb(packed) if encoding is Encoding.MSGPACK else json.loads(packed)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("number", [1, 14, 15, 16, 17, 300])
def test_a_map_may_be_put_together_of_parts(encoding: Encoding, number: int) -> None:
    """However its entries are divided, and with a last one that comes later, it is the same map."""
    plain = {f"key {place}": [place, "słup", None] for place in range(number)}
    cut = number // 3
    parts = [dict(list(plain.items())[:cut]), dict(list(plain.items())[cut:])]
    entries = [pack_entries(part, encoding) for part in parts if part]
    assert whole_map(entries, encoding) == pack(plain, encoding)
    assert whole_map([*entries, entry("last", pack(True, encoding), encoding)], encoding) == pack(
        {**plain, "last": True}, encoding
    )
    begun = begun_map(entries, "last", encoding)
    assert begun + pack([1], encoding) + MAP_END[encoding] == pack({**plain, "last": [1]}, encoding)
    begun = begun_map(entries, "last but one", encoding, later=1) + pack([1], encoding)
    assert begun + next_key("last", encoding) + pack(2, encoding) + MAP_END[encoding] == pack(
        {**plain, "last but one": [1], "last": 2}, encoding
    )


def states(log: Log, numbers: list[int]) -> list[Table]:
    """The states of a walk."""
    found = [log.table]
    for number in numbers:
        try:
            log.do(command(log, number))
        except RuleViolation:
            continue
        found.append(log.table)
    return found


def check(tables: list[Table]) -> None:
    """Told forwards, and backwards as after a restore, every state is shown as if it were the first."""
    for encoding in ENCODINGS:
        shown = PackedTable(encoding)
        for table in (*tables, *reversed(tables)):
            assert unpacked(shown.public(table), encoding) == unpacked(pack(view.public(table), encoding), encoding)
            for seat in map(Seat, range(len(table.seats))):
                assert unpacked(shown.own(table, seat), encoding) == unpacked(
                    pack(view.own(table, seat), encoding), encoding
                )


@given(walks())
@settings(max_examples=20)
def test_what_is_kept_is_never_stale(walk: tuple[Log, list[int]]) -> None:
    """Whatever people do at a table."""
    check(states(*walk))


@given(young_walks())
@settings(max_examples=20)
def test_nor_before_the_first_match(walk: tuple[Log, list[int]]) -> None:
    """While people sit down and agree."""
    check(states(*walk))
