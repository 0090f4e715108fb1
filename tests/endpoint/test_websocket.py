"""Websockets over real sockets: messages, bounds of size, memory and time, and every way to hang up."""

import asyncio
import contextlib
import logging
import random

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Frame, Opcode

from protocol.codec import MAX_FRAME, Encoding
from protocol.errors import CLOSE_TEXTS, CloseCode
from server.endpoint.limits import ConnectionLimits
from server.endpoint.websocket import Connection, frame
from server.figures import Figures
from tests.endpoint.peers import echo, listening, masked, noise, raw, raw_websocket, until, upgrade

MSGPACK, JSON = Encoding.MSGPACK, Encoding.JSON


def is_open(connection: Connection) -> bool:
    """Asked anew each time: mypy takes an attribute for unchanged."""
    return connection.open


# Frames and messages


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
@pytest.mark.parametrize(("encoding", "opcode"), [(MSGPACK, Opcode.BINARY), (JSON, Opcode.TEXT)])
def test_a_frame_is_what_the_library_would_send(size: int, encoding: Encoding, opcode: Opcode) -> None:
    """Our frames are byte for byte those of the sans-I/O core."""
    payload = noise(size)
    assert frame(payload, encoding) == Frame(opcode, payload).serialize(mask=False)


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [([MSGPACK], MSGPACK), ([JSON], JSON), ([JSON, MSGPACK], MSGPACK), ([MSGPACK, JSON], MSGPACK)],
)
async def test_the_servers_order_of_encodings_wins(offered: list[Encoding], chosen: Encoding) -> None:
    """The first choice, msgpack, is taken where the client offers it, in whatever order."""
    async with listening() as port, port.client(*offered) as client:
        assert client.subprotocol == chosen.value
        connection = await port.connection()
        assert connection.encoding is chosen
        assert connection.address == "127.0.0.1"


@pytest.mark.parametrize(("encoding", "kind"), [(MSGPACK, bytes), (JSON, str)])
async def test_messages_come_and_go(encoding: Encoding, kind: type) -> None:
    """Payloads are bytes on our side; the client sees binary or text as its encoding has it."""
    async with listening() as port, port.client(encoding) as client:
        port.notes.reply = echo
        for message in ["", "{}", "Dąb", "x" * 126, "y" * MAX_FRAME]:
            payload = message.encode()[:MAX_FRAME]
            await client.send(payload, text=encoding is JSON)
            got = await client.recv()
            assert isinstance(got, kind)
            assert got == (payload if kind is bytes else payload.decode())


async def test_the_other_kind_of_frame_is_passed_on_too() -> None:
    """A text frame on a msgpack connection is bytes like any other: the decoder above judges it."""
    async with listening() as port, port.client(MSGPACK) as client:
        await client.send("słup")
        await until(lambda: port.notes.messages == ["słup".encode()])


@pytest.mark.parametrize("seed", range(20))
async def test_messages_arrive_however_they_are_cut(seed: int) -> None:
    """Fragments, pings among them, and cuts of the stream anywhere leave order and content as sent."""
    chance = random.Random(seed)
    messages = ["".join(chance.choices("aąłś\U0001f0a1", k=chance.choice([0, 1, 5, 300]))) for _ in range(20)]
    stream = bytearray()
    for message in messages:
        payload = message.encode()
        cuts = sorted(chance.choices(range(len(payload) + 1), k=chance.randrange(4)))
        parts = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
        for place, part in enumerate(parts):
            if chance.random() < 0.2:
                stream += masked(Opcode.PING, b"now?")
            opcode = Opcode.CONT if place else Opcode.TEXT
            stream += masked(opcode, part, fin=place == len(parts) - 1)
    async with listening() as port, raw_websocket(port) as peer:
        while stream:
            size = chance.choice([1, 7, 100, 10_000])
            await peer.say(bytes(stream[:size]))
            del stream[:size]
            await asyncio.sleep(0)
        await until(lambda: len(port.notes.messages) == len(messages))
        assert [got.decode() for got in port.notes.messages] == messages


async def test_a_letter_may_be_split_between_fragments() -> None:
    """The two bytes of one letter in two fragments are one message."""
    first, second = "ł".encode()[:1], "ł".encode()[1:]
    async with listening() as port, raw_websocket(port) as peer:
        await peer.say(masked(Opcode.TEXT, first, fin=False))
        await peer.say(masked(Opcode.CONT, second))
        await until(lambda: port.notes.messages == ["ł".encode()])


async def test_a_message_may_follow_the_handshake_at_once() -> None:
    """A client that does not wait for our 101 loses nothing."""
    async with listening() as port, raw(port) as peer:
        await peer.say(upgrade() + masked(Opcode.BINARY, b"hello"))
        await until(lambda: port.notes.messages == [b"hello"])


async def test_the_last_message_before_the_close_counts() -> None:
    """A move and a close frame in one packet: the move is told, then the end."""
    async with listening() as port, raw_websocket(port) as peer:
        port.notes.reply = echo
        await peer.say(masked(Opcode.BINARY, b"move") + masked(Opcode.CLOSE, b"\x03\xe8"))
        assert await peer.frame() == (Opcode.BINARY, b"move")
        assert await peer.close_code() == 1000
        assert await peer.rest() == b""
        await until(lambda: len(port.notes.gone) == 1)
        assert port.notes.messages == [b"move"]


async def test_nothing_is_received_after_close() -> None:
    """An application that closes in the middle of a flood hears no more of it."""
    async with listening() as port, raw_websocket(port) as peer:
        port.notes.reply = lambda connection, _: connection.close(CloseCode.FLOOD)
        await peer.say(masked(Opcode.BINARY, b"x") * 2000)
        assert await peer.close_code() == CloseCode.FLOOD
        await peer.say(masked(Opcode.CLOSE, b"\x0f\xa2"))
        assert await peer.rest() == b""
        assert port.notes.messages == [b"x"]


async def test_pings_are_answered() -> None:
    """A ping of the websocket layer has its pong, with the same payload."""
    async with listening() as port, raw_websocket(port) as peer:
        await peer.say(masked(Opcode.PING, b"here?"))
        assert await peer.frame() == (Opcode.PONG, b"here?")


# Bounds of what comes in

MOST = ConnectionLimits().message

BROKEN = {
    "too long": (masked(Opcode.BINARY, bytes(MOST + 1)), 1009),
    "too long in its fragments": (
        masked(Opcode.TEXT, bytes(MOST // 2), fin=False) + masked(Opcode.CONT, bytes(MOST // 2 + 1)),
        1009,
    ),
    "a length of 2^63": (b"\x82\xff\x7f" + b"\xff" * 7, 1009),
    "without mask": (b"\x82\x01x", 1002),
    "reserved bit": (b"\xc2\x80\0\0\0\0", 1002),
    "unknown opcode": (b"\x83\x80\0\0\0\0", 1002),
    "continuation of nothing": (masked(Opcode.CONT, b"x"), 1002),
    "message within a message": (masked(Opcode.TEXT, b"a", fin=False) + masked(Opcode.TEXT, b"b"), 1002),
    "fragmented ping": (b"\x09\x80\0\0\0\0", 1002),
    "close code 5": (masked(Opcode.CLOSE, b"\0\5"), 1002),
    "close reason that is no text": (masked(Opcode.CLOSE, b"\x03\xe8\xff"), 1007),
    "HTTP": (b"GET / HTTP/1.1\r\n\r\n", 1002),
    "endless pings": (masked(Opcode.PING) * 300, CloseCode.FLOOD),
    "endless empty fragments": (masked(Opcode.TEXT, fin=False) + masked(Opcode.CONT, fin=False) * 300, CloseCode.FLOOD),
}


@pytest.mark.parametrize(("data", "code"), BROKEN.values(), ids=BROKEN.keys())
async def test_broken_frames_close_with_their_code(
    data: bytes, code: int, caplog: pytest.LogCaptureFixture, figures: Figures
) -> None:
    """What is no message ends the connection with a code the client can read; nobody is told, nothing logged."""
    caplog.set_level(logging.INFO)
    async with listening() as port, raw_websocket(port) as peer:
        await peer.say(data)
        opcode, payload = await peer.frame()
        while opcode == Opcode.PONG:
            opcode, payload = await peer.frame()
        assert (opcode, int.from_bytes(payload[:2])) == (Opcode.CLOSE, code)
        peer.writer.close()
        await until(lambda: len(port.notes.gone) == 1)
        assert port.notes.gone[0].close_code == code
        assert not port.notes.messages
    assert not caplog.records
    assert figures.floods == (code == CloseCode.FLOOD)


async def test_who_is_still_writing_can_read_why_it_was_closed() -> None:
    """No reset overtakes the close frame when more data follows the frame that broke the rules."""
    async with listening() as port, raw_websocket(port) as peer:
        await peer.say(masked(Opcode.BINARY, bytes(MOST + 1)))
        await until(lambda: not is_open(port.notes.came[0]))
        for _ in range(20):
            await peer.say(masked(Opcode.BINARY, bytes(MOST)))
        assert await peer.close_code() == CloseCode.TOO_BIG


@pytest.mark.parametrize("seed", range(30))
async def test_noise_ends_cleanly(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    """Random bytes end a connection or wait for more; they never raise."""
    chance = random.Random(seed)
    async with listening() as port, raw_websocket(port) as peer:
        await peer.say(chance.choice([b"", b"\x81\xfe", b"\x82\x85", b"\x88\x82"]) + chance.randbytes(300))
        peer.writer.write_eof()
        await peer.rest()
        await until(lambda: len(port.notes.gone) == 1)
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


async def test_few_pings_are_no_flood() -> None:
    """The bound is for each second: the count begins anew with every sweep."""
    async with listening() as port, raw_websocket(port) as peer:
        for _ in range(5):
            await peer.say(masked(Opcode.PING) * 150)
            for _ in range(150):
                assert await peer.frame() == (Opcode.PONG, b"")
            port.tick(1)
        assert is_open(await port.connection())


# The outbox


async def test_a_peer_that_never_reads_is_cut_off_and_slows_nobody(figures: Figures) -> None:
    """The outbox stops at its cap, the memory is freed, and the others get their frames all the while."""
    large = frame(noise(16_000), MSGPACK)
    async with listening() as port, raw_websocket(port, receive_buffer=4096):
        stuck = await port.connection()
        async with port.client() as client:
            await until(lambda: len(port.notes.came) == 2)
            reader = port.notes.came[1]
            for _ in range(2000):
                stuck.send(large)
                reader.send(large)
                assert stuck.outbox <= 256 * 1024 + 2 * len(large)
                await client.recv()
                if not stuck.open:
                    break
            assert not stuck.open
            assert stuck.close_code == CloseCode.SLOW
            assert figures.cut_off == 1
            size = stuck.outbox
            stuck.send(large)
            assert stuck.outbox == size
            port.tick(1)
            await until(lambda: port.notes.gone == [stuck])
            reader.send(large)
            assert len(await client.recv()) == 16_000


async def test_a_slow_reader_is_told_when_it_may_be_sent_more() -> None:
    """Congested over 64 KiB, drained when it has read; nothing is lost meanwhile."""
    block = frame(bytes(8000), MSGPACK)
    async with listening() as port, raw_websocket(port, receive_buffer=4096) as peer:
        connection = await port.connection()
        sent = 0
        while connection.outbox <= 64 * 1024:
            connection.send(block)
            sent += 1
            await asyncio.sleep(0)
        assert connection.congested
        assert port.notes.drains == 0
        for _ in range(sent):
            assert await peer.frame() == (Opcode.BINARY, bytes(8000))
        await until(lambda: port.notes.drains == 1)
        assert connection.outbox == 0
        port.tick(31)
        assert is_open(connection)


async def test_a_peer_congested_for_30_seconds_is_cut_off() -> None:
    """However little is sent meanwhile; one that wakes up within the closing time reads why."""
    block = frame(bytes(8000), MSGPACK)
    async with listening() as port, raw_websocket(port, receive_buffer=4096) as peer:
        connection = await port.connection()
        while not connection.congested:
            connection.send(block)
            await asyncio.sleep(0)
        port.tick(29)
        assert is_open(connection)
        port.tick(1)
        assert not is_open(connection)
        opcode, payload = await peer.frame()
        while opcode == Opcode.BINARY:
            opcode, payload = await peer.frame()
        assert payload == CloseCode.SLOW.to_bytes(2) + CLOSE_TEXTS[CloseCode.SLOW].encode()


async def test_pongs_count_for_the_outbox_too() -> None:
    """A peer that asks and never listens is cut off like one that is only told."""
    pings = masked(Opcode.PING, bytes(125)) * 150
    limits = ConnectionLimits(empty_frames=1_000_000)
    async with listening(limits) as port, raw_websocket(port, receive_buffer=4096) as peer:
        connection = await port.connection()
        while is_open(connection):
            await peer.say(pings)
            await asyncio.sleep(0)
            assert connection.outbox <= 264 * 1024
        assert connection.close_code == CloseCode.SLOW


# Writing


class Wire:
    """Notes what is written to a transport, and writes it."""

    def __init__(self, connection: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written: list[bytes] = []
        self._honest = connection._transport.write
        monkeypatch.setattr(connection._transport, "write", self._note)

    def _note(self, data: bytes) -> None:
        self.written.append(data)
        self._honest(data)


async def test_what_is_sent_in_one_turn_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In its order, and the next turn's by itself; until then it counts for the outbox."""
    one, two, three = (frame(text, MSGPACK) for text in (b"one", b"two", b"three"))
    async with listening() as port, port.client() as client:
        connection = await port.connection()
        wire = Wire(connection, monkeypatch)
        connection.send(one)
        connection.send(two)
        assert (wire.written, connection.outbox) == ([], len(one + two))
        assert [await client.recv(), await client.recv()] == [b"one", b"two"]
        connection.send(three)
        assert await client.recv() == b"three"
        assert (wire.written, connection.outbox) == ([one + two, three], 0)


async def test_what_was_sent_is_written_before_the_close_frame() -> None:
    """And nothing after it."""
    async with listening() as port, port.client() as client:
        connection = await port.connection()
        connection.send(frame(b"last", MSGPACK))
        connection.close(CloseCode.GOING_AWAY)
        connection.send(frame(b"too late", MSGPACK))
        assert await client.recv() == b"last"
        with pytest.raises(ConnectionClosed):
            await client.recv()
        assert client.close_code == CloseCode.GOING_AWAY


async def test_what_was_not_written_is_dropped_with_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Aborting writes nothing more."""
    async with listening() as port, raw_websocket(port) as peer:
        connection = await port.connection()
        wire = Wire(connection, monkeypatch)
        connection.send(frame(b"unheard", MSGPACK))
        connection.abort()
        assert (await peer.rest(), wire.written, connection.outbox) == (b"", [], 0)


async def test_much_in_one_turn_congests_at_once() -> None:
    """The bounds of the outbox hold within a turn too."""
    block = frame(bytes(8000), MSGPACK)
    async with listening() as port, raw_websocket(port, receive_buffer=4096):
        connection = await port.connection()
        for _ in range(1000):
            connection.send(block)
            assert connection.outbox <= 264 * 1024
        assert not is_open(connection)
        assert connection.close_code == CloseCode.SLOW


# Time


async def test_silence_closes_and_any_frame_breaks_it() -> None:
    """45 seconds without a frame end a connection, a ping in time does not let them pass."""
    async with listening() as port, raw_websocket(port) as peer:
        connection = await port.connection()
        port.tick(44)
        await peer.say(masked(Opcode.PING))
        await peer.frame()
        port.tick(0)
        port.tick(44)
        assert is_open(connection)
        port.tick(1)
        assert not is_open(connection)
        assert await peer.close_code() == CloseCode.SILENT


async def test_half_a_frame_is_silence() -> None:
    """A peer that drips the bytes of one frame says nothing."""
    async with listening() as port, raw_websocket(port) as peer:
        connection = await port.connection()
        await peer.say(masked(Opcode.PING))
        await peer.frame()
        port.tick(0)
        await peer.say(masked(Opcode.TEXT, b"drip")[:5])
        port.tick(45)
        assert not is_open(connection)


async def test_a_closing_handshake_has_its_time() -> None:
    """A peer that does not answer our close frame is dropped; messages it sends meanwhile are not told."""
    limits = ConnectionLimits()
    async with listening(limits) as port, raw_websocket(port) as peer:
        connection = await port.connection()
        connection.close(CloseCode.NO_HELLO)
        connection.close(CloseCode.FLOOD)
        connection.send(frame(b"late", MSGPACK))
        assert await peer.close_code() == CloseCode.NO_HELLO
        await peer.say(masked(Opcode.BINARY, b"late"))
        port.tick(4.9)
        assert not port.notes.gone
        port.tick(0.1)
        assert await peer.rest() == b""
        await until(lambda: port.notes.gone == [connection])
        assert not port.notes.messages


async def test_a_flood_after_close_is_cut_short() -> None:
    """Only so much is read for the peer's close frame."""
    async with listening() as port, raw_websocket(port) as peer:
        (await port.connection()).close(CloseCode.FLOOD)
        with contextlib.suppress(ConnectionError):
            while not port.notes.gone:
                await peer.say(masked(Opcode.BINARY, bytes(16_000)))
                await asyncio.sleep(0)
        await until(lambda: len(port.notes.gone) == 1)


# Hanging up


@pytest.mark.parametrize("code", CloseCode)
async def test_a_client_learns_code_and_reason(code: CloseCode) -> None:
    """Each code comes with its text, or with a reason of the application, cut to what a frame can hold."""
    async with listening() as port:
        for reason in ("", "ż" * 100):
            async with port.client() as client:
                await until(lambda: len(port.notes.came) > len(port.notes.gone))
                port.notes.came[-1].close(code, reason)
                with pytest.raises(ConnectionClosed) as closed:
                    await client.recv()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == code
                assert closed.value.rcvd.reason == (reason[:61] or CLOSE_TEXTS[code])
                await until(lambda: len(port.notes.came) == len(port.notes.gone))


async def test_a_reset_is_a_plain_end(caplog: pytest.LogCaptureFixture) -> None:
    """A peer that resets is gone at once; frames sent to it go nowhere and nothing is logged."""
    async with listening() as port, raw_websocket(port) as peer:
        connection = await port.connection()
        peer.reset()
        await until(lambda: port.notes.gone == [connection])
        connection.send(frame(b"late", MSGPACK))
        connection.close(CloseCode.SLOW)
        connection.abort()
        assert connection.close_code == 1006
    assert not caplog.records


async def test_a_half_closed_socket_is_an_end() -> None:
    """An end of stream without a close frame ends the connection at once."""
    async with listening() as port, raw_websocket(port) as peer:
        peer.writer.write_eof()
        assert await peer.rest() == b""
        await until(lambda: len(port.notes.gone) == 1)


async def test_a_connection_can_be_aborted() -> None:
    """The application may drop a socket without a word."""
    async with listening() as port, raw_websocket(port) as peer:
        (await port.connection()).abort()
        assert await peer.rest() == b""


async def test_500_connections_come_and_go_without_a_trace() -> None:
    """However they end, no connection, visitor or count stays."""
    async with listening() as port:
        for number in range(500):
            async with raw_websocket(port) as peer:
                match number % 4:
                    case 0:
                        await peer.say(masked(Opcode.CLOSE, b"\x03\xe8"))
                        await peer.close_code()
                    case 1:
                        peer.reset()
                    case 2:
                        peer.writer.write_eof()
                    case _:
                        await peer.say(b"rubbish")
        await until(lambda: len(port.notes.gone) == 500)
        assert not port.listener.connections
        assert not port.listener.visitors
        assert port.listener.connections_from("127.0.0.1") == 0
