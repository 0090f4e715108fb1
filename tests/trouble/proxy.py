"""A TCP port in front of a server or store: slow, stalled, cut, or silent as a peer that has vanished.

It runs in a thread of its own, so that a test may wait for a process that talks through it.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Self


class _Line:
    """One connection through the proxy: what both ends have, and whether its bytes still arrive."""

    def __init__(self, near: asyncio.StreamWriter, far: asyncio.StreamWriter) -> None:
        self.near = near
        self.far = far
        self.swallowed = False

    def cut(self) -> None:
        """Resets both ends."""
        for end in (self.near, self.far):
            end.transport.abort()


class Proxy:
    """Forwards bytes between its port and an address; what a test sets holds from then on, for all connections.

    `delay`: seconds that each piece of an answer takes. `refuse`: new connections are closed at once.
    """

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.delay = 0.0
        self.refuse = False
        self.port = 0
        self._to = (host, port)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._flows = asyncio.Event()
        self._flows.set()
        self._lines: set[_Line] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def open(self) -> int:
        """How many connections go through it now."""
        return len(self._lines)

    def stall(self) -> None:
        """Nothing passes any more, in either direction, and nothing is lost, until `flow`."""
        self._do(self._flows.clear)

    def flow(self) -> None:
        """What was stalled goes on."""
        self._do(self._flows.set)

    def swallow(self) -> None:
        """The connections that are open now are half open: their bytes vanish, and neither end hears of the other's."""

        def swallow() -> None:
            for line in self._lines:
                line.swallowed = True

        self._do(swallow)

    def cut(self) -> None:
        """All connections are reset."""

        def cut() -> None:
            for line in self._lines:
                line.cut()

        self._do(cut)

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._accept, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    def _do(self, work: Callable[[], None]) -> None:
        """Does it in the thread of the proxy; it is done when this returns."""

        async def done() -> None:
            work()

        asyncio.run_coroutine_threadsafe(done(), self._loop).result(10)

    async def _end(self) -> None:
        self._server.close()
        for line in self._lines:
            line.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, near_in: asyncio.StreamReader, near_out: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            if self.refuse:
                raise ConnectionRefusedError
            far_in, far_out = await asyncio.open_connection(*self._to)
        except OSError:
            near_out.transport.abort()
            return
        line = _Line(near_out, far_out)
        self._lines.add(line)
        try:
            with contextlib.suppress(asyncio.CancelledError):  # it ends anyway, and the library would log it
                async with asyncio.TaskGroup() as pumps:
                    pumps.create_task(self._pump(line, near_in, far_out, answers=False))
                    pumps.create_task(self._pump(line, far_in, near_out, answers=True))
        finally:
            self._lines.discard(line)
            line.cut()

    async def _pump(
        self, line: _Line, source: asyncio.StreamReader, to: asyncio.StreamWriter, *, answers: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(65536):
                if answers and self.delay:
                    await asyncio.sleep(self.delay)
                await self._flows.wait()
                if not line.swallowed:
                    to.write(data)
                    await to.drain()
            if not line.swallowed and to.can_write_eof():
                to.write_eof()
