"""A server for tests that says what it is told to, over a real websocket.

Each connection is handed to a script, one after the other; the last script serves all further ones.
What the client says is decoded as the real server does it, so that no test passes with a message
that the contract forbids; what the script says is checked against the contract too.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import msgpack
from pydantic import TypeAdapter
from websockets.asyncio.server import Server as Listening
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from client_cli.address import Server
from protocol.client import Command, Hello, Ping
from protocol.codec import Encoding, decode
from protocol.server import FromServer

Message = dict[str, Any]
PATIENCE = 10.0
TOURNAMENT = "tournament0123456789ab"
_CONTRACT: TypeAdapter[Any] = TypeAdapter(FromServer)


class Peer:
    """One client, seen from the server."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self) -> Any:
        """The client's next message but pings."""
        while True:
            async with asyncio.timeout(PATIENCE):
                frame = await self.socket.recv(decode=False)
            said = decode(frame, Encoding.MSGPACK)
            if not isinstance(said, Ping):
                return said
            await self.say(type="pong", time=1_000_000_000)

    async def hear_command(self, kind: str) -> Any:
        """The next command, which must be of this kind."""
        said = await self.hear()
        assert said.type == kind, said
        return said

    async def say(self, message: Message | None = None, **fields: Any) -> None:
        """Says a message that the contract allows."""
        whole = (message or {}) | fields
        _CONTRACT.validate_json(json.dumps(whole))
        await self.socket.send(msgpack.packb(whole))

    async def greet(
        self,
        *,
        tables: list[Message] | None = None,
        tournaments: list[str] | None = None,
        token: str | None = "secret",
    ) -> Hello:
        """Hears hello and says welcome."""
        hello = await self.hear()
        assert isinstance(hello, Hello)
        name = hello.name or "Ola"
        await self.say(
            type="welcome", player="p0", name=name, token=None if hello.token else token, tables=tables or [],
            tournaments=tournaments or [], time=1_000_000_000,
        )  # fmt: skip
        return hello

    async def reply(self, to: Command, *, version: int, seat: int | None = 0, code: str | None = None) -> None:
        """Says that a command took effect at table t1."""
        await self.say(type="reply", id=to.id, table="t1", version=version, seat=seat, code=code)

    async def reply_of_tournament(self, to: Command, *, version: int = 2, entrant: int | None = None) -> None:
        """Says that a command took effect in the tournament."""
        await self.say(type="tournament_reply", id=to.id, tournament=TOURNAMENT, version=version, entrant=entrant)

    async def refuse(self, to: Command | None, code: str, **fields: Any) -> None:
        """Says that a command was refused."""
        await self.say({"type": "error", "code": code, "text": "?", "id": to.id if to else None} | fields)

    async def stay(self) -> None:
        """Answers pings until the client goes."""
        try:
            while True:
                await self.hear()
        except (ConnectionClosed, TimeoutError):
            return


Script = Callable[[Peer], Awaitable[None]]


class FakeServer:
    """Use it as a context; a fault of a script ends the test that is in it."""

    def __init__(self, *scripts: Script) -> None:
        self._scripts = list(scripts)
        self._faults: list[BaseException] = []
        self._listening: Listening | None = None
        self._test: asyncio.Task[Any] | None = None
        self.connections = 0

    @property
    def server(self) -> Server:
        """Where it listens."""
        assert self._listening is not None
        port = next(iter(self._listening.sockets)).getsockname()[1]
        return Server(f"http://127.0.0.1:{port}")

    async def __aenter__(self) -> Self:
        self._test = asyncio.current_task()
        self._listening = await serve(
            self._handle,
            "127.0.0.1",
            0,
            subprotocols=[Subprotocol(Encoding.MSGPACK)],
            ping_interval=None,
            close_timeout=1,
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, where: TracebackType | None
    ) -> None:
        assert self._listening is not None
        self._listening.close()
        await self._listening.wait_closed()
        if self._faults:
            assert self._test is not None
            self._test.uncancel()
            raise self._faults[0]

    async def _handle(self, socket: ServerConnection) -> None:
        script = self._scripts[min(self.connections, len(self._scripts) - 1)]
        self.connections += 1
        try:
            await script(Peer(socket))
        except ConnectionClosed:
            pass
        except BaseException as fault:
            if self._test is not None and not self._faults:
                self._test.cancel()
            self._faults.append(fault)
            raise
