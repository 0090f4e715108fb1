"""Decides when the player is told what is asked of him, so that nothing is asked twice, and what is done for him."""

from collections.abc import Callable

from client_cli.automatic import Automatic
from client_cli.board import Board
from client_cli.patience.layout import is_patience
from client_cli.presence import Asked
from client_cli.style import Line
from client_cli.view import Need, View, need_of


class Prompter:
    """Call `go_on` whenever something new has come; `drawn` when the table was shown just before."""

    def __init__(
        self, board: Board, automatic: Automatic, act: Callable[[str], Asked | None], tell: Callable[[list[Line]], None]
    ) -> None:
        self._board = board
        self._automatic = automatic
        self._act = act
        self._tell = tell
        self._announced: object = None
        self._called: object = None
        self._drawn = False
        self._automated: object = None

    def drawn(self) -> None:
        """The table was shown; the question that follows does not show it once more."""
        self._drawn = True

    def ask_again(self) -> None:
        """What was asked is asked anew."""
        self._announced = None

    def anew(self) -> None:
        """A complete view came, which may be older than what was done: it is asked, and done, anew."""
        self._announced = self._automated = None

    def go_on(self, view: View | None, now: int, *, free: bool, behind: bool) -> None:
        """Does what is automatic, else says what is asked of the player.

        `now`: the server's time in ms; `free`: no action of his is without its answer; `behind`: the view does not
        show the last one yet.
        """
        drawn, self._drawn = self._drawn, False
        if view is None or behind:
            return
        if is_patience(view):
            self._ask_anew(view, now, (view.table, view.prompt, view.stage, view.seat), drawn=drawn)
            return
        if action := self._automatic.action(view):
            wish = (view.table, view.version, view.prompt, action)
            if wish != self._automated and free:
                self._automated = wish
                self._act(action)
            return
        need, dealt = need_of(view), any(happening["event"] == "dealt" for happening in view.message["happened"])
        calls = (view.table, view.play and view.play["deal"], self._board.calls(view))
        question = calls if need is Need.CALL else (view.table, need, tuple(view.actions), view.prompt)
        if question not in (self._announced, self._called):
            self._announced, self._called = question, calls
            self._tell(self._board.invite(view, now, with_hand=dealt, drawn=drawn))

    def _ask_anew(self, view: View, now: int, question: object, *, drawn: bool) -> None:
        """At a patience every move makes a new question."""
        if question != self._announced:
            self._announced = question
            self._tell(self._board.invite(view, now, with_hand=False, drawn=drawn))
