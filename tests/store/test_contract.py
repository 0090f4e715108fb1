"""What every store promises; each test stands for a promise of the port."""

import asyncio
from itertools import pairwise

import pytest

from server.store.port import Appended, Entry, Lifetime, Millis, Player, PlayerId, Snapshot, StoreAway, TableId
from tests.store.conftest import Subject

MATCH = Lifetime.MATCH


async def write(subject: Subject, table: TableId, *versions: int, lifetime: Lifetime = MATCH) -> None:
    for version in versions:
        outcome = await subject.store.append(table, version, b"body %d" % version, lifetime)
        assert outcome is Appended.STORED


async def test_what_was_stored_is_read_in_order(subject: Subject, table: TableId) -> None:
    """Entries come back whole and in order, bytes of any value included."""
    bodies = [bytes(range(256)), b"", b"\r\n$3\r\n", b"x" * 100_000]
    for version, body in enumerate(bodies, start=1):
        assert await subject.store.append(table, version, body, MATCH) is Appended.STORED
    assert list(await subject.store.read(table, 0)) == [Entry(n, body) for n, body in enumerate(bodies, start=1)]


async def test_reading_begins_after_a_version(subject: Subject, table: TableId) -> None:
    """`read` gives the entries above the version; none at the end and beyond it."""
    await write(subject, table, 1, 2, 3)
    assert [entry.version for entry in await subject.store.read(table, 1)] == [2, 3]
    assert not await subject.store.read(table, 3)
    assert not await subject.store.read(table, 30)


async def test_a_log_that_is_not_there_reads_as_empty(subject: Subject, table: TableId) -> None:
    """No log: no entries, no entry, no snapshot."""
    assert not await subject.store.read(table, 0)
    assert await subject.store.entry(table, 1) is None
    assert await subject.store.load_snapshot(table) is None


async def test_one_entry_is_found_by_its_version(subject: Subject, table: TableId) -> None:
    """`entry` gives one entry, or None for a version that is not there."""
    await write(subject, table, 1, 2)
    assert await subject.store.entry(table, 2) == Entry(2, b"body 2")
    assert await subject.store.entry(table, 3) is None


@pytest.mark.parametrize("version", [1, 2])
async def test_a_version_is_written_once(subject: Subject, table: TableId, version: int) -> None:
    """A writer that is behind is refused, and the entry stays what it was."""
    await write(subject, table, 1, 2)
    assert await subject.store.append(table, version, b"other", MATCH) is Appended.BEHIND
    assert await subject.store.entry(table, version) == Entry(version, b"body %d" % version)


async def test_a_gap_is_refused(subject: Subject, table: TableId) -> None:
    """A writer that is ahead of the log, because the store came back older, has to reload too."""
    await write(subject, table, 1)
    assert await subject.store.append(table, 3, b"", MATCH) is Appended.BEHIND
    assert [entry.version for entry in await subject.store.read(table, 0)] == [1]
    await write(subject, table, 2)


async def test_only_version_1_begins_a_log(subject: Subject, table: TableId) -> None:
    """An append to a log that is not there is GONE and does not make one."""
    assert await subject.store.append(table, 2, b"", MATCH) is Appended.GONE
    assert not await subject.store.read(table, 0)


@pytest.mark.parametrize("version", [0, -1])
def test_versions_count_from_1(subject: Subject, table: TableId, version: int) -> None:
    """A version below 1 is a bug of the caller."""
    with pytest.raises(ValueError, match="count from 1"):
        subject.store.append(table, version, b"", MATCH)


@pytest.mark.parametrize("version", [1, 3])
async def test_of_writers_at_the_same_version_one_wins(subject: Subject, table: TableId, version: int) -> None:
    """Five appends of one version at once: one is STORED, the others are BEHIND, and the log has the winner's."""
    await write(subject, table, *range(1, version))
    bodies = [b"writer %d" % number for number in range(5)]
    outcomes = await asyncio.gather(*(subject.store.append(table, version, body, MATCH) for body in bodies))
    assert sorted(outcomes) == [Appended.BEHIND] * 4 + [Appended.STORED]
    winner = bodies[outcomes.index(Appended.STORED)]
    assert await subject.store.entry(table, version) == Entry(version, winner)


async def test_tables_do_not_mix(subject: Subject, table: TableId) -> None:
    """Appends of many tables at once each reach their own log."""
    tables = [TableId(f"{table}-{number}") for number in range(200)]
    outcomes = await asyncio.gather(*(subject.store.append(name, 1, name.encode(), MATCH) for name in tables))
    assert outcomes == [Appended.STORED] * len(tables)
    for name in tables:
        assert list(await subject.store.read(name, 0)) == [Entry(1, name.encode())]


async def test_a_snapshot_cuts_the_log(subject: Subject, table: TableId) -> None:
    """What the snapshot covers is no longer in the log; what came later is."""
    await write(subject, table, 1, 2, 3)
    await subject.store.save_snapshot(table, Snapshot(2, b"\x00state"), MATCH)
    assert await subject.store.load_snapshot(table) == Snapshot(2, b"\x00state")
    assert [entry.version for entry in await subject.store.read(table, 0)] == [3]
    assert await subject.store.entry(table, 2) is None


async def test_a_log_that_was_cut_whole_keeps_its_version(subject: Subject, table: TableId) -> None:
    """With all entries in the snapshot, an append behind it is refused and the next one is stored."""
    await write(subject, table, 1, 2)
    await subject.store.save_snapshot(table, Snapshot(2, b"state"), MATCH)
    assert not await subject.store.read(table, 0)
    assert await subject.store.append(table, 1, b"", MATCH) is Appended.BEHIND
    assert await subject.store.append(table, 2, b"", MATCH) is Appended.BEHIND
    await write(subject, table, 3)


async def test_a_later_snapshot_stays(subject: Subject, table: TableId) -> None:
    """An earlier snapshot that comes late is dropped; a later one replaces."""
    await write(subject, table, *range(1, 12))
    for version, kept in ((9, 9), (2, 9), (10, 10)):
        await subject.store.save_snapshot(table, Snapshot(version, b"%d" % version), MATCH)
        assert await subject.store.load_snapshot(table) == Snapshot(kept, b"%d" % kept)
    assert [entry.version for entry in await subject.store.read(table, 0)] == [11]


async def test_a_snapshot_needs_its_log(subject: Subject, table: TableId) -> None:
    """A snapshot without a log, or of a version that the log never had, is not kept."""
    await subject.store.save_snapshot(table, Snapshot(1, b"state"), MATCH)
    assert await subject.store.load_snapshot(table) is None
    await write(subject, table, 1)
    await subject.store.save_snapshot(table, Snapshot(2, b"state"), MATCH)
    assert await subject.store.load_snapshot(table) is None
    assert len(await subject.store.read(table, 0)) == 1


async def test_a_table_expires_with_its_snapshot(short_lived: Subject, table: TableId) -> None:
    """After its lifetime nothing is left, an append is GONE, and a new log begins without the old snapshot."""
    store = short_lived.store
    await write(short_lived, table, 1, 2, lifetime=Lifetime.UNSTARTED)
    await store.save_snapshot(table, Snapshot(1, b"old"), Lifetime.UNSTARTED)

    async def gone() -> bool:
        return not await store.read(table, 0)

    await short_lived.until(gone)
    assert await store.load_snapshot(table) is None
    assert await store.append(table, 3, b"", MATCH) is Appended.GONE
    await write(short_lived, table, 1)
    assert await store.load_snapshot(table) is None


async def test_each_append_lengthens_the_lifetime(short_lived: Subject, table: TableId) -> None:
    """A table that is written to lives on, though each lifetime is shorter than the whole."""
    store = short_lived.store
    begun, version = store.now(), 0

    async def old_enough() -> bool:
        nonlocal version
        version += 1
        assert await store.append(table, version, b"", Lifetime.UNSTARTED) is Appended.STORED
        return store.now() - begun > 800

    await short_lived.until(old_enough)
    assert len(await store.read(table, 0)) == version


async def test_another_lifetime_takes_over(short_lived: Subject, table: TableId) -> None:
    """A match that began is not kept for the lifetime of an unstarted table, nor is its snapshot."""
    store = short_lived.store
    await write(short_lived, table, 1, lifetime=Lifetime.UNSTARTED)
    await store.save_snapshot(table, Snapshot(1, b"state"), Lifetime.UNSTARTED)
    await write(short_lived, table, 2)
    begun = store.now()

    async def later() -> bool:
        return store.now() - begun > 600

    await short_lived.until(later)
    assert [entry.version for entry in await store.read(table, 0)] == [2]
    assert await store.load_snapshot(table) == Snapshot(1, b"state")


async def test_a_late_snapshot_does_not_shorten_a_life(short_lived: Subject, table: TableId) -> None:
    """The lifetime that comes with a snapshot counts only if nothing was appended since."""
    store = short_lived.store
    await write(short_lived, table, 1, lifetime=Lifetime.ENDED)
    await write(short_lived, table, 2)
    await store.save_snapshot(table, Snapshot(1, b"state"), Lifetime.ENDED)
    begun = store.now()

    async def later() -> bool:
        return store.now() - begun > 600

    await short_lived.until(later)
    assert await store.load_snapshot(table) == Snapshot(1, b"state")


async def test_a_player_is_found_by_the_token(subject: Subject, table: TableId) -> None:
    """Only who has the token finds the player; a new name replaces the old."""
    store = subject.store
    player = Player(PlayerId(f"p-{table}"), "Zażółć 🂡")
    await store.add_player(f"hash-{table}", player)
    assert await store.find_player(f"hash-{table}") == player
    assert await store.find_player(f"other-{table}") is None
    await store.add_player(f"hash-{table}", Player(player.id, "Ola"))
    assert await store.find_player(f"hash-{table}") == Player(player.id, "Ola")


async def test_a_player_lives_on_by_use(short_lived: Subject, table: TableId) -> None:
    """Each find begins the lifetime anew; without use the player is forgotten."""
    store = short_lived.store
    used, unused = f"used-{table}", f"unused-{table}"
    for token in (used, unused):
        await store.add_player(token, Player(PlayerId(token), "Ola"))
    begun = store.now()

    async def old_enough() -> bool:
        assert await store.find_player(used) is not None
        return store.now() - begun > 800

    await short_lived.until(old_enough)
    assert await store.find_player(unused) is None


async def test_a_code_leads_to_its_table(subject: Subject, table: TableId) -> None:
    """A join code that was added is found, another is not."""
    await subject.store.add_code(f"code-{table}", table)
    assert await subject.store.find_code(f"code-{table}") == table
    assert await subject.store.find_code("no such code") is None


async def test_the_lobby_lists_the_newest_first(subject: Subject, table: TableId) -> None:
    """Tables come by the time they were opened, no more than asked for; one that was taken out is not there."""
    store = subject.store
    base = 4_000_000_000_000
    tables = [TableId(f"{table}-{number}") for number in range(5)]
    for number in (2, 0, 4, 1, 3):
        await store.list_table(tables[number], Millis(base + number))
    assert list(await store.listed_tables(3)) == [tables[4], tables[3], tables[2]]
    await store.unlist_table(tables[3])
    assert list(await store.listed_tables(2)) == [tables[4], tables[2]]
    assert not await store.listed_tables(0)
    for name in tables:
        await store.unlist_table(name)


async def test_the_lobby_is_bounded(subject: Subject, table: TableId) -> None:
    """The oldest of more than 1000 tables is no longer listed."""
    store = subject.store
    tables = [TableId(f"{table}-{number}") for number in range(1_001)]
    for number, name in enumerate(tables):
        await store.list_table(name, Millis(4_000_000_000_000 + number))
    assert list(await store.listed_tables(2_000)) == tables[:0:-1]
    for name in tables:
        await store.unlist_table(name)


async def test_memberships_are_the_latest_16(subject: Subject, table: TableId) -> None:
    """The latest comes first, also one that was there before; the oldest makes room."""
    store, player = subject.store, PlayerId(f"p-{table}")
    assert not await store.memberships(player)
    tables = [TableId(f"{table}-{number}") for number in range(18)]
    for name in tables:
        await store.add_membership(player, name)
    assert list(await store.memberships(player)) == tables[:1:-1]
    await store.add_membership(player, tables[5])
    assert list(await store.memberships(player))[:2] == [tables[5], tables[17]]
    assert len(await store.memberships(player)) == 16
    await store.drop_membership(player, tables[5])
    await store.drop_membership(player, tables[5])
    assert (await store.memberships(player))[0] == tables[17]
    assert len(await store.memberships(player)) == 15


async def test_tournaments_are_listed_beside_the_lobby(subject: Subject, table: TableId) -> None:
    """The newest first, no more than asked for, at most 1000; none of them is in the lobby."""
    store = subject.store
    tournaments = [TableId(f"tournament-{table}-{number}") for number in range(1_001)]
    for number, name in enumerate(tournaments):
        await store.list_tournament(name, Millis(4_000_000_000_000 + number))
    assert list(await store.listed_tournaments(2_000)) == tournaments[:0:-1]
    await store.unlist_tournament(tournaments[-1])
    assert list(await store.listed_tournaments(2)) == [tournaments[-2], tournaments[-3]]
    assert not await store.listed_tournaments(0)
    assert not set(tournaments) & set(await store.listed_tables(1_000))
    for name in tournaments:
        await store.unlist_tournament(name)


async def test_the_latest_32_tournaments_of_a_player_are_noted(subject: Subject, table: TableId) -> None:
    """The latest comes first, also one that was noted before; the oldest makes room; tables are noted elsewhere."""
    store, player = subject.store, PlayerId(f"p-{table}")
    assert not await store.entries(player)
    tournaments = [TableId(f"tournament-{table}-{number}") for number in range(34)]
    for name in tournaments:
        await store.add_entry(player, name)
    assert list(await store.entries(player)) == tournaments[:1:-1]
    await store.add_entry(player, tournaments[5])
    assert list(await store.entries(player))[:2] == [tournaments[5], tournaments[33]]
    assert len(await store.entries(player)) == 32
    assert not await store.memberships(player)


async def test_the_notes_of_tournaments_live_as_long_as_the_player(short_lived: Subject, table: TableId) -> None:
    """Each look begins their lifetime anew; without use they are forgotten."""
    store = short_lived.store
    used, unused = PlayerId(f"used-{table}"), PlayerId(f"unused-{table}")
    for player in (used, unused):
        await store.add_entry(player, table)
    begun = store.now()

    async def old_enough() -> bool:
        assert await store.entries(used)
        return store.now() - begun > 800

    await short_lived.until(old_enough)
    assert not await store.entries(unused)


async def test_a_tournament_has_a_lifetime_of_its_own(short_lived: Subject, table: TableId) -> None:
    """It outlives an unstarted table."""
    store = short_lived.store
    await write(short_lived, table, 1, lifetime=Lifetime.TOURNAMENT)
    other = TableId(f"{table}-other")
    await write(short_lived, other, 1, lifetime=Lifetime.UNSTARTED)

    async def gone() -> bool:
        return not await store.read(other, 0)

    await short_lived.until(gone)
    assert len(await store.read(table, 0)) == 1


async def test_the_clock_never_goes_back(subject: Subject) -> None:
    """Later calls of `now` never give an earlier time."""
    times = [subject.store.now() for _ in range(1_000)]
    assert all(earlier <= later for earlier, later in pairwise(times))


async def test_after_close_everything_is_away(subject: Subject, table: TableId) -> None:
    """A pending append and whatever is asked later raise StoreAway."""
    store = subject.store
    pending = store.append(table, 1, b"", MATCH)
    await store.close()
    later = store.append(table, 1, b"", MATCH)
    for answer in (pending, later):
        with pytest.raises(StoreAway):
            await answer
    with pytest.raises(StoreAway):
        await store.read(table, 0)
    with pytest.raises(StoreAway):
        await store.memberships(PlayerId("p"))
    assert (await store.health()).away


async def test_an_append_that_nobody_waits_for_is_harmless(subject: Subject, table: TableId) -> None:
    """A caller that was cancelled leaves the others in the same group alone."""
    given_up = subject.store.append(table, 1, b"", MATCH)
    other = subject.store.append(TableId(f"{table}-other"), 1, b"", MATCH)
    given_up.cancel()
    assert await other is Appended.STORED
