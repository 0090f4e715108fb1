"""Frames that are wrong in every way that the encodings allow: in values, keys, nesting, bytes."""

import json
from typing import Any, Final

import msgpack

from protocol.codec import MAX_FRAME, MAX_ITEMS, Encoding
from tests.fuzz import messages
from tests.fuzz.messages import Known
from tests.fuzz.script import Script

SECRET: Final = "f00dfeedf00dfeedf00dfeedf00dfeed"
"""What must not stand in any refusal."""
Pairs = list[tuple[Any, Any]]
"""A map as pairs, so that a key may stand twice or be no text."""

_DEEP: Final = "deep"
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 2, 15, 16, 17, 255, 2**31, 2**53 - 1, 2**53, 2**63, 2**64 - 1, -(2**63),
    10**400, -(10**30), 10**4299, 0.0, -0.0, 1.0, 1.5, 1e308, float("nan"), float("inf"), float("-inf"),
    "", " ", "a", "\0", "\x1b[31m", "\u202eabc", "\u200b", "\ufeff", "\ud800", "\udfffx", "e\u0301", "😀" * 64,
    "٣", "²", "①", "1_0", "+1", "-1", "0x10", "9" * 20, "9" * 5000, "NaN", "null", "__class__", "..", "/", "{t}", "*",
    "ready", "ready 8", "ready ٣", "ready number 7", "ready number ²", "ready commit " + "0" * 64,
    "open " + "f" * 64, "open 3 " + "0" * 64,
    "rematch", "play QC", "play  QC", "play", "wesele", "wesele JC", "zolo", "zolo du", "double 1", "double 2",
    "double ²", "double 99",
    "double  1", "ask", "go on", "go on, this deal", "pass", "undo", "redo", "draw", "redeal", "give_up", "restart",
    "again", "safe",
    "move waste foundation", "move stock waste", "move waste.2 foundation", "move waste.² foundation",
    "move packet1.99 arch9",
    "move side1 side1", "move braid corner1", "auto", "ask_solver", "keep_twins",
    "x" * 33, "x" * 65, "x" * 97, "ż" * 401, "x" * 4096, SECRET, SECRET * 2, b"", b"abc", b"\xff" * 40,
    [], [1], ["a"] * 3, [[]] * 65, {}, {"a": 1}, {"a": {"a": {}}}, {"type": "ping"},
    msgpack.ExtType(5, b"x"), msgpack.ExtType(1, b""), msgpack.Timestamp(0, 0), msgpack.Timestamp(2**34, 999_999_999),
    _DEEP,
)  # fmt: skip
WORDS: Final = tuple(one for one in VALUES if isinstance(one, str) and 0 < len(one) <= 96)
"""Texts that might be actions."""
KEYS: Final[tuple[Any, ...]] = (
    "type", "id", "table", "token", "name", "x", "", "Type", "\ud800", "__proto__", "options", 1, None, True, b"type",
    1.5, "k" * 300,
)  # fmt: skip


def message(script: Script, known: Known | None = None) -> Pairs:
    """A message of some type, valid or changed in up to three places."""
    kind = script.one_of(messages.types())
    pairs: Pairs = list(messages.valid(kind, script, known).items())
    for _ in range(script.below(4)):
        _change(pairs, script)
    return pairs


def _change(pairs: Pairs, script: Script) -> None:
    place = script.below(len(pairs) or 1)
    match script.below(7):
        case 0:
            del pairs[place : place + 1]
        case 1:
            pairs.append((script.one_of(KEYS), script.one_of(VALUES)))
        case 2 if pairs:
            pairs.append((pairs[place][0], script.one_of(VALUES)))  # a key that stands twice
        case 3 if pairs:
            pairs[place] = (script.one_of(KEYS), pairs[place][1])
        case 4:
            pairs.insert(place, ("type", script.one_of(messages.NAMES)))
        case 5 if pairs and isinstance(pairs[place][1], str):
            pairs[place] = (pairs[place][0], bent(pairs[place][1], script))
        case _ if pairs:
            pairs[place] = (pairs[place][0], script.one_of(VALUES))


def bent(text: str, script: Script) -> str:
    """Nearly the same text: real words are read further than strange ones."""
    place = script.below(len(text) + 1)
    part = script.one_of(("", " ", "  ", "\0", "²", "٣", "-", "0", "99", "Q♠", "x", "\ud800", text))
    return script.one_of((text[:place] + part + text[place:], text[:place] + part, part + text[place + 1 :]))


def whole(text: str) -> str:
    """The text without halves of characters, which an encoding cannot say."""
    return text.encode(errors="ignore").decode()


def encoded(pairs: Pairs, encoding: Encoding) -> bytes:
    """The frame of a map; what the encoding cannot say stands as something near it."""
    if encoding is Encoding.JSON:
        return b"{" + b",".join(_json(_key(key)) + b":" + _json(value) for key, value in pairs) + b"}"
    head = bytes((0x80 | len(pairs),)) if len(pairs) < 16 else b"\xde" + len(pairs).to_bytes(2)
    return head + b"".join(_msgpack(key) + _msgpack(value) for key, value in pairs)


def _key(key: Any) -> Any:
    return key if isinstance(key, str) else str(key)


def _json(value: Any) -> bytes:
    if value is _DEEP:
        return b'{"a":[' * 2000 + b"]}" * 2000
    return json.dumps(value, default=repr).encode()


def _msgpack(value: Any) -> bytes:
    if value is _DEEP:
        return b"\x81\xa1a\x91" * 3000 + b"\xc0"
    if type(value) is int and not -(2**63) <= value < 2**64:
        value = float(value % 10**300)
    return bytes(msgpack.packb(value, unicode_errors="surrogatepass"))


def frame(script: Script, encoding: Encoding, known: Known | None = None) -> bytes:
    """A frame: a message, one whose bytes are changed, a bomb, or just bytes."""
    way = script.below(16)
    if way == 15:
        return script.one_of(BOMBS[encoding])
    if way == 14:
        return script.take(64)
    whole = encoded(message(script, known), encoding)
    for _ in range(max(0, way - 9)):
        whole = spoilt(whole, script)
    return whole[: 5 * MAX_FRAME]


def spoilt(data: bytes, script: Script) -> bytes:
    """The same bytes, but for one place."""
    place = script.below(len(data) + 1)
    match script.below(9):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + bytes((script.below(256),)) + data[place + 1 :]
        case 2:
            return data[:place] + script.take(1 + script.below(8)) + data[place:]
        case 3:
            return data[:place] + data[place + 1 + script.below(8) :]
        case 4:
            return data + data
        case 5:
            return data[:place] + data[place : place + 16] * (1 + script.below(256)) + data[place:]
        case 6:
            return data.decode("latin-1").encode(script.one_of(("utf-16", "utf-32", "utf-16-be", "utf-8-sig")))
        case 7:
            return data[:place] + script.one_of(PIECES) + data[place:]
        case _:
            return data[:place] + bytes(256) + data[place:]


PIECES: Final = (
    b"\xc1", b"\xff\xff\xff\xff", b"\xed\xa0\x80", b"\xc0\x80", b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01", b"\xc7\x00\xff", b"\xd6\xff\x00\x00\x00\x00", b"\xdb\xff\xff\xff\xff", b"\x00",
    b'"', b"\\u", b"\\ud800", b"NaN", b"-Infinity", b"1e999", b"//", b"/*", b",", b"}{", b"\r\n", b"\xef\xbb\xbf",
)  # fmt: skip
BOMBS: Final = {
    Encoding.MSGPACK: (
        b"",
        b"\x91" * MAX_FRAME,
        b"\x81\xa1a" * (MAX_FRAME // 3),
        b"\xdc\x40\x00" + b"\x80" * (MAX_FRAME - 3),
        b"\xdf\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xc7\x00\xff",
        (b"\xdc\x00\x40" * 5000)[:MAX_FRAME],
        b"\x81\xa4type" + b"\xdc\x00" + bytes((MAX_ITEMS,)) + (b"\xdc\x00\x40" + b"\x80" * MAX_ITEMS) * MAX_ITEMS,
    ),
    Encoding.JSON: (
        b"",
        b"[" * MAX_FRAME,
        b'{"a":' * (MAX_FRAME // 5),
        b'{"type":"ping","x":[' + b"{}," * 5000 + b"{}]}",
        b'{"type":"list","id":' + b"9" * 16_000 + b"}",
        b'{"type":"list","id":1e' + b"9" * 400 + b"}",
        b'{"type":"list","id":0.' + b"9" * 16_000 + b"}",
        b'{"' + b"\\u0000" * 2700 + b'":1}',
        b"{" + b",".join(b'"%d":0' % key for key in range(1800)) + b"}",
    ),
}
"""Frames within the limit that grow when they are read."""
