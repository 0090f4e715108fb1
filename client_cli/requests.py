"""What was asked of the server and has no answer yet: who wants the answer, and whose refusal is not told."""

from collections.abc import Callable

from client_cli.presence import Asked
from client_cli.view import Message

Then = Callable[[Message], None]


class Requests:
    """By the ids of the commands."""

    def __init__(self) -> None:
        self.outstanding: set[int] = set()
        self._quiet: set[int] = set()
        self._then: dict[int, Then] = {}

    def sent(self, asked: Asked, *, quiet: bool, then: Then | None) -> None:
        """A command is on its way."""
        self.outstanding.add(asked.id)
        if quiet:
            self._quiet.add(asked.id)
        if then is not None:
            self._then[asked.id] = then

    def answered(self, message: Message) -> tuple[Then | None, bool]:
        """Who wants this answer, if anybody does, and whether a refusal is not to be told."""
        if message["type"] == "progress":  # the answer is still to come
            return None, False
        number = message.get("id") or 0
        self.outstanding.discard(number)
        quiet = number in self._quiet
        self._quiet.discard(number)
        return self._then.pop(number, None), quiet
