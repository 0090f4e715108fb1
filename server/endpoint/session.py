"""One connection's conversation: greeting, commands in their order, answers.

What needs the store's answer runs as a task while later messages wait; an `act` goes straight to its
table. Who somebody is comes from the token, never from a message.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from protocol.client import (
    AboutRecords,
    AboutResults,
    Act,
    AskList,
    AskRanking,
    AskRecord,
    AskRecords,
    AskResults,
    AtTable,
    Command,
    Create,
    Daily,
    Explain,
    FromClient,
    Hello,
    Join,
    Ping,
    ShareRecord,
)
from protocol.codec import MAX_FRAME, BadMessage, Undecodable, UnknownType, decode
from protocol.errors import CloseCode, ErrorCode
from protocol.tournament_client import OfTournament
from server.endpoint.door import carried_out, identify, table_meant, watching
from server.endpoint.feed import Feed
from server.endpoint.limits import TokenBucket
from server.endpoint.places import Places
from server.endpoint.reading import read
from server.endpoint.results import look_up
from server.endpoint.tournaments import Following
from server.endpoint.translation import error, reply
from server.endpoint.voice import Voice
from server.endpoint.websocket import Connection
from server.figures import FIGURES
from server.games.game import RuleViolation, Seat
from server.runtime.actor import TableActor
from server.runtime.answers import Accepted, Answer, Refused
from server.runtime.daily import deal_of_day
from server.runtime.house import Guest
from server.table import commands
from server.table.ids import PlayerId, TableId

if TYPE_CHECKING:
    from server.endpoint.hall import Hall


class Session:
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_bucket",
        "_busy",
        "_following",
        "_hall",
        "_inbox",
        "_places",
        "_refusals",
        "_voice",
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
        self._voice = Voice(hall, connection)
        self._places = Places(self._voice)
        self._following = Following(self._voice, self._places)
        self._inbox: deque[Hello | Command] = deque()
        self._busy = False

    @property
    def greeted(self) -> bool:
        """Whether `hello` has been answered."""
        return self._voice.greeted

    @property
    def player_id(self) -> PlayerId:
        """The player's public id; once he has said `hello`."""
        return self._voice.player

    def send(self, message: dict[str, Any]) -> None:
        """Sends one message of the wire contract."""
        self._voice.send(message)

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
            self._refused(message, Refused("too_many"))
        elif isinstance(message, Ping):  # also while something else waits for the store
            self.send({"type": "pong", "time": self._hall.house.store.now()})
            self._following.pinged()
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
                    if self.greeted:
                        raise RuleViolation("already_greeted")
                    self._in_turn(message, partial(self._greet, message))
                case Create() | Join() | AskList() | AskRecords() | AskRecord() | ShareRecord():
                    self._in_turn(message, partial(self._visit, message))
                case AskResults() | AskRanking():
                    self._in_turn(message, partial(self._look_up, self._voice.guest, message))
                case Daily():
                    self._in_turn(message, partial(self._daily, self._voice.guest, message))
                case OfTournament():
                    self._in_turn(message, partial(self._following.asked, self._voice.guest, message))
                case Explain():
                    self._hall.tasks.start(self._explain(self._voice.guest, message))
                case _:
                    self._at_table(message)
        except Exception as fault:
            self._failed(message, fault)

    def _in_turn(self, message: FromClient, work: Callable[[], Awaitable[None]]) -> None:
        """Runs the work of a message that needs the store; later messages wait for its end."""
        self._busy = True
        self._hall.tasks.start(self._run(message, work))

    async def _run(self, message: FromClient, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as fault:
            self._failed(message, fault)
        finally:
            self._busy = False
            while self._inbox and not self._busy:
                self._handle(self._inbox.popleft())

    def _at_table(self, message: AtTable) -> None:
        guest = self._voice.guest
        if not self._places.at_table(guest, message):
            self._in_turn(message, partial(self._places.repeat, guest, message))

    def _refused(self, message: FromClient, refused: Refused, table: str | None = None) -> None:
        self._voice.refuse(message, refused, table, known=getattr(message, "table", None) in self._places)

    def _failed(self, message: FromClient, fault: Exception) -> None:
        self._voice.failed(message, fault, known=getattr(message, "table", None) in self._places)

    # The door

    async def _greet(self, hello: Hello) -> None:
        self._voice.admit()
        admit = partial(self._hall.admit_player, self.connection.address)
        token, guest = await identify(self._hall.house, hello, admit)
        async with (
            self._hall.feeds_of(guest.player.id) as (found, stopped),
            self._hall.tournaments.of_player(guest.player.id) as tournaments,
        ):
            self._voice.named(guest, hello.instance)
            feeds = [feed for feed in found if not feed.bars(guest.player.id)]  # he may just have been removed
            seats = {feed.actor.id: feed.seat_of(guest.player.id) for feed in feeds}
            self.send(
                {
                    "type": "welcome",
                    "player": guest.player.id,
                    "name": guest.player.name,
                    "token": token,
                    "tables": [{"table": table, "seat": seats.get(table)} for table in (*seats, *stopped)],
                    "tournaments": [feed.actor.id for feed in tournaments],
                    "time": self._hall.house.store.now(),
                }
            )
            for table, code in stopped.items():
                self.send(error(Refused(code), None, table))
            for feed in feeds:
                self._places.enter(feed)
            self._following.greeted(guest, tournaments)

    async def _visit(self, message: Create | Join | AskList | AboutRecords) -> None:
        guest = self._voice.guest
        if isinstance(message, Create | Join) and self._places.full:
            raise RuleViolation("too_many_tables")
        match message:
            case Create():
                await self._create(guest, message)
            case Join():
                await self._join(guest, message)
            case AskList():
                self.send({"type": "lobby", "id": message.id, "tables": await self._hall.lobby()})
            case AskRecords() | AskRecord() | ShareRecord():
                self._voice.admit()
                self.send(await read(self._hall.house, guest, message))

    async def _look_up(self, guest: Guest, message: AboutResults) -> None:
        self._voice.admit()
        self.send(await look_up(self._hall.house, guest, message))

    async def _daily(self, guest: Guest, message: Daily) -> None:
        """Deals the deal of the day; who sits there comes in, if his connection was not at the table."""
        house, command_id = self._hall.house, self._voice.command_id(message)
        with self._hall.feeds.open(await house.actor(TableId(message.table))) as feed:
            command = await deal_of_day(house, guest.player.id, feed.actor, message.prompt, command_id)
            answer = await carried_out(feed.actor, command, command_id)
            if feed.actor.id not in self._places and feed.seat_of(guest.player.id) is not None:
                self._places.enter(feed)
            self._places.answered(message, feed.actor, answer)

    async def _explain(self, guest: Guest, message: Explain) -> None:
        """Has a deal explained; it takes its time, and nothing of this connection waits for it."""
        try:
            self._voice.admit()
            self.send(await read(self._hall.house, guest, message))
        except Exception as fault:
            self._failed(message, fault)

    async def _create(self, guest: Guest, message: Create) -> None:
        command_id = self._voice.command_id(message)
        admit = partial(self._hall.admit_table, guest.player.id, self.connection.address)
        actor, code = await self._hall.house.opening(guest, command_id, private=message.private, admit=admit)
        command = commands.Create(guest.sitter, actor.id, message.game, message.options, code)
        with self._hall.feeds.open(actor) as feed:
            async with self._hall.coming(guest.player.id, actor.id):
                answer = await carried_out(actor, command, command_id)
            self._sat_down(message, feed, answer)

    async def _join(self, guest: Guest, message: Join) -> None:
        self._voice.admit()
        with self._hall.feeds.open(await table_meant(self._hall.house, guest, message)) as feed:
            async with self._hall.coming(guest.player.id, feed.actor.id):
                answer = await self._wants_in(guest, message, feed.actor)
            self._sat_down(message, feed, answer)

    async def _wants_in(self, guest: Guest, message: Join, actor: TableActor) -> Answer:
        if message.watch:
            return watching(guest.player.id, actor)
        seat = None if message.seat is None else Seat(message.seat)
        return await carried_out(actor, commands.TakeSeat(guest.sitter, seat), self._voice.command_id(message))

    def _sat_down(self, message: Create | Join, feed: Feed, answer: Answer) -> None:
        """The answer to who wants in; whoever was put out since may hear it again, but stays outside."""
        if isinstance(answer, Refused):
            self._refused(message, answer, feed.actor.id)
        else:
            self.send(reply(message, feed.actor, answer))
        welcome = isinstance(answer, Accepted) or answer.code == "already_seated"
        if welcome and not feed.bars(self._voice.player):
            self._places.enter(feed)
        elif isinstance(answer, Accepted) or answer.code != "store_away":
            self._hall.forget(self._voice.player, feed.actor.id)

    # The connection

    def drained(self) -> None:
        """The connection can take more."""
        self._places.drained()
        self._following.drained()

    def ended(self) -> None:
        """The connection is gone."""
        self._inbox.clear()
        self._places.ended()
        self._following.ended()
