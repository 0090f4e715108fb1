"""A store over a real cluster: what moves, dies and comes back; the contract itself runs on it too."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store.cluster import SLOTS, probe_key, read_map, slot_of
from server.store.keys import log_key, process_channel
from server.store.port import Appended, Lifetime, ProcessId, StoreAway, TableId
from server.store.redis_store import RedisStore
from tests.store.clusters import Cluster, ClusterServer, running_cluster
from tests.store.conftest import SETTINGS, until

MATCH = Lifetime.MATCH


@pytest.fixture
async def own_cluster(tmp_path: Path) -> AsyncIterator[Cluster]:
    """A cluster of the test's own, to be hurt."""
    async with running_cluster(tmp_path) as cluster:
        yield cluster


async def goes_on(store: RedisStore) -> None:
    async def back() -> bool:
        return not (await store.health()).away

    await until(back)


async def keys_of(server: ClusterServer) -> set[bytes]:
    return set(await server.ask("KEYS", "*"))


async def test_any_server_leads_to_the_cluster(cluster: Cluster, table: TableId) -> None:
    """A store opened at one server is the store opened at another; its tables are spread over all."""
    first, *others = [await RedisStore.open(server.url, SETTINGS) for server in cluster.servers]
    tables = [TableId(f"{table}-{number}") for number in range(60)]
    outcomes = await asyncio.gather(*(first.append(name, 1, name.encode(), MATCH) for name in tables))
    assert set(outcomes) == {Appended.STORED}
    for other in others:
        for name in tables:
            entry = await other.entry(name, 1)
            assert entry is not None
            assert entry.body == name.encode()
    logs = {log_key(name).encode() for name in tables}
    shares = [len(logs & await keys_of(server)) for server in cluster.servers]
    assert sum(shares) == len(tables)
    assert all(shares)
    for store in (first, *others):
        await store.close()


async def test_all_processes_have_one_clock(cluster: Cluster) -> None:
    """Whatever server a store was opened at, its clock is that of the same server."""
    stores = [await RedisStore.open(server.url, SETTINGS) for server in cluster.servers]
    times = [store.now() for store in stores]
    assert max(times) - min(times) < 500
    for store in stores:
        await store.close()


async def test_a_killed_server_pauses_the_store_and_loses_nothing(own_cluster: Cluster) -> None:
    """A kill -9 of one server under load: the store is away, goes on after its restart, nothing is lost or doubled."""
    store = await RedisStore.open(own_cluster.url, SETTINGS)
    told: dict[TableId, int] = {}
    was_away = 0

    async def play(table: TableId, until_version: int) -> None:
        nonlocal was_away
        while told.get(table, 0) < until_version:
            version = told.get(table, 0) + 1
            try:
                outcome = await store.append(table, version, b"%d" % version, MATCH)
            except StoreAway:
                was_away += 1
                await asyncio.sleep(0.01)
                continue
            assert outcome in (Appended.STORED, Appended.BEHIND)  # BEHIND: stored, but the answer was lost
            told[table] = version

    async def kill_amid() -> None:
        async def warm() -> bool:
            return min(told.values(), default=0) > 20

        await until(warm)
        own_cluster.servers[0].kill()

        async def noticed() -> bool:
            return was_away > 0

        await until(noticed)
        own_cluster.servers[0].start()

    tables = [TableId(f"table-{number}") for number in range(30)]
    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(play(table, 200))
        group.create_task(kill_amid())
    for table in tables:
        entries = await store.read(table, 0)
        assert [(entry.version, entry.body) for entry in entries] == [(n, b"%d" % n) for n in range(1, 201)]
    await store.close()


async def test_a_replica_that_takes_over_is_followed(own_cluster: Cluster, tmp_path: Path) -> None:
    """The server that the URL names dies for good: another one tells who holds its slots now, and play goes on."""
    master = own_cluster.servers[0]
    replica = await own_cluster.take_back_up(tmp_path / "replica", master)
    store = await RedisStore.open(own_cluster.url, SETTINGS)
    tables = [TableId(f"table-{number}") for number in range(30)]
    outcomes = await asyncio.gather(*(store.append(name, 1, b"one", MATCH) for name in tables))
    assert set(outcomes) == {Appended.STORED}

    async def is_copied() -> bool:
        found = await replica.ask("INFO", "replication")
        return bool(found["master_link_status"] == "up") and await keys_of(replica) == await keys_of(master)

    await until(is_copied)
    master.kill()
    for name in tables:
        await append_at_last(store, name, 2)
    for name in tables:
        assert [entry.version for entry in await store.read(name, 0)] == [1, 2]
    await store.close()


async def append_at_last(store: RedisStore, table: TableId, version: int) -> None:
    async def stored() -> bool:
        try:
            outcome = await store.append(table, version, b"", MATCH)
        except StoreAway:
            return False
        return outcome in (Appended.STORED, Appended.BEHIND)

    await until(stored)


async def test_a_slot_that_moves_is_followed(own_cluster: Cluster) -> None:
    """A table whose slot went to another server with its log, and a channel that did, are found there."""
    store = await RedisStore.open(own_cluster.url, SETTINGS)
    giver, taker, bystander = own_cluster.servers
    name = next(f"t{number}" for number in range(SLOTS) if slot_of(f"{{t{number}}}") < SLOTS // 3)
    table, process, slot = TableId(name), ProcessId(name), slot_of(f"{{{name}}}")
    assert slot_of(log_key(table)) == slot_of(process_channel(process)) == slot
    heard: list[bytes] = []
    missed: list[None] = []
    await store.listen(process, heard.append, lambda: missed.append(None))
    assert await store.append(table, 1, b"one", MATCH) is Appended.STORED
    await move(slot, giver, taker, bystander)
    with pytest.raises(StoreAway):
        await store.append(table, 2, b"two", MATCH)
    await goes_on(store)
    assert await store.append(table, 2, b"two", MATCH) is Appended.STORED
    assert [entry.body for entry in await store.read(table, 0)] == [b"one", b"two"]

    async def hears() -> bool:
        store.tell(process, b"hello")
        return bool(heard) and bool(missed)

    await until(hears)
    await store.close()


async def move(slot: int, giver: ClusterServer, taker: ClusterServer, bystander: ClusterServer) -> None:
    """Hands a slot over with all its keys, as an operator's tool does."""
    taker_id, giver_id = [(await server.ask("CLUSTER MYID")).decode() for server in (taker, giver)]
    await taker.ask("CLUSTER SETSLOT", slot, "IMPORTING", giver_id)
    await giver.ask("CLUSTER SETSLOT", slot, "MIGRATING", taker_id)
    keys = await giver.ask("CLUSTER GETKEYSINSLOT", slot, 100)
    await giver.ask("MIGRATE", "127.0.0.1", taker.port, "", 0, 5_000, "KEYS", *keys)
    for server in (taker, giver, bystander):
        await server.ask("CLUSTER SETSLOT", slot, "NODE", taker_id)


async def test_health_tells_of_every_server(own_cluster: Cluster) -> None:
    """One careless server among three is named; the same fault at several is said once."""
    store = await RedisStore.open(own_cluster.url, SETTINGS)
    assert (await store.health()).warnings == ()
    for server in own_cluster.servers[1:]:
        await server.ask("CONFIG SET", "appendfsync", "everysec")
    [warning] = (await store.health()).warnings
    assert "everysec" in warning
    await store.close()


async def test_one_full_server_is_enough_to_be_away(own_cluster: Cluster) -> None:
    """The store is not back before each server takes a write."""
    store = await RedisStore.open(own_cluster.url, SETTINGS)
    full = own_cluster.servers[1]
    await full.ask("CONFIG SET", "maxmemory", 1)
    tables = [TableId(f"table-{number}") for number in range(30)]
    outcomes = await asyncio.gather(*(store.append(name, 1, b"", MATCH) for name in tables), return_exceptions=True)
    assert any(isinstance(outcome, StoreAway) for outcome in outcomes)
    assert (await store.health()).away
    with pytest.raises(StoreAway):
        await RedisStore.open(own_cluster.url, SETTINGS)
    await full.ask("CONFIG SET", "maxmemory", 0)
    await goes_on(store)
    again = await asyncio.gather(*(store.append(name, 1, b"", MATCH) for name in tables))
    assert set(again) <= {Appended.STORED, Appended.BEHIND}
    await store.close()


def server(host: bytes | None, port: int) -> list[object]:
    return [host, port, b"id", []]


def test_a_map_names_masters_and_replicas() -> None:
    """Ranges of one master are put together; a server that does not tell its host is the one that was asked."""
    answer = [
        [0, 99, server(b"one", 1), server(b"spare", 9)],
        [100, 8_000, server(None, 2)],
        [8_001, SLOTS - 1, server(b"one", 1), server(b"", 8)],
    ]
    found = read_map(answer, "asked")
    assert found.masters == {("one", 1): (range(100), range(8_001, SLOTS)), ("asked", 2): (range(100, 8_001),)}
    assert found.replicas == {("spare", 9), ("asked", 8)}


@pytest.mark.parametrize("gap", [[], [[0, SLOTS - 2, server(b"one", 1)]]], ids=["none", "the last"])
def test_a_map_with_a_gap_is_no_store(gap: list[list[object]]) -> None:
    """While slots are nobody's the store is away."""
    with pytest.raises(StoreAway, match="slots"):
        read_map(gap, "asked")


def test_each_server_has_a_key_to_be_probed_with() -> None:
    """The same key for the same slots, in one of them."""
    for slots in ((range(SLOTS),), (range(100),), (range(16_000, 16_010), range(5, 6))):
        key = probe_key(slots)
        assert any(slot_of(key) in some for some in slots)
        assert key == probe_key(slots)
    assert probe_key((range(SLOTS),)) == "kop:probe"


def test_only_what_is_in_braces_makes_the_slot() -> None:
    """The reference values of the cluster's specification."""
    assert slot_of("123456789") == 0x31C3
    assert slot_of("{user1000}.following") == slot_of("{user1000}.followers")
    assert slot_of("foo{}{bar}") != slot_of("bar")
