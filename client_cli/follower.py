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
    OLD = "old"
    """It was overtaken by a newer one: nothing to be done."""


class Follower:
    """The newest view of one table and the one before it."""

    def __init__(self) -> None:
        self.view: View | None = None
        self.before: View | None = None
        self.changed_while_away = False
        self.went_back = False
        self.arriving = False
        """Whether the newest view is the first one of a connection."""
        self._expect_fresh = True

    def came_back(self) -> None:
        """After a lost connection the server starts anew with a complete view."""
        self._expect_fresh = True

    def take(self, message: Message) -> Step:
        """Takes the newest view and says how it joins the one before; an old one is not taken."""
        last = self.view.version if self.view else None
        if message["resync"] or last is None or self._expect_fresh:
            step = Step.FRESH
        elif message["from"] == last:
            step = Step.NEXT
        elif message["version"] <= last:
            return Step.OLD
        else:
            step = Step.GAP
        self.before, self.view = self.view, View(message)
        self.arriving = self._expect_fresh
        away = self._expect_fresh and last is not None
        self.changed_while_away = away and last != message["version"]
        self.went_back = last is not None and away and last > message["version"]
        self._expect_fresh = False
        return step
