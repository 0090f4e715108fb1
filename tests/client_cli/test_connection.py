"""The connection: reconnects, sends again with the same id, notices a server that stands still."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from client_cli.address import Server
from client_cli.connection import Connection
from client_cli.frames import PROTOCOL, SUBPROTOCOL
from client_cli.presence import Identity, Loss, Pace, Refused, Unreachable, leaves
from protocol.codec import Encoding
from tests.client_cli.fake import PATIENCE, FakeServer, Peer

QUICK = Pace(ping_every=0.05, pong_within=0.2, open_within=2, first_pause=0.01, longest_pause=0.05, after_reproach=0.05)


class Notes:
    """A listener that writes down what it is told."""

    def __init__(self) -> None:
        self.notes: list[Any] = []
        self._news = asyncio.Event()

    def welcomed(self, welcome: dict[str, Any]) -> None:
        self._note("welcomed")

    def heard(self, message: dict[str, Any]) -> None:
        self._note(message["type"])

    def lost(self, loss: Loss) -> None:
        self._note(loss)

    def forgotten(self) -> None:
        self._note("forgotten")

    def _note(self, note: Any) -> None:
        self.notes.append(note)
        self._news.set()

    async def until(self, note: Any, times: int = 1) -> None:
        """Waits until something was noted so often."""
        async with asyncio.timeout(PATIENCE):
            while self.notes.count(note) < times:
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def connected(
    server: Server, *, identity: Identity | None = None, patient: bool = False, pace: Pace = QUICK
) -> AsyncIterator[tuple[Connection, Notes]]:
    """A connection that runs during the block."""
    notes = Notes()
    connection = Connection(server, identity or Identity("Ola"), notes, rng=Random(1), patient=patient, pace=pace)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(connection.run())
        yield connection, notes
        running.cancel()


def test_the_frames_are_those_of_the_contract() -> None:
    """The client names the subprotocol itself, to load no more than it needs."""
    assert str(Encoding.MSGPACK) == SUBPROTOCOL
    assert PROTOCOL == 1


async def test_a_command_without_an_answer_is_sent_again_with_the_same_id() -> None:
    """Over a new connection, after hello with the same instance and the token."""
    heard: list[Any] = []

    async def first(peer: Peer) -> None:
        heard.append(await peer.greet())
        await peer.reply(await peer.hear_command("create"), version=1)
        heard.append(await peer.hear())
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        heard.append(await peer.greet())
        heard.append(await peer.hear())
        await peer.reply(heard[-1], version=2)
        await peer.stay()

    async with FakeServer(first, second) as fake, connected(fake.server) as (connection, notes):
        await connection.post("create").answer
        answer = await connection.post("act", table="t1", prompt="q", action="ask").answer
        assert answer["version"] == 2
        assert notes.notes.count(Loss("closed", 1006)) == 1
    hello, act, again, repeated = heard
    assert act == repeated
    assert hello.instance == again.instance
    assert (hello.name, hello.token, again.name, again.token) == ("Ola", None, None, "secret")


async def test_commands_given_during_an_outage_are_sent_in_order() -> None:
    """When the connection is back."""
    order: list[int] = []
    back = asyncio.Event()

    async def first(peer: Peer) -> None:
        await peer.greet()
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await back.wait()
        await peer.greet()
        for _ in range(3):
            command = await peer.hear()
            order.append(command.id)
            await peer.refuse(command, "no_such_table")
        await peer.stay()

    async with FakeServer(first, second) as fake, connected(fake.server) as (connection, notes):
        await notes.until(Loss("closed", 1006))
        asked = [connection.post("sync", table="t1") for _ in range(3)]
        assert not connection.up
        back.set()
        for one in asked:
            assert (await one.answer)["code"] == "no_such_table"
        assert connection.waiting == 0
    assert order == [1, 2, 3]


async def test_a_refused_command_is_not_sent_again() -> None:
    """A stale action is the player's to repeat, also over a new connection."""
    later: list[Any] = []

    async def first(peer: Peer) -> None:
        await peer.greet()
        await peer.refuse(await peer.hear_command("act"), "stale", version=9)
        await peer.socket.close()

    async def second(peer: Peer) -> None:
        await peer.greet()
        later.append(await peer.hear())
        await peer.reply(later[-1], version=9)
        await peer.stay()

    async with FakeServer(first, second) as fake, connected(fake.server) as (connection, notes):
        assert (await connection.post("act", table="t1", prompt="q", action="go on").answer)["code"] == "stale"
        await notes.until("welcomed", 2)
        await connection.post("sync", table="t1").answer
    assert [command.type for command in later] == ["sync"]


async def test_a_server_that_stands_still_is_noticed() -> None:
    """No pong in time: the connection is dropped and made anew."""

    async def still(peer: Peer) -> None:
        await peer.greet()
        await peer.socket.wait_closed()

    async def alive(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async with FakeServer(still, alive) as fake, connected(fake.server) as (_, notes):
        await notes.until("welcomed", 2)
        assert Loss("still") in notes.notes


async def test_a_token_that_is_not_known_any_more_is_forgotten() -> None:
    """The client says hello again with its name, on the same connection."""
    hellos: list[Any] = []

    async def script(peer: Peer) -> None:
        hellos.append(await peer.hear())
        await peer.refuse(None, "unknown_token")
        hellos.append(await peer.greet())
        await peer.stay()

    async with (
        FakeServer(script) as fake,
        connected(fake.server, identity=Identity("Ola", token="old")) as (_, notes),
    ):
        await notes.until("welcomed")
        assert notes.notes == ["forgotten", "welcomed"]
    assert [(hello.name, hello.token) for hello in hellos] == [(None, "old"), ("Ola", None)]


@pytest.mark.parametrize(("rename", "name"), [(True, "Ola"), (False, None)])
async def test_a_name_beside_a_token_renames(*, rename: bool, name: str | None) -> None:
    """Only when the player has given one anew."""
    hellos: list[Any] = []

    async def script(peer: Peer) -> None:
        hellos.append(await peer.greet())
        await peer.stay()

    identity = Identity("Ola", token="t", rename=rename)
    async with FakeServer(script) as fake, connected(fake.server, identity=identity) as (_, notes):
        await notes.until("welcomed")
    assert [hello.name for hello in hellos] == [name]


async def test_a_refused_hello_ends_the_connection() -> None:
    """With the server's reason."""

    async def script(peer: Peer) -> None:
        await peer.hear()
        await peer.refuse(None, "bad_name")
        await peer.stay()

    with pytest.raises(ExceptionGroup) as raised:
        async with FakeServer(script) as fake, connected(fake.server):
            await asyncio.Event().wait()
    refused = leaves(raised.value)[0]
    assert isinstance(refused, Refused)
    assert refused.error["code"] == "bad_name"


async def test_a_first_connection_that_fails_says_so() -> None:
    """Nothing listens there: an impatient client does not wait."""
    async with FakeServer() as fake:
        server = fake.server
    with pytest.raises(ExceptionGroup) as raised:
        async with connected(server):
            await asyncio.Event().wait()
    assert isinstance(leaves(raised.value)[0], Unreachable)


async def test_a_patient_client_waits_for_a_busy_server() -> None:
    """A hello that is refused for the moment is said again over another connection."""

    async def busy(peer: Peer) -> None:
        await peer.hear()
        await peer.refuse(None, "draining")
        await peer.stay()

    async def free(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async with FakeServer(busy, busy, free) as fake, connected(fake.server, patient=True) as (_, notes):
        await notes.until("welcomed")
        assert fake.connections == 3
        assert notes.notes == ["welcomed"]


async def test_garbage_ends_the_connection_and_not_the_client() -> None:
    """What is no message of ours counts as a lost connection."""

    async def garbage(peer: Peer) -> None:
        await peer.greet()
        await peer.socket.send(b"\xc1")
        await peer.stay()

    async def good(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async with FakeServer(garbage, good) as fake, connected(fake.server) as (_, notes):
        await notes.until("welcomed", 2)


async def test_the_servers_clock_is_known() -> None:
    """From welcome and pong, in ms."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.stay()

    async with FakeServer(script) as fake, connected(fake.server) as (connection, notes):
        await notes.until("welcomed")
        assert 1_000_000_000 <= connection.server_time() < 1_000_000_000 + 60_000
