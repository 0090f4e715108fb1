"""Who plays in the load generator: clients of the product, and clients of the floor with canned moves."""

import selectors
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import msgpack

from tests.bench.line import Line, Message, accepted
from tests.wire import quiet_choice

SEATS = 4
PATIENCE = 10.0
_OVERTAKEN = ("stale", "already_went_on", "no_question")
"""An action can be too late, where several may act at once: the next view asks anew."""
_TABLE, _VERSION, _OWN = (msgpack.packb(word) for word in ("table", "version", "own"))
_TYPE = msgpack.packb("type") + _TABLE
_WIDTHS = {0xCC: 1, 0xCD: 2, 0xCE: 4}
_CHECKED = 20
"""Messages of each player for which the quick reading is compared with a whole one."""


@dataclass(slots=True)
class Table:
    """What its players share: when the next move is due, where the moves are paced."""

    due: float = 0.0


@dataclass(slots=True)
class Counts:
    """What one player has done since the mark."""

    moves: int = 0
    overtaken: int = 0
    delays: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Player(Protocol):
    """One connection. `may_act` after `hear`: then `act`, at once or when the time has come."""

    line: Line
    table: Table
    counts: Counts
    may_act: bool

    def hear(self, payload: bytes) -> None:
        """A message came."""

    def act(self) -> None:
        """Does what the newest view offers."""


def version_of(payload: bytes) -> int:
    """The version in a `table` message, read without unpacking it."""
    place = payload.index(_VERSION) + len(_VERSION)
    first = payload[place]
    return first if first < 0x80 else int.from_bytes(payload[place + 1 : place + 1 + _WIDTHS[first]])


def own_of(payload: bytes) -> Message:
    """The reader's own part of a `table` message, which stands last in it."""
    own: Message = msgpack.unpackb(payload[payload.rindex(_OWN) + len(_OWN) :])
    return own


def is_view(payload: bytes) -> bool:
    """Whether this is a `table` message."""
    return payload.startswith(_TYPE, 1)


class KopPlayer:
    """Acts as soon as he may: ready, ask, go on, or his first card."""

    def __init__(self, line: Line, table: Table) -> None:
        self.line = line
        self.table = table
        self.counts = Counts()
        self.may_act = False
        self._table_id = ""
        self._id = 0
        self._own: Message = {}
        self._seen = 0
        self._acting = False
        self._needed = 0
        self._sent_at = 0.0
        self._checks = _CHECKED

    def command(self, type: str, **fields: object) -> Message:
        """Gives a command before play; its answer."""
        self._id += 1
        answer = accepted(self.line.ask({"type": type, "id": self._id, **fields}))
        self._table_id = answer["table"]
        return answer

    def hear(self, payload: bytes) -> None:
        if is_view(payload):
            self._seen, self._own = version_of(payload), own_of(payload)
            if self._checks:
                self._checks -= 1
                whole = msgpack.unpackb(payload)
                assert (whole["version"], whole["own"]) == (self._seen, self._own), "views are to be read anew"
        else:
            self._answered(msgpack.unpackb(payload))
        self._settle()

    def _answered(self, message: Message) -> None:
        match message["type"]:
            case "reply":
                self._needed = message["version"]
            case "error" if message["code"] in _OVERTAKEN:
                self.counts.overtaken += 1
                self._acting = False
            case "error" | "closed" | "notice":
                self.counts.errors.append(str(message.get("code", message["type"])))

    def _settle(self) -> None:
        """The move is done when its reply has come and its view, in whatever order."""
        if self._acting and self._needed and self._seen >= self._needed:
            self.counts.moves += 1
            self.counts.delays.append(time.perf_counter() - self._sent_at)
            self._acting, self._needed = False, 0
        self.may_act = not self._acting and quiet_choice(self._own.get("actions", [])) is not None

    def act(self) -> None:
        self._id += 1
        self._acting, self.may_act = True, False
        act = {
            "type": "act",
            "id": self._id,
            "table": self._table_id,
            "prompt": self._own["prompt"],
            "action": quiet_choice(self._own["actions"]),
        }
        self._sent_at = time.perf_counter()
        self.line.send(msgpack.packb(act))


class FloorPlayer:
    """Sends the canned move whenever it is his turn: seat after seat, round and round."""

    def __init__(self, line: Line, table: Table, seat: int, move: bytes) -> None:
        self.line = line
        self.table = table
        self.counts = Counts()
        self.may_act = False
        self._seat = seat
        self._move = move
        self._sent_at = 0.0

    def hear(self, payload: bytes) -> None:
        if not is_view(payload):
            return
        if self._sent_at:
            self.counts.moves += 1
            self.counts.delays.append(time.perf_counter() - self._sent_at)
            self._sent_at = 0.0
        self.may_act = version_of(payload) % SEATS == self._seat

    def act(self) -> None:
        self.may_act = False
        self._sent_at = time.perf_counter()
        self.line.send(self._move)


def kop_players(urls: list[str], number: int) -> list[KopPlayer]:
    """Four players at a new table whose match has no end; their connections go round the URLs."""
    table = Table()
    players = [KopPlayer(Line(urls[seat % len(urls)]), table) for seat in range(SEATS)]
    for seat, player in enumerate(players):
        player.line.greet(name=f"Bench {number}.{seat}")
    created = players[0].command("create", options={"deals": None})
    for player in players[1:]:
        player.command("join", code=created["code"])
    return players


def floor_players(url: str, number: int, move: bytes) -> list[FloorPlayer]:
    """Four players at a table of the floor."""
    table = Table()
    return [FloorPlayer(Line(f"{url}?table={number}&seat={seat}"), table, seat, move) for seat in range(SEATS)]


def play(players: Sequence[KopPlayer], moves: int, heard: Callable[[int, bytes], None] | None = None) -> None:
    """Lets four players make so many moves at their table; `heard` is told each message and whose it is."""
    done = 0

    def take(seat: int, payloads: list[bytes]) -> None:
        nonlocal done
        player = players[seat]
        for payload in payloads:
            player.hear(payload)
            if heard is not None:
                heard(seat, payload)
        done = sum(other.counts.moves for other in players)
        if player.may_act and done < moves:
            player.act()

    with selectors.DefaultSelector() as selector:
        for seat, player in enumerate(players):
            selector.register(player.line.socket, selectors.EVENT_READ, seat)
            take(seat, player.line.kept())
        while done < moves:
            ready = selector.select(PATIENCE)
            assert ready, "the table stands still"
            for seat in (key.data for key, _ in ready):
                take(seat, players[seat].line.take())
