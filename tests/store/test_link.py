"""Which answers of a store mean that it takes no writes at all, and which URLs can be one."""

import pytest
from hiredis import ReplyError

from server.store.link import check_url, refuses_all

ALL = [
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "MISCONF Errors writing to the AOF file: No space left on device",
    "NOREPLICAS Not enough good replicas to write.",
    "CLUSTERDOWN The cluster is down",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "LOADING Valkey is loading the dataset in memory",
    "MOVED 3999 127.0.0.1:6381",
    "ASK 3999 127.0.0.1:6381",
    "BUSY Valkey is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
]
ONE = [
    "WRONGTYPE Operation against a key holding the wrong kind of value",
    "ERR The ID specified in XADD is equal or smaller than the target stream top item",
    "ERR unknown command 'CONFIG'",
    "NOPERM User default has no permissions to run the 'config|get' command",
    "BUSYGROUP Consumer Group name already exists",
]


@pytest.mark.parametrize(("answer", "all_writes"), [*((one, True) for one in ALL), *((one, False) for one in ONE)])
def test_what_an_answer_says_of_the_store(answer: str, all_writes: bool) -> None:
    """Whether it takes no writes at all, or refuses this one only."""
    assert refuses_all(ReplyError(answer)) == all_writes


@pytest.mark.parametrize(
    "url",
    ["redis://store:6379/1", "redis://:secret@store", "rediss://user:secret@store:6380", "unix:///run/valkey.sock"],
)
def test_urls_that_can_be_a_store(url: str) -> None:
    """Host, port, number, password and options as the client takes them."""
    check_url(url)


@pytest.mark.parametrize(
    "url", ["redis://u:secret@store:port", "redis://u:secret@store:70000", "redis://[::1", "redis://secret@s?flavour=1"]
)
def test_urls_that_can_be_none(url: str) -> None:
    """Refused with a reason that does not repeat what may hold a password."""
    with pytest.raises(ValueError, match=r"\w") as refused:
        check_url(url)
    assert "secret" not in str(refused.value)
