"""Whole visits for tests: a player who types lines when their cues are printed, at a server that is scripted."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any

from client_cli.address import Server
from client_cli.automatic import Automatic
from client_cli.board import Board
from client_cli.catalogue import load
from client_cli.connection import Connection
from client_cli.contributor import Contributor
from client_cli.home import Profile
from client_cli.kept import KeptFile
from client_cli.opening import Opening
from client_cli.presence import Identity
from client_cli.session import Session
from client_cli.style import Line, Look, plain
from client_cli.visit import visit
from tests.client_cli import samples
from tests.client_cli.fake import PATIENCE, Message
from tests.client_cli.test_connection import QUICK

HERE = [{"table": "t1", "seat": 0}]
JOIN = Opening("join", (("table", "x"), ("code", "x")))
RESUME = Opening("resume")


class Script:
    """A console whose input is a list of lines; a line is typed when its cue has been printed."""

    look = Look()
    interactive = False

    def __init__(self, *typed: tuple[str, str]) -> None:
        self.printed: list[str] = []
        self._typed = typed
        self._news = asyncio.Event()

    def attach(self, suggestions: Any, toolbar: Any) -> None:
        """Both must work at any time."""
        suggestions()
        toolbar()

    def show(self, lines: list[Line]) -> None:
        """Keeps what is printed."""
        self.printed += [plain(line) for line in lines]
        self._news.set()

    async def typed(self) -> AsyncIterator[str]:
        """Each line after its cue, looked for behind the cue before."""
        seen = 0
        for cue, line in self._typed:
            async with asyncio.timeout(PATIENCE):
                while not any(cue in text for text in self.printed[seen:]):
                    self._news.clear()
                    await self._news.wait()
            seen += next(place for place, text in enumerate(self.printed[seen:], 1) if cue in text)
            yield line


async def visited(server: Server, opening: Opening, console: Script, folder: Path, **settings: Any) -> int:
    """A whole visit; its exit code."""
    automatic = Automatic(settings.pop("auto", {}))
    part = Contributor(KeptFile(folder, "default", server.base), Random(1).randbytes)
    session = Session(console, Board(load("en"), console.look), Profile(folder), automatic, part, keep=True)
    session.until_over = settings.pop("until_over", False)
    session.connection = Connection(server, Identity("Ola"), session, rng=Random(1), patient=False, pace=QUICK)
    return await visit(session, opening, console)


def table(version: int, *, from_: int | None = None, **changes: Any) -> Message:
    """A `table` message of this version; without `from_` it is a complete one."""
    whole = {"version": version, "from": version if from_ is None else from_, "resync": from_ is None}
    return samples.message(**changes) | whole
