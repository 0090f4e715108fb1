"""One connection's conversation: greeting, commands in their order, answers.

What needs the store's answer runs as a task while later messages wait; an `act` goes straight to its
table. Who somebody is comes from the token, never from a message.
"""

import asyncio
from collections import deque
from collections.abc import Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from protocol.client import (
    AboutRecords,
    Act,
    Annul,
    AskList,
    AskRecord,
    AskRecords,
    AskSheet,
    AtTable,
    Command,
    Create,
    Finish,
    FromClient,
    Hello,
    Join,
    Leave,
    Ping,
    Remove,
    ShareRecord,
    Start,
    Sync,
)
from protocol.codec import MAX_FRAME, BadMessage, Undecodable, UnknownType, decode, pack
from protocol.errors import TEXTS, CloseCode, ErrorCode
from server.endpoint.feed import Feed, Reason
from server.endpoint.limits import TokenBucket
from server.endpoint.names import clean_name
from server.endpoint.reading import read
from server.endpoint.websocket import Connection, frame
from server.games.game import RuleViolation, Seat
from server.runtime.actor import Accepted, Answer, Refused, TableActor
from server.runtime.house import Guest
from server.store.port import StoreAway
from server.table import commands, view
from server.table.ids import PlayerId, TableId
from server.table.memory import CommandId

if TYPE_CHECKING:
    from server.endpoint.hall import Hall

PROTOCOL = 1
_OUTSIDE = frozenset({"not_seated", "not_owner"})
"""What the table says to who has no business there."""


class Session:
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_bucket",
        "_busy",
        "_guest",
        "_hall",
        "_inbox",
        "_instance",
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
        self._instance = ""
        self._places: dict[TableId, Feed] = {}
        self._inbox: deque[FromClient] = deque()
        self._busy = False

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
        if not granted or len(self._inbox) >= self._hall.limits.waiting_messages:
            self._refuse(message, Refused("too_many"))
        elif self._busy:
            self._inbox.append(message)
        else:
            self._handle(message)

    def _bad_frame(self, code: ErrorCode, command_id: int | None, detail: str | None) -> None:
        """Whoever sends nothing but bad frames floods."""
        if self._refusals.take(self._hall.now()):
            self.error(code, command_id, detail=detail)
        else:
            self.connection.close(CloseCode.FLOOD)

    def _handle(self, message: FromClient) -> None:
        try:
            match message:
                case Ping():
                    self.send({"type": "pong", "time": self._hall.house.store.now()})
                case Hello():
                    if self._guest is not None:
                        raise RuleViolation("already_greeted")
                    self._in_turn(message, self._greet(message))
                case Create() | Join() | AskList() | AskRecords() | AskRecord() | ShareRecord():
                    self._in_turn(message, self._visit(message))
                case _:
                    self._at_table(message)
        except RuleViolation as refused:
            self._refuse(message, Refused(refused.code, refused.detail))

    def _in_turn(self, message: FromClient, work: Coroutine[Any, Any, None]) -> None:
        """Runs the work of a message that needs the store; later messages wait for its end."""
        self._busy = True
        self._hall.tasks.start(self._run(message, work))

    async def _run(self, message: FromClient, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
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
        if hello.protocol != PROTOCOL:
            raise RuleViolation("unsupported_protocol")
        self._hall.admit(self.connection.address)
        name = None
        if hello.name is not None:
            name = clean_name(hello.name)
            if name is None:
                raise RuleViolation("bad_name")
        token = None
        if hello.token is not None:
            guest = await self._hall.house.known_player(hello.token, name)
            if guest is None:
                raise RuleViolation("unknown_token")
        elif name is None:
            raise RuleViolation("name_needed")
        else:
            token, guest = await self._hall.house.new_player(name)
        self._instance = hello.instance
        async with self._hall.feeds_of(guest.player.id) as feeds:
            self._guest = guest
            self.send(
                {
                    "type": "welcome",
                    "player": guest.player.id,
                    "name": guest.player.name,
                    "token": token,
                    "tables": [{"table": feed.actor.id, "seat": feed.seat_of(guest.player.id)} for feed in feeds],
                    "time": self._hall.house.store.now(),
                }
            )
            for feed in feeds:
                self._enter(feed)

    async def _visit(self, message: Create | Join | AskList | AboutRecords) -> None:
        guest = self.guest
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

    async def _create(self, guest: Guest, message: Create) -> None:
        command_id = self._command_id(message)
        admit = partial(self._hall.admit_table, guest.player.id, self.connection.address)
        actor, code = await self._hall.house.opening(guest, command_id, private=message.private, admit=admit)
        command = commands.Create(guest.sitter, actor.id, message.game, message.options, code)
        with self._hall.feeds.open(actor) as feed:
            self._sat_down(message, feed, await _carried_out(actor, command, command_id))

    async def _join(self, guest: Guest, message: Join) -> None:
        self._hall.admit(self.connection.address)
        with self._hall.feeds.open(await self._found(guest, message)) as feed:
            actor = feed.actor
            await self._hall.house.join(guest.player.id, actor.id)
            if message.watch:
                self._sat_down(message, feed, _watching(guest.player.id, actor))
                return
            seat = None if message.seat is None else Seat(message.seat)
            command = commands.TakeSeat(guest.sitter, seat)
            self._sat_down(message, feed, await _carried_out(actor, command, self._command_id(message)))

    async def _found(self, guest: Guest, message: Join) -> TableActor:
        """The table that is meant: a private one opens only to its code, or to who sits there."""
        house = self._hall.house
        if message.code is not None:
            return await house.actor(await house.table_of_code(message.code))
        if message.table is None:
            raise RuleViolation("no_such_table")
        actor = await house.actor(TableId(message.table))
        table = actor.state
        if table is None or (table.code is not None and table.seat_of(guest.player.id) is None):
            raise RuleViolation("no_such_table")
        return actor

    def _sat_down(self, message: Create | Join, feed: Feed, answer: Answer) -> None:
        """The answer to who wants in; whoever was put out since may hear it again, but stays outside."""
        if isinstance(answer, Refused):
            self._refuse(message, answer, feed.actor.id)
        else:
            self._reply(message, feed.actor, answer)
            if not feed.bars(self.player_id):
                self._enter(feed)
                return
        outside = feed.seat_of(self.player_id) is None and not feed.readers_of(self.player_id)
        if outside and (isinstance(answer, Accepted) or answer.code != "store_away"):
            self._hall.forget(self.player_id, feed.actor.id)

    def _enter(self, feed: Feed) -> None:
        if self.connection.open:
            self._places[feed.actor.id] = feed
            feed.enter(self)

    # At a table

    def _at_table(self, message: AtTable) -> None:
        guest = self.guest
        feed = self._places.get(TableId(message.table))
        if feed is None:
            self._in_turn(message, self._repeat(guest, message))
            return
        table = feed.actor.state
        if table is None:
            raise RuleViolation("no_such_table")
        seat = table.seat_of(guest.player.id)
        match message:
            case AskSheet():
                self.send({"type": "sheet", "id": message.id, "table": table.id, **view.sheet(table)})
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
                command = _at_table(guest.player.id, message)
                feed.actor.submit(command, self._command_id(message), partial(self._answered, message, feed.actor))

    async def _repeat(self, guest: Guest, message: AtTable) -> None:
        """A command from somebody who is not at the table: a repeat gets its reply, all else is refused."""
        if isinstance(message, Sync | AskSheet):
            raise RuleViolation("not_at_table")
        actor = await self._hall.house.actor(TableId(message.table))
        with self._hall.feeds.open(actor):
            answer = await _carried_out(actor, _at_table(guest.player.id, message), self._command_id(message))
        if isinstance(answer, Accepted):
            self._reply(message, actor, answer)
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

    def error(
        self,
        code: ErrorCode,
        command_id: int | None,
        *,
        table: str | None = None,
        version: int | None = None,
        detail: str | None = None,
    ) -> None:
        """Says that something was refused."""
        self.send(
            {
                "type": "error",
                "code": code,
                "text": TEXTS[code],
                "id": command_id,
                "table": table,
                "version": version,
                "detail": detail,
            }
        )

    def _refuse(self, message: FromClient, refused: Refused, table: str | None = None) -> None:
        command_id = None if isinstance(message, Hello | Ping) else message.id
        self.error(ErrorCode(refused.code), command_id, table=table, version=refused.version, detail=refused.detail)

    def _reply(self, message: Command, actor: TableActor, answer: Accepted) -> None:
        table = actor.state
        sits = answer.seat is not None and table is not None
        self.send(
            {
                "type": "reply",
                "id": message.id,
                "table": actor.id,
                "version": answer.version,
                "seat": answer.seat,
                "code": table.code if sits and table is not None else None,
            }
        )

    def _command_id(self, message: Command) -> CommandId:
        return CommandId(f"{self.player_id}/{self._instance}", message.id)

    # The connection

    def drained(self) -> None:
        """The connection can take more: every table tells what was held back."""
        for feed in tuple(self._places.values()):
            feed.catch_up(self)

    def ended(self) -> None:
        """The connection is gone."""
        self._inbox.clear()
        for feed in tuple(self._places.values()):
            feed.leave(self)
        self._places.clear()


def _watching(player: PlayerId, actor: TableActor) -> Answer:
    """The answer to who wants to watch."""
    table = actor.state
    if table is None or actor.stopped is not None:
        return Refused(actor.stopped or "no_such_table")
    if player in table.barred:
        return Refused("barred")
    return Accepted(table.version, table.seat_of(player))


async def _carried_out(actor: TableActor, command: commands.PlayersCommand, command_id: CommandId) -> Answer:
    """The answer to a command."""
    answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
    actor.submit(command, command_id, answered.set_result)
    return await answered


def _at_table(player: PlayerId, message: Act | Start | Finish | Annul | Remove | Leave) -> commands.PlayersCommand:
    """The table's command that a message means."""
    match message:
        case Act():
            return commands.Act(player, message.prompt, message.action)
        case Start():
            return commands.StartDeal(player)
        case Finish():
            return commands.FinishMatch(player)
        case Annul():
            return commands.AnnulDeal(player)
        case Remove():
            return commands.RemoveSitter(player, Seat(message.seat))
        case Leave():
            return commands.LeaveSeat(player)
