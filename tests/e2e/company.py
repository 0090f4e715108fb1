"""A table in each phase of a deal, people who go and come back, and what those who stay are told of it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any

from server.games.kop.opening import seat_commitment
from server.table.codec import LogLine
from server.table.events import ActedFor
from tests.e2e.script import close, played_to
from tests.servers import ServerProcess
from tests.wire import PATIENCE, Message, RefusedError, Wire, four_at_table, quiet_choice, step

PHASES = ("ready", "opening", "calls", "asked", "late calls", "second trick", "between")
IN_A_DEAL = PHASES[2:6]
"""Those in which cards are out and one seat's decision is awaited."""
CLOCK = {"clock_seconds": 3}
"""The shortest clock that there is."""


class Scene:
    """A table in one phase, and the seat whose decision it waits for."""

    def __init__(self, players: list[Wire], table: str, seat: int, phase: str) -> None:
        self.players = players
        self.table = table
        self.seat = seat
        self.phase = phase
        self.code: str = players[0].views[table]["own"]["code"]
        self.since = [len(player.heard) for player in players]

    @property
    def away(self) -> Wire:
        """Who goes and comes back."""
        return self.players[self.seat]

    @property
    def others(self) -> list[Wire]:
        """Those who stay."""
        return [player for seat, player in enumerate(self.players) if seat != self.seat]

    @property
    def public(self) -> dict[str, Any]:
        """What the first of those who stay sees of the table."""
        public: dict[str, Any] = self.others[0].views[self.table]["public"]
        return public

    @property
    def hand(self) -> list[str]:
        """What the one who goes holds, as he saw it last."""
        own = self.away.views[self.table]["own"]
        return [] if own["play"] is None else list(own["play"]["hand"])

    def told(self, event: str, who: Wire | None = None) -> list[Message]:
        """Everything of a kind that somebody who stays was told since the scene was set."""
        who = who or self.others[0]
        return told(who, self.table, event, self.since[self.players.index(who)])

    async def tells(self, event: str, **fields: Any) -> None:
        """Waits until all who stay have been told of this."""
        for other in self.others:
            await other.view(
                self.table,
                lambda _, other=other: any(fields.items() <= one.items() for one in self.told(event, other)),  # type: ignore[misc]
            )

    async def sees(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Waits until all who stay see the table so."""
        for other in self.others:
            await other.view(self.table, lambda view: wanted(view["public"]))

    async def go(self, way: str) -> None:
        """The seat's player goes: his connection breaks, or he gives up the seat."""
        if way == "drop":
            await self.away.drop()
        else:
            await self.away.ask("leave", table=self.table)
            await self.away.put_out(self.table)

    async def come_back(self, way: str) -> None:
        """He comes back on a new connection, or takes the seat again; he has his view when this returns."""
        if way == "drop":
            await self.away.open()
        else:
            await self.away.ask("join", code=self.code, seat=self.seat)
        await self.away.view(self.table, lambda view: view["own"] is not None)

    async def play_on(self, until: Callable[[], bool], players: Iterable[Wire] | None = None) -> None:
        """Those who stay, or all of these, act quietly whenever they are asked, until the fact holds."""
        players = list(self.others if players is None else players)
        async with asyncio.timeout(PATIENCE):
            while not until():
                if not await self._one_acts(players):
                    version = players[0].views[self.table]["version"]
                    for player in players:
                        await player.at_version(self.table, version)
                    if not any(self.choice(player) for player in players) and not until():
                        await players[0].view(
                            self.table,
                            lambda view, seen=version: view["version"] > seen or until(),  # type: ignore[misc]
                        )

    def choice(self, player: Wire) -> str | None:
        """The quiet action of a player who is asked something."""
        return quiet_choice(player.views[self.table]["own"]["actions"])

    async def _one_acts(self, players: list[Wire]) -> bool:
        for player in players:
            choice = self.choice(player)
            if choice is not None:
                try:
                    reply = await player.act(self.table, choice)
                except RefusedError as refused:  # a bot or the clock was faster, and has changed the question
                    if refused.code not in ("stale", "already_ready", "already_went_on", "await_calls", "no_question"):
                        raise
                    reply = await player.ask("sync", table=self.table)
                for one in players:
                    await one.at_version(self.table, reply["version"])
                return True
        return False


def told(who: Wire, table: str, event: str, since: int = 0) -> list[Message]:
    """Everything of a kind that happened at a table before the eyes of a player."""
    views = [one for one in who.heard[since:] if one["type"] == "table" and one["table"] == table]
    return [one for view in views for one in view["happened"] if one["event"] == event]


@contextlib.asynccontextmanager
async def scene(url: str, phase: str, **options: Any) -> AsyncIterator[Scene]:
    """A new table in this phase; everybody hangs up at the end."""
    rules = {"rules": "wolsztyn"} if phase == "late calls" else {"answer_seconds": None}
    players, table = await four_at_table(url, options={"deals": 4, **rules, **options})
    try:
        yield Scene(players, table, await _brought_to(players, table, phase), phase)
    finally:
        await close(*players)


async def _brought_to(players: list[Wire], table: str, phase: str) -> int:
    """Brings the table to the phase; the seat whose decision it waits for."""
    match phase:
        case "ready":
            return 2
        case "opening":
            await _opening(players, table)
            return 3
        case "calls":
            await played_to(players, table, "calls")
            return _turn(players, table)
        case "asked":
            await played_to(players, table, "calls")
            leader = _turn(players, table)
            await _all_see(players, table, await players[leader].act(table, "ask"))
            return (leader + 2) % 4
        case "late calls":
            await played_to(players, table, "play", 1)
            return _turn(players, table)
        case "second trick":
            await played_to(players, table, "play", 5)
            return _turn(players, table)
        case _:
            while not players[0].views[table]["public"]["play"]["last"]:
                assert await step(players, table) is not None
            return 1


async def _opening(players: list[Wire], table: str) -> None:
    """All have committed to bytes, and all but the last have opened them."""
    parts = [bytes([seat + 1]) * 32 for seat in range(4)]
    for player, part in zip(players, parts, strict=True):
        reply = await player.act(table, f"ready {seat_commitment(part, 0)}")
    await _all_see(players, table, reply)
    for player, part in zip(players[:3], parts, strict=False):
        reply = await player.act(table, f"open {part.hex()}")
    await _all_see(players, table, reply)


async def _all_see(players: list[Wire], table: str, reply: Message) -> None:
    for player in players:
        await player.at_version(table, reply["version"])


def _turn(players: list[Wire], table: str) -> int:
    return int(players[0].views[table]["public"]["play"]["turn"])


async def at_once(*works: tuple[str, Awaitable[None]]) -> None:
    """Does all of these beside each other; a failure says which it was."""

    async def named(name: str, work: Awaitable[None]) -> None:
        try:
            await work
        except BaseException as fault:
            fault.add_note(name)
            raise

    async with asyncio.TaskGroup() as group:
        for name, work in works:
            group.create_task(named(name, work))


async def device(url: str, token: str | None) -> Wire:
    """A second device of a player, connected with his token."""
    wire = Wire(url, "")
    wire.token = token
    await wire.open()
    return wire


def acted_for(lines: Iterable[LogLine]) -> list[tuple[int, int, str]]:
    """Version, seat and substitute of each act that was not a player's own."""
    return [
        (line.version, event.seat, event.by.value)
        for line in lines
        for event in line.events
        if isinstance(event, ActedFor)
    ]


def versions(server: ServerProcess, table: str, kind: type) -> list[int]:
    """The versions of a table's log in which such an event stands."""
    return [line.version for line in server.entries(table) if any(isinstance(event, kind) for event in line.events)]
