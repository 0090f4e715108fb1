"""Four programs take part in the shuffle of a real server, and can show afterwards that nobody chose the cards."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

from client_cli.address import parse_server
from client_cli.cards import face_of
from client_cli.catalogue import load
from client_cli.connection import Connection
from client_cli.contributor import Contributor
from client_cli.follower import Follower, Step
from client_cli.kept import KeptFile
from client_cli.policy import choose
from client_cli.presence import Identity, Loss
from client_cli.record_command import RecordCommand
from client_cli.style import Line, plain
from client_cli.view import Message
from tests.parties import NAMES

PATIENCE = 30.0
DEALS = 3


class Player:
    """A program at one seat: the product's connection and its part in the shuffle; it plays by itself."""

    def __init__(self, url: str, name: str, home: Path) -> None:
        self.rng = random.Random(name)
        self.follower = Follower()
        self.contributor = Contributor(KeptFile(home, name, url))
        self.connection = Connection(parse_server(url), Identity(name), self, rng=self.rng, patient=True)
        self.greeted = asyncio.Event()
        self.over = asyncio.Event()
        self.alarms: list[str] = []
        self.scored = 0
        self._done: object = None

    def welcomed(self, welcome: Message) -> None:
        """The connection is open."""
        self.greeted.set()

    def lost(self, loss: Loss) -> None:
        """It comes back by itself."""

    def forgotten(self) -> None:
        """It does not happen here."""

    def heard(self, message: Message) -> None:
        """Takes part, and plays."""
        if message["type"] != "table" or self.follower.take(message) is Step.OLD:
            return
        view = self.follower.view
        assert view is not None
        heard = self.contributor.heard(view, self.connection.server_time())
        self.alarms += heard.alarms
        self.scored += sum(one["event"] == "deal_scored" for one in message["happened"])
        if self.scored == DEALS:
            self.over.set()
            return
        action = heard.action or choose(view, self.rng)
        if action is None or self._done == (view.prompt, action):
            return
        self._done = (view.prompt, action)
        self.act(view.table, view.prompt, self.contributor.ready(view, action))

    def act(self, table: str, prompt: str, action: str) -> None:
        """Sends an action; what the server takes is noted."""
        asked = self.connection.post("act", table=table, prompt=prompt, action=action)

        def answered(answer: asyncio.Future[Message]) -> None:
            if answer.cancelled():
                return
            reply = answer.result()
            if reply["type"] == "reply":
                self.contributor.accepted(table, action, reply["version"])
            else:
                self.contributor.refused()
                self._done = None

        asked.answer.add_done_callback(answered)


async def test_nobody_chose_the_cards_of_a_real_server(server_url: str, tmp_path: Path) -> None:
    """Over real sockets: three deals, whose records each of the four can list, show, replay, share and verify."""
    players = [Player(server_url, name, tmp_path) for name in NAMES]
    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(player.connection.run()) for player in players]
        for player in players:
            await player.greeted.wait()
        created = await players[0].connection.post("create", game="kop", options={"deals": 4}).answer
        for player in players[1:]:
            await player.connection.post("join", code=created["code"]).answer
        for player in players:
            await player.over.wait()
        for player in players:
            await check(player, created["table"], tmp_path)
        for task in running:
            task.cancel()


async def check(player: Player, table: str, tmp_path: Path) -> None:
    """What one of the four can do with the records."""
    texts = load("en")
    lines: list[str] = []

    def show(printed: list[Line]) -> None:
        lines.extend(plain(line) for line in printed)

    command = RecordCommand(
        player.connection, texts, face_of(texts, unicode=True), show, lambda: player.contributor.file.deals
    )
    assert player.alarms == []
    names = [f"{table}-1-{deal}" for deal in range(1, DEALS + 1)]
    await all_there(player, names)
    assert await command.verify(names) == 0
    assert lines == [texts("record.nobody_chose", record=name) for name in names]
    assert await command.verify(names[-1:]) == 0
    assert lines[-1] == texts("record.nobody_chose", record=names[-1])
    assert await command.listing() == 0
    assert await command.show(names[0]) == 0
    assert await command.replay(names[1]) == 0
    file = tmp_path / f"{player.rng.random()}.json"
    assert await command.export(names[2], file) == 0
    assert len([part for part in json.loads(file.read_text(encoding="utf-8"))["fair"]["opened"] if part]) == 4
    assert await command.share(names[0]) == 0
    code = lines[-1].rsplit(" ", 1)[1]
    assert await command.show(code) == 0


async def all_there(player: Player, names: list[str]) -> None:
    """Waits until the server has saved the records: it does so after it has told the result."""
    found: set[Any] = set()
    while not found >= set(names):
        answer = await player.connection.post("records").answer
        found = {entry["record"] for entry in answer["records"]}
