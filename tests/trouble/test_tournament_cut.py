"""A process that is killed after any entry of a tournament's log leaves nothing that a later one cannot go on from.

The moments are not left to chance: the log is cut after each entry in turn, while the tables are already over. So
"the table is over, the standings do not know" and "the round is over, the next is not drawn" are each met.
"""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from server.store.redis_store import RedisStore
from server.tournament import codec
from server.tournament.events import ResultNoted, RoundOpened
from tests.trouble.cluster import cluster
from tests.trouble.stores import ForeignValkey
from tests.trouble.tournaments import BRISK, check_standings, cup, order, page, seen
from tests.wire import Message


def entries(valkey: ForeignValkey, key: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
    """The whole log."""
    with valkey.client() as client:
        found: Any = client.xrange(key)
    return list(found)


def cut(valkey: ForeignValkey, key: str, left: list[tuple[bytes, dict[bytes, bytes]]]) -> None:
    """Only these entries are in the log."""
    with valkey.client() as client, client.pipeline(transaction=True) as at_once:
        at_once.delete(key)
        for number, fields in left:
            plain: Any = fields
            at_once.xadd(key, plain, id=number)
        at_once.execute()


def places(told: Message) -> tuple[list[list[int | None]], list[int]]:
    """Who sat where in a round, and who had a bye."""
    tables = [[None if one is None else one["entrant"] for one in table["seats"]] for table in told["tables"]]
    return tables, [one["entrant"] for one in told["byes"]]


@pytest.mark.timeout(180)
async def test_cut_after_any_entry_the_tournament_ends_with_the_same_standings(tmp_path: Path) -> None:
    """Nine entrants, two rounds: the same draws, the same byes and the same standings, from wherever it goes on."""
    with cluster(tmp_path, 1, BRISK) as servers:
        options = {"preset": "quick", "rounds": 2, "deals": 4, "fill": "bye", "seating": "standing"}
        async with cup(servers, 9, **options) as held:
            held.play_all(held.players)
            await order(held.director, held.id, "open_round")
            await held.played()
            told = await page(held.director, held.id, "standings")
            drawn = [places(await page(held.director, held.id, "round", number)) for number in (1, 2)]
            [server] = servers.servers
            key = f"kop:{{{held.id}}}:log"
            whole = entries(servers.valkey, key)
            events = [codec.decode(at, fields[b"b"]).events for at, (_, fields) in enumerate(whole, 1)]
            assert sum(isinstance(one, ResultNoted) for line in events for one in line) == 4
            first = next(at for at, line in enumerate(events, 1) if any(isinstance(one, RoundOpened) for one in line))
            assert first < len(whole) - 4
            for left in range(first, len(whole)):
                server.kill()
                cut(servers.valkey, key, whole[:left])
                assert len(entries(servers.valkey, key)) == left
                await asyncio.to_thread(server.start)
                await held.director.come()
                held.director.wire.tournaments.clear()  # what he heard before does not count
                await held.director.do("tournament_follow", tournament=held.id)
                await seen(held.director, held.id, lambda message: message["public"]["stage"] == "over")
                assert await page(held.director, held.id, "standings") == told, left
                assert [places(await page(held.director, held.id, "round", number)) for number in (1, 2)] == drawn
            store = await RedisStore.open(servers.valkey.url)
            try:
                await check_standings(store, held.id, told)
            finally:
                await store.close()
            assert server.faults == []
