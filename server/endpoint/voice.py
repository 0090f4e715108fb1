"""What one connection says, in its player's name: answers, refusals, and what is told unasked."""

import logging
from typing import TYPE_CHECKING, Any

from protocol.client import Command, FromClient
from protocol.codec import pack
from server.endpoint.translation import error, id_of, logged
from server.endpoint.websocket import Connection, frame
from server.figures import FIGURES
from server.games.game import RuleViolation
from server.runtime.answers import Refused
from server.runtime.house import Guest
from server.store.port import StoreAway
from server.table.ids import PlayerId
from server.table.memory import CommandId

if TYPE_CHECKING:
    from server.endpoint.hall import Hall

log = logging.getLogger(__name__)


class Voice:
    """One connection's way out, and who speaks there once `hello` has been answered."""

    __slots__ = ("_client", "_guest", "connection", "hall")

    def __init__(self, hall: "Hall", connection: Connection) -> None:
        self.hall = hall
        self.connection = connection
        self._guest: Guest | None = None
        self._client = ""

    @property
    def greeted(self) -> bool:
        """Whether `hello` has been answered."""
        return self._guest is not None

    @property
    def guest(self) -> Guest:
        """Whose connection it is.

        Raises:
            RuleViolation: `hello_first`
        """
        if self._guest is None:
            raise RuleViolation("hello_first")
        return self._guest

    @property
    def player(self) -> PlayerId:
        """The player's public id; as `guest`."""
        return self.guest.player.id

    def named(self, guest: Guest, instance: str) -> None:
        """The guest speaks here from now on, in this instance of his client."""
        self._guest = guest
        self._client = f"{guest.player.id}/{instance}"

    def command_id(self, message: Command) -> CommandId:
        """The id under which a command is remembered."""
        return CommandId(self._client, message.id)

    def admit(self) -> None:
        """Counts what this address asks for.

        Raises:
            RuleViolation: `too_many`
        """
        self.hall.admit(self.connection.address)

    def send(self, message: dict[str, Any]) -> None:
        """Sends one message of the wire contract."""
        encoding = self.connection.encoding
        self.connection.send(frame(pack(message, encoding), encoding))

    def refuse(
        self,
        message: FromClient,
        refused: Refused,
        table: str | None = None,
        *,
        tournament: str | None = None,
        known: bool = False,
    ) -> None:
        """Says that a message was refused; `known`: the table that the message names is one that there is."""
        FIGURES.refused[refused.code] += 1
        if log.isEnabledFor(logging.DEBUG):  # what only the message names may be anything
            meant = table or (getattr(message, "table", None) if known else None)
            log.debug("refused", extra=logged(message, refused, self._client, meant))
        self.send(error(refused, id_of(message), table, tournament))

    def failed(self, message: FromClient, fault: Exception, table: str | None = None, *, known: bool = False) -> None:
        """Answers a message whose work has raised this: a refusal, or our own fault, which the operator reads."""
        match fault:
            case RuleViolation():
                refused = Refused(fault.code, fault.detail)
            case StoreAway():
                refused = Refused("store_away")
            case _:
                refused = Refused("server_fault")
                log.error("a message failed", exc_info=fault, extra=logged(message, refused, self._client, table))
        self.refuse(message, refused, table, known=known)
