"""Several server processes over one store, and chance that kills and stops them, and the store too."""

import asyncio
import os
import random
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.servers import ServerProcess
from tests.trouble.stores import ForeignValkey, foreign_valkey

SETTINGS = {"KOP_KEEP_FLUSH_TIMEOUT_MS": "1000", "KOP_KEEP_HEARTBEAT_MS": "200"}
LONGEST_STOP = 2.0
"""Seconds that a process or the store may stand still."""
LONGEST_PEACE = 1.0
"""Seconds between two troubles."""


class Cluster:
    """K servers on ports of their own; `up` are those that run and do not stand still."""

    def __init__(self, folder: Path, valkey: ForeignValkey, processes: int, settings: Mapping[str, str]) -> None:
        self.valkey = valkey
        environment = {**SETTINGS, **settings, "KOP_REDIS_URL": valkey.url}
        self.servers = [ServerProcess(folder / f"server-{number}", environment) for number in range(processes)]
        self.up: list[ServerProcess] = []
        self.troubles = 0
        self.peace = False

    def start(self) -> None:
        """Starts them."""
        for server in self.servers:
            server.start()
            self.up.append(server)

    def end(self) -> None:
        """Ends them, however they are."""
        for server in self.servers:
            if server.process is not None:
                os.kill(server.pid, signal.SIGCONT)
                server.kill()

    async def kills(self, seed: int) -> None:
        """One process after the other is killed at a random moment, and started again, until `peace`."""
        rng = random.Random(seed)
        while not self.peace:
            await asyncio.sleep(rng.uniform(0, 4 * LONGEST_PEACE))  # chance, not to wait for anything
            await self._kill(rng)
            self.troubles += 1

    async def trouble(self, seed: int) -> None:
        """One trouble after the other until `peace`, and then everything runs; one server is always up."""
        rng = random.Random(seed)
        kinds = [self._kill, self._stop, self._kill, self._stop, self._kill_store, self._stop_store]
        while not self.peace:
            await asyncio.sleep(rng.uniform(0, LONGEST_PEACE))  # chance, not to wait for anything
            await rng.choice(kinds)(rng)
            self.troubles += 1

    async def _kill(self, rng: random.Random) -> None:
        server = self._victim(rng)
        server.kill()
        await asyncio.sleep(rng.uniform(0, LONGEST_PEACE))
        await asyncio.to_thread(server.start)
        self.up.append(server)

    async def _stop(self, rng: random.Random) -> None:
        server = self._victim(rng)
        os.kill(server.pid, signal.SIGSTOP)
        await asyncio.sleep(rng.uniform(0, LONGEST_STOP))
        os.kill(server.pid, signal.SIGCONT)
        self.up.append(server)

    def _victim(self, rng: random.Random) -> ServerProcess:
        server = rng.choice(self.up)
        self.up.remove(server)
        return server

    async def _kill_store(self, rng: random.Random) -> None:
        self.valkey.kill()
        await asyncio.sleep(rng.uniform(0, LONGEST_PEACE))
        await asyncio.to_thread(self.valkey.start)

    async def _stop_store(self, rng: random.Random) -> None:
        os.kill(self.valkey.pid, signal.SIGSTOP)
        await asyncio.sleep(rng.uniform(0, LONGEST_STOP))
        os.kill(self.valkey.pid, signal.SIGCONT)

    def anywhere(self, seed: object) -> Callable[[], str]:
        """Addresses for one player: any server that is up."""
        rng = random.Random(str(seed))
        return lambda: rng.choice(self.up).url


@contextmanager
def cluster(folder: Path, processes: int, settings: Mapping[str, str] | None = None) -> Iterator[Cluster]:
    """So many servers and their store, ended however the block ends."""
    with foreign_valkey(folder / "valkey") as valkey:
        servers = Cluster(folder, valkey, processes, settings or {})
        try:
            servers.start()
            yield servers
        finally:
            servers.end()
