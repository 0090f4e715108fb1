"""What all tests share: golden files, and one real server for those that only need to talk to it."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from server.figures import FIGURES, Figures
from tests.servers import ServerProcess

settings.register_profile("kop", deadline=None)
"""How long an example takes says more about the machine than about the code."""
settings.load_profile("kop")


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--update-golden` writes the golden files anew instead of comparing with them."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def figures() -> Figures:
    """What this process counts, from nothing on."""
    for one in dataclasses.fields(Figures):
        setattr(FIGURES, one.name, getattr(Figures(), one.name))
    return FIGURES


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A running server that every test may talk to and none may harm."""
    process = ServerProcess(Path(tmp_path_factory.mktemp("server"))).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def server_url(server: ServerProcess) -> str:
    """The websocket address of the shared server."""
    return server.url
