"""Bots in a tournament: each enters it, plays at every table that it is led to, and ends with the tournament."""

import asyncio
import secrets
from contextlib import suppress
from random import Random

from client_cli.address import Server
from client_cli.bot import FAREWELL, Bot, Habits, Told, Way
from client_cli.follower import Follower
from client_cli.presence import Pace
from client_cli.view import Message, unusable

CONTRIBUTION = 32
"""Bytes that an entrant adds to the draws."""


class TournamentBot(Bot):
    """One entrant. `run` plays until the tournament is over, or the bot is out of it."""

    def __init__(
        self,
        server: Server,
        tournament: str,
        name: str,
        rng: Random,
        habits: Habits | None = None,
        *,
        told: Told | None = None,
        pace: Pace | None = None,
    ) -> None:
        """`told` hears, besides what every bot tells, `entered`, `at_table`, `over` and `out`."""
        super().__init__(server, Way(), name, rng, habits, told=told, pace=pace)
        self._tournament = tournament
        self._entered = False
        self._seat_is_at: str | None = None
        self._seen: set[str] = set()

    async def _sit_down(self) -> bool:
        """Enters; its tables come by themselves."""
        mine = secrets.token_hex(CONTRIBUTION)
        answer = await self._patiently("tournament_register", tournament=self._tournament, contribution=mine)
        if answer["type"] == "error":
            self._told(self, "refused", answer)
        return self._entered

    async def _say_goodbye(self) -> None:
        """Withdraws, so that the next round is drawn without it."""
        if self._entered and self._connection.up and not self._gone:
            with suppress(TimeoutError):
                async with asyncio.timeout(FAREWELL):
                    await self._connection.post("tournament_withdraw", tournament=self._tournament).answer

    # ---- what is heard

    def welcomed(self, welcome: Message) -> None:
        """Goes on where it was; a table that was closed meanwhile is no reason to go."""
        if all(one["table"] != self._table for one in welcome["tables"]):
            self._sit_at(None)
        super().welcomed(welcome)

    def heard(self, message: Message) -> None:
        """Follows the tournament, and takes the newest view of the table where it sits."""
        kind = message["type"]
        if kind == "tournament" and message["tournament"] == self._tournament:
            self._follow(message["public"], message["own"], message)
        elif kind == "tournament_reply" and not self._entered:  # before what comes right behind it
            self._entered = True
            self._told(self, "entered", message)
        elif kind == "table" and self._leads_on(message):
            self._sit_at(message["table"])
            super().heard(message)
            self._told(self, "at_table", message)
        elif self._table is not None and (kind, message.get("table")) == ("closed", self._table):
            self._sit_at(None)
        elif self._table is not None and kind == "error" and unusable(message) == self._table:
            self._told(self, "refused", message)
            self._sit_at(None)
        elif kind != "table" or message["table"] == self._table:
            super().heard(message)

    def forgotten(self) -> None:
        """A new player is made by itself; it has not entered."""
        self._gone = self._entered
        self._changed.set()

    def _follow(self, public: Message, own: Message | None, message: Message) -> None:
        self._seat_is_at = own["table"] if own else None
        if not self._entered or self._gone:
            return
        over = public["stage"] == "over"
        if over or own is None or own["status"] == "out":
            self._gone = True
            self._told(self, "over" if over else "out", message)
            self._changed.set()

    def _leads_on(self, message: Message) -> bool:
        """Whether this is the table of the next round, or one where the bot has its seat again."""
        where, table = message["public"]["tournament"], message["table"]
        if where is None or where["tournament"] != self._tournament or table == self._table:
            return False
        return table not in self._seen or table == self._seat_is_at

    def _sit_at(self, table: str | None) -> None:
        self._table, self._acked, self._done = table, 0, None
        self._follower = Follower()
        if table is not None:
            self._seen.add(table)
