"""The tables that a player is at, with the newest view of each, and waiting for a view that is new enough."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from client_cli.follower import Follower
from client_cli.view import View

_FIRST_VIEW: Final = 10.0


class Tables:
    """Followers by table, in the order in which the player came to them. `changed` is set when anything came in."""

    def __init__(self) -> None:
        self.followers: dict[str, Follower] = {}
        self.changed = asyncio.Event()
        self._acked: dict[str, int] = {}

    def at(self, table: str) -> Follower:
        """The follower of a table, a new one where there is none."""
        return self.followers.setdefault(table, Follower())

    def view(self, table: str | None) -> View | None:
        """The newest view of a table."""
        follower = self.followers.get(table or "")
        return follower.view if follower else None

    def over(self, table: str | None) -> bool:
        """Whether the newest view of a table shows the end of its match."""
        view = self.view(table)
        return view is not None and view.stage == "over"

    def version(self, table: str) -> int:
        """The version of the newest view; -1 without one."""
        view = self.view(table)
        return -1 if view is None else view.version

    def acknowledged(self, table: str, version: int) -> None:
        """A command of the player's has made this version."""
        self._acked[table] = max(version, self._acked.get(table, 0))

    def anew(self, table: str) -> None:
        """A complete view counts, though it be older than what was told: the server's store may have lost something."""
        self._acked.pop(table, None)

    def behind(self, table: str) -> bool:
        """Whether the newest view does not show yet what the player's own commands made."""
        return self.version(table) < self._acked.get(table, 0)

    async def reached(self, table: str, version: int, limit: float) -> None:
        """Waits until a table's view is at least this new, or is gone, or the time is over."""
        await self._wait(lambda: table not in self.followers or self.version(table) >= version, limit)

    async def arrived(self, table: str, version: int) -> None:
        """Waits for the first view of a table, which may still be on its way."""
        self.at(table)
        await self.reached(table, version, _FIRST_VIEW)

    async def _wait(self, fact: Callable[[], bool], limit: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(limit):
                while not fact():
                    self.changed.clear()
                    await self.changed.wait()
