"""What a table tells its readers: the newest view and what happened since each reader's last one.

Each distinct part is encoded once per encoding: the head with the public view for all readers, the own
part for each seat. A reader that is congested is passed over, and told all at once when it can read.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, Protocol

from protocol.codec import Encoding, pack
from server.endpoint.websocket import Connection, frame
from server.games.game import Seat
from server.runtime.actor import TableActor
from server.runtime.house import House
from server.table import view
from server.table.ids import PlayerId, TableId
from server.table.state import Table

MOST_HAPPENED: Final = 32 * 1024
"""Bytes of happenings above which a reader gets the view alone."""
PRESENCE_DELAY: Final = 0.1
"""Seconds in which comings and goings are gathered into one message."""

Reason = Literal["left", "removed", "expired"]
_NO_OWN: Final = {encoding: pack(None, encoding) for encoding in Encoding}
_HAPPENED, _PUBLIC, _OWN = (pack(name, Encoding.MSGPACK) for name in ("happened", "public", "own"))


class Reader(Protocol):
    """One connection at a table."""

    connection: Connection

    @property
    def player_id(self) -> PlayerId:
        """Whose connection it is."""

    def closed(self, table: TableId, reason: Reason) -> None:
        """The reader is at the table no longer, and has to be told."""

    def rolled_back(self, table: TableId) -> None:
        """The store came back older than what was told: a view that goes back follows."""


@dataclass(slots=True)
class _Place:
    """A reader's place: the version it was told last, and whether it sat."""

    seen: int
    sat: bool
    presence: int = 0


class Feed:
    """The readers of one table in this process."""

    def __init__(self, actor: TableActor, ended: Callable[["Feed"], None]) -> None:
        self.actor = actor
        self._ended = ended
        self._places: dict[Reader, _Place] = {}
        self._parts: dict[object, bytes] = {}
        self._presence = 0
        self._visits = 0
        self._now = asyncio.get_running_loop().time
        self._since = self._now()
        self._left_at: dict[PlayerId, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        actor.changed = self._changed
        actor.rolled_back = self._rolled_back
        actor.gone = self._gone

    def enter(self, reader: Reader) -> None:
        """A reader comes, or asks for the whole view again: it gets the newest one at once."""
        table = self.actor.state
        if table is None:
            return
        new = reader not in self._places
        self._places[reader] = _Place(0, table.seat_of(reader.player_id) is not None)
        self._tell(reader, table)
        if new:
            self._presence_changed()
            self._report(reader.player_id)  # not gathered: who is back has his seat at once

    def leave(self, reader: Reader) -> None:
        """A reader goes; the last one ends the feed."""
        if self._places.pop(reader, None) is not None:
            self._presence_changed()
            if self.seat_of(reader.player_id) is not None:
                self._left_at[reader.player_id] = self._now()
        self._end_if_empty()

    @contextlib.contextmanager
    def visit(self) -> Iterator["Feed"]:
        """The feed stays for the length of the block, so that who is about to `enter` finds it alive."""
        self._visits += 1
        try:
            yield self
        finally:
            self._visits -= 1
            self._end_if_empty()

    def _end_if_empty(self) -> None:
        """Lets go of the table when nobody reads, or is about to."""
        if not self._places and not self._visits:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._report()
            self._ended(self)

    def catch_up(self, reader: Reader) -> None:
        """A reader that was congested can read again."""
        table = self.actor.state
        place = self._places.get(reader)
        if table is not None and place is not None and self._behind(place, table):
            self._tell(reader, table)

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a player at this table."""
        return None if self.actor.state is None else self.actor.state.seat_of(player)

    def away_for(self, player: PlayerId) -> float:
        """For how many seconds no connection of a player has been here, as far as this process knows."""
        if self.readers_of(player):
            return 0.0
        return self._now() - self._left_at.get(player, self._since)

    def bars(self, player: PlayerId) -> bool:
        """Whether the owner has removed this player: he does not even watch."""
        return self.actor.state is None or player in self.actor.state.barred

    def readers_of(self, player: PlayerId) -> tuple[Reader, ...]:
        """All connections of a player at this table."""
        return tuple(reader for reader in self._places if reader.player_id == player)

    def _changed(self) -> None:
        table = self.actor.state
        if table is None:
            return
        self._parts.clear()
        for reader, place in tuple(self._places.items()):
            sits = table.seat_of(reader.player_id) is not None
            if place.sat and not sits:
                self._put_out(reader, "removed" if reader.player_id in table.barred else "left")
                continue
            place.sat = sits
            if self._behind(place, table) and not reader.connection.congested:
                self._tell(reader, table)
        self._end_if_empty()

    def _put_out(self, reader: Reader, reason: Reason) -> None:
        del self._places[reader]
        self._presence_changed()
        reader.closed(self.actor.id, reason)

    def _rolled_back(self) -> None:
        for reader, place in self._places.items():
            place.seen = 0
            reader.rolled_back(self.actor.id)

    def _gone(self) -> None:
        for reader in tuple(self._places):
            self._put_out(reader, "expired")
        self._end_if_empty()

    def _behind(self, place: _Place, table: Table) -> bool:
        return place.seen != table.version or place.presence != self._presence

    def _presence_changed(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PRESENCE_DELAY, self._tell_presence)

    def _tell_presence(self) -> None:
        self._timer = None
        self._presence += 1
        self._report()
        self._changed()

    def _report(self, came: PlayerId | None = None) -> None:
        """Tells the table who is here, and who has just come over a new connection."""
        self.actor.attended_by(self._players(), came)

    def _tell(self, reader: Reader, table: Table) -> None:
        """One message with everything since the reader's last."""
        place = self._places[reader]
        encoding = reader.connection.encoding
        seat = table.seat_of(reader.player_id)
        body = self._head(encoding, place.seen, table, watching=seat is None) + self._own(encoding, seat, table)
        if encoding is Encoding.JSON:
            body += b"}"
        place.seen, place.presence = table.version, self._presence
        reader.connection.send(frame(body, encoding))

    def _head(self, encoding: Encoding, seen: int, table: Table, *, watching: bool) -> bytes:
        """The message up to the reader's own part, which stands last in it."""
        key = (encoding, seen, watching)
        head = self._parts.get(key)
        if head is None:
            happened = self._happened(encoding, seen, table, watching=watching)
            small = {
                "type": "table",
                "table": table.id,
                "from": seen,
                "version": table.version,
                "resync": happened is None,
                "here": self._here(table),
                "watchers": self._watchers(table),
            }
            happened = pack([], encoding) if happened is None else happened
            head = _spliced(small, happened, self._public(encoding, table), encoding)
            self._parts[key] = head
        return head

    def _public(self, encoding: Encoding, table: Table) -> bytes:
        part = self._parts.get(encoding)
        if part is None:
            part = self._parts[encoding] = pack(view.public(table), encoding)
        return part

    def _own(self, encoding: Encoding, seat: Seat | None, table: Table) -> bytes:
        if seat is None:
            return _NO_OWN[encoding]
        key = (encoding, "own", seat)
        part = self._parts.get(key)
        if part is None:
            part = self._parts[key] = pack(view.own(table, seat), encoding)
        return part

    def _happened(self, encoding: Encoding, seen: int, table: Table, *, watching: bool) -> bytes | None:
        """What happened after a version, encoded; None if that is not known any more, or too much."""
        if seen == table.version:
            return pack([], encoding)
        recent = self.actor.happened
        if not seen or not recent or recent[0].version > seen + 1:
            return None
        happened: list[Any] = []
        for one in recent:
            if one.version > seen:
                happened += one.events
                happened += one.to_watchers if watching else ()
        packed = pack(happened, encoding)
        return packed if len(packed) <= MOST_HAPPENED else None

    def _here(self, table: Table) -> list[bool]:
        players = self._players()
        return [sitter is not None and (sitter.bot is not None or sitter.player in players) for sitter in table.seats]

    def _players(self) -> frozenset[PlayerId]:
        return frozenset(reader.player_id for reader in self._places)

    def _watchers(self, table: Table) -> int:
        return len({reader.player_id for reader in self._places if table.seat_of(reader.player_id) is None})


def _spliced(small: dict[str, Any], happened: bytes, public: bytes, encoding: Encoding) -> bytes:
    """The beginning of a `table` message: small fields, then encoded parts, up to the value of its last key."""
    head = pack(small, encoding)
    match encoding:
        case Encoding.MSGPACK:  # a map of up to 15 entries has their number in its first byte
            opened = bytes((head[0] + 3,)) + head[1:]
            return opened + _HAPPENED + happened + _PUBLIC + public + _OWN
        case Encoding.JSON:
            return head[:-1] + b',"happened":' + happened + b',"public":' + public + b',"own":'


class Feeds:
    """The feeds of all tables that somebody reads here."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._feeds: dict[TableId, Feed] = {}

    def open(self, actor: TableActor) -> contextlib.AbstractContextManager[Feed]:
        """A visit to the table's feed, which holds its actor until the last reader leaves."""
        feed = self._feeds.get(actor.id)
        if feed is None or feed.actor is not actor:
            feed = self._feeds[actor.id] = Feed(actor, self._end)
            self._house.hold(actor)
        return feed.visit()

    def has(self, player: PlayerId, table: TableId) -> bool:
        """Whether a player sits or watches at a table, as far as this process knows."""
        feed = self._feeds.get(table)
        return feed is not None and (feed.seat_of(player) is not None or bool(feed.readers_of(player)))

    def _end(self, feed: Feed) -> None:
        if self._feeds.get(feed.actor.id) is feed:
            del self._feeds[feed.actor.id]
            self._house.release(feed.actor)
