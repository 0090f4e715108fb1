"""The connections to a Redis, a Valkey or a cluster of them, and whether the store is away.

A single server is a cluster of one that holds all slots. Each server has a connection for the
commands that write to logs, and another for all that is asked; answers come in the order of the
commands. Nothing is ever sent twice. The store counts as away from the first lost connection,
overlong answer or refused write at any server until `probe` succeeds, which connects anew and reads
the cluster's map; meanwhile everything fails at once.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from hiredis import ReplyError

from server.figures import FIGURES
from server.store.address import Address
from server.store.address import check_url as check_url
from server.store.cluster import SLOTS, ClusterMap, probe_key, read_map, slot_of
from server.store.connection import Command, Connection, pack
from server.store.fence import Fence
from server.store.keys import PROBE
from server.store.port import StoreAway, StoreRefused
from server.store.settings import StoreSettings

log = logging.getLogger(__name__)

_PROBE_LIFETIME_MS = 60_000
_MOST_STEPS = 10
"""A slow store may take the time of so many answers until it is connected; each is waited for as long as any."""
_REFUSALS = (
    *("OOM ", "READONLY ", "MISCONF ", "NOREPLICAS ", "BUSY ", "LOADING ", "MASTERDOWN "),
    *("CLUSTERDOWN ", "TRYAGAIN ", "MOVED ", "ASK "),
)


def refuses_all(error: ReplyError) -> bool:
    """Whether a store that answers so takes no writes now, whatever is written, or wants them elsewhere."""
    return str(error).startswith(_REFUSALS)


def _key(command: Command) -> str | bytes | int:
    """The key that a command is about: by it its server is found."""
    return command[3] if command[0] == "EVAL" else command[1]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A server of the store, and the slots that it holds."""

    address: Address
    slots: tuple[range, ...]
    writing: Connection
    asking: Connection


@dataclass(slots=True)
class _Ear:
    channel: str
    heard: Callable[[bytes], None]
    missed: Callable[[], None]
    connection: Connection


class Link:
    """All connections to one store. Run `probe` whenever `lost` is set, until it returns."""

    def __init__(self, url: str, settings: StoreSettings, on_lost: Callable[[str], None]) -> None:
        self.away: str | None = "not connected yet"
        self.lost = asyncio.Event()
        self._on_lost = on_lost
        self._timeout = settings.flush_timeout / 1000
        self._address = Address.of(url)
        self._doors = deque([self._address])
        self._closed = False
        self._connections: list[Connection] = []
        self._fence = Fence()
        self._nodes: list[Node] = []
        self._by_slot: list[Node] = []
        self._ears: list[_Ear] = []

    def node(self, key: str | bytes | int) -> Node:
        """The server of a key, while the store is not away."""
        return self._nodes[0] if len(self._nodes) == 1 else self._by_slot[slot_of(str(key))]

    async def ask(self, *command: str | bytes | int) -> Any:
        """The answer to one command.

        Raises:
            StoreAway
        """
        self._answering()
        [answer] = await self.node(_key(command)).asking.call(command)
        return self._unless_refused(answer)

    async def ask_in_order(self, *commands: Command) -> None:
        """Gives commands in this order, those for one server at once; their answers say nothing.

        Raises:
            StoreAway: some may have taken effect.
        """
        for node, some in groupby(commands, lambda command: self.node(_key(command))):
            self._answering()
            for answer in await node.asking.call(*some):
                self._unless_refused(answer)

    async def ask_all(self, *commands: Command) -> list[Any]:
        """The answers to commands on one key, which take effect together or not at all.

        Raises:
            StoreAway
        """
        self._answering()
        asking = self.node(commands[0][1]).asking
        _, *queued, answers = await asking.call(("MULTI",), *commands, ("EXEC",))
        for answer in (*queued, answers):
            self._unless_refused(answer)
        return [self._unless_refused(answer) for answer in answers]

    async def ask_each(self, *command: str | bytes | int) -> list[Any]:
        """The answers of all servers to one command.

        Raises:
            StoreAway
        """
        self._answering()
        answers = await asyncio.gather(*(node.asking.call(command) for node in self._nodes))
        return [self._unless_refused(answer) for [answer] in answers]

    async def listen(self, channel: str, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        """Hands on the messages of a sharded channel until `close`; `missed` after each interruption.

        Raises:
            StoreAway
        """
        self._answering()
        async with self._connecting():
            self._ears.append(_Ear(channel, heard, missed, await self._subscribed(channel, heard)))

    async def probe(self) -> float:
        """The store's time in ms; the store is no longer away.

        Raises:
            StoreAway: it still is.
        """
        self.lost.clear()
        was_away = self.away is not None
        if was_away:
            async with self._connecting():
                await self._connect()
        times = {node: self._unless_refused(*await node.writing.call(("TIME",))) for node in self._nodes}
        async with self._connecting():
            restored = await self._listen_again()
            if not all(node.writing.is_open and node.asking.is_open for node in self._nodes):
                raise StoreAway("a connection was lost at once")
        if was_away:
            log.info("the store answers")
        self.away = None
        for ear in restored:
            ear.missed()
        seconds, micros = times[self.node(PROBE)]
        return int(seconds) * 1000 + int(micros) / 1000

    def lose(self, reason: str) -> None:
        """Notes that the store is away."""
        if self._closed:
            return
        if self.away is None:
            FIGURES.store_lost += 1
            log.warning("the store is away: %s", reason)
        self.away = reason
        self.lost.set()
        self._hang_up(reason)
        self._on_lost(reason)

    def close(self) -> None:
        """Ends all connections; nothing may be asked afterwards."""
        self._closed = True
        self.away = "the store is closed"
        self._hang_up(self.away)

    def _hang_up(self, reason: str) -> None:
        self._fence.close()
        connections, self._connections = self._connections, []
        for connection in connections:
            connection.close(reason)

    def _answering(self) -> None:
        if self.away is not None:
            raise StoreAway(self.away)

    def _unless_refused(self, answer: Any) -> Any:
        if not isinstance(answer, ReplyError):
            return answer
        if not refuses_all(answer):
            raise StoreRefused(str(answer))
        self.lose(str(answer))
        raise StoreAway(str(answer))

    @contextlib.asynccontextmanager
    async def _connecting(self) -> AsyncIterator[None]:
        """Whatever goes wrong inside, and whatever takes too long, means that the store is away."""
        try:
            async with asyncio.timeout(_MOST_STEPS * self._timeout):
                yield
        except StoreRefused:
            raise
        except (StoreAway, OSError) as error:
            reason = str(error) or f"no connection within {self._timeout:g} s"
            self.lose(reason)
            raise StoreAway(reason) from error

    async def _connect(self) -> None:
        """New connections to all servers: after a failover the old ones may lead to the wrong ones."""
        self._hang_up("the store is connected anew")
        address = self._doors[0]
        self._doors.rotate(-1)  # whatever comes of it, the next attempt asks another server of the cluster
        door = await self._open(address)
        [answer] = await door.call(("CLUSTER", "SLOTS"))
        if isinstance(answer, ReplyError):  # no cluster
            self._nodes = [Node(address, (range(SLOTS),), door, await self._open(address))]
        else:
            await self._connect_cluster(read_map(answer, address.host))
            door.close("it was asked for the map only")
        for node in self._nodes:
            [answer] = await node.writing.call(("SET", probe_key(node.slots), 1, "PX", _PROBE_LIFETIME_MS))
            if isinstance(answer, ReplyError):
                raise StoreAway(str(answer))
        self._fence.forget_former()

    async def _connect_cluster(self, found: ClusterMap) -> None:
        self._nodes = []
        by_slot: list[Node | None] = [None] * SLOTS
        for place, slots in found.masters.items():
            address = self._address.at(*place)
            node = Node(address, slots, await self._open(address), await self._open(address))
            self._nodes.append(node)
            for some in slots:
                by_slot[some.start : some.stop] = [node] * len(some)
        self._by_slot = [node for node in by_slot if node is not None]  # all are, `read_map` has counted them
        others = [self._address.at(*place) for place in found.replicas]
        self._doors = deque([*(node.address for node in self._nodes), *others, self._address])

    async def _open(self, address: Address) -> Connection:
        connection = await self._opened(address, self.lose)
        await self._fence.admit(connection)
        return connection

    async def _opened(
        self, address: Address, lost: Callable[[str], None], heard: Callable[[bytes], None] | None = None
    ) -> Connection:
        self._connections = [connection for connection in self._connections if not connection.is_closed]

        def make() -> Connection:
            connection = Connection(self._timeout, lost, heard)
            self._connections.append(connection)
            return connection

        return await address.connect(make, self._timeout)

    async def _subscribed(self, channel: str, heard: Callable[[bytes], None]) -> Connection:
        connection = await self._opened(self.node(channel).address, self._lose_an_ear, heard)
        [answer] = await connection.call(("SSUBSCRIBE", channel))
        if isinstance(answer, ReplyError):
            connection.close(str(answer))
        self._unless_refused(answer)
        return connection

    def _lose_an_ear(self, reason: str) -> None:
        log.info("what other processes tell was not heard for a moment: %s", reason)
        self.lost.set()

    async def _listen_again(self) -> list[_Ear]:
        restored = []
        for ear in self._ears:
            if ear.connection.is_open:
                ear.connection.send(pack("PING"), 1, lambda _: None)  # silence ends the connection
            else:
                ear.connection = await self._subscribed(ear.channel, ear.heard)
                restored.append(ear)
        return restored
