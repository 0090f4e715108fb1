"""One connection's conversation: greeting, commands in their order, answers.

What needs the store's answer runs as a task while later messages wait; an `act` goes straight to its
table. Who somebody is comes from the token, never from a message.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from protocol.client import (
    AboutRecords,
    AboutResults,
    Act,
    AskEvening,
    AskHint,
    AskList,
    AskRanking,
    AskRecord,
    AskRecords,
    AskResults,
    AskSheet,
    AskSolver,
    AskTalk,
    AtTable,
    Command,
    Create,
    Daily,
    Explain,
    FromClient,
    Hello,
    Join,
    Leave,
    OfOwner,
    OfSolver,
    Ping,
    Say,
    ShareRecord,
    Sync,
    ToTable,
    Winnable,
)
from protocol.codec import MAX_FRAME, BadMessage, Undecodable, UnknownType, decode, pack
from protocol.errors import CloseCode, ErrorCode
from server.endpoint.consulting import deal_winnable, hint, solver_hint, verdict
from server.endpoint.door import carried_out, identify, table_meant, watching
from server.endpoint.feed import Feed, Reason
from server.endpoint.limits import TokenBucket
from server.endpoint.reading import read
from server.endpoint.results import look_up
from server.endpoint.translation import error, id_of, logged, reply, table_command
from server.endpoint.websocket import Connection, frame
from server.figures import FIGURES
from server.games.game import RuleViolation, Seat
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.daily import deal_of_day
from server.runtime.house import Guest
from server.store.port import StoreAway
from server.table import commands, sheets, talk, view
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId
from server.table.state import Table

if TYPE_CHECKING:
    from server.endpoint.hall import Hall

log = logging.getLogger(__name__)

_OUTSIDE = frozenset({"not_seated", "not_owner"})
"""What the table says to who has no business there."""


class Session:
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_bucket",
        "_busy",
        "_client",
        "_consulting",
        "_guest",
        "_hall",
        "_inbox",
        "_places",
        "_refusals",
        "connection",
        "opened_at",
    )

    def __init__(self, hall: "Hall", connection: Connection) -> None:
        self.connection = connection
        self._hall = hall
        self.opened_at = hall.now()
        limits = hall.limits
        self._bucket = TokenBucket(limits.messages_per_second, limits.messages_burst, self.opened_at)
        self._refusals = TokenBucket(limits.refusals_per_second, limits.refusals_burst, self.opened_at)
        self._guest: Guest | None = None
        self._client = ""
        self._places: dict[TableId, Feed] = {}
        self._inbox: deque[Hello | Command] = deque()
        self._busy = False
        self._consulting: set[asyncio.Task[None]] = set()

    @property
    def greeted(self) -> bool:
        """Whether `hello` has been answered."""
        return self._guest is not None

    @property
    def guest(self) -> Guest:
        """Whose connection it is.

        Raises:
            RuleViolation: `hello_first`
        """
        if self._guest is None:
            raise RuleViolation("hello_first")
        return self._guest

    @property
    def player_id(self) -> PlayerId:
        """The player's public id."""
        return self.guest.player.id

    # What comes in

    def received(self, payload: bytes) -> None:
        """A frame came."""
        now = self._hall.now()
        granted = self._bucket.take(now) and self._hall.messages.take(self.connection.address, now)
        if not granted and not self._refusals.take(now):
            self.connection.close(CloseCode.FLOOD)
            return
        if len(payload) > MAX_FRAME:
            self._bad_frame(ErrorCode.TOO_LONG, None, None)
            return
        try:
            message = decode(payload, self.connection.encoding)
        except Undecodable:
            self._bad_frame(ErrorCode.UNDECODABLE, None, None)
            return
        except BadMessage as fault:
            code = ErrorCode.UNKNOWN_TYPE if isinstance(fault, UnknownType) else ErrorCode.BAD_FIELD
            self._bad_frame(code, fault.command_id, fault.detail)
            return
        crowded = len(self._inbox) >= self._hall.limits.waiting_messages and not isinstance(message, Ping)
        if not granted or crowded:
            self._refuse(message, Refused("too_many"))
        elif isinstance(message, Ping):  # also while something else waits for the store
            self.send({"type": "pong", "time": self._hall.house.store.now()})
        elif self._busy:
            self._inbox.append(message)
        else:
            self._handle(message)

    def _bad_frame(self, code: ErrorCode, command_id: int | None, detail: str | None) -> None:
        """Whoever sends nothing but bad frames floods."""
        FIGURES.bad_frames[code] += 1
        if self._refusals.take(self._hall.now()):
            self.send(error(Refused(code, detail), command_id))
        else:
            self.connection.close(CloseCode.FLOOD)

    def _handle(self, message: Hello | Command) -> None:
        try:
            match message:
                case Act():  # first, since it comes most
                    self._at_table(message)
                case Hello():
                    if self._guest is not None:
                        raise RuleViolation("already_greeted")
                    self._in_turn(message, partial(self._greet, message))
                case Create() | Join() | AskList() | AskRecords() | AskRecord() | ShareRecord():
                    self._in_turn(message, partial(self._visit, message))
                case AskResults() | AskRanking():
                    self._in_turn(message, partial(self._look_up, self.guest, message))
                case Daily():
                    self._in_turn(message, partial(self._daily, self.guest, message))
                case Explain():
                    self._hall.tasks.start(self._explain(self.guest, message))
                case _:
                    self._at_table(message)
        except RuleViolation as refused:
            self._refuse(message, Refused(refused.code, refused.detail))

    def _in_turn(self, message: FromClient, work: Callable[[], Awaitable[None]]) -> None:
        """Runs the work of a message that needs the store; later messages wait for its end."""
        self._busy = True
        self._hall.tasks.start(self._run(message, work))

    async def _run(self, message: FromClient, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except RuleViolation as refused:
            self._refuse(message, Refused(refused.code, refused.detail))
        except StoreAway:
            self._refuse(message, Refused("store_away"))
        finally:
            self._busy = False
            while self._inbox and not self._busy:
                self._handle(self._inbox.popleft())

    # The door

    async def _greet(self, hello: Hello) -> None:
        self._hall.admit(self.connection.address)
        admit = partial(self._hall.admit_player, self.connection.address)
        token, guest = await identify(self._hall.house, hello, admit)
        self._client = f"{guest.player.id}/{hello.instance}"
        async with self._hall.feeds_of(guest.player.id) as (found, stopped):
            self._guest = guest
            feeds = [feed for feed in found if not feed.bars(guest.player.id)]  # he may just have been removed
            seats = {feed.actor.id: feed.seat_of(guest.player.id) for feed in feeds}
            self.send(
                {
                    "type": "welcome",
                    "player": guest.player.id,
                    "name": guest.player.name,
                    "token": token,
                    "tables": [{"table": table, "seat": seats.get(table)} for table in (*seats, *stopped)],
                    "time": self._hall.house.store.now(),
                }
            )
            for table, code in stopped.items():
                self.send(error(Refused(code), None, table))
            for feed in feeds:
                self._enter(feed)

    async def _visit(self, message: Create | Join | AskList | AboutRecords) -> None:
        guest = self.guest
        if isinstance(message, Create | Join) and len(self._places) >= self._hall.limits.places:
            raise RuleViolation("too_many_tables")
        match message:
            case Create():
                await self._create(guest, message)
            case Join():
                await self._join(guest, message)
            case AskList():
                self.send({"type": "lobby", "id": message.id, "tables": await self._hall.lobby()})
            case AskRecords() | AskRecord() | ShareRecord():
                self._hall.admit(self.connection.address)
                self.send(await read(self._hall.house, guest, message))

    async def _look_up(self, guest: Guest, message: AboutResults) -> None:
        self._hall.admit(self.connection.address)
        self.send(await look_up(self._hall.house, guest, message))

    async def _daily(self, guest: Guest, message: Daily) -> None:
        """Deals the deal of the day; who sits there comes in, if his connection was not at the table."""
        house, command_id = self._hall.house, self._command_id(message)
        with self._hall.feeds.open(await house.actor(TableId(message.table))) as feed:
            command = await deal_of_day(house, guest.player.id, feed.actor, message.prompt, command_id)
            answer = await carried_out(feed.actor, command, command_id)
            if feed.actor.id not in self._places and feed.seat_of(guest.player.id) is not None:
                self._enter(feed)
            self._answered(message, feed.actor, answer)

    async def _explain(self, guest: Guest, message: Explain) -> None:
        """Has a deal explained; it takes its time, and nothing of this connection waits for it."""
        try:
            self._hall.admit(self.connection.address)
            self.send(await read(self._hall.house, guest, message))
        except RuleViolation as refused:
            self._refuse(message, Refused(refused.code))
        except StoreAway:
            self._refuse(message, Refused("store_away"))

    async def _create(self, guest: Guest, message: Create) -> None:
        command_id = self._command_id(message)
        admit = partial(self._hall.admit_table, guest.player.id, self.connection.address)
        actor, code = await self._hall.house.opening(guest, command_id, private=message.private, admit=admit)
        command = commands.Create(guest.sitter, actor.id, message.game, message.options, code)
        with self._hall.feeds.open(actor) as feed:
            async with self._hall.coming(guest.player.id, actor.id):
                answer = await carried_out(actor, command, command_id)
            self._sat_down(message, feed, answer)

    async def _join(self, guest: Guest, message: Join) -> None:
        self._hall.admit(self.connection.address)
        with self._hall.feeds.open(await table_meant(self._hall.house, guest, message)) as feed:
            async with self._hall.coming(guest.player.id, feed.actor.id):
                answer = await self._wants_in(guest, message, feed.actor)
            self._sat_down(message, feed, answer)

    async def _wants_in(self, guest: Guest, message: Join, actor: TableActor) -> Answer:
        if message.watch:
            return watching(guest.player.id, actor)
        seat = None if message.seat is None else Seat(message.seat)
        return await carried_out(actor, commands.TakeSeat(guest.sitter, seat), self._command_id(message))

    def _sat_down(self, message: Create | Join, feed: Feed, answer: Answer) -> None:
        """The answer to who wants in; whoever was put out since may hear it again, but stays outside."""
        if isinstance(answer, Refused):
            self._refuse(message, answer, feed.actor.id)
        else:
            self._reply(message, feed.actor, answer)
        welcome = isinstance(answer, Accepted) or answer.code == "already_seated"
        if welcome and not feed.bars(self.player_id):
            self._enter(feed)
        elif isinstance(answer, Accepted) or answer.code != "store_away":
            self._hall.forget(self.player_id, feed.actor.id)

    def _enter(self, feed: Feed) -> None:
        if self.connection.open and (feed.actor.id in self._places or len(self._places) < self._hall.limits.places):
            self._places[feed.actor.id] = feed
            feed.enter(self)

    # At a table

    def _at_table(self, message: AtTable) -> None:
        guest = self.guest
        feed = self._places.get(TableId(message.table))
        if feed is None:
            self._in_turn(message, partial(self._repeat, guest, message))
            return
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
                self.send(hint(table, guest, message))
            case AskHint() | AskSolver() | Winnable():
                self._hall.admit(self.connection.address)
                asking = self._hall.tasks.start(self._consult(guest, message, feed.actor, table))
                self._consulting.add(asking)
                asking.add_done_callback(self._consulting.discard)
            case AskSheet() | AskEvening() | AskTalk():
                self.send(
                    {"type": message.type, "id": message.id, "table": table.id, **_looked_up(message, table, seat)}
                )
            case Sync():
                self._reply(message, feed.actor, Accepted(table.version, seat))
                feed.enter(self)
            case Leave() if seat is None:
                self._reply(message, feed.actor, Accepted(table.version, None))
                for reader in feed.readers_of(guest.player.id):
                    reader.closed(table.id, "left")
                    feed.leave(reader)
                self._hall.forget(guest.player.id, table.id)
            case _:
                if isinstance(message, OfOwner) and seat is not None:
                    self._take_over(feed, table.owner)
                self._submit(feed, table, guest, message)

    def _submit(self, feed: Feed, table: Table, guest: Guest, message: ToTable | Say) -> None:
        """Gives the table its command; the answer goes to this connection."""
        command, command_id = table_command(guest.player, message), self._command_id(message)
        if isinstance(command, commands.Say):
            self._admit_saying(table, command, command_id)
        feed.actor.submit(command, command_id, partial(self._answered, message, feed.actor))

    async def _consult(self, guest: Guest, message: OfSolver, actor: TableActor, table: Table) -> None:
        """Asks the solver; it takes its time, and nothing of this connection waits for it."""
        house = self._hall.house
        try:
            match message:
                case AskHint():
                    self.send(await solver_hint(house, table, guest, message))
                case AskSolver():
                    self.send(await verdict(house, table, guest, message, self.send))
                case Winnable():
                    with self._hall.feeds.open(actor):
                        answer = await deal_winnable(house, actor, guest, message, self._command_id(message))
                    self._answered(message, actor, answer)
        except RuleViolation as refused:
            self._refuse(message, Refused(refused.code, refused.detail), actor.id)

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

    async def _repeat(self, guest: Guest, message: AtTable) -> None:
        """A command over a connection that is not at the table: who sits there comes in, others get their reply
        if it is a repeat, and are refused otherwise.
        """
        if isinstance(message, Sync | AskSheet | AskEvening | AskTalk | Say | OfSolver):
            raise RuleViolation("not_at_table")
        actor = await self._hall.house.actor(TableId(message.table))
        with self._hall.feeds.open(actor) as feed:
            answer = await carried_out(actor, table_command(guest.player, message), self._command_id(message))
            if feed.seat_of(guest.player.id) is not None:
                self._enter(feed)
        if isinstance(answer, Accepted):
            self._answered(message, actor, answer)
        else:
            self._refuse(message, Refused("not_at_table" if answer.code in _OUTSIDE else answer.code))

    def _answered(self, message: Command, actor: TableActor, answer: Answer) -> None:
        if isinstance(answer, Refused):
            self._refuse(message, answer, actor.id)
            return
        self._reply(message, actor, answer)
        if isinstance(message, Leave):
            self._hall.forget(self.player_id, actor.id)

    def closed(self, table: TableId, reason: Reason) -> None:
        """The player is at this table no longer."""
        self._places.pop(table, None)
        self.send({"type": "closed", "table": table, "reason": reason})

    def rolled_back(self, table: TableId) -> None:
        """The table goes back to what the store still has."""
        self.send({"type": "notice", "notice": "rolled_back", "table": table})

    # What goes out

    def send(self, message: dict[str, Any]) -> None:
        """Sends one message of the wire contract."""
        encoding = self.connection.encoding
        self.connection.send(frame(pack(message, encoding), encoding))

    def _refuse(self, message: FromClient, refused: Refused, table: str | None = None) -> None:
        """Says that a message was refused."""
        FIGURES.refused[refused.code] += 1
        if log.isEnabledFor(logging.DEBUG):
            meant = table or getattr(message, "table", None)  # what only the message names may be anything
            known = meant if table or meant in self._places else None
            log.debug("refused", extra=logged(message, refused, self._client, known))
        self.send(error(refused, id_of(message), table))

    def _reply(self, message: Command, actor: TableActor, answer: Accepted) -> None:
        """Says that a command took effect."""
        self.send(reply(message, actor, answer))

    def _command_id(self, message: Command) -> CommandId:
        return CommandId(self._client, message.id)

    # The connection

    def drained(self) -> None:
        """The connection can take more: every table tells what was held back."""
        for feed in tuple(self._places.values()):
            feed.catch_up(self)

    def ended(self) -> None:
        """The connection is gone."""
        self._inbox.clear()
        for asking in self._consulting:
            asking.cancel()
        for feed in tuple(self._places.values()):
            feed.leave(self)
        self._places.clear()


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
