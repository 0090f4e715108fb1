"""Backups of the server's own store while matches go on, as docs/operations.md tells, and what comes back."""

import asyncio
import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from server.table.codec import LogLine
from tests.e2e.script import QUIET, close
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

MANIFEST = "file appendonly.aof.1.base.rdb seq 1 type b\n"


def copied(store: redis.Redis, data: Path, to: Path) -> None:
    """The append-only files, while no rewrite exchanges them; the last may end in the middle of an entry."""
    store.config_set("auto-aof-rewrite-percentage", 0)
    assert store.info("persistence")["aof_rewrite_in_progress"] == 0
    shutil.copytree(data / "appendonlydir", to / "appendonlydir")
    store.config_set("auto-aof-rewrite-percentage", 100)


def dumped(store: redis.Redis, data: Path, to: Path) -> None:
    """A dump, put where the store looks for the base of its append-only files: beside them it would be ignored."""
    before = store.lastsave()
    store.bgsave()
    while store.info("persistence")["rdb_bgsave_in_progress"]:
        pass
    assert store.lastsave() >= before
    folder = to / "appendonlydir"
    folder.mkdir(parents=True)
    shutil.copy(data / "dump.rdb", folder / "appendonly.aof.1.base.rdb")
    (folder / "appendonly.aof.manifest").write_text(MANIFEST)


async def go_on(players: list[Wire], table: str) -> None:
    """Quiet play without end."""
    while await step(players, table) is not None:
        pass


@pytest.mark.parametrize("backup", [copied, dumped])
async def test_a_backup_made_during_play_has_every_table_as_it_was(
    own_server: ServerProcess, tmp_path: Path, backup: Callable[[redis.Redis, Path, Path], None]
) -> None:
    """Restored into a fresh data directory: the log up to some moment of the backup, and play goes on from there."""
    players, table = await four_at_table(own_server.url, options=QUIET)
    for _ in range(6):
        await step(players, table)
    playing = asyncio.get_running_loop().create_task(go_on(players, table))
    earliest = len(own_server.entries(table))
    data = own_server.folder / "data"
    with own_server.store() as store:
        await asyncio.to_thread(backup, store, data, tmp_path / "restored" / "data")
    latest = own_server.entries(table)
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing
    await close(*players)
    restored = ServerProcess(tmp_path / "restored").start()
    entries: list[LogLine] = restored.entries(table)
    assert earliest <= len(entries) <= len(latest)
    assert entries == latest[: len(entries)]
    for player in players:
        player.url = restored.url
        await player.open()
    for player in players:
        await player.at_version(table, len(entries))
    for _ in range(4):
        assert await step(players, table) is not None
    await close(*players)
    restored.stop()
    assert restored.faults == []
