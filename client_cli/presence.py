"""What a connection is about: who says hello, how patient it is, who listens, and what can go wrong."""

import asyncio
from dataclasses import dataclass
from typing import Literal, Protocol

from client_cli.view import Message


class Refused(Exception):
    """The server does not let this player in; `error` is its message."""

    def __init__(self, error: Message) -> None:
        super().__init__(str(error.get("code")))
        self.error = error


class Unreachable(Exception):
    """There is no Kop server at the address, at least not now."""


class Busy(Unreachable):
    """The server is there but takes no more connections, at least from here and now."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Why a connection ended: it was closed, the server stood still, or it never came about."""

    why: Literal["closed", "still", "never"]
    code: int | None = None


@dataclass(frozen=True, slots=True)
class Pace:
    """The connection's times in seconds."""

    ping_every: float = 15.0
    pong_within: float = 10.0
    open_within: float = 10.0
    first_pause: float = 0.25
    longest_pause: float = 10.0
    after_reproach: float = 60.0
    """At most this long, and at least half of it, after the server found us too much."""


@dataclass(slots=True)
class Identity:
    """Who says hello: with a token it is a known player, and a name then renames."""

    name: str | None
    token: str | None = None
    rename: bool = False
    bot: bool = False
    """A program that plays by itself, and says so."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A command on its way; `answer` is the server's message with the same id."""

    id: int
    answer: asyncio.Future[Message]


class Listener(Protocol):
    """Who is told what comes in. Nothing here may block."""

    def welcomed(self, welcome: Message) -> None:
        """The connection is open, or open again; a `table` message for each table follows."""

    def heard(self, message: Message) -> None:
        """Any message of the server but `pong` and `welcome`."""

    def lost(self, loss: Loss) -> None:
        """The connection has gone; it will come back by itself. Told once for each outage."""

    def forgotten(self) -> None:
        """The server does not know the token any more; a new player is made."""


def leaves(group: BaseExceptionGroup[BaseException]) -> list[BaseException]:
    """The single faults in a task group's fault."""
    found: list[BaseException] = []
    for fault in group.exceptions:
        found += leaves(fault) if isinstance(fault, BaseExceptionGroup) else [fault]
    return found
