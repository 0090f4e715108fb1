"""A loop whose time goes only when it is told to, a watch for what went wrong in it, a pool that thinks at once."""

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any
from unittest.mock import patch

from server.bots import thinking
from server.runtime.thinking import Failed, ThinkingPool
from server.table.strength import Strength


class HandLoop(asyncio.SelectorEventLoop):
    """Timers strike when `pass_time` has passed them; it never waits for real, as long as something is ready."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 1000.0
        self.faults: list[str] = []
        self.set_exception_handler(lambda _, context: self.faults.append(repr(context)))

    def time(self) -> float:
        """Seconds since some moment."""
        return self.at


async def turns(number: int) -> None:
    """Lets everything that is ready run, so many times."""
    for _ in range(number):
        await asyncio.sleep(0)


class Faults(logging.Handler):
    """Keeps whatever the server logs as an error: nothing that comes from outside may be one."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        self._formatter = logging.Formatter("%(name)s: %(message)s")

    def emit(self, record: logging.LogRecord) -> None:
        """Keeps it, with its traceback."""
        self.found.append(self._formatter.format(record))

    def __str__(self) -> str:
        """All of it."""
        return "\n".join(self.found)

    def __enter__(self) -> "Faults":
        logging.getLogger().addHandler(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        logging.getLogger().removeHandler(self)


class QuickPool(ThinkingPool):
    """Bots play by their easy rules, at once and in this process; what takes a solver gets some answer in a second."""

    def __init__(self) -> None:
        """No processes."""

    async def think(self, job: Callable[..., Any], *args: Any, who: str, seconds: float) -> Any:
        """The thought."""
        if job is thinking.thought:
            game, seen, _, seed = args
            return thinking.thought(game, seen, Strength.EASY, seed)
        await asyncio.sleep(1.0)
        if job is thinking.solved:
            return {"verdict": "undecided", "positions": 17, "finished": args[1] > 1.0}
        if job is thinking.winnable:
            return args[1][0]
        if job is thinking.line_hinted:
            return None
        raise Failed("nobody explains here")

    async def close(self) -> None:
        """Nothing to end."""


@contextmanager
def chance(seed: int) -> Iterator[None]:
    """What the operating system gives as random bytes is made of the seed: a script does the same each time."""
    rng = random.Random(seed)
    with patch("os.urandom", rng.randbytes), patch("random._urandom", rng.randbytes):
        yield
