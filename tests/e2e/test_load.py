"""Many tables at once in one server process."""

import pytest

from tests.bench.measure import run
from tests.e2e.conftest import StartServer


@pytest.mark.long
@pytest.mark.timeout(180)
def test_three_hundred_tables_play_whole_matches_without_an_error(start_server: StartServer) -> None:
    """300 tables of four, four deals each, all at once in one process: every match ends, nothing is refused."""
    server = start_server()
    result = run("match", server.url, server.pid, [150, 150], 4)
    print(f"{result.per_cpu_second:,.0f} moves per CPU second, p50 {result.p50_ms:.0f} ms, p99 {result.p99_ms:.0f} ms")
    assert result.errors == ()
    assert result.matches == 300
    assert result.moves == 300 * 4 * (4 + 1 + 3 + 12)
    assert "ERROR" not in server.log
