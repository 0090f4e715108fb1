"""The two health pages for every state of a server."""

import pytest

from server.endpoint.health import health_page, readiness_page


@pytest.mark.parametrize(
    ("draining", "away", "full", "status", "text"),
    [
        (False, False, False, 200, "ready"),
        (True, False, False, 503, "not ready: the server is about to stop"),
        (False, True, False, 503, "not ready: the store is away"),
        (False, False, True, 503, "not ready: there are as many connections as are allowed"),
        (True, True, False, 503, "not ready: the server is about to stop, the store is away"),
    ],
)
def test_readiness_names_each_reason(*, draining: bool, away: bool, full: bool, status: int, text: str) -> None:
    """503 with every reason; without one 200."""
    page = readiness_page(store_away=away, draining=draining, full=full, warnings=())
    assert (page.status, page.body.decode()) == (status, f"{text}\n")


def test_warnings_do_not_make_it_unready() -> None:
    """A line for each."""
    page = readiness_page(store_away=False, draining=False, full=False, warnings=("one", "two"))
    assert (page.status, page.body) == (200, b"ready\nwarning: one\nwarning: two\n")


def test_the_process_works_though_the_store_is_away() -> None:
    """200, and the body says it."""
    assert (health_page(store_away=True).status, health_page(store_away=False).body) == (200, b"ok\n")
