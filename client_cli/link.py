"""What the player is told of his connection, and what of him is saved when it is made."""

from collections.abc import Callable

from client_cli.board import Board
from client_cli.clean import clean
from client_cli.home import Profile
from client_cli.presence import Loss
from client_cli.style import Line
from client_cli.view import Message


class Link:
    """Tells of losses and returns; with `keep` tokens and the name are saved in the profile."""

    def __init__(self, board: Board, profile: Profile, tell: Callable[[list[Line]], None], *, keep: bool) -> None:
        self._board = board
        self._profile = profile
        self._tell = tell
        self._keep = keep

    def welcomed(self, base: str, welcome: Message) -> None:
        """Saves the token of the server at this address, and the name."""
        if not self._keep:
            return
        try:
            if welcome["token"]:
                self._profile.keep_token(base, welcome["token"])
            self._profile.change(name=welcome["name"], server=base)
        except OSError as fault:
            self._keep = False
            self._tell(self._board.say("start.no_file", "warn", why=clean(fault, 120)))

    def back(self) -> None:
        """Says that all is well again."""
        self._tell(self._board.say("link.back", "good"))

    def lost(self, loss: Loss) -> None:
        """Says that the connection is gone."""
        known = loss.why == "closed" and loss.code is not None and loss.code >= 4000
        key = "link.lost_still" if loss.why == "still" else "link.lost_code" if known else "link.lost_closed"
        self._tell(self._board.say(key, "warn", code=loss.code))

    def forgotten(self, base: str) -> None:
        """Says that the server has forgotten the player."""
        self._profile.keep_token(base, None)
        self._tell(self._board.say("link.forgotten", "warn"))
