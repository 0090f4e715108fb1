"""The listening port with real sockets: how many may connect, the end of all, and the sweep."""

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from protocol.codec import Encoding
from protocol.errors import CloseCode
from server.endpoint.address import networks
from server.endpoint.limits import ConnectionLimits
from server.endpoint.websocket import frame
from tests.endpoint.peers import Port, echo, listening, raw, raw_websocket, until, upgrade


async def refused(port: Port, **options: Any) -> tuple[int, str]:
    with pytest.raises(InvalidStatus) as refusal:
        async with port.client(**options):
            pass
    response = refusal.value.response
    return response.status_code, bytes(response.body).decode()


async def test_connections_of_one_address_are_counted() -> None:
    """The address that has its share is told so; another one still comes in, and a place that is left is free."""
    limits = ConnectionLimits(per_address=2, closing=1.0)
    async with listening(limits, trusted_proxies=networks(["127.0.0.1"])) as port:
        crowd = {"X-Forwarded-For": "192.0.2.1"}
        async with port.client(additional_headers=crowd), port.client(additional_headers=crowd):
            assert await refused(port, additional_headers=crowd) == (429, "Too many connections from this address.\n")
            async with port.client(additional_headers={"X-Forwarded-For": "192.0.2.2"}):
                assert port.listener.connections_from("192.0.2.1") == 2
                assert port.listener.connections_from("192.0.2.2") == 1
        await until(lambda: not port.listener.connections)
        async with port.client(additional_headers=crowd):
            pass


async def test_a_full_server_says_so() -> None:
    """Over the bound of all connections the answer is 503, with a text."""
    async with listening(ConnectionLimits(connections=1, closing=1.0)) as port, port.client():
        assert await refused(port) == (503, "The server is full; try again later.\n")


async def test_a_listener_closes_within_its_time_whatever_peers_do() -> None:
    """Clients are told to come back; one that never reads and half a request hold up nothing."""
    limits = ConnectionLimits(closing=0.2)
    async with listening(limits) as port, raw(port), raw_websocket(port, receive_buffer=4096), port.client() as client:
        await until(lambda: len(port.notes.came) == 2)
        while not port.notes.came[0].congested:
            port.notes.came[0].send(frame(bytes(16_000), Encoding.MSGPACK))
        async with asyncio.timeout(5):
            await port.listener.close()
        assert len(port.notes.gone) == 2
        with pytest.raises(ConnectionClosed) as closed:
            await client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.GOING_AWAY


async def test_idle_visitors_do_not_delay_the_end() -> None:
    """Browsers open sockets in advance: those that have asked nothing are dropped at once."""
    async with listening(ConnectionLimits(closing=60)) as port, raw(port), raw(port) as half:
        await half.say(b"GET /")
        await until(lambda: len(port.listener.visitors) == 2)
        async with asyncio.timeout(5):
            await port.listener.close()


async def test_who_connects_too_late_is_told() -> None:
    """After `stop_listening` a request that was under way is refused, those that are open go on."""
    async with listening() as port, port.client() as client, raw(port) as late:
        await late.say(upgrade()[:-2])
        await until(lambda: len(port.listener.visitors) == 1)
        number = port.listener.port
        port.listener.stop_listening()
        await late.say(b"\r\n")
        assert b"503 Service Unavailable" in await late.rest()
        port.notes.reply = echo
        await client.send(b"still here")
        assert await client.recv() == b"still here"
        with pytest.raises(OSError, match=r"refused|failed"):
            await asyncio.open_connection("127.0.0.1", number)


async def test_the_sweep_runs_by_itself() -> None:
    """Nobody has to call it: what has run out is closed within a second or so."""
    async with listening() as port, raw_websocket(port) as peer:
        await port.connection()
        port.clock.now += 45
        assert await peer.close_code() == CloseCode.SILENT
