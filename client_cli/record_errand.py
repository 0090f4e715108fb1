"""`kop record`: runs one of its subcommands, with a server only where one is needed."""

import argparse
import asyncio
from pathlib import Path
from random import Random

from client_cli.address import Server
from client_cli.board import Board
from client_cli.connection import Connection
from client_cli.console import PlainConsole
from client_cli.home import Profile, Saved
from client_cli.kept import KeptFile
from client_cli.presence import Identity, Loss
from client_cli.record_command import RecordCommand, needs_server
from client_cli.running import run
from client_cli.view import Message


class Errand:
    """Hears a server for the sake of the answers alone."""

    def welcomed(self, welcome: Message) -> None:
        """Commands go out by themselves."""

    def heard(self, message: Message) -> None:
        """Answers go to those who asked."""

    def lost(self, loss: Loss) -> None:
        """The connection comes back by itself."""

    def forgotten(self) -> None:
        """Then there are no records of this player's; the server says so."""


def run_records(given: argparse.Namespace, profile: Profile, saved: Saved, server: Server, board: Board) -> int:
    """Does what was asked for and gives the exit code."""
    console = PlainConsole()
    online = given.what in ("list", "share", "explain") or needs_server(given.records)

    def kept() -> KeptFile:
        return KeptFile(profile.path.parent, given.profile, server.base)

    def command(asks: Connection | None) -> RecordCommand:
        return RecordCommand(asks, board.texts, board.face, console.show, lambda: kept().deals, board.patience)

    async def work() -> int:
        if not online:
            return await _do(command(None), given)
        identity = Identity(given.name or saved.name or "guest", saved.tokens.get(server.base))
        connection = Connection(server, identity, Errand(), rng=Random(), patient=False)  # noqa: S311 (jitter)
        async with asyncio.TaskGroup() as tasks:
            keeping = tasks.create_task(connection.run())
            code = await _do(command(connection), given)
            keeping.cancel()
        return code

    return run(work(), server, board, console)


async def _do(command: RecordCommand, given: argparse.Namespace) -> int:
    match given.what:
        case "list":
            return await command.listing()
        case "show":
            return await command.show(given.records[0])
        case "replay":
            return await command.replay(given.records[0])
        case "export":
            return await command.export(given.records[0], None if given.file is None else Path(given.file))
        case "explain":
            return await command.explain(given.records[0])
        case "share":
            return await command.share(given.records[0])
    return await command.verify(given.records)
