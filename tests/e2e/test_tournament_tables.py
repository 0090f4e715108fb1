"""A table of a tournament over real processes: people who never came, or are gone, do not keep it from its end.

Another process opens it in the store that the servers share, as whoever runs the tournament does, and then ends.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import redis

from server.games.game import OptionValue, Seat
from server.games.kop.events import CardPlayed, MatchEnded
from server.runtime.house import House
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.runtime.thinking import ThinkingPool
from server.store.redis_store import RedisStore
from server.table import codec
from server.table.affiliation import Affiliation
from server.table.codec import LogLine
from server.table.commands import OpenForTournament
from server.table.events import Absent, Returned, Sitter
from server.table.ids import PlayerId, TableId
from tests.e2e.hosts import hosts
from tests.wire import Wire

BRISK = {"KOP_LIMIT_GRACE_SECONDS": "0.5", "KOP_LIMIT_BOT_SECONDS": "0.02"}
ID = TableId("0123456789abr1t1")
PATIENCE = 90.0


async def open_table(url: str, players: Sequence[Wire], *, deals: int, seed: bytes = b"") -> None:
    """Opens the table for these players, and leaves it to whoever comes to it."""
    store, tasks, pool = await RedisStore.open(url), Tasks(), ThinkingPool(1)
    house = House(store, tasks, Staff(pool, 60.0, 60.0))
    await house.peers.open()
    sitters = tuple(Sitter(PlayerId(one.player), one.name) for one in players)
    options: dict[str, OptionValue] = {"deals": deals, "rules": "wolsztyn", "on_absence": "bot"}
    where = Affiliation("tournament0123456789ab", "Friday", 1, 3, 1, seed)
    await house.open_for_tournament(OpenForTournament(ID, "kop", options, where, sitters))
    house.stand_still()
    await house.peers.retire()
    await tasks.close()
    await pool.close()
    await store.close()


def entries(url: str) -> list[LogLine]:
    """The table's whole log; of four deals no snapshot cuts anything off."""
    with redis.Redis.from_url(url) as store:
        lines = store.xrange(f"kop:{{{ID}}}:log")
    return [codec.decode(int(stream_id.split(b"-")[0]), fields[b"b"], "kop") for stream_id, fields in lines]


def happened(url: str, kind: type[object]) -> list[object]:
    """All events of a kind at the table."""
    return [event for line in entries(url) for event in line.events if isinstance(event, kind)]


async def until_happened(url: str, kind: type[object], number: int = 1) -> None:
    """Waits until the log has so many events of a kind."""
    async with asyncio.timeout(PATIENCE):
        while len(await asyncio.to_thread(happened, url, kind)) < number:  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0.1)


async def four_players(url: str) -> list[Wire]:
    """Four new players who are known to the server, and connected no longer."""
    players = [Wire(url, f"Player {seat}") for seat in range(4)]
    for player in players:
        await player.open()
        await player.close()
    return players


async def test_a_table_is_played_to_its_end_though_three_never_came_and_the_fourth_goes(tmp_path: Path) -> None:
    """One comes; the others are absent after the grace. One comes late, and has his seat at once. Both go."""
    async with hosts(tmp_path, 1, BRISK) as (server,):
        url = server._environment["KOP_REDIS_URL"]
        players = await four_players(server.url)
        await open_table(url, players, deals=4)
        await players[0].reopen()
        seen = await players[0].view(ID, lambda view: len(view["public"]["absences"]) == 3)
        assert seen["own"]["seat"] == 0
        assert seen["public"]["owner"] == ""
        assert seen["public"]["tournament"]["number"] == 1
        assert (await players[0].refused("leave", table=ID))["code"] == "tournament_table"
        await players[2].reopen()
        back = await players[2].view(ID, lambda view: 2 not in [one["seat"] for one in view["public"]["absences"]])
        assert back["own"]["seat"] == 2
        assert happened(url, Returned) == [Returned(Seat(2))]
        await players[0].close()
        await players[2].close()
        await until_happened(url, MatchEnded)
        assert len(happened(url, Absent)) == 5
        assert server.faults == []


async def test_a_table_that_nobody_is_at_goes_on_when_its_process_is_killed(tmp_path: Path) -> None:
    """Its bots stand in, the process is killed in mid-match, and another takes the table over and plays it out."""
    async with hosts(tmp_path, 2, BRISK) as (one, other):
        url = one._environment["KOP_REDIS_URL"]
        players = await four_players(one.url)
        await open_table(url, players, deals=4)
        await players[0].reopen()
        await players[0].view(ID, lambda view: len(view["public"]["absences"]) == 3)
        await players[0].close()
        await until_happened(url, CardPlayed, 5)
        await asyncio.to_thread(one.kill)
        assert happened(url, MatchEnded) == []
        await until_happened(url, MatchEnded)
        assert other.faults == []
