"""What the store holds, for fuzzing what reads it: entries, snapshots and records of eventful tables, nearly right."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import msgpack

from server.table import codec
from server.table.codec import LogLine, Unreadable
from server.table.ids import RecordId
from server.table.records import DealRecord
from server.table.state import Table
from tests.fuzz import strange, trees
from tests.fuzz.script import Script
from tests.parties import played
from tests.table.scenes import Log
from tests.table.test_codec import LOGS
from tests.table.test_one_seat import act, playing

VALUES = tuple(one for one in strange.VALUES if not (type(one) is int and not -(2**63) <= one < 2**64))


@dataclass(frozen=True, slots=True)
class Kept:
    """One body that the store holds. `kind` is entry, snapshot or record; `game` is None in a first entry."""

    kind: str
    game: str | None
    body: bytes

    def read(self, body: bytes) -> LogLine | Table | DealRecord | None:
        """What another body in this one's place is read as; None if it is unreadable."""
        try:
            match self.kind:
                case "entry":
                    codec_nonce(body)
                    return codec.decode(7, body, self.game)
                case "snapshot":
                    return codec.decode_snapshot(body)
                case _:
                    return codec.decode_record(RecordId("t1-1-1"), body)
        except Unreadable:
            return None


def codec_nonce(body: bytes) -> bytes | None:
    """The nonce in a body, None if it is unreadable."""
    try:
        return codec.nonce(body)
    except Unreadable:
        return None


@cache
def kept() -> tuple[Kept, ...]:
    """Bodies of every kind: each entry of eventful tables, some of their snapshots, a record."""
    found: list[Kept] = []
    for log, game in (*((one, "kop") for one in LOGS), *((_patience(name), name) for name in ("zopf", "carpet"))):
        found += [Kept("entry", None if line.version == 1 else game, codec.encode(line)) for line in log.lines]
        found.append(Kept("snapshot", None, codec.encode_snapshot(log.table)))
    record = DealRecord(RecordId("t1-1-1"), True, ("p0", "p1"), played({"deals": 4}, 1)[0])  # type: ignore[arg-type]
    found.append(Kept("record", None, codec.encode_record(record)))
    return tuple(found)


def _patience(name: str) -> Log:
    log = playing(name)
    for action in ("draw", "undo", "draw", "give_up"):
        act(log, action)
    return log


def nearly(one: Kept, script: Script) -> bytes:
    """The body with something changed, in its data or in its bytes."""
    match script.below(8):
        case 0:
            return script.take(64)
        case 1 | 2:
            return strange.spoilt(one.body, script)
        case _:
            plain: Any = trees.changed(msgpack.unpackb(one.body), script, VALUES)
            return bytes(msgpack.packb(plain, unicode_errors="surrogatepass"))
