"""A player at the door."""

from dataclasses import dataclass

from server.runtime.codes import derived_code
from server.store.port import Player
from server.table.events import Sitter
from server.table.memory import CommandId


@dataclass(frozen=True, slots=True)
class Guest:
    """A player at the door: the hash of his token is the secret that his tables are derived from."""

    player: Player
    token_hash: str

    @property
    def sitter(self) -> Sitter:
        """The player as he sits down."""
        return Sitter(self.player.id, self.player.name, program=self.player.program)

    def opens(self, what: str, command: CommandId) -> str:
        """The code of what a command of his opens: the same one however often the command comes."""
        return derived_code(self.token_hash, f"{what}/{command.client}/{command.number}")
