"""What went wrong in tournaments elsewhere, and must not here; with real processes and a real store."""

import asyncio
from pathlib import Path

import pytest

from server.store.redis_store import RedisStore
from tests.trouble.cluster import Cluster, cluster
from tests.trouble.tournaments import BRISK, check_standings, cup, news, order, page, seen
from tests.wire import RefusedError

SMALL = {"preset": "quick", "rounds": 2, "deals": 4}


async def held_against_the_logs(servers: Cluster, tournament: str, told: dict[str, object]) -> None:
    """The standings that were told are those of the logs."""
    store = await RedisStore.open(servers.valkey.url)
    try:
        await check_standings(store, tournament, told)
    finally:
        await store.close()


@pytest.mark.timeout(120)
async def test_restart_in_a_tournament(tmp_path: Path) -> None:
    """The only process is killed again and again, in deals, between the last card and the result, between two rounds.

    Nothing is lost: both rounds are played, and a replay of all logs gives the standings.
    """
    with cluster(tmp_path, 1, BRISK) as servers:
        async with cup(servers, 8, **SMALL) as held:
            for player in held.players:
                held.play(player)
            await order(held.director, held.id, "open_round")
            [server] = servers.servers
            for heard in range(12):  # after so many messages to the director: at any moment of a round
                before = len(held.director.wire.raw)
                if (news(held.director, held.id) or {})["public"]["stage"] == "over":
                    break
                while len(held.director.wire.raw) < before + heard % 4 and held.director.connected:
                    await asyncio.sleep(0.01)  # a kill may come first, then nothing more is heard
                    if (news(held.director, held.id) or {})["public"]["stage"] == "over":
                        break
                server.kill()
                await asyncio.to_thread(server.start)
                await held.director.come()
            await held.played()
            told = await page(held.director, held.id, "standings")
            assert [[line["kind"] for line in row["lines"]] for row in told["rows"]] == [["played", "played"]] * 8
            await held_against_the_logs(servers, held.id, told)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("entrants", [5, 6, 7, 9, 13])
async def test_odd_fields_and_drop_outs(tmp_path: Path, entrants: int) -> None:
    """One leaves in mid-round, one comes late: everyone is seated or has a bye, which go round, and the rounds open."""
    with cluster(tmp_path, 1, BRISK) as servers:
        async with cup(servers, entrants, **{**SMALL, "rounds": 3, "late_until": 2, "fill": "bye"}) as held:
            await order(held.director, held.id, "open_round")
            await held.until(1, "round")
            await held.players[0].do("tournament_withdraw", tournament=held.id)
            late = await held.enter(entrants)
            for player in held.players[1:]:
                held.play(player)
            await held.played()
            number = (news(late, held.id) or {})["own"]["entrant"]
            for round_ in (2, 3):
                shown = await page(held.director, held.id, "round", round_)
                seated = [seat["entrant"] for table in shown["tables"] for seat in table["seats"] if seat is not None]
                placed = sorted([*seated, *(bye["entrant"] for bye in shown["byes"])])
                left = (news(held.players[0], held.id) or {})["own"]["entrant"]
                assert placed == [one for one in range(1, number + 1) if one != left]
            told = await page(held.director, held.id, "standings")
            byes = [sum(line["kind"] == "bye" for line in row["lines"]) for row in told["rows"]]
            assert max(byes) <= 1 + 3 * (entrants % 4) // entrants
            await held_against_the_logs(servers, held.id, told)


@pytest.mark.timeout(60)
async def test_everybody_gone(tmp_path: Path) -> None:
    """All withdraw in mid-round: the tournament ends, says why, and nobody is seated any more."""
    with cluster(tmp_path, 1, BRISK) as servers:
        async with cup(servers, 5, **SMALL) as held:
            await order(held.director, held.id, "open_round")
            await held.until(1, "round")
            for player in held.players:
                await player.do("tournament_withdraw", tournament=held.id)
            newest = await seen(held.director, held.id, lambda message: message["public"]["stage"] == "over")
            assert (newest["public"]["ending"], newest["public"]["round"]) == ("nobody_left", 1)
            with pytest.raises(RefusedError, match="tournament_over"):
                await order(held.director, held.id, "open_round")


@pytest.mark.timeout(60)
async def test_who_blocks_the_round(tmp_path: Path) -> None:
    """The director sees the table and the seat that all wait for; who enters twice is in once."""
    with cluster(tmp_path, 1, {**BRISK, "KOP_LIMIT_GRACE_SECONDS": "60"}) as servers:
        async with cup(servers, 4, **{**SMALL, "seating": "draw"}) as held:
            with pytest.raises(RefusedError, match="already_entered"):
                await held.players[0].do("tournament_register", tournament=held.id)
            entrants = (await page(held.director, held.id, "entrants"))["entrants"]
            assert len(entrants) == 4
            slow, *others = held.players
            for player in others:
                held.play(player)
            await order(held.director, held.id, "open_round")
            own = (await seen(slow, held.id, lambda message: message["own"]["table"] is not None))["own"]
            while True:
                [stand] = (await page(held.director, held.id, "desk"))["tables"]
                if [one["seat"] for one in stand["waiting_for"]] == [own["seat"]]:
                    break
                await asyncio.sleep(0.05)  # until the others have done what they can
            assert stand["table"] == own["table"]
            assert stand["waiting_for"][0]["name"] == slow.wire.name
