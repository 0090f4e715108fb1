"""Bots over the wire: each is a player of its own with its own connection; one process holds many.

A bot acts on the newest view only, once for each view that lets it, and never twice before it has
seen what its own action made.
"""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

from client_cli.address import Server, Target
from client_cli.connection import Connection, Identity, Loss, Pace
from client_cli.follower import Follower, Step
from client_cli.policy import choose
from client_cli.view import Message

_TRY_AGAIN: Final = frozenset({"too_many", "store_away", "draining", "server_full"})
_PAUSE: Final = 1.0

Told = Callable[[str, Message], None]


class Bot:
    """One bot at one table. `run` plays until the table is gone, or with `until_over` until the match is."""

    def __init__(
        self,
        server: Server,
        target: Target,
        name: str,
        rng: Random,
        *,
        delay: float = 0.0,
        until_over: bool = False,
        told: Told | None = None,
        pace: Pace | None = None,
    ) -> None:
        """`told` hears what is worth a line: `seated`, `lost`, `left`, `refused`."""
        self.name = name
        self._target = target
        self._rng = rng
        self._delay = delay
        self._until_over = until_over
        self._told = told or (lambda what, message: None)
        self._connection = Connection(server, Identity(name), self, rng=rng, patient=True, pace=pace)
        self._greeted = asyncio.Event()
        self._changed = asyncio.Event()
        self._follower = Follower()
        self._table: str | None = None
        self._acked = 0
        self._done: object = None
        self._gone = False

    async def run(self) -> bool:
        """Joins and plays; False: it was not let in.

        Raises:
            Refused: the server does not accept the bot's name or this client (within an exception group).
        """
        async with asyncio.TaskGroup() as tasks:
            connection = tasks.create_task(self._connection.run())
            await self._greeted.wait()
            seated = await self._join()
            if seated:
                await self._play()
            connection.cancel()
        return seated

    async def _join(self) -> bool:
        for number, (key, value) in enumerate(self._target.readings, start=1):
            answer = await self._patiently("join", **{key: value})
            if answer["type"] == "reply":
                self._table, self._acked = answer["table"], answer["version"]
                self._told("seated", answer)
                return True
            if answer["code"] != "no_such_table" or number == len(self._target.readings):
                self._told("refused", answer)
        return False

    async def _patiently(self, kind: str, **fields: object) -> Message:
        """The answer to a command that is given again while the server is only busy."""
        while True:
            answer = await self._connection.post(kind, **fields).answer
            if answer["type"] != "error" or answer["code"] not in _TRY_AGAIN:
                return answer
            await asyncio.sleep(_PAUSE)

    async def _play(self) -> None:
        while not self._gone:
            await self._changed.wait()
            self._changed.clear()
            if self._finished():
                await self._patiently("leave", table=self._table)
                return
            if self._wish() is None:
                continue
            if self._delay:
                await asyncio.sleep(self._delay * self._rng.uniform(0.7, 1.3))
            await self._act()

    async def _act(self) -> None:
        """Acts on the newest view; what is refused is not tried again before something changes."""
        view, action = self._follower.view, self._wish()
        if view is None or action is None:
            return
        self._done = (view.version, view.prompt)
        asked = self._connection.post("act", table=view.table, prompt=view.prompt, action=action)
        answer = await asked.answer
        if answer["type"] == "reply":
            self._acked = max(self._acked, answer["version"])
        elif answer["code"] in _TRY_AGAIN:
            await asyncio.sleep(_PAUSE)
            self._done = None
            self._changed.set()
        elif answer["code"] != "stale":
            self._told("refused", answer)

    def _wish(self) -> str | None:
        """What the newest view makes the bot want; None while an answer of its own is not in it yet."""
        view = self._follower.view
        if view is None or view.version < self._acked or self._done == (view.version, view.prompt):
            return None
        return choose(view, self._rng)

    def _finished(self) -> bool:
        view = self._follower.view
        return self._until_over and view is not None and view.stage == "over"

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """Goes on where it was."""
        self._follower.came_back()
        self._greeted.set()
        if self._table is not None and all(one["table"] != self._table for one in welcome["tables"]):
            self._gone = True
            self._changed.set()

    def heard(self, message: Message) -> None:
        """Takes the newest view of its table."""
        if message["type"] == "table" and self._table in (None, message["table"]):
            if self._follower.take(message) is Step.GAP:
                self._connection.post("sync", table=message["table"])
            self._changed.set()
        elif message["type"] == "closed" and message["table"] == self._table:
            self._gone = True
            self._told("left", message)
            self._changed.set()

    def lost(self, loss: Loss) -> None:
        """The connection comes back by itself."""
        self._told("lost", {"type": "lost", "code": loss.code})

    def forgotten(self) -> None:
        """A new player is made by itself; it has no seat any more."""
        self._gone = self._table is not None


def seeded(seed: int | None, count: int) -> list[Random]:
    """A source of chance for each of the bots."""
    first = Random(seed)  # noqa: S311 (play, not secrecy)
    return [Random(first.getrandbits(64)) for _ in range(count)]  # noqa: S311


async def run_bots(bots: list[Bot]) -> bool:
    """Runs all bots to their ends; whether all of them were let in.

    Raises:
        ExceptionGroup: of `Refused`, where the server does not accept a bot at all.
    """
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(bot.run()) for bot in bots]
    return all(task.result() for task in running)
