"""Servers of a test's own, ended with it however it ends."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.servers import ServerProcess

StartServer = Callable[..., ServerProcess]


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Starts a server with these settings of its own."""
    started: list[ServerProcess] = []

    def start(environment: Mapping[str, str] | None = None) -> ServerProcess:
        server = ServerProcess(tmp_path / f"server-{len(started)}", environment)
        started.append(server)
        return server.start()

    yield start
    for server in started:
        server.stop()


@pytest.fixture
def own_server(start_server: StartServer) -> ServerProcess:
    """A server that may be killed."""
    return start_server()


BRISK = {"KOP_LIMIT_GRACE_SECONDS": "0.3", "KOP_LIMIT_BOT_SECONDS": "0.02"}
"""A short grace, and bots that hardly wait."""


@pytest.fixture(scope="session")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server where people are soon absent, that every test may talk to and none may harm."""
    server = ServerProcess(tmp_path_factory.mktemp("brisk"), BRISK).start()
    yield server
    server.stop()
