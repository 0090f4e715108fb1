"""Server processes, their tables and what they tell each other, in memory: several share one store."""

# ruff: noqa: D102 (the port says what each method promises)

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from server.store.expiring import Expiring
from server.store.port import Millis, Processes, ProcessId, TableId
from server.store.settings import StoreSettings


class MemoryProcesses(Processes):
    """The port's processes in memory; all that `listen` at this store hear each other."""

    def __init__(self, clock: Callable[[], Millis], settings: StoreSettings) -> None:
        self._time = clock
        self._lease = settings.process_lease
        self._attendance = settings.attendance
        self._leases: dict[ProcessId, int] = {}
        self._lists: dict[ProcessId, list[TableId]] = {}
        self._words: Expiring[dict[ProcessId, bytes]] = Expiring(clock)
        self._listeners: dict[ProcessId, tuple[Callable[[bytes], None], Callable[[], None]]] = {}

    @property
    @abstractmethod
    def _is_away(self) -> bool:
        """Whether nothing can be told now."""

    @abstractmethod
    def _answering(self) -> None:
        """Raises StoreAway while the store is away."""

    async def renew(self, process: ProcessId) -> frozenset[ProcessId]:
        self._answering()
        self._leases[process] = self._time() + self._lease
        return frozenset(name for name, ends in self._leases.items() if ends > self._time())

    async def retire(self, process: ProcessId) -> None:
        self._answering()
        self._leases[process] = 0

    async def lapsed(self) -> Sequence[ProcessId]:
        self._answering()
        return [name for name, ends in self._leases.items() if ends <= self._time()]

    async def attend(self, table: TableId, process: ProcessId, word: bytes) -> Mapping[ProcessId, bytes]:
        self._answering()
        tables = self._lists.setdefault(process, [])
        if table not in tables:
            tables.append(table)
        words = {**(self._words.look(table) or {}), process: word}
        self._words.put(table, words, self._attendance)
        return dict(words)

    async def quit(self, table: TableId, process: ProcessId) -> None:
        self._answering()
        (self._words.look(table) or {}).pop(process, None)
        tables = self._lists.get(process, [])
        if table in tables:
            tables.remove(table)

    async def tables_of(self, process: ProcessId, most: int) -> Sequence[TableId]:
        self._answering()
        return self._lists.get(process, [])[: max(most, 0)]

    async def clear(self, process: ProcessId) -> None:
        if process in await self.lapsed() and not self._lists.get(process):
            del self._leases[process]

    async def listen(self, process: ProcessId, heard: Callable[[bytes], None], missed: Callable[[], None]) -> None:
        self._answering()
        self._listeners[process] = (heard, missed)

    def tell(self, process: ProcessId, message: bytes) -> None:
        if process in self._listeners and not self._is_away:
            asyncio.get_running_loop().call_soon(self._hear, process, message)

    def _hear(self, process: ProcessId, message: bytes) -> None:
        if not self._is_away:
            self._listeners[process][0](message)

    def _hear_again(self) -> None:
        for _, missed in self._listeners.values():
            missed()
