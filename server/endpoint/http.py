"""The little HTTP that is spoken on the websocket's port: the head of a request, and whole answers.

Pure: bytes in, bytes out. One request per connection, GET and HEAD, never a body.
"""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import formatdate
from http import HTTPStatus
from typing import Final

PLAIN_TEXT: Final = "text/plain; charset=utf-8"
CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'"
)
MAX_REQUEST_LINE: Final = 8 * 1024
HEAD_END: Final = b"\r\n\r\n"

_REQUEST_LINE: Final = re.compile(rb"([A-Z]{1,16}) ([!-~]+) HTTP/1\.[01]\r\n")
_METHOD_BEGUN: Final = re.compile(rb"[A-Z]{1,16}(?:\Z| )")


@dataclass(frozen=True, slots=True)
class Page:
    """An answer: `headers` are added to those that every answer has; of the same spelling they replace them."""

    status: int
    content_type: str
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


Pages = Callable[[str], "Page | asyncio.Future[Page | None] | None"]
"""The page at a path (still percent-encoded, without its query), None where there is none.

One that has to be fetched comes as a future, which never fails.
"""


@dataclass(frozen=True, slots=True)
class RequestLine:
    """What is asked for: `target` as it was written, with its query."""

    method: str
    target: str

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]


def text_page(status: int, text: str, *headers: tuple[str, str]) -> Page:
    """A page of one plain line: a refusal or a health report."""
    return Page(status, PLAIN_TEXT, f"{text}\n".encode(), headers)


NOT_FOUND: Final = text_page(404, "There is no such page.")
NOT_ALLOWED: Final = text_page(405, "Only GET and HEAD are answered here.", ("Allow", "GET, HEAD"))
NOT_HTTP: Final = text_page(400, "This is not a request in HTTP/1.1.")
LINE_TOO_LONG: Final = text_page(414, "The address is too long.")
HEAD_TOO_LONG: Final = text_page(431, "The request has too many or too long headers.")


def request_line(head: bytes | bytearray) -> RequestLine | None:
    """The first line of a request, None where it is not one of HTTP/1.0 or 1.1."""
    match = _REQUEST_LINE.match(head)
    if match is None:
        return None
    return RequestLine(match[1].decode("ascii"), match[2].decode("ascii"))


def early_refusal(head: bytes | bytearray, limit: int) -> Page | None:
    """The answer to a head that is not complete yet, but hopeless; None to wait for more of it."""
    if b"\n" not in head:
        if not _METHOD_BEGUN.match(head):
            return NOT_HTTP
        return LINE_TOO_LONG if len(head) > MAX_REQUEST_LINE else None
    if _REQUEST_LINE.match(head) is None:
        return NOT_HTTP
    return HEAD_TOO_LONG if len(head) > limit else None


def render(page: Page, *, head_only: bool) -> bytes:
    """The whole answer; for HEAD all but the body."""
    headers = {
        "Date": formatdate(usegmt=True),
        "Cache-Control": "no-cache",
        "Content-Security-Policy": CONTENT_SECURITY_POLICY,
        "Referrer-Policy": "no-referrer",
        **dict(page.headers),
        "Content-Type": page.content_type,
        "Content-Length": str(len(page.body)),
        "X-Content-Type-Options": "nosniff",
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {page.status} {HTTPStatus(page.status).phrase}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join(lines).encode("latin-1") + HEAD_END
    return head if head_only else head + page.body
