"""`kop-server demo-tournament`: bots play a tournament on two server processes, and their logs are played again.

The director is a client in this process, the bots are a program of their own; all go over real sockets. When
the servers have ended, their store is opened once more, and what it has kept is compared with what they said.
"""

import asyncio
import dataclasses
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import Any, Final

from client_cli.address import Server
from client_cli.catalogue import load
from client_cli.connection import Connection
from client_cli.console import PlainConsole
from client_cli.presence import Identity, Loss, Refused, Unreachable, leaves
from client_cli.tournament.news import Teller
from client_cli.tournament.tables import Tables
from client_cli.tournament.words import person
from server.configuration import Configuration
from server.running import open_store
from server.runtime.replaying import differences
from server.runtime.tournament_loading import load as replayed
from server.show import NO_METRICS, kop_command, server_process
from server.store.port import StoreAway
from server.table.lines import Unreadable
from server.tournament.state import TournamentId
from server.tournament.view import standings_page

Message = dict[str, Any]
PROCESSES: Final = 2
NAME: Final = "Demonstration"
LINES: Final = 10
"""Of each log, where the tournament was not played to its end."""
_TOLD: Final = frozenset({"round_opened", "result", "round_ended"})
_LAST_WORDS: Final = 10.0
"""Seconds that the server may take to say that it is over, after the bots have gone."""


class Failed(Exception):
    """The tournament was not played to its end; the text says why."""


@dataclasses.dataclass(frozen=True, slots=True)
class Evening:
    """What is played: the preset of a quick evening, whose odd entrants have byes and whose rounds do not wait."""

    entrants: int = 22
    rounds: int = 3
    deals: int = 16

    @property
    def options(self) -> dict[str, object]:
        """The terms for the server."""
        agreed = {"rounds": self.rounds, "deals": self.deals, "fill": "bye", "break_seconds": 0}
        return {"preset": "quick", **agreed}


@dataclasses.dataclass(frozen=True, slots=True)
class Said:
    """What the server has said of a tournament that is over: its standings, as the page has them."""

    tournament: str
    standings: Message


def demo_tournament(configuration: Configuration, evening: Evening | None = None) -> int:
    """Plays it and checks it; the exit code is 1, with what is wrong, where it was not played or does not agree."""
    evening = evening or Evening()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="kop-demo-") as folder:
        data, log, bots = Path(folder, "data"), Path(folder, "server.log"), Path(folder, "bots.log")
        environment = {**os.environ, **NO_METRICS, "KOP_HOME": folder}
        environment.pop("KOP_REDIS_URL", None)
        serve = ["serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", str(data), "--processes", str(PROCESSES)]
        said, why = None, ""
        try:
            with log.open("ab") as errors, server_process(serve, environment, errors.fileno(), log) as port:
                _tell(f"{PROCESSES} server processes listen on port {port}; {evening.entrants} bots enter.")
                said = asyncio.run(play_evening(evening, Server(f"http://127.0.0.1:{port}"), environment, bots))
        except* (Failed, Refused, Unreachable) as group:
            why = "; ".join(str(fault) for fault in leaves(group))
        if said is None:
            _complain(f"the tournament was not played to its end: {why}", [*_newest(log), *_newest(bots)])
            return 1
        faults, logs = asyncio.run(check(dataclasses.replace(configuration, redis_url=None, data_dir=data), said))
    if faults:
        _complain("the logs make something else than the server said:", faults)
        return 1
    _tell("")
    _tell(f"Checked: the {logs} logs that the store kept, played again, make the same results and the same standings.")
    _tell(f"It took {time.monotonic() - began:.0f} seconds.")
    return 0


async def check(configuration: Configuration, said: Said) -> tuple[Sequence[str], int]:
    """What the logs in the store of this configuration make otherwise than was said, and how many logs were read.

    Raises:
        server.store.embedded errors: there is no store to be had.
    """
    async with AsyncExitStack() as stack:
        store = await open_store(configuration, stack)
        try:
            tournament = await replayed(TournamentId(said.tournament), store)
            if tournament is None:
                return ["the tournament has no log"], 0
            faults = [*await differences(tournament, store)]
        except (StoreAway, Unreadable) as fault:
            return [f"the logs cannot be read: {fault}"], 0
    made = json.loads(json.dumps(standings_page(tournament)))
    rows = zip(made["rows"], said.standings["rows"], strict=False)
    faults += [f"the server said {theirs}, the logs make {ours}" for ours, theirs in rows if ours != theirs]
    if made != said.standings and not faults:
        faults = [f"the server's list has {len(said.standings['rows'])} rows, the logs make {len(made['rows'])}"]
    return faults, 1 + sum(len(one.tables) for one in tournament.rounds)


async def play_evening(evening: Evening, server: Server, environment: Mapping[str, str], log: Path) -> Said:
    """Directs the evening to its end; `log` is for what the bots say.

    Raises:
        ExceptionGroup: of Failed, Refused, Unreachable
    """
    director, over = _Director(server), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        connecting = tasks.create_task(director.connection.run())
        tournament = await director.create(evening)
        arguments = ["--server", server.base, "--tournament", tournament, "--count", str(evening.entrants)]
        playing = tasks.create_task(_bots([*arguments, "--delay", "0"], environment, log, over))
        await director.until("entrants", evening.entrants)
        after, order = director.public["decisions"], {"order": "open_round"}
        await director.ask("tournament_direct", tournament=tournament, after=after, order=order)
        await director.until("stage", "over")
        page = await director.ask("tournament_page", tournament=tournament, about="standings")
        over.set()
        await playing
        connecting.cancel()
    director.show_standings(page["page"])
    return Said(tournament, page["page"])


async def _bots(arguments: Sequence[str], environment: Mapping[str, str], log: Path, over: asyncio.Event) -> None:
    """Runs the program in which they play until it ends by itself, which has to be when all is over.

    What it says of each bot goes into the log.

    Raises:
        Failed: it ended before, or with something else than 0.
    """
    command = kop_command(["bot", *arguments])
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, env=environment
        )
    try:
        code = await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
    try:
        async with asyncio.timeout(_LAST_WORDS):
            await over.wait()
    except TimeoutError:
        raise Failed(f"the bots ended too early, with exit code {code}") from None
    if code:
        raise Failed(f"the bots ended with exit code {code}")


class _Director:
    """Directs the tournament over the wire, and tells what happens there."""

    def __init__(self, server: Server) -> None:
        identity = Identity("Director")
        self.connection = Connection(server, identity, self, rng=Random(), patient=False)  # noqa: S311 (jitter)
        self.public: Message = {}
        self._console = PlainConsole()
        self._texts = load("en")
        self._teller = Teller(self._texts)
        self._came: asyncio.Queue[Message] = asyncio.Queue()
        self._names: dict[int, list[str]] = {}

    async def create(self, evening: Evening) -> str:
        """Opens the tournament, which is followed from then on; its id."""
        reply = await self.ask("tournament_create", name=NAME, options=evening.options)
        return str(reply["tournament"])

    async def ask(self, kind: str, **fields: object) -> Message:
        """The answer.

        Raises:
            Failed: it is refused.
        """
        answer = await self.connection.post(kind, **fields).answer
        if answer["type"] == "error":
            raise Failed(f"{kind} was refused: {answer['code']} {answer.get('detail') or ''}".rstrip())
        return answer

    async def until(self, field: str, value: object) -> None:
        """Tells what happens until the tournament stands so."""
        while self.public.get(field) != value:
            message = await self._came.get()
            self.public = message["public"]
            for one in message["happened"]:
                if one["event"] == "round_opened":
                    await self._learn_names(message["tournament"], one["round"])
                if one["event"] in _TOLD:
                    self._console.show(self._teller.tell(one, None, self._names.get(one.get("table"), ())))

    async def _learn_names(self, tournament: str, number: int) -> None:
        answer = await self.ask("tournament_page", tournament=tournament, about="round", round=number)
        tables = answer["page"]["tables"]
        self._names = {table["number"]: [person(self._texts, one) for one in table["seats"]] for table in tables}

    def show_standings(self, page: Message) -> None:
        """Prints them as a table, in a pipe too."""
        look = dataclasses.replace(self._console.look, rich=True)
        self._console.show([[], *Tables(self._texts, look).standings(page, NAME, None)])

    def welcomed(self, welcome: Message) -> None:
        """The tournament comes by itself."""

    def heard(self, message: Message) -> None:
        """How the tournament stands now, and what has happened."""
        if message["type"] == "tournament":
            self._came.put_nowait(message)

    def lost(self, loss: Loss) -> None:
        """The connection comes back by itself."""

    def forgotten(self) -> None:
        """Cannot be: nobody takes the store away while its servers run."""


def _tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def _newest(log: Path) -> list[str]:
    """The last lines of a log."""
    return log.read_text(errors="replace").splitlines()[-LINES:] if log.exists() else []


def _complain(text: str, lines: Sequence[str]) -> None:
    print("\n  ".join((f"kop-server: {text}", *lines)), file=sys.stderr)  # noqa: T201
