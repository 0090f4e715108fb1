"""One connection, byte by byte, on a transport and a clock of the test's own."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, cast

import pytest
from hiredis import ReplyError

from server.store.connection import Connection, pack
from server.store.port import StoreAway


class Loop:
    """A clock that a test moves, and the timers that are due then."""

    def __init__(self) -> None:
        self.now = 100.0
        self.timers: list[tuple[float, Callable[[], None]]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        self.timers.append((when, call))
        return asyncio.TimerHandle(when, lambda: None, (), asyncio.get_running_loop())

    def pass_time(self, seconds: float) -> None:
        """All timers that are due by then are called."""
        self.now += seconds
        due = [timer for timer in self.timers if timer[0] <= self.now]
        self.timers = [timer for timer in self.timers if timer not in due]
        for _, call in due:
            call()


class Wire(asyncio.Transport):
    """What was written, and whether the connection was cut."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.is_cut = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def abort(self) -> None:
        self.is_cut = True


class Bench:
    """A connection with a timeout of 5 s."""

    def __init__(self, heard: Callable[[bytes], None] | None = None) -> None:
        self.lost: list[str] = []
        self.told: list[Sequence[Any] | StoreAway] = []
        self.loop = Loop()
        self.wire = Wire()
        self.connection = Connection(5.0, self.lost.append, heard)
        self.connection._loop = cast(asyncio.AbstractEventLoop, self.loop)
        self.connection.connection_made(self.wire)

    def send(self, *commands: str) -> None:
        packed = b"".join(pack(command) for command in commands)
        self.connection.send(packed, len(commands), self.told.append)

    def reasons(self) -> list[str]:
        return [str(told) for told in self.told if isinstance(told, StoreAway)]


@pytest.fixture
async def bench() -> Bench:
    """A connection that is open."""
    return Bench()


async def test_answers_go_to_who_asked(bench: Bench) -> None:
    """Groups are answered in their order, each at once and whole, however the bytes arrive."""
    bench.send("A", "B")
    bench.send("C")
    assert len(bench.wire.written) == 2
    answers = b"+OK\r\n$3\r\n\r\n!\r\n*2\r\n:7\r\n$-1\r\n"
    for place in range(len(answers)):
        bench.connection.data_received(answers[place : place + 1])
    assert bench.told == [[b"OK", b"\r\n!"], [[7, None]]]


async def test_a_refusal_is_an_answer(bench: Bench) -> None:
    """Other commands of the group have theirs."""
    bench.send("A", "B")
    bench.connection.data_received(b"-OOM no room\r\n:1\r\n")
    [[refusal, one]] = cast(Any, bench.told)
    assert isinstance(refusal, ReplyError)
    assert str(refusal) == "OOM no room"
    assert one == 1


async def test_silence_ends_a_connection(bench: Bench) -> None:
    """Five seconds without a byte while an answer is due: all that wait are told, nothing more is taken."""
    bench.send("A")
    bench.loop.pass_time(4.9)
    bench.send("B")
    assert not bench.told
    bench.loop.pass_time(0.2)
    assert bench.reasons() == ["no answer within 5 s"] * 2
    assert bench.lost == ["no answer within 5 s"]
    assert bench.wire.is_cut
    bench.connection.data_received(b"+late\r\n")
    bench.connection.connection_lost(None)
    assert len(bench.told) == 2
    assert len(bench.lost) == 1


async def test_slow_answers_that_keep_coming_are_waited_for(bench: Bench) -> None:
    """What takes ten seconds in all, but never says nothing for five, is no loss."""
    bench.send("A", "B", "C")
    for _ in range(3):
        bench.loop.pass_time(4)
        assert not bench.told
        bench.connection.data_received(b":1\r\n")
    assert bench.told == [[1, 1, 1]]


async def test_a_quiet_connection_is_no_silent_one(bench: Bench) -> None:
    """Nothing is due, so nothing is late; the next command has all its time."""
    bench.send("A")
    bench.connection.data_received(b":1\r\n")
    bench.loop.pass_time(100)
    bench.send("B")
    bench.loop.pass_time(4.9)
    assert not bench.lost
    bench.loop.pass_time(0.2)
    assert bench.lost


@pytest.mark.parametrize(
    ("data", "reason"), [(b"HTTP/1.1 400\r\n", "does not speak its protocol"), (b"+OK\r\n", "nobody asked")]
)
async def test_nonsense_ends_a_connection(bench: Bench, data: bytes, reason: str) -> None:
    """Bytes of another protocol, or an answer to nothing."""
    bench.connection.data_received(data)
    [lost] = bench.lost
    assert reason in lost
    assert bench.wire.is_cut


async def test_a_connection_that_the_store_closed(bench: Bench) -> None:
    """Who waits is told at once, and so is who sends later; nothing is sent again."""
    bench.send("A")
    bench.connection.connection_lost(ConnectionResetError("reset"))
    assert not bench.connection.is_open
    bench.send("B")
    assert bench.reasons() == ["reset", "the connection is lost"]
    assert len(bench.wire.written) == 1


async def test_one_that_we_close_is_not_lost(bench: Bench) -> None:
    """`close` tells who waits, and only them, once."""
    bench.send("A")
    bench.connection.close("enough")
    bench.connection.close("enough")
    bench.connection.connection_lost(None)
    assert bench.reasons() == ["enough"]
    assert not bench.lost


async def test_one_closed_before_it_was_made() -> None:
    """A connection that comes too late is cut at once."""
    connection, wire = Connection(5.0, lambda _: None), Wire()
    connection.close("too late")
    connection.connection_made(wire)
    assert wire.is_cut
    assert not connection.is_open


async def test_what_an_answer_brings_about_ends_the_taking(bench: Bench) -> None:
    """When an answer makes its taker close the connection, what came with it is not taken."""
    bench.connection.send(pack("A"), 1, lambda _: bench.connection.close("enough"))
    bench.send("B")
    bench.connection.data_received(b":1\r\n:2\r\n")
    assert bench.reasons() == ["enough"]


async def test_messages_are_no_answers() -> None:
    """On a connection that listens, messages and answers are told apart; a channel that moves ends it."""
    heard: list[bytes] = []
    bench = Bench(heard.append)
    bench.send("SSUBSCRIBE", "PING")
    bench.connection.data_received(
        b"*3\r\n$10\r\nssubscribe\r\n$1\r\nc\r\n:1\r\n"
        b"*3\r\n$8\r\nsmessage\r\n$1\r\nc\r\n$5\r\nhello\r\n"
        b"*2\r\n$4\r\npong\r\n$0\r\n\r\n"
    )
    assert heard == [b"hello"]
    assert bench.told == [[[b"ssubscribe", b"c", 1], [b"pong", b""]]]
    bench.connection.data_received(b"*3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n")
    assert bench.lost == ["the channel has moved"]
