"""Houses over a store in memory, and tables in them that are played by commands."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from server.games.game import OptionValue, Seat
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.house import Guest, House
from server.runtime.staff import Staff
from server.runtime.thinking import ThinkingPool
from server.store.memory import MemoryStore
from server.store.port import Entry, Millis, PlayerId, Snapshot, TableId
from server.table import commands, view
from server.table.commands import PlayersCommand
from server.table.memory import CommandId

PATIENCE = 10.0
STAFF = Staff(ThinkingPool(1), grace_seconds=30.0, bot_seconds=0.01)
"""Bots that think in one process, if a test seats some."""


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.time = 1_800_000_000_000

    def __call__(self) -> Millis:
        return Millis(self.time)


class Store(MemoryStore):
    """A store in memory that takes its time, can be set back, and be given entries that nobody here wrote."""

    def __init__(self) -> None:
        self.clock = HandClock()
        super().__init__(self.clock)

    async def load_snapshot(self, table: TableId) -> Snapshot | None:
        """Others get their turn meanwhile, as with a store on a wire."""
        await asyncio.sleep(0)
        return await super().load_snapshot(table)

    async def add_membership(self, player: PlayerId, table: TableId) -> None:
        """The same."""
        await asyncio.sleep(0)
        await super().add_membership(player, table)

    async def listed_tables(self, most: int) -> Sequence[TableId]:
        """The same."""
        await asyncio.sleep(0)
        return await super().listed_tables(most)

    def set_back(self, table: TableId, version: int) -> None:
        """From now on it holds the table only up to this version, as after a restore."""
        log = self._logs[table]
        log.entries = [entry for entry in log.entries if entry.version <= version]
        log.last = version

    def plant(self, table: TableId, body: bytes) -> None:
        """Adds an entry to the table's log."""
        log = self._logs[table]
        log.last += 1
        log.entries.append(Entry(log.last, body))


@dataclass
class TestTable:
    """A table at which four players sit, and their ids of commands."""

    __test__ = False
    house: House
    actor: TableActor
    guests: list[Guest]
    numbers: list[int] = field(default_factory=lambda: [1, 1, 1, 1])

    @property
    def id(self) -> TableId:
        """The table's id."""
        return self.actor.id

    @property
    def version(self) -> int:
        """The version at which the actor stands."""
        assert self.actor.state is not None
        return self.actor.state.version

    def command_id(self, seat: int) -> CommandId:
        """The next id of a player's only client."""
        self.numbers[seat] += 1
        return CommandId(f"{self.guests[seat].player.id}/client", self.numbers[seat])

    def quiet(self) -> tuple[int, commands.Act]:
        """The next quiet act at the table, and whose it is."""
        table = self.actor.state
        assert table is not None
        for seat in range(4):
            for action in view.actions(table, Seat(seat)):
                if action in ("ready", "ask", "go on", "rematch") or action.startswith("play "):
                    return seat, commands.Act(self.guests[seat].player.id, table.prompt, action)
        raise AssertionError("nobody can do anything")

    async def step(self) -> Accepted:
        """Does the next quiet act."""
        seat, act = self.quiet()
        return accepted(await carried_out(self.actor, act, self.command_id(seat)))


async def carried_out(actor: TableActor, command: PlayersCommand, command_id: CommandId | None) -> Answer:
    """The answer to a command; a second answer would be an error."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    actor.submit(command, command_id, answered.set_result)
    async with asyncio.timeout(PATIENCE):
        return await answered


def accepted(answer: Answer) -> Accepted:
    """The answer, which must be that it took effect."""
    assert isinstance(answer, Accepted), answer
    return answer


def code_of(answer: Answer) -> str:
    """The code of the answer, which must be a refusal."""
    assert isinstance(answer, Refused), answer
    return answer.code


async def opened(house: House, *, private: bool = True, options: Mapping[str, OptionValue] | None = None) -> TestTable:
    """A new table with four players, held as by a reader."""
    guests = [(await house.new_player(f"Player {seat}"))[1] for seat in range(4)]
    first = CommandId(f"{guests[0].player.id}/client", 1)
    actor, code = await house.opening(guests[0], first, private=private, admit=lambda: None)
    house.hold(actor)
    create = commands.Create(guests[0].sitter, actor.id, "kop", options or {"answer_seconds": None}, code)
    accepted(await carried_out(actor, create, first))
    for guest in guests[1:]:
        take = commands.TakeSeat(guest.sitter, None)
        accepted(await carried_out(actor, take, CommandId(f"{guest.player.id}/client", 1)))
    return TestTable(house, actor, guests)


async def until(fact: Callable[[], bool]) -> None:
    """Lets the loop run until the fact holds."""
    async with asyncio.timeout(PATIENCE):
        while not fact():  # noqa: ASYNC110 - the fact is in plain state, which tells nobody
            await asyncio.sleep(0)


async def stored(store: Store, table: TableId) -> list[int]:
    """The versions in the table's log."""
    return [entry.version for entry in await store.read(table, 0)]
