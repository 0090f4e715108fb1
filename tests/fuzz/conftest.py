"""One real server that is maltreated by every test here, and looked at when all are done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import ServerProcess

MOST_GROWTH = 64 * 1024 * 1024
"""Bytes by which the server may grow while it is maltreated: caches fill, and the allocator keeps what it had."""
NEVER = ("Traceback", "frozen", "Fatal error", "never retrieved", " ERROR ")
"""What its log never says, whatever comes from outside."""


def memory(pid: int) -> int:
    """The resident memory of a process in bytes; 0 where that cannot be read."""
    file = Path(f"/proc/{pid}/statm")
    return int(file.read_text().split()[1]) * 4096 if file.exists() else 0


@pytest.fixture(scope="session")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """The server; at the end it lives, its log is clean, and it has not grown."""
    server = ServerProcess(Path(tmp_path_factory.mktemp("victim"))).start()
    assert server.process is not None
    before = memory(server.pid)
    yield server
    assert server.process.poll() is None, server.log
    assert not [word for word in NEVER if word in server.log], server.log
    assert memory(server.pid) - before < MOST_GROWTH
    server.stop()
    assert not [word for word in NEVER if word in server.log], server.log
