"""Whole tournaments on real processes that are killed at random: the standings are what all the logs say.

What happens at a random moment differs from run to run, so a failure may need more than one.
"""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from server.store.redis_store import RedisStore
from tests.trouble.cluster import cluster
from tests.trouble.tournaments import BRISK, Cup, check_standings, cup, entered, news, order, page, take_part
from tests.wire import Message


async def evening(folder: Path, entrants: int, rounds: int, deals: int, **options: Any) -> None:
    """Somebody leaves in mid-round, somebody comes late, a result is corrected, processes are killed at random."""
    with cluster(folder, 2, BRISK) as servers:
        async with cup(servers, entrants, rounds=rounds, deals=deals, late_until=2, **options) as held:
            entered(held.players, held.id)
            killing = asyncio.get_running_loop().create_task(servers.kills(entrants))
            for player in held.players:
                held.play(player)
            await order(held.director, held.id, "open_round")
            await _happenings(held, entrants)
            await held.played()
            servers.peace = True
            await killing
            await _check(held, rounds)
            assert servers.troubles > 0


async def _happenings(held: Cup, entrants: int) -> None:
    await held.until(1, "round")
    leaver = held.players[1]
    held.playing[1].cancel()
    await asyncio.gather(held.playing[1], return_exceptions=True)
    await leaver.do("tournament_withdraw", tournament=held.id)
    held.playing[1] = asyncio.get_running_loop().create_task(take_part(leaver, held.id))
    held.play(await held.enter(entrants))
    await held.until(1, "break")
    await order(held.director, held.id, "correct", round=1, table=1, small=[6, 2, -3, -5], reason="miscounted")
    entrant = (news(held.players[2], held.id) or {})["own"]["entrant"]
    penalty = {"entrant": entrant, "round": 1, "big": "-1/2", "small": -10, "reason": "telephone"}
    await order(held.director, held.id, "penalise", **penalty)


async def _check(held: Cup, rounds: int) -> None:
    told = await page(held.director, held.id, "standings")
    await _check_logs(held, told)
    kinds = [line["kind"] for row in told["rows"] for line in row["lines"]]
    assert kinds.count("penalty") == 1
    decisions = (await page(held.director, held.id, "decisions"))["decisions"]
    assert [one["kind"] for one in decisions] == ["opened_round", "corrected", "penalty"]
    for number in range(1, rounds + 1):
        shown = await page(held.director, held.id, "round", number)
        assert all(table["result"] is not None for table in shown["tables"])


async def _check_logs(held: Cup, told: Message) -> None:
    store = await RedisStore.open(held.servers.valkey.url)
    try:
        await check_standings(store, held.id, told)
    finally:
        await store.close()


@pytest.mark.parametrize(
    "options",
    [
        {"fill": "bye", "seating": "standing"},
        {"fill": "bots", "seating": "balanced", "duplicate": True},
    ],
)
async def test_a_small_tournament_with_kills_is_what_its_logs_say(tmp_path: Path, options: dict[str, Any]) -> None:
    """Nine entrants, two rounds of four deals: byes go round; or bots fill the tables, and all play the same cards."""
    await evening(tmp_path, 9, 2, 4, preset="quick", **options)


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_who_never_comes_forfeits_though_a_process_is_killed(tmp_path: Path) -> None:
    """The rule is to forfeit: his line and those of the three who sat with him are of kinds of their own."""
    options = {"preset": "wolsztyn", "rounds": 2, "deals": 4, "dropout": "forfeit", "no_show_seconds": 10}
    with cluster(tmp_path, 2, BRISK) as servers:
        async with cup(servers, 8, **options) as held:
            gone, *others = held.players
            await gone.close()
            held.play_all(others)
            await order(held.director, held.id, "open_round")
            await held.until(1, "round")
            victim = servers.servers[0]
            servers.up.remove(victim)
            victim.kill()
            await asyncio.to_thread(victim.start)
            servers.up.append(victim)
            await held.played()
            told = await page(held.director, held.id, "standings")
            await _check_logs(held, told)
            lines = [line for row in told["rows"] for line in row["lines"]]
            assert Counter(line["kind"] for line in lines) == {"forfeit": 2, "awarded": 6, "played": 8}
            points = {(line["kind"], line["big"], line["small"]) for line in lines if line["kind"] != "played"}
            assert points == {("forfeit", "0", 0), ("awarded", "3", 35)}


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("entrants", "options"),
    [
        (20, {"preset": "wolsztyn", "seating": "draw", "fill": "bye"}),
        (21, {"preset": "koscian", "seating": "balanced", "fill": "bots"}),
        (22, {"preset": "wolsztyn", "seating": "balanced", "fill": "bye"}),
        (23, {"preset": "koscian", "seating": "standing", "fill": "bots"}),
    ],
)
async def test_five_rounds_of_32_deals_with_kills_are_what_their_logs_say(
    tmp_path: Path, entrants: int, options: dict[str, Any]
) -> None:
    """Wolsztyn and Kościan, with byes and with bots, by draw, balanced and by standing."""
    await evening(tmp_path, entrants, 5, 32, **options)
