"""Pages and refusals on the websocket's port, with real sockets."""

import logging
import re

import pytest

from server.endpoint.address import networks
from server.endpoint.http import CONTENT_SECURITY_POLICY, Page, early_refusal, render, text_page
from server.endpoint.limits import ConnectionLimits
from tests.endpoint.peers import Port, listening, raw, until, upgrade

SCRIPT = Page(200, "text/javascript", b"play();", (("Cache-Control", "max-age=60"),))
LARGE = Page(200, "application/octet-stream", b"x" * 2_000_000)


def pages(path: str) -> Page | None:
    """Two files and a redirection."""
    return {
        "/kop.js": SCRIPT,
        "/large": LARGE,
        "/old": text_page(301, "Moved.", ("Location", "/")),
    }.get(path)


async def answer(port: Port, request: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of the answer, once the server has hung up."""
    async with raw(port) as peer:
        await peer.say(request)
        head, _, body = (await peer.rest()).partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    return int(first.split(" ")[1]), dict(line.split(": ", 1) for line in lines), body


@pytest.mark.parametrize("version", ["1.0", "1.1"])
async def test_a_page_has_its_body_and_strict_headers(version: str) -> None:
    """GET answers the page, says how long it is, that the connection ends, and what browsers may not do."""
    async with listening(pages=pages) as port:
        status, headers, body = await answer(port, f"GET /kop.js?v=1 HTTP/{version}\r\nHost: x\r\n\r\n".encode())
    assert (status, body) == (200, SCRIPT.body)
    assert headers.pop("Date").endswith("GMT")
    assert headers == {
        "Content-Type": "text/javascript",
        "Content-Length": str(len(SCRIPT.body)),
        "Cache-Control": "max-age=60",
        "Connection": "close",
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }


async def test_head_is_get_without_the_body() -> None:
    """HEAD tells the length of the page and ends after the headers."""
    async with listening(pages=pages) as port:
        status, headers, body = await answer(port, b"HEAD /kop.js HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (status, body) == (200, b"")
    assert headers["Content-Length"] == str(len(SCRIPT.body))


async def test_a_large_page_arrives_whole() -> None:
    """A page that is longer than all buffers is sent to its end before the socket closes."""
    async with listening(pages=pages) as port:
        _, _, body = await answer(port, b"GET /large HTTP/1.1\r\n\r\n")
    assert body == LARGE.body


LONG = b"a" * 9000

REFUSED = {
    "unknown path": (b"GET /nothing HTTP/1.1\r\n\r\n", 404),
    "dots are only a name": (b"GET /../../etc/passwd HTTP/1.1\r\n\r\n", 404),
    "redirection": (b"GET /old HTTP/1.1\r\n\r\n", 301),
    "POST": (b"POST /kop.js HTTP/1.1\r\n\r\n", 405),
    "POST with a body": (b"POST /ws HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 405),
    "POST with a long body": (b"POST / HTTP/1.1\r\nContent-Length: 900000\r\n\r\n" + b"x" * 900_000, 405),
    "POST in chunks": (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 405),
    "OPTIONS": (b"OPTIONS * HTTP/1.1\r\n\r\n", 405),
    "CONNECT": (b"CONNECT kop.test:443 HTTP/1.1\r\n\r\n", 405),
    "two requests": (b"GET /nothing HTTP/1.1\r\n\r\nGET /kop.js HTTP/1.1\r\n\r\n", 404),
    "TLS": (bytes.fromhex("16030100f8010000f40303"), 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "HTTP/0.9": (b"GET /kop.js\r\n", 400),
    "line feeds alone": (b"GET /kop.js HTTP/1.1\n\n", 400),
    "zeros": (bytes(100), 400),
    "lower case": (b"get / HTTP/1.1\r\n\r\n", 400),
    "umlaut in the path": ("GET /ö HTTP/1.1\r\n\r\n".encode(), 400),
    "empty line first": (b"\r\n\r\n", 400),
    "endless method": (b"A" * 40, 400),
    "endless path": (b"GET /" + LONG, 414),
    "endless header": (b"GET / HTTP/1.1\r\nX: " + LONG + LONG, 431),
    "too many headers": (b"GET / HTTP/1.1\r\n" + b"X: 1234567890\r\n" * 2000 + b"\r\n", 431),
    "websocket: no upgrade": (b"GET /ws HTTP/1.1\r\n\r\n", 426),
    "websocket: HTTP/1.0": (b"GET /ws HTTP/1.0\r\n\r\n", 505),
    "websocket: HEAD": (upgrade().replace(b"GET", b"HEAD", 1), 405),
    "websocket: elsewhere": (upgrade(path="/kop"), 404),
    "websocket: long path": (b"GET /ws?" + LONG + b" HTTP/1.1\r\n\r\n", 414),
    "websocket: long header": (b"GET /ws HTTP/1.1\r\nX: " + LONG + b"\r\n\r\n", 431),
    "websocket: many headers": (b"GET /ws HTTP/1.1\r\n" + b"X: 1\r\n" * 200 + b"\r\n", 431),
    "websocket: bad header": (b"GET /ws HTTP/1.1\r\nX\r\n\r\n", 400),
    "websocket: body": (b"GET /ws HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello", 400),
    "websocket: bad key": (upgrade().replace(b"AAAA", b"A\xff=A"), 400),
    "websocket: bad version": (upgrade().replace(b"Version: 13", b"Version: 12"), 400),
    "websocket: other subprotocol": (upgrade().replace(b"kop.v1", b"kop.v9"), 400),
}


@pytest.mark.parametrize(("request_bytes", "status"), REFUSED.values(), ids=REFUSED.keys())
async def test_every_request_is_answered(request_bytes: bytes, status: int, caplog: pytest.LogCaptureFixture) -> None:
    """Whatever is asked, there is one whole answer with strict headers, and nothing to log."""
    caplog.set_level(logging.INFO)
    async with listening(pages=pages) as port:
        got, headers, body = await answer(port, request_bytes)
        assert got == status
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Connection"] == "close"
        if not request_bytes.startswith(b"HEAD"):
            assert int(headers["Content-Length"]) == len(body) > 0
        assert not port.notes.came
    assert not caplog.records


async def test_refusals_say_what_to_do() -> None:
    """The answer names the subprotocols, the methods, or the upgrade that is missing."""
    async with listening() as port:
        _, _, body = await answer(port, upgrade().replace(b"Sec-WebSocket-Protocol", b"X"))
        assert b"Offer one of the subprotocols kop.v1.msgpack and kop.v1.json." in body
        _, headers, _ = await answer(port, b"PUT / HTTP/1.1\r\n\r\n")
        assert headers["Allow"] == "GET, HEAD"
        _, headers, _ = await answer(port, b"GET /ws HTTP/1.1\r\n\r\n")
        assert headers["Upgrade"] == "websocket"


async def test_a_request_may_come_byte_by_byte() -> None:
    """The head is gathered however it is cut, and no early refusal meets a good one."""
    request = b"GET /kop.js HTTP/1.1\r\nHost: kop.test\r\n\r\n"
    assert all(early_refusal(request[:end], 16_384) is None for end in range(1, len(request)))
    async with listening(pages=pages) as port, raw(port) as peer:
        for byte in request:
            await peer.say(bytes([byte]))
        assert (await peer.rest()).endswith(SCRIPT.body)


@pytest.mark.parametrize("begun", [b"", b"GET", b"GET /ws HTTP/1.1\r\nHost: kop.test\r\n"])
async def test_half_a_request_is_dropped_in_time(begun: bytes) -> None:
    """A socket that has not asked after 5 seconds is dropped, though it still sends."""
    async with listening() as port, raw(port) as peer:
        await peer.say(begun)
        await until(lambda: len(port.listener.visitors) == 1)
        port.tick(4.9)
        assert len(port.listener.visitors) == 1
        port.tick(0.1)
        assert await peer.rest() == b""
        await until(lambda: not port.listener.visitors)


async def test_a_page_nobody_takes_is_dropped_in_time() -> None:
    """A visitor that does not read its answer holds no memory for ever."""
    async with listening(pages=pages) as port, raw(port, receive_buffer=4096) as peer:
        await peer.say(b"GET /large HTTP/1.1\r\n\r\n")
        await until(lambda: len(port.listener.visitors) == 1)
        await peer.reader.readexactly(8)
        port.tick(29)
        assert len(port.listener.visitors) == 1
        port.tick(1)
        await until(lambda: not port.listener.visitors)


async def test_visitors_are_counted() -> None:
    """Sockets that never ask are bounded in all and for each address; the others go on."""
    limits = ConnectionLimits(visitors=5, visitors_per_address=2)
    async with listening(limits, pages=pages) as port, raw(port) as first, raw(port), raw(port) as third:
        assert await third.rest() == b""
        assert len(port.listener.visitors) == 2
        await first.say(b"GET /kop.js HTTP/1.1\r\n\r\n")
        assert (await first.rest()).endswith(SCRIPT.body)
        first.writer.close()
        await until(lambda: len(port.listener.visitors) == 1)
        assert (await answer(port, b"GET /kop.js HTTP/1.1\r\n\r\n"))[0] == 200


async def test_a_trusted_proxy_may_bring_many_visitors() -> None:
    """Behind a proxy the bound for one address would be a bound for all; the bound in all stays."""
    limits = ConnectionLimits(visitors=3, visitors_per_address=1)
    proxies = networks(["127.0.0.1"])
    async with listening(limits, trusted_proxies=proxies) as port, raw(port), raw(port), raw(port), raw(port) as last:
        assert await last.rest() == b""
        assert len(port.listener.visitors) == 3


async def test_the_origin_is_checked() -> None:
    """With origins set, a page of another site opens no websocket."""
    origins = ["https://kop.test", re.compile(r"http://localhost:\d+"), None]
    async with listening(origins=origins) as port:
        for origin, status in [("https://kop.test", 101), ("http://localhost:80", 101), ("https://evil.test", 403)]:
            async with raw(port) as peer:
                await peer.say(upgrade("kop.v1.json", f"Origin: {origin}"))  # type: ignore[arg-type]
                first = await peer.reader.readuntil(b"\r\n")
                assert first.startswith(f"HTTP/1.1 {status} ".encode())


def test_headers_of_a_page_replace_the_usual_ones() -> None:
    """A page may loosen its policy, but not its length or type."""
    page = Page(200, "text/plain", b"1", (("Content-Security-Policy", "sandbox"), ("Content-Length", "9")))
    text = render(page, head_only=True).decode()
    assert "Content-Security-Policy: sandbox\r\n" in text
    assert "Content-Length: 1\r\n" in text
    assert text.count("Content-") == 4
