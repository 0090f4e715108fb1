"""Bare websockets to a server, on sockets with small buffers, for floods and for peers that never read."""

import asyncio
import base64
import os
import secrets
import socket
import struct
from pathlib import Path
from typing import Any, Self

import msgpack

from protocol.codec import Encoding
from tests.servers import ServerProcess

SMALL_BUFFER = 4_096
"""Bytes that the system takes for a peer that does not read."""
_CLOSE = 8
_HELD = ("01", "04", "05", "08", "09")
"""Of /proc/net/tcp: established, waiting for the peer's last word or for the server's."""


class Bare:
    """A websocket that reads only when it is told to."""

    def __init__(self) -> None:
        self.status = 0
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        self._socket.setblocking(False)
        self._data = b""

    async def connect(self, server: ServerProcess) -> Self:
        """Does the handshake; `status` is what the server answered, 101 if it is a websocket now."""
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self._socket, ("127.0.0.1", server.port))
        key = base64.b64encode(os.urandom(16)).decode()
        request = (
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: {Encoding.MSGPACK}\r\n\r\n"
        )
        await loop.sock_sendall(self._socket, request.encode())
        while b"\r\n\r\n" not in self._data:
            await self._more()
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        self.status = int(head.split(b" ")[1])
        return self

    async def say(self, message: dict[str, Any]) -> bool:
        """Sends a message; False: the server has hung up."""
        payload = bytes(msgpack.packb(message))
        size = bytes((0x80 | len(payload),)) if len(payload) < 126 else struct.pack("!BH", 0x80 | 126, len(payload))
        try:  # masked with zeros
            await asyncio.get_running_loop().sock_sendall(self._socket, b"\x82" + size + bytes(4) + payload)
        except OSError:
            return False
        return True

    async def answer(self) -> dict[str, Any]:
        """The next message."""
        opcode, payload = await self._frame()
        assert opcode != _CLOSE, payload
        message: dict[str, Any] = msgpack.unpackb(payload)
        return message

    async def hears(self, kind: str) -> dict[str, Any]:
        """Reads to the first message of this kind."""
        while True:
            message = await self.answer()
            if message["type"] == kind:
                return message

    async def close_code(self) -> int:
        """Reads to the end: the code with which the server has closed, 1006 if it has given none."""
        try:
            while True:
                opcode, payload = await self._frame()
                if opcode == _CLOSE:
                    return int.from_bytes(payload[:2])
        except OSError:
            return 1006

    def drop(self) -> None:
        """Hangs up."""
        self._socket.close()

    async def _more(self) -> None:
        data = await asyncio.get_running_loop().sock_recv(self._socket, 65_536)
        if not data:
            raise ConnectionResetError
        self._data += data

    async def _take(self, size: int) -> bytes:
        while len(self._data) < size:
            await self._more()
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    async def _frame(self) -> tuple[int, bytes]:
        first, size = await self._take(2)
        if size >= 126:
            size = int.from_bytes(await self._take(2 if size == 126 else 8))
        return first & 15, await self._take(size)


async def greeted(server: ServerProcess, name: str, token: str | None = None) -> Bare:
    """A bare websocket that has said hello."""
    bare = await Bare().connect(server)
    hello = {"type": "hello", "protocol": 1, "instance": secrets.token_hex(8)}
    await bare.say(hello | ({"name": name} if token is None else {"token": token}))
    await bare.hears("welcome")
    return bare


async def spectator(server: ServerProcess, name: str, code: str) -> Bare:
    """A bare websocket of somebody who watches the table of this code, and has read nothing since."""
    bare = await greeted(server, name)
    await bare.say({"type": "join", "id": 1, "code": code, "watch": True})
    await bare.hears("reply")
    return bare


def connections(server: ServerProcess) -> int:
    """How many sockets the system holds for peers of a server, those included that are being closed."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(line[1].split(":")[1], 16) == server.port and line[3] in _HELD for line in lines)


def memory(server: ServerProcess) -> int:
    """The bytes of memory of a server process."""
    lines = Path(f"/proc/{server.pid}/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))
