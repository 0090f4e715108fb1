"""Every kind of message is limited, not only chat; `test_scenarios_limits` has what others notice of a flood."""

import asyncio
import contextlib
import json
from collections.abc import Iterator

import msgpack
import pytest
from websockets.exceptions import ConnectionClosed

from protocol.codec import Encoding
from protocol.errors import CloseCode
from server.endpoint.settings import Limits
from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.wire import Message, Wire

DEFAULTS = Limits()
BY_DEFAULT = {
    f"KOP_LIMIT_{name.upper()}": str(getattr(DEFAULTS, name))
    for name in (
        "messages_per_second",
        "messages_burst",
        "address_messages_per_second",
        "address_messages_burst",
        "greetings_per_second",
        "greetings_burst",
    )
}
ENCODINGS = pytest.mark.parametrize("encoding", list(Encoding), ids=["msgpack", "json"])


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the limits that are set by default."""
    server = ServerProcess(tmp_path_factory.mktemp("limited"), BY_DEFAULT).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose limits are small, but grow back within milliseconds."""
    small = {"KOP_LIMIT_MESSAGES_PER_SECOND": "500", "KOP_LIMIT_MESSAGES_BURST": "40", "KOP_LIMIT_HELLO_SECONDS": "1"}
    server = ServerProcess(tmp_path_factory.mktemp("quick"), small).start()
    yield server
    server.stop()


def packed(message: Message, encoding: Encoding) -> bytes:
    return bytes(msgpack.packb(message)) if encoding is Encoding.MSGPACK else json.dumps(message).encode()


@ENCODINGS
async def test_flood_filter_eats_no_honest_repeat_and_tells_who_goes_too_fast(
    quick: ServerProcess, encoding: Encoding
) -> None:
    """A burst just over the limit: each message is answered or `too_many` under its id; then all goes on."""
    async with Wire(quick.url, "Ada", encoding) as wire:
        since = len(wire.heard)
        numbers = range(1, 91)
        for number in numbers:
            await wire.send_frame(packed({"type": "sheet", "id": number, "table": "none"}, encoding))
        answers = {number: (await wire.answer_to(number, since))["code"] for number in numbers}
        assert set(answers.values()) == {"not_at_table", "too_many"}
        assert "too_many" not in [answers[number] for number in range(1, 30)]
        while (await wire.answer(packed({"type": "ping"}, encoding)))["type"] != "pong":
            pass
        assert wire.socket.close_code is None


async def test_ten_short_repeats_pass(limited: ServerProcess) -> None:
    """The same short message ten times in a row is no flood."""
    async with Wire(limited.url, "Ada") as wire:
        for number in range(1, 11):
            await wire.send({"type": "list", "id": number})
        for number in range(1, 11):
            answer = await wire.answer_to(number)
            assert answer["type"] == "lobby"


async def flood(wire: Wire, *messages: Message, reads: bool = True) -> None:
    """10,000 messages as fast as the wire takes them, ended by the server; who never reads may miss why."""
    payloads = [packed(message, wire.encoding) for message in messages]
    with contextlib.suppress(ConnectionClosed):
        for number in range(10_000):
            await wire.send_frame(payloads[number % len(payloads)])
            if reads:
                await asyncio.sleep(0)
    assert await wire.closed() in ((CloseCode.FLOOD,) if reads else (CloseCode.FLOOD, 1006))


async def test_a_flood_before_hello_is_closed_too(limited: ServerProcess) -> None:
    """Pings of somebody who has not said who he is are counted as well."""
    wire = Wire(limited.url, "Nobody")
    await wire.connect()
    await flood(wire, {"type": "ping"})
    await wire.drop()


async def test_new_tables_are_limited_for_one_player(start_server: StartServer) -> None:
    """More tables than the limit: `too_many_tables`, and a repeat of one that was opened still gets its reply."""
    server = start_server({"KOP_LIMIT_TABLES_PER_PLAYER_HOUR": "3"})
    async with Wire(server.url, "Ada") as wire:
        replies = [await wire.ask("create") for _ in range(3)]
        assert (await wire.refused("create"))["code"] == "too_many_tables"
        assert await wire.ask("create", id=replies[0]["id"]) == replies[0]


async def test_who_never_says_hello_is_sent_away(quick: ServerProcess) -> None:
    """Pings keep nobody in: without a `hello` in time the connection is closed with 4000."""
    wire = Wire(quick.url, "Nobody")
    await wire.connect()
    await wire.send({"type": "ping"})
    assert await wire.closed() == CloseCode.NO_HELLO
    await wire.drop()
