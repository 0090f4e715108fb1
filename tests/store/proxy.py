"""A unix socket in front of a server that loses, or holds back, what it is told to."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Self


class Proxy:
    """Forwards bytes both ways, until a request holds the word of `lose_answer`, `lose_request` or `hold`."""

    def __init__(self, path: Path, upstream: str) -> None:
        self.url = f"unix://{path}"
        self._path = path
        self._upstream = upstream
        self._rules: list[tuple[bytes, str]] = []
        self._held: list[tuple[asyncio.StreamWriter, bytes]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self.refuse = False

    def lose_answer(self, word: bytes) -> None:
        """The request that holds the word arrives; its answer does not."""
        self._rules.append((word, "answer"))

    def lose_request(self, word: bytes) -> None:
        """The connection is lost before the request that holds the word arrives."""
        self._rules.append((word, "request"))

    def hold(self, word: bytes) -> None:
        """The request that holds the word waits on its way, though the client hangs up, until `release`."""
        self._rules.append((word, "hold"))

    async def release(self) -> None:
        """What was held goes on."""
        for writer, request in self._held:
            with contextlib.suppress(OSError):
                writer.write(request)
                await writer.drain()
        for writer, _ in self._held:
            writer.close()
        self._held.clear()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._accept, self._path)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.release()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, client_in: asyncio.StreamReader, client_out: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        if self.refuse:
            client_out.close()
            return
        server_in, server_out = await asyncio.open_unix_connection(self._upstream)
        lost = False
        held = False

        def on_request(data: bytes) -> bool:
            nonlocal lost, held
            if held:  # nothing overtakes it
                self._held.append((server_out, data))
                return True
            rule = next((rule for rule in self._rules if rule[0] in data), None)
            if rule is None:
                server_out.write(data)
                return True
            self._rules.remove(rule)
            lost = True
            if rule[1] == "answer":
                server_out.write(data)
                return True
            if rule[1] == "hold":
                held = True
                self._held.append((server_out, data))
                return True
            return False

        def on_answer(data: bytes) -> bool:
            if not lost:
                client_out.write(data)
            return not lost

        try:
            pumps = [
                asyncio.get_running_loop().create_task(_pump(client_in, on_request)),
                asyncio.get_running_loop().create_task(_pump(server_in, on_answer)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        finally:
            client_out.close()
            if not held:
                server_out.close()


async def _pump(source: asyncio.StreamReader, handle: Callable[[bytes], bool]) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(65536):
            if not handle(data):
                return
