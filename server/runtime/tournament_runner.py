"""What the server does in a tournament by itself: tables open, are as the tournament says, and their results are noted.

What is and what is to be are compared, and every command may come twice: so any process may run a tournament, and one
that dies leaves nothing that another cannot go on with. Of several at a tournament the first does it all; the others
only do, a little later, what is due at the tables that are at work with them, and take over when it is gone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeVar

from server.games.game import Millis, RuleViolation, Seat, Stage
from server.runtime.answers import Refused
from server.runtime.peers import Peers
from server.runtime.storewatch import StoreWatch
from server.runtime.tasks import Tasks
from server.runtime.tournament_actor import TournamentActor
from server.store.port import Store, StoreAway
from server.table.affiliation import Affiliation
from server.table.commands import CallTime, CloseTable, DirectorsCommand, OpenForTournament, ReplaceSitter
from server.table.ids import PlayerId, TableId
from server.table.state import Table
from server.tournament import orders
from server.tournament.commands import NextRound, ServersCommand
from server.tournament.state import RoundTable, Tournament
from server.tournament.state import Stage as Progress
from server.tournament.terms import GAME

log = logging.getLogger(__name__)
_Result = TypeVar("_Result")

SWEEP_SECONDS: Final = 5.0
"""How often all tables of a round are looked at, though nothing was heard of them."""
AGAIN_SECONDS: Final = 1.0
"""How soon it goes on after a fault."""
BEHIND_SECONDS: Final = 1.5
"""How much later each further process acts: only if those before it have not."""
AT_ONCE: Final = 8
"""So many tables are opened, or closed, at the same time."""


class Tables(Protocol):
    """What is asked of the house."""

    store: Store
    watch: StoreWatch
    peers: Peers
    table_moved: Callable[[Table], None]
    round_open: Callable[[str, int], Awaitable[bool]]

    async def open_for_tournament(self, command: OpenForTournament) -> Table:
        """Opens a table, and puts it to work; given again it leaves the table as it is."""

    async def direct(self, table: TableId, command: DirectorsCommand) -> Table:
        """Carries out a command of the director's at a table, and puts it to work."""

    def at(self, table: TableId) -> Table | None:
        """The newest state of a table that is at work here; None if it is not."""

    async def look(self, table: TableId) -> Table:
        """How a table stands, wherever it is at work."""

    async def part(self, player: PlayerId, table: TableId) -> None:
        """Notes that a player is at a table no longer."""

    async def stored(self, work: Awaitable[_Result]) -> _Result:
        """The answer of the store; whoever finds it away sets the watch."""


def to_open(tournament: Tournament, place: RoundTable) -> OpenForTournament:
    """The command that opens a table of the running round."""
    running = tournament.rounds[-1]
    belongs = Affiliation(
        tournament=tournament.id,
        name=tournament.name,
        round=running.number,
        rounds=tournament.terms.rounds,
        number=place.number,
        seed=running.seed,
        deadline=running.deadline,
    )
    return OpenForTournament(place.id, GAME, tournament.terms.table, belongs, orders.sitters(tournament, place))


class Runner:
    """Runs one tournament in this process, until nothing is left to be done by itself; then it calls `done`."""

    def __init__(self, actor: TournamentActor, tables: Tables, tasks: Tasks, done: Callable[[], None]) -> None:
        self._actor = actor
        self._tables = tables
        self._done = done
        self._key = TableId(actor.id)
        self._wake = asyncio.Event()
        self._all = True
        """Whether all tables are to be looked at."""
        self._heard: set[TableId] = set()
        self._known: dict[TableId, Table] = {}
        """The newest states that tables were heard to have."""
        self._called: set[TableId] = set()
        self._told: set[tuple[TableId, str, str]] = set()
        self._absent_since: dict[tuple[TableId, Seat], float] = {}
        self._tidied: int | None = None
        """The last round that was tidied up after; None while nobody has looked."""
        self._task = tasks.start(self._run())

    def moved(self) -> None:
        """The tournament has a new state, or other processes at it have come or gone."""
        self._all = True
        self._wake.set()

    def table_moved(self, table: Table) -> None:
        """One of its tables has a new state."""
        self._known[table.id] = table
        self._heard.add(table.id)
        self._wake.set()

    def close(self) -> None:
        """Nothing more is done here."""
        self._task.cancel()

    async def _run(self) -> None:
        await self._tables.peers.entered(self._key)
        while not self._over:
            try:
                await self._step()
            except StoreAway:
                self._tables.watch.lost()
                await self._tables.watch.back()
                self._all = True
                continue
            except Exception:  # a bug of ours holds up this tournament and no other
                fields = {"table": self._actor.id, "version": self._actor.version}
                log.exception("what is due in %s cannot be done", self._actor.id, extra=fields)
                self._all = True
                await asyncio.sleep(AGAIN_SECONDS)
            if not self._over:
                await self._wait()
        self._done()

    @property
    def _over(self) -> bool:
        state = self._actor.state
        if state is None or self._actor.stopped is not None:
            return True
        return not self._actor.goes_on and (self._place > 0 or self._tidied == len(state.rounds))

    @property
    def _place(self) -> int:
        return self._tables.peers.place(self._key)

    @property
    def _now(self) -> Millis:
        return self._tables.store.now()

    async def _wait(self) -> None:
        """Until something has happened, or is due."""
        state, seconds = self._actor.state, SWEEP_SECONDS
        running = None if state is None else state.round
        for due in (None if state is None else state.due, None if running is None else running.deadline):
            if due is not None and due > self._now:
                seconds = min(seconds, (due - self._now) / 1000)
        try:
            async with asyncio.timeout(seconds):
                await self._wake.wait()
        except TimeoutError:
            self._all = True

    async def _step(self) -> None:
        """All that is due now."""
        place = self._place
        if place > 0:
            await asyncio.sleep(place * BEHIND_SECONDS)
        self._wake.clear()
        everything, self._all = self._all, False
        heard, self._heard = self._heard, set()
        state = self._actor.state
        if state is not None and state.due is not None and state.due <= self._now:
            await self._note(NextRound(len(state.rounds) + 1))
        if everything and self._place == 0:
            await self._open()
        for number in self._to_look_at(None if everything else heard):
            await self._look_at(number)
        if self._place == 0:
            await self._tidy()

    # Tables of the running round

    def _to_look_at(self, heard: set[TableId] | None) -> list[int]:
        """The numbers of the running round's tables, all or those that were heard of."""
        state = self._actor.state
        if state is None or state.round is None or state.stage is not Progress.ROUND:
            return []
        return [place.number for place in state.round.tables if heard is None or place.id in heard]

    async def _open(self) -> None:
        """Opens the tables that are not there, and puts to work here those that are not at work here."""
        state = self._actor.state
        if state is None or state.round is None:
            return
        running = state.round
        self._known = {place.id: self._known[place.id] for place in running.tables if place.id in self._known}
        missing = [place for place in orders.to_open(state) if not self._at_hand(place.id)]
        await _each(missing, partial(self._open_one, state))

    def _at_hand(self, table: TableId) -> bool:
        known = self._known.get(table)
        return self._tables.at(table) is not None or (known is not None and known.stage is Stage.OVER)

    async def _open_one(self, state: Tournament, place: RoundTable) -> None:
        command = to_open(state, place)
        try:
            table = await self._tables.open_for_tournament(command)
        except RuleViolation as refused:
            self._refused(place.id, command, refused)
        else:
            self._known[place.id] = table

    def _state_of(self, table: TableId) -> Table | None:
        return self._tables.at(table) or self._known.get(table)

    async def _look_at(self, number: int) -> None:
        """Lets a table be as the tournament says, and notes what it tells."""
        state, running = self._actor.state, None if self._actor.state is None else self._actor.state.round
        place = None if running is None else running.table(number)
        table = None if place is None else self._state_of(place.id)
        if state is None or running is None or place is None or table is None:
            return
        for command in orders.at_table(state, running, place, table, self._now):
            table = await self._direct(table, command)
        for note in orders.to_note(state, running, place, table, self._absent_for(state, table)):
            await self._note(note)

    async def _direct(self, table: Table, command: DirectorsCommand) -> Table:
        if isinstance(command, CallTime) and table.id in self._called:
            return table
        before = table.seats[command.seat] if isinstance(command, ReplaceSitter) else None
        try:
            table = await self._tables.direct(table.id, command)
        except RuleViolation as refused:
            self._refused(table.id, command, refused)
            return table
        self._known[table.id] = table
        if isinstance(command, CallTime):
            self._called.add(table.id)
        if before is not None and before.bot is None:
            await self._tables.part(before.player, table.id)
        return table

    def _absent_for(self, state: Tournament, table: Table) -> Mapping[Seat, float]:
        """For how many seconds this process has seen seats absent while the table could play."""
        counts = table.running and table.pause is None and state.halted is None
        absent = {one.seat for one in table.absences} if counts else set()
        for known in [known for known in self._absent_since if known[0] == table.id and known[1] not in absent]:
            del self._absent_since[known]
        now = asyncio.get_running_loop().time()
        return {seat: now - self._absent_since.setdefault((table.id, seat), now) for seat in absent}

    async def _note(self, note: ServersCommand) -> None:
        answer = await self._actor.submit(note, None)
        if isinstance(answer, Refused):
            if answer.code == "store_away":
                raise StoreAway
            self._refused(self._key, note, RuleViolation(answer.code, answer.detail))

    def _refused(self, where: TableId, command: object, refused: RuleViolation) -> None:
        """Tells the operator once of what cannot be done, and is tried again."""
        told = (where, type(command).__name__, refused.code)
        if told not in self._told:
            self._told.add(told)
            fields = {"table": where, "kind": told[1], "code": refused.code}
            log.warning("%s: %s at %s was refused: %s", self._actor.id, told[1], where, refused.code, extra=fields)

    # A round that is over

    async def _tidy(self) -> None:
        """Closes the tables of a round that is over, and drops the notes of who was at them."""
        state = self._actor.state
        if state is None:
            return
        over = [one for one in state.rounds if one.ended is not None or state.stage is Progress.OVER]
        if self._tidied is None:  # who ran it before may not have come to the last one
            self._tidied = max(0, len(over) - 1)
        if len(over) > self._tidied:
            for one in over[self._tidied :]:
                await _each(one.tables, partial(self._let_rest, state))
            self._tidied = len(over)
            self._called.clear()
            self._told.clear()
            self._absent_since.clear()

    async def _let_rest(self, state: Tournament, place: RoundTable) -> None:
        known, sat = self._known.get(place.id), {entrant for entrant in place.seats if entrant is not None}
        if known is None or known.stage is not Stage.OVER:
            with suppress(RuleViolation):  # it was never opened, or is gone, or cannot be used any more
                known = await self._tables.direct(place.id, CloseTable("tournament"))
        players = {one.player for one in state.entrants if one.number in sat and not one.guest}
        if known is not None:
            players |= {sitter.player for sitter in known.seats if sitter is not None and sitter.bot is None}
        for player in players:
            await self._tables.part(player, place.id)


async def _each(places: Iterable[RoundTable], work: Callable[[RoundTable], Awaitable[None]]) -> None:
    """Does the work at each table, at a few at the same time; raises what one has raised, once all have ended."""
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(place: RoundTable) -> None:
        async with turn:
            await work(place)

    for outcome in await asyncio.gather(*(one(place) for place in places), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
