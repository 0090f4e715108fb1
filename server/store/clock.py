"""The store's clock: its time, measured now and then, carried on by this process's monotonic clock."""

import time
from collections.abc import Callable

from server.store.port import Millis

_SLOW_MS = 500.0
"""A measurement that took longer says too little, unless it is the first."""


class StoreClock:
    """The store's time without asking it; never goes back.

    Call `measured` once before `now`, and then whenever the store has told its time.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._offset: float | None = None
        self._measured = 0.0
        self._latest = Millis(0)

    def read(self) -> float:
        """This process's monotonic clock, in ms; note it before and after asking the store."""
        return self._monotonic() * 1000

    def measured(self, sent: float, store: float, received: float) -> None:
        """Takes the store's time (ms since 1970), asked at `sent` and answered at `received`.

        A store that is ahead is followed at once. For one that is behind the clock runs at half its
        speed until it has caught up, so that it stands still for no longer than a heartbeat.
        """
        if self._offset is not None and received - sent > _SLOW_MS:
            return
        offset = store - (sent + received) / 2
        if self._offset is not None:
            offset = max(offset, self._offset - (received - self._measured) / 2)
        self._offset = offset
        self._measured = received

    def now(self) -> Millis:
        """The store's time in ms since 1970."""
        if self._offset is None:
            raise RuntimeError("the store's clock was not measured yet")
        self._latest = max(self._latest, Millis(int(self.read() + self._offset)))
        return self._latest
