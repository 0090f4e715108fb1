"""The group commit without a store: what is sent, and what an answer changes."""

import asyncio
from typing import Any, cast

from hiredis import ReplyError

from server.store.connection import Answered
from server.store.flusher import Flusher
from server.store.link import Link
from server.store.port import Appended, Lifetime, StoreAway, TableId
from server.store.settings import StoreSettings

MATCH = Lifetime.MATCH
ONE, TWO = TableId("one"), TableId("two")


class OneServer:
    """The part of a link that the flusher uses: notes what is sent, and answers when a test says so."""

    def __init__(self) -> None:
        self.away: str | None = None
        self.sent: list[tuple[bytes, Answered]] = []
        self.writing = self
        self.flusher = Flusher(cast(Link, self), StoreSettings())

    def node(self, _: str) -> Any:
        return self

    def send(self, packed: bytes, count: int, answered: Answered) -> None:
        assert packed.count(b"*6") + packed.count(b"*8") + packed.count(b"*3") == count
        self.sent.append((packed, answered))

    def lose(self, reason: str) -> None:
        self.away = reason
        self.flusher.fail(reason)

    async def append(self, version: int, *tables: TableId) -> tuple[bytes, Answered, list[asyncio.Future[Appended]]]:
        """What was sent for appends of one moment, how to answer it, and the futures."""
        futures = [self.flusher.append(table, version, b"", MATCH) for table in tables]
        await asyncio.sleep(0)
        packed, answered = self.sent.pop()
        return packed, answered, futures


async def test_the_log_is_looked_at_when_it_was_not_written_last() -> None:
    """The first append of a process looks at the log, the next one need not."""
    server = OneServer()
    packed, answered, [first] = await server.append(7, ONE)
    assert b"EVAL" in packed
    answered([b"stored"])
    assert await first is Appended.STORED
    packed, answered, [second] = await server.append(8, ONE)
    assert b"EVAL" not in packed
    answered([b"8-0"])
    assert await second is Appended.STORED


async def test_what_was_stored_beside_a_refusal_is_looked_at_again() -> None:
    """An answer says that the store takes no writes: what the others in its group told is not relied on later."""
    server = OneServer()
    _, answered, [refused, stored] = await server.append(1, ONE, TWO)
    answered([ReplyError("OOM no room"), b"stored"])
    assert isinstance(refused.exception(), StoreAway)
    assert await stored is Appended.STORED
    server.away = None
    packed, _, _ = await server.append(2, TWO)
    assert b"EVAL" in packed


async def test_one_group_at_a_time() -> None:
    """What comes while a group is under way waits, and goes as the next group, messages last."""
    server = OneServer()
    _, answered, [first] = await server.append(1, ONE)
    server.flusher.tell("channel", b"hello")
    second = server.flusher.append(TWO, 1, b"", MATCH)
    await asyncio.sleep(0)
    assert not server.sent
    answered([b"stored"])
    await asyncio.sleep(0)
    [(packed, answered)] = server.sent
    assert packed.index(b"EVAL") < packed.index(b"SPUBLISH")
    answered([b"stored", 1])
    assert [await first, await second] == [Appended.STORED] * 2


async def test_a_message_that_is_refused_by_a_full_store_is_noticed() -> None:
    """Messages have nobody who waits; an answer that concerns the whole store counts all the same."""
    server = OneServer()
    for refusal, away in (("NOPERM no", None), ("MOVED 1 host:1", "MOVED 1 host:1")):
        server.flusher.tell("channel", b"hello")
        await asyncio.sleep(0)
        _, answered = server.sent.pop()
        answered([ReplyError(refusal)])
        assert server.away == away
    server.flusher.tell("channel", b"hello")
    await asyncio.sleep(0)
    assert not server.sent


async def test_what_waits_when_the_store_is_lost_is_not_sent() -> None:
    """An append in the very moment of the loss fails, and nothing is written for it."""
    server = OneServer()
    waiting = server.flusher.append(ONE, 1, b"", MATCH)
    server.lose("gone")
    await asyncio.sleep(0)
    assert isinstance(waiting.exception(), StoreAway)
    assert not server.sent
