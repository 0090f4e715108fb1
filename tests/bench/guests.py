"""The players of the soak: they sit down, play, lose their connections, come back, leave and sit down elsewhere."""

import asyncio
import itertools
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgpack

from tests.bench.clients import Client
from tests.bench.line import Message
from tests.wire import quiet_choice

PACE = 0.05
"""Seconds that a guest waits before a move."""
PATIENCE = 30.0
EVENING = (8.0, 30.0)
"""Seconds that four guests stay at one table."""
PING_EVERY = 15.0
_OVERTAKEN = ("stale", "already_went_on", "no_question", "paused", "no_match", "wrong_stage", "already_ready")
_names = itertools.count(1)


@dataclass(slots=True)
class Tally:
    """What has happened so far."""

    moves: int = 0
    tables: int = 0
    cuts: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    overtaken: Counter[str] = field(default_factory=Counter)


class _Link(Client):
    """One connection of a guest."""

    def __init__(self, guest: "Guest") -> None:
        super().__init__()
        self._guest = guest

    def received(self, payload: bytes) -> None:
        self._guest.heard(self, msgpack.unpackb(payload))

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._guest.lost(self)


class Guest:
    """One player over any number of connections; commands that got no answer are given again under their id."""

    def __init__(self, url: str, tally: Tally, chance: random.Random) -> None:
        self._url = url
        self._tally = tally
        self._chance = chance
        self._name = f"Guest {next(_names)}"
        self._token: str | None = None
        self._id = 0
        self._link: _Link | None = None
        self._welcomed = asyncio.Event()
        self._answers: dict[object, asyncio.Future[Message]] = {}
        self._view: Message | None = None
        self._acting = False
        self._playing = True
        self.table = ""

    async def come(self) -> None:
        """Connects and says hello; returns when welcomed."""
        link = _Link(self)
        async with asyncio.timeout(PATIENCE):
            await link.open(self._url)
            self._link = link
            hello: Message = {"type": "hello", "protocol": 1, "instance": f"soak{self._name[6:]:0>8}"}
            hello |= {"name": self._name} if self._token is None else {"token": self._token}
            link.send(msgpack.packb(hello))
            await self._welcomed.wait()

    def cut(self) -> None:
        """Loses the connection."""
        self._welcomed.clear()
        self._acting = False
        self._view = None
        if self._link is not None:
            self._link.close()
            self._link = None

    async def storm(self) -> None:
        """Loses the connection and comes back within a second."""
        self._tally.cuts += 1
        self.cut()
        await asyncio.sleep(self._chance.random())
        await self.come()

    async def ask(self, type: str, **fields: object) -> Message:
        """The answer to a command, however often the connection is lost meanwhile."""
        self._id += 1
        command: Message = {"type": type, "id": self._id, **fields}
        async with asyncio.timeout(PATIENCE):
            while True:
                await self._welcomed.wait()
                answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
                self._answers[command["id"]] = answer
                assert self._link is not None
                self._link.send(msgpack.packb(command))
                try:
                    return await answer
                except ConnectionError:
                    continue

    async def leave(self) -> None:
        """Leaves the table, and says nothing more there."""
        self._playing = False
        if self.table:
            self._note(await self.ask("leave", table=self.table))
        self.table, self._view = "", None

    async def sit(self, **fields: object) -> Message:
        """Opens a table or joins one, and plays there."""
        self._playing = True
        answer = await self.ask(**fields)  # type: ignore[arg-type]
        self._note(answer)
        self.table = answer.get("table") or ""
        self._go_on()
        return answer

    def ping(self) -> None:
        """Says that he is still there."""
        if self._link is not None and self._welcomed.is_set():
            self._link.send(msgpack.packb({"type": "ping"}))

    def lost(self, link: _Link) -> None:
        """A connection has ended; commands on it have to be given again."""
        if link is self._link:
            self._tally.errors["connection lost"] += 1
            self._link = None
        waiting, self._answers = self._answers, {}
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(ConnectionError())

    def heard(self, link: _Link, message: Message) -> None:
        """A message came."""
        if link is not self._link:
            return
        match message["type"]:
            case "welcome":
                self._token = message["token"] or self._token
                self._welcomed.set()
            case "table":
                self._view = message
                self._go_on()
            case "reply" | "error":
                self._answered(message)
            case "notice":
                self._tally.errors["notice"] += 1
            case "closed" if message["reason"] != "left":
                self._tally.errors[f"closed: {message['reason']}"] += 1

    def _answered(self, message: Message) -> None:
        answer = self._answers.pop(message["id"], None) if message["id"] is not None else None
        if answer is not None and not answer.done():
            answer.set_result(message)
        elif message["type"] == "reply":
            self._tally.moves += 1
            self._acting = False
            self._go_on()
        elif message["code"] in _OVERTAKEN:
            self._tally.overtaken[message["code"]] += 1
            self._acting = False
            self._go_on()  # the view that has overtaken it may be here already
        else:
            self._tally.errors[message["code"]] += 1
            self._acting = False

    def _note(self, answer: Message) -> None:
        if answer["type"] == "error":
            self._tally.errors[answer["code"]] += 1

    def _go_on(self) -> None:
        if self._playing and not self._acting and self._choice() is not None:
            self._acting = True
            asyncio.get_running_loop().call_later(PACE, self._act, self._link)

    def _choice(self) -> str | None:
        view = self._view
        return None if view is None or view["own"] is None else quiet_choice(view["own"]["actions"])

    def _act(self, link: _Link | None) -> None:
        if link is not self._link:  # it was lost meanwhile, and what is seen on the next one is answered anew
            return
        view, choice = self._view, self._choice()
        if view is None or choice is None or self._link is None or not self._playing:
            self._acting = False
            return
        self._id += 1
        act = {"id": self._id, "table": view["table"], "prompt": view["own"]["prompt"], "action": choice}
        self._link.send(msgpack.packb({"type": "act", **act}))


@dataclass(slots=True)
class Party:
    """All guests, four at each table, until they are told that it is late."""

    url: str
    tables: int
    tally: Tally
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    guests: list[Guest] = field(default_factory=list)
    stormed_at: list[float] = field(default_factory=list)

    async def run(self, seconds: float, storm_every: float) -> None:
        """Plays for so long, with a storm every so many seconds; at the end everybody leaves and hangs up."""
        if not self.guests:
            self.guests = [Guest(self.url, self.tally, self.chance) for _ in range(4 * self.tables)]
        for guest in self.guests:
            await guest.come()
        ends = time.monotonic() + seconds
        async with asyncio.TaskGroup() as group:
            for four in zip(*[iter(self.guests)] * 4, strict=True):
                group.create_task(self._evenings(four, ends))
            group.create_task(self._storms(ends, storm_every))
            group.create_task(self._pings(ends))
        for guest in self.guests:
            guest.cut()

    async def _evenings(self, four: Sequence[Guest], ends: float) -> None:
        while time.monotonic() < ends:
            self.tally.tables += 1
            created = await four[0].sit(type="create", options={"deals": 4})
            for guest in four[1:]:
                await guest.sit(type="join", code=created["code"])
            await asyncio.sleep(min(self.chance.uniform(*EVENING), max(0.0, ends - time.monotonic())))
            early = self.chance.choice(four)
            await early.leave()
            await asyncio.sleep(self.chance.choice((0.0, 1.0)))
            for guest in four:
                await guest.leave()

    async def _storms(self, ends: float, every: float) -> None:
        while time.monotonic() + every < ends:
            await asyncio.sleep(every)
            self.stormed_at.append(time.monotonic())
            struck = self.chance.sample(self.guests, len(self.guests) // 3)
            await asyncio.gather(*(guest.storm() for guest in struck))

    async def _pings(self, ends: float) -> None:
        while time.monotonic() + PING_EVERY < ends:
            await asyncio.sleep(PING_EVERY)
            for guest in self.guests:
                guest.ping()
