"""A server process to be killed: starts an embedded Valkey, writes a log, says so and waits.

Arguments: data directory, table, `orphan` or `together`.
"""

import asyncio
import sys

from server.store.embedded import EmbeddedValkey
from server.store.port import Lifetime, TableId
from server.store.redis_store import RedisStore


async def main(data_dir: str, table: str, ends: str) -> None:
    """Prints the process id of the Valkey once three entries are stored."""
    async with EmbeddedValkey(data_dir, ends_with_us=ends == "together") as valkey:
        store = await RedisStore.open(valkey.url)
        for version in (1, 2, 3):
            print(await store.append(TableId(table), version, b"body %d" % version, Lifetime.MATCH), flush=True)
        print(valkey.pid, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
