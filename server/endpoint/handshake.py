"""The first words on a socket: an HTTP request that gets a page, a refusal, or a websocket.

A visitor is a socket that is no websocket, or not yet. It ends by itself: what does not ask in time, or
does not take its answer in time, is dropped by the listener's sweep.
"""

import asyncio
import logging
import re
from collections.abc import Sequence
from typing import Final, Protocol, cast

from websockets.exceptions import HeaderLineTooLong, NegotiationError, RequestLineTooLong, TooManyHeaders
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Origin, Subprotocol

from protocol.codec import Encoding
from server.endpoint import http, websocket
from server.endpoint.address import Network, client_address, peer_host
from server.endpoint.http import Page, RequestLine

WEBSOCKET_PATH: Final = "/ws"

Origins = Sequence[str | re.Pattern[str] | None]
"""The values of `Origin` that may open a websocket; None among them stands for clients that send none."""

_SUBPROTOCOLS: Final = [Subprotocol(encoding) for encoding in Encoding]
_OFFER_ONE: Final = f"Offer one of the subprotocols {' and '.join(_SUBPROTOCOLS)}."

_core_log: Final = logging.getLogger(f"{__name__}.core")
_core_log.setLevel(logging.WARNING)
"""The core tells of every connection at INFO; set it to DEBUG to see each frame."""


class Host(websocket.Host, Protocol):
    """What a visitor needs of the listener."""

    pages: http.Pages
    origins: Origins | None
    trusted_proxies: Sequence[Network]

    def came(self, visitor: "Visitor") -> bool:
        """Count this visitor, or say that there are too many."""

    def left(self, visitor: "Visitor") -> None:
        """Count it no longer."""

    def refusal(self, address: str) -> Page | None:
        """Why no further websocket may be opened from this address, None if it may."""


class Visitor(asyncio.Protocol):
    """One socket from its beginning to its answer."""

    __slots__ = ("_answered", "_deadline", "_fetching", "_head", "_host", "_no_more", "_transport", "host_address")

    def __init__(self, host: Host) -> None:
        self.host_address = ""
        self._host = host
        self._head = bytearray()
        self._answered = False
        self._fetching = False
        self._no_more = False
        self._deadline = host.now() + host.limits.handshake
        self._transport: asyncio.Transport

    def abort(self) -> None:
        """Drop the socket at once."""
        self._transport.abort()

    def hang_up(self) -> None:
        """Drop the socket, but finish an answer that has begun."""
        if self._answered:
            self._transport.close()
        else:
            self._transport.abort()

    def sweep(self, now: float) -> None:
        """Drop a visitor whose time has run out at `now`."""
        if now >= self._deadline:
            self._transport.abort()

    # Called by asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A socket was accepted."""
        self._transport = cast(asyncio.Transport, transport)
        self.host_address = peer_host(transport.get_extra_info("peername"))
        if not self._host.came(self):
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Wait for the whole head of the request, then answer it."""
        if self._answered:
            return
        self._head += data
        end = self._head.find(http.HEAD_END) + len(http.HEAD_END)
        limit = self._host.limits.head
        if end < len(http.HEAD_END):
            refusal = http.early_refusal(self._head, limit)
            if refusal is not None:
                self._answer(refusal)
            return
        line = http.request_line(self._head)
        if line is None:
            self._answer(http.NOT_HTTP)
        elif end > limit:
            self._answer(http.HEAD_TOO_LONG)
        else:
            self._route(line, bytes(self._head[:end]), bytes(self._head[end:]))

    def eof_received(self) -> bool:
        """The peer says no more; it may still wait for a page that is being fetched."""
        self._no_more = self._fetching
        return self._fetching

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        self._host.left(self)

    # Answering

    def _route(self, line: RequestLine, head: bytes, rest: bytes) -> None:
        if line.method not in ("GET", "HEAD"):
            self._answer(http.NOT_ALLOWED)
        elif line.path == WEBSOCKET_PATH:
            refusal = self._upgrade(head, rest)
            if refusal is not None:
                self._answer(refusal)
        else:
            self._give(self._host.pages(line.path))

    def _give(self, page: "Page | asyncio.Future[Page | None] | None") -> None:
        """Answer with a page, or as soon as it is there; meanwhile no more is read."""
        if isinstance(page, asyncio.Future):
            self._answered = self._fetching = True
            page.add_done_callback(self._fetched)
        else:
            self._answer(page or http.NOT_FOUND)

    def _fetched(self, page: "asyncio.Future[Page | None]") -> None:
        self._fetching = False
        if page.cancelled():  # the server stops
            self._transport.abort()
        elif not self._transport.is_closing():
            self._answer(page.result() or http.NOT_FOUND)

    def _answer(self, page: Page) -> None:
        """Answer and half-close; what still comes is thrown away, so that no reset overtakes the answer."""
        self._answered = True
        head_only = self._head.startswith(b"HEAD ")  # also where the rest of the request is hopeless
        self._head.clear()
        self._deadline = self._host.now() + self._host.limits.page
        self._transport.write(http.render(page, head_only=head_only))
        if self._no_more:
            self._transport.close()  # when it is written
        else:
            self._transport.write_eof()

    def _upgrade(self, head: bytes, rest: bytes) -> Page | None:
        """Make this socket a websocket, or say why not."""
        host = self._host
        core = _new_core(host.origins, host.limits.message)
        core.receive_data(head)
        requests = core.events_received()
        if not requests or not isinstance(request := requests[0], Request):
            return _unreadable(core.handshake_exc)
        address = client_address(self.host_address, request.headers.get_all("X-Forwarded-For"), host.trusted_proxies)
        refusal = host.refusal(address)
        if refusal is not None:
            return refusal
        response = core.accept(request)
        if response.status_code != 101 or core.subprotocol is None:
            return _refused(response, core.handshake_exc)
        core.send_response(response)
        self._transport.write(b"".join(core.data_to_send()))
        host.left(self)
        connection = websocket.Connection(host, core, self._transport, Encoding(core.subprotocol), address)
        connection.begin()
        if rest:
            connection.data_received(rest)
        return None


def _new_core(origins: Origins | None, max_size: int) -> ServerProtocol:
    return ServerProtocol(
        origins=None if origins is None else [Origin(each) if isinstance(each, str) else each for each in origins],
        subprotocols=_SUBPROTOCOLS,
        state=State.CONNECTING,
        max_size=max_size,
        logger=_core_log,
    )


def _unreadable(fault: Exception | None) -> Page:
    match fault:
        case RequestLineTooLong():
            return http.LINE_TOO_LONG
        case HeaderLineTooLong() | TooManyHeaders():
            return http.HEAD_TOO_LONG
        case _:
            return http.NOT_HTTP


def _refused(response: Response, fault: Exception | None) -> Page:
    """The core's refusal as one of our pages, with the headers that say what to do instead."""
    text = bytes(response.body).decode().strip()
    if isinstance(fault, NegotiationError):
        text = f"{text}\n{_OFFER_ONE}"
    advice = [(name, response.headers[name]) for name in ("Allow", "Upgrade") if name in response.headers]
    return http.text_page(response.status_code, text, *advice)
