"""What a player sends to friends: code and links, whenever he asks and while seats are free."""

from pathlib import Path
from typing import Any

import pytest

from client_cli.address import Server
from client_cli.opening import Opening
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Peer
from tests.client_cli.visits import HERE, RESUME, Script, table, visited

CODE = "Code: ABCD-EFGH-JKMN"
FRIENDS = (Server("http://10.0.0.2:5670"), Server("http://10.0.0.3:5670"))
PUBLIC = samples.message(private=False, own=samples.own(code=None))


@pytest.mark.parametrize(("message", "meant"), [(samples.message(), "ABCD-EFGH-JKMN"), (PUBLIC, "t1")])
async def test_there_is_a_link_for_each_address_that_others_may_reach(
    tmp_path: Path, message: dict[str, Any], meant: str
) -> None:
    """To a private table by its code, to a public one, which has none, by its id."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(message | {"from": 8, "resync": True})
        await peer.stay()

    console = Script(("Seat 4", "link"))
    async with FakeServer(script) as fake:
        opening = Opening("resume", reachable_as=FRIENDS)
        assert await visited(fake.server, opening, console, tmp_path) == 0
    told = [line for line in console.printed if line.startswith("For your friends: ")]
    assert told == [f"For your friends: {server.base}/#{meant}" for server in FRIENDS]
    assert (CODE in console.printed) is (meant != "t1")


@pytest.mark.parametrize(
    ("typed", "free", "shown"), [("table", True, 1), ("table", False, 0), ("?", False, 1), ("link", False, 1)]
)
async def test_the_code_can_be_seen_again(tmp_path: Path, typed: str, free: bool, shown: int) -> None:
    """With the table while seats are free; with the help and by a command at any time."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say((samples.waiting() if free else samples.message()) | {"from": 8, "resync": True})
        await peer.stay()

    console = Script(("Seat 4", typed))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
        link = f"For your friends: {fake.server.base}/#ABCD-EFGH-JKMN"
    assert (console.printed.count(CODE), console.printed.count(link)) == (shown, shown)


async def test_a_watcher_who_asks_for_the_link_is_told_why_not(tmp_path: Path) -> None:
    """He has no seat."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        join = await peer.hear_command("join")
        await peer.reply(join, version=4, seat=None)
        await peer.say(table(4, own=None))
        await peer.stay()

    console = Script(("Deal 3", "link"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, Opening("watch", (("table", "t1"),)), console, tmp_path) == 0
    assert "You are watching and have no seat." in console.printed
