"""Bots over the wire: each is a player of its own with its own connection; one process holds many.

A bot acts on the newest view only, once for each view that lets it, and never twice before it has
seen what its own action made.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Final

from client_cli.address import Server
from client_cli.connection import Connection
from client_cli.follower import Follower, Step
from client_cli.policy import at_once, choose
from client_cli.presence import Identity, Loss, Pace
from client_cli.view import Message, View, unusable

_TRY_AGAIN: Final = frozenset({"too_many", "store_away", "draining"})
_TOO_LATE: Final = frozenset({"stale", "no_question"})
"""Somebody, or the clock, was faster: nothing went wrong."""
_PAUSE: Final = 1.0
FAREWELL: Final = 2.0
"""So long a bot that is sent away waits for the answer to its farewell."""


@dataclass(frozen=True, slots=True)
class Habits:
    """How bots play: thinking time in seconds, whether they stay after the match, whether they show the sheet."""

    delay: float = 0.0
    until_over: bool = False
    sheet: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """How a bot comes to its table: by one of these readings of what was given, or by opening one."""

    readings: tuple[tuple[str, str], ...] = ()
    create: Message | None = None


Told = Callable[["Bot", str, Message], None]


class Bot:
    """One bot at one table. `run` plays until the table is gone, or with `until_over` until the match is."""

    def __init__(
        self,
        server: Server,
        way: Way,
        name: str,
        rng: Random,
        habits: Habits | None = None,
        *,
        told: Told | None = None,
        pace: Pace | None = None,
    ) -> None:
        """`told` hears what is worth a line: `seated`, `table`, `sheet`, `lost`, `left`, `refused`."""
        self.name = name
        self.code: str | None = None
        self.settled = asyncio.Event()
        self._way = way
        self._rng = rng
        self._habits = habits or Habits()
        self._told = told or (lambda bot, what, message: None)
        self._connection = Connection(server, Identity(name, bot=True), self, rng=rng, patient=True, pace=pace)
        self._greeted = asyncio.Event()
        self._changed = asyncio.Event()
        self._follower = Follower()
        self._table: str | None = None
        self._acked = 0
        self._done: object = None
        self._gone = False

    @property
    def opens(self) -> bool:
        """Whether it opened its table."""
        return self._way.create is not None

    @property
    def shows(self) -> bool:
        """Whether it shows the deals and the sheet."""
        return self._habits.sheet

    @property
    def view(self) -> View | None:
        """The newest view of its table."""
        return self._follower.view

    async def run(self) -> bool:
        """Comes to its table and plays; False: it was not let in. When cancelled it gives its seat up first.

        Raises:
            ExceptionGroup: of `Refused`, where the server does not accept the bot's name or this client.
        """
        async with asyncio.TaskGroup() as tasks:
            connection = tasks.create_task(self._connection.run())
            try:
                await self._greeted.wait()
                seated = await self._sit_down()
                self.settled.set()
                if seated:
                    await self._play()
            except asyncio.CancelledError:
                await self._say_goodbye()
                raise
            finally:
                connection.cancel()
        return seated

    async def _sit_down(self) -> bool:
        if self._way.create is not None:
            return self._arrived(await self._patiently("create", **self._way.create), "refused")
        for number, (key, value) in enumerate(self._way.readings, start=1):
            answer = await self._patiently("join", **{key: value})
            last = number == len(self._way.readings) or answer.get("code") != "no_such_table"
            if self._arrived(answer, "refused" if last else None):
                return True
            if last:
                break
        return False

    def _arrived(self, answer: Message, told: str | None) -> bool:
        if answer["type"] == "error":
            if told is not None:
                self._told(self, told, answer)
            return False
        self._table, self._acked, self.code = answer["table"], answer["version"], answer["code"]
        self._told(self, "seated", answer)
        return True

    async def _patiently(self, kind: str, **fields: object) -> Message:
        """The answer to a command that is given again while the server is only busy."""
        while True:
            answer = await self._connection.post(kind, **fields).answer
            if answer["type"] != "error" or answer["code"] not in _TRY_AGAIN:
                return answer
            await asyncio.sleep(_PAUSE)

    async def _say_goodbye(self) -> None:
        if self._table is not None and self._connection.up and not self._gone:
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._connection.post("leave", table=self._table).answer

    async def _play(self) -> None:
        while not self._gone:
            await self._changed.wait()
            self._changed.clear()
            if self._habits.until_over and self.view is not None and self.view.stage == "over":
                await self._finish()
                return
            wish = self._wish()
            if wish is None:
                continue
            if self._habits.delay and self.view is not None and not at_once(self.view):
                await asyncio.sleep(self._habits.delay * self._rng.uniform(0.7, 1.3))
                wish = self._wish()
            if wish is not None and self.view is not None:
                await self._act(self.view, wish)

    async def _finish(self) -> None:
        if self._habits.sheet:
            self._told(self, "sheet", await self._patiently("sheet", table=self._table))
        await self._patiently("leave", table=self._table)

    async def _act(self, view: View, action: str) -> None:
        """Acts on the newest view; what is refused is not tried again before something changes."""
        self._done = (view.version, view.prompt)
        answer = await self._connection.post("act", table=view.table, prompt=view.prompt, action=action).answer
        if answer["type"] == "reply":
            if view.table == self._table:  # in a tournament the next table may have come meanwhile
                self._acked = max(self._acked, answer["version"])
            self._changed.set()
        elif answer["code"] in _TRY_AGAIN:
            await asyncio.sleep(_PAUSE)
            self._done = None
            self._changed.set()
        elif answer["code"] not in _TOO_LATE:
            self._told(self, "refused", answer)

    def _wish(self) -> str | None:
        """What the newest view makes the bot want; None while an answer of its own is not in it yet."""
        view = self.view
        if view is None or view.version < self._acked or self._done == (view.version, view.prompt):
            return None
        return choose(view, self._rng)

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """Goes on where it was."""
        self._follower.came_back()
        self._done = None
        self._greeted.set()
        if self._table is not None and all(one["table"] != self._table for one in welcome["tables"]):
            self._gone = True
            self._changed.set()

    def heard(self, message: Message) -> None:
        """Takes the newest view of its table."""
        kind = message["type"]
        if kind == "table" and self._table in (None, message["table"]):
            step = self._follower.take(message)
            if step is Step.OLD:
                return
            if step is Step.FRESH:
                self._acked, self._done = 0, None
            self._told(self, "table", message)
            self._changed.set()
        elif kind == "error" and unusable(message) == self._table and self._table is not None:
            self._gone = True
            self._told(self, "refused", message)
            self._changed.set()
        elif kind == "closed" and message["table"] == self._table:
            self._gone = True
            self._told(self, "left", message)
            self._changed.set()

    def lost(self, loss: Loss) -> None:
        """The connection comes back by itself."""
        self._told(self, "lost", {"type": "lost", "code": loss.code})

    def forgotten(self) -> None:
        """A new player is made by itself; it has no seat any more."""
        self._gone = self._table is not None


def seeded(seed: int | None, count: int) -> list[Random]:
    """A source of chance for each of the bots."""
    first = Random(seed)  # noqa: S311 (play, not secrecy)
    return [Random(first.getrandbits(64)) for _ in range(count)]  # noqa: S311


async def run_bots(bots: Sequence[Bot]) -> bool:
    """Runs all bots to their ends; whether all of them were let in.

    Raises:
        ExceptionGroup: of `Refused`, where the server does not accept a bot at all.
    """
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(bot.run()) for bot in bots]
    return all(task.result() for task in running)
