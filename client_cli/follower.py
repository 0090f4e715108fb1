"""Follows the versions of a table, so that nothing is missed and nothing is told twice."""

from enum import StrEnum

from client_cli.view import Message, View


class Step(StrEnum):
    """What a `table` message is, seen from the one before."""

    FRESH = "fresh"
    """The first one, or the first one after coming back: its view says all."""
    NEXT = "next"
    """It joins the one before: its happenings tell the story."""
    GAP = "gap"
    """Something is missing between: ask for the current view."""


class Follower:
    """The newest view of one table and the one before it."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.before: View | None = None
        self.changed_while_away = False
        self._expect_fresh = True

    def came_back(self) -> None:
        """After a lost connection the server starts anew with a complete view."""
        self._expect_fresh = True

    def take(self, message: Message) -> Step:
        """Takes the newest view, whatever it is, and says how it joins the one before."""
        last = self.view.version if self.view else None
        self.before, self.view = self.view, View(message)
        if last is not None and message["from"] == last and not message["resync"]:
            step = Step.NEXT
        elif self._expect_fresh or message["resync"]:
            step = Step.FRESH
        else:
            step = Step.GAP
        self.changed_while_away = step is Step.FRESH and last is not None and last != message["version"]
        self._expect_fresh = step is Step.GAP
        return step
