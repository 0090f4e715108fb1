"""Servers and stores of a test's own, and what lies between them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import start_server as start_server
from tests.trouble.proxy import Proxy
from tests.trouble.stores import ForeignValkey, foreign_valkey


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[ForeignValkey]:
    """A store that loses nothing, to be hurt."""
    with foreign_valkey(tmp_path / "valkey") as valkey:
        yield valkey


@pytest.fixture
def proxy(valkey: ForeignValkey) -> Iterator[Proxy]:
    """What lies between a server and that store."""
    with Proxy(valkey.port) as proxy:
        yield proxy


def behind(proxy: Proxy) -> dict[str, str]:
    """The settings of a server whose store lies behind a proxy, and that soon finds out whether it answers."""
    return {
        "KOP_REDIS_URL": f"redis://127.0.0.1:{proxy.port}/0",
        "KOP_KEEP_FLUSH_TIMEOUT_MS": "2500",
        "KOP_KEEP_HEARTBEAT_MS": "200",
    }
