"""What went wrong at comparable servers with clocks and substitutes, and must not here; named after the reports."""

import asyncio

from server.table.events import Absent, Paused, Resumed
from tests.e2e.company import CLOCK, acted_for, scene, versions
from tests.e2e.test_absence import GRACE, bot_plays, finish_the_deal, the_person_is_back
from tests.e2e.test_clocks import clock, entry_at
from tests.e2e.test_records import fetched, kept
from tests.servers import ServerProcess


async def test_clock_quarrels(brisk: ServerProcess) -> None:
    """Pause, reconnect and resume from three clients while a clock runs: one clock, nothing negative, one decision.

    What is left at the pause is left after it, however often all of that is done.
    """
    async with scene(brisk.url, "second trick", on_absence="clock", clock_bank=2, **CLOCK) as one:
        owner, table = one.players[0], one.table
        for _ in range(4):
            seen = clock(one)
            left = seen["due"][one.seat]
            paused = await owner.ask("pause", table=table)
            at = entry_at(brisk, table, paused["version"])
            await asyncio.gather(*(player.reopen() for player in one.players))
            for player in one.players[1:]:
                await player.view(table)
                assert (await player.refused("resume", table=table))["code"] == "resume_later"
                assert (await player.refused("pause", table=table))["code"] in ("not_owner", "paused")
            replies = await asyncio.gather(
                *(wire.ask("resume", table=table) for wire in (owner, *one.players[1:])), return_exceptions=True
            )
            (resumed,) = [reply for reply in replies if not isinstance(reply, BaseException)]
            stood = entry_at(brisk, table, resumed["version"]) - at
            for player in one.players:
                view = await player.at_version(table, resumed["version"])
                assert view["public"]["clock"]["due"][one.seat] == left + stood
                assert view["public"]["clock"]["bank"] == [2_000] * 4
        assert len(versions(brisk, table, Paused)) == len(versions(brisk, table, Resumed)) == 4
        one.since = [0] * 4
        due = clock(one)["due"][one.seat]
        await one.play_on(lambda: bool(one.told("acted_for")))
        (first, *_) = acted_for(brisk.entries(table))
        assert first[1:] == (one.seat, "clock")
        assert due <= entry_at(brisk, table, first[0])
        assert min(clock(one)["bank"]) >= 0
        assert one.public["stage"] == "deal"
        scored = len(one.told("deal_scored"))
        await one.play_on(lambda: len(one.told("deal_scored")) > scored, one.players)


async def test_bot_too_soon(brisk: ServerProcess) -> None:
    """Grace first, also after many short breaks; then a bot, marked in the record; the person is back at once."""
    async with scene(brisk.url, "calls", on_absence="bot") as one:
        for _ in range(5):
            await one.go("drop")
            await one.come_back("drop")
        assert one.told("absent") == []
        before = (await one.others[0].ask("sync", table=one.table))["version"]
        await one.others[0].send({"type": "ping"})
        dropped = (await one.others[0].wait(lambda message: message["type"] == "pong"))["time"]
        await one.go("drop")
        await bot_plays(one, "drop")
        (gone,) = [line for line in brisk.entries(one.table) if any(isinstance(event, Absent) for event in line.events)]
        assert gone.version == before + 1
        assert gone.at >= dropped + 1000 * GRACE - 50
        await the_person_is_back(one, "drop", [])
        await finish_the_deal(one)
        marked = len(acted_for(brisk.entries(one.table)))
        name = f"{one.table}-1-1"
        await kept(one.away, name)
        record = await fetched(one.others[0], record=name)
        assert len(record["acted_for"]) == marked >= 1
        assert all(record["acts"][place][0] == one.seat for place in record["acted_for"])
