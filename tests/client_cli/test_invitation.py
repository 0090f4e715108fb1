"""What a player sends to friends: code and links, whenever he asks and while seats are free."""

from pathlib import Path

import pytest

from client_cli.address import Server
from client_cli.board import Board
from client_cli.catalogue import load
from client_cli.invitation import invitation
from client_cli.opening import Opening
from client_cli.style import Look, plain
from client_cli.view import View
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Peer
from tests.client_cli.visits import HERE, RESUME, Script, table, visited

FRIENDS = (Server("http://10.0.0.2:5670"), Server("http://10.0.0.3:5670"))
CODE = "Code: ABCD-EFGH-JKMN"


def told(view: View, language: str = "en") -> list[str]:
    """The lines of the invitation."""
    return [plain(line) for line in invitation(Board(load(language), Look()), view, FRIENDS)]


def test_who_sits_at_a_private_table_sends_its_code_or_a_link() -> None:
    """One link for each address under which the server may be reached."""
    links = [f"{server.base}/#ABCD-EFGH-JKMN" for server in FRIENDS]
    assert told(samples.view()) == [CODE, *(f"For your friends: {link}" for link in links)]
    assert told(samples.view(), "pl") == ["Kod: ABCD-EFGH-JKMN", *(f"Dla znajomych: {link}" for link in links)]


def test_a_public_table_is_found_by_its_id() -> None:
    """It has no code."""
    public = samples.view(private=False, own=samples.own(code=None))
    assert told(public) == [f"For your friends: {server.base}/#t1" for server in FRIENDS]


def test_a_watcher_invites_nobody() -> None:
    """He does not know the code."""
    assert told(samples.view(own=None)) == []


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
