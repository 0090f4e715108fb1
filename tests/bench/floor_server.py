"""The plain floor: what a server of this kind costs in Python when it does nothing but carry.

    python -m tests.bench.floor_server STORE_URL CANNED [reply]

The `websockets` library, one `await send` for each view, msgpack, one redis-py pipeline for each turn of the loop;
no rules, no validation, no duties but one: every move is durable before anyone is told. With `reply` the mover gets
one more frame, as the product's clients do. It prints its port and serves until its input ends.
"""

import asyncio
import contextlib
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgpack
from redis.asyncio import Redis
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.bench.canned import Canned

SEATS = 4


class Log:
    """Appends that wait go in one pipeline, which is synced before it is answered."""

    def __init__(self, client: Redis) -> None:
        self._client = client
        self._waiting: list[tuple[str, int, bytes, asyncio.Future[None]]] = []
        self._wake = asyncio.Event()

    def append(self, table: str, version: int, body: bytes) -> asyncio.Future[None]:
        """Done when the entry is durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, version, body, done))
        self._wake.set()
        return done

    async def run(self) -> None:
        """Sends what waits, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            pipeline = self._client.pipeline(transaction=False)
            for table, version, body, _ in batch:
                pipeline.xadd(f"floor:{table}", {"b": body}, id=f"{version}-0")
            await pipeline.execute()
            for *_, done in batch:
                done.set_result(None)


class Floor:
    """Tables of four connections, and the version of each."""

    def __init__(self, log: Log, canned: Canned, *, replies: bool) -> None:
        self._log = log
        self._canned = canned
        self._replies = replies
        self._tables: dict[str, dict[int, ServerConnection]] = {}
        self._versions: dict[str, int] = {}

    async def serve(self, connection: ServerConnection) -> None:
        """One connection, from its first view to its end."""
        assert connection.request is not None
        query = parse_qs(urlsplit(connection.request.path).query)
        table, seat = query["table"][0], int(query["seat"][0])
        seats = self._tables.setdefault(table, {})
        seats[seat] = connection
        if len(seats) == SEATS:
            self._versions[table] = 0
            await self._tell(table)
        with contextlib.suppress(ConnectionClosed):
            while True:
                msgpack.unpackb(await connection.recv(decode=False))
                version = self._versions[table] + 1
                await self._log.append(table, version, self._canned.entry)
                self._versions[table] = version
                if self._replies:
                    await connection.send(msgpack.packb(self._canned.reply | {"version": version}))
                await self._tell(table)

    async def _tell(self, table: str) -> None:
        version = self._versions[table]
        for seat, connection in self._tables[table].items():
            await connection.send(msgpack.packb(self._canned.views[seat] | {"version": version}))


async def main(store_url: str, canned: str, replies: str = "") -> None:
    """Serves until the input ends."""
    client = Redis.from_url(store_url)
    log = Log(client)
    floor = Floor(log, Canned.read(Path(canned)), replies=bool(replies))
    names = [Subprotocol("kop.v1.msgpack")]
    async with asyncio.TaskGroup() as group:
        flushing = group.create_task(log.run())
        async with serve(floor.serve, "127.0.0.1", 0, subprotocols=names, compression=None) as server:
            print(next(iter(server.sockets)).getsockname()[1], flush=True)
            await asyncio.to_thread(sys.stdin.read)
        flushing.cancel()
    await client.aclose()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
