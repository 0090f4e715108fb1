"""A real cluster of three servers on loopback."""

import asyncio
import contextlib
import itertools
import os
import socket
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.store.binary import find_server_program
from server.store.cluster import SLOTS
from server.store.embedded import _end_with_parent

NODE_TIMEOUT_MS = 1_000


_ports = itertools.cycle(range(10_000, 30_000))
for _ in range(os.getpid() * 97 % 20_000):  # test processes begin at different places
    next(_ports)


def free_ports(number: int) -> list[int]:
    """Ports on loopback that nobody listens on, below those that the system gives to outgoing connections."""
    return list(itertools.islice((port for port in _ports if _is_free(port)), number))


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class ClusterServer:
    """A server of a cluster, to be killed and started again."""

    def __init__(self, folder: Path, port: int, bus: int) -> None:
        self.port = port
        self.bus = bus
        self.url = f"redis://127.0.0.1:{port}"
        self._folder = folder
        folder.mkdir()
        self.start()

    def start(self) -> None:
        """With all that it had."""
        options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "dir": self._folder,
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "cluster-enabled": "yes",
            "cluster-port": self.bus,
            "cluster-node-timeout": NODE_TIMEOUT_MS,
            "repl-diskless-sync-delay": 0,
        }
        words = [str(word) for name, value in options.items() for word in (f"--{name}", value)]
        with (self._folder / "log").open("ab") as output:
            self._process = subprocess.Popen(
                [find_server_program(), *words], stdout=output, stderr=output, preexec_fn=_end_with_parent()
            )

    def kill(self) -> None:
        """As a power cut does."""
        self._process.kill()
        self._process.wait(20)

    async def ask(self, *command: str | int) -> Any:
        """The answer to one command; refused or lost ones raise RedisError."""
        client: Any = Redis.from_url(self.url)
        async with client as raw:
            return await raw.execute_command(*command)

    async def is_well(self, number: int) -> bool:
        """Whether it knows so many servers, and finds that the cluster works."""
        try:
            found = await self.ask("CLUSTER INFO")
        except (RedisError, OSError):
            return False
        return bool(found["cluster_state"] == "ok" and int(found["cluster_known_nodes"]) == number)


class Cluster:
    """Three masters, without replicas at first."""

    def __init__(self, servers: list[ClusterServer]) -> None:
        self.servers = servers
        self.url = servers[0].url

    async def is_well(self) -> bool:
        """Whether all servers agree that it works."""
        return all([await server.is_well(len(self.servers)) for server in self.servers])

    async def take_back_up(self, folder: Path, master: ClusterServer) -> ClusterServer:
        """Another server that holds whatever a master holds, and takes over when that dies."""
        replica = ClusterServer(folder, *free_ports(2))
        self.servers.append(replica)
        await _answers(replica)
        await replica.ask("CLUSTER MEET", "127.0.0.1", master.port, master.bus)
        await self.wait()
        await replica.ask("CLUSTER REPLICATE", await master.ask("CLUSTER MYID"))
        return replica

    async def wait(self) -> None:
        """Returns when it works; fails after 30 s."""
        async with asyncio.timeout(30):
            while True:
                if await self.is_well():
                    return
                await asyncio.sleep(0.05)


@contextlib.asynccontextmanager
async def running_cluster(folder: Path) -> AsyncIterator[Cluster]:
    """A cluster that works, until the block ends."""
    ports = free_ports(6)
    servers = [ClusterServer(folder / f"server-{number}", ports[number], ports[number + 3]) for number in range(3)]
    try:
        await _join(servers)
        cluster = Cluster(servers)
        await cluster.wait()
        yield cluster
    finally:
        for server in servers:
            server.kill()


async def _answers(server: ClusterServer) -> None:
    async with asyncio.timeout(15):
        while True:
            with contextlib.suppress(RedisError, OSError):
                await server.ask("PING")
                return
            await asyncio.sleep(0.01)


async def _join(servers: Sequence[ClusterServer]) -> None:
    share = -(-SLOTS // len(servers))
    for number, server in enumerate(servers):
        await _answers(server)
        await server.ask("CLUSTER SET-CONFIG-EPOCH", number + 1)
        first = number * share
        await server.ask("CLUSTER ADDSLOTSRANGE", first, min(first + share, SLOTS) - 1)
    for server in servers[1:]:
        await servers[0].ask("CLUSTER MEET", "127.0.0.1", server.port, server.bus)
