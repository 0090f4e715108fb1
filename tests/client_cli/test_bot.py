"""Bots over the wire, against a real server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from client_cli.address import Server
from client_cli.bot import Bot, Habits, Way, run_bots, seeded
from client_cli.presence import Pace
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Peer
from tests.servers import ServerProcess

QUICK = Pace(first_pause=0.02, longest_pause=0.1)


class Told:
    """What four bots were told, and the sheet."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.deals: list[dict[str, Any]] = []
        self.sheet: dict[str, Any] = {}
        self.scored = asyncio.Event()

    def __call__(self, bot: Bot, what: str, message: dict[str, Any]) -> None:
        self.words.append(what)
        if what == "sheet":
            self.sheet = message
        if what == "table" and bot.shows:
            self.deals += [one["line"] for one in message["happened"] if one["event"] == "deal_scored"]
            if self.deals:
                self.scored.set()


async def match(server: Server, told: Told, deals: int, *, seed: int = 7) -> bool:
    """Four bots at a table that the first opens."""
    rngs = seeded(seed, 4)
    options = {"deals": deals, "answer_seconds": None}
    first = Bot(
        server,
        Way(create={"options": options}),
        "Bot 1",
        rngs[0],
        Habits(until_over=True, sheet=True),
        told=told,
        pace=QUICK,
    )
    async with asyncio.TaskGroup() as tasks:
        leading = tasks.create_task(first.run())
        await first.settled.wait()
        assert first.code is not None
        way = Way((("code", first.code),))
        others = [
            Bot(server, way, f"Bot {n + 1}", rngs[n], Habits(until_over=True), told=told, pace=QUICK) for n in (1, 2, 3)
        ]
        following = tasks.create_task(run_bots(others))
    return leading.result() and following.result()


async def test_four_bots_play_a_match(server: ServerProcess) -> None:
    """Nothing they do is refused, and the sheet has every deal."""
    told = Told()
    assert await match(Server(f"http://127.0.0.1:{server.port}"), told, deals=8)
    assert len(told.sheet["lines"]) == 8
    assert "refused" not in told.words
    assert told.words.count("seated") == 4


async def test_bots_play_on_after_the_server_was_killed(tmp_path: Path) -> None:
    """Kill -9 in the middle of a match: they come back by themselves and the match ends."""
    process = ServerProcess(tmp_path).start()
    told = Told()
    try:
        async with asyncio.TaskGroup() as tasks:
            playing = tasks.create_task(match(Server(f"http://127.0.0.1:{process.port}"), told, deals=40))
            await told.scored.wait()
            process.kill()
            await asyncio.to_thread(process.start)
        assert playing.result()
        assert len(told.sheet["lines"]) == 40
        assert "lost" in told.words
    finally:
        process.stop()


@pytest.mark.parametrize("code", ["table_full", "barred"])
async def test_a_bot_that_is_not_let_in_says_so(code: str) -> None:
    """And ends."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.refuse(await peer.hear_command("join"), code)
        await peer.stay()

    told = Told()
    async with FakeServer(script) as fake:
        bot = Bot(fake.server, Way((("code", "X"), ("table", "x"))), "Bot", seeded(1, 1)[0], told=told)
        assert not await bot.run()
    assert told.words == ["refused"]


async def test_a_bot_acts_once_for_a_view_and_not_before_it_sees_its_own_action() -> None:
    """A view that is older than the answer to its action is not acted on."""
    heard: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.reply(await peer.hear_command("join"), version=4)
        await peer.say(samples.message(version=4, resync=True, own=samples.own(actions=["go on"])))
        heard.append(await peer.hear_command("act"))
        await peer.reply(heard[0], version=6)
        old = samples.message(version=5, own=samples.own(actions=["go on"])) | {"from": 4}
        await peer.say(old)
        await peer.say(samples.message(version=6, own=samples.own(actions=[])) | {"from": 5})
        await peer.say(samples.message(version=7, own=samples.own(prompt="q7", actions=["ask"])) | {"from": 6})
        heard.append(await peer.hear_command("act"))
        await peer.reply(heard[1], version=8)
        await peer.say(type="closed", table="t1", reason="expired")
        await peer.stay()

    async with FakeServer(script) as fake:
        bot = Bot(fake.server, Way((("code", "X"),)), "Bot", seeded(1, 1)[0])
        assert await bot.run()
    assert [(act.prompt, act.action) for act in heard] == [("q1", "go on"), ("q7", "ask")]


async def test_a_bot_plays_on_where_the_server_came_back_older() -> None:
    """The store was restored while it was down: the view says all, whatever was answered before."""
    heard: list[Any] = []
    asked = samples.message(version=4, resync=True, own=samples.own(actions=["go on"]))

    async def first(peer: Peer) -> None:
        await peer.greet()
        await peer.reply(await peer.hear_command("join"), version=4)
        await peer.say(asked)
        await peer.reply(await peer.hear_command("act"), version=9)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=[{"table": "t1", "seat": 0}])
        await peer.say(asked)
        heard.append(await peer.hear_command("act"))
        await peer.reply(heard[0], version=5)
        await peer.say(type="closed", table="t1", reason="expired")
        await peer.stay()

    async with FakeServer(first, second) as fake:
        assert await Bot(fake.server, Way((("code", "X"),)), "Bot", seeded(1, 1)[0], pace=QUICK).run()
    assert [(act.prompt, act.action) for act in heard] == [("q1", "go on")]


async def test_a_bot_leaves_a_table_that_cannot_be_used() -> None:
    """The server still lists it, and says why instead of showing it."""

    async def first(peer: Peer) -> None:
        await peer.greet()
        await peer.reply(await peer.hear_command("join"), version=4)
        await peer.say(samples.message(version=4, resync=True))
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=[{"table": "t1", "seat": None}])
        await peer.refuse(None, "table_frozen", table="t1")
        await peer.stay()

    told = Told()
    async with FakeServer(first, second) as fake:
        await Bot(fake.server, Way((("code", "X"),)), "Bot", seeded(1, 1)[0], told=told, pace=QUICK).run()
    assert told.words[-2:] == ["lost", "refused"]


async def test_a_cancelled_bot_gives_its_seat_up() -> None:
    """So that somebody else can sit down there."""
    left = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.reply(await peer.hear_command("join"), version=4)
        leave = await peer.hear_command("leave")
        left.set()
        await peer.reply(leave, version=5, seat=None)
        await peer.stay()

    async with FakeServer(script) as fake:
        bot = Bot(fake.server, Way((("code", "X"),)), "Bot", seeded(1, 1)[0])
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(bot.run())
            await bot.settled.wait()
            running.cancel()
    assert left.is_set()


def test_seeds_make_the_same_chance() -> None:
    """And each bot has its own."""
    first, second = seeded(3, 2), seeded(3, 2)
    assert [rng.random() for rng in first] == [rng.random() for rng in second]
    assert first[0].random() != first[1].random()
