"""The connections to a Redis or Valkey, and whether it is away.

Commands that write to logs share one connection, so that their order is known; all others take one
of a few more. Nothing is ever sent twice. The store counts as away from the first lost connection,
overlong answer or refused write until `probe` succeeds; meanwhile everything fails at once.
"""

import asyncio
import contextlib
import logging
import re
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Protocol, cast

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection, ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    ClusterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from server.store.keys import PROBE
from server.store.port import StoreAway, StoreRefused
from server.store.settings import StoreSettings

log = logging.getLogger(__name__)

Command = tuple[str | bytes | int, ...]

_READERS = 8
_PROBE_LIFETIME_MS = 60_000
_REFUSALS = ("MISCONF", "NOREPLICAS", "BUSY ")
_REFUSING = (OutOfMemoryError, ReadOnlyError, ClusterDownError, TryAgainError)
"""The client takes their first word off these."""
_RUN_ID = re.compile(rb"run_id:(\w+)")


def refuses_all(error: ResponseError) -> bool:
    """Whether a store that answers so takes no writes at all now, whatever is written."""
    return isinstance(error, _REFUSING) or str(error).startswith(_REFUSALS)


def check_url(url: str) -> None:
    """Makes a connection that is not opened.

    Raises:
        ValueError: why this cannot be the URL of a store; the text does not repeat it, for it may hold a password.
    """
    try:
        pool = ConnectionPool.from_url(url)
        pool.connection_class(**pool.connection_kwargs)
    except TypeError as fault:  # an option that there is not
        raise ValueError(str(fault)) from None


class Link:
    """All connections to one store. Run `probe` whenever `lost` is set, until it returns."""

    def __init__(self, url: str, settings: StoreSettings, on_lost: Callable[[str], None]) -> None:
        self.away: str | None = "not connected yet"
        self.lost = asyncio.Event()
        self._closed = False
        self._on_lost = on_lost
        self._timeout = settings.flush_timeout / 1000
        self._writer = _client(url, settings, _Fence().connect)
        self._writing = asyncio.Lock()
        self._reader = _client(url, settings, None)
        self._slots = asyncio.Semaphore(_READERS)

    async def ask(self, *command: str | bytes | int) -> Any:
        """The answer to one command.

        Raises:
            StoreAway
        """
        async with self._slots, self._answering():
            return await cast(_Commands, self._reader).execute_command(*command)

    async def ask_all(self, *commands: Command) -> list[Any]:
        """The answers to commands on one key, which take effect together or not at all.

        Raises:
            StoreAway
        """
        async with self._slots, self._answering():
            pipeline = self._reader.pipeline(transaction=True)
            for command in commands:
                cast(_Commands, pipeline).execute_command(*command)
            return await pipeline.execute()

    async def write(self, commands: Sequence[Command]) -> list[Any]:
        """One answer for each command, a ResponseError for one that was refused; one round trip.

        Raises:
            StoreAway: any of them may have taken effect.
        """
        async with self._writing, self._answering():
            pipeline = self._writer.pipeline(transaction=False)
            for command in commands:
                cast(_Commands, pipeline).execute_command(*command)
            return await pipeline.execute(raise_on_error=False)

    async def probe(self) -> float:
        """The store's time in ms, asked on the writing connection; the store is no longer away.

        Raises:
            StoreAway: it still is.
        """
        self.lost.clear()
        was_away = self.away is not None
        async with self._writing, self._answering(probing=True):
            if was_away:
                await self._take_a_write()
            seconds, micros = await cast(_Commands, self._writer).execute_command("TIME")
        if was_away:
            log.info("the store answers")
        self.away = None
        return float(seconds * 1000 + micros / 1000)

    async def _take_a_write(self) -> None:
        # New connections: after a failover the old ones may lead to a server that is no longer the right one.
        await self._writer.connection_pool.disconnect()
        await self._reader.connection_pool.disconnect(inuse_connections=False)
        await cast(_Commands, self._writer).execute_command("SET", PROBE, 1, "PX", _PROBE_LIFETIME_MS)

    def lose(self, reason: str) -> None:
        """Notes that the store is away."""
        if self._closed:
            return
        if self.away is None:
            log.warning("the store is away: %s", reason)
        self.away = reason
        self.lost.set()
        self._on_lost(reason)

    async def close(self) -> None:
        """Ends all connections; nothing may be asked afterwards."""
        self._closed = True
        self.away = "the store is closed"
        for client in (self._writer, self._reader):
            with contextlib.suppress(RedisError, OSError, TimeoutError):
                await client.aclose()

    @contextlib.asynccontextmanager
    async def _answering(self, *, probing: bool = False) -> AsyncIterator[None]:
        if self.away is not None and not probing:
            raise StoreAway(self.away)
        try:
            async with asyncio.timeout(self._timeout):
                yield
        except TimeoutError as error:
            reason = f"no answer within {self._timeout:g} s"
            self.lose(reason)
            raise StoreAway(reason) from error
        except ResponseError as error:
            if not refuses_all(error):
                raise StoreRefused(str(error)) from error
            self.lose(str(error))
            raise StoreAway(str(error)) from error
        except (RedisError, OSError) as error:
            self.lose(str(error))
            raise StoreAway(str(error)) from error


class _Commands(Protocol):
    """The part of a client or pipeline that is used here, with types."""

    def execute_command(self, *command: str | bytes | int) -> Any: ...


class _Fence:
    """Ends the former connection at the server before a new one is used.

    A command on a lost connection may still wait in a socket's buffer; were it to take effect later,
    whoever asks on the new connection what became of it would be told the wrong thing.
    """

    def __init__(self) -> None:
        self._former: tuple[bytes, int] | None = None

    async def connect(self, connection: AbstractConnection) -> None:
        await connection.on_connect()
        connection_id = await self._ask(connection, "CLIENT", "ID")
        found = _RUN_ID.search(await self._ask(connection, "INFO", "server") or b"")
        run = found.group(1) if found else b""
        if self._former is not None and run and self._former[0] == run:
            await self._ask(connection, "CLIENT", "KILL", "ID", self._former[1])
        self._former = (run, connection_id) if run and connection_id else None

    @staticmethod
    async def _ask(connection: AbstractConnection, *command: str | int) -> Any:
        try:
            await connection.send_command(*command, check_health=False)
            return await connection.read_response()
        except ResponseError:  # a managed server that forbids it
            return None


def _client(url: str, settings: StoreSettings, connect: Callable[[AbstractConnection], Any] | None) -> Redis:
    return Redis.from_url(
        url,
        protocol=2,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=None,
        socket_connect_timeout=settings.flush_timeout / 1000,
        redis_connect_func=connect,
    )
