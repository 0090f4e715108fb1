"""A client's connection to a hall in this process: it keeps what it is told, and counts questions and answers."""

import json
from collections import Counter
from typing import Any, Final

import msgpack
from pydantic import TypeAdapter, ValidationError

from protocol.client import Hello, Ping
from protocol.codec import MAX_FRAME, BadMessage, Encoding, Undecodable, decode, pack
from protocol.errors import CloseCode, ErrorCode
from protocol.server import FromServer
from server.endpoint.hall import Hall
from tests.fuzz import strange

Message = dict[str, Any]
NO_ANSWERS: Final = frozenset({"table", "tournament", "notice", "closed", "progress"})
"""What the server says unasked, or before the answer."""
_CONTRACT: Final[TypeAdapter[Any]] = TypeAdapter(FromServer)


class Broken(AssertionError):
    """A promise of the wire did not hold."""


class Peer:
    """A client's connection, which keeps what it is told."""

    def __init__(self, hall: Hall, encoding: Encoding, address: str) -> None:
        self.encoding = encoding
        self.address = address
        self.open = True
        self.congested = False
        self.session: Any = None
        self.heard: list[Message] = []
        self.closed: CloseCode | None = None
        self.token: str | None = None
        self.player = ""
        self.last_id = 0
        self.views: dict[str, Message] = {}
        self.asked: Counter[int | None] = Counter()
        self.answered: Counter[int | None] = Counter()
        self._hall = hall
        self._hall.connected(self)  # type: ignore[arg-type]

    # What the session asks of a connection

    def send(self, frame: bytes) -> None:
        """Takes what is said, and looks whether it keeps the contract."""
        if not self.open:
            return
        body = frame[{126: 4, 127: 10}.get(frame[1], 2) :]
        message: Message = json.loads(body) if self.encoding is Encoding.JSON else msgpack.unpackb(body)
        if message["type"] != "table" or message["version"] % 3 == 0:  # looking at all takes a quarter of the time
            try:
                _CONTRACT.validate_json(json.dumps(message))
            except ValidationError as fault:
                raise Broken(f"off the contract: {fault}") from fault
        self.heard.append(message)
        match message["type"]:
            case "table":
                self.views[message["table"]] = message
            case "closed":
                self.views.pop(message["table"], None)
            case "welcome":
                self.token, self.player = message["token"] or self.token, message["player"]
        if message["type"] == "error":
            if message["code"] == ErrorCode.TABLE_FROZEN:
                raise Broken(f"a table is frozen: {message}")
            if strange.SECRET in str(message["detail"]):
                raise Broken(f"an error says a secret: {message}")
        if message["type"] not in NO_ANSWERS:
            self.answered[message.get("id")] += 1

    def close(self, code: CloseCode, reason: str = "") -> None:
        """The server hangs up."""
        self.closed, self.open = code, False

    def drained(self) -> None:
        """The client has read what there was."""
        self.congested = False
        if self.open:
            self._hall.drained(self)  # type: ignore[arg-type]

    # What the client does

    def hang_up(self) -> None:
        """The socket is gone."""
        self.open = False
        self._hall.disconnected(self)  # type: ignore[arg-type]

    def say(self, payload: bytes) -> None:
        """Sends a frame, and notes under which id its answer must come."""
        self.asked[expected(payload, self.encoding)] += 1
        self._hall.received(self, payload)  # type: ignore[arg-type]

    def ask(self, type: str, **fields: Any) -> None:
        """Gives a command."""
        self.last_id += 1
        self.say(pack({"type": type, "id": self.last_id, **fields}, self.encoding))

    def greet(self, token: str | None = None, instance: str = "instance") -> None:
        """Says hello."""
        who = {"name": "Ada"} if token is None else {"token": token}
        self.say(pack({"type": "hello", "protocol": 1, "instance": instance, **who}, self.encoding))

    @property
    def waits(self) -> bool:
        """Whether an answer has not come yet."""
        return self.closed is None and self.open and self.asked != self.answered

    def check(self) -> None:
        """Each frame has had one answer.

        Raises:
            Broken
        """
        if self.waits:
            raise Broken(f"asked {self.asked - self.answered} in vain, or heard {self.answered - self.asked} unasked")


def expected(payload: bytes, encoding: Encoding) -> int | None:
    """The id under which the answer to a frame must come; None where it carries none."""
    if len(payload) > MAX_FRAME:
        return None
    try:
        message = decode(payload, encoding)
    except Undecodable:
        return None
    except BadMessage as fault:
        return fault.command_id
    return None if isinstance(message, Hello | Ping) else message.id
