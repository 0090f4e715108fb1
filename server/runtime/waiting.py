"""A command that waits for its turn at a table, and who is told what became of it."""

from collections.abc import Callable
from dataclasses import dataclass

from server.runtime.answers import Answer
from server.table.commands import Command
from server.table.memory import CommandId


@dataclass(slots=True)
class Waiting:
    """A command of a player, or (without an id) of the server."""

    command: Command
    id: CommandId | None
    tell: Callable[[Answer], None]
    sure: bool = False
    """Whether the log was looked into before it is refused."""

    def answer(self, answer: Answer) -> None:
        """Tells what became of the command; only the first answer counts."""
        tell, self.tell = self.tell, _told
        tell(answer)


def _told(answer: Answer) -> None:
    """The answer was given before."""
