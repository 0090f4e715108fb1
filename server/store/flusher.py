"""The group commit: all appends that wait for one server at one moment share one round trip and one fsync.

No task waits for anything: an append makes a flush due in this turn of the event loop, unless a group is
under way; its answers settle the futures and make the next flush due.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hiredis import ReplyError

from server.figures import FIGURES
from server.store.connection import pack
from server.store.keys import APPEND_AND_RENEW, BODY, log_key, snapshot_key
from server.store.link import Link, Node, refuses_all
from server.store.port import Appended, Lifetime, StoreAway, StoreRefused, TableId
from server.store.renewals import Renewals
from server.store.settings import StoreSettings

_MOST_AT_ONCE = 1_000
_BEHIND = "equal or smaller"


@dataclass(slots=True)
class _Waiting:
    table: TableId
    key: str
    version: int
    body: bytes
    lifetime: Lifetime
    answer: asyncio.Future[Appended]
    renews: bool = False


@dataclass(slots=True)
class _Lane:
    """What waits for one server."""

    node: Node
    waiting: list[_Waiting] = field(default_factory=list)
    messages: list[bytes] = field(default_factory=list)
    is_busy: bool = False
    """A flush is due, or a group is under way."""
    sent_at: float = 0.0
    """When the last group went off; seconds of a clock of this process."""


class Flusher:
    """Takes appends and messages at any time. `fail` when the store is lost or closed."""

    def __init__(self, link: Link, settings: StoreSettings) -> None:
        self.round_trips = 0
        self._link = link
        self._settings = settings
        self._renewals = Renewals(settings)
        self._lanes: dict[Node, _Lane] = {}

    def append(self, table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        """Queues an entry; the future is that of `EventLog.append`."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Appended] = loop.create_future()
        if self._link.away is not None:
            answer.set_exception(StoreAway(self._link.away))
            return answer
        key = log_key(table)
        lane = self._lane(key)
        lane.waiting.append(_Waiting(table, key, version, body, lifetime, answer))
        if not lane.is_busy:
            self._make_due(lane, loop)
        return answer

    def tell(self, channel: str, message: bytes) -> None:
        """Queues a message, which goes with the next round trip; it is dropped while the store is away."""
        if self._link.away is not None:
            return
        lane = self._lane(channel)
        lane.messages.append(pack("SPUBLISH", channel, message))
        if not lane.is_busy:
            self._make_due(lane, asyncio.get_running_loop())

    def forget(self, table: TableId) -> None:
        """The lifetime of a table was set by something else than an append."""
        self._renewals.forget(table)

    def fail(self, reason: str) -> None:
        """Ends all appends that wait, and trusts nothing that was known about any log."""
        self._renewals.forget_all()
        lanes, self._lanes = self._lanes, {}
        for lane in lanes.values():
            _fail(lane.waiting, reason)
            lane.waiting.clear()
            lane.messages.clear()

    def _lane(self, key: str) -> _Lane:
        node = self._link.node(key)
        lane = self._lanes.get(node)
        if lane is None:
            lane = self._lanes[node] = _Lane(node)
        return lane

    def _make_due(self, lane: _Lane, loop: asyncio.AbstractEventLoop) -> None:
        lane.is_busy = True
        loop.call_soon(self._flush, lane)

    def _flush(self, lane: _Lane) -> None:
        batch = lane.waiting[:_MOST_AT_ONCE]
        del lane.waiting[:_MOST_AT_ONCE]
        commands = [self._command(waiting) for waiting in batch]
        commands += lane.messages
        lane.messages.clear()
        if not commands:  # the store was lost meanwhile
            return
        self.round_trips += 1
        lane.sent_at = time.perf_counter()
        lane.node.writing.send(b"".join(commands), len(commands), partial(self._answered, lane, batch))

    def _command(self, waiting: _Waiting) -> bytes:
        waiting.renews = self._renewals.due(waiting.table, waiting.version, waiting.lifetime)
        if not waiting.renews:
            return pack("XADD", waiting.key, "NOMKSTREAM", f"{waiting.version}-0", BODY, waiting.body)
        lifetime = self._settings.lifetime(waiting.lifetime)
        keys = (waiting.key, snapshot_key(waiting.table))
        return pack("EVAL", APPEND_AND_RENEW, len(keys), *keys, waiting.version, waiting.body, lifetime)

    def _answered(self, lane: _Lane, batch: Sequence[_Waiting], answers: Sequence[Any] | StoreAway) -> None:
        reason = "the store was lost while this was under way"
        try:
            if isinstance(answers, StoreAway):
                reason = str(answers)
            else:
                if batch:  # else it was a group of messages alone
                    FIGURES.append_seconds.note(time.perf_counter() - lane.sent_at)
                    FIGURES.group_sizes.note(len(batch))
                self._settle_all(batch, answers)
        finally:
            _fail(batch, reason)
            if self._link.away is not None:  # an answer said so; what the later ones told is not to be relied on
                self._renewals.forget_all()
            if lane.waiting or lane.messages:
                self._make_due(lane, asyncio.get_running_loop())
            else:
                lane.is_busy = False

    def _settle_all(self, batch: Sequence[_Waiting], answers: Sequence[Any]) -> None:
        for waiting, answer in zip(batch, answers, strict=False):
            self._settle(waiting, answer)
        for answer in answers[len(batch) :]:  # of the messages
            if isinstance(answer, ReplyError) and refuses_all(answer):
                self._link.lose(str(answer))

    def _settle(self, waiting: _Waiting, answer: Any) -> None:
        outcome = _outcome(answer)
        if outcome is Appended.STORED:
            self._renewals.stored(waiting.table, waiting.version, waiting.lifetime, renewed=waiting.renews)
        else:
            self._renewals.forget(waiting.table)
        if waiting.answer.done():
            return
        if isinstance(outcome, Appended):
            waiting.answer.set_result(outcome)
        elif refuses_all(outcome):
            waiting.answer.set_exception(StoreAway(str(outcome)))
            self._link.lose(str(outcome))
        else:
            waiting.answer.set_exception(StoreRefused(str(outcome)))


def _outcome(answer: Any) -> Appended | ReplyError:
    match answer:
        case None:
            return Appended.GONE
        case ReplyError():
            return Appended.BEHIND if _BEHIND in str(answer) else answer
        case b"gone" | b"behind" | b"stored":
            return Appended(answer.decode())
        case _:
            return Appended.STORED


def _fail(batch: Sequence[_Waiting], reason: str) -> None:
    for waiting in batch:
        if not waiting.answer.done():
            waiting.answer.set_exception(StoreAway(reason))
