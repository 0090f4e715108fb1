"""One connection's places at tables: what it asks there, and what it is told."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

from protocol.client import (
    Act,
    AskEvening,
    AskHint,
    AskSheet,
    AskSolver,
    AskTalk,
    AtTable,
    Command,
    Leave,
    OfOwner,
    OfSolver,
    Say,
    Sync,
    ToTable,
    Winnable,
)
from server.endpoint.consulting import deal_winnable, hint, solver_hint, verdict
from server.endpoint.door import carried_out
from server.endpoint.feed import Feed, Reason
from server.endpoint.translation import reply, table_command
from server.endpoint.voice import Voice
from server.endpoint.websocket import Connection
from server.games.game import RuleViolation, Seat
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.house import Guest
from server.table import commands, sheets, talk, view
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId
from server.table.state import Table

_OUTSIDE = frozenset({"not_seated", "not_owner"})
"""What the table says to who has no business there."""


class Places:
    """The reader that a connection is at each of its tables."""

    __slots__ = ("_consulting", "_feeds", "_hall", "_voice", "connection")

    def __init__(self, voice: Voice) -> None:
        self.connection: Connection = voice.connection
        self._voice = voice
        self._hall = voice.hall
        self._feeds: dict[TableId, Feed] = {}
        self._consulting: set[asyncio.Task[None]] = set()

    @property
    def player_id(self) -> PlayerId:
        """Whose connection it is."""
        return self._voice.player

    def __contains__(self, table: str | None) -> bool:
        """Whether the connection is at this table."""
        return table in self._feeds

    def __iter__(self) -> Iterator[TableId]:
        """The tables that it is at."""
        return iter(self._feeds)

    @property
    def full(self) -> bool:
        """Whether it is at as many tables as may be."""
        return len(self._feeds) >= self._hall.limits.places

    def enter(self, feed: Feed) -> None:
        """Takes a place there, if there is one left."""
        if self.connection.open and (feed.actor.id in self._feeds or not self.full):
            self._feeds[feed.actor.id] = feed
            feed.enter(self)

    def leave_tables_of(self, tournament: str, *, but: TableId | None) -> None:
        """Leaves the tables of a tournament at which the player sits, but for one: they are over for him."""
        for table, feed in tuple(self._feeds.items()):
            state = feed.actor.state
            of_it = state is not None and state.tournament is not None and state.tournament.tournament == tournament
            if of_it and table != but and feed.seat_of(self.player_id) is not None:
                self.closed(table, "left")
                feed.leave(self)
                self._hall.leave_behind(self.player_id, table)

    def at_table(self, guest: Guest, message: AtTable) -> bool:
        """Does what is asked at a table; False where the connection is not there, then `repeat`.

        Raises:
            RuleViolation
        """
        feed = self._feeds.get(TableId(message.table))
        if feed is None:
            return False
        table = feed.actor.state
        if table is None:
            raise RuleViolation("no_such_table")
        seat = table.seat_of(guest.player.id)
        if table.absences and seat is not None and table.absence(seat) is not None and not isinstance(message, Leave):
            feed.actor.submit(commands.NoteReturn(guest.player.id), None, _unasked)  # whatever he wants, he is back
        match message:
            case Act():
                self._submit(feed, table, guest, message)
            case AskHint(follow_solver=False):
                self._voice.send(hint(table, guest, message))
            case AskHint() | AskSolver() | Winnable():
                self._voice.admit()
                asking = self._hall.tasks.start(self._consult(guest, message, feed.actor, table))
                self._consulting.add(asking)
                asking.add_done_callback(self._consulting.discard)
            case AskSheet() | AskEvening() | AskTalk():
                found = _looked_up(message, table, seat)
                self._voice.send({"type": message.type, "id": message.id, "table": table.id, **found})
            case Sync():
                self._voice.send(reply(message, feed.actor, Accepted(table.version, seat)))
                feed.enter(self)
            case Leave() if seat is None:
                self._voice.send(reply(message, feed.actor, Accepted(table.version, None)))
                feed.dismiss(guest.player.id)
                self._hall.forget(guest.player.id, table.id)
            case _:
                if isinstance(message, OfOwner) and seat is not None:
                    self._take_over(feed, table.owner)
                self._submit(feed, table, guest, message)
        return True

    async def repeat(self, guest: Guest, message: AtTable) -> None:
        """A command over a connection that is not at the table: who sits there comes in, others get their reply
        if it is a repeat, and are refused otherwise.
        """
        if isinstance(message, Sync | AskSheet | AskEvening | AskTalk | Say | OfSolver):
            raise RuleViolation("not_at_table")
        actor = await self._hall.house.actor(TableId(message.table))
        with self._hall.feeds.open(actor) as feed:
            command = table_command(guest.player, message)
            answer = await carried_out(actor, command, self._voice.command_id(message))
            if feed.seat_of(guest.player.id) is not None:
                self.enter(feed)
        if isinstance(answer, Accepted):
            self.answered(message, actor, answer)
        else:
            refused = Refused("not_at_table" if answer.code in _OUTSIDE else answer.code)
            self._voice.refuse(message, refused, known=message.table in self)

    def answered(self, message: Command, actor: TableActor, answer: Answer) -> None:
        """Says what became of a command."""
        if isinstance(answer, Refused):
            self._voice.refuse(message, answer, actor.id)
            return
        self._voice.send(reply(message, actor, answer))
        if isinstance(message, Leave):
            feed = self._feeds.get(actor.id)
            if feed is not None and answer.version == actor.version:  # not a repeat: he may have come back since
                feed.dismiss(self.player_id)
            self._hall.forget(self.player_id, actor.id)

    def _submit(self, feed: Feed, table: Table, guest: Guest, message: ToTable | Say) -> None:
        """Gives the table its command; the answer goes to this connection."""
        command, command_id = table_command(guest.player, message), self._voice.command_id(message)
        if isinstance(command, commands.Say):
            self._admit_saying(table, command, command_id)
        feed.actor.submit(command, command_id, partial(self.answered, message, feed.actor))

    async def _consult(self, guest: Guest, message: OfSolver, actor: TableActor, table: Table) -> None:
        """Asks the solver; it takes its time, and nothing of this connection waits for it."""
        house, send = self._hall.house, self._voice.send
        try:
            match message:
                case AskHint():
                    send(await solver_hint(house, table, guest, message))
                case AskSolver():
                    send(await verdict(house, table, guest, message, send))
                case Winnable():
                    with self._hall.feeds.open(actor):
                        answer = await deal_winnable(house, actor, guest, message, self._voice.command_id(message))
                    self.answered(message, actor, answer)
        except Exception as fault:
            self._voice.failed(message, fault, actor.id)

    def _admit_saying(self, table: Table, command: commands.Say, command_id: CommandId) -> None:
        """Who says too much is told so; a saying that has been heard and is only sent again costs nothing.

        Raises:
            RuleViolation: `talked_too_much`
        """
        if table.recalled(command_id, commands.asked(command)) is not None:
            return
        now = self._hall.now()
        granted = self._hall.sayings.take(command.player, now)
        if granted and table.seat_of(command.player) is None:
            granted = self._hall.watchers_sayings.take(table.id, now)
        if not granted:
            raise RuleViolation("talked_too_much")

    def _take_over(self, feed: Feed, owner: PlayerId) -> None:
        """Who sits there owns the table when its owner has been away too long."""
        if owner != self.player_id and feed.away_for(owner) >= self._hall.limits.owner_away_seconds:
            feed.actor.submit(commands.PassOwnership(self.player_id, owner), None, _unasked)

    # What feeds ask of a reader

    def closed(self, table: TableId, reason: Reason) -> None:
        """The player is at this table no longer."""
        self._feeds.pop(table, None)
        self._voice.send({"type": "closed", "table": table, "reason": reason})

    def rolled_back(self, table: TableId) -> None:
        """The table goes back to what the store still has."""
        self._voice.send({"type": "notice", "notice": "rolled_back", "table": table})

    # The connection

    def drained(self) -> None:
        """The connection can take more: every table tells what was held back."""
        for feed in tuple(self._feeds.values()):
            feed.catch_up(self)

    def ended(self) -> None:
        """The connection is gone."""
        for asking in self._consulting:
            asking.cancel()
        for feed in tuple(self._feeds.values()):
            feed.leave(self)
        self._feeds.clear()


def _looked_up(message: AskSheet | AskEvening | AskTalk, table: Table, seat: Seat | None) -> dict[str, Any]:
    """What somebody at a table wants to look at."""
    match message:
        case AskSheet():
            return sheets.sheet(table)
        case AskEvening():
            return sheets.evening(table)
        case AskTalk():
            return {"lines": [view.said(one) for one in talk.heard(table, by_seat=seat is not None)]}


def _unasked(answer: Answer) -> None:
    """Nobody waits for what the server asks by itself."""
