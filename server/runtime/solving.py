"""Questions of players that are worked out in the thinking pool: one at a time for each, and nobody else waits.

A question that takes long is asked in slices, so that the pool is not held and the player hears how it goes.
"""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from server.bots import thinking
from server.games.game import Plain, RuleViolation
from server.runtime.thinking import Busy, NotThought, ThinkingPool
from server.table.ids import PlayerId

SLICES: Final = (1.0, 4.0, 10.0)
"""How long the solver works on a verdict before it begins anew with more time, in seconds."""
HINT_SECONDS: Final = 5.0
SEEDS: Final = 30
SEED_SECONDS: Final = 1.0
"""How many deals are looked at for one that can be won, and how long each."""
WARMING_SECONDS: Final = 60.0
"""What a fresh process may need beside, to compile a solver."""


class Solving:
    """The questions of all players to the pool."""

    def __init__(self, pool: ThinkingPool) -> None:
        self._pool = pool
        self._asking: set[PlayerId] = set()

    @contextlib.contextmanager
    def question(self, player: PlayerId) -> Iterator[None]:
        """Everything in the block is one question of this player.

        Raises:
            RuleViolation: `already_thinking`: he has asked another; or `thinking_failed` for what the pool raises.
        """
        if player in self._asking:
            raise RuleViolation("already_thinking")
        self._asking.add(player)
        try:
            yield
        except Busy:
            raise RuleViolation("already_thinking") from None
        except NotThought:
            raise RuleViolation("thinking_failed") from None
        finally:
            self._asking.discard(player)

    async def verdict(self, player: PlayerId, puzzle: Any, undecided: Callable[[Plain], None]) -> Plain:
        """`verdict`, `positions` and `millis` on a deal; `undecided` is told after each slice before the last.

        Raises:
            RuleViolation: `already_thinking`, or `thinking_failed`
        """
        began = time.monotonic()
        with self.question(player):
            for number, seconds in enumerate(SLICES, 1):
                found = await self._pool.think(
                    thinking.solved, puzzle, seconds, time.monotonic, who=player, seconds=seconds + WARMING_SECONDS
                )
                last = found.pop("finished") or found["verdict"] != "undecided" or number == len(SLICES)
                found["millis"] = int(1000 * (time.monotonic() - began))
                if last:
                    return found
                undecided({name: found[name] for name in ("positions", "millis")})
        raise AssertionError

    async def line_hint(self, player: PlayerId, puzzle: Any) -> Plain | None:
        """The next move of a line that wins, as a hint; None if no line is found.

        Raises:
            RuleViolation: `already_thinking`, or `thinking_failed`
        """
        with self.question(player):
            return await self._pool.think(
                thinking.line_hinted,
                puzzle,
                HINT_SECONDS,
                time.monotonic,
                who=player,
                seconds=HINT_SECONDS + WARMING_SECONDS,
            )

    async def winnable(self, player: PlayerId, rules: Any) -> bytes:
        """Thirty-two fresh bytes that make a deal which can be won.

        Raises:
            RuleViolation: `already_thinking`, or `thinking_failed`
        """
        seeds = tuple(os.urandom(32) for _ in range(SEEDS))
        with self.question(player):
            found = await self._pool.think(
                thinking.winnable,
                rules,
                seeds,
                SEED_SECONDS,
                time.monotonic,
                who=player,
                seconds=SEEDS * SEED_SECONDS + WARMING_SECONDS,
            )
        if found is None:
            raise RuleViolation("thinking_failed")
        return found
