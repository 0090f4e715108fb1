"""The server is the player's own: an unfinished table goes on, and the farewell says what is true."""

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


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"here": [True, True, False, False]}, [KEPT, CUT_OFF]),
        ({"here": [True, False, False, False], "watchers": 1}, [KEPT, CUT_OFF]),
        ({"here": [True, False, False, False]}, [KEPT]),
        ({"seats": samples.sitters(Jan="hard", Ewa="easy", Max="hard")}, [KEPT]),
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


async def test_bots_of_the_server_take_the_free_seats(tmp_path: Path) -> None:
    """As many as there are free seats and bots wanted, those that sit there counted; none is taken along at the end."""
    asked: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        seats = samples.sitters(("Ola", "Ada", None, None), Ada="hard")
        await peer.say(table(4, seats=seats))
        asked.append(await peer.hear_command("seat_bot"))
        sat = {"event": "seated", "seat": 2, "player": "b3", "name": "Felek", "bot": "easy"}
        both = samples.sitters(("Ola", "Ada", "Felek", None), Ada="hard", Felek="easy")
        await peer.say(table(5, from_=4, seats=both, happened=[sat]))
        await peer.reply(asked[0], version=5)
        await peer.stay()

    console = Script(("Felek (bot) takes seat 3, strength: easy.", "quit"))
    async with FakeServer(script) as fake:
        opening = Opening("create", own_server=True, bots=2, strength="easy")
        assert await visited(fake.server, opening, console, tmp_path) == 0
    assert [(one.seat, one.strength) for one in asked] == [(None, "easy")]
    assert console.printed[-1] == KEPT


async def test_a_table_of_another_gets_no_bots(tmp_path: Path) -> None:
    """Only its owner may seat them, so nothing is asked for."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, seats=samples.sitters(("Ola", "Jan", None, None)), owner="p1"))
        await peer.stay()

    console = Script(("Deal 3", "quit"))
    async with FakeServer(script) as fake:
        opening = Opening("create", own_server=True, bots=3)
        assert await visited(fake.server, opening, console, tmp_path) == 0
