"""Whatever bytes come to the port, the answer is a proper one of HTTP or none, and the server lives."""

import asyncio
import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.codec import Encoding
from tests.fuzz import raw
from tests.fuzz.doorstep import knock
from tests.fuzz.script import Script
from tests.fuzz.stranger import HOST, PATIENCE, said
from tests.servers import ServerProcess

SCRIPTS = st.binary(min_size=4, max_size=200)


async def check(victim: ServerProcess, data: bytes) -> None:
    """Plays a script at the port, and asks whether the server lives."""
    script = Script(data)
    asked, head_only = raw.request(script, upgrades=bool(script.below(2)))
    rest = raw.frames(script, script.one_of(tuple(Encoding)))
    cut = script.below(len(asked) + 1)
    heard, reset = await said(victim.port, asked[:cut], asked[cut:] + rest * script.below(2))
    if not reset:
        raw.heard(heard, head_only=head_only)
    alive, _ = await said(victim.port, b"GET /healthz HTTP/1.1\r\n\r\n")
    assert raw.heard(alive).status == 200


@settings(max_examples=150, deadline=None)
@given(data=SCRIPTS)
@example(data=b"")
async def test_any_request_is_answered_properly_or_not_at_all(victim: ServerProcess, data: bytes) -> None:
    await check(victim, data)


@pytest.mark.long
@pytest.mark.timeout(600)
@settings(max_examples=1_500, deadline=None)
@given(data=SCRIPTS)
async def test_many_requests(victim: ServerProcess, data: bytes) -> None:
    await check(victim, data)


@settings(max_examples=300, deadline=None)
@given(data=SCRIPTS)
def test_any_request_without_a_socket_between(data: bytes) -> None:
    """The same in this process, with the clock in hand and every call of the loop seen."""
    knock(data)


@pytest.mark.parametrize("method", raw.METHODS, ids=range(len(raw.METHODS)))
async def test_every_method_with_every_target(victim: ServerProcess, method: bytes) -> None:
    """Nothing but a page of ours is ever given out, whatever the path looks like."""
    for target in raw.TARGETS:
        request = b" ".join((method, target, b"HTTP/1.1")) + b"\r\nHost: kop.test\r\n\r\n"
        heard, reset = await said(victim.port, request)
        assert not reset
        status = raw.heard(heard, head_only=method == b"HEAD").status
        fine = method in (b"GET", b"HEAD") and target.partition(b"?")[0] in (b"/", b"/healthz")
        assert status in ({200} if fine else {400, 404, 405, 414, 426}), target


async def test_who_asks_ever_so_slowly_is_dropped_and_holds_up_nobody(victim: ServerProcess) -> None:
    """Fifty who never finish their requests, while others are served."""
    slow = [await asyncio.open_connection(HOST, victim.port) for _ in range(50)]
    for _, writer in slow:
        writer.write(b"GET / HTTP/1.1\r\nX")
    for _ in range(5):
        for _, writer in slow:
            writer.write(b"-")
        heard, _ = await said(victim.port, b"GET / HTTP/1.1\r\n\r\n")
        assert raw.heard(heard).status == 200
    async with asyncio.timeout(PATIENCE):
        for reader, writer in slow:
            with contextlib.suppress(ConnectionError):
                assert await reader.read() == b""
            writer.close()
