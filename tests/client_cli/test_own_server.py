"""The server is the player's own: an unfinished table goes on, and the farewell says what is true."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from client_cli.address import Server
from client_cli.opening import Opening
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Peer
from tests.client_cli.visits import HERE, Script, table, visited

OWN = Opening("create", own_server=True)
BACK = "You are back at your table, whose match is not over."
KEPT = "Good bye. The server ends now, your table is kept: `make play` takes you back."
CUT_OFF = "The others at the table are cut off until then."
BOTS = samples.sitters(("Ola", "Bot 1", "Bot 2", "Ewa"))


async def test_an_unfinished_table_goes_on(tmp_path: Path) -> None:
    """No other is opened."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=[{"table": "t9", "seat": None}, *HERE])
        await peer.refuse(None, "table_frozen", table="t9")
        await peer.say(table(4, here=[True, False, False, False]))
        await peer.stay()

    console = Script(("Deal 3", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, OWN, console, tmp_path) == 0
    assert console.printed[1:3] == [BACK, "Deal 3 of 16, klassisch, Ola deals, stake 0.10 zł."]
    assert console.printed[-1] == KEPT


async def test_after_the_last_match_a_new_table_is_opened(tmp_path: Path) -> None:
    """The old one is left as it is."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, stage="over"))
        create = await peer.hear_command("create")
        await peer.say(samples.waiting() | {"table": "t2", "version": 1, "from": 0, "resync": True})
        await peer.say(type="reply", id=create.id, table="t2", version=1, seat=0, code="ABCDEFGHJKMN")
        await peer.stay()

    console = Script(("No deal yet", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, OWN, console, tmp_path) == 0
    assert console.printed[0] == "The table is open. Code: ABCD-EFGH-JKMN"
    assert BACK not in console.printed


async def test_bots_of_a_client_that_was_killed_make_room(tmp_path: Path) -> None:
    """They cannot come back; a person who is not there yet can."""
    removed: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, seats=BOTS, here=[True, True, False, False]))
        remove = await peer.hear_command("remove")
        removed.append(remove.player)
        await peer.reply(remove, version=5)
        left = [*BOTS[:2], None, BOTS[3]]
        gone = [{"event": "seat_removed", "seat": 2, "name": "Bot 2"}]
        await peer.say(table(5, from_=4, seats=left, here=[True, True, False, False], happened=gone))
        await peer.stay()

    console = Script(("(empty)", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, OWN, console, tmp_path) == 0
    assert removed == ["p2"]
    assert console.printed[0] == BACK


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"here": [True, True, False, False]}, [KEPT, CUT_OFF]),
        ({"here": [True, False, False, False], "watchers": 1}, [KEPT, CUT_OFF]),
        ({"here": [True, False, False, False]}, [KEPT]),
    ],
)
async def test_who_plays_with_friends_is_told_that_they_are_cut_off(
    tmp_path: Path, changes: dict[str, Any], told: list[str]
) -> None:
    """At the beginning, where others can reach the server, and at the end, where somebody is there."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, **changes))
        await peer.stay()

    console = Script(("Deal 3", "quit"))
    async with FakeServer(script) as fake:
        opening = Opening("create", own_server=True, reachable_as=(Server("http://10.0.0.2:1"),))
        assert await visited(fake.server, opening, console, tmp_path) == 0
    early = "Friends play on this computer: when you quit, they are cut off until you come back."
    assert early in console.printed
    assert console.printed[-len(told) :] == told


async def test_bots_take_the_free_seats_under_names_that_nobody_has(tmp_path: Path) -> None:
    """As many as there are free seats, however many were wanted."""
    names: list[str | None] = []
    came = asyncio.Event()

    async def player(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        seats = samples.sitters(("Ola", "Bot 1", None, "Ewa"))
        await peer.say(table(4, seats=seats, here=[True, True, False, True]))
        await came.wait()
        await peer.say(table(5, from_=4, happened=[{"event": "seated", "seat": 2, "player": "p2", "name": "Bot 2"}]))
        await peer.stay()

    async def bot(peer: Peer) -> None:
        names.append((await peer.greet()).name)
        join = await peer.hear_command("join")
        await peer.reply(join, version=5, seat=2)
        came.set()
        await peer.say(table(5, own=samples.own(2)))
        leave = await peer.hear_command("leave")
        await peer.reply(leave, version=6, seat=None)
        await peer.stay()

    console = Script(("Bots take the free seats.", "hand"), ("takes seat 3", "quit"))
    async with FakeServer(player, bot) as fake:
        assert await visited(fake.server, Opening("create", own_server=True, bots=3), console, tmp_path) == 0
    assert names == ["Bot 2"]
    assert not any("leaves seat" in line for line in console.printed)
