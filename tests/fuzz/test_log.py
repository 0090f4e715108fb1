"""Whatever bytes the store gives back, they are read as an entry, a snapshot or a record, or are unreadable."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.runtime.loading import load
from server.store.port import Snapshot
from server.table.codec import LogLine, Unreadable
from server.table.ids import Lifetime, TableId
from server.table.records import DealRecord
from server.table.state import Table
from tests.fuzz.bodies import Kept, kept, nearly
from tests.fuzz.script import Script
from tests.runtime.tables import Store

KINDS: dict[str, Any] = {"entry": LogLine, "snapshot": Table, "record": DealRecord}
KEPT = pytest.mark.parametrize("kind", KINDS)
SCRIPTS = st.binary(max_size=120)


def read(kind: str, script: Script) -> None:
    """Reads a body that is nearly right."""
    one = script.one_of([one for one in kept() if one.kind == kind])
    check(one.read(nearly(one, script)), KINDS[kind])


def check(found: LogLine | Table | DealRecord | None, kind: type[Any]) -> None:
    """It is unreadable, or all in it is of the kinds that it should be."""
    if found is None:
        return
    assert isinstance(found, kind)
    match found:
        case LogLine():
            kinds = [type(one) for one in (found.at, found.client, found.number, found.asked, found.nonce)]
            assert kinds == [int, str, int, str, bytes]
            assert found.seat is None or type(found.seat) is int
        case DealRecord():
            assert type(found.private) is bool
            assert isinstance(found.plain, dict)
            assert all(isinstance(reader, str) for reader in found.readers)


@KEPT
def test_what_was_written_is_read(kind: str) -> None:
    for one in kept():
        if one.kind == kind:
            assert isinstance(one.read(one.body), KINDS[kind])


@KEPT
@settings(deadline=None)
@given(body=st.binary(max_size=200))
def test_any_bytes_are_read_or_unreadable(kind: str, body: bytes) -> None:
    for game in (None, "kop", "zopf"):
        check(Kept(kind, game, b"").read(body), KINDS[kind])


@KEPT
@settings(max_examples=300, deadline=None)
@given(script=SCRIPTS)
def test_bodies_that_are_nearly_right_are_read_or_unreadable(kind: str, script: bytes) -> None:
    read(kind, Script(script))


@pytest.mark.long
@KEPT
@settings(max_examples=10_000, deadline=None)
@given(script=SCRIPTS)
def test_many_bodies_that_are_nearly_right(kind: str, script: bytes) -> None:
    read(kind, Script(script))


@settings(max_examples=60, deadline=None)
@given(script=SCRIPTS)
async def test_a_table_whose_log_is_nearly_right_is_loaded_or_unreadable(script: bytes) -> None:
    """Also where an entry can be read, but nothing that happened at the table."""
    chance, table = Script(script), TableId("t1")
    first = next(at for at, one in enumerate(kept()) if one.kind == "snapshot")
    entries = [one for one in kept()[:first] if one.kind == "entry"]
    spoilt = chance.below(len(entries))
    store = Store()
    for version, one in enumerate(entries, 1):
        body = nearly(one, chance) if version - 1 == spoilt else one.body
        await store.append(table, version, body, Lifetime.MATCH)
    if chance.below(2):
        snapshot = next(one for one in kept() if one.kind == "snapshot")
        await store.save_snapshot(table, Snapshot(len(entries), nearly(snapshot, chance)), Lifetime.MATCH)
    try:
        loaded = await load(table, store)
    except Unreadable:
        return
    assert loaded is None or isinstance(loaded.table, Table)
