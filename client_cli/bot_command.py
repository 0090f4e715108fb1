"""`kop bot`: lets bots play from the command line and tells what happens to them."""

import argparse
import asyncio

from client_cli.address import Server, Target
from client_cli.board import Board
from client_cli.bot import Bot, run_bots, seeded
from client_cli.catalogue import Catalogue
from client_cli.connection import Refused, leaves
from client_cli.console import Console, PlainConsole
from client_cli.view import Message


def play_bots(given: argparse.Namespace, server: Server, target: Target, texts: Catalogue) -> int:
    """Runs the bots to their ends and gives the exit code."""
    console = PlainConsole()
    board = Board(texts, console.look)
    name = given.name or "Bot"
    names = [name if given.count == 1 else f"{name} {number}" for number in range(1, given.count + 1)]

    def teller(bot: str) -> "_Teller":
        return _Teller(console, board, bot)

    bots = [
        Bot(server, target, name, rng, delay=given.delay, until_over=given.until_over, told=teller(name))
        for name, rng in zip(names, seeded(given.seed, given.count), strict=True)
    ]
    code = 1
    try:
        code = 0 if asyncio.run(run_bots(bots)) else 1
    except* Refused as refused:
        for fault in leaves(refused):
            if isinstance(fault, Refused):
                console.show(board.error(fault.error))
    return code


class _Teller:
    """Tells what happens to one bot."""

    def __init__(self, console: Console, board: Board, name: str) -> None:
        self._console, self._board, self._name = console, board, name

    def __call__(self, what: str, message: Message) -> None:
        values: dict[str, object] = {"name": self._name}
        if what == "seated":
            values["seat"] = (message["seat"] or 0) + 1
        if what == "refused":
            values["text"] = self._board.error_text(message)
        self._console.show(self._board.say(f"bot.{what}", **values))
