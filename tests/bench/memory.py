"""What the server's memory holds: idle connections, idle open tables, and tables that nobody looks at."""

import gc
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgpack

from tests.bench.cores import on
from tests.bench.figures import Row, Spread
from tests.bench.line import Line
from tests.bench.load import allow_files
from tests.bench.part import Part, Plan, progress
from tests.bench.players import SEATS, KopPlayer, Table, play
from tests.bench.processes import KIB, cpu_seconds, holding
from tests.bench.servers import Served, product
from tests.bench.valkey import valkey

MOST_CONNECTION, MOST_TABLE = 25.0, 30.0
MOST_ROUNDS = 3
GRACE = 5.0
FEW = 5
MOVES = 20
"""Moves at each table: then it is in the middle of a deal."""
IDLE_SECONDS = 5.0
_LEVEL = 16 * KIB
_PING = msgpack.packb({"type": "ping"})


@dataclass(frozen=True, slots=True)
class Weight:
    """KiB for each connection or table; CPU in ms per second of a server that nobody talks to."""

    connection: float
    between: float
    dealt: float
    abandoned_first: float
    abandoned: float
    cpu_before: float
    cpu_after: float


def measured(plan: Plan) -> Part:
    """Each round weighs a new server."""
    connections, tables = (200, 50) if plan.quick else (2000, 500)
    rounds = min(plan.rounds, MOST_ROUNDS)
    settings = {"connections": connections, "tables": tables, "rounds": rounds, "grace_s": GRACE}
    part = Part("memory", "Memory", settings)
    part.notes.append("memory that belongs to the server process alone (unique set size)")
    allow_files(max(connections, SEATS * tables) + 1000)
    weights = []
    for turn in range(rounds):
        weights.append(_weighed(plan, connections, tables))
        one = weights[-1]
        progress(f"round {turn + 1}: {one.connection:.1f} KiB a connection, {one.dealt:.1f} KiB a table more")

    def row(key: str, text: str, unit: str, values: list[float], most: float | None = None) -> None:
        part.rows.append(Row(key, text, unit, Spread.of(values), most=most))

    row("connection", "idle connection", "KiB", [one.connection for one in weights], MOST_CONNECTION)
    row("between", "idle open table before its first deal, more", "KiB", [one.between for one in weights], MOST_TABLE)
    row("dealt", "idle open table in a deal, more", "KiB", [one.dealt for one in weights], MOST_TABLE)
    row("abandoned", "table that nobody looks at", "KiB", [one.abandoned for one in weights])
    row("abandoned_first", "the same, of the first tables of a new server", "KiB", [w.abandoned_first for w in weights])
    row("cpu_before", "CPU of an idle server without tables", "ms per s", [one.cpu_before for one in weights])
    row("cpu_after", "CPU of an idle server with abandoned tables", "ms per s", [one.cpu_after for one in weights])
    return part


def _weighed(plan: Plan, connections: int, tables: int) -> Weight:
    room = plan.room("memory")
    with (
        on(plan.cores.others),
        valkey(room / "v") as store,
        product(room / "server", store, plan.cores, {"KOP_LIMIT_GRACE_SECONDS": str(GRACE)}) as server,
    ):
        _visited(server, FEW)
        base, cpu_before = _level(server), _idle(server)
        lines = [_greeted(server, number) for number in range(connections)]
        idle = _level(server, lines)
        _cut(server, lines)
        after_connections = _level(server)
        seated = [_greeted_four(server, number) for number in range(tables)]
        lines = [player.line for table in seated for player in table]
        greeted = _level(server, lines)
        for table in _slowly(seated, lines):
            _seat(table)
        between = _level(server, lines)
        for table in _slowly(seated, lines):
            play(table, MOVES)
        dealt = _level(server, lines)
        _cut(server, lines)
        once = _level(server)
        _visited(server, tables)
        twice = _level(server)
        return Weight(
            connection=(idle - base) / connections / KIB,
            between=(between - greeted) / tables / KIB,
            dealt=(dealt - greeted) / tables / KIB,
            abandoned_first=(once - after_connections) / tables / KIB,
            abandoned=(twice - once) / tables / KIB,
            cpu_before=cpu_before,
            cpu_after=_idle(server),
        )


def _greeted(server: Served, number: int) -> Line:
    line = Line(server.url)
    line.greet(name=f"Idle {number}")
    return line


def _greeted_four(server: Served, number: int) -> list[KopPlayer]:
    table = Table()
    return [KopPlayer(_greeted(server, SEATS * number + seat), table) for seat in range(SEATS)]


def _seat(players: Sequence[KopPlayer]) -> None:
    created = players[0].command("create", options={"deals": None})
    for player in players[1:]:
        player.command("join", code=created["code"])


def _visited(server: Served, tables: int) -> None:
    """So many tables are opened, played at, and abandoned."""
    seated = [_greeted_four(server, number) for number in range(tables)]
    lines = [player.line for table in seated for player in table]
    for table in _slowly(seated, lines):
        _seat(table)
        play(table, MOVES)
    _cut(server, lines)


def _slowly(tables: Sequence[list[KopPlayer]], lines: Sequence[Line]) -> Iterator[list[KopPlayer]]:
    """One table after another; meanwhile all lines are kept alive."""
    for number, table in enumerate(tables):
        if number % 100 == 0:
            _keep_alive(lines)
        yield table


def _keep_alive(lines: Sequence[Line]) -> None:
    """Says something on each: who is silent for too long is cut off."""
    for line in lines:
        line.send(_PING)


def _cut(server: Served, lines: Sequence[Line]) -> None:
    """Hangs up without a farewell; returns when the graces of all are over and noted."""
    for line in lines:
        line.close()
    gc.collect()
    time.sleep(GRACE + 2)


def _level(server: Served, lines: Sequence[Line] = ()) -> int:
    """The private memory of the server in bytes, when it has come to rest; these lines are kept alive."""
    _keep_alive(lines)
    before, deadline = 0, time.monotonic() + 15
    while True:
        time.sleep(1)
        now = holding(server.pid).private
        if abs(now - before) <= _LEVEL or time.monotonic() > deadline:
            _keep_alive(lines)
            return now
        before = now


def _idle(server: Served) -> float:
    """CPU time in ms per second while nobody talks."""
    before = cpu_seconds(server.pid)
    time.sleep(IDLE_SECONDS)
    return 1000 * (cpu_seconds(server.pid) - before) / IDLE_SECONDS
