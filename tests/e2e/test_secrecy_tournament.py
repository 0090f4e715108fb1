"""Every byte that players, a watcher and the director of a tournament receive, where all tables play the same cards.

The recorder is that of `leaks`. Nobody may read at one table what still lies in the hands at the other.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from protocol.codec import Encoding
from server.runtime.tournament_loading import load as replayed
from server.store.port import TableId
from server.store.redis_store import RedisStore
from server.table import codec
from server.table.codec import LogLine
from server.table.events import Created
from server.tournament.opening import draw_secret
from server.tournament.state import TournamentId
from tests.e2e.leaks import CARD, Ledger, Secret, Viewer, leaks, writings
from tests.trouble.cluster import Cluster, cluster
from tests.trouble.players import Steady
from tests.trouble.tournaments import BRISK, cup, order, seen
from tests.wire import Message, RefusedError

ABOUT = ("terms", "entrants", "standings", "round", "cross", "decisions")


async def logs(servers: Cluster, tournament: str) -> tuple[dict[TableId, list[LogLine]], list[bytes]]:
    """The logs of all tables, and what of the tournament may reach nobody before it is over."""
    store = await RedisStore.open(servers.valkey.url)
    try:
        made = await replayed(TournamentId(tournament), store)
        assert made is not None
        tables = {}
        for table in made.rounds[0].tables:
            entries = await store.read(TableId(table.id), 0)
            lines: list[LogLine] = []
            for entry in entries:
                lines.append(codec.decode(entry.version, entry.body, "kop" if lines else None))
            assert isinstance(lines[0].events[0], Created)
            tables[table.id] = lines
        hidden = [made.secret, made.rounds[0].seed, draw_secret(made, 2)]
        return tables, hidden
    finally:
        await store.close()


def recorded(player: Steady) -> list[tuple[bytes, Message]]:
    """What he has received until he was told that the tournament is over."""
    heard = [message for message in player.wire.heard if message["type"] != "(connected)"]
    assert len(heard) == len(player.wire.raw)
    whole = list(zip(player.wire.raw, heard, strict=True))
    ends = [at for at, (_, one) in enumerate(whole) if one["type"] == "tournament" and one["public"]["stage"] == "over"]
    return whole[: ends[0]]


def of_table(whole: Sequence[tuple[bytes, Message]], table: str) -> list[tuple[bytes, Message]]:
    """The `table` messages of a table."""
    return [(raw, one) for raw, one in whole if one["type"] == "table" and one["table"] == table]


async def everybody_asks(everybody: Sequence[Steady], tournament: str) -> None:
    """Each for every page that is for everybody."""
    for one in everybody:
        for about in ABOUT:
            await one.do("tournament_page", tournament=tournament, about=about, round=1)


async def watcher_is_kept_out(watcher: Steady, tournament: str, table: str) -> None:
    """From the comparison and the desk, from the table that plays on, and from the records of one that has ended."""
    for about in ("comparison", "desk"):
        with pytest.raises(RefusedError):
            await watcher.do("tournament_page", tournament=tournament, about=about, round=1)
    with pytest.raises(RefusedError, match="watching_closed"):
        await watcher.do("join", table=table, watch=True)
    with pytest.raises(RefusedError, match="not_your_record"):
        await watcher.do("record", record=f"{table}-1-1")


def check(one: Steady, table: str | None, ledgers: dict[TableId, Ledger], hidden: Sequence[bytes]) -> None:
    """What somebody received, who sat at this table or at none."""
    whole = recorded(one)
    viewer = Viewer(one.wire.player, one.wire.token or "")
    tokens = [Secret("a token", (one.wire.token or "").encode(), one.wire.player)]
    assert {message["table"] for _, message in whole if message["type"] == "table"} == ({table} - {None})
    for place, ledger in ledgers.items():
        assert leaks(ledger, viewer, of_table(whole, place), tokens) == []
    others = [message for _, message in whole if message["type"] != "table"]
    assert [message for message in others if CARD.findall(repr(message).encode())] == []
    for raw, _ in whole:
        assert not any(text in raw for secret in hidden for text in writings(secret))
    pages = {message["about"]: message["page"] for message in others if message["type"] == "tournament_page"}
    assert [row["lines"] for row in pages["standings"]["rows"]] == [[]] * 8
    assert [played["result"] for played in pages["round"]["tables"]] == [None, None]


@pytest.mark.timeout(120)
async def test_nothing_of_the_other_table_reaches_anybody(tmp_path: Path) -> None:
    """Two tables of the same cards on two processes; one has finished while the other has not begun."""
    with cluster(tmp_path, 2, BRISK) as servers:
        options = {"preset": "quick", "rounds": 1, "deals": 4, "duplicate": True, "seating": "draw"}
        async with cup(servers, 0, **options) as held:
            for number in range(8):
                await held.enter(number, forgetful=False)
            watcher = Steady(servers.anywhere("watcher"), "Wanda", Encoding.JSON)
            await watcher.come()
            await watcher.do("tournament_follow", tournament=held.id)
            await order(held.director, held.id, "open_round")
            tables: dict[Steady, str] = {
                player: (await seen(player, held.id, lambda one: one["own"]["table"] is not None))["own"]["table"]
                for player in held.players
            }
            first = tables[held.players[0]]
            everybody = [*held.players, watcher, held.director]
            held.play_all(player for player in held.players if tables[player] == first)
            await seen(held.director, held.id, lambda one: bool(one["public"]["finished"] == 1))
            await everybody_asks(everybody, held.id)
            await watcher_is_kept_out(watcher, held.id, first)
            held.play_all(player for player in held.players if tables[player] != first)
            await held.played()
            await seen(watcher, held.id, lambda message: message["public"]["stage"] == "over")
            written, hidden = await logs(servers, held.id)
            ledgers = {table: Ledger.of(lines) for table, lines in written.items()}
            for one in everybody:
                check(one, tables.get(one), ledgers, hidden)
