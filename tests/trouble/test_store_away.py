"""The store goes away and comes back: tables pause, players are told, nothing is lost or doubled, play goes on."""

import asyncio
import urllib.request
from collections.abc import Callable

import pytest

from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.conftest import behind
from tests.trouble.players import all_play, check_once, four, heard, in_play, moments, over, seated, told
from tests.trouble.proxy import Proxy
from tests.trouble.stores import ForeignValkey
from tests.wire import RefusedError, quiet_choice

WAYS = ("killed", "cut")
LOSSES = 8


def lose(way: str, valkey: ForeignValkey, proxy: Proxy) -> Callable[[], object]:
    """Takes the store away; what brings it back."""
    if way == "killed":
        valkey.kill()
        return valkey.start
    proxy.refuse = True
    proxy.cut()

    def back() -> None:
        proxy.refuse = False

    return back


def health(server: ServerProcess) -> str:
    """What `/healthz` says."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/healthz", timeout=20) as answer:
        text: str = answer.read().decode()
    return text


@pytest.mark.parametrize("way", WAYS)
async def test_a_lost_store_pauses_the_table_until_it_is_back(
    start_server: StartServer, valkey: ForeignValkey, proxy: Proxy, way: str
) -> None:
    """All are told; commands are refused, none is lost; the same command then has one effect, and play goes on."""
    server = start_server(behind(proxy))
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    before = (await players[0].do("sync", table=table))["version"]
    turn = players[(await players[0].wire.at_version(table, before))["public"]["play"]["turn"]]
    own = (await turn.wire.at_version(table, before))["own"]
    act = {"table": table, "prompt": own["prompt"], "action": quiet_choice(own["actions"])}
    since = heard(players)
    back = lose(way, valkey, proxy)
    command_id = turn.wire.next_id()
    await turn.wire.send({"type": "act", "id": command_id, **act})
    await told(players, "store_away", since)
    assert "store is away" in await asyncio.to_thread(health, server)
    other = next(player for player in players if player is not turn)
    for command in ("create", "join"):
        with pytest.raises(RefusedError, match="store_away"):
            await other.wire.ask(command, **({} if command == "create" else {"table": table}))
    with pytest.raises(RefusedError, match="store_away"):
        await other.wire.act(table, "ask")
    back()
    await told(players, "store_back", since)
    assert await asyncio.to_thread(health, server) == "ok\n"
    reply = await turn.wire.answer_to(command_id)
    assert reply["version"] == before + 1
    assert await turn.wire.ask("act", id=command_id, **act) == reply
    turn.answered.append((command_id, "act", reply))
    await all_play(players, table, over)
    assert [player.connections for player in players] == [1] * 4
    check_once(valkey.written()[table], players)
    for player in players:
        await player.close()


@pytest.mark.parametrize("way", WAYS)
async def test_a_store_that_comes_and_goes_under_play(
    start_server: StartServer, valkey: ForeignValkey, proxy: Proxy, way: str
) -> None:
    """Lost again and again at any moment: players who only try again play on, and nothing counts twice."""
    server = start_server(behind(proxy))
    players = four(server)
    table = await seated(players)
    await players[0].wire.view(table)
    losses = 0

    async def trouble() -> None:
        nonlocal losses
        for moment in moments(way, LOSSES, 0.1):
            since = heard(players)
            await asyncio.sleep(moment)  # chance, not to wait for anything
            back = lose(way, valkey, proxy)
            await told(players, "store_away", since)
            back()
            await told(players, "store_back", since)
            losses += 1

    async with asyncio.TaskGroup() as group:
        group.create_task(trouble())
        group.create_task(all_play(players, table, lambda view: losses == LOSSES))
    assert [player.connections for player in players] == [1] * 4
    check_once(valkey.written()[table], players)
    for player in players:
        await player.close()


async def test_who_only_thinks_is_told_too(start_server: StartServer, valkey: ForeignValkey, proxy: Proxy) -> None:
    """Nobody asks anything of the store: the heartbeat finds that it is away, and the players are told."""
    server = start_server(behind(proxy))
    players = four(server)
    await seated(players)
    valkey.kill()
    try:
        async with asyncio.timeout(2):
            await told(players, "store_away", [0] * 4)
    finally:
        valkey.start()
        for player in players:
            await player.close()
