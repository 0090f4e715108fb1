"""The server's bots at one table: they think in the pool, wait a moderate while, and act as any player does.

A bot is given what its seat has seen and nothing else. How long it waits is drawn before it thinks,
from chance alone. When no thought comes in time it does the quiet thing. A bot's action carries the
prompt that it answers, so it never answers another question.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from functools import partial
from random import Random, SystemRandom
from typing import Final

from server.bots.thinking import thought
from server.games.game import Seat, Stage
from server.runtime.alarm import BEHIND_SECONDS
from server.runtime.tasks import Tasks
from server.runtime.thinking import NotThought, ThinkingPool
from server.table.commands import BotActs
from server.table.events import Sitter
from server.table.ids import TableId
from server.table.rules import READY, REMATCH
from server.table.state import Table
from server.table.strength import Strength

log = logging.getLogger(__name__)

THINKING_SECONDS: Final = 5.0
MOST_ATTEMPTS: Final = 3

Question = tuple[str, Seat]

_CHANCE: Final = SystemRandom()
"""One for all tables: a generator of its own for each would be most of what an idle table takes here."""


class Bots:
    """The bots of one table; `submit` gives an action to the table and calls back when it is answered."""

    def __init__(
        self,
        table_id: TableId,
        pool: ThinkingPool,
        seconds: float,
        tasks: Tasks,
        submit: Callable[[BotActs, Callable[[bool], None]], None],
        place: Callable[[], int],
    ) -> None:
        """`seconds`: how long a bot waits on average before it acts. `submit` tells whether it was decided.

        `place` is this process's among those at the table, from 0: only the first lets the bots think at once.
        """
        self._id = table_id
        self._pool = pool
        self._seconds = seconds
        self._tasks = tasks
        self._submit = submit
        self._place = place
        self.behind = False
        """Whether the table has moved on since `changed`, which will come: what was asked may be answered."""
        self._rng: Random = _CHANCE
        self._playing: dict[Question, asyncio.Task[None]] = {}
        self._attempts: dict[Question, int] = {}
        self._table: Table | None = None
        self._seats: tuple[Sitter | None, ...] = ()
        self._seated = False

    def changed(self, table: Table) -> None:
        """The table has a new state: who is asked now begins to think, and who is not any more stops."""
        self._table, self.behind = table, False
        if not (self._playing or self._attempts or table.absences or self._some_sit(table)):
            return
        asked = {(table.prompt, seat) for seat in bots_awaited(table)}
        for question in [one for one in self._playing if one not in asked]:
            self._playing.pop(question).cancel()
        self._attempts = {one: number for one, number in self._attempts.items() if one in asked}
        for question in sorted(asked - self._playing.keys()):
            self._ask(table, question)

    def _some_sit(self, table: Table) -> bool:
        """Whether a bot has a seat; they are looked at again only where the seats are others than before."""
        if self._seats is not table.seats:
            self._seats = table.seats
            self._seated = any(sitter is not None and sitter.bot is not None for sitter in table.seats)
        return self._seated

    def close(self) -> None:
        """Stops all thinking, for good."""
        self._table = None
        for task in self._playing.values():
            task.cancel()
        self._playing.clear()

    def _ask(self, table: Table, question: Question) -> None:
        attempt = self._attempts.get(question, 0)
        if attempt == MOST_ATTEMPTS:
            return
        self._attempts[question] = attempt + 1
        if attempt + 1 == MOST_ATTEMPTS:
            words, fields = "a bot at seat %d of table %s is refused at version %d", self._fields(table)
            log.error(words, question[1], self._id, table.version, extra=fields)
        self._playing[question] = self._tasks.start(self._play(table, question, quietly=attempt > 0))

    async def _play(self, table: Table, question: Question, *, quietly: bool) -> None:
        prompt, seat = question
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._place() * BEHIND_SECONDS)
        due = loop.time() + self._seconds * self._rng.uniform(0.6, 1.4)
        action = await self._action(table, seat, quietly=quietly)
        await asyncio.sleep(due - loop.time())
        if action is not None:
            self._submit(BotActs(seat, prompt, action), partial(self._answered, question))

    async def _action(self, table: Table, seat: Seat, *, quietly: bool) -> str | None:
        if table.stage is not Stage.DEAL:
            return READY if table.stage is Stage.BETWEEN else REMATCH
        quiet = table.game.quiet(table.play, seat)
        if quietly:
            return quiet
        sitter = table.seats[seat]
        strength = Strength.HARD if sitter is None or sitter.bot is None else sitter.bot
        seen, seed = table.game.seen(table.play, seat), self._rng.getrandbits(64)
        who = f"{self._id}/{seat}"
        try:
            return await self._pool.think(
                thought, table.game_name, seen, strength, seed, who=who, seconds=THINKING_SECONDS
            )
        except NotThought as fault:
            log.warning("a bot at table %s plays without thinking: %s", self._id, fault, extra=self._fields(table))
            return quiet

    def _fields(self, table: Table) -> dict[str, object]:
        return {"table": self._id, "version": table.version}

    def _answered(self, question: Question, decided: bool) -> None:
        """The table's new state comes right after the answer."""
        asyncio.get_running_loop().call_soon(self._settle, question, decided)

    def _settle(self, question: Question, decided: bool) -> None:
        """If the question still stands, for a reason that the bot did not see, it is asked again.

        What could not be decided waits for `changed`, which comes when the store is back.
        """
        if self._playing.get(question) is not None and self._playing[question].done():
            del self._playing[question]
        if not decided:
            self._attempts.pop(question, None)
        elif self._table is not None and not self.behind:
            self.changed(self._table)


def bots_awaited(table: Table) -> Iterator[Seat]:
    """The bots' seats for which the table waits; after a match they follow the first person who wants another."""
    if table.pause is not None:
        return
    if table.stage is Stage.OVER:
        wanted = any(word is not None for word in table.ready)
        yield from (
            Seat(seat) for seat, word in enumerate(table.ready) if wanted and word is None and _bot(table, seat)
        )
        return
    yield from (seat for seat in table.awaited if table.played_by_bot(seat))


def _bot(table: Table, seat: int) -> bool:
    sitter = table.seats[seat]
    return sitter is not None and sitter.bot is not None
