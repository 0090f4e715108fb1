"""Does the store answer now? Asked once a second, also when nobody plays, and known without waiting."""

import asyncio
from collections.abc import Callable
from typing import Final

from server.store.port import Store, StoreAway

EVERY: Final = 1.0
"""Seconds between two questions."""
PATIENCE: Final = 3.0
"""Seconds after which a store that does not answer counts as away, though no command has failed yet."""


class Pulse:
    """The store's last answer. `run` until the server ends."""

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        """`now`: seconds of a clock that does not go back."""
        self.warnings: tuple[str, ...] = ()
        """What the store could lose, in words for the operator."""
        self._store = store
        self._now = now
        self._answered_at = now()
        self._away = False

    @property
    def away(self) -> bool:
        """Whether the store is lost, or has not answered for a while."""
        return self._away or self._now() - self._answered_at >= PATIENCE

    async def ask(self) -> None:
        """Asks once."""
        try:
            health = await self._store.health()
        except StoreAway:
            self._away = True
            return
        self._away = health.away
        if not health.away:
            self._answered_at = self._now()
            self.warnings = health.warnings

    async def run(self) -> None:
        """Asks until cancelled."""
        while True:
            await self.ask()
            await asyncio.sleep(EVERY)
