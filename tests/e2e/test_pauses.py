"""A table that stands still: by its owner's wish, or because nobody is left; and how it goes on."""

import asyncio

import pytest

from protocol.codec import Encoding
from server.table.events import Absent, Paused, Resumed
from tests.e2e.company import PHASES, Scene, acted_for, at_once, device, scene, versions
from tests.e2e.conftest import BRISK, StartServer
from tests.e2e.script import a_card, close
from tests.e2e.test_scenarios_tables import until
from tests.servers import ServerProcess
from tests.wire import Message, Wire, four_at_table


async def stands_still(server: ServerProcess, phase: str) -> None:
    async with scene(server.url, phase, on_absence="wait") as one:
        owner, table = one.players[0], one.table
        acting = next((player for player in one.players if one.choice(player)), one.players[0])
        action, prompt = one.choice(acting), acting.views[table]["own"]["prompt"]
        paused = await owner.ask("pause", table=table)
        for player in one.players:
            view = await player.at_version(table, paused["version"])
            assert view["own"]["actions"] == []
            state = view["public"]["pause"]
            assert (state["seat"], state["anyone_from"] - state["at"]) == (0, 120_000)
        error = await acting.refused("act", table=table, prompt=prompt, action=action or "ready")
        assert (error["code"], error["version"]) == ("paused", paused["version"])
        assert (await owner.refused("pause", table=table))["code"] == "paused"
        for player in one.players[1:]:
            assert (await player.refused("resume", table=table))["code"] == "resume_later"
        resumed = await owner.ask("resume", table=table)
        assert (await owner.refused("resume", table=table))["code"] == "not_paused"
        for player in one.players:
            view = await player.at_version(table, resumed["version"])
            assert view["public"]["pause"] is None
        if action is not None:
            assert one.choice(acting) == action
            assert acting.views[table]["own"]["prompt"] == prompt
        scored = len(one.told("deal_scored"))
        await one.play_on(lambda: len(one.told("deal_scored")) > scored, one.players)


async def test_a_pause_in_each_phase(brisk: ServerProcess) -> None:
    """Acts are refused as `paused`; the owner alone resumes so soon; then the same question stands as before."""
    await at_once(*((phase, stands_still(brisk, phase)) for phase in PHASES))


async def test_only_the_owner_pauses_and_only_a_match(server_url: str) -> None:
    """`not_owner` for seats and watchers, `no_match_running` before the match and after it."""
    async with Wire(server_url, "Ada") as ada, Wire(server_url, "Ola", Encoding.JSON) as ola:
        created = await ada.ask("create")
        await ola.ask("join", code=created["code"], watch=True)
        fields = {"table": created["table"]}
        assert (await ada.refused("pause", **fields))["code"] == "no_match_running"
        assert (await ada.refused("resume", **fields))["code"] == "not_paused"
        assert (await ola.refused("pause", **fields))["code"] == "not_owner"
        assert (await ola.refused("resume", **fields))["code"] == "not_seated"
    players, table = await four_at_table(server_url)
    assert (await players[1].refused("pause", table=table))["code"] == "not_owner"
    await close(*players)


async def test_the_same_pause_twice_has_one_effect(brisk: ServerProcess) -> None:
    """A repeat under its id, also over a new connection, gets the same reply, though the table goes on meanwhile."""
    async with scene(brisk.url, "second trick", on_absence="wait") as one:
        owner = one.players[0]
        paused = await owner.ask("pause", table=one.table)
        assert await owner.ask("pause", table=one.table, id=paused["id"]) == paused
        resumed = await owner.ask("resume", table=one.table)
        await owner.reopen()
        assert await owner.ask("pause", table=one.table, id=paused["id"]) == paused
        assert await owner.ask("resume", table=one.table, id=resumed["id"]) == resumed
        assert len(versions(brisk, one.table, Paused)) == len(versions(brisk, one.table, Resumed)) == 1


async def test_people_go_and_come_in_a_pause(brisk: ServerProcess) -> None:
    """A stand-in that came in a pause does nothing in it; a pause that was wanted outlasts everybody's going."""
    async with scene(brisk.url, "second trick", on_absence="bot") as one:
        one.seat = 2
        await one.players[0].ask("pause", table=one.table)
        await one.go("drop")
        await one.tells("stand_in", seat=2)
        version = (await one.others[0].ask("sync", table=one.table))["version"]
        await one.come_back("drop")
        await one.tells("returned", seat=2)
        assert (await one.others[0].ask("sync", table=one.table))["version"] == version + 1
        await close(*one.players)
        for player in one.players:
            await player.open()
        view = await one.players[3].view(one.table)
        assert view["public"]["pause"]["seat"] == 0
        await one.players[0].view(one.table)
        await one.players[0].ask("resume", table=one.table)
        await one.players[0].view(one.table, lambda view: view["public"]["pause"] is None)
        assert acted_for(brisk.entries(one.table)) == []


async def test_the_owner_hands_over_in_a_pause_and_the_new_owner_resumes(brisk: ServerProcess) -> None:
    """Who owns the table may let it go on, whoever paused it; the one who was the owner may not any more."""
    async with scene(brisk.url, "second trick", on_absence="wait") as one:
        old, new = one.players[0], one.players[2]
        await old.ask("pause", table=one.table)
        await old.ask("hand_over", table=one.table, player=new.player)
        assert (await old.refused("resume", table=one.table))["code"] == "resume_later"
        await new.ask("resume", table=one.table)
        await old.view(one.table, lambda view: view["public"]["pause"] is None)


async def deserted(server: ServerProcess, one: Scene) -> int:
    """All four go; the version of the pause that follows."""
    for player in one.players:
        await player.drop()
    found: list[int] = []

    def paused() -> bool:
        found[:] = versions(server, one.table, Paused)
        return bool(found)

    await until(paused)
    return found[-1]


@pytest.mark.parametrize("rule", ["wait", "bot", "vote", "clock"])
async def test_a_deserted_table_stands_still_until_one_is_back(brisk: ServerProcess, rule: str) -> None:
    """When all have been gone for the grace the table pauses by any rule, and it goes on with the first who comes."""
    clock = {"clock_seconds": 3, "clock_bank": 4} if rule == "clock" else {}
    async with scene(brisk.url, "second trick", on_absence=rule, **clock) as one:
        due = one.players[0].views[one.table]["public"]["clock"]
        paused = await deserted(brisk, one)
        at = brisk.entries(one.table)[paused - 1].at
        assert versions(brisk, one.table, Absent) == []
        await one.players[1].open()
        view = await one.players[1].view(one.table, lambda view: view["public"]["pause"] is None)
        (resumed,) = versions(brisk, one.table, Resumed)
        if due is not None:
            stood = brisk.entries(one.table)[resumed - 1].at - at
            assert view["public"]["clock"]["due"][one.seat] == due["due"][one.seat] + stood
        await asyncio.gather(*(player.open() for seat, player in enumerate(one.players) if seat != 1))
        one.since = [0] * 4
        for player in one.players:
            await player.view(one.table, lambda view: view["here"] == [True] * 4)
        await one.away.view(one.table, lambda view: view["public"]["absences"] == [])
        scored = len(one.told("deal_scored"))
        await one.play_on(lambda: len(one.told("deal_scored")) > scored, one.players)


async def test_a_watcher_keeps_the_table_awake(brisk: ServerProcess) -> None:
    """The four are gone and absent, but somebody looks on: no pause."""
    async with scene(brisk.url, "second trick", on_absence="wait") as one, Wire(brisk.url, "Watcher") as watcher:
        await watcher.ask("join", code=one.code, watch=True)
        await watcher.view(one.table)
        for player in one.players:
            await player.drop()
        view = await watcher.view(one.table, lambda view: len(view["public"]["absences"]) == 4)
        assert view["public"]["pause"] is None
        await one.players[0].open()
        await one.players[0].view(one.table, lambda view: len(view["public"]["absences"]) == 3)


async def test_a_deserted_table_is_let_go_by_the_process(start_server: StartServer) -> None:
    """Nothing of it is held in memory: whoever comes back makes the server load it from the store."""
    server = start_server(BRISK)

    def loads() -> int:
        with server.store() as store:
            commands: dict[str, dict[str, int]] = store.info("commandstats")
        return int(commands["cmdstat_xrange"]["calls"])

    async with scene(server.url, "second trick", on_absence="bot", clock_seconds=600) as one:
        await deserted(server, one)
        before = loads()
        await one.players[0].open()
        await one.players[0].view(one.table, lambda view: view["public"]["pause"] is None)
        assert loads() > before
        assert [player["name"] for player in one.players[0].views[one.table]["public"]["seats"]] == [
            f"Player {seat}" for seat in range(4)
        ]


async def test_a_kill_of_a_deserted_table(start_server: StartServer) -> None:
    """Killed while it stands still, deserted: with the first who comes it goes on, and the others have their grace."""
    server = start_server(BRISK)
    async with scene(server.url, "second trick", on_absence="wait") as one:
        await deserted(server, one)
        server.kill()
        server.start()
        await one.players[3].open()
        await one.players[3].view(one.table, lambda view: view["public"]["pause"] is None)
        (resumed,) = versions(server, one.table, Resumed)
        view = await one.players[3].view(one.table, lambda view: len(view["public"]["absences"]) == 3)
        lines = server.entries(one.table)
        assert lines[resumed].at - lines[resumed - 1].at >= 1000 * float(BRISK["KOP_LIMIT_GRACE_SECONDS"]) - 50
        assert {gone["seat"] for gone in view["public"]["absences"]} == {0, 1, 2}


async def test_an_act_of_a_second_device_ends_no_pause(brisk: ServerProcess) -> None:
    """Three devices of the owner: what one pauses the others see, and any of them resumes."""
    async with scene(brisk.url, "second trick", on_absence="wait") as one:
        owner = one.players[0]
        devices = [await device(brisk.url, owner.token) for _ in range(2)]
        paused = await devices[0].ask("pause", table=one.table)
        seen: list[Message] = [await wire.at_version(one.table, paused["version"]) for wire in (owner, *devices)]
        assert [view["public"]["pause"]["seat"] for view in seen] == [0] * 3
        resumed = await devices[1].ask("resume", table=one.table)
        await one.away.at_version(one.table, resumed["version"])
        await one.away.act(one.table, a_card(one.away, one.table))
        await close(*devices)
