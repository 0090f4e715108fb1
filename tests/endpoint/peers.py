"""What the tests of the port need: a clock that is ticked, an application that notes, and bare sockets."""

import asyncio
import contextlib
import os
import socket
import struct
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets.asyncio.client import connect
from websockets.frames import Frame, Opcode
from websockets.typing import Subprotocol

from protocol.codec import Encoding
from server.endpoint.limits import ConnectionLimits
from server.endpoint.listener import Listener
from server.endpoint.websocket import Connection, frame

HOST = "127.0.0.1"
PATIENCE = 20.0


async def until(fact: Callable[[], bool]) -> None:
    """Wait until the fact holds; fail after a long while."""
    async with asyncio.timeout(PATIENCE):
        while not fact():  # noqa: ASYNC110 - the fact is in a socket or a set, which tell nobody
            await asyncio.sleep(0.001)


@dataclass
class Clock:
    """A clock that goes only when it is told to."""

    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Notes:
    """An application that notes what it is told, and answers with `reply` if there is one."""

    came: list[Connection] = field(default_factory=list)
    gone: list[Connection] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    drains: int = 0
    reply: Callable[[Connection, bytes], None] | None = None

    def connected(self, connection: Connection) -> None:
        self.came.append(connection)

    def received(self, connection: Connection, payload: bytes) -> None:
        self.messages.append(payload)
        if self.reply is not None:
            self.reply(connection, payload)

    def drained(self, connection: Connection) -> None:
        self.drains += 1

    def disconnected(self, connection: Connection) -> None:
        self.gone.append(connection)


def echo(connection: Connection, payload: bytes) -> None:
    """A reply that says the same."""
    connection.send(frame(payload, connection.encoding))


@dataclass
class Port:
    """A listener on a port of its own, with its clock and its application."""

    listener: Listener
    notes: Notes
    clock: Clock

    def tick(self, seconds: float) -> None:
        """Let time pass and sweep, as the listener's timer does each second."""
        self.clock.now += seconds
        self.listener.sweep()

    def client(self, *encodings: Encoding, **options: Any) -> connect:
        """A client of the `websockets` library: `async with port.client() as client`."""
        offered = [Subprotocol(each) for each in encodings or (Encoding.MSGPACK,)]
        url = f"ws://{HOST}:{self.listener.port}/ws"
        return connect(url, subprotocols=offered, proxy=None, compression=None, **options)

    async def connection(self) -> Connection:
        """The server's side of the newest connection."""
        await until(lambda: bool(self.notes.came))
        return self.notes.came[-1]


@contextlib.asynccontextmanager
async def listening(limits: ConnectionLimits | None = None, **options: Any) -> AsyncIterator[Port]:
    notes, clock = Notes(), Clock()
    listener = Listener(notes, limits=limits or ConnectionLimits(closing=1.0), clock=clock, **options)
    await listener.start(HOST)
    try:
        yield Port(listener, notes, clock)
    finally:
        await listener.close()
        assert not listener.connections
        assert not listener.visitors
        assert len(notes.came) == len(notes.gone) == len(set(notes.gone))


@dataclass
class Raw:
    """A bare socket: it says exactly what a test tells it to say."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def say(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def rest(self) -> bytes:
        """All that comes until the server hangs up; a reset counts as hanging up."""
        heard = bytearray()
        async with asyncio.timeout(PATIENCE):
            with contextlib.suppress(ConnectionError):
                while chunk := await self.reader.read(65_536):
                    heard += chunk
        return bytes(heard)

    async def frame(self) -> tuple[int, bytes]:
        """The opcode and payload of the next frame."""
        async with asyncio.timeout(PATIENCE):
            first, size = await self.reader.readexactly(2)
            if size == 126:
                (size,) = struct.unpack("!H", await self.reader.readexactly(2))
            return first & 0x0F, await self.reader.readexactly(size)

    async def close_code(self) -> int:
        """The code of the close frame that must come next."""
        opcode, payload = await self.frame()
        assert opcode == Opcode.CLOSE
        return int.from_bytes(payload[:2])

    def reset(self) -> None:
        """Hang up with a reset, as a crashed machine does."""
        plain: socket.socket = self.writer.get_extra_info("socket")
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


@contextlib.asynccontextmanager
async def raw(port: Port, *, receive_buffer: int | None = None) -> AsyncIterator[Raw]:
    """A bare socket, with a small receive buffer for peers that do not read."""
    plain = socket.socket()
    if receive_buffer is not None:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, (HOST, port.listener.port))
    limit = 65_536 if receive_buffer is None else receive_buffer
    reader, writer = await asyncio.open_connection(sock=plain, limit=limit)
    try:
        yield Raw(reader, writer)
    finally:
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()


def upgrade(encoding: Encoding = Encoding.MSGPACK, *lines: str, path: str = "/ws") -> bytes:
    """The request that opens a websocket."""
    head = [
        f"GET {path} HTTP/1.1",
        "Host: kop.test",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Sec-WebSocket-Protocol: {encoding}",
        *lines,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n"


@contextlib.asynccontextmanager
async def raw_websocket(port: Port, *, receive_buffer: int | None = None) -> AsyncIterator[Raw]:
    """A bare socket behind its websocket handshake."""
    async with raw(port, receive_buffer=receive_buffer) as peer:
        await peer.say(upgrade())
        async with asyncio.timeout(PATIENCE):
            head = await peer.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        yield peer


def masked(opcode: Opcode, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A client's frame."""
    return Frame(opcode, payload, fin=fin).serialize(mask=True)


def noise(size: int) -> bytes:
    return os.urandom(size)
