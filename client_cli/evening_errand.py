"""`kop evening`: prints the sheet of the evening of one of the player's tables, as text or for other programs."""

import argparse
import asyncio
import sys
from random import Random

from client_cli.address import Server, Target
from client_cli.board import Board
from client_cli.connection import Connection
from client_cli.console import PlainConsole
from client_cli.evening import evening_sentences
from client_cli.evening_files import exported
from client_cli.home import Saved
from client_cli.presence import Identity, Loss
from client_cli.running import FAILED, OK, run
from client_cli.style import dress
from client_cli.view import Message


class Arrival:
    """Hears a server until all of the player's tables have shown themselves."""

    def __init__(self) -> None:
        self.tables: dict[str, str | None] = {}
        """The player's tables with their join codes, as far as he sits there."""
        self.complete = asyncio.Event()
        self._missing: set[str] = set()

    def welcomed(self, welcome: Message) -> None:
        """The player's tables; a view of each follows."""
        seated_first = sorted(welcome["tables"], key=lambda one: one["seat"] is None)
        self.tables = {one["table"]: None for one in seated_first}
        self._missing = set(self.tables)
        self._look()

    def heard(self, message: Message) -> None:
        """A view, or why a table cannot show one."""
        table = message.get("table")
        if message["type"] == "table" and message["own"] is not None:
            self.tables[message["table"]] = message["own"]["code"]
        if table is not None and message["type"] in ("table", "error"):
            self._missing.discard(table)
            self._look()

    def lost(self, loss: Loss) -> None:
        """The connection comes back by itself."""

    def forgotten(self) -> None:
        """Then the player has no table there."""

    def _look(self) -> None:
        if not self._missing:
            self.complete.set()


def run_evening(given: argparse.Namespace, target: Target | None, saved: Saved, server: Server, board: Board) -> int:
    """Does what was asked for and gives the exit code."""
    console = PlainConsole()

    async def work() -> int:
        arrival = Arrival()
        identity = Identity(given.name or saved.name or "guest", saved.tokens.get(server.base))
        connection = Connection(server, identity, arrival, rng=Random(), patient=False)  # noqa: S311 (jitter)
        async with asyncio.TaskGroup() as tasks:
            keeping = tasks.create_task(connection.run())
            await arrival.complete.wait()
            code = await _print(connection, arrival, target, given, board, console)
            keeping.cancel()
        return code

    return run(work(), server, board, console)


async def _print(
    connection: Connection, arrival: Arrival, target: Target | None, given: argparse.Namespace, board: Board,
    console: PlainConsole,
) -> int:  # fmt: skip
    table = _meant(arrival.tables, target)
    if table is None:
        key = "evening.not_there" if arrival.tables else "said.no_table"
        print(board.texts(key, tables=", ".join(arrival.tables)), file=sys.stderr)
        return FAILED
    answer = await connection.post("evening", table=table).answer
    if answer["type"] == "error":
        print(board.error_text(answer), file=sys.stderr)
        return FAILED
    if given.format == "text" and given.plain:
        console.show([dress(text) for text in evening_sentences(answer, board.texts)])
    else:
        sys.stdout.write(exported(answer, board.texts, given.format))
        sys.stdout.flush()
    return OK


def _meant(tables: dict[str, str | None], target: Target | None) -> str | None:
    """The table of this id or code; without one the player's first."""
    if target is None:
        return next(iter(tables), None)
    for key, value in target.readings:
        for table, code in tables.items():
            if (key == "table" and value == table) or (key == "code" and _bare(value) == _bare(code or "")):
                return table
    return None


def _bare(code: str) -> str:
    return code.replace("-", "").replace(" ", "").upper()
