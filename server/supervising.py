"""Several server processes on one port: started, watched over, and ended together.

The parent owns the port's socket and the embedded store, and serves nobody itself. Its processes are
equal; one that dies is started again, at once if it had lived for a while, else after a growing pause.
"""

import asyncio
import contextlib
import dataclasses
import logging
import multiprocessing
import signal
import socket
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Final

from server import logs, metrics
from server.configuration import Configuration
from server.endpoint.listener import BACKLOG
from server.running import allow_open_files, announce, running, until_signalled
from server.store.embedded import EmbeddedValkey

log = logging.getLogger(__name__)

STEADY_SECONDS: Final = 30.0
"""A process that lived this long is started again at once when it dies."""
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 30.0
DRAIN_SECONDS: Final = 20.0
"""How long processes may take to end before they are killed."""

_SPAWN: Final = multiprocessing.get_context("spawn")


async def supervise(configuration: Configuration, number: int) -> None:
    """Runs so many server processes; to be run `until_signalled`.

    Raises:
        OSError: the port cannot be had, or the processes do not start.
        server.store.embedded errors: there is no store to be had.
    """
    allow_open_files(configuration.limits.sockets.connections)
    async with contextlib.AsyncExitStack() as stack:
        shared = stack.enter_context(_listening(configuration.host, configuration.port))
        if configuration.redis_url is None:
            valkey = await stack.enter_async_context(EmbeddedValkey(configuration.data_dir))
            configuration = dataclasses.replace(configuration, redis_url=valkey.url)
        counting = stack.enter_context(metrics.shared())
        stack.enter_context(metrics.published(configuration, counting))
        watched = [_Watched(configuration, shared, counting) for _ in range(number)]
        stack.push_async_callback(_ended, watched)
        await asyncio.gather(*(process.begin() for process in watched))
        announce(configuration.host, shared.getsockname()[1])
        await asyncio.gather(*(process.watch() for process in watched))


class _Watched:
    """One server process, started again whenever it ends."""

    def __init__(self, configuration: Configuration, shared: socket.socket, counting: Path) -> None:
        self._configuration = configuration
        self._shared = shared
        self._counting = counting
        self._process: SpawnProcess | None = None
        self._life: Connection | None = None

    async def begin(self) -> None:
        """Starts it, and returns when it listens.

        Raises:
            OSError: it ended before.
        """
        self._process = None
        self._life, theirs = _SPAWN.Pipe()
        with theirs:
            process = _SPAWN.Process(target=_serve, args=(self._configuration, self._shared, theirs))
            process.start()
        self._process = process
        if not await _readable(self._life.fileno()) or not _received(self._life):
            raise OSError(f"a server process ended before it listened (exit code {await self._ended()})")

    async def watch(self) -> None:
        """Starts it again whenever it ends."""
        pause = FIRST_PAUSE
        loop = asyncio.get_running_loop()
        while True:
            since = loop.time()
            code = await self._ended()
            pause = FIRST_PAUSE if loop.time() - since > STEADY_SECONDS or code == 0 else min(2 * pause, LONGEST_PAUSE)
            log.warning("a server process ended (exit code %s); it is started again in %.1f s", code, pause)
            await asyncio.sleep(pause)
            try:
                await self.begin()
            except OSError as fault:
                log.error("%s", fault)

    async def _ended(self) -> int | None:
        """Waits for its end; the exit code, None if it could not even be started."""
        if self._process is None:
            return None
        await _readable(self._process.sentinel)
        self._process.join()
        if self._process.pid is not None:
            metrics.ended(self._counting, self._process.pid)
        return self._process.exitcode

    async def end(self) -> None:
        """Asks it to drain, and kills it when that takes too long."""
        if self._process is None or not self._process.is_alive():
            return
        self._process.terminate()
        try:
            async with asyncio.timeout(DRAIN_SECONDS):
                await self._ended()
        except TimeoutError:
            log.error("a server process did not end within %g s and was killed", DRAIN_SECONDS)
            self._process.kill()
            await self._ended()


async def _ended(watched: list[_Watched]) -> None:
    await asyncio.gather(*(process.end() for process in watched))


async def _readable(descriptor: int) -> bool:
    """Waits until something can be read there, or its other end is closed."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        return await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def _received(life: Connection) -> bool:
    try:
        return bool(life.recv())
    except EOFError:
        return False


def _listening(host: str, port: int) -> socket.socket:
    """The socket on which all processes listen.

    Raises:
        OSError
    """
    if not host:
        return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=BACKLOG)
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
    return socket.create_server((host, port), family=family, backlog=BACKLOG)


def _serve(configuration: Configuration, shared: socket.socket, life: Connection) -> None:
    """The main function of a server process; it ends when it is asked to, or with its parent."""
    logs.set_up(configuration.log_level)
    asyncio.run(until_signalled(_serve_with_parent(configuration, shared, life)))


async def _serve_with_parent(configuration: Configuration, shared: socket.socket, life: Connection) -> None:
    loop = asyncio.get_running_loop()

    def parent_ended() -> None:
        loop.remove_reader(life.fileno())
        signal.raise_signal(signal.SIGTERM)

    loop.add_reader(life.fileno(), parent_ended)
    async with running(configuration, shared=shared):
        life.send(True)
        await asyncio.Event().wait()
