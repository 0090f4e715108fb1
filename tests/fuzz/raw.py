"""What a stranger may send to the port: HTTP requests right and wrong, and frames of websockets right and wrong."""

import re
from dataclasses import dataclass
from typing import Final

from protocol.codec import Encoding, pack
from tests.fuzz import strange
from tests.fuzz.script import Script

METHODS: Final = (
    b"GET", b"HEAD", b"OPTIONS", b"POST", b"PUT", b"CONNECT", b"TRACE", b"get", b"", b"G" * 17, b"G\0T", b"PRI",
    b"\x16\x03",
)  # fmt: skip
TARGETS: Final = (
    b"/ws", b"/", b"/healthz", b"/ws?x=1", b"/WS", b"//ws", b"/ws/", b"/./ws", b"/..%2f..%2fetc/passwd",
    b"/../../etc/passwd",
    b"http://kop.test/ws", b"http://[::1/", b"*", b"", b"/%00", b"/%zz", b"/\xff", b"/a b", b"/" + b"a" * 9000,
    b"/?" + b"q" * 8100,
    b"/tournament/tournament0123456789ab", b"/tournament/tournament0123456789ab.csv", b"/tournament/",
    b"/tournament/x/de",
    b"/tournament/tournament0123456789ab/%00", b"/tournament/tournament" + b"a" * 4000,
    b"/#t", b"/\x7f", b"/metrics", b"/\r", b"kop.test:443",
)  # fmt: skip
VERSIONS: Final = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0", b"HTTP/1.2", b"HTTP/0.9", b"", b"http/1.1", b"HTTP/1.1 ")
ENDS: Final = (b"\r\n", b"\n", b"\r", b"\r\r\n", b"\n\r", b"\0\r\n", b" \r\n")
KEY: Final = b"AAAAAAAAAAAAAAAAAAAAAA=="
UPGRADE: Final = (
    (b"Host", b"kop.test"),
    (b"Connection", b"Upgrade"),
    (b"Upgrade", b"websocket"),
    (b"Sec-WebSocket-Version", b"13"),
    (b"Sec-WebSocket-Key", KEY),
)
HEADERS: Final = (
    (b"Host", b"other"), (b"Host", b""), (b"Connection", b"close"), (b"Connection", b"keep-alive, Upgrade"),
    (b"Upgrade", b"h2c"),
    (b"Sec-WebSocket-Version", b"12"), (b"Sec-WebSocket-Version", b"x"), (b"Sec-WebSocket-Key", b"short"),
    (b"Origin", b"null"),
    (b"Sec-WebSocket-Key", b"\xff" * 24), (b"Sec-WebSocket-Key", b"=" * 24), (b"Sec-WebSocket-Protocol", b"chat"),
    (b"Sec-WebSocket-Protocol", b",,"), (b"Sec-WebSocket-Protocol", b"kop.v1.json, kop.v1.msgpack"),
    (b"Origin", b"\xe9"),
    (b"Sec-WebSocket-Protocol", b"\xff"), (b"Sec-WebSocket-Extensions", b"permessage-deflate; x=\"\\"),
    (b"Sec-WebSocket-Extensions", b"permessage-deflate; client_max_window_bits=99"), (b"Upgrade", b"\xff"),
    (b"Upgrade", b"websocket/0"),
    (b"Connection", b"\xff\xfe"), (b"Connection", b"Upgrade" + b", x" * 2000), (b"Content-Length", b"5"),
    (b"Content-Length", b"-1"),
    (b"Content-Length", b"9" * 400), (b"Transfer-Encoding", b"chunked"), (b"Expect", b"100-continue"),
    (b"X-Forwarded-For", b"1.2.3.4"),
    (b"X-Forwarded-For", b"\xff, ::1, 999.1.1.1"), (b"Cookie", b"x" * 9000), (b"X", b"a\r\n folded"), (b" X", b"y"),
    (b"X ", b"y"), (b"", b"y"),
    (b"X\0", b"y"), (b"X", b"\0"), (b"X", b"\r"), (b"X: y\r\nZ", b"z"), (b"\xff", b"y"), (b"Range", b"bytes=0-"),
    (b"Accept-Encoding", b"gzip"),
    (b"If-None-Match", b"*"), (b"Authorization", b"Basic Og=="), (b"Upgrade-Insecure-Requests", b"1"),
    (b"Sec-WebSocket-Version", b""),
)  # fmt: skip


def request(script: Script, *, upgrades: bool = False) -> tuple[bytes, bool]:
    """A request, and whether it is one of HEAD; nearly always something is wrong with it."""
    if not upgrades and script.below(12) == 0:
        return script.take(200), False
    method, target, version, end = b"GET", b"/ws", VERSIONS[0], ENDS[0]
    headers = [*UPGRADE, (b"Sec-WebSocket-Protocol", script.one_of(tuple(Encoding)).encode())]
    if not upgrades and script.below(2):
        method, target, version = script.one_of(METHODS), script.one_of(TARGETS), script.one_of(VERSIONS)
        headers = [*headers, headers[0]][: script.below(8)]
    for _ in range(script.below(4)):
        match script.below(4):
            case 0 if headers:
                del headers[script.below(len(headers))]
            case 1 if headers:
                headers[script.below(len(headers))] = script.one_of(HEADERS)
            case _:
                headers.insert(script.below(len(headers) + 1), script.one_of(HEADERS))
    if script.below(16) == 1:
        headers += [(b"X-%d" % number, b"y") for number in range(script.one_of((100, 127, 128, 129, 400, 3000)))]
    if script.below(8) == 1:
        end = script.one_of(ENDS)
    lines = [b" ".join((method, target, version)), *(name + b": " + value for name, value in headers), b"", b""]
    whole = end.join(lines)
    if script.below(6) == 1:
        whole = strange.spoilt(whole, script)
    if script.below(6) == 1:
        whole += script.one_of((b"body", whole, b"\0" * 70_000, b"\r\n\r\n", b"x" * 20_000))
    return whole, whole.startswith(b"HEAD ")


def frame(
    opcode: int, payload: bytes, *, fin: bool = True, reserved: int = 0, mask: bool = True, size: int = 0
) -> bytes:
    """A frame as a client sends it; `size` 1 or 2 says its length in more bytes than needed."""
    first = bytes((opcode | reserved << 4 | fin << 7,))
    length, bit = len(payload), 0x80 if mask else 0
    if length < 126 and size == 0:
        head = bytes((bit | length,))
    elif length < 65_536 and size < 2:
        head = bytes((bit | 126,)) + length.to_bytes(2)
    else:
        head = bytes((bit | 127,)) + length.to_bytes(8)
    return first + head + (b"\0\0\0\0" if mask else b"") + payload  # a mask of zeros changes nothing


CLOSES: Final = (
    b"", b"\x03\xe8", b"\x03", b"\x03\xe8bye", b"\x03\xed", b"\x03\xee", b"\x00\x00", b"\xff\xff", b"\x0f\xa0",
    b"\x03\xe8\xff\xfe", b"\x13\x88",
    b"\x03\xe8" + b"x" * 123, b"\x03\xf3" + b"x" * 50,
)  # fmt: skip


def frames(script: Script, encoding: Encoding) -> bytes:
    """Some frames in a row, most of them right."""
    sent = b""
    for _ in range(1 + script.below(6)):
        sent += _frames(script, encoding)
        if script.over:
            break
    return sent


def _frames(script: Script, encoding: Encoding) -> bytes:
    kind = 1 if encoding is Encoding.JSON else 2
    payload = strange.frame(script, encoding) if script.below(2) else pack({"type": "ping"}, encoding)
    match script.below(16):
        case 0 | 1 | 2 | 3:
            return frame(kind, payload)
        case 4:
            cut = script.below(len(payload) + 1)
            between = frame(9, b"in between") if script.below(2) else b""
            return frame(kind, payload[:cut], fin=False) + between + frame(0, payload[cut:])
        case 5:
            return frame(kind, b"", fin=False) + frame(0, b"", fin=False) * script.below(256) + frame(0, payload)
        case 6:
            return frame(script.one_of((9, 10)), script.take(script.below(126)))
        case 7:
            return frame(8, script.one_of(CLOSES))
        case 8:
            return frame(kind, b"x" * script.one_of((16_384, 16_385, 65_536, 65_537, 70_000)))
        case 9:
            return frame(3 - kind, payload)
        case _:
            return _wrong(script, kind, payload)


def _wrong(script: Script, kind: int, payload: bytes) -> bytes:
    """What no client may send."""
    match script.below(8):
        case 0 | 1:
            return frame(script.below(16), payload[:125], fin=bool(script.below(2)), reserved=script.below(8))
        case 2:
            return frame(kind, payload, mask=False)
        case 3:
            return frame(kind, payload[:125], size=1 + script.below(2))
        case 4:
            return bytes((0x80 | kind, 0xFF)) + script.one_of(
                (b"\xff" * 8, b"\0" * 4 + b"\xff" * 4, b"\0\0\0\0\0\1\0\1")
            )
        case 5 | 6:
            return strange.spoilt(frame(kind, payload[:200]), script)
        case _:
            return script.take(40)


STATUS: Final = re.compile(rb"HTTP/1\.1 ([0-9]{3}) [ -~]+\r\n")
STATUSES: Final = frozenset({101, 200, 400, 403, 404, 405, 414, 426, 429, 431, 503, 505})
CLOSE_CODES: Final = frozenset({1000, 1001, 1002, 1007, 1009, 4000, 4001, 4002, 4003})
"""What may end a connection, when the server does not only repeat the peer's close frame: no 1011, a fault of ours."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What came back: the status (0: nothing), and the opcodes and payloads of frames."""

    status: int
    frames: tuple[tuple[int, bytes], ...] = ()


def heard(data: bytes, *, head_only: bool = False) -> Heard:
    """Reads what the server sent, and looks whether it is as it must be."""
    if not data:
        return Heard(0)
    status = STATUS.match(data)
    assert status is not None, data[:80]
    head, found, body = data.partition(b"\r\n\r\n")
    assert found, data[:200]
    number = int(status[1])
    assert number in STATUSES, number
    headers = {}
    for line in head.split(b"\r\n")[1:]:
        name, colon, value = line.partition(b": ")
        assert colon, line
        headers[name.lower()] = value
    if number == 101:
        return Heard(number, tuple(_server_frames(body)))
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"default-src 'self'" in headers[b"content-security-policy"]
    assert headers[b"connection"] == b"close"
    assert len(body) == (0 if head_only else int(headers[b"content-length"])), (len(body), head)
    return Heard(number)


def _server_frames(data: bytes) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    while data:
        assert data[0] in (0x81, 0x82, 0x88, 0x89, 0x8A), data[:4]
        assert not found or found[-1][0] != 8, "said more after its close frame"
        size, at = data[1], 2
        assert size < 128, "a server masks nothing"
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(data[2:at])
        assert len(data) >= at + size, "half a frame"
        found.append((data[0] & 15, data[at : at + size]))
        data = data[at + size :]
    return found
