"""Whatever a client sends, it gets a stable code and a text, the connection goes on, and nothing changes."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import msgpack
import pytest

from protocol.codec import MAX_FRAME, Encoding
from server.endpoint.limits import ConnectionLimits
from tests.wire import Message, RefusedError, Wire

ID = 2**52
"""An id that no other command here uses."""
ENCODINGS = pytest.mark.parametrize("encoding", list(Encoding), ids=["msgpack", "json"])


@pytest.fixture
async def wire(server_url: str, encoding: Encoding) -> AsyncIterator[Wire]:
    """A connection whose player sits at a table."""
    async with Wire(server_url, "Ada", encoding) as wire:
        await wire.view((await wire.ask("create"))["table"])
        yield wire


def packed(message: Any, encoding: Encoding) -> bytes:
    """The frame of a message, however wrong it is."""
    return bytes(msgpack.packb(message)) if encoding is Encoding.MSGPACK else json.dumps(message).encode()


async def check_refused(wire: Wire, payload: bytes, code: str, command_id: int | None = None) -> None:
    """The frame is refused with the code and a text; the connection goes on and the table stands where it stood."""
    (table,) = wire.views
    before = wire.views[table]["version"]
    error = await wire.answer(payload)
    assert (error["type"], error["code"], error["id"]) == ("error", code, command_id), (payload[:80], error)
    assert len(error["text"]) > 10
    assert (await wire.answer(packed({"type": "ping"}, wire.encoding)))["type"] == "pong"
    assert (await wire.ask("sync", table=table))["version"] == before


NO_MAPS: list[Any] = [None, True, 17, "hello", [], [{"type": "ping"}]]

BROKEN = {
    Encoding.MSGPACK: [
        b"",
        b"\xc1",
        b"\x81",
        msgpack.packb({"type": "ping"}) + b"\x00",
        msgpack.packb({1: "ping"}),
        msgpack.packb({"type": "ping", "x": list(range(65))}),
        msgpack.packb({str(key): 0 for key in range(65)}),
        msgpack.packb({"type": "ping", "x": msgpack.ExtType(5, b"x")}),
        b"\x81\xa4type\xa4p\xffng",
        b"\xdf\xff\xff\xff\xff",
        b"\xdd\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\x91" * MAX_FRAME,
        b"\x81\xa1a" * (MAX_FRAME // 3),
    ],
    Encoding.JSON: [
        b"",
        b"{",
        b'{"type": "ping"} {}',
        b"{'type': 'ping'}",
        b'{"type": "p\xffng"}',
        b"\x00\x01\x02",
        b'{"type": "list", "id": ' + b"9" * 5000 + b"}",
        b"[" * MAX_FRAME,
        b'{"a":' * (MAX_FRAME // 5),
    ],
}


@ENCODINGS
async def test_what_is_no_map_in_the_encoding_is_undecodable(wire: Wire) -> None:
    """Broken frames, frames with something else than a map, and bombs of nesting and size."""
    for payload in [*BROKEN[wire.encoding], *(packed(plain, wire.encoding) for plain in NO_MAPS)]:
        await check_refused(wire, payload, "undecodable")


@ENCODINGS
@pytest.mark.parametrize("kind", [None, True, 17, 1.5, "", "Ping", "ping ", "welcome", "x" * 300, [], ["ping"], {}])
async def test_a_type_that_is_none_of_ours_is_unknown(wire: Wire, kind: object) -> None:
    """Whatever stands as `type`, or no type at all; the id comes back where it can be read."""
    await check_refused(wire, packed({"type": kind, "id": ID}, wire.encoding), "unknown_type", ID)
    await check_refused(wire, packed({"id": ID}, wire.encoding), "unknown_type", ID)
    await check_refused(wire, packed({"type": kind, "id": str(ID)}, wire.encoding), "unknown_type")


NO_IDS: list[Any] = [
    None,
    True,
    False,
    "17",
    1.0,
    1.5,
    0,
    -1,
    2**53,
    2**64 - 1,
    [],
    [17],
    {},
    float("nan"),
    float("inf"),
]


@ENCODINGS
async def test_an_id_is_a_whole_number_and_nothing_like_one(wire: Wire) -> None:
    """True is not 1, "17" not 17, and 1.0 not 1; the bounds are 1 and 2^53 - 1."""
    for value in NO_IDS:
        await check_refused(wire, packed({"type": "list", "id": value}, wire.encoding), "bad_field")
    if wire.encoding is Encoding.JSON:
        for text in (b"1e3", b"9" * 400, b"-0", b"NaN", b"-Infinity"):
            await check_refused(wire, b'{"type": "list", "id": ' + text + b"}", "bad_field")


BAD_FIELDS: list[Message] = [
    {"type": "act"},
    {"type": "act", "table": "t", "prompt": "1.1r"},
    {"type": "act", "table": "t", "prompt": "1.1r", "action": ""},
    {"type": "act", "table": "t", "prompt": "1.1r", "action": "x" * 97},
    {"type": "act", "table": "t", "prompt": 1, "action": "ready"},
    {"type": "act", "table": "t", "prompt": None, "action": "ready"},
    {"type": "act", "table": "T", "prompt": "1.1r", "action": "ready"},
    {"type": "act", "table": "", "prompt": "1.1r", "action": "ready"},
    {"type": "act", "table": "t" * 33, "prompt": "1.1r", "action": "ready"},
    {"type": "act", "table": "kop:{t}:log", "prompt": "1.1r", "action": "ready"},
    {"type": "act", "table": "t", "prompt": "1.1r", "action": "ready", "seat": 0},
    {"type": "act", "table": "t", "prompt": "1.1r", "action": ["ready"]},
    {"type": "list", "extra": None},
    {"type": "join", "table": "t", "seat": -1},
    {"type": "join", "table": "t", "seat": 16},
    {"type": "join", "table": "t", "seat": True},
    {"type": "join", "table": "t", "seat": 1.0},
    {"type": "join", "table": "t", "watch": 1},
    {"type": "join", "table": "t", "watch": None},
    {"type": "join", "code": ""},
    {"type": "join", "code": "x" * 33},
    {"type": "join", "code": 17},
    {"type": "create", "private": "no"},
    {"type": "create", "game": 17},
    {"type": "create", "game": "x" * 33},
    {"type": "create", "options": None},
    {"type": "create", "options": []},
    {"type": "create", "options": {"deals": [4]}},
    {"type": "create", "options": {"deals": {"deals": 4}}},
    {"type": "create", "options": {"deals": 4.0}},
    {"type": "create", "options": {"deals": float("nan")}},
    {"type": "create", "options": {"deals": 2**60}},
    {"type": "create", "options": {"stake": "1" * 257}},
    {"type": "create", "options": {"x" * 33: 1}},
    {"type": "remove", "table": "t", "player": 1},
    {"type": "annul"},
    {"type": "record", "record": ""},
    {"type": "record", "record": "x" * 65},
    {"type": "record", "record": 1},
    {"type": "record", "code": ""},
    {"type": "record", "code": "x" * 33},
    {"type": "records", "most": 5},
    {"type": "share"},
    {"type": "share", "record": None},
    {"type": "sync"},
]
BAD_FIELDS_OF_AN_EVENING: list[Message] = [
    {"type": "seat_bot"},
    {"type": "seat_bot", "table": "t", "seat": -1},
    {"type": "seat_bot", "table": "t", "seat": 16},
    {"type": "seat_bot", "table": "t", "seat": "1"},
    {"type": "seat_bot", "table": "t", "seat": True},
    {"type": "seat_bot", "table": "t", "strength": "genius"},
    {"type": "seat_bot", "table": "t", "strength": "program"},
    {"type": "seat_bot", "table": "t", "strength": None},
    {"type": "seat_bot", "table": "t", "name": "Ada"},
    {"type": "options"},
    {"type": "options", "table": "t"},
    {"type": "options", "table": "t", "options": None},
    {"type": "options", "table": "t", "options": [["deals", 4]]},
    {"type": "options", "table": "t", "options": {"on_absence": ["bot"]}},
    {"type": "options", "table": "t", "options": {"clock_seconds": 3.0}},
    {"type": "hand_over", "table": "t"},
    {"type": "hand_over", "table": "t", "player": None},
    {"type": "hand_over", "table": "t", "player": "x" * 33},
    {"type": "hand_over", "table": "t", "seat": 1},
    {"type": "pause"},
    {"type": "pause", "table": "T"},
    {"type": "pause", "table": "t", "seconds": 60},
    {"type": "resume"},
    {"type": "resume", "table": None},
    {"type": "resume", "table": "t", "at": 0},
    {"type": "vote", "table": "t", "absence": 1},
    {"type": "vote", "table": "t", "choice": "bot"},
    {"type": "vote", "table": "t", "absence": 0, "choice": "bot"},
    {"type": "vote", "table": "t", "absence": -1, "choice": "bot"},
    {"type": "vote", "table": "t", "absence": 2**53 + 1, "choice": "bot"},
    {"type": "vote", "table": "t", "absence": "1", "choice": "bot"},
    {"type": "vote", "table": "t", "absence": True, "choice": "bot"},
    {"type": "vote", "table": "t", "absence": 1.0, "choice": "bot"},
    {"type": "vote", "table": "t", "absence": 1, "choice": "kick"},
    {"type": "vote", "table": "t", "absence": 1, "choice": None},
    {"type": "vote", "table": "t", "absence": 1, "choice": "bot", "seat": 2},
    {"type": "say"},
    {"type": "say", "text": "tak"},
    {"type": "say", "table": "t", "text": ""},
    {"type": "say", "table": "t", "text": "x" * 401},
    {"type": "say", "table": "t", "text": 17},
    {"type": "say", "table": "t", "text": ["tak"]},
    {"type": "say", "table": "t", "text": "tak", "name": "Ada"},
    {"type": "say", "table": "t", "text": "tak", "seat": 0},
    {"type": "say", "table": "t", "phrase": "x" * 33},
    {"type": "say", "table": "t", "phrase": 1},
    {"type": "talk"},
    {"type": "talk", "table": "t", "most": 5},
    {"type": "evening"},
    {"type": "evening", "table": ""},
    {"type": "evening", "table": "t", "match": 1},
    {"type": "explain", "record": ""},
    {"type": "explain", "record": "x" * 65},
    {"type": "explain", "code": 1},
    {"type": "explain", "code": ""},
    {"type": "explain", "record": "r", "seconds": 600},
]


@ENCODINGS
async def test_fields_missing_unknown_or_of_another_type_are_bad(wire: Wire) -> None:
    """Each fault is a `bad_field` under the command's id, and the detail names the place."""
    for message in BAD_FIELDS:
        await check_refused(wire, packed({**message, "id": ID}, wire.encoding), "bad_field", ID)
    error = await wire.answer(packed({"type": "join", "table": "t", "seat": -1, "id": ID}, wire.encoding))
    assert error["detail"].startswith("seat")
    await check_refused(wire, packed({"type": "ping", "id": ID}, wire.encoding), "bad_field", ID)


@ENCODINGS
async def test_bad_fields_of_what_an_evening_brings(wire: Wire) -> None:
    """The same for bots, pauses, votes, talk, and all else that people do at a table beside playing."""
    for message in BAD_FIELDS_OF_AN_EVENING:
        await check_refused(wire, packed({**message, "id": ID}, wire.encoding), "bad_field", ID)


async def test_lone_surrogates_are_bad_and_do_no_harm(server_url: str) -> None:
    """JSON can write half a character, as a value, as a key and as a type: each is refused."""
    async with Wire(server_url, "Ada", Encoding.JSON) as wire:
        await wire.view((await wire.ask("create"))["table"])
        for text, code in (
            (r'{"type": "join", "id": 9, "code": "\ud800"}', "bad_field"),
            (r'{"type": "list", "id": 9, "\udfff": 1}', "bad_field"),
            (r'{"type": "create", "id": 9, "options": {"\ud800": 1}}', "bad_field"),
            (r'{"type": "say", "id": 9, "table": "t", "text": "\udc00tak"}', "bad_field"),
            (r'{"type": "say", "id": 9, "table": "t", "phrase": "\ud83d"}', "bad_field"),
            (r'{"type": "\ud800", "id": 9}', "unknown_type"),
        ):
            await check_refused(wire, text.encode(), code, 9)


@ENCODINGS
async def test_a_key_that_stands_twice_counts_once(wire: Wire) -> None:
    """The last one counts, in both encodings: one answer, under its id."""
    since = len(wire.heard)
    if wire.encoding is Encoding.JSON:
        await wire.send_frame(b'{"type": "act", "id": 7, "type": "list", "id": 9007199254740000}')
    else:
        await wire.send_frame(
            b"\x84" + b"".join(map(msgpack.packb, ("type", "act", "id", 7, "type", "list", "id", ID)))
        )
    answer = await wire.wait(lambda message: message["type"] in ("lobby", "error"), since)
    assert answer["type"] == "lobby"
    assert answer["id"] in (9007199254740000, ID)


@ENCODINGS
async def test_a_message_too_long_is_refused_and_one_far_too_long_ends_the_connection(wire: Wire) -> None:
    """Over 16 KiB: `too_long`; over the listener's bound: closed with 1009, and the player comes back."""
    await check_refused(wire, packed({"type": "ping", "x": "x" * MAX_FRAME}, wire.encoding), "too_long")
    with_room = packed({"type": "ping", "x": "x" * ConnectionLimits().message}, wire.encoding)
    await wire.send_frame(with_room)
    assert await wire.closed() == 1009
    assert len((await wire.reopen())["tables"]) == 1


@ENCODINGS
async def test_before_hello_nothing_but_a_ping_is_answered(server_url: str, encoding: Encoding) -> None:
    """Every command is refused as `hello_first`; a ping has its pong."""
    wire = Wire(server_url, "Ada", encoding)
    await wire.connect()
    table = {"table": "t"}
    for message in (
        {"type": "create"},
        {"type": "join", **table},
        {"type": "list"},
        {"type": "leave", **table},
        {"type": "act", "prompt": "1.1r", "action": "ready", **table},
        {"type": "start", **table},
        {"type": "finish", **table},
        {"type": "remove", "player": "x", **table},
        {"type": "sync", **table},
        {"type": "sheet", **table},
        {"type": "seat_bot", **table},
        {"type": "options", "options": {}, **table},
        {"type": "hand_over", "player": "x", **table},
        {"type": "pause", **table},
        {"type": "resume", **table},
        {"type": "vote", "absence": 1, "choice": "bot", **table},
        {"type": "say", "text": "tak", **table},
        {"type": "talk", **table},
        {"type": "evening", **table},
        {"type": "explain", "record": "r"},
    ):
        assert (await wire.refused(**message))["code"] == "hello_first"
    assert (await wire.answer(packed({"type": "ping"}, encoding)))["type"] == "pong"
    await wire.close()


HELLO = {"type": "hello", "protocol": 1, "instance": "abcdefgh", "name": "Ada"}


@ENCODINGS
async def test_a_hello_that_is_refused_may_be_said_again(server_url: str, encoding: Encoding) -> None:
    """Every fault of a `hello` has its code; the right one is then answered, and a second one refused."""
    wire = Wire(server_url, "Ada", encoding)
    await wire.connect()
    nameless = {key: value for key, value in HELLO.items() if key != "name"}
    for hello, code in (
        ({**HELLO, "protocol": 2}, "unsupported_protocol"),
        ({**HELLO, "protocol": "1"}, "bad_field"),
        ({**HELLO, "protocol": True}, "bad_field"),
        ({**HELLO, "instance": "short"}, "bad_field"),
        ({**HELLO, "instance": "ABCDEFGH"}, "bad_field"),
        ({**HELLO, "id": 1}, "bad_field"),
        ({**HELLO, "name": 17}, "bad_field"),
        ({**HELLO, "name": "x" * 65}, "bad_field"),
        (nameless, "name_needed"),
        ({**nameless, "token": "0" * 64}, "unknown_token"),
        ({**nameless, "token": ""}, "unknown_token"),
        ({**nameless, "token": "x" * 65}, "bad_field"),
    ):
        error = await wire.answer(packed(hello, encoding))
        assert (error["type"], error["code"]) == ("error", code), hello
    assert (await wire.answer(packed(HELLO, encoding)))["type"] == "welcome"
    assert (await wire.answer(packed(HELLO, encoding)))["code"] == "already_greeted"
    assert (await wire.answer(packed({"type": "ping"}, encoding)))["type"] == "pong"
    await wire.close()


async def test_two_hellos_at_once_make_one_player(server_url: str) -> None:
    """The second `hello` waits for the first and is refused."""
    wire = Wire(server_url, "Ada")
    await wire.connect()
    await asyncio.gather(wire.send(HELLO), wire.send(HELLO))
    await wire.wait(lambda message: message.get("code") == "already_greeted")
    assert [message["type"] for message in wire.heard[1:]] == ["welcome", "error"]
    await wire.close()


async def test_a_public_id_is_no_token(server_url: str) -> None:
    """What everybody can see of a player opens nothing."""
    async with Wire(server_url, "Ada") as ada:
        thief = Wire(server_url, "Eve")
        thief.token = ada.player
        with pytest.raises(RefusedError, match="unknown_token"):
            await thief.open()
        await thief.close()
