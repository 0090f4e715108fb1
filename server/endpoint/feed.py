"""What a table tells its readers: the newest view and what happened since each reader's last one.

Each distinct part is encoded once per encoding: the head with the public view for all readers, the own
part for each seat; of the public view only what has changed. A reader that is congested is passed over,
and told all at once when it can read.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from protocol.codec import MAP_END, Encoding, Entries, begun_map, entry, pack, pack_entries
from server.endpoint.parts import PackedTable
from server.endpoint.websocket import Connection, frame
from server.games.game import Plain, Seat
from server.runtime.actor import TableActor
from server.runtime.house import House
from server.table.events import Sitter
from server.table.ids import PlayerId, TableId
from server.table.state import Table

MOST_HAPPENED: Final = 32 * 1024
"""Bytes of happenings above which a reader gets the view alone."""
PRESENCE_DELAY: Final = 0.1
"""Seconds in which comings and goings are gathered into one message."""

Reason = Literal["left", "removed", "expired"]
_NO_OWN: Final = {encoding: pack(None, encoding) for encoding in Encoding}


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
    """A reader's place: whose it is, the version it was told last, and whether it sat then."""

    player: PlayerId
    seen: int = 0
    sat: bool = False
    presence: int = 0
    _seats: tuple[Sitter | None, ...] = ()
    _seat: Seat | None = None

    def seat(self, table: Table) -> Seat | None:
        """The reader's seat; it is looked for where the seats are others than before."""
        if self._seats is not table.seats:
            self._seats, self._seat = table.seats, table.seat_of(self.player)
        return self._seat


@dataclass(frozen=True, slots=True)
class _Company:
    """Who of these seats is here, and how many watch."""

    seats: tuple[Sitter | None, ...]
    here: list[bool]
    watchers: int
    packed: dict[tuple[Encoding, bool], Entries] = field(default_factory=dict)


class Feed:
    """The readers of one table in this process."""

    def __init__(self, actor: TableActor, ended: Callable[["Feed"], None]) -> None:
        self.actor = actor
        self._ended = ended
        self._places: dict[Reader, _Place] = {}
        self._shown: Table | None = None
        self._packed = {encoding: PackedTable(encoding) for encoding in Encoding}
        self._heads: dict[tuple[Encoding, int, bool], bytes] = {}
        self._company: _Company | None = None
        self._presence = 0
        self._visits = 0
        self._now = asyncio.get_running_loop().time
        self._since = self._now()
        self._left_at: dict[PlayerId, float] = {}
        self._timer: asyncio.TimerHandle | None = None
        actor.changed = self._changed
        actor.rolled_back = self._rolled_back
        actor.gone = self._gone
        actor.elsewhere_changed = self._elsewhere_changed
        self._elsewhere = actor.elsewhere

    def enter(self, reader: Reader) -> None:
        """A reader comes, or asks for the whole view again: it gets the newest one at once."""
        table = self.actor.state
        if table is None:
            return
        new = reader not in self._places
        place = self._places[reader] = _Place(reader.player_id)
        seat = place.seat(table)
        place.sat = seat is not None
        if new:
            self._company = None
            self._heads.clear()
        self._tell(reader, place, table, seat)
        if new:
            self._presence_changed()
            self._report(reader.player_id)  # not gathered: who is back has his seat at once

    def leave(self, reader: Reader) -> None:
        """A reader goes; the last one ends the feed."""
        if self._places.pop(reader, None) is not None:
            self._company = None
            self._presence_changed()
            if self.seat_of(reader.player_id) is not None:
                self._left_at[reader.player_id] = self._now()
        self._end_if_empty()

    def dismiss(self, player: PlayerId) -> None:
        """A player has left: all his connections go, and are told so."""
        for reader in self.readers_of(player):
            reader.closed(self.actor.id, "left")
            self.leave(reader)

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

    @property
    def attendance(self) -> tuple[int, int]:
        """How many connections are here, and how many of them only watch."""
        return len(self._places), sum(not place.sat for place in self._places.values())

    def catch_up(self, reader: Reader) -> None:
        """A reader that was congested can read again."""
        table = self.actor.state
        place = self._places.get(reader)
        if table is not None and place is not None and self._behind(place, table):
            self._tell(reader, place, table, place.seat(table))

    def seat_of(self, player: PlayerId) -> Seat | None:
        """The seat of a player at this table."""
        return None if self.actor.state is None else self.actor.state.seat_of(player)

    def away_for(self, player: PlayerId) -> float:
        """For how many seconds a player has had no connection to the table, as far as this process knows."""
        if self.readers_of(player) or player in self._elsewhere:
            return 0.0
        return self._now() - self._left_at.get(player, self._since)

    def bars(self, player: PlayerId) -> bool:
        """Whether he is not even shown the table: the owner has removed him, or nobody may watch and he has no seat."""
        return self.actor.state is None or self.actor.state.keeps_out(player)

    def readers_of(self, player: PlayerId) -> tuple[Reader, ...]:
        """All connections of a player at this table."""
        return tuple(reader for reader in self._places if reader.player_id == player)

    def _changed(self) -> None:
        table = self.actor.state
        if table is None:
            return
        self._heads.clear()
        all_told = True
        for reader, place in tuple(self._places.items()):
            seat = place.seat(table)
            if seat is None and place.sat:
                self._put_out(reader, "removed" if place.player in table.barred else "left")
                continue
            place.sat = seat is not None
            if self._behind(place, table):
                if reader.connection.congested:
                    all_told = False
                else:
                    self._tell(reader, place, table, seat)
        if all_told:  # an idle table keeps nothing that nobody waits for
            self.actor.happened.clear()
            self._heads.clear()
        self._end_if_empty()

    def _put_out(self, reader: Reader, reason: Reason) -> None:
        del self._places[reader]
        self._company = None
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

    def _elsewhere_changed(self) -> None:
        """Other processes have told who is connected to the table there."""
        before, self._elsewhere = self._elsewhere, self.actor.elsewhere
        if before != self._elsewhere:
            self._company = None
            self._left_at.update(dict.fromkeys(before - self._elsewhere, self._now()))
            self._presence_changed()

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
        self.actor.attended_by(frozenset(place.player for place in self._places.values()), came)

    def _tell(self, reader: Reader, place: _Place, table: Table, seat: Seat | None) -> None:
        """One message with everything since the reader's last. What was packed of another state is forgotten."""
        if self._shown is not table:
            self._shown = table
            self._heads.clear()
        encoding = reader.connection.encoding
        key = (encoding, place.seen, seat is None)
        head = self._heads.get(key)
        if head is None:
            head = self._heads[key] = self._head(encoding, place.seen, table, watching=seat is None)
        own = _NO_OWN[encoding] if seat is None else self._packed[encoding].own(table, seat)
        place.seen, place.presence = table.version, self._presence
        reader.connection.send(frame(head + own + MAP_END[encoding], encoding))

    def _head(self, encoding: Encoding, seen: int, table: Table, *, watching: bool) -> bytes:
        """The message up to the reader's own part, which stands last in it."""
        happened = self._happened(encoding, seen, table, watching=watching)
        parts = (
            self._standing(encoding, table, resync=happened is None),
            pack_entries({"from": seen, "version": table.version}, encoding),
            entry("happened", pack([], encoding) if happened is None else happened, encoding),
            entry("public", self._packed[encoding].public(table), encoding),
        )
        return begun_map(parts, "own", encoding)

    def _standing(self, encoding: Encoding, table: Table, *, resync: bool) -> Entries:
        """The small entries that stay while nobody comes or goes."""
        company = self._company
        if company is None or company.seats is not table.seats:
            company = self._company = self._company_of(table)
        packed = company.packed.get((encoding, resync))
        if packed is None:
            small = {
                "type": "table",
                "table": table.id,
                "resync": resync,
                "here": company.here,
                "watchers": company.watchers,
            }
            packed = company.packed[encoding, resync] = pack_entries(small, encoding)
        return packed

    def _happened(self, encoding: Encoding, seen: int, table: Table, *, watching: bool) -> bytes | None:
        """What happened after a version, encoded; None if that is not known any more, or too much."""
        if seen == table.version:
            return pack([], encoding)
        recent = self.actor.happened
        if not seen or not recent or recent[0].version > seen + 1:
            return None
        happened: Sequence[Plain] = ()
        for one in reversed(recent):
            if one.version <= seen:
                break
            news = one.events + one.to_watchers if watching else one.events
            happened = (*news, *happened) if happened else news
        packed = pack(happened, encoding)
        return packed if len(packed) <= MOST_HAPPENED else None

    def _company_of(self, table: Table) -> _Company:
        """It is counted again when somebody came or went, or the seats are others."""
        players = self._players()
        here = [one is not None and (one.bot is not None or one.player in players) for one in table.seats]
        return _Company(table.seats, here, sum(table.seat_of(player) is None for player in players))

    def _players(self) -> frozenset[PlayerId]:
        """Who is connected to the table, here or in another process."""
        return self._elsewhere.union(place.player for place in self._places.values())


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

    def attendance(self) -> tuple[int, int]:
        """How many connections are at tables here, and how many of them only watch; each once for each table."""
        counted = [feed.attendance for feed in self._feeds.values()]
        return sum(readers for readers, _ in counted), sum(watchers for _, watchers in counted)

    def has(self, player: PlayerId, table: TableId) -> bool:
        """Whether a player sits or watches at a table, as far as this process knows."""
        feed = self._feeds.get(table)
        return feed is not None and (feed.seat_of(player) is not None or feed.away_for(player) == 0.0)

    def _end(self, feed: Feed) -> None:
        if self._feeds.get(feed.actor.id) is feed:
            del self._feeds[feed.actor.id]
            self._house.release(feed.actor)
