"""Many tables at once in one server process."""

import pytest

from tests.bench.cores import cores
from tests.bench.runs import Load
from tests.bench.servers import WIDE_LIMITS, Served
from tests.e2e.conftest import StartServer


@pytest.mark.long
@pytest.mark.timeout(180)
def test_three_hundred_tables_play_without_an_error(start_server: StartServer) -> None:
    """300 tables of four, each player as soon as he may: nothing is refused, and every table plays on."""
    server = start_server(WIDE_LIMITS)
    with Load([Served(server.url, server.pid)], 300, cores()) as load:
        run = load.window(1.0, 8.0)
    assert run.errors == ()
    assert run.moves > 300
    assert server.faults == []
