"""The group commit: all appends that wait at one moment share one round trip and one fsync."""

import asyncio
from collections import deque
from dataclasses import dataclass

from redis.exceptions import ResponseError

from server.store.keys import APPEND_AND_RENEW, BODY, log_key, snapshot_key
from server.store.link import Command, Link, refuses_all
from server.store.port import Appended, Lifetime, StoreAway, StoreRefused, TableId
from server.store.renewals import Renewals
from server.store.settings import StoreSettings

_MOST_AT_ONCE = 1_000
_BEHIND = "equal or smaller"


@dataclass(slots=True)
class _Waiting:
    table: TableId
    version: int
    body: bytes
    lifetime: Lifetime
    answer: asyncio.Future[Appended]
    renews: bool = False


class Flusher:
    """Takes appends at any time; `run` sends them. `fail` when the store is lost or closed."""

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self.round_trips = 0
        self._link = link
        self._settings = settings
        self._renewals = Renewals(settings)
        self._waiting: deque[_Waiting] = deque()
        self._wake = asyncio.Event()

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        """Queues an entry; the future is that of `EventLog.append`."""
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        if self._link.away is not None:
            answer.set_exception(StoreAway(self._link.away))
        else:
            self._waiting.append(_Waiting(table, version, body, lifetime, answer))
            self._wake.set()
        return answer

    def forget(self, table: TableId) -> None:
        """The lifetime of a table was set by something else than an append."""
        self._renewals.forget(table)

    def fail(self, reason: str) -> None:
        """Ends all appends that wait, and trusts nothing that was known about any log."""
        self._renewals.forget_all()
        while self._waiting:
            _fail(self._waiting.popleft(), StoreAway(reason))

    async def run(self) -> None:
        """Sends what waits, until cancelled."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                batch = [self._waiting.popleft() for _ in range(min(len(self._waiting), _MOST_AT_ONCE))]
                await self._flush(batch)

    async def _flush(self, batch: list[_Waiting]) -> None:
        self.round_trips += 1
        reason = "the store was lost while this was under way"
        try:
            commands = [self._command(waiting) for waiting in batch]
            for waiting, answer in zip(batch, await self._link.write(commands), strict=True):
                self._settle(waiting, answer)
        except StoreAway as away:
            reason = str(away)
        finally:
            for waiting in batch:
                _fail(waiting, StoreAway(reason))

    def _command(self, waiting: _Waiting) -> Command:
        key = log_key(waiting.table)
        waiting.renews = self._renewals.due(waiting.table, waiting.version, waiting.lifetime)
        if not waiting.renews:
            return ("XADD", key, "NOMKSTREAM", f"{waiting.version}-0", BODY, waiting.body)
        lifetime = self._settings.lifetime(waiting.lifetime)
        keys = (key, snapshot_key(waiting.table))
        return ("EVAL", APPEND_AND_RENEW, len(keys), *keys, waiting.version, waiting.body, lifetime)

    def _settle(self, waiting: _Waiting, answer: bytes | ResponseError | None) -> None:
        outcome = _outcome(answer)
        if outcome is Appended.STORED:
            self._renewals.stored(waiting.table, waiting.version, waiting.lifetime, renewed=waiting.renews)
        else:
            self._renewals.forget(waiting.table)
        if isinstance(outcome, Appended):
            if not waiting.answer.done():
                waiting.answer.set_result(outcome)
            return
        if refuses_all(outcome):
            _fail(waiting, StoreAway(str(outcome)))
            self._link.lose(str(outcome))
        else:
            _fail(waiting, StoreRefused(str(outcome)))


def _outcome(answer: bytes | ResponseError | None) -> Appended | ResponseError:
    match answer:
        case None:
            return Appended.GONE
        case ResponseError():
            return Appended.BEHIND if _BEHIND in str(answer) else answer
        case b"gone" | b"behind" | b"stored":
            return Appended(answer.decode())
        case _:
            return Appended.STORED


def _fail(waiting: _Waiting, fault: StoreAway) -> None:
    if not waiting.answer.done():
        waiting.answer.set_exception(fault)
