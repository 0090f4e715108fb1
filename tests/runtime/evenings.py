"""Processes that run a tournament on one store, and an evening in it that bots play at full speed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, cast

from server.games.game import Plain
from server.runtime.answers import Accepted, Answer
from server.runtime.guests import Guest
from server.runtime.house import House
from server.runtime.replaying import differences
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.runtime.thinking import ThinkingPool
from server.runtime.tournament_actor import TournamentActor
from server.runtime.tournament_loading import load as replayed
from server.store.memory import MemoryStore
from server.store.port import Entry, Store, TableId
from server.table.memory import CommandId
from server.table.state import Table
from server.table.strength import Strength
from server.tournament import codec
from server.tournament.commands import Direct, EnterGuest, Order, Register
from server.tournament.state import Stage, Tournament, TournamentId
from tests.runtime.tables import accepted

PATIENCE = 30.0
QUICK = {"rounds": 2, "deals": 4, "break_seconds": 0}


class Quiet:
    """In the place of the pool: bots do the first quiet thing, at once. While `gate` is shut they think."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.gate.set()

    async def think(
        self, job: object, game: str, seen: Plain, strength: Strength, seed: int, *, who: str, seconds: float
    ) -> str:
        await self.gate.wait()
        actions: list[str] = seen["actions"]
        said = next((action for action in actions if action in ("ask", "go on", "pass")), None)
        return said or next(action for action in actions if action.startswith("play "))


@dataclass
class Process:
    """A server process, without its listener."""

    house: House
    tasks: Tasks
    store: Store
    thinker: Quiet

    async def kill(self) -> None:
        """It ends without a word, in the middle of whatever it does."""
        await self.tasks.close()
        if isinstance(self.store, MemoryStore):
            self.store._listeners.pop(self.house.peers.id, None)
        else:
            await self.store.close()

    async def end(self) -> None:
        """It ends as one that is told to."""
        self.house.stand_still()
        await self.house.peers.retire()
        await self.kill()


class Hosts:
    """Starts processes on one store; `open_store` is how each comes to it."""

    def __init__(self, open_store: Callable[[], Awaitable[Store]]) -> None:
        self._open_store = open_store
        self._started: list[Process] = []

    async def start(self, *, grace: float = 30.0) -> Process:
        """Another process."""
        store, tasks, thinker = await self._open_store(), Tasks(), Quiet()
        house = House(store, tasks, Staff(cast(ThinkingPool, thinker), grace_seconds=grace, bot_seconds=0.0))
        process = Process(house, tasks, store, thinker)
        self._started.append(process)
        await house.peers.open()
        return process

    async def close(self) -> None:
        """Ends all of them."""
        for process in self._started:
            await process.kill()


@dataclass
class Evening:
    """A tournament in one process, and its director."""

    process: Process
    actor: TournamentActor
    director: Guest
    number: int = 1
    players: list[Guest] = field(default_factory=list)

    @property
    def id(self) -> TournamentId:
        """The tournament's id."""
        return self.actor.id

    @property
    def state(self) -> Tournament:
        """Its state in the process of its director."""
        assert self.actor.state is not None
        return self.actor.state

    def command_id(self) -> CommandId:
        """The next id of the director's only client."""
        self.number += 1
        return CommandId(f"{self.director.player.id}/client", self.number)

    def direct(self, order: Order) -> Direct:
        """The command that orders it, having seen all decisions."""
        return Direct(self.director.player.id, len(self.state.decisions), order)

    async def order(self, order: Order) -> Accepted:
        """The director decides."""
        return accepted(await self.actor.submit(self.direct(order), self.command_id()))

    async def enter_guests(self, guests: int) -> None:
        """Entrants without a device: bots play for them."""
        for number in range(guests):
            await self.order(EnterGuest(f"Guest {number}", ""))

    async def enter_players(self, players: int) -> None:
        """Entrants with a device; none of them is connected."""
        for number in range(players):
            _, guest = await self.process.house.new_player(f"Player {number}")
            self.players.append(guest)
            register = Register(guest.player.id, guest.player.name, "")
            accepted(await self.actor.submit(register, CommandId(f"{guest.player.id}/client", 1)))

    def tables(self) -> list[TableId]:
        """The tables of the running or last round."""
        assert self.state.round is not None
        return [place.id for place in self.state.round.tables]

    def under_way(self) -> bool:
        """Whether cards are out at some table of the round."""
        tables = [self.process.house.at(table) for table in self.tables()]
        return any(table is not None and table.game.acts(table.play) > 0 for table in tables)

    def at(self, number: int) -> Table | None:
        """How a table of the running or last round stands in the director's process, if it is at work there."""
        return self.process.house.at(self.tables()[number - 1])


async def announced(process: Process, **options: Any) -> Evening:
    """A tournament that was just opened, held as by a reader."""
    _, director = await process.house.new_player("Dorota")
    actor, answer = await opening(process, director, **options)
    accepted(answer)
    process.house.tournaments.hold(actor)
    return Evening(process, actor, director)


async def opening(process: Process, director: Guest, **options: Any) -> tuple[TournamentActor, Answer]:
    """What comes of the director's first command."""
    first = CommandId(f"{director.player.id}/client", 1)
    return await process.house.tournaments.open(director, first, "Autumn cup", {**QUICK, **options}, lambda: None)


async def until(fact: Callable[[], bool]) -> None:
    """Waits until the fact holds; a process that runs in this loop, or a store, tells nobody."""
    async with asyncio.timeout(PATIENCE):
        while not fact():  # noqa: ASYNC110 - the fact is in plain state
            await asyncio.sleep(0.001)


async def log_of(store: Store, tournament: TournamentId) -> list[Entry]:
    """The entries of its log."""
    return list(await store.read(TableId(tournament), 0))


async def events_of(store: Store, tournament: TournamentId) -> list[Any]:
    """All events in its log."""
    return [event for one in await log_of(store, tournament) for event in codec.decode(one.version, one.body).events]


async def checked(store: Store, tournament: TournamentId) -> Tournament:
    """What its log makes; the logs of its tables have to make the same results."""
    state = await replayed(tournament, store)
    assert state is not None
    assert list(await differences(state, store)) == []
    return state


def over(actor: TournamentActor) -> Callable[[], bool]:
    """Whether the tournament is over."""
    return lambda: actor.state is not None and actor.state.stage is Stage.OVER
