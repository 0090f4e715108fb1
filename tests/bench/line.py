"""A bare websocket over a socket: no library masks or parses here, so that it costs next to nothing."""

import socket
from typing import Any
from urllib.parse import urlsplit

import msgpack

Message = dict[str, Any]
PATIENCE = 20.0
_AT_ONCE = 256 * 1024
_BINARY, _CLOSE, _PING, _PONG = 0x82, 0x88, 0x89, 0x8A
_UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: kop.v1.msgpack\r\n\r\n"
)


class LineLost(ConnectionError):
    """The server has hung up."""


def masked(payload: bytes, opcode: int = _BINARY) -> bytes:
    """A client's frame of up to 64 KiB; a mask of zeros costs nothing."""
    size = len(payload)
    if size < 126:
        return bytes((opcode, 0x80 | size)) + b"\0\0\0\0" + payload
    return bytes((opcode, 0xFE)) + size.to_bytes(2) + b"\0\0\0\0" + payload


def split(data: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The whole frames of a server, as opcode and payload, and the bytes that are left."""
    found: list[tuple[int, bytes]] = []
    place, end = 0, len(data)
    while end - place >= 2:
        size, start = data[place + 1], place + 2
        if size >= 126:
            start += 2 if size == 126 else 8
            if start > end:
                break
            size = int.from_bytes(data[place + 2 : start])
        if start + size > end:
            break
        found.append((data[place], data[start : start + size]))
        place = start + size
    return found, data[place:]


class Line:
    """One websocket. `ask` and `wait` block; `take` does not: call it when the socket can be read."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        assert place.hostname
        assert place.port
        self.socket = socket.create_connection((place.hostname, place.port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(_UPGRADE.format(path=url.partition(place.netloc)[2]).encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += self._read()
        answer, _, rest = head.partition(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 101 "):
            raise LineLost(answer[:80].decode(errors="replace"))
        self._rest = b""
        self._kept = self._messages(rest)

    def send(self, payload: bytes) -> None:
        """Sends one message."""
        self.socket.sendall(masked(payload))

    def take(self) -> list[bytes]:
        """The messages that have come, perhaps none; blocks until something has.

        Raises:
            LineLost
        """
        return self.kept() or self._messages(self._read())

    def kept(self) -> list[bytes]:
        """Messages that have been read already and not been given out."""
        kept, self._kept = self._kept, []
        return kept

    def ask(self, message: Message) -> Message:
        """Sends a message and waits for its answer, the first message that is no news."""
        self.send(msgpack.packb(message))
        return self.wait("welcome", "reply", "error")

    def wait(self, *types: str) -> Message:
        """The next message of one of these types; what came before it is dropped, what came after it is kept."""
        while True:
            taken = self.take()
            for place, payload in enumerate(taken):
                message: Message = msgpack.unpackb(payload)
                if message["type"] in types:
                    self._kept = taken[place + 1 :]
                    return message

    def greet(self, **fields: object) -> Message:
        """Says hello; the welcome.

        Raises:
            RuntimeError: it was refused.
        """
        return accepted(self.ask({"type": "hello", "protocol": 1, "instance": "benchmark", **fields}))

    def close(self) -> None:
        """Hangs up, without a farewell."""
        self.socket.close()

    def _messages(self, data: bytes) -> list[bytes]:
        found, self._rest = split(self._rest + data)
        messages = []
        for opcode, payload in found:
            if opcode == _BINARY:
                messages.append(payload)
            elif opcode == _PING:
                self.socket.sendall(masked(payload, _PONG))
            elif opcode == _CLOSE:
                raise LineLost(f"closed with code {int.from_bytes(payload[:2])}")
        return messages

    def _read(self) -> bytes:
        data = self.socket.recv(_AT_ONCE)
        if not data:
            raise LineLost("the server hung up")
        return data


def accepted(answer: Message) -> Message:
    """The answer, which must be no error.

    Raises:
        RuntimeError
    """
    if answer["type"] == "error":
        raise RuntimeError(f"refused: {answer['code']}")
    return answer
