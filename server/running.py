"""A whole server: store, house, hall and listener, put together, started and stopped in order."""

import asyncio
import contextlib
import gc
import logging
import resource
import signal
import socket
import time
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from server import logs, metrics
from server.configuration import Configuration
from server.endpoint.hall import Hall
from server.endpoint.health import health_page, readiness_page
from server.endpoint.http import Page
from server.endpoint.listener import SWEEP_EVERY, Listener
from server.endpoint.tournament_web import TournamentWeb
from server.metrics import Present
from server.runtime.house import House
from server.runtime.pulse import Pulse
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.runtime.thinking import ThinkingPool
from server.store.embedded import EmbeddedValkey
from server.store.port import Store, StoreAway
from server.store.redis_store import RedisStore

log = logging.getLogger(__name__)
STORE_RETRY_SECONDS = 1.0
CHECK_EVERY = 60.0
"""Seconds in which readers of a table that has expired learn it."""
SPARE_FILES = 1_100
BOTS = "server.bots.kop"
"""What a process that thinks loads when it starts."""
YOUNG, MIDDLE, OLD = 10_000, 10, 10
"""New objects before the garbage collector looks at the young; looks at those before the middle-aged, and the old."""

WELCOME_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Kop online</title>
<h1>Kop online</h1>
<p>Somebody has invited you to a table of Kop. Copy the whole address of this page and type in a terminal:</p>
<pre>kop join ADDRESS</pre>
<h2 lang="de">Deutsch</h2>
<p lang="de">Du bist an einen Kop-Tisch eingeladen. Kopiere die ganze Adresse dieser Seite und gib im Terminal ein:
<code>kop join ADRESSE</code></p>
<h2 lang="pl">Polski</h2>
<p lang="pl">Ktoś zaprasza cię do stołu Kopa. Skopiuj cały adres tej strony i wpisz w terminalu:
<code>kop join ADRES</code></p>
</html>
"""
_WELCOME = Page(200, "text/html; charset=utf-8", WELCOME_PAGE.encode())


@contextlib.asynccontextmanager
async def running(configuration: Configuration, *, shared: socket.socket | None = None) -> AsyncIterator[Listener]:
    """A server that accepts connections until the block ends; then it drains and lets go of everything.

    It listens on its own port, or on a socket that other processes listen on too.

    Raises:
        OSError: the port cannot be had.
        server.store.embedded errors: there is no store to be had.
    """
    logs.watch(asyncio.get_running_loop())
    async with contextlib.AsyncExitStack() as stack:
        store = await open_store(configuration, stack)
        pulse = Pulse(store, time.monotonic)
        await pulse.ask()
        for warning in pulse.warnings:
            log.warning("the store: %s", warning)
        tasks = Tasks()
        stack.push_async_callback(tasks.close)
        pool = ThinkingPool(configuration.limits.thinking_processes, preload=BOTS)
        stack.push_async_callback(pool.close)
        staff = Staff(pool, configuration.limits.grace_seconds, configuration.limits.bot_seconds)
        house = House(store, tasks, staff)
        await house.peers.open()
        hall = Hall(house, tasks, configuration.limits, time.monotonic)
        web = TournamentWeb(house.tournaments, tasks, time.monotonic)
        listener = Listener(
            hall,
            limits=configuration.limits.sockets,
            pages=lambda path: web.page(path) or _page(path, listener, hall, pulse),
            trusted_proxies=configuration.trusted_proxies,
        )
        await listener.start(configuration.host, configuration.port, shared=shared)
        collect_seldom()
        tasks.start(_sweep(hall))
        tasks.start(_check(house))
        tasks.start(pulse.run())
        if configuration.metrics_port:
            tasks.start(metrics.measure(lambda: _present(listener, hall, pulse)))
        try:
            yield listener
        finally:
            hall.drain()
            await listener.close()
            await house.peers.retire()


async def serve(configuration: Configuration) -> None:
    """Runs a server in this process; to be run `until_signalled`."""
    allow_open_files(configuration.limits.sockets.connections)
    with metrics.published(configuration):
        async with running(configuration) as listener:
            announce(configuration.host, listener.port)
            await asyncio.Event().wait()


async def until_signalled(work: Coroutine[Any, Any, None]) -> None:
    """Runs the work until SIGINT or SIGTERM cancels it, wherever it is; it ends as a cancelled task does."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    signalled = False

    def end() -> None:
        nonlocal signalled
        if not signalled:  # a second signal does not interrupt the end
            signalled = True
            log.info("stopping: players are told to come back")
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    with contextlib.suppress(asyncio.CancelledError):
        await task


def announce(host: str, port: int) -> None:
    """Says where players come in."""
    shown = socket.gethostname() if host in ("0.0.0.0", "::", "") else host  # noqa: S104
    print(f"Kop online listens on http://{shown}:{port}/", flush=True)  # noqa: T201


async def open_store(configuration: Configuration, stack: contextlib.AsyncExitStack) -> Store:
    """The store, waited for if it is a foreign one that does not answer yet; the stack closes it.

    Raises:
        server.store.embedded errors: there is no store to be had.
    """
    url, warnings = configuration.redis_url, None
    if url is None:
        valkey = await stack.enter_async_context(EmbeddedValkey(configuration.data_dir))
        url, warnings = valkey.url, valkey.warnings
    while True:
        try:
            store = await RedisStore.open(url, configuration.store, more_warnings=warnings or tuple)
            break
        except StoreAway as away:
            log.warning("waiting for the store: %s", away)
            await asyncio.sleep(STORE_RETRY_SECONDS)
    stack.push_async_callback(store.close)
    return store


def _page(path: str, listener: Listener, hall: Hall, pulse: Pulse) -> Page | None:
    store_away = hall.house.watch.away or pulse.away
    match path:
        case "/":
            return _WELCOME
        case "/healthz":
            return health_page(store_away=store_away)
        case "/readyz":
            return readiness_page(
                store_away=store_away, draining=hall.draining, full=listener.full, warnings=pulse.warnings
            )
        case _:
            return None


def _present(listener: Listener, hall: Hall, pulse: Pulse) -> Present:
    readers, watchers = hall.feeds.attendance()
    return Present(
        connections=len(listener.connections),
        visitors=len(listener.visitors),
        tables=hall.house.at_work,
        readers=readers,
        watchers=watchers,
        store_away=hall.house.watch.away or pulse.away,
    )


def collect_seldom() -> None:
    """Has the garbage collector look seldom, and never at what was loaded until now.

    States are frozen values without cycles, freed when nobody refers to them any more; but each move makes
    hundreds of objects, and with Python's own thresholds a tenth of the server's time goes into looking at
    those of all tables for cycles that are not there.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


def allow_open_files(connections: int) -> None:
    """Raises this process's own limit of open files, where it is too low for the connections allowed."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = connections + SPARE_FILES
    if allowed == resource.RLIM_INFINITY or allowed >= needed:
        return
    possible = needed if most == resource.RLIM_INFINITY else min(needed, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (possible, most))
    if possible < needed:
        log.warning("only %d files may be open: not enough for %d connections (ulimit -n)", possible, connections)


async def _sweep(hall: Hall) -> None:
    while True:
        await asyncio.sleep(SWEEP_EVERY)
        hall.sweep()


async def _check(house: House) -> None:
    while True:
        await asyncio.sleep(CHECK_EVERY)
        gc.collect()  # what tables that were let go leave behind in cycles
        await house.check_all()
