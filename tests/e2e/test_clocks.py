"""The clocks of a table: a run-out costs one decision, a pause keeps what is left, and no kill stops or speeds one."""

import asyncio
from typing import Any

from server.table.events import ActedFor
from tests.e2e.company import CLOCK, Scene, acted_for, at_once, scene, versions
from tests.e2e.conftest import BRISK, StartServer
from tests.e2e.script import a_card
from tests.servers import ServerProcess
from tests.wire import Wire

SECONDS = CLOCK["clock_seconds"]
OUTAGE_GRACE = 5_000
"""Milliseconds that everybody has after a start of the server."""


def clock(one: Scene) -> dict[str, Any]:
    """The clocks as the first of those who stay sees them."""
    found: dict[str, Any] = one.public["clock"]
    return found


def entry_at(server: ServerProcess, table: str, version: int) -> int:
    """When an entry was made."""
    return int(server.entries(table)[version - 1].at)


async def one_run_out(server: ServerProcess, phase: str) -> None:
    async with scene(server.url, phase, on_absence="clock", **CLOCK) as one:
        due = clock(one)["due"][one.seat]
        before = one.others[0].views[one.table]["version"]
        wanted = {"calls": "said", "asked": "said", "late calls": "card_played", "second trick": "card_played"}
        if phase in wanted:
            await one.play_on(lambda: bool(one.told("acted_for")))
            (mark, *_), (act, *_) = one.told("acted_for"), one.told(wanted[phase])[-1:]
            assert (mark["seat"], mark["by"], act["seat"]) == (one.seat, "clock", one.seat)
        else:
            await one.play_on(lambda: bool(one.told("absent")))
            assert one.told("absent")[0]["seat"] == one.seat
        line = next(
            line
            for line in server.entries(one.table)[before:]
            if any(type(event).__name__ in ("ActedFor", "Absent") for event in line.events)
        )
        assert line.client == ""
        if due is not None:
            assert due <= line.at
        assert one.public["stage"] != "over"
        assert one.public["match"] == 1
        scored = len(one.told("deal_scored"))
        await one.play_on(lambda: len(one.told("deal_scored")) > scored, one.players)


async def test_each_run_out_costs_one_decision(brisk: ServerProcess) -> None:
    """Ready, a question, an answer, a pass in turn, cards: who sits idle loses that decision, and plays on."""
    phases = ("ready", "calls", "asked", "late calls", "second trick", "between")
    await at_once(*((phase, one_run_out(brisk, phase)) for phase in phases))


async def test_a_run_out_in_turn_is_a_pass(brisk: ServerProcess) -> None:
    """Where calls go in turn, whose time is over passes, and the next is asked."""
    options: dict[str, Any] = {"rules": "wolsztyn", "on_absence": "wait", **CLOCK}
    async with scene(brisk.url, "calls", **options) as one:
        leader, one.seat = one.seat, (one.seat + 1) % 4
        await one.players[leader].act(one.table, "ask")
        await one.tells("said", seat=one.seat)
        assert one.public["play"]["said"] == [{"seat": leader, "say": "ask"}, {"seat": one.seat, "say": "pass"}]
        assert one.told("acted_for") == [{"event": "acted_for", "seat": one.seat, "by": "clock"}]
        following = one.players[(leader + 2) % 4]
        await following.view(one.table, lambda view: "pass" in view["own"]["actions"])


async def test_a_run_out_for_an_absent_who_is_not_ready_is_the_default_cut(brisk: ServerProcess) -> None:
    """By the rule of the clock: first he counts as away, then it is ready for him, with the default cut."""
    async with scene(brisk.url, "ready", on_absence="clock", **CLOCK) as one:
        one.seat = (one.public["play"]["dealer"] + 3) % 4  # who cuts
        await one.play_on(lambda: one.public["stage"] == "deal")
        assert [happened["seat"] for happened in one.told("absent")] == [one.seat]
        assert one.told("acted_for") == [{"event": "acted_for", "seat": one.seat, "by": "clock"}]
        assert one.told("dealt")[0]["cut"] == 8


async def test_the_bank_is_spent_and_never_negative(brisk: ServerProcess) -> None:
    """Beyond its seconds a decision costs the seat's bank; when that is empty, the seconds are all there is."""
    async with scene(brisk.url, "second trick", on_absence="wait", clock_bank=1, **CLOCK) as one:
        assert clock(one)["bank"] == [1_000] * 4
        began = entry_at(brisk, one.table, one.others[0].views[one.table]["version"])
        assert clock(one)["due"][one.seat] == began + 1000 * SECONDS + 1_000
        await one.play_on(lambda: bool(one.told("acted_for")))
        marked = versions(brisk, one.table, ActedFor)[0]
        assert entry_at(brisk, one.table, marked) >= began + 1000 * SECONDS + 1_000
        assert clock(one)["bank"] == [0 if seat == one.seat else 1_000 for seat in range(4)]
        await one.play_on(lambda: clock(one)["due"][one.seat] is not None)
        asked = one.others[0].views[one.table]["version"]
        since = entry_at(brisk, one.table, asked)
        assert clock(one)["due"][one.seat] == since + 1000 * SECONDS


async def test_a_kill_while_a_clock_runs(start_server: StartServer) -> None:
    """The server is killed with a clock running: it runs out after the restart, once everybody had time to come."""
    server = start_server(BRISK)
    async with scene(server.url, "second trick", on_absence="wait", **CLOCK) as one:
        due = clock(one)["due"][one.seat]
        server.kill()
        server.start()
        with server.store() as store:
            seconds, _ = store.time()
        await asyncio.gather(*(player.reopen() for player in one.players))
        await one.tells("acted_for", seat=one.seat, by="clock")
        ((version, seat, by),) = acted_for(server.entries(one.table))
        assert (seat, by) == (one.seat, "clock")
        assert entry_at(server, one.table, version) >= max(due, 1000 * seconds + OUTAGE_GRACE)
        reply = await next(player for player in one.players if one.choice(player)).ask("sync", table=one.table)
        assert reply["version"] == version


async def test_a_kill_while_paused(start_server: StartServer) -> None:
    """The server is killed while the table is paused: it is paused still, and what was left is left."""
    server = start_server(BRISK)
    async with scene(server.url, "second trick", on_absence="wait", clock_bank=5, **CLOCK) as one:
        due = clock(one)["due"][one.seat]
        paused = await one.players[0].ask("pause", table=one.table)
        at = entry_at(server, one.table, paused["version"])
        server.kill()
        server.start()
        await asyncio.gather(*(player.reopen() for player in one.players))
        for player in one.players:
            view = await player.view(one.table)
            assert (view["public"]["pause"]["seat"], view["public"]["pause"]["at"]) == (0, at)
            assert view["own"]["actions"] == []
        resumed = await one.players[0].ask("resume", table=one.table)
        stood = entry_at(server, one.table, resumed["version"]) - at
        for player in one.players:
            view = await player.at_version(one.table, resumed["version"])
            assert view["public"]["clock"]["due"][one.seat] == due + stood
        await one.away.act(one.table, a_card(one.away, one.table))
        assert acted_for(server.entries(one.table)) == []


async def test_countdown_griefing_by_coming_and_going(brisk: ServerProcess) -> None:
    """Three are ready; the fourth breaks and renews his connection without end: his time runs out all the same."""
    async with scene(brisk.url, "ready", on_absence="clock", **CLOCK) as one:
        griefer = Wire(brisk.url, "")
        griefer.token = one.away.token
        stop = asyncio.Event()

        async def grief() -> None:
            while not stop.is_set():
                await griefer.open()
                await griefer.drop()

        griefing = asyncio.get_running_loop().create_task(grief())
        await one.go("drop")
        try:
            await one.play_on(lambda: one.public["stage"] == "deal")
        finally:
            stop.set()
            await griefing
        first, last = (brisk.entries(one.table)[place].at for place in (3, -1))
        assert last - first < 1000 * (SECONDS + 1)
