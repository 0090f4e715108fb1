"""The server processes, the tables of each, and what they tell each other, in a Redis or Valkey."""

# ruff: noqa: D102 (the port says what each method promises)

from collections.abc import Mapping, Sequence

from server.store.keys import (
    CLEAR_LEASE,
    LAPSED_LEASES,
    PROCESSES,
    RENEW_LEASE,
    attendance_key,
    process_tables_key,
)
from server.store.link import Link
from server.store.port import Processes, ProcessId, TableId
from server.store.settings import StoreSettings


class RedisProcesses(Processes):
    """The port's processes over a link; the store adds `listen` and `tell`.

    The leases and the lists live as long as a match does: a server that was off for a week finds what
    its last processes worked on.
    """

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self._processes = link
        self._lease = settings.process_lease
        self._attendance = settings.attendance
        self._listed = settings.match

    async def renew(self, process: ProcessId) -> frozenset[ProcessId]:
        alive = await self._processes.ask("EVAL", RENEW_LEASE, 1, PROCESSES, process, self._lease, self._listed)
        await self._processes.ask("PEXPIRE", process_tables_key(process), self._listed)
        return frozenset(_processes(alive))

    async def retire(self, process: ProcessId) -> None:
        await self._processes.ask_all(("ZADD", PROCESSES, 0, process), ("PEXPIRE", PROCESSES, self._listed))

    async def lapsed(self) -> Sequence[ProcessId]:
        return _processes(await self._processes.ask("EVAL", LAPSED_LEASES, 1, PROCESSES))

    async def attend(self, table: TableId, process: ProcessId, word: bytes) -> Mapping[ProcessId, bytes]:
        tables, there = process_tables_key(process), attendance_key(table)
        await self._processes.ask_all(("SADD", tables, table), ("PEXPIRE", tables, self._listed))
        *_, words = await self._processes.ask_all(
            ("HSET", there, process, word), ("PEXPIRE", there, self._attendance), ("HGETALL", there)
        )
        return {ProcessId(name.decode()): word for name, word in zip(words[::2], words[1::2], strict=True)}

    async def quit(self, table: TableId, process: ProcessId) -> None:
        await self._processes.ask("HDEL", attendance_key(table), process)
        await self._processes.ask("SREM", process_tables_key(process), table)

    async def tables_of(self, process: ProcessId, most: int) -> Sequence[TableId]:
        if most < 1:
            return ()
        names = await self._processes.ask("SRANDMEMBER", process_tables_key(process), most)
        return tuple(TableId(name.decode()) for name in names)

    async def clear(self, process: ProcessId) -> None:
        # Two slots of a cluster. A process that attends a table just now lives, or comes back with its next renewal.
        if not await self._processes.ask("EXISTS", process_tables_key(process)):
            await self._processes.ask("EVAL", CLEAR_LEASE, 1, PROCESSES, process)


def _processes(names: Sequence[bytes]) -> tuple[ProcessId, ...]:
    return tuple(ProcessId(name.decode()) for name in names)
