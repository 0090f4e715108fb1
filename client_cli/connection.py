"""One player's connection to a server, kept up for as long as its task runs.

`Connection.run` connects, says hello, reads and writes; when the connection is lost it comes back by
itself and sends every command that has no answer yet again, with the same id: the server remembers
what it has done, so that each takes effect once. Messages stay plain maps; nothing is validated, so
that one process can hold more than a thousand of these.
"""

import asyncio
import os
import secrets
from collections import deque
from contextlib import suppress
from random import Random
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Subprotocol

from client_cli.address import Server
from client_cli.frames import MAX_FRAME, PING, PROTOCOL, SUBPROTOCOL, Garbage, pack, unpack
from client_cli.presence import Asked, Busy, Identity, Listener, Loss, Pace, Refused, Unreachable
from client_cli.view import Message

_FLOOD: Final = 4002
_BUSY: Final = frozenset({429, 503})
_FATAL: Final = frozenset({"unsupported_protocol", "bad_name", "name_needed", "unknown_token", "bad_field"})


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
        frame = pack({"type": kind, "id": self._last_id, **fields})
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
            if loss.why != "never":
                attempt, known = 0, True
                self._listener.lost(loss)
            pause = min(self._pace.longest_pause, self._pace.first_pause * 2 ** min(attempt, 16))
            if loss.code == _FLOOD:
                pause = max(pause, self._pace.after_reproach)
            attempt += 1
            await asyncio.sleep(pause * self._rng.uniform(0.5, 1.0))

    async def _once(self, *, known: bool) -> Loss:
        """One connection from its opening to its end; faults of a known server only end it."""
        try:
            async with self._open() as socket:
                if socket.subprotocol != SUBPROTOCOL:
                    raise Garbage("subprotocol")
                async with asyncio.timeout(self._pace.open_within):
                    welcome = await self._greet(socket)
                await self._serve(socket, welcome)
                return Loss("still") if self._still else Loss("closed", socket.close_code)
        except (OSError, WebSocketException, Garbage) as fault:
            if not known and isinstance(fault, InvalidStatus) and fault.response.status_code in _BUSY:
                raise Busy from fault
            if not known:
                raise Unreachable(_reason(fault)) from fault
            closed = fault.rcvd if isinstance(fault, ConnectionClosed) else None
            return Loss("never", closed.code if closed else None)
        except Refused as refused:
            if not known or refused.error["code"] in _FATAL:
                raise
            return Loss("never")

    def _open(self) -> connect:
        return connect(
            self.server.websocket,
            subprotocols=[Subprotocol(SUBPROTOCOL)],
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
            message = unpack(await socket.recv(decode=False))
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
        if who.bot:
            hello["bot"] = True
        if who.token:
            hello["token"] = who.token
        if who.name and (who.rename or not who.token):
            hello["name"] = who.name
        await socket.send(pack(hello))

    async def _serve(self, socket: ClientConnection, welcome: Message) -> None:
        """Reads and writes until the connection ends."""
        self._set_clock(welcome)
        self._identity.token = welcome["token"] or self._identity.token
        self._identity.name, self._identity.rename = welcome["name"], False
        self._outbox = deque(frame for frame, _ in self._pending.values())
        self._wake.set()
        self.up, self._still = True, False
        self._listener.welcomed(welcome)
        self._later(self._rng.uniform(0.5, 1.0) * self._pace.ping_every, self._ping, socket)
        try:
            async with asyncio.TaskGroup() as tasks:
                writer = tasks.create_task(self._write(socket))
                await self._read(socket)
                writer.cancel()
        finally:
            self.up = False
            self._stop_timers()

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(ConnectionClosed, Garbage):
            while True:
                self._take(unpack(await socket.recv(decode=False)), socket)

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
        answers = message.get("id") and message["type"] != "progress"
        pending = self._pending.pop(message["id"], None) if answers else None
        if pending is not None and not pending[1].done():
            pending[1].set_result(message)

    def _send(self, frame: bytes) -> None:
        self._outbox.append(frame)
        self._wake.set()

    def _ping(self, socket: ClientConnection) -> None:
        self._send(PING)
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


def _reason(fault: Exception) -> str:
    known = os.strerror(fault.errno) if isinstance(fault, OSError) and fault.errno else str(fault)
    return known or type(fault).__name__
