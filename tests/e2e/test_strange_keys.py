"""A real Valkey in which one table's keys are of another kind: that table is frozen, and all the rest goes on."""

from tests.e2e.script import QUIET, close
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

STRANGE = b"strange"


def make_strange(server: ServerProcess, table: str) -> None:
    """Puts a string where the log was."""
    with server.store() as store:
        store.delete(f"kop:{{{table}}}:snap")
        store.set(f"kop:{{{table}}}:log", STRANGE)


def notices(*players: Wire) -> list[str]:
    """All notices that players were given."""
    return [message["notice"] for one in players for message in one.heard if message["type"] == "notice"]


async def test_a_table_whose_log_is_no_log_is_frozen_alone(own_server: ServerProcess) -> None:
    """At the next command: `table_frozen`, no notice to anybody, and another table plays on."""
    players, table = await four_at_table(own_server.url, options=QUIET)
    others, other = await four_at_table(own_server.url, options=QUIET)
    make_strange(own_server, table)
    prompt = players[0].views[table]["own"]["prompt"]
    for _ in range(2):
        error = await players[0].refused("start", table=table, prompt=prompt)
        assert (error["code"], error["table"]) == ("table_frozen", table)
    for _ in range(6):
        assert await step(others, other) is not None
    assert notices(*players, *others) == []
    (line,) = [line for line in own_server.log.splitlines() if "WRONGTYPE" in line]
    assert table in line
    assert "entry 5" in line
    assert "Traceback" not in own_server.log
    await close(*players, *others)


async def test_a_table_whose_log_is_no_log_is_frozen_when_it_is_loaded(own_server: ServerProcess) -> None:
    """After a restart: the welcome lists it, an `error` with its code follows; the player's other table plays."""
    players, table = await four_at_table(own_server.url, options=QUIET)
    other = (await players[0].ask("create", private=False, options=QUIET))["table"]
    for player in players[1:]:
        await player.ask("join", table=other)
    own_server.kill()
    own_server.start()
    make_strange(own_server, table)
    for player in players:
        welcome = await player.reopen()
        since = player.heard.index(welcome)
        assert {at["table"] for at in welcome["tables"]} == {table, other}
        error = await player.wait(lambda message: message["type"] == "error", since)
        assert (error["code"], error["table"], error["id"]) == ("table_frozen", table, None)
        await player.view(other, lambda view: view["public"]["match"] == 1)
    for _ in range(6):
        assert await step(players, other) is not None
    assert [one["table"] for one in (await players[0].ask("list"))["tables"]] == [other]
    assert notices(*players) == []
    assert any(table in line and "WRONGTYPE" in line for line in own_server.log.splitlines())
    assert "Traceback" not in own_server.log
    with own_server.store() as store:
        assert store.get(f"kop:{{{table}}}:log") == STRANGE
    await close(*players)
