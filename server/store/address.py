"""Where a Redis or Valkey is, and how one signs on there: the URLs of redis-py, and what they mean."""

import asyncio
from collections.abc import Callable
from typing import Any

from hiredis import ReplyError
from redis.asyncio import connection as client

from server.store.connection import Command, Connection
from server.store.port import StoreAway


def check_url(url: str) -> None:
    """Reads a URL, and connects to nothing.

    Raises:
        ValueError: why this cannot be the URL of a store; the text does not repeat it, for it may hold a password.
    """
    Address.of(url)


class Address:
    """A server's address with the credentials and options of the URL that led to it."""

    def __init__(self, kind: type[client.AbstractConnection], options: dict[str, Any]) -> None:
        self._kind = kind
        self._options = options
        # redis-py's own connection, never opened: it knows the defaults and makes the TLS context.
        self._client: Any = kind(**options)

    @classmethod
    def of(cls, url: str) -> "Address":
        """The address of a `redis://`, `rediss://` or `unix://` URL.

        Raises:
            ValueError: it cannot be understood.
        """
        try:
            pool = client.ConnectionPool.from_url(url)
            return cls(pool.connection_class, pool.connection_kwargs)
        except TypeError as fault:  # an option that there is not
            raise ValueError(str(fault)) from None

    def at(self, host: str, port: int) -> "Address":
        """Another server of the same cluster."""
        options = {name: value for name, value in self._options.items() if name != "path"} | {
            "host": host,
            "port": port,
        }
        kind = client.Connection if self._kind is client.UnixDomainSocketConnection else self._kind
        return Address(kind, options)

    @property
    def host(self) -> str:
        """The host; that of a unix socket is this one."""
        return getattr(self._client, "host", "127.0.0.1")

    async def connect(self, make: Callable[[], Connection], timeout: float) -> Connection:
        """A connection that has signed on; the socket is waited for that many seconds.

        Raises:
            OSError: there is no connection to be had.
            StoreAway: it was lost, or refused what the URL says of user, password and database.
        """
        loop, there = asyncio.get_running_loop(), self._client
        async with asyncio.timeout(timeout):
            if self._kind is client.UnixDomainSocketConnection:
                _, connection = await loop.create_unix_connection(make, there.path)
            else:
                tls = there.ssl_context.get() if isinstance(there, client.SSLConnection) else None
                _, connection = await loop.create_connection(make, there.host, there.port, ssl=tls)
        signing_on = self._signing_on()
        for answer in await connection.call(*signing_on) if signing_on else ():
            if isinstance(answer, ReplyError):
                connection.close(str(answer))
                raise StoreAway(str(answer))
        return connection

    def _signing_on(self) -> list[Command]:
        commands: list[Command] = []
        if self._client.username:
            commands.append(("AUTH", self._client.username, self._client.password or ""))
        elif self._client.password:
            commands.append(("AUTH", self._client.password))
        if self._client.client_name:
            commands.append(("CLIENT", "SETNAME", self._client.client_name))
        if int(self._client.db):
            commands.append(("SELECT", int(self._client.db)))
        return commands
