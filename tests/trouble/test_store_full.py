"""The store is full: a clear word to the operator, paused tables, and play as soon as there is room."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.players import Steady, all_play, check_once, four, heard, in_play, over, seated, told
from tests.trouble.stores import ForeignValkey, foreign_valkey, limit_files, longest_file, written

ROOM = 100
"""Bytes that a nearly full disk has left: less than an entry needs."""
BALLAST = 1_000_000
"""Bytes in the store that are larger than what else the processes write: a limit of size then means the store."""


@pytest.fixture
def lazy(tmp_path: Path) -> Iterator[ForeignValkey]:
    """A store that syncs every second, as many operators have theirs."""
    with foreign_valkey(tmp_path / "lazy", appendfsync="everysec") as valkey:
        yield valkey


async def paused_until_there_is_room(
    server: ServerProcess, fill: Callable[[], None], make_room: Callable[[], None]
) -> tuple[str, list[Steady]]:
    """A match, in the middle of which the store is full for a while, and those who have played it."""
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    since = heard(players)
    fill()
    playing = asyncio.get_running_loop().create_task(all_play(players, table, over))
    await told(players, "store_away", since)
    await players[0].do("sync", table=table)  # what needs no store is answered meanwhile
    make_room()
    await told(players, "store_back", since)
    await playing
    assert [player.connections for player in players] == [1] * 4
    for player in players:
        await player.close()
    return table, players


def told_the_operator(server: ServerProcess, *words: str) -> bool:
    """Whether a line of the server's log has all these words."""
    return any(all(word in line for word in words) for line in server.log.splitlines())


async def test_no_memory_is_left(start_server: StartServer, valkey: ForeignValkey) -> None:
    """`maxmemory` is reached with `noeviction`: writes are refused, and nothing is thrown away."""
    server = start_server({"KOP_REDIS_URL": valkey.url})
    table, players = await paused_until_there_is_room(server, valkey.fill, valkey.make_room)
    assert told_the_operator(server, "the store is away", "maxmemory")
    check_once(valkey.written()[table], players)


async def test_a_store_that_became_a_replica(start_server: StartServer, valkey: ForeignValkey) -> None:
    """A failover leaves the server with a store that only reads: the same, until it takes writes again."""
    server = start_server({"KOP_REDIS_URL": valkey.url})
    table, players = await paused_until_there_is_room(server, valkey.demote, valkey.promote)
    assert told_the_operator(server, "the store is away", "read only replica")
    check_once(valkey.written()[table], players)


async def test_no_disk_is_left_for_a_store_that_syncs_later(start_server: StartServer, lazy: ForeignValkey) -> None:
    """Valkey refuses writes with MISCONF as long as it cannot write to its disk."""
    server = start_server({"KOP_REDIS_URL": lazy.url})

    def fill() -> None:
        limit_files(lazy.pid, longest_file(lazy.folder) + ROOM)

    table, players = await paused_until_there_is_room(server, fill, lambda: limit_files(lazy.pid, None))
    assert told_the_operator(server, "the store is away", "MISCONF")
    check_once(lazy.written()[table], players)


async def test_no_disk_is_left_for_the_servers_own_store(start_server: StartServer) -> None:
    """The embedded Valkey ends when it cannot write; it is started again at growing intervals, and then goes on."""
    server = start_server()
    data = server.folder / "data"
    with server.store() as store:
        store.set("ballast", bytes(BALLAST))

    def limit(most: int | None) -> None:
        limit_files(server.pid, most)
        with contextlib.suppress(ProcessLookupError, ValueError, TypeError):  # it has just ended: the next one inherits
            limit_files(json.loads((data / "valkey.lock").read_text())["pid"], most)

    table, players = await paused_until_there_is_room(
        server, lambda: limit(longest_file(data) + ROOM), lambda: limit(None)
    )
    assert told_the_operator(server, "The embedded Valkey does not run", "next try within")
    assert server.log.count("does not run") < 10
    check_once(written(data)[table], players)
