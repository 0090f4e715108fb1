"""Every byte of a tournament with a watcher, an invitation, and a place that moves to another device in mid-deal.

The recorder is that of `leaks`: a code reaches the director alone, and a hand goes with the place, not with the player.
"""

import asyncio
from pathlib import Path

import pytest

from protocol.codec import Encoding
from server.runtime.tournament_loading import load as replayed
from server.store.port import TableId
from server.store.redis_store import RedisStore
from server.table import codec
from server.table.codec import LogLine
from server.tournament.opening import draw_secret
from server.tournament.state import TournamentId
from tests.e2e.leaks import Ledger, Secret, Viewer, leaks, writings
from tests.e2e.test_scenarios_secrecy import recording
from tests.trouble.cluster import Cluster, cluster
from tests.trouble.players import Steady
from tests.trouble.tournaments import BRISK, Cup, cup, order, page, seen, take_part
from tests.wire import RefusedError

ABOUT = ("terms", "entrants", "standings", "round", "cross", "decisions")


async def written(servers: Cluster, tournament: str, table: str) -> tuple[Ledger, list[bytes]]:
    """The log of the table, and the secrets of the tournament that never become public."""
    store = await RedisStore.open(servers.valkey.url)
    try:
        made = await replayed(TournamentId(tournament), store)
        assert made is not None
        lines: list[LogLine] = []
        for entry in await store.read(TableId(table), 0):
            lines.append(codec.decode(entry.version, entry.body, "kop" if lines else None))
        return Ledger.of(lines), [made.secret, draw_secret(made, 2)]
    finally:
        await store.close()


def mid_deal(player: Steady) -> bool:
    """Two tricks or more of a deal are taken, and cards are in the hands."""
    plays = [view["public"]["play"] for view in player.wire.views.values()]
    return any(play is not None and play["phase"] == "play" and 2 <= len(play["tricks"]) < 6 for play in plays)


async def moved(held: Cup, entrant: int, player: Steady) -> str:
    """The entrant's place goes to this player; the code with which it did."""
    await order(held.director, held.id, "move", entrant=entrant)
    [offer] = (await page(held.director, held.id, "desk"))["offers"]
    await player.do("tournament_claim", tournament=held.id, code=offer["code"])
    code: str = offer["code"]
    return code


async def everybody_asks(held: Cup, everybody: list[Steady]) -> None:
    """Each comes anew, asks for every page, and all but the director for his desk."""
    for one in everybody:
        await one.come()
        await one.do("tournament_follow", tournament=held.id)
        for about in ABOUT:
            await page(one, held.id, about, 1)
        if one is not held.director:
            with pytest.raises(RefusedError):
                await page(one, held.id, "desk")


def viewer(one: Steady) -> Viewer:
    """Who he is to the checker."""
    return Viewer(one.wire.player, one.wire.token or "")


@pytest.mark.timeout(120)
async def test_codes_reach_the_director_alone_and_a_hand_goes_with_its_place(tmp_path: Path) -> None:
    """Four entrants on two processes; who had the place before sees no hand any more, the watcher never one."""
    with cluster(tmp_path, 2, BRISK) as servers:
        options = {"preset": "quick", "rounds": 1, "deals": 4, "seating": "draw"}
        async with cup(servers, 0, **options) as held:
            for number in range(4):
                await held.enter(number, forgetful=False)
            before, *others = held.players
            watcher, after = (Steady(servers.anywhere(name), name, Encoding.JSON) for name in ("Wanda", "Zofia"))
            for one in (watcher, after):
                await one.come()
                await one.do("tournament_follow", tournament=held.id)
            await order(held.director, held.id, "invite", name="Zenon")
            [invitation] = (await page(held.director, held.id, "desk"))["invitations"]
            await order(held.director, held.id, "open_round")
            own = (await seen(before, held.id, lambda message: message["own"]["table"] is not None))["own"]
            table: str = own["table"]
            await before.wire.view(table)  # a round is drawn before its tables are open
            await watcher.do("join", table=table, watch=True)
            everybody = [*held.players, watcher, after, held.director]
            async with asyncio.TaskGroup() as group:
                for player in held.players:
                    group.create_task(take_part(player, held.id, mid_deal))
            code = await moved(held, own["entrant"], after)
            await seen(after, held.id, lambda message: (message["own"] or {}).get("table") == table)
            await after.wire.view(table, lambda view: view["own"] is not None)
            await everybody_asks(held, everybody)
            await watcher.do("join", table=table, watch=True)
            held.play_all([*others, after])
            await held.played()
            ledger, never = await written(servers, held.id, table)
            secrets = [Secret("a token", (one.wire.token or "").encode(), one.wire.player) for one in everybody]
            secrets += [Secret("a secret of the draw", text, None) for one in never for text in writings(one)]
            secrets += [Secret("a code", one.encode(), held.director.wire.player) for one in (code, invitation["code"])]
            for one in everybody:
                assert leaks(ledger, viewer(one), recording(one.wire), secrets) == [], one.wire.name
            assert len([message for _, message in recording(watcher.wire) if message["type"] == "table"]) > 60
            found = leaks(ledger, viewer(watcher), recording(held.director.wire), secrets)
            assert any(fault.endswith("a code") for fault in found)  # the checker would have seen it
            found = leaks(ledger, viewer(before), recording(after.wire), secrets)
            assert any("the own part of another" in fault for fault in found)
