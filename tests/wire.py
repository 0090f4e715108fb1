"""A player at the end of a wire, for tests: says what it is told to, keeps everything it hears.

Independent of the product's client; it validates every message it gets against the wire contract.
"""

import asyncio
import json
import secrets
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import msgpack
from pydantic import TypeAdapter
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol.codec import Encoding
from protocol.server import FromServer

Message = dict[str, Any]
PATIENCE = 20.0
"""Seconds after which a test that waits for a message gives up."""
_CONTRACT: TypeAdapter[Any] = TypeAdapter(FromServer)


class RefusedError(Exception):
    """The server answered a command with `error`."""

    def __init__(self, message: Message) -> None:
        super().__init__(f"{message['code']}: {message['detail']}")
        self.code: str = message["code"]
        self.message = message


class Wire:
    """One player over any number of connections: token, instance and ids go on after a reconnect."""

    def __init__(self, url: str, name: str, encoding: Encoding = Encoding.MSGPACK) -> None:
        self.url = url
        self.name = name
        self.encoding = encoding
        self.instance = secrets.token_hex(8)
        self.token: str | None = None
        self.player = ""
        self.last_id = 0
        self.heard: list[Message] = []
        self.raw: list[bytes] = []
        self.views: dict[str, Message] = {}
        self.tournaments: dict[str, Message] = {}
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._fault: Exception | None = None

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        await self.close()

    @property
    def socket(self) -> ClientConnection:
        """The open connection."""
        assert self._socket is not None
        return self._socket

    async def open(self) -> Message:
        """Connects and says hello, with the token if there is one; the welcome."""
        await self.connect()
        hello: Message = {"type": "hello", "protocol": 1, "instance": self.instance}
        hello |= {"name": self.name} if self.token is None else {"token": self.token}
        await self.send(hello)
        welcome = await self.wait(lambda message: message["type"] in ("welcome", "error"), since=len(self.heard) - 1)
        if welcome["type"] == "error":
            raise RefusedError(welcome)
        self.token = welcome["token"] or self.token
        self.player = welcome["player"]
        return welcome

    async def connect(self) -> None:
        """Connects and says nothing; views of an earlier connection are forgotten."""
        self.heard.append({"type": "(connected)"})
        self.views.clear()
        self._socket = await connect(
            self.url, subprotocols=[Subprotocol(self.encoding)], proxy=None, compression=None, close_timeout=1
        )
        self._reader = asyncio.get_running_loop().create_task(self._read(self._socket))

    async def close(self) -> None:
        """Closes the connection cleanly."""
        if self._socket is not None and self._reader is not None:
            await self._socket.close()
            await self._reader
            self._socket = None

    async def closed(self) -> int | None:
        """Waits until the server has closed the connection; the close code."""
        assert self._reader is not None
        async with asyncio.timeout(PATIENCE):
            await self._reader
        return self.socket.close_code

    async def drop(self) -> None:
        """Cuts the connection without a farewell."""
        if self._socket is not None and self._reader is not None:
            self._socket.transport.abort()
            await self._reader
            self._socket = None

    async def reopen(self) -> Message:
        """Comes back after the connection was lost, with the token; the welcome."""
        await self.drop()
        return await self.open()

    async def send(self, message: Any) -> None:
        """Sends a message as it is."""
        plain = msgpack.packb(message) if self.encoding is Encoding.MSGPACK else json.dumps(message).encode()
        await self.send_frame(plain)

    async def send_frame(self, payload: bytes) -> None:
        """Sends these bytes as a frame of the kind that the encoding has."""
        await self.socket.send(payload, text=self.encoding is Encoding.JSON)

    async def answer(self, payload: bytes) -> Message:
        """Sends these bytes as a frame; the next message that is no news of a table."""
        since = len(self.heard)
        await self.send_frame(payload)
        return await self.wait(lambda message: message["type"] not in ("table", "tournament", "closed"), since=since)

    def next_id(self) -> int:
        """A fresh command id."""
        self.last_id += 1
        return self.last_id

    async def ask(self, type: str, **fields: Any) -> Message:
        """Gives a command (under a fresh id unless one is given) and waits for its answer.

        Raises:
            RefusedError: the answer was `error`.
        """
        fields.setdefault("id", self.next_id())
        if type in ("start", "finish", "annul"):
            own = self.views.get(fields.get("table", ""), {}).get("own")
            fields.setdefault("prompt", own["prompt"] if own else "none")
        since = len(self.heard)
        await self.send({"type": type, **fields})
        answer = await self.answer_to(fields["id"], since)
        if answer["type"] == "error":
            raise RefusedError(answer)
        return answer

    async def refused(self, type: str, **fields: Any) -> Message:
        """Gives a command that must be refused; the `error`."""
        try:
            answer = await self.ask(type, **fields)
        except RefusedError as refused:
            return refused.message
        raise AssertionError(f"{type} {fields} was not refused: {answer}")

    async def act(self, table: str, action: str, prompt: str | None = None) -> Message:
        """Does an action in answer to the newest view's prompt."""
        prompt = self.views[table]["own"]["prompt"] if prompt is None else prompt
        return await self.ask("act", table=table, prompt=prompt, action=action)

    async def wait(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first message heard from index `since` on that is wanted; waits for it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.heard[since:]:
                    if message["type"] != "(connected)" and wanted(message):
                        return message
                await self._more()

    async def answer_to(self, command_id: int, since: int = 0) -> Message:
        """The first answer to this command, heard from index `since` on."""
        return await self.wait(lambda message: message.get("id") == command_id, since)

    async def put_out(self, table: str, since: int = 0) -> str:
        """Waits until the player is told that he is at a table no longer; the reason."""
        closed = await self.wait(lambda message: (message["type"], message.get("table")) == ("closed", table), since)
        return str(closed["reason"])

    async def view(self, table: str, wanted: Callable[[Message], bool] = lambda view: True) -> Message:
        """The newest `table` message of a table, once it is as wanted."""
        async with asyncio.timeout(PATIENCE):
            while table not in self.views or not wanted(self.views[table]):
                await self._more()
        return self.views[table]

    async def at_version(self, table: str, version: int) -> Message:
        """The newest view, once it is at least of this version."""
        return await self.view(table, lambda view: bool(view["version"] >= version))

    async def _more(self) -> None:
        """Waits for the next message; one that broke the contract fails the test at once."""
        if self._fault is not None:
            raise self._fault
        self._news.clear()
        await self._news.wait()

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for raw in socket:
                data = raw if isinstance(raw, bytes) else raw.encode()
                self.raw.append(data)
                message = msgpack.unpackb(data) if self.encoding is Encoding.MSGPACK else json.loads(data)
                _CONTRACT.validate_json(json.dumps(message))
                if message["type"] == "table":
                    self.views[message["table"]] = message
                elif message["type"] == "tournament":
                    self.tournaments[message["tournament"]] = message
                elif message["type"] == "closed":
                    self.views.pop(message["table"], None)
                self.heard.append(message)
                self._news.set()
        except (ConnectionError, OSError):
            pass
        except Exception as fault:
            if type(fault).__module__.startswith("websockets"):
                return
            self._fault = fault
            raise
        finally:
            self._news.set()


async def four_at_table(
    url: str, encodings: tuple[Encoding, ...] = (Encoding.MSGPACK,), **create: Any
) -> tuple[list[Wire], str]:
    """Four connected players at a new table (private by default) whose match has begun, and the table."""
    players = [Wire(url, f"Player {seat}", encodings[seat % len(encodings)]) for seat in range(4)]
    for player in players:
        await player.open()
    created = await players[0].ask("create", **create)
    table: str = created["table"]
    for player in players[1:]:
        await player.ask("join", **({"code": created["code"]} if created["code"] else {"table": table}))
    for player in players:
        await player.view(table, lambda view: view["public"]["match"] == 1)
    return players, table


def quiet_choice(actions: list[str]) -> str | None:
    """The action of a player who calls nothing: ready, ask, go on, pass, or the first card."""
    for wanted in ("ready", "rematch", "go on", "ask", "pass"):
        if wanted in actions:
            return wanted
    return next((action for action in actions if action.startswith("play ")), None)


async def step(players: list[Wire], table: str) -> tuple[int, str] | None:
    """The next quiet action at the table, done and seen by all; None when nobody has one."""
    for seat, player in enumerate(players):
        own = player.views[table]["own"]
        choice = quiet_choice(own["actions"])
        if choice is not None:
            reply = await player.act(table, choice)
            for other in players:
                await other.at_version(table, reply["version"])
            return seat, choice
    return None
