"""Players who never give up: each comes back, and gives a command again under its id until it is answered.

What was answered is kept, and `check_once` holds it against the log.
"""

import asyncio
import random
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, TypeVar

from websockets.exceptions import WebSocketException

from client_cli.verdict import Outcome
from client_cli.verifying import verify
from protocol.codec import Encoding
from server.table.codec import LogLine
from tests.servers import ServerProcess
from tests.wire import Message, RefusedError, Wire, quiet_choice

_Result = TypeVar("_Result")
PATIENCE = 20.0
"""Seconds after which a player takes a connection that says nothing for dead."""
PAUSE = 0.05
"""Seconds before a player tries again."""
COMMANDS = frozenset({"create", "join", "act", "leave"})
"""Those of which each that is answered with a reply has an entry."""
_LATER = frozenset({"store_away", "draining", "too_many"})
_OVERTAKEN = frozenset({"stale", "already_ready", "already_went_on", "already_asked", "await_calls", "no_question"})

Told = Callable[[Message], bool]


class LostError(Exception):
    """The connection is gone, or says nothing any more."""


class Steady:
    """One player; `addresses` gives the address of a server for each attempt to connect."""

    def __init__(
        self,
        addresses: Callable[[], str],
        name: str,
        encoding: Encoding = Encoding.MSGPACK,
        patience: float = PATIENCE,
        *,
        forgetful: bool = False,
    ) -> None:
        """A player who is nowhere yet; a `forgetful` one keeps nothing of what he hears but the newest views."""
        self.wire = Wire("", name, encoding)
        self.answered: list[tuple[int, str, Message]] = []
        """The id, kind and reply of each command that took effect, as this player was told."""
        self.connections = 0
        self.close_codes: list[int | None] = []
        """How each of his connections that are gone has ended."""
        self._addresses = addresses
        self._patience = patience
        self.forgetful = forgetful

    @property
    def client(self) -> str:
        """How the log names his program."""
        return f"{self.wire.player}/{self.wire.instance}"

    @property
    def connected(self) -> bool:
        """Whether his connection is open, as far as he knows."""
        reader = self.wire._reader
        return reader is not None and not reader.done()

    async def come(self) -> None:
        """Connects to a server until one greets him."""
        if self.wire._socket is not None:
            socket = self.wire.socket
            await self.wire.drop()
            self.close_codes.append(socket.close_code)
        while True:
            await self.wire.drop()
            self.wire.url = self._addresses()
            try:
                async with asyncio.timeout(self._patience):
                    await self.wire.connect()
                    await self._while_connected(self._hello())
            except (OSError, TimeoutError, WebSocketException, LostError):
                await asyncio.sleep(PAUSE)
            except RefusedError as refused:
                if refused.code not in _LATER:
                    raise
                await asyncio.sleep(PAUSE)
            else:
                self.connections += 1
                return

    async def do(self, kind: str, **fields: Any) -> Message:
        """The reply to a command, given again under its id (a fresh one, or `id`) after every loss and every *later*.

        Raises:
            RefusedError: it was refused for good.
        """
        command_id = fields.pop("id", None) or self.wire.next_id()
        while True:
            try:
                reply = await self._while_connected(self.wire.ask(kind, id=command_id, **fields))
            except LostError:
                await self.come()
            except RefusedError as refused:
                if refused.code not in _LATER:
                    raise
                await asyncio.sleep(PAUSE)
            else:
                if kind in COMMANDS:
                    self.answered.append((command_id, kind, reply))
                return reply

    async def play(self, table: str, until: Told) -> None:
        """Plays quietly until his newest view is so."""
        done: Message | None = None
        while True:
            if self.forgetful:
                self.wire.heard.clear()
                self.wire.raw.clear()
            view = self.wire.views.get(table)
            if view is not None and until(view):
                return
            choice = None if view is None or view["own"] is None else quiet_choice(view["own"]["actions"])
            since = len(self.wire.heard)
            if view is None or choice is None or done is view:
                await self._news(table, since)
                continue
            done = view
            try:
                reply = await self.do("act", table=table, prompt=view["own"]["prompt"], action=choice)
            except RefusedError as refused:
                if refused.code not in _OVERTAKEN:
                    raise
                await self.do("sync", table=table)
            else:
                await self._sees(table, reply["version"])

    async def close(self) -> None:
        """Hangs up."""
        await self.wire.drop()

    async def _hello(self) -> None:
        wire = self.wire
        hello: Message = {"type": "hello", "protocol": 1, "instance": wire.instance}
        hello |= {"name": wire.name} if wire.token is None else {"token": wire.token}
        since = len(wire.heard)
        await wire.send(hello)
        welcome = await wire.wait(lambda message: message["type"] in ("welcome", "error"), since)
        if welcome["type"] == "error":
            raise RefusedError(welcome)
        wire.token, wire.player = welcome["token"] or wire.token, welcome["player"]

    async def _news(self, table: str, since: int) -> None:
        """Waits for the next message; after long silence he asks for the view, elsewhere if that is his place now."""
        try:
            await self._while_connected(self.wire.wait(lambda message: True, since))
        except LostError:
            if self.connected and self.wire.url == self._addresses():
                await self.do("sync", table=table)
            else:
                await self.come()

    async def _sees(self, table: str, version: int) -> None:
        """Waits for the view that his command made; it may get lost with the connection, or be rolled back."""
        since = len(self.wire.heard)

        def seen(message: Message) -> bool:
            newest = self.wire.views.get(table)
            return newest is None or newest["version"] >= version or message.get("notice") == "rolled_back"

        try:
            if not seen({}):
                await self._while_connected(self.wire.wait(seen, since))
        except LostError:
            await self.come()

    async def _while_connected(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """The result of the work.

        Raises:
            LostError: the connection was lost before, or the work took longer than his patience.
        """
        reader = self.wire._reader
        assert reader is not None
        task = asyncio.get_running_loop().create_task(work)
        try:
            await asyncio.wait((task, reader), timeout=self._patience, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise LostError
            return task.result()
        except (OSError, TimeoutError, WebSocketException) as lost:
            raise LostError from lost
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)


def four(server: ServerProcess) -> list[Steady]:
    """Four players of a server, in both encodings."""
    return [Steady(lambda: server.url, f"Player {seat}", tuple(Encoding)[seat % 2]) for seat in range(4)]


def in_turn(players: Sequence[Steady], table: str) -> Steady:
    """Whose card is awaited, as the first of them sees it."""
    turn: int = players[0].wire.views[table]["public"]["play"]["turn"]
    return players[turn]


async def seated(players: Sequence[Steady], **create: Any) -> str:
    """They come, one opens a private table of quiet deals, the others sit down; the table."""
    for player in players:
        await player.come()
    create.setdefault("options", {"deals": 4, "answer_seconds": None})
    created = await players[0].do("create", **create)
    for player in players[1:]:
        await player.do("join", code=created["code"])
    table: str = created["table"]
    return table


async def all_see(players: Iterable[Steady], table: str, version: int) -> None:
    """Waits until all see the table at this version."""
    for player in players:
        await player.wire.at_version(table, version)


async def server_time(wire: Wire) -> int:
    """The server's clock."""
    since = len(wire.heard)
    await wire.send({"type": "ping"})
    pong = await wire.wait(lambda message: message["type"] == "pong", since)
    return int(pong["time"])


async def told(players: Iterable[Steady], notice: str, since: Sequence[int]) -> None:
    """Waits until all have been told, each since a place in what he has heard."""
    for player, start in zip(players, since, strict=True):
        await player.wire.wait(lambda message: message.get("notice") == notice, start)


def heard(players: Iterable[Steady]) -> list[int]:
    """How much each has heard."""
    return [len(player.wire.heard) for player in players]


async def all_play(players: Iterable[Steady], table: str, until: Told) -> None:
    """All play beside each other until each sees the table so."""
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(table, until))


def in_play(view: Message) -> bool:
    """The first card is awaited, or out."""
    play = view["public"]["play"]
    return bool(play is not None and play["phase"] == "play")


def over(view: Message) -> bool:
    """The match is over."""
    return bool(view["public"]["stage"] == "over")


def scored(deals: int) -> Told:
    """So many deals of the match are scored."""
    return lambda view: bool(view["public"]["play"] is not None and view["public"]["play"]["scored"] >= deals)


def check_once(lines: Sequence[LogLine], players: Iterable[Steady]) -> None:
    """The log has no gap, no command twice, and each that was answered in the entry that was named to the player."""
    assert [line.version for line in lines] == list(range(1, len(lines) + 1))
    ids = [(line.client, line.number) for line in lines if line.client]
    assert len(set(ids)) == len(ids)
    versions = {(line.client, line.number): line.version for line in lines}
    for player in players:
        for command_id, kind, reply in player.answered:
            assert versions.get((player.client, command_id)) == reply["version"], (player.wire.name, kind, reply)


async def check_records(player: Steady, table: str, deals: int) -> None:
    """So many deals of the first match have a record, and none shows that anybody cheated."""
    async with asyncio.timeout(PATIENCE):
        records = [await _record(player, f"{table}-1-{deal}") for deal in range(1, deals + 1)]
    assert all(verdict.outcome is not Outcome.CHEATED for verdict in verify(records, {}))


async def _record(player: Steady, name: str) -> Message:
    """The record of that name, once it is there: it is saved after the result was told."""
    while True:
        try:
            record: Message = (await player.do("record", record=name))["record"]
        except RefusedError as refused:
            if refused.code != "no_such_record":
                raise
            await asyncio.sleep(PAUSE)
        else:
            return record


def moments(seed: object, number: int, most: float) -> list[float]:
    """Lengths of time in seconds, the same for the same seed."""
    chance = random.Random(str(seed))
    return [chance.uniform(0, most) for _ in range(number)]
