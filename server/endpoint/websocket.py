"""One websocket: a callback shell over the sans-I/O core of `websockets`, without a task of its own.

The core parses frames, answers pings and keeps the closing handshake; here are the socket, the joining
of fragments, and the bounds of the outbox and of time. A message that comes whole in one frame, as nearly
all do, is read without the core, which takes a multiple of the time for it. `handshake` makes connections,
`listener` sweeps them. Nothing here knows what is in a message.
"""

import asyncio
import struct
from typing import Any, Final, Protocol

from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from protocol.codec import Encoding
from protocol.errors import CLOSE_TEXTS, CloseCode
from server.endpoint.incoming import extent, is_simple, payload
from server.endpoint.limits import ConnectionLimits
from server.figures import FIGURES

_SLICE: Final = 4 * 1024
"""Bytes that are parsed at once: a read of 256 KiB can hold 40,000 frames, and a flood must end sooner."""

_MAX_AFTER_CLOSE: Final = 64 * 1024
"""Bytes that are still parsed for the peer's close frame."""

_OPCODES: Final = {Encoding.MSGPACK: 0x82, Encoding.JSON: 0x81}
_MEDIUM: Final = struct.Struct("!BBH")
_LARGE: Final = struct.Struct("!BBQ")


def frame(payload: bytes, encoding: Encoding) -> bytes:
    """The frame of one message, to be sent to any number of connections with this encoding."""
    opcode = _OPCODES[encoding]
    size = len(payload)
    if size < 126:
        return bytes((opcode, size)) + payload
    if size < 65_536:
        return _MEDIUM.pack(opcode, 126, size) + payload
    return _LARGE.pack(opcode, 127, size) + payload


class Application(Protocol):
    """What is told of the connections. Calls for one connection come in order, never after the last."""

    def connected(self, connection: "Connection") -> None:
        """A websocket handshake is done: frames may be sent."""

    def received(self, connection: "Connection", payload: bytes) -> None:
        """One whole message came, from a text or a binary frame."""

    def drained(self, connection: "Connection") -> None:
        """The connection was congested and no longer is."""

    def disconnected(self, connection: "Connection") -> None:
        """The socket is gone: once for each `connected`, at the latest 5 seconds after `close`."""


class Host(Protocol):
    """What a connection needs of the listener that it belongs to."""

    application: Application
    limits: ConnectionLimits

    def now(self) -> float:
        """The time in seconds."""

    def opened(self, connection: "Connection") -> None:
        """Count this connection."""

    def lost(self, connection: "Connection") -> None:
        """Count it no longer."""

    def write_soon(self, connection: "Connection") -> None:
        """Call its `write` when what has come in at once is dealt with."""


class Connection(asyncio.Protocol):
    """One open websocket, or one that is being closed.

    What is sent in one turn of the loop is written at its end, at once. `session` belongs to the
    application. `open` is false as soon as no message can pass any more;
    `send` then does nothing. `congested` says that the peer reads too slowly: hold back what can be
    said in fewer words later, and go on at `drained`.
    """

    __slots__ = (
        "_congested_at",
        "_core",
        "_deadline",
        "_empty_frames",
        "_head",
        "_heard",
        "_heard_at",
        "_host",
        "_late_bytes",
        "_owed",
        "_parts",
        "_transport",
        "_unwritten",
        "_unwritten_bytes",
        "address",
        "congested",
        "encoding",
        "open",
        "session",
    )

    def __init__(
        self, host: Host, core: ServerProtocol, transport: asyncio.Transport, encoding: Encoding, address: str
    ) -> None:
        self.encoding = encoding
        self.address = address
        self.congested = False
        self.open = True
        self.session: Any = None
        self._host = host
        self._core = core
        self._transport = transport
        self._parts: bytearray | None = None
        self._head = b""
        self._owed = 0
        self._heard = False
        self._heard_at = host.now()
        self._congested_at = 0.0
        self._deadline = 0.0
        self._empty_frames = 0
        self._late_bytes = 0
        self._unwritten: list[bytes] = []
        self._unwritten_bytes = 0

    @property
    def close_code(self) -> int:
        """The code of the close frame that was sent, else received; 1006 where there was none."""
        close = self._core.close_sent or self._core.close_rcvd
        return 1006 if close is None else close.code

    @property
    def outbox(self) -> int:
        """The bytes that are sent but not yet taken by the network."""
        return self._unwritten_bytes + self._transport.get_write_buffer_size()

    def begin(self) -> None:
        """Take over the socket from the HTTP handshake, after its last answer."""
        limits = self._host.limits
        self._transport.set_write_buffer_limits(high=limits.congested_above, low=limits.congested_above // 4)
        self._transport.set_protocol(self)
        self._host.opened(self)
        self._host.application.connected(self)

    def send(self, frame: bytes) -> None:
        """Send a whole frame made by `frame()`; a reader that has fallen too far behind is cut off."""
        if self.open:
            self._unwritten.append(frame)
            self._unwritten_bytes += len(frame)
            if self.congested or self._unwritten_bytes > self._host.limits.congested_above:
                self.write()
            elif len(self._unwritten) == 1:
                self._host.write_soon(self)

    def write(self) -> None:
        """Write what was sent since the last time; nothing if the connection is not open any more."""
        if self.open and self._unwritten:
            frames, self._unwritten, self._unwritten_bytes = self._unwritten, [], 0
            self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
            if self.congested:
                self._bound_outbox()

    def close(self, code: CloseCode, reason: str = "") -> None:
        """Begin the closing handshake; the socket is gone within `limits.closing` seconds.

        Reasons over 123 bytes are cut; without one the text of the code is sent.
        """
        if not self.open:
            return
        if code is CloseCode.SLOW:
            FIGURES.cut_off += 1
        elif code is CloseCode.FLOOD:
            FIGURES.floods += 1
        if self._core.state is State.OPEN:
            text = (reason or CLOSE_TEXTS[code]).encode()[:123].decode(errors="ignore")
            self._core.send_close(code, text)
        self._flush()

    def abort(self) -> None:
        """Drop the socket at once, with what was not sent yet."""
        self.open = False
        self._forget_unwritten()
        self._transport.abort()

    def sweep(self, now: float) -> None:
        """Enforce what has run out at `now`."""
        limits = self._host.limits
        self._empty_frames = 0
        if not self.open:
            if now >= self._deadline:
                self._transport.abort()
        elif self.congested and now - self._congested_at >= limits.congestion:
            self.close(CloseCode.SLOW)
        elif self._heard:
            self._heard = False
            self._heard_at = now
        elif now - self._heard_at >= limits.silence:
            self.close(CloseCode.SILENT)

    # Called by asyncio

    def data_received(self, data: bytes) -> None:
        """Parse what came, a slice at a time."""
        if len(data) <= _SLICE:
            self._parse(data)
            return
        for start in range(0, len(data), _SLICE):
            self._parse(data[start : start + _SLICE])

    def eof_received(self) -> None:
        """The peer writes no more; asyncio closes the socket when we have written our last."""
        self._core.receive_eof()
        self._flush()

    def pause_writing(self) -> None:
        """The outbox has grown over its first mark."""
        self.congested = True
        self._congested_at = self._host.now()

    def resume_writing(self) -> None:
        """The outbox is small again."""
        self.congested = False
        if self.open:
            self._host.application.drained(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self.open = False
        self._forget_unwritten()
        self._host.lost(self)
        self._host.application.disconnected(self)

    # Receiving

    def _parse(self, data: bytes) -> None:
        """Reads frame after frame: the core gets all of a frame or nothing, and what comes once we are closing."""
        if self._head:
            data, self._head = self._head + data, b""
        start, most = 0, self._host.limits.message
        while start < len(data):
            if self._owed or not self.open:
                stop = start + self._owed if self.open else len(data)
                self._owed = max(0, stop - len(data))
                self._parse_by_core(data[start:stop])
                start = stop
                continue
            told, stop = extent(data, start)
            if not stop:
                self._head = data[start:]
                return
            if stop <= len(data) and stop - told <= most and self._parts is None and is_simple(data, start):
                self._heard = True
                start = stop
                self._deliver(payload(data, told, stop))
            else:
                self._owed = stop - start

    def _parse_by_core(self, data: bytes) -> None:
        if not self.open:
            self._late_bytes += len(data)
            if self._late_bytes > _MAX_AFTER_CLOSE:
                self._transport.abort()
                return
        core = self._core
        core.receive_data(data)
        for event in core.events_received():
            if isinstance(event, Frame):
                self._take(event)
        if core.writes:
            self._flush()

    def _take(self, frame: Frame) -> None:
        self._heard = True
        opcode = frame.opcode
        if opcode is Opcode.BINARY or opcode is Opcode.TEXT:
            if frame.fin:
                self._deliver(bytes(frame.data))
                return
            self._parts = bytearray(frame.data)
        elif opcode is Opcode.CONT and self._parts is not None:
            self._parts += frame.data
            if frame.fin:
                payload, self._parts = bytes(self._parts), None
                self._deliver(payload)
                return
        self._empty_frames += 1
        if self._empty_frames > self._host.limits.empty_frames:
            self.close(CloseCode.FLOOD)

    def _deliver(self, payload: bytes) -> None:
        if self.open:
            self._host.application.received(self, payload)

    # Sending

    def _flush(self) -> None:
        """Write what the core has to say, after what was sent before, and note when it has said its last."""
        self.write()
        for data in self._core.data_to_send():
            if data:
                if self.open:  # after the close frame a ping gets no pong: its sender may never read
                    self._transport.write(data)
            elif self._core.close_rcvd is not None:
                self._transport.close()
            else:
                # We failed the connection: a peer that is still writing would lose our close frame to a reset.
                self._transport.write_eof()
        if self.open:
            if self._core.state is not State.OPEN:
                self.open = False
                self._deadline = self._host.now() + self._host.limits.closing
            elif self.congested:
                self._bound_outbox()

    def _bound_outbox(self) -> None:
        if self.outbox > self._host.limits.outbox:
            self.close(CloseCode.SLOW)

    def _forget_unwritten(self) -> None:
        self._unwritten.clear()
        self._unwritten_bytes = 0
