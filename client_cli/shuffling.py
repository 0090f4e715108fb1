"""The player's part in the shuffle, as the session plays it: what is sent for it, and what is told of it.

*Ready* goes out with a commitment, and what was committed to is opened without the player's doing; how,
and what is kept, `contributor` knows. Source: docs/fair-deal.md. A patience is shuffled by the server alone.
"""

from collections.abc import Callable

from client_cli.board import Board
from client_cli.contributor import Contributor
from client_cli.patience.layout import is_patience
from client_cli.presence import Asked
from client_cli.style import Line
from client_cli.view import Message, View


class Shuffling:
    """Call `ready` before an act is sent, `sent` after it, and `seen` with every view that counts."""

    def __init__(
        self,
        part: Contributor,
        board: Board,
        act: Callable[[View, str], Asked],
        tell: Callable[[list[Line]], None],
    ) -> None:
        """`act` sends an action as an answer to a view, and lets no refusal of it be told."""
        self._part = part
        self._board = board
        self._act = act
        self._tell = tell
        self._under_way: dict[int, tuple[str, str]] = {}

    def ready(self, view: View, action: str) -> str:
        """The words to send instead of an action: *ready* with a commitment, anything else as it is."""
        return action if is_patience(view) else self._part.ready(view, action)

    def sent(self, asked: Asked, view: View, action: str) -> None:
        """An action is on its way."""
        if action.startswith(("ready ", "open ")) and not is_patience(view):
            self._under_way[asked.id] = (view.table, action)

    def seen(self, view: View, at: int) -> None:
        """Notes what a view shows, opens what is to be opened, and tells what is wrong; `at`: the server's time, ms."""
        if is_patience(view):
            return
        heard = self._part.heard(view, at)
        if heard.action is not None and view.seat is not None:
            self.sent(self._act(view, heard.action), view, heard.action)
        for word in heard.alarms:
            if word == "not_kept":
                self._tell(self._board.say("fair.not_kept", "warn"))
            else:
                self._tell(self._board.say("fair.alarm", "warn", what=self._board.texts(f"record.found.{word}")))

    def answered(self, message: Message) -> None:
        """A command was taken or refused."""
        table, action = self._under_way.pop(message.get("id") or 0, ("", ""))
        if message["type"] == "reply" and action:
            self._part.accepted(table, action, message["version"])
        elif action.startswith("open "):
            self._part.refused()

    def left(self, table: str) -> None:
        """The player is at this table no longer."""
        self._part.left(table)

    def rolled_back(self, table: str) -> None:
        """The server's store came back older than what was told."""
        self._part.rolled_back(table)
