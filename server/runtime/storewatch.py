"""Whether the store answers: who finds it away says so here, and all are told when it is back."""

import asyncio
import logging
from collections.abc import Callable

from server.runtime.tasks import Tasks
from server.store.port import Store, StoreAway

log = logging.getLogger(__name__)
RETRY_SECONDS = 0.2


class StoreWatch:
    """The store's presence as this process sees it."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._back = asyncio.Event()
        self._back.set()
        self.lost_at = self._store.now()
        """When it was lost last."""
        self.changed: list[Callable[[bool], None]] = []
        """Called with True when the store is lost and False when it is back."""

    @property
    def away(self) -> bool:
        """Whether the store was lost and is not back yet."""
        return not self._back.is_set()

    def lost(self) -> None:
        """Somebody met StoreAway: pause, and look for it until it answers."""
        if self.away:
            return
        self._back.clear()
        self.lost_at = self._store.now()
        log.warning("the store is away; tables pause")
        self._tell(away=True)
        self._tasks.start(self._look())

    async def back(self) -> None:
        """Waits until the store answers."""
        await self._back.wait()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(RETRY_SECONDS)
            try:
                health = await self._store.health()
            except StoreAway:
                continue
            if not health.away:
                break
        self._back.set()
        log.warning("the store is back; tables go on")
        self._tell(away=False)

    def _tell(self, *, away: bool) -> None:
        for tell in self.changed:
            tell(away)
