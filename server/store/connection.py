"""One connection to a Redis or Valkey: commands go out in one write, their answers come back in order.

A callback protocol with no task of its own: what is sent says what is to be done with its answers.
Nothing is ever sent twice. A connection that is lost, or silent for too long while an answer is due,
ends for good; whoever still waits is told.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import hiredis

from server.store.port import StoreAway

Command = tuple[str | bytes | int, ...]

Answered = Callable[[Sequence[Any] | StoreAway], None]
"""Takes the answers (a refused command's is a ReplyError), or why there are none: any may have taken effect."""


def pack(*command: str | bytes | int) -> bytes:
    """A command as it is sent."""
    return cast(bytes, hiredis.pack_command(cast(Any, command)))


@dataclass(slots=True)
class _Expected:
    count: int
    answered: Answered
    answers: list[Any] = field(default_factory=list)


class Connection(asyncio.Protocol):
    """Made by `Address.connect`. `lost` is told the reason once, unless `close` ended the connection.

    `heard` takes the messages of sharded channels that were subscribed to on this connection.
    """

    def __init__(
        self, timeout: float, lost: Callable[[str], None], heard: Callable[[bytes], None] | None = None
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout = timeout
        self._lost = lost
        self._heard = heard
        self._reader = hiredis.Reader()
        self._transport: asyncio.Transport | None = None
        self.is_closed = False
        self._expected: deque[_Expected] = deque()
        self._quiet_since = 0.0
        self._watch: asyncio.TimerHandle | None = None

    @property
    def is_open(self) -> bool:
        """Whether commands can be sent."""
        return self._transport is not None

    def send(self, packed: bytes, count: int, answered: Answered) -> None:
        """Writes so many packed commands at once; `answered` is called once, with all their answers."""
        if self._transport is None:
            answered(StoreAway("the connection is lost"))
            return
        if not self._expected:
            self._quiet_since = self._loop.time()
            if self._watch is None:
                self._watch = self._loop.call_at(self._quiet_since + self._timeout, self._look)
        self._expected.append(_Expected(count, answered))
        self._transport.write(packed)

    def call(self, *commands: Command) -> asyncio.Future[Sequence[Any]]:
        """The answers to some commands; the future raises StoreAway."""
        future: asyncio.Future[Sequence[Any]] = self._loop.create_future()

        def answered(answers: Sequence[Any] | StoreAway) -> None:
            if future.done():
                return
            if isinstance(answers, StoreAway):
                future.set_exception(answers)
            else:
                future.set_result(answers)

        self.send(b"".join([pack(*command) for command in commands]), len(commands), answered)
        return future

    def close(self, reason: str) -> None:
        """Ends the connection now; whoever waits for an answer is told the reason."""
        self.is_closed = True
        transport, self._transport = self._transport, None
        if transport is not None:
            transport.abort()
        if self._watch is not None:
            self._watch.cancel()
        while self._expected:
            self._expected.popleft().answered(StoreAway(reason))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the event loop."""
        if self.is_closed:
            cast(asyncio.Transport, transport).abort()
        else:
            self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Called by the event loop."""
        self._end(str(error) if error else "the connection was closed by the store")

    def data_received(self, data: bytes) -> None:
        """Called by the event loop."""
        self._quiet_since = self._loop.time()
        self._reader.feed(data)
        try:
            while self._transport is not None and (answer := self._reader.gets()) is not False:
                self._take(answer)
        except hiredis.ProtocolError as fault:
            self._end(f"the store does not speak its protocol: {fault}")

    def _take(self, answer: Any) -> None:
        if self._heard is not None and isinstance(answer, list):
            if answer[0] == b"smessage":
                self._heard(answer[2])
                return
            if answer[0] == b"sunsubscribe":  # the channel's slot has moved to another server
                self._end("the channel has moved")
                return
        if not self._expected:
            self._end(f"the store said what nobody asked: {answer!r:.100}")
            return
        expected = self._expected[0]
        expected.answers.append(answer)
        if len(expected.answers) == expected.count:
            self._expected.popleft()
            expected.answered(expected.answers)

    def _look(self) -> None:
        self._watch = None
        if not self._expected:
            return
        due = self._quiet_since + self._timeout
        if self._loop.time() >= due:
            self._end(f"no answer within {self._timeout:g} s")
        else:
            self._watch = self._loop.call_at(due, self._look)

    def _end(self, reason: str) -> None:
        if self._transport is not None:
            self.close(reason)
            self._lost(reason)
