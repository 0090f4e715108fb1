"""A whole server: store, house, hall and listener, put together, started and stopped in order."""

import asyncio
import contextlib
import logging
import resource
import signal
import socket
import time
from collections.abc import AsyncIterator

from server.configuration import Configuration
from server.endpoint.hall import Hall
from server.endpoint.http import Page, Pages, text_page
from server.endpoint.listener import SWEEP_EVERY, Listener
from server.runtime.house import House
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


@contextlib.asynccontextmanager
async def running(configuration: Configuration) -> AsyncIterator[Listener]:
    """A server that accepts connections until the block ends; then it drains and lets go of everything.

    Raises:
        OSError: the port cannot be had.
        server.store.embedded errors: there is no store to be had.
    """
    async with contextlib.AsyncExitStack() as stack:
        store = await _store(configuration, stack)
        for warning in (await store.health()).warnings:
            log.warning("the store: %s", warning)
        tasks = Tasks()
        stack.push_async_callback(tasks.close)
        pool = ThinkingPool(configuration.limits.thinking_processes, preload=BOTS)
        stack.push_async_callback(pool.close)
        staff = Staff(pool, configuration.limits.grace_seconds, configuration.limits.bot_seconds)
        house = House(store, tasks, staff)
        hall = Hall(house, tasks, configuration.limits, time.monotonic)
        listener = Listener(
            hall,
            limits=configuration.limits.sockets,
            pages=_pages(house),
            trusted_proxies=configuration.trusted_proxies,
        )
        await listener.start(configuration.host, configuration.port)
        tasks.start(_sweep(hall))
        tasks.start(_check(house))
        try:
            yield listener
        finally:
            hall.drain()
            await listener.close()


async def serve(configuration: Configuration) -> None:
    """Runs a server until SIGINT or SIGTERM."""
    _allow_open_files(configuration.limits.sockets.connections)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with running(configuration) as listener:
        print(f"Kop online listens on http://{_shown(configuration.host)}:{listener.port}/", flush=True)  # noqa: T201
        await stop.wait()
        log.info("stopping: players are told to come back")


async def _store(configuration: Configuration, stack: contextlib.AsyncExitStack) -> Store:
    """The store, waited for if it is a foreign one that does not answer yet."""
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


def _pages(house: House) -> Pages:
    welcome = Page(200, "text/html; charset=utf-8", WELCOME_PAGE.encode())

    def page(path: str) -> Page | None:
        match path:
            case "/":
                return welcome
            case "/healthz":
                return text_page(200, "ok, but the store is away" if house.watch.away else "ok")
            case _:
                return None

    return page


def _allow_open_files(connections: int) -> None:
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
        await house.check_all()


def _shown(host: str) -> str:
    return socket.gethostname() if host in ("0.0.0.0", "::", "") else host  # noqa: S104
