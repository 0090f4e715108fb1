"""Servers under measure, each a process of its own on the server's core: the product, and the floor."""

import contextlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.bench.cores import Cores, on
from tests.servers import ServerProcess

WIDE_LIMITS = {
    "KOP_LIMIT_CONNECTIONS": "20000",
    "KOP_LIMIT_PER_ADDRESS": "20000",
    "KOP_LIMIT_TABLES_PER_PLAYER_HOUR": "1000000",
    "KOP_LIMIT_TABLES_PER_ADDRESS_HOUR": "1000000",
}


@dataclass(frozen=True, slots=True)
class Served:
    """A server that listens: where, and who it is."""

    url: str
    pid: int


@contextlib.contextmanager
def product(
    folder: Path, store_url: str | None, cores: Cores, more: Mapping[str, str] | None = None
) -> Iterator[Served]:
    """`kop-server serve` on a store, or on its own in the folder."""
    environment = {**WIDE_LIMITS, **(more or {})}
    if store_url is not None:
        environment["KOP_REDIS_URL"] = store_url
    server = ServerProcess(folder, environment)
    with on(cores.server):
        server.start()
    try:
        yield Served(server.url, server.pid)
    finally:
        server.stop()


@contextlib.contextmanager
def floor(store_url: str, canned: Path, cores: Cores, *, replies: bool) -> Iterator[Served]:
    """The plain floor, with or without a reply to the mover."""
    command = [sys.executable, "-m", "tests.bench.floor_server", store_url, str(canned)]
    with on(cores.server):
        process = subprocess.Popen(
            [*command, *(["reply"] if replies else [])], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    assert process.stdout is not None
    try:
        yield Served(f"ws://127.0.0.1:{int(process.stdout.readline())}/", process.pid)
    finally:
        process.communicate()
