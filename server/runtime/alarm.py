"""The clock of one table in this process: it strikes when the deadline of the question that stands has passed."""

import asyncio
from collections.abc import Callable

from server.games.game import Millis
from server.table.state import Table

GRACE_MILLIS = 5_000
"""After a start or an outage no clock strikes sooner: people are still on their way back."""
BEHIND_SECONDS = 1.5
"""How much later each further process at the table strikes: only if those before it have not."""
LATE_SECONDS = 0.5
"""An alarm that goes off so late says that its process stood still."""
AGAIN_SECONDS = 0.25
"""How soon an alarm that struck in vain, since the store was away or it was early by a hair, is set again."""


class Alarm:
    """One timer, for the deadline that stands; deadlines are data, so any process may set it."""

    def __init__(
        self,
        now: Callable[[], Millis],
        strike: Callable[[str], None],
        overslept: Callable[[Millis], None],
        place: Callable[[], int],
    ) -> None:
        """`strike` is told of which question the time is over, or `overslept` when that was.

        `place` is this process's among those at the table, from 0.
        """
        self._now = now
        self._strike = strike
        self._overslept = overslept
        self._place = place
        self._timer: asyncio.TimerHandle | None = None
        self._question: tuple[str, Millis] | None = None
        self._meant_for = 0.0
        self._not_before = Millis(0)

    @property
    def armed(self) -> bool:
        """Whether it will strike."""
        return self._timer is not None

    def grace(self) -> None:
        """The table was just loaded, or the store was away: the alarm that is set next gives people time."""
        self._not_before = Millis(self._now() + GRACE_MILLIS)

    def arm(self, table: Table | None) -> None:
        """Sets the alarm to the deadline of the question that stands, if it is another than before."""
        due = None if table is None else table.deadline
        question = None if due is None or table is None else (table.prompt, due)
        if question != self._question:
            self.disarm()
            if question is not None:
                self._set(*question, 0.0)

    def arm_again(self, table: Table) -> None:
        """Sets it once more, after it struck in vain."""
        self.disarm()
        if table.deadline is not None:
            self._set(table.prompt, table.deadline, AGAIN_SECONDS)

    def disarm(self) -> None:
        """It will not strike."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._question = None, None

    def _set(self, prompt: str, due: Millis, least: float) -> None:
        self._question = prompt, due
        delay = max(least, (max(due, self._not_before) - self._now()) / 1000) + self._place() * BEHIND_SECONDS
        loop = asyncio.get_running_loop()
        self._meant_for = loop.time() + delay
        self._timer = loop.call_at(self._meant_for, self._due, prompt)

    def _due(self, prompt: str) -> None:
        self.disarm()
        late = asyncio.get_running_loop().time() - self._meant_for
        if late > LATE_SECONDS:
            self._overslept(Millis(self._now() - int(1000 * late)))
        else:
            self._strike(prompt)
