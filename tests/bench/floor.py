"""The machine's raw floor: a bare echo server of the `websockets` library, and one XADD per fsync.

    python -m tests.bench.floor

serves on a free port, which it prints, until its input ends.
"""

import asyncio
import contextlib
import sys
import time
from pathlib import Path

import redis.asyncio
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from server.store.embedded import EmbeddedValkey

BODY = b"x" * 120


async def back(connection: ServerConnection) -> None:
    """Sends every message back."""
    with contextlib.suppress(ConnectionClosed):
        async for message in connection:
            await connection.send(message)


async def echo_server() -> None:
    """Serves until the input ends."""
    names = [Subprotocol("kop.v1.msgpack")]
    async with serve(back, "127.0.0.1", 0, subprotocols=names, compression=None) as server:
        print(next(iter(server.sockets)).getsockname()[1], flush=True)
        await asyncio.to_thread(sys.stdin.read)


async def appends_per_second(folder: Path, seconds: float, at_once: int) -> float:
    """XADDs of 120 bytes with an fsync before each answer, in pipelines of so many."""
    async with EmbeddedValkey(folder) as valkey:
        client = redis.asyncio.Redis.from_url(valkey.url)
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            pipeline = client.pipeline(transaction=False)
            for _ in range(at_once):
                pipeline.xadd("floor", {"b": BODY})
            await pipeline.execute()
            count += at_once
        await client.aclose()
        return count / (time.perf_counter() - began)


if __name__ == "__main__":
    asyncio.run(echo_server())
