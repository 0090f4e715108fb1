"""The tournaments of a house: those at work in this process, and the doors to all. None belongs to a process.

One that goes on by itself stays at work in every process that has come to it, whether anybody follows it or not.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from server.games.game import Millis, OptionValue, Plain, RuleViolation
from server.runtime import tournament_pages
from server.runtime.answers import Answer
from server.runtime.guests import Guest
from server.runtime.loading import unreadable
from server.runtime.peers import AtWork
from server.runtime.tasks import Tasks
from server.runtime.tournament_actor import TournamentActor
from server.runtime.tournament_loading import load
from server.runtime.tournament_runner import Runner, Tables
from server.store.port import PlayerId, StoreAway
from server.table.ids import TableId
from server.table.lines import Unreadable
from server.table.memory import CommandId
from server.table.state import Table
from server.tournament.commands import Announce
from server.tournament.opening import PREFIX
from server.tournament.state import Director, Stage, Tournament, TournamentId

log = logging.getLogger(__name__)

LISTED: Final = 50
LISTED_MILLIS: Final = 24 * 3_600_000
"""How long a tournament that is over stays in the list."""
MISSING_MILLIS: Final = 60_000
"""An index is written before what it points to: so long one that points nowhere may be about to."""
MOST_UNUSED: Final = 100
"""Tournaments that are kept in memory though nobody needs them: for the list, which is asked for often."""


def of_tournament(table: TableId) -> bool:
    """Whether what is called a table, where processes note what they work on, is a tournament."""
    return table.startswith(PREFIX)


class Tournaments:
    """All tournaments that this process works on, loaded when somebody comes and let go when nothing is left to do."""

    def __init__(self, tables: Tables, tasks: Tasks) -> None:
        self._tables = tables
        self._tasks = tasks
        self._actors: dict[TournamentId, TournamentActor] = {}
        self._held: dict[TournamentId, int] = {}
        self._runners: dict[TournamentId, Runner] = {}
        self._missing: dict[TournamentId, Millis] = {}
        self._stands_still = False
        tables.table_moved = self._table_moved
        tables.round_open = self.round_open

    async def open(
        self,
        guest: Guest,
        command_id: CommandId,
        name: str,
        options: Mapping[str, OptionValue],
        admit: Callable[[], None],
    ) -> tuple[TournamentActor, Answer]:
        """Opens a tournament, as its director; `hold` the actor as long as it is needed.

        Its id follows from the player's secret and the command's id: the same command leads to the same tournament
        however often it comes. Only for a new one is `admit` asked.

        Raises:
            StoreAway, RuleViolation: what `admit` raises, or why it cannot be used
        """
        tournament = TournamentId(PREFIX + guest.opens("tournament", command_id).lower())
        actor = await self._actor(tournament, or_new=True)
        command = Announce(Director(guest.player.id, guest.player.name), tournament, name, options)
        if actor.state is None:
            try:
                admit()
            except RuleViolation:
                self._let_go(actor)
                raise
        self.hold(actor)
        try:
            return actor, await actor.submit(command, command_id)
        finally:
            self.release(actor)

    async def actor(self, tournament: TournamentId) -> TournamentActor:
        """The tournament's actor, at its newest state; `hold` it as long as it is needed.

        Raises:
            RuleViolation: `no_such_tournament`, or why it cannot be used
            StoreAway
        """
        return await self._actor(tournament, or_new=False)

    def hold(self, actor: TournamentActor) -> None:
        """Somebody follows it: its actor stays, and the other processes there are told what it does."""
        self._actors.setdefault(actor.id, actor)
        self._tables.peers.enter(cast(AtWork, actor))
        self._held[actor.id] = self._held.get(actor.id, 0) + 1
        self._moved(actor)

    def release(self, actor: TournamentActor) -> None:
        """Somebody follows it no longer."""
        held = self._held.get(actor.id, 0) - 1
        if held > 0:
            self._held[actor.id] = held
        else:
            self._held.pop(actor.id, None)
            self._let_go(actor)

    async def listed(self) -> Sequence[Tournament]:
        """The listed tournaments, newest first; those that are gone, or were over a day ago, leave the list.

        Raises:
            StoreAway
        """
        found: list[Tournament] = []
        for key in await self._tables.stored(self._tables.store.listed_tournaments(LISTED)):
            try:
                state = (await self.actor(TournamentId(key))).state
            except RuleViolation as refused:
                if refused.code == "no_such_tournament" and self._is_gone(TournamentId(key)):
                    await self._tables.stored(self._tables.store.unlist_tournament(key))
                continue
            if state is None or not state.terms.listed or self._long_over(state):
                await self._tables.stored(self._tables.store.unlist_tournament(key))
            else:
                found.append(state)
        self.forget_unused()
        return found

    def _long_over(self, state: Tournament) -> bool:
        return state.stage is Stage.OVER and self._tables.store.now() >= state.since + LISTED_MILLIS

    async def of_player(self, player: PlayerId) -> Sequence[TournamentId]:
        """The tournaments that a player is noted to have entered or to direct, latest first; each is to be checked.

        Raises:
            StoreAway
        """
        noted = await self._tables.stored(self._tables.store.entries(player))
        return [TournamentId(one) for one in noted]

    async def stands(self, actor: TournamentActor) -> list[Plain]:
        """How the tables of the running round stand, for the director: who blocks, who is absent.

        Raises:
            StoreAway
        """
        state = actor.state
        if state is None or state.round is None or state.stage is not Stage.ROUND:
            return []
        places = [place for place in state.round.tables if not place.paper]
        looks = await asyncio.gather(*(self._look(place.id) for place in places))
        return [tournament_pages.stand(state, place, look) for place, look in zip(places, looks, strict=True)]

    async def round_open(self, tournament: str, number: int) -> bool:
        """Whether anybody may read the deals of a round whose tables all play the same cards: once it is over.

        Raises:
            StoreAway
        """
        try:
            state = (await self.actor(TournamentId(tournament))).state
        except RuleViolation:
            return False
        known = state is not None and 1 <= number <= len(state.rounds)
        return known and state is not None and (state.stage is Stage.OVER or state.rounds[number - 1].ended is not None)

    async def _look(self, table: TableId) -> Table | None:
        """How a table stands; None if it is not open, or cannot be used."""
        try:
            return self._tables.at(table) or await self._tables.look(table)
        except RuleViolation:
            return None

    # Actors

    async def _actor(self, tournament: TournamentId, *, or_new: bool) -> TournamentActor:
        """The tournament's actor at the end of its log; two who ask at once get the same."""
        if self._tables.watch.away:
            raise StoreAway
        if not of_tournament(TableId(tournament)):
            raise RuleViolation("no_such_tournament")
        actor = self._actors.get(tournament)
        if actor is not None and not (actor.id in self._held and self._tables.peers.alone(TableId(tournament))):
            await self._tables.stored(actor.check())
            actor = self._actors.get(tournament)  # it may have been let go meanwhile
        if actor is None:
            actor = await self._loaded(tournament)
        if actor.stopped is not None:
            self._let_go(actor)
            raise RuleViolation(actor.stopped)
        if actor.state is None and not or_new:
            self._let_go(actor)
            raise RuleViolation("no_such_tournament")
        return actor

    async def _loaded(self, tournament: TournamentId) -> TournamentActor:
        tables = self._tables
        try:
            loaded = await tables.stored(load(tournament, tables.store))
        except Unreadable as fault:
            raise RuleViolation(unreadable(tournament, fault)) from None
        actor = self._actors.get(tournament)
        if actor is None:
            actor = TournamentActor(tournament, loaded, tables.store, tables.watch, self._tasks, tables.peers)
            self._keep(actor)
        return actor

    def _keep(self, actor: TournamentActor) -> None:
        def idle() -> None:
            self._let_go(actor)

        def moved() -> None:
            self._moved(actor)

        def left_behind() -> None:
            self._run(actor)

        actor.idle, actor.moved, actor.left_behind = idle, moved, left_behind
        self._actors[actor.id] = actor

    def _let_go(self, actor: TournamentActor) -> None:
        """It is at work here no longer, if nothing is left to do; its state is kept for a while."""
        if actor.id in self._held or actor.busy or self._actors.get(actor.id) is not actor:
            return
        self._tables.peers.leave(TableId(actor.id))
        if (actor.state is None or actor.stopped is not None) and actor.stopped != "table_frozen":
            del self._actors[actor.id]

    async def check_all(self) -> None:
        """Compares every tournament that is at work here with the store, and forgets those that nobody needs."""
        for actor in [self._actors[one] for one in self._held]:
            try:
                await self._tables.stored(actor.check())
            except StoreAway:
                return
        self.forget_unused()

    def forget_unused(self) -> None:
        """Of those that nobody needs, which are here for the list, the newest are kept in memory."""
        unused = [one for one in self._actors.values() if one.id not in self._held and not one.busy]
        for actor in unused[:-MOST_UNUSED]:
            if actor.stopped is None:
                del self._actors[actor.id]

    def _is_gone(self, tournament: TournamentId) -> bool:
        """Whether a tournament that was not found has been missing for a minute."""
        now = self._tables.store.now()
        since = self._missing.setdefault(tournament, now)
        while len(self._missing) > 10 * LISTED:
            del self._missing[next(iter(self._missing))]
        return now - since >= MISSING_MILLIS

    # Those that go on by themselves

    async def adopt(self, tournament: TableId) -> None:
        """Puts a tournament to work whose process is dead: it goes on, though nobody follows it.

        Raises:
            StoreAway
        """
        try:
            actor = await self._actor(TournamentId(tournament), or_new=False)
        except RuleViolation:
            return  # it is gone, or cannot be read, as the operator was told
        self._run(actor)

    def stand_still(self) -> None:
        """The process is about to end: what is due is left to others, or to a later start."""
        self._stands_still = True
        for runner in self._runners.values():
            runner.close()
        for actor in self._actors.values():
            actor.awake = False

    def store_back(self) -> None:
        """The store was away: it may have come back older."""
        for actor in self._actors.values():
            if actor.id in self._held:
                actor.catch_up(0)

    def _table_moved(self, table: Table) -> None:
        runner = None if table.tournament is None else self._runners.get(TournamentId(table.tournament.tournament))
        if runner is not None:
            runner.table_moved(table)

    def _moved(self, actor: TournamentActor) -> None:
        """It has a new state, or other processes there have come or gone."""
        runner = self._runners.get(actor.id)
        if runner is not None:
            runner.moved()
        elif actor.goes_on and self._tables.peers.here(TableId(actor.id)):
            self._run(actor)

    def _run(self, actor: TournamentActor) -> None:
        """Does here, or sees to it that another process does, what is due in it."""
        if self._stands_still or actor.id in self._runners or actor.stopped is not None:
            return

        def done() -> None:
            del self._runners[actor.id]
            actor.awake = False
            self._tables.peers.woken(TableId(actor.id))  # it is not any more
            self.release(actor)

        self._actors.setdefault(actor.id, actor)
        self._tables.peers.enter(cast(AtWork, actor))
        self._held[actor.id] = self._held.get(actor.id, 0) + 1
        self._runners[actor.id] = Runner(actor, self._tables, self._tasks, done)
        actor.awake = True
        self._tables.peers.woken(TableId(actor.id))
