"""The port without sockets: a real listener's visitors and connections, on a transport that only notes what is said."""

import asyncio
from typing import Any, cast

from protocol.codec import Encoding
from server.endpoint.handshake import Visitor
from server.endpoint.http import Page, text_page
from server.endpoint.limits import ConnectionLimits
from server.endpoint.listener import Listener
from server.endpoint.websocket import Connection, frame
from tests.fuzz import raw
from tests.fuzz.handtime import Faults, HandLoop, turns
from tests.fuzz.script import Script

HOME = text_page(200, "Welcome.")


class Echo:
    """An application that says everything again."""

    def __init__(self) -> None:
        self.here: set[Connection] = set()

    def connected(self, connection: Connection) -> None:
        """Somebody came."""
        self.here.add(connection)

    def received(self, connection: Connection, payload: bytes) -> None:
        """Says it again."""
        assert connection in self.here
        assert len(payload) <= ConnectionLimits().message
        connection.send(frame(payload[:300], connection.encoding))

    def drained(self, connection: Connection) -> None:
        """Goes on."""
        assert connection in self.here

    def disconnected(self, connection: Connection) -> None:
        """Somebody went, once."""
        self.here.remove(connection)


class Transport:
    """Behaves as asyncio's: nothing can be written after the end was."""

    def __init__(self, protocol: Any) -> None:
        self.protocol = protocol
        self.written = bytearray()
        self.eof = self.gone = False

    def get_extra_info(self, name: str) -> Any:
        """Where the peer is."""
        return ("192.0.2.1", 4711) if name == "peername" else None

    def write(self, data: bytes) -> None:
        """Notes it."""
        if self.eof:
            raise RuntimeError("Cannot call write() after write_eof()")
        if not self.gone:
            self.written += data

    def write_eof(self) -> None:
        """Nothing more comes."""
        self.eof = True

    def close(self) -> None:
        """The socket will be gone."""
        self.gone = True

    abort = close

    def get_write_buffer_size(self) -> int:
        """The peer reads all."""
        return 0

    def set_write_buffer_limits(self, high: int, low: int) -> None:
        """They are never reached."""

    def set_protocol(self, protocol: Any) -> None:
        """Who is told from now on."""
        self.protocol = protocol


def page(path: str) -> Page | None:
    """The only page."""
    return HOME if path == "/" else None


def knock(data: bytes) -> raw.Heard:
    """Plays a script at the door; what was heard.

    Raises:
        AssertionError: what came back is not as it must be.
        Exception: something was raised at the loop.
    """
    loop = HandLoop()
    try:
        with Faults() as faults:
            found = loop.run_until_complete(_knock(loop, Script(data)))
        assert not faults.found, faults.found
        assert not loop.faults, loop.faults
    finally:
        loop.close()
    return found


async def _knock(loop: HandLoop, script: Script) -> raw.Heard:
    app = Echo()
    listener = Listener(app, pages=page, clock=loop.time)
    visitor = Visitor(listener)
    transport = Transport(visitor)
    asked, head_only = raw.request(script, upgrades=bool(script.below(2)))
    encoding = script.one_of(tuple(Encoding))
    visitor.connection_made(cast(asyncio.Transport, transport))
    await _send(transport, asked, script)
    while not script.over and not transport.gone:
        if script.below(12) == 1:
            loop.at += script.one_of((1.0, 6.0, 50.0))
            listener.sweep()
        await _send(transport, raw.frames(script, encoding), script)
    if not transport.gone:
        transport.protocol.eof_received()
        await turns(2)
    loop.at += 100.0
    listener.sweep()
    listener.sweep()
    transport.protocol.connection_lost(None)
    await turns(2)
    assert not listener.connections
    assert not listener.visitors
    assert not app.here
    found = raw.heard(bytes(transport.written), head_only=head_only)
    for opcode, payload in found.frames:
        if opcode == 8 and payload and payload not in raw.CLOSES:
            assert int.from_bytes(payload[:2]) in raw.CLOSE_CODES, payload
    return found


async def _send(transport: Transport, data: bytes, script: Script) -> None:
    """In one read, or in two, between which the loop may turn."""
    cut = script.below(len(data) + 1) if script.below(4) == 1 else len(data)
    for part in (data[:cut], data[cut:]):
        if part and not transport.gone:
            transport.protocol.data_received(part)
            await turns(script.below(3))
    await turns(2)
