"""A hall without sockets: peers that keep what they are sent, over stores that take their time."""

import asyncio
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from protocol.codec import Encoding
from protocol.errors import CloseCode
from server.endpoint.hall import Hall
from server.store.port import Appended, PlayerId, Snapshot, TableId
from tests.runtime.tables import Store, until
from tests.wire import quiet_choice

Message = dict[str, Any]


class Peer:
    """A connection that keeps what it is sent."""

    def __init__(self, hall: Hall) -> None:
        self.encoding = Encoding.JSON
        self.address = "192.0.2.1"
        self.open = True
        self.congested = False
        self.session: Any = None
        self.heard: list[Message] = []
        self.closed: CloseCode | None = None
        self.token: str | None = None
        self.last_id = 0
        self._hall = hall
        hall.connected(self)  # type: ignore[arg-type]

    def send(self, frame: bytes) -> None:
        self.heard.append(json.loads(frame[{126: 4, 127: 10}.get(frame[1], 2) :]))

    def close(self, code: CloseCode, reason: str = "") -> None:
        self.closed = code

    def hang_up(self) -> None:
        self.open = False
        self._hall.disconnected(self)  # type: ignore[arg-type]

    def say(self, type: str, **fields: Any) -> int:
        """Sends a message; the id of the command."""
        self.last_id += 1
        message = (
            {"type": type, **fields} if type in ("hello", "ping") else {"id": self.last_id, "type": type, **fields}
        )
        self._hall.received(self, json.dumps(message).encode())  # type: ignore[arg-type]
        return int(message.get("id", 0))

    async def ask(self, type: str, **fields: Any) -> Message:
        """Sends a command; its answer."""
        since = len(self.heard)
        command_id = self.say(type, **fields)
        return await self.wait(lambda message: message.get("id") == command_id, since)

    async def wait(self, wanted: Callable[[Message], bool], since: int = 0) -> Message:
        """The first wanted message from there on."""
        await until(lambda: any(wanted(message) for message in self.heard[since:]))
        return next(message for message in self.heard[since:] if wanted(message))

    async def greet(self, token: str | None = None) -> Message:
        """Says hello; the welcome."""
        self.say("hello", protocol=1, instance="instance", **({"token": token} if token else {"name": "Ada"}))
        welcome = await self.wait(lambda message: message["type"] == "welcome")
        self.token = token or welcome["token"]
        return welcome

    async def sees(self, table: str, version: int) -> None:
        """Waits for the view of this version."""
        await self.wait(lambda one: (one["type"], one.get("table"), one.get("version")) == ("table", table, version))

    def view(self, table: str) -> Message:
        """The newest view of a table."""
        return [one for one in self.heard if one["type"] == "table" and one["table"] == table][-1]

    def prompt(self, table: str) -> str:
        """The question of the newest view."""
        return str(self.view(table)["own"]["prompt"])

    async def act(self, table: str, action: str) -> Message:
        """Does an action; its answer."""
        return await self.ask("act", table=table, prompt=self.prompt(table), action=action)

    def told(self, event: str) -> list[Message]:
        """Everything of a kind that happened before the eyes of this peer."""
        views = [one for one in self.heard if one["type"] == "table"]
        return [one for view in views for one in view["happened"] if one["event"] == event]

    def versions(self, table: str) -> list[int]:
        """The versions of the views that came."""
        return [one["version"] for one in self.heard if one["type"] == "table" and one["table"] == table]


async def player(hall: Hall) -> Peer:
    """A new player at the door."""
    peer = Peer(hall)
    await peer.greet()
    return peer


async def four(hall: Hall, **options: Any) -> tuple[list[Peer], str]:
    """Four players at a public table whose match has begun; answers take as long as they like."""
    players = [await player(hall) for _ in range(4)]
    options = {"answer_seconds": None, **options}
    table: str = (await players[0].ask("create", private=False, options=options))["table"]
    for one in players[1:]:
        await one.ask("join", table=table)
    await until(lambda: all(one.versions(table)[-1] == 4 for one in players))
    return players, table


async def play_deal(players: list[Peer], table: str) -> None:
    """A quiet deal from the first *ready* to its score."""
    scored = len(players[0].told("deal_scored"))
    while len(players[0].told("deal_scored")) == scored:
        for one in players:
            choice = quiet_choice(one.view(table)["own"]["actions"])
            if choice is not None:
                done = await one.act(table, choice)
                for other in players:
                    await other.sees(table, done["version"])
                break


class SlowStore(Store):
    """A store in memory whose answers take so many turns of the loop as chance has it."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__()
        self._chance = random.Random(seed)

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        await self._take_turns()
        await super().add_membership(player, table)
        await self._take_turns()

    async def drop_membership(self, player: PlayerId, table: TableId) -> None:
        await self._take_turns()
        await super().drop_membership(player, table)
        await self._take_turns()

    async def memberships(self, player: PlayerId) -> Sequence[TableId]:
        await self._take_turns()
        return await super().memberships(player)

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        await self._take_turns()
        return await super().load_snapshot(table)

    async def _take_turns(self) -> None:
        for _ in range(self._chance.randrange(8)):
            await asyncio.sleep(0)

    def _tell(self, answer: asyncio.Future[Appended], outcome: Appended | None) -> None:
        if self._chance.randrange(5):
            asyncio.get_running_loop().call_soon(self._tell, answer, outcome)
        else:
            super()._tell(answer, outcome)
