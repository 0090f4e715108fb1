"""The listening port: who is connected, how many may be, and the one sweep for everything that times out."""

import asyncio
import logging
import socket
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Final

from protocol.errors import CLOSE_TEXTS, CloseCode
from server.endpoint import http
from server.endpoint.address import Network, is_trusted
from server.endpoint.handshake import Origins, Visitor
from server.endpoint.http import Page
from server.endpoint.limits import ConnectionLimits
from server.endpoint.websocket import Application, Connection

SWEEP_EVERY: Final = 1.0
"""Seconds between two sweeps, and how late a time-out may be."""

BACKLOG: Final = 1024

_FULL: Final = http.text_page(503, "The server is full; try again later.", ("Retry-After", "30"))
_GOING: Final = http.text_page(503, CLOSE_TEXTS[CloseCode.GOING_AWAY], ("Retry-After", "5"))
_TOO_MANY: Final = http.text_page(429, "Too many connections from this address.", ("Retry-After", "30"))

_log: Final = logging.getLogger(__name__)


def no_pages(path: str) -> Page | None:
    """A server of websockets only."""
    return None


class Listener:
    """Accepts sockets, gives out pages, and keeps every connection until its socket is gone.

    Next: `await start(...)`, and at the end `await close()`.
    """

    def __init__(
        self,
        application: Application,
        *,
        limits: ConnectionLimits | None = None,
        pages: http.Pages = no_pages,
        origins: Origins | None = None,
        trusted_proxies: Sequence[Network] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.application = application
        self.limits = limits or ConnectionLimits()
        self.pages = pages
        self.origins = origins
        self.trusted_proxies = trusted_proxies
        self.now = clock
        self.connections: set[Connection] = set()
        self.visitors: set[Visitor] = set()
        self._by_address: Counter[str] = Counter()
        self._visitors_by_host: Counter[str] = Counter()
        self._server: asyncio.Server | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._to_write: deque[Connection] = deque()
        self._going = False
        self._empty = asyncio.Event()
        self._empty.set()

    async def start(self, host: str | None = None, port: int = 0, *, shared: socket.socket | None = None) -> None:
        """Listen at a host (None: all interfaces) and port (0: any), or on a socket that other processes listen on too.

        Raises OSError where the port cannot be had.
        """
        loop = asyncio.get_running_loop()
        if shared is None:
            self._server = await loop.create_server(self._visitor, host, port, backlog=BACKLOG)
        else:
            self._server = await loop.create_server(self._visitor, sock=shared, backlog=BACKLOG)
        for listening in self._server.sockets:  # its connections inherit this
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.limits.send_buffer)
        self._arm()

    @property
    def sockets(self) -> Sequence[socket.socket]:
        """The listening sockets."""
        return () if self._server is None else tuple(self._server.sockets)

    @property
    def port(self) -> int:
        """The port of the first listening socket."""
        port: int = self.sockets[0].getsockname()[1]
        return port

    @property
    def full(self) -> bool:
        """Whether as many websockets are open as may be."""
        return len(self.connections) >= self.limits.connections

    def connections_from(self, address: str) -> int:
        """The websockets of one address, those that are being closed included."""
        return self._by_address[address]

    def stop_listening(self) -> None:
        """Take no new sockets and no new websockets; those that are open go on."""
        self._going = True
        if self._server is not None:
            self._server.close()

    async def close(self, code: CloseCode = CloseCode.GOING_AWAY, reason: str = "") -> None:
        """Close everything; returns after `limits.closing` seconds even if a peer is stuck."""
        self.stop_listening()
        for connection in list(self.connections):
            connection.close(code, reason)
        for visitor in list(self.visitors):
            visitor.hang_up()
        for seconds in (self.limits.closing, SWEEP_EVERY):
            try:
                async with asyncio.timeout(seconds):
                    await self._empty.wait()
                break
            except TimeoutError:
                self._abort_all()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def sweep(self) -> None:
        """Enforce all time-outs; called each second, and by tests when they have moved the clock."""
        now = self.now()
        for connection in list(self.connections):
            connection.sweep(now)
        for visitor in list(self.visitors):
            visitor.sweep(now)

    # What connections and visitors ask of their host

    def came(self, visitor: Visitor) -> bool:
        """Count this visitor, or say that there are too many."""
        host = visitor.host_address
        crowded = self._visitors_by_host[host] >= self.limits.visitors_per_address
        if len(self.visitors) >= self.limits.visitors or (crowded and not is_trusted(host, self.trusted_proxies)):
            _log.debug("too many visitors, one from %s was dropped", host)
            return False
        self._visitors_by_host[host] += 1
        self.visitors.add(visitor)
        self._empty.clear()
        return True

    def left(self, visitor: Visitor) -> None:
        """Count it no longer."""
        if visitor in self.visitors:
            self.visitors.remove(visitor)
            self._visitors_by_host[visitor.host_address] -= 1
            self._forget_zero(self._visitors_by_host, visitor.host_address)
            self._note_empty()

    def refusal(self, address: str) -> Page | None:
        """Why no further websocket may be opened from this address, None if it may."""
        if self._going:
            return _GOING
        if self.full:
            return _FULL
        if self._by_address[address] >= self.limits.per_address:
            return _TOO_MANY
        return None

    def opened(self, connection: Connection) -> None:
        """Count this connection."""
        self.connections.add(connection)
        self._by_address[connection.address] += 1
        self._empty.clear()

    def lost(self, connection: Connection) -> None:
        """Count it no longer."""
        self.connections.discard(connection)
        self._by_address[connection.address] -= 1
        self._forget_zero(self._by_address, connection.address)
        self._note_empty()

    def write_soon(self, connection: Connection) -> None:
        """Let it write when all that has come in at once is dealt with; who was told first is written to first."""
        if not self._to_write:
            asyncio.get_running_loop().call_soon(self._write)
        self._to_write.append(connection)

    # Inside

    def _write(self) -> None:
        writing, self._to_write = self._to_write, deque()
        try:
            while writing:
                writing.popleft().write()
        finally:
            for connection in writing:  # none waits for ever if one has failed
                self.write_soon(connection)

    def _visitor(self) -> Visitor:
        return Visitor(self)

    def _arm(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(SWEEP_EVERY, self._tick)

    def _tick(self) -> None:
        self._arm()
        self.sweep()

    def _abort_all(self) -> None:
        for connection in list(self.connections):
            connection.abort()
        for visitor in list(self.visitors):
            visitor.abort()

    def _note_empty(self) -> None:
        if not self.connections and not self.visitors:
            self._empty.set()

    @staticmethod
    def _forget_zero(counter: Counter[str], key: str) -> None:
        if counter[key] <= 0:
            del counter[key]
