"""One player's connection to a server, kept up for as long as its task runs.

`Connection.run` connects, says hello, reads and writes; when the connection is lost it comes back by
itself and sends every command that has no answer yet again, with the same id: the server remembers
what it has done, so that each takes effect once. Messages stay plain maps; nothing is validated, so
that one process can hold more than a thousand of these.
"""

import asyncio
import secrets
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal, Protocol

import msgpack
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from client_cli.address import Server
from client_cli.view import Message

SUBPROTOCOL: Final = Subprotocol("kop.v1.msgpack")
PROTOCOL: Final = 1
MAX_FRAME: Final = 4 * 1024 * 1024
_LONG_PAUSE: Final = frozenset({4002, 4004})
_BUSY: Final = frozenset({429, 503})
_FATAL: Final = frozenset({"unsupported_protocol", "bad_name", "name_needed", "unknown_token", "bad_field"})


class Refused(Exception):
    """The server does not let this player in; `error` is its message."""

    def __init__(self, error: Message) -> None:
        super().__init__(str(error.get("code")))
        self.error = error


class Unreachable(Exception):
    """There is no Kop server at the address, at least not now."""


class Busy(Unreachable):
    """The server is there but takes no more connections, at least from here and now."""


class _Garbage(Exception):
    """What came is no message of ours."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Why a connection ended: the server closed it, it stood still, or it is too busy for us."""

    why: Literal["closed", "still", "busy"]
    code: int | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """The connection's times in seconds."""

    ping_every: float = 15.0
    pong_within: float = 10.0
    open_within: float = 10.0
    first_pause: float = 0.25
    longest_pause: float = 10.0
    after_reproach: float = 60.0
    """At most this long, and at least half of it, after the server found us too much."""


@dataclass(slots=True)
class Identity:
    """Who says hello: with a token it is a known player, and a name then renames."""

    name: str | None
    token: str | None = None
    rename: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A command on its way; `answer` is the server's message with the same id."""

    id: int
    answer: asyncio.Future[Message]


class Listener(Protocol):
    """Who is told what comes in. Nothing here may block."""

    def welcomed(self, welcome: Message) -> None:
        """The connection is open, or open again; a `table` message for each table follows."""

    def heard(self, message: Message) -> None:
        """Any message of the server but `pong` and `welcome`."""

    def lost(self, loss: Loss) -> None:
        """The connection has gone; it will come back by itself. Told once for each outage."""

    def forgotten(self) -> None:
        """The server does not know the token any more; a new player is made."""


class Connection:
    """Call `post` to give a command, at any time; run `run` in a task and cancel it to leave."""

    def __init__(
        self,
        server: Server,
        identity: Identity,
        listener: Listener,
        *,
        rng: Random,
        patient: bool,
        pace: Pace | None = None,
    ) -> None:
        """A connection that is not open yet; `patient` also waits for a server that never was there."""
        self.server = server
        self._identity = identity
        self._listener = listener
        self._rng = rng
        self._patient = patient
        self._pace = pace or Pace()
        self._instance = secrets.token_hex(8)
        self._last_id = 0
        self._pending: dict[int, tuple[bytes, asyncio.Future[Message]]] = {}
        self._outbox: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._still = False
        self._timers: list[asyncio.TimerHandle] = []
        self._clock_offset = 0.0
        self.up = False

    @property
    def waiting(self) -> int:
        """How many commands have no answer yet."""
        return len(self._pending)

    def server_time(self) -> int:
        """The server's clock now, ms since 1970, as far as its last word tells."""
        return int(self._clock_offset + asyncio.get_running_loop().time() * 1000)

    def post(self, kind: str, **fields: object) -> Asked:
        """Gives a command the next id and sends it, now or when the connection is back."""
        self._last_id += 1
        frame: bytes = msgpack.packb({"type": kind, "id": self._last_id, **fields})
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._pending[self._last_id] = (frame, answer)
        self._send(frame)
        return Asked(self._last_id, answer)

    async def run(self) -> None:
        """Keeps the connection up until cancelled.

        Raises:
            Refused: the server does not let this player in.
            Unreachable: the first connection failed and the connection is not patient.
        """
        attempt, known = 0, self._patient
        while True:
            loss = await self._once(known=known)
            if self.up:
                self.up, attempt, known = False, 0, True
                self._listener.lost(loss)
            pause = min(self._pace.longest_pause, self._pace.first_pause * 2 ** min(attempt, 16))
            if loss.code in _LONG_PAUSE:
                pause = max(pause, self._pace.after_reproach)
            attempt += 1
            await asyncio.sleep(pause * self._rng.uniform(0.5, 1.0))

    async def _once(self, *, known: bool) -> Loss:
        """One connection from its opening to its end; faults of a known server only end it."""
        try:
            async with self._open() as socket:
                if socket.subprotocol != SUBPROTOCOL:
                    raise _Garbage("subprotocol")
                async with asyncio.timeout(self._pace.open_within):
                    welcome = await self._greet(socket)
                self._still = False
                await self._serve(socket, welcome)
                return Loss("still") if self._still else Loss("closed", socket.close_code)
        except (OSError, WebSocketException, _Garbage) as fault:
            if not known and isinstance(fault, InvalidStatus) and fault.response.status_code in _BUSY:
                raise Busy from fault
            if not known:
                raise Unreachable(str(fault) or type(fault).__name__) from fault
            return Loss("closed")
        except Refused as refused:
            if not known or refused.error["code"] in _FATAL:
                raise
            return Loss("busy")

    def _open(self) -> connect:
        return connect(
            self.server.websocket,
            subprotocols=[SUBPROTOCOL],
            compression=None,
            proxy=None if self.server.loopback else True,
            open_timeout=self._pace.open_within,
            ping_interval=None,
            close_timeout=1,
            max_size=MAX_FRAME,
        )

    async def _greet(self, socket: ClientConnection) -> Message:
        """Says hello until welcome; a token that is not known any more is forgotten on the way."""
        await self._say_hello(socket)
        while True:
            message = _unpack(await socket.recv(decode=False))
            if message["type"] == "welcome":
                return message
            if message["type"] != "error":
                self._listener.heard(message)
            elif message["code"] == "unknown_token" and self._identity.token and self._identity.name:
                self._identity.token = None
                self._listener.forgotten()
                await self._say_hello(socket)
            else:
                raise Refused(message)

    async def _say_hello(self, socket: ClientConnection) -> None:
        who = self._identity
        hello: Message = {"type": "hello", "protocol": PROTOCOL, "instance": self._instance}
        if who.token:
            hello["token"] = who.token
        if who.name and (who.rename or not who.token):
            hello["name"] = who.name
        await socket.send(msgpack.packb(hello))

    async def _serve(self, socket: ClientConnection, welcome: Message) -> None:
        """Reads and writes until the connection ends."""
        self._set_clock(welcome)
        self._identity.token = welcome["token"] or self._identity.token
        self._identity.name, self._identity.rename = welcome["name"], False
        self._outbox = deque(frame for frame, _ in self._pending.values())
        self._wake.set()
        self.up = True
        self._listener.welcomed(welcome)
        self._later(self._rng.uniform(0.5, 1.0) * self._pace.ping_every, self._ping, socket)
        try:
            async with asyncio.TaskGroup() as tasks:
                writer = tasks.create_task(self._write(socket))
                await self._read(socket)
                writer.cancel()
        finally:
            self._stop_timers()

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed, _Garbage):
            while True:
                self._take(_unpack(await socket.recv(decode=False)), socket)

    async def _write(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await self._wake.wait()
                self._wake.clear()
                while self._outbox:
                    await socket.send(self._outbox.popleft())

    def _take(self, message: Message, socket: ClientConnection) -> None:
        if message["type"] == "pong":
            self._set_clock(message)
            self._stop_timers()
            self._later(self._pace.ping_every, self._ping, socket)
            return
        self._listener.heard(message)
        pending = self._pending.pop(message["id"], None) if message.get("id") else None
        if pending is not None and not pending[1].done():
            pending[1].set_result(message)

    def _send(self, frame: bytes) -> None:
        self._outbox.append(frame)
        self._wake.set()

    def _ping(self, socket: ClientConnection) -> None:
        self._send(_PING)
        self._later(self._pace.pong_within, self._give_up, socket)

    def _give_up(self, socket: ClientConnection) -> None:
        self._still = True
        socket.transport.abort()

    def _later(self, seconds: float, call: Any, socket: ClientConnection) -> None:
        self._timers = [asyncio.get_running_loop().call_later(seconds, call, socket)]

    def _stop_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []

    def _set_clock(self, message: Message) -> None:
        self._clock_offset = message["time"] - asyncio.get_running_loop().time() * 1000


_PING: Final[bytes] = msgpack.packb({"type": "ping"})


def _unpack(frame: bytes) -> Message:
    """The map in a frame. A server that sends anything else is not one of ours."""
    try:
        message = msgpack.unpackb(frame)
    except (ValueError, msgpack.UnpackException) as fault:
        raise _Garbage(str(fault)) from fault
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise _Garbage("no message")
    return message


def leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The single faults in a task group's fault."""
    found: list[BaseException] = []
    for fault in group.exceptions:
        found += leaves(fault) if isinstance(fault, BaseExceptionGroup) else [fault]
    return found
