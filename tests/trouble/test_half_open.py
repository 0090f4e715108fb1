"""Connections of clients that have vanished: silence closes them in time, and they keep nobody out meanwhile."""

import asyncio

from tests.e2e.company import told as told_of
from tests.e2e.conftest import StartServer
from tests.servers import ServerProcess
from tests.trouble.crowd import connections
from tests.trouble.players import Steady, all_play, check_once, four, in_play, over, scored, seated, server_time
from tests.trouble.proxy import Proxy

SILENCE, GRACE = 2, 1
SETTINGS = {
    "KOP_LIMIT_SILENCE": str(SILENCE),
    "KOP_LIMIT_CLOSING": "1",
    "KOP_LIMIT_GRACE_SECONDS": str(GRACE),
}


def behind(proxy: Proxy, server: ServerProcess) -> list[Steady]:
    """Four players of a server, the last of them behind a proxy."""
    players = four(server)
    players[3] = Steady(lambda: f"ws://127.0.0.1:{proxy.port}/ws", "Player 3", patience=1.0)
    return players


async def test_silence_closes_a_connection_whose_client_has_vanished(start_server: StartServer) -> None:
    """The others see him go after the limit of silence, then he counts as away; he comes back to his seat."""
    server = start_server(SETTINGS)
    with Proxy(server.port) as proxy:
        players = behind(proxy, server)
        table = await seated(players)
        await all_play(players, table, in_play)
        assert connections(server) == 4
        proxy.swallow()
        vanished = await server_time(players[0].wire)
        gone = away = 0
        while not away:
            for player in players[:3]:
                now = await server_time(player.wire)
            view = players[0].wire.views[table]
            gone = gone or (now if not view["here"][3] else 0)
            away = now if view["public"]["absences"] else 0
            await asyncio.sleep(0.05)
        assert gone >= vanished + 1000 * (SILENCE - 1)
        assert away >= gone + 1000 * GRACE - 500
        assert gone <= vanished + 1000 * (SILENCE + 10)
        while connections(server) > 3:  # noqa: ASYNC110 - the socket goes too
            await asyncio.sleep(0.05)
        await all_play(players, table, scored(1))
        assert players[3].connections >= 2
        assert all(players[0].wire.views[table]["here"])
        check_once(server.entries(table), players)
        for player in players:
            await player.close()


async def test_who_comes_back_first_is_not_absent_when_the_dead_connection_ends(start_server: StartServer) -> None:
    """The token has the seat at once; when silence closes the old connection, nobody notices anything."""
    server = start_server(SETTINGS)
    with Proxy(server.port) as proxy:
        players = behind(proxy, server)
        table = await seated(players)
        await all_play(players, table, in_play)
        hand = players[3].wire.views[table]["own"]["play"]["hand"]
        proxy.swallow()
        await players[3].come()
        assert (await players[3].wire.view(table))["own"]["play"]["hand"] == hand
        assert connections(server) == 5
        while connections(server) > 4:
            for player in players:
                await server_time(player.wire)
            await asyncio.sleep(0.05)
        await all_play(players, table, over)
        assert told_of(players[0].wire, table, "absent") == []
        seen = [one["here"] for one in players[0].wire.heard if one["type"] == "table"]
        assert seen[-1] == [True] * 4
        check_once(server.entries(table), players)
        for player in players:
            await player.close()
