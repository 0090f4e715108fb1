"""`kop bot`: lets bots play from the command line and tells what happens to them."""

import argparse
import asyncio
import dataclasses
import os
from collections.abc import Callable

from client_cli.address import Server, Target
from client_cli.board import Board
from client_cli.bot import Bot, Habits, Way, run_bots, seeded
from client_cli.catalogue import Catalogue
from client_cli.console import Console, PlainConsole, can_draw
from client_cli.running import FAILED, OK, run
from client_cli.tournament.bot import TournamentBot
from client_cli.view import Message, grouped


def play_bots(
    given: argparse.Namespace, server: Server, target: Target | None, create: Message, texts: Catalogue
) -> int:
    """Runs the bots to their ends and gives the exit code; without a target the first opens a table.

    With `given.tournament` the target is the tournament that all of them enter.
    """
    console = PlainConsole()
    rich = can_draw(forced_plain=given.plain, environ=os.environ)
    board = Board(texts, dataclasses.replace(console.look, rich=rich))
    name = given.name or "Bot"
    names = [name if given.count == 1 else f"{name} {number}" for number in range(1, given.count + 1)]
    habits = [Habits(given.delay, given.until_over, given.sheet and number == 0) for number in range(given.count)]
    tell = BotTeller(console, board)
    way = Way(target.readings) if target else Way(create=create)
    rngs = seeded(given.seed, given.count)
    if given.tournament is not None:
        entrants = [
            TournamentBot(server, _tournament(target), name, rng, habit, told=tell)
            for name, rng, habit in zip(names, rngs, habits, strict=True)
        ]
        return run(_enter(entrants), server, board, console)
    first = Bot(server, way, names[0], rngs[0], habits[0], told=tell)

    def more(way: Way) -> list[Bot]:
        rest = zip(names[1:], rngs[1:], habits[1:], strict=True)
        return [Bot(server, way, name, rng, habit, told=tell) for name, rng, habit in rest]

    return run(_play(first, more, way), server, board, console)


async def _play(first: Bot, more: Callable[[Way], list[Bot]], way: Way) -> int:
    """The first bot comes to the table, the others follow; into a table that it opened, by its code."""
    async with asyncio.TaskGroup() as tasks:
        leading = tasks.create_task(first.run())
        await first.settled.wait()
        if way.create is not None and first.code is None:
            return FAILED
        followed = Way((("code", first.code),)) if way.create is not None and first.code else way
        following = tasks.create_task(run_bots(more(followed)))
    return OK if leading.result() and following.result() else FAILED


async def _enter(entrants: list[TournamentBot]) -> int:
    """All of them enter the tournament, and play to its end."""
    return OK if await run_bots(entrants) else FAILED


def _tournament(target: Target | None) -> str:
    """The id, which a link ends with too."""
    return target.readings[0][1] if target else ""


class BotTeller:
    """Tells what happens to bots; the deals and the sheet of the one that shows it."""

    def __init__(self, console: Console, board: Board) -> None:
        self._console, self._board = console, board

    def __call__(self, bot: Bot, what: str, message: Message) -> None:
        """Prints what is worth a line."""
        board, values = self._board, {"name": bot.name}
        match what:
            case "seated":
                lines = board.say("bot.seated", seat=(message["seat"] or 0) + 1, **values)
                if bot.opens and bot.code:
                    lines += board.say("link.created", code=grouped(bot.code))
            case "entered":
                lines = board.say("bot.entered", number=message["entrant"], **values)
            case "at_table":
                where = message["public"]["tournament"]
                lines = board.say("bot.at_table", round=where["round"], table=where["number"], **values)
            case "table":
                lines = board.scored(message, bot.view) if bot.shows else []
            case "sheet":
                lines = board.sheet(message, bot.view) if message["type"] == "sheet" else board.error(message)
            case "left" if message["reason"] == "left":
                return
            case "refused":
                lines = board.say("bot.refused", text=board.error_text(message), **values)
            case _:
                lines = board.say(f"bot.{what}", **values)
        if lines:
            self._console.show(lines)
