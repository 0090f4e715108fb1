"""Bots that enter a tournament."""

import asyncio
from typing import Any

from client_cli.bot import Told, seeded
from client_cli.presence import Pace
from client_cli.tournament.bot import TournamentBot
from tests.client_cli import samples as table_samples
from tests.client_cli.fake import TOURNAMENT, FakeServer, Peer
from tests.client_cli.tournament import samples

QUICK = Pace(first_pause=0.02, longest_pause=0.1)
MINE = 5


class Words:
    """What a bot was told."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def __call__(self, bot: object, what: str, message: dict[str, Any]) -> None:
        if what != "table":
            self.said.append(what)


def bot_of(fake: FakeServer, told: Told) -> TournamentBot:
    """One that enters over there."""
    return TournamentBot(fake.server, TOURNAMENT, "Bot", seeded(1, 1)[0], told=told, pace=QUICK)


def at_table(table: str, version: int, *, round_: int, actions: tuple[str, ...] = ("go on",)) -> dict[str, Any]:
    """A `table` message of a table of the tournament, where the bot is asked."""
    where = {"tournament": TOURNAMENT, "name": "Autumn cup", "round": round_, "rounds": 2, "number": 1}
    where |= {"deadline": None, "duplicate": False}
    own = table_samples.own(actions=list(actions))
    return table_samples.message(version=version, resync=True, tournament=where, own=own) | {"table": table}


async def enter(peer: Peer) -> Any:
    """Lets a bot in; its command."""
    await peer.greet()
    register = await peer.hear_command("tournament_register")
    await peer.reply_of_tournament(register, entrant=MINE)
    return register


async def act(peer: Peer, heard: list[tuple[str, str]], version: int) -> None:
    """Takes the next act; its table's version is then this one."""
    said = await peer.hear_command("act")
    heard.append((said.table, said.action))
    await peer.say(type="reply", id=said.id, table=said.table, version=version, seat=0, code=None)


async def test_a_bot_plays_at_each_table_that_it_is_led_to_and_ends_with_the_tournament() -> None:
    """The versions of the next table are lower; a late word of the first table does not lead it back."""
    heard: list[tuple[str, str]] = []
    contributions = []

    async def script(peer: Peer) -> None:
        contributions.append((await enter(peer)).contribution)
        await peer.say(at_table("t1", 50, round_=1))
        await act(peer, heard, 51)
        await peer.say(samples.message(8, own=samples.own(table="t2")))
        await peer.say(at_table("t2", 3, round_=2))
        await peer.say(at_table("t1", 52, round_=1))
        await act(peer, heard, 4)
        await peer.say(type="closed", table="t2", reason="expired")
        await peer.say(samples.message(9, stage="over", ending="played", own=samples.own(**samples.IDLE)))
        await peer.stay()

    told = Words()
    async with FakeServer(script) as fake:
        assert await bot_of(fake, told).run()
    assert heard == [("t1", "go on"), ("t2", "go on")]
    assert told.said == ["entered", "at_table", "at_table", "over"]
    assert len(bytes.fromhex(contributions[0])) == 32


async def test_an_answer_of_the_last_table_that_comes_late_does_not_hold_the_next_one_up() -> None:
    """It has a version that the new table will not see for long."""
    heard: list[tuple[str, str]] = []

    async def script(peer: Peer) -> None:
        await enter(peer)
        await peer.say(at_table("t1", 50, round_=1))
        said = await peer.hear_command("act")
        await peer.say(at_table("t2", 3, round_=2))
        await peer.say(type="reply", id=said.id, table="t1", version=51, seat=0, code=None)
        await act(peer, heard, 4)
        await peer.say(samples.message(9, stage="over", ending="played", own=samples.own()))
        await peer.stay()

    async with FakeServer(script) as fake:
        assert await bot_of(fake, Words()).run()
    assert heard == [("t2", "go on")]


async def test_a_bot_goes_on_after_a_lost_connection_though_its_table_is_over() -> None:
    """It is no reason to leave the tournament."""
    heard: list[tuple[str, str]] = []

    async def first(peer: Peer) -> None:
        await enter(peer)
        await peer.say(at_table("t1", 50, round_=1))
        await act(peer, heard, 51)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tournaments=[TOURNAMENT])
        await peer.say(at_table("t2", 3, round_=2))
        await act(peer, heard, 4)
        await peer.say(samples.message(9, own=samples.own(status="out", **samples.IDLE)))
        await peer.stay()

    told = Words()
    async with FakeServer(first, second) as fake:
        assert await bot_of(fake, told).run()
    assert heard == [("t1", "go on"), ("t2", "go on")]
    assert told.said == ["entered", "at_table", "lost", "at_table", "out"]


async def test_a_bot_that_is_not_let_in_says_so() -> None:
    """And ends."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.refuse(await peer.hear_command("tournament_register"), "entry_closed")
        await peer.stay()

    told = Words()
    async with FakeServer(script) as fake:
        assert not await bot_of(fake, told).run()
    assert told.said == ["refused"]


async def test_a_cancelled_bot_withdraws() -> None:
    """So that the next round is drawn without it."""
    withdrawn = asyncio.Event()

    async def script(peer: Peer) -> None:
        await enter(peer)
        withdraw = await peer.hear_command("tournament_withdraw")
        withdrawn.set()
        await peer.reply_of_tournament(withdraw, version=3, entrant=MINE)
        await peer.stay()

    async with FakeServer(script) as fake:
        bot = bot_of(fake, Words())
        async with asyncio.TaskGroup() as tasks:
            running = tasks.create_task(bot.run())
            await bot.settled.wait()
            running.cancel()
    assert withdrawn.is_set()
