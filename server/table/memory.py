"""What a table remembers of the commands it has carried out, so that each takes effect once.

Per client (a player's program from its start to its end) the last 32 commands with what was asked
and the reply; of clients, the 32 that were heard last.
"""

import hashlib
from dataclasses import dataclass

from server.games.game import RuleViolation, Seat

MOST_COMMANDS = 32
MOST_CLIENTS = 32


@dataclass(frozen=True, slots=True)
class CommandId:
    """The client and the number it gave the command; numbers count upward."""

    client: str
    number: int

    def __str__(self) -> str:
        return f"{self.client}#{self.number}"


@dataclass(frozen=True, slots=True)
class Remembered:
    """A command that took effect: what was asked (hashed), the version it made, the sender's seat after it."""

    number: int
    asked: str
    version: int
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class ClientMemory:
    """The last commands of one client, in the order they took effect."""

    client: str
    commands: tuple[Remembered, ...]


Memory = tuple[ClientMemory, ...]
"""Of each client, the one heard last at the end."""


def digest(asked: str) -> str:
    """A short hash of what was asked."""
    return hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()


def recall(memory: Memory, command: CommandId, asked: str) -> Remembered | None:
    """What became of this command, if it took effect before.

    Raises:
        RuleViolation: `id_reused` if something else was asked under this id, `too_old` if it is
            older than what is remembered.
    """
    own = _of_client(memory, command.client)
    for known in own:
        if known.number == command.number:
            if known.asked != digest(asked):
                raise RuleViolation("id_reused")
            return known
    full = len(own) == MOST_COMMANDS
    if full and command.number < own[-1].number and command.number < min([known.number for known in own]):
        raise RuleViolation("too_old")
    return None


def _of_client(memory: Memory, client: str) -> tuple[Remembered, ...]:
    for one in memory:
        if one.client == client:
            return one.commands
    return ()


def remember(memory: Memory, client: str, command: Remembered, clients: int = MOST_CLIENTS) -> Memory:
    """The memory, of so many clients, with one more command of a client."""
    own = _of_client(memory, client)
    others = tuple([one for one in memory if one.client != client])
    latest = ClientMemory(client, (*own[-MOST_COMMANDS + 1 :], command))
    return (*others[-clients + 1 :], latest)
