"""The floor's frames: taken from a match of the product that is played and recorded at the start of the bench."""

import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgpack
import redis

from server.store.keys import BODY, log_key
from server.table.ids import TableId
from tests.bench.line import Line
from tests.bench.players import KopPlayer, Table, is_view, play, version_of


@dataclass(frozen=True, slots=True)
class Canned:
    """What the floor and its clients send: a move, a reply, an entry of the log, and a view for each seat.

    Each is a real one of the product, of the size nearest to the mean; the four views belong to one move.
    """

    move: bytes
    reply: dict[str, Any]
    entry: bytes
    views: tuple[dict[str, Any], ...]

    @property
    def sizes(self) -> dict[str, float]:
        """The payloads in bytes; that of a view is the mean of the four."""
        views = [len(msgpack.packb(view)) for view in self.views]
        return {
            "move": len(self.move),
            "reply": len(msgpack.packb(self.reply)),
            "entry": len(self.entry),
            "view": statistics.fmean(views),
        }

    def write(self, place: Path) -> None:
        """Keeps it for the other processes."""
        place.write_bytes(msgpack.packb([self.move, self.reply, self.entry, self.views]))

    @classmethod
    def read(cls, place: Path) -> "Canned":
        """What was written."""
        move, reply, entry, views = msgpack.unpackb(place.read_bytes())
        return cls(move, reply, entry, tuple(views))


class _Recorder(Line):
    """A line that keeps what it sends."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sent: list[bytes] = []

    def send(self, payload: bytes) -> None:
        self.sent.append(payload)
        super().send(payload)


def recorded(url: str, store_url: str, moves: int) -> tuple[Canned, dict[str, float]]:
    """Plays so many moves on a server of the product; the frames for the floor, and the mean sizes of all in bytes."""
    table = Table()
    lines = [_Recorder(url) for _ in range(4)]
    players = [KopPlayer(line, table) for line in lines]
    for seat, player in enumerate(players):
        player.line.greet(name=f"Bench 0.{seat}")
    created = players[0].command("create", options={"deals": None})
    for player in players[1:]:
        player.command("join", code=created["code"])
    for line in lines:
        line.sent.clear()
    replies: list[bytes] = []
    views: defaultdict[int, dict[int, bytes]] = defaultdict(dict)

    def heard(seat: int, payload: bytes) -> None:
        if is_view(payload):
            views[version_of(payload)][seat] = payload
        else:
            replies.append(payload)

    play(players, moves, heard)
    for line in lines:
        line.close()
    sent = [payload for line in lines for payload in line.sent]
    whole = [[four[seat] for seat in range(4)] for four in views.values() if len(four) == 4]
    return _chosen(sent, replies, _entries(store_url, TableId(created["table"])), whole)


def _entries(store_url: str, table: TableId) -> list[bytes]:
    with redis.Redis.from_url(store_url) as store:
        lines: Any = store.xrange(log_key(table))
        return [fields[BODY] for _, fields in lines]


def _chosen(
    moves: Sequence[bytes], replies: Sequence[bytes], entries: Sequence[bytes], views: Sequence[Sequence[bytes]]
) -> tuple[Canned, dict[str, float]]:
    means = {
        "move": statistics.fmean(map(len, moves)),
        "reply": statistics.fmean(map(len, replies)),
        "entry": statistics.fmean(map(len, entries)),
        "view": statistics.fmean(len(one) for four in views for one in four),
    }
    four = min(views, key=lambda four: abs(sum(map(len, four)) - 4 * means["view"]))
    canned = Canned(
        move=_nearest(moves, means["move"]),
        reply=msgpack.unpackb(_nearest(replies, means["reply"])),
        entry=_nearest(entries, means["entry"]),
        views=tuple(msgpack.unpackb(one) for one in four),
    )
    return canned, means


def _nearest(payloads: Sequence[bytes], size: float) -> bytes:
    return min(payloads, key=lambda payload: abs(len(payload) - size))
