"""A stranger at a real port: he sends bytes as a script has them, and reads whatever comes back."""

import asyncio
import contextlib
import json
import socket
import struct
from collections import Counter
from typing import Any, Self

import msgpack

from protocol.codec import Encoding, pack
from protocol.errors import ErrorCode
from tests.fuzz import raw
from tests.fuzz.peer import NO_ANSWERS, expected
from tests.fuzz.script import Script

PATIENCE = 20.0
HOST = "127.0.0.1"
Message = dict[str, Any]


async def said(port: int, *parts: bytes) -> tuple[bytes, bool]:
    """What comes back to these bytes and the end of writing; and whether the server hung up with a reset."""
    heard = bytearray()
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            for part in parts:
                writer.write(part)
                await asyncio.sleep(0)
            with contextlib.suppress(OSError):
                writer.write_eof()
            while chunk := await reader.read(65_536):
                heard += chunk
        except ConnectionError:
            return bytes(heard), True
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()
    return bytes(heard), False


class Stranger:
    """A websocket that may say anything."""

    def __init__(self, encoding: Encoding, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.encoding = encoding
        self.last_id = 0
        self.views: dict[str, Message] = {}
        self.code: int | None = None
        self.over = False
        self._reader = reader
        self._writer = writer
        self._asked: Counter[int | None] = Counter()
        self._answered: Counter[int | None] = Counter()
        self._opcode = 1 if encoding is Encoding.JSON else 2

    @classmethod
    async def come(cls, port: int, encoding: Encoding) -> Self:
        """Opens the websocket."""
        reader, writer = await asyncio.open_connection(HOST, port)
        headers = [*raw.UPGRADE, (b"Sec-WebSocket-Protocol", encoding.encode())]
        writer.write(b"\r\n".join((b"GET /ws HTTP/1.1", *(name + b": " + value for name, value in headers), b"", b"")))
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        return cls(encoding, reader, writer)

    async def greet(self) -> None:
        """Says hello."""
        await self.say(pack({"type": "hello", "protocol": 1, "instance": "stranger", "name": "Ada"}, self.encoding))

    async def say(self, *payloads: bytes, script: Script | None = None) -> None:
        """Sends messages in one write, in pieces and with pings between if there is a script; hears their answers."""
        sent = b""
        for payload in payloads:
            self._asked[expected(payload, self.encoding)] += 1
            sent += raw.frame(self._opcode, payload) if script is None else self._in_pieces(payload, script)
        await self._write(sent)
        await self._answers()

    def _in_pieces(self, payload: bytes, script: Script) -> bytes:
        sent, opcode, rest = b"", self._opcode, payload
        for _ in range(script.below(5)):
            cut = script.below(len(rest) + 1)
            sent += raw.frame(opcode, rest[:cut], fin=False)
            opcode, rest = 0, rest[cut:]
            if script.below(2):
                sent += raw.frame(9, b"ping")
        return sent + raw.frame(opcode, rest)

    async def ruin(self, data: bytes) -> None:
        """Sends any bytes, then says farewell: the connection ends, and for a reason that is known."""
        try:
            await self._write(data + raw.frame(8, b"\x03\xe8"))
            with contextlib.suppress(OSError):
                self._writer.write_eof()  # the farewell may have become part of half a frame
            async with asyncio.timeout(PATIENCE):
                while await self._hear():
                    pass
        finally:
            self.leave()

    async def _write(self, data: bytes) -> None:
        with contextlib.suppress(ConnectionError):
            self._writer.write(data)
            await self._writer.drain()

    async def _answers(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while self._asked != self._answered and not self.over:
                await self._hear()
                surplus = self._answered - self._asked
                assert not surplus, f"heard {surplus} unasked"

    async def _hear(self) -> bool:
        """One frame of the server; False at the end."""
        try:
            first, size = await self._reader.readexactly(2)
            if size >= 126:
                size = int.from_bytes(await self._reader.readexactly(2 if size == 126 else 8))
            payload = await self._reader.readexactly(size)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.over = True
            return False
        assert self.code is None, "said more after its close frame"
        if first == 0x88:
            self.code = int.from_bytes(payload[:2]) if payload else 1005
            if payload not in raw.CLOSES:
                assert self.code in raw.CLOSE_CODES, payload
        elif first & 15 < 8:
            assert first == 0x80 | self._opcode
            self._take(json.loads(payload) if self.encoding is Encoding.JSON else msgpack.unpackb(payload))
        self.over = self.over or self.code is not None
        return True

    def _take(self, message: Message) -> None:
        match message["type"]:
            case "table":
                self.views[message["table"]] = message
            case "closed":
                self.views.pop(message["table"], None)
            case "error":
                assert ErrorCode(message["code"]) is not ErrorCode.TABLE_FROZEN
        if message["type"] not in NO_ANSWERS:
            self._answered[message.get("id")] += 1

    def leave(self, *, reset: bool = False) -> None:
        """Hangs up, politely or not."""
        self.over = True
        if reset:
            plain: socket.socket = self._writer.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._writer.transport.abort()
        else:
            self._writer.close()
