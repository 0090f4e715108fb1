"""Several server processes on one store of their own, for tests that kill and stop them."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from server.store.embedded import EmbeddedValkey
from tests.servers import ServerProcess


@contextlib.asynccontextmanager
async def hosts(
    folder: Path, number: int, environment: Mapping[str, str] | None = None
) -> AsyncIterator[list[ServerProcess]]:
    """So many servers, each on a port of its own, on one Valkey; ended however the block ends."""
    async with EmbeddedValkey(folder / "store") as valkey:
        servers = [
            ServerProcess(folder / f"server-{one}", {**(environment or {}), "KOP_REDIS_URL": valkey.url})
            for one in range(number)
        ]
        try:
            await asyncio.gather(*(asyncio.to_thread(server.start) for server in servers))
            yield servers
        finally:
            for server in servers:
                with contextlib.suppress(ProcessLookupError):
                    if server.process is not None:
                        os.kill(server.pid, signal.SIGCONT)
                await asyncio.to_thread(server.kill)
