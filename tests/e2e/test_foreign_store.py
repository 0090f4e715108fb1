"""A server on a store that is not its own: any Redis or Valkey that `KOP_REDIS_URL` names."""

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from server.store.binary import find_server_program
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step


class ForeignValkey:
    """A Valkey on a TCP port, as an operator might run it."""

    def __init__(self, folder: Path, *settings: str, port: int = 0) -> None:
        with socket.socket() as free:
            free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            free.bind(("127.0.0.1", port))
            self.port: int = free.getsockname()[1]
        command = [str(find_server_program()), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder)]
        self.process = subprocess.Popen([*command, *settings], stdout=subprocess.DEVNULL)

    @property
    def url(self) -> str:
        """What goes into `KOP_REDIS_URL`."""
        return f"redis://127.0.0.1:{self.port}/0"


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[ForeignValkey]:
    """One that loses nothing."""
    valkey = ForeignValkey(tmp_path, "--appendonly", "yes", "--appendfsync", "always", "--save", "")
    yield valkey
    valkey.process.terminate()
    valkey.process.wait(20)


@pytest.fixture
def careless(tmp_path: Path) -> Iterator[ForeignValkey]:
    """One that keeps nothing over a restart, and throws away what it has no room for."""
    valkey = ForeignValkey(tmp_path, "--appendonly", "no", "--save", "", "--maxmemory-policy", "allkeys-lru")
    yield valkey
    valkey.process.terminate()
    valkey.process.wait(20)


async def test_a_deal_on_a_foreign_store_survives_a_kill_of_the_server(durable: ForeignValkey, tmp_path: Path) -> None:
    """The server waits for the store, plays a deal on it, is killed, and has every table again."""
    server = ServerProcess(tmp_path / "server", {"KOP_REDIS_URL": durable.url}).start()
    players, table = await four_at_table(server.url, options={"deals": 4})
    while players[0].views[table]["public"]["play"]["scored"] == 0:
        assert await step(players, table) is not None
    before = players[0].views[table]["public"]
    server.kill()
    server.start()
    again = Wire(server.url, "Player 0")
    again.token, again.instance = players[0].token, players[0].instance
    await again.open()
    assert (await again.view(table))["public"] == before
    assert not (tmp_path / "server" / "data").exists()
    assert "appendonly" not in server.log
    await again.close()
    for player in players:
        await player.drop()
    server.stop()


async def test_what_a_careless_store_could_lose_is_said_at_the_start(careless: ForeignValkey, tmp_path: Path) -> None:
    """A foreign store that does not persist, or evicts, is named in the log."""
    server = ServerProcess(tmp_path / "server", {"KOP_REDIS_URL": careless.url}).start()
    try:
        assert "appendonly" in server.log
        assert "maxmemory-policy" in server.log
    finally:
        server.stop()
