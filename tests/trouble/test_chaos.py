"""Servers and their store are killed and stopped at random while matches are played: every match ends, all is there.

The moments follow from a seed; what happens at them does not, so a failure may need more than one run.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from protocol.codec import Encoding
from server.games.kop.events import MatchEnded
from tests.trouble.cluster import Cluster, cluster
from tests.trouble.players import Steady, all_play, check_once, check_records, over, seated
from tests.wire import Message

DEALS = 4
PATIENCE = 3.0
"""Seconds after which a player tries another server."""


def party(servers: Cluster, number: int) -> list[Steady]:
    """Four players of one table, each at any server."""
    return [
        Steady(
            servers.anywhere((number, seat)), f"{number}.{seat}", tuple(Encoding)[seat % 2], PATIENCE, forgetful=True
        )
        for seat in range(4)
    ]


async def match(players: list[Steady], enough: Callable[[], bool]) -> str:
    """Opens a table and plays a match there to its end, and others until there was enough trouble; the table."""
    table = await seated(players)
    done = asyncio.Event()

    def until(view: Message) -> bool:
        if over(view) and enough():
            done.set()
        return done.is_set()  # the others may have begun another match meanwhile: they leave it too

    await all_play(players, table, until)
    return table


async def chaos(folder: Path, processes: int, matches: int, *, troubles: int) -> None:
    """Plays so many matches at once in the midst of so much trouble or more, and checks what is left."""
    with cluster(folder, processes) as servers:
        parties = [party(servers, number) for number in range(matches)]
        trouble = asyncio.get_running_loop().create_task(servers.trouble(processes))
        try:
            tables = await asyncio.gather(
                *(match(players, lambda: servers.troubles >= troubles) for players in parties)
            )
        finally:
            servers.peace = True
            await trouble
        written = servers.valkey.written()
        for table, players in zip(tables, parties, strict=True):
            lines = written[table]
            check_once(lines, players)
            assert sum(isinstance(event, MatchEnded) for line in lines for event in line.events) >= 1
            await players[0].come()  # a record that a kill has kept from being saved is made up for
            await check_records(players[0], table, DEALS)
            for player in players:
                await player.close()


async def test_a_few_matches_in_the_midst_of_trouble(tmp_path: Path) -> None:
    """Two processes, six matches, the players of each over both."""
    await chaos(tmp_path, 2, 6, troubles=5)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("processes", [2, 4])
async def test_a_hundred_matches_in_the_midst_of_trouble(tmp_path: Path, processes: int) -> None:
    """A hundred matches at once: all end, every record verifies, each answered command is in the log, once."""
    await chaos(tmp_path, processes, 100, troubles=30)
