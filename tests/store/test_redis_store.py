"""What a store over a real Valkey does beyond the contract: groups, lost answers, lifetimes, health."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from redis.asyncio import Redis

from server.store.checks import judged
from server.store.clock import StoreClock
from server.store.embedded import EmbeddedValkey
from server.store.port import (
    Appended,
    Entry,
    Lifetime,
    Millis,
    Player,
    PlayerId,
    ProcessId,
    Snapshot,
    StoreAway,
    StoreRefused,
    TableId,
)
from server.store.redis_store import RedisStore
from tests.store.conftest import SETTINGS, until
from tests.store.proxy import Proxy

MATCH = Lifetime.MATCH
QUICK = replace(SETTINGS, flush_timeout=Millis(300))


@pytest.fixture
async def raw(valkey: EmbeddedValkey) -> AsyncIterator[Any]:
    """A bare client of the shared Valkey."""
    client = Redis.from_url(valkey.url)
    yield client
    await client.aclose()


@pytest.fixture
async def proxied(proxy: Proxy) -> AsyncIterator[RedisStore]:
    """A store that reaches the shared Valkey through the proxy."""
    store = await RedisStore.open(proxy.url, QUICK)
    yield store
    await store.close()


async def is_back(store: RedisStore) -> bool:
    return not (await store.health()).away


async def test_waiting_appends_share_a_round_trip(redis_store: RedisStore, table: TableId) -> None:
    """500 appends of 500 tables at one moment are one group; the ones that came meanwhile are the next."""
    before = redis_store.round_trips
    tables = [TableId(f"{table}-{number}") for number in range(500)]
    first = [redis_store.append(name, 1, b"", MATCH) for name in tables]
    await first[0]
    assert all(answer.done() for answer in first)
    assert redis_store.round_trips == before + 1
    await asyncio.gather(*(redis_store.append(name, 2, b"", MATCH) for name in tables))
    assert redis_store.round_trips == before + 2


async def test_a_group_is_bounded(redis_store: RedisStore, table: TableId) -> None:
    """2,500 appends at one moment are three groups, one after the other."""
    before = redis_store.round_trips
    tables = [TableId(f"{table}-{number}") for number in range(2_500)]
    outcomes = await asyncio.gather(*(redis_store.append(name, 1, b"", MATCH) for name in tables))
    assert set(outcomes) == {Appended.STORED}
    assert redis_store.round_trips == before + 3


async def test_a_lost_answer_of_a_stored_append(proxied: RedisStore, proxy: Proxy, table: TableId) -> None:
    """The append was stored but its answer lost: StoreAway at once, `entry` then tells, nothing is stored twice."""
    assert await proxied.append(table, 1, b"one", MATCH) is Appended.STORED
    proxy.lose_answer(b"precious")
    with pytest.raises(StoreAway):
        await proxied.append(table, 2, b"precious", MATCH)
    await until(lambda: is_back(proxied))
    assert await proxied.entry(table, 2) == Entry(2, b"precious")
    assert await proxied.append(table, 2, b"precious", MATCH) is Appended.BEHIND
    assert await proxied.append(table, 3, b"three", MATCH) is Appended.STORED


async def test_an_append_that_never_arrived(proxied: RedisStore, proxy: Proxy, table: TableId) -> None:
    """The connection was lost before the append arrived: StoreAway, `entry` finds nothing, it can be done again."""
    proxy.lose_request(b"precious")
    with pytest.raises(StoreAway):
        await proxied.append(table, 1, b"precious", MATCH)
    await until(lambda: is_back(proxied))
    assert await proxied.entry(table, 1) is None
    assert await proxied.append(table, 1, b"precious", MATCH) is Appended.STORED


async def test_an_append_on_its_way_does_not_arrive_late(proxied: RedisStore, proxy: Proxy, table: TableId) -> None:
    """Once the store is back, what `entry` says stays true, though the lost append was still in some buffer."""
    assert await proxied.append(table, 1, b"one", MATCH) is Appended.STORED
    proxy.hold(b"precious")
    with pytest.raises(StoreAway, match="no answer within"):
        await proxied.append(table, 2, b"precious", MATCH)
    await until(lambda: is_back(proxied))
    assert await proxied.entry(table, 2) is None
    await proxy.release()
    assert await proxied.append(table, 2, b"other", MATCH) is Appended.STORED
    assert await proxied.entry(table, 2) == Entry(2, b"other")


async def test_while_away_everything_fails_at_once(proxied: RedisStore, proxy: Proxy, table: TableId) -> None:
    """With the server gone nobody waits for a time-out, whatever was pending included; health says it."""
    proxy.lose_request(b"precious")
    proxy.refuse = True
    pending = [proxied.append(table, version, b"precious", MATCH) for version in (1, 2, 3)]
    outcomes = await asyncio.gather(*pending, return_exceptions=True)
    assert all(isinstance(outcome, StoreAway) for outcome in outcomes)
    async with asyncio.timeout(QUICK.flush_timeout / 2000):
        with pytest.raises(StoreAway):
            await proxied.append(table, 1, b"", MATCH)
        with pytest.raises(StoreAway):
            await proxied.find_player("hash")
        health = await proxied.health()
    assert health.away
    assert "away" in health.warnings[0]
    proxy.refuse = False
    await until(lambda: is_back(proxied))


async def test_killed_connections_come_back(redis_store: RedisStore, raw: Any, table: TableId) -> None:
    """An administrator who kills all connections loses nothing; the store is back by itself."""
    assert await redis_store.append(table, 1, b"", MATCH) is Appended.STORED
    await raw.execute_command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")

    async def goes_on() -> bool:
        try:
            outcome = await redis_store.append(table, 2, b"", MATCH)
        except StoreAway:
            return False
        return outcome in (Appended.STORED, Appended.BEHIND)

    await until(goes_on)
    assert [entry.version for entry in await redis_store.read(table, 0)] == [1, 2]


async def test_a_store_that_came_back_older_is_not_written_over(
    redis_store: RedisStore, raw: Any, table: TableId
) -> None:
    """After a restore the writer is ahead: it is told BEHIND, and the log gets no gap."""
    for version in (1, 2, 3):
        assert await redis_store.append(table, version, b"", MATCH) is Appended.STORED
    old = await raw.dump(f"kop:{{{table}}}:log")
    for version in (4, 5):
        assert await redis_store.append(table, version, b"", MATCH) is Appended.STORED
    await raw.restore(f"kop:{{{table}}}:log", 60_000, old, replace=True)
    redis_store._link.lose("it was restored")
    await until(lambda: is_back(redis_store))
    assert await redis_store.append(table, 6, b"", MATCH) is Appended.BEHIND
    assert [entry.version for entry in await redis_store.read(table, 0)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("option", "value", "back"),
    [("maxmemory", "1", "0"), ("min-replicas-to-write", "1", "0")],
    ids=["OOM", "NOREPLICAS"],
)
@pytest.mark.parametrize("begun", [True, False], ids=["next", "first"])
async def test_a_store_that_refuses_writes_is_away(
    own_valkey: EmbeddedValkey, table: TableId, option: str, value: str, back: str, *, begun: bool
) -> None:
    """A full store, or one without its replicas, is away until it takes a write again, whichever entry finds it."""
    store = await RedisStore.open(own_valkey.url, QUICK)
    async with Redis.from_url(own_valkey.url) as raw:
        assert await store.append(table, 1, b"", MATCH) is Appended.STORED
        await raw.config_set(option, value)
        with pytest.raises(StoreAway):
            await store.append(table if begun else TableId(f"{table}-new"), 2 if begun else 1, b"", MATCH)
        assert (await store.health()).away
        await raw.config_set(option, back)
        await until(lambda: is_back(store))
    assert await store.append(table, 2, b"", MATCH) is Appended.STORED
    await store.close()


async def test_one_strange_key_does_not_stop_the_others(redis_store: RedisStore, raw: Any, table: TableId) -> None:
    """A key of another kind in the way raises StoreRefused for its table only, at each command."""
    await raw.set(f"kop:{{{table}}}:log", "strange", px=60_000)
    strange = redis_store.append(table, 1, b"", MATCH)
    other = redis_store.append(TableId(f"{table}-other"), 1, b"", MATCH)
    with pytest.raises(StoreRefused):
        await strange
    with pytest.raises(StoreRefused):
        await redis_store.read(table, 0)
    with pytest.raises(StoreRefused):
        await redis_store.save_snapshot(table, Snapshot(1, b""), MATCH)
    assert await other is Appended.STORED
    assert await is_back(redis_store)


async def test_the_lifetime_is_set_on_both_keys(redis_store: RedisStore, raw: Any, table: TableId) -> None:
    """Log and snapshot expire together; another lifetime is set with the entry that brings it."""
    keys = [f"kop:{{{table}}}:log", f"kop:{{{table}}}:snap"]
    assert await redis_store.append(table, 1, b"", Lifetime.UNSTARTED) is Appended.STORED
    await redis_store.save_snapshot(table, Snapshot(1, b""), Lifetime.UNSTARTED)
    for version, lifetime in ((2, MATCH), (3, Lifetime.ENDED), (4, Lifetime.UNSTARTED)):
        assert await redis_store.append(table, version, b"", lifetime) is Appended.STORED
        for key in keys:
            assert SETTINGS.lifetime(lifetime) - 5_000 < await raw.pttl(key) <= SETTINGS.lifetime(lifetime)


async def test_the_lifetime_is_renewed_after_a_tenth(valkey: EmbeddedValkey, raw: Any, table: TableId) -> None:
    """Appends in quick succession leave the expiry alone; one after a tenth of the lifetime renews it."""
    store = await RedisStore.open(valkey.url, replace(SETTINGS, match=Millis(5_000)))
    key = f"kop:{{{table}}}:log"
    assert await store.append(table, 1, b"", MATCH) is Appended.STORED
    first = await raw.execute_command("PEXPIRETIME", key)
    assert await store.append(table, 2, b"", MATCH) is Appended.STORED
    assert await raw.execute_command("PEXPIRETIME", key) == first

    async def a_tenth_has_passed() -> bool:
        return bool(await raw.pttl(key) < 4_450)

    await until(a_tenth_has_passed)
    assert await store.append(table, 3, b"", MATCH) is Appended.STORED
    assert await raw.execute_command("PEXPIRETIME", key) > first + 500
    await store.close()


async def test_a_lifetime_set_by_another_process_is_noticed(
    redis_store: RedisStore, valkey: EmbeddedValkey, raw: Any, table: TableId
) -> None:
    """A match that goes on here after its end was written elsewhere lives as long as a match."""
    other = await RedisStore.open(valkey.url, SETTINGS)
    assert await redis_store.append(table, 1, b"", MATCH) is Appended.STORED
    assert await other.append(table, 2, b"", Lifetime.ENDED) is Appended.STORED
    assert await redis_store.append(table, 3, b"", MATCH) is Appended.STORED
    assert await raw.pttl(f"kop:{{{table}}}:log") > SETTINGS.ended
    await other.close()


async def test_a_refused_append_leaves_the_lifetime_alone(
    redis_store: RedisStore, valkey: EmbeddedValkey, raw: Any, table: TableId
) -> None:
    """A writer that is behind must not shorten the life of a match."""
    other = await RedisStore.open(valkey.url, SETTINGS)
    for version in (1, 2):
        assert await redis_store.append(table, version, b"", MATCH) is Appended.STORED
    assert await other.append(table, 2, b"", Lifetime.UNSTARTED) is Appended.BEHIND
    assert await raw.pttl(f"kop:{{{table}}}:log") > SETTINGS.ended
    await other.close()


async def test_only_the_lobby_has_no_expiry(redis_store: RedisStore, raw: Any, table: TableId) -> None:
    """Nothing grows without bound: every key that any method writes expires."""
    player = PlayerId(f"p-{table}")
    await redis_store.append(table, 1, b"", MATCH)
    await redis_store.append(table, 2, b"", MATCH)
    await redis_store.save_snapshot(table, Snapshot(1, b""), MATCH)
    await redis_store.add_player(f"hash-{table}", Player(player, "Ola"))
    await redis_store.find_player(f"hash-{table}")
    await redis_store.find_player("nobody")
    await redis_store.add_code(f"code-{table}", table)
    await redis_store.find_code(f"code-{table}")
    await redis_store.list_table(table, redis_store.now())
    await redis_store.add_membership(player, table)
    await redis_store.memberships(player)
    await redis_store.renew(process := ProcessId(f"process-{table}"))
    await redis_store.retire(ProcessId(f"other-{table}"))
    await redis_store.attend(table, process, b"word")
    redis_store._link.lose("to have it probed")
    await until(lambda: is_back(redis_store))
    names = [name async for name in raw.scan_iter()]
    assert {name.partition(b":")[0] for name in names} == {b"kop"}
    assert b"kop:probe" in names
    assert [name for name in names if await raw.ttl(name) == -1] == [b"kop:lobby"]


async def test_now_is_the_time_of_the_store(redis_store: RedisStore, raw: Any) -> None:
    """The clock agrees with the store's TIME."""
    seconds, micros = await raw.time()
    assert abs(redis_store.now() - (seconds * 1000 + micros // 1000)) < 500


def test_the_clock_follows_a_store_that_steps() -> None:
    """A store ahead is followed at once; behind one, the clock goes on slower, and never back."""
    monotonic = 100.0
    clock = StoreClock(lambda: monotonic)
    clock.measured(100_000, 5_000_000, 100_000)
    assert clock.now() == 5_000_000
    clock.measured(100_000, 5_060_000, 100_000)
    assert clock.now() == 5_060_000
    told = []
    for second in range(1, 31):
        monotonic = 100.0 + second
        now = monotonic * 1000
        clock.measured(now, 5_050_000 + second * 1000, now)  # ten seconds behind what it said before
        told.append(clock.now())
    assert told == sorted(told)
    assert told[9] == 5_065_000
    assert told[29] == 5_080_000


def test_a_slow_answer_does_not_move_the_clock() -> None:
    """A measurement that took long says little and is left out."""
    clock = StoreClock(lambda: 100.0)
    clock.measured(100_000, 5_000_000, 100_000)
    clock.measured(98_000, 5_400_000, 100_000)
    assert clock.now() == 5_000_000


async def test_the_embedded_valkey_loses_nothing(redis_store: RedisStore) -> None:
    """The embedded Valkey is set up so that health has nothing to say."""
    health = await redis_store.health()
    assert not health.away
    assert health.warnings == ()


async def test_health_reads_the_configuration(own_valkey: EmbeddedValkey) -> None:
    """What the operator set is named, and what the owner of the store adds."""
    store = await RedisStore.open(own_valkey.url, SETTINGS, more_warnings=lambda: ("from its owner",))
    async with Redis.from_url(own_valkey.url) as raw:
        await raw.config_set("appendonly", "no")
        await raw.config_set("maxmemory-policy", "allkeys-lru")
    owner, persistence, eviction = (await store.health()).warnings
    assert owner == "from its owner"
    assert "appendonly no" in persistence
    assert "allkeys-lru" in eviction
    await store.close()


async def test_a_server_that_forbids_config_is_tolerated(own_valkey: EmbeddedValkey) -> None:
    """Managed servers forbid CONFIG and more: the store works, and says what could not be checked."""
    admin: Any = Redis.from_url(own_valkey.url)
    async with admin as raw:
        await raw.execute_command("ACL", "SETUSER", "kop", "on", ">word", "~*", "+@all", "-config", "-info", "-client")
    url = own_valkey.url.replace("unix://", "unix://kop:word@")
    store = await RedisStore.open(url, SETTINGS)
    health = await store.health()
    assert not health.away
    assert len(health.warnings) == 1
    assert "could not be checked" in health.warnings[0]
    await store.close()


@pytest.mark.parametrize(("forbidden", "reason"), [("-time", "time"), ("-set", "set")])
async def test_a_server_that_forbids_what_is_needed_is_no_store(
    own_valkey: EmbeddedValkey, forbidden: str, reason: str
) -> None:
    """Without its time, or without a write, nothing can be kept: `open` says what is missing."""
    admin: Any = Redis.from_url(own_valkey.url)
    async with admin as raw:
        await raw.execute_command("ACL", "SETUSER", "kop", "on", ">word", "~*", "&*", "+@all", forbidden)
    with pytest.raises(StoreAway, match=f"NOPERM.*{reason}"):
        await RedisStore.open(own_valkey.url.replace("unix://", "unix://kop:word@"), SETTINGS)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction"}, []),
        ({"appendonly": "yes", "appendfsync": "everysec", "maxmemory-policy": "noeviction"}, ["last second"]),
        ({"appendonly": "yes", "appendfsync": "no", "maxmemory-policy": "noeviction"}, ["half minute"]),
        ({"appendonly": "no", "appendfsync": "always", "maxmemory-policy": "noeviction"}, ["append-only"]),
        ({"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "volatile-ttl"}, ["throws away"]),
        ({}, ["could not be checked"]),
    ],
)
def test_what_could_be_lost_is_said_in_plain_words(config: dict[str, str], words: list[str]) -> None:
    """One sentence for each thing at risk, none for a store that keeps everything."""
    warnings = judged(config)
    assert len(warnings) == len(words)
    assert all(word in warning for word, warning in zip(words, warnings, strict=True))


async def test_a_store_that_is_not_there_cannot_be_opened(tmp_path: Any) -> None:
    """`open` raises StoreAway for a store that does not answer, ValueError for no address at all."""
    with pytest.raises(StoreAway):
        await RedisStore.open(f"unix://{tmp_path}/none.sock", QUICK)
    with pytest.raises(ValueError, match="schemes"):
        await RedisStore.open("http://example.org", QUICK)
