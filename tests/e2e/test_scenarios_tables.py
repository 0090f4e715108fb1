"""What went wrong at comparable servers over the life of a table, and must not here; named after the reports."""

import asyncio
import os
import signal
from collections.abc import Callable

import pytest

from tests.e2e.conftest import StartServer
from tests.e2e.script import QUIET, close, in_turn, played_to
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

SHORT = {"KOP_KEEP_UNSTARTED_MS": "700", "KOP_KEEP_MATCH_MS": "900", "KOP_KEEP_ENDED_MS": "800"}


async def until(fact: Callable[[], bool]) -> None:
    """Waits for a fact that is told to nobody."""
    async with asyncio.timeout(20):
        while not fact():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def keys(server: ServerProcess, pattern: str) -> list[bytes]:
    """The keys in the store."""
    with server.store() as store:
        found: list[bytes] = list(store.scan_iter(pattern))
    return found


async def test_watchers_past_the_door(server_url: str) -> None:
    """A private table is listed to nobody, and neither its id nor a seat once held opens it to watch."""
    players, table = await four_at_table(server_url, options=QUIET)
    code = players[0].views[table]["own"]["code"]
    await players[0].ask("remove", table=table, player=players[1].player)
    assert await players[1].put_out(table) == "removed"
    stranger = Wire(server_url, "Stranger")
    await stranger.open()
    for wire, fields in ((stranger, {"table": table}), (players[1], {"table": table}), (players[1], {"code": code})):
        assert (await wire.refused("join", watch=True, **fields))["code"] in ("no_such_table", "barred")
    assert (await players[1].reopen())["tables"] == []
    assert table not in [one["table"] for one in (await stranger.ask("list"))["tables"]]
    assert not stranger.views
    await close(stranger, *players)


async def test_fresh_hand_by_rejoining(server_url: str) -> None:
    """Leaving in a deal and coming back gives the same hand, and no other seat; who replaces plays that hand."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 2)
    view = players[3].views[table]
    hand, code = view["own"]["play"]["hand"], view["own"]["code"]
    await players[3].ask("leave", table=table)
    await players[2].ask("leave", table=table)
    assert (await players[3].refused("join", code=code, seat=2))["code"] == "saw_other_hand"
    assert (await players[3].ask("join", code=code))["seat"] == 3
    assert (await players[3].view(table))["own"]["play"]["hand"] == hand
    await players[3].ask("leave", table=table)
    guest = Wire(server_url, "Guest")
    await guest.open()
    await guest.ask("join", code=code, seat=3)
    assert (await guest.view(table))["own"]["play"]["hand"] == hand
    await close(guest, *players)


async def test_leaving_at_every_moment(server_url: str) -> None:
    """After each step of a deal somebody leaves, twice the one whose turn it is, and comes back: it is scored."""
    players, table = await four_at_table(server_url, options=QUIET)
    code, steps = players[0].views[table]["own"]["code"], 0
    while players[0].views[table]["public"]["play"]["last"] is None:
        assert await step(players, table) is not None
        steps += 1
        play = players[0].views[table]["public"]["play"]
        for seat in {steps % 4, steps % 4 if play["turn"] is None else play["turn"]}:
            player = players[seat]
            hand = player.views[table]["own"]["play"]["hand"]
            await player.ask("leave", table=table)
            await player.put_out(table, len(player.heard) - 2)
            reply = await player.ask("join", code=code, seat=seat)
            for other in players:
                await other.at_version(table, reply["version"])
            assert player.views[table]["own"]["play"]["hand"] == hand
    sheet = await players[0].ask("sheet", table=table)
    assert len(sheet["lines"]) == 1
    await close(*players)


async def test_countdown_griefing(server_url: str) -> None:
    """Who leaves and comes back holds up nothing: the others stay ready, and the owner bars him or deals."""
    players, table = await four_at_table(server_url, options=QUIET)
    code = players[0].views[table]["own"]["code"]
    for player in players[:3]:
        reply = await player.act(table, "ready")
    for _ in range(5):
        await players[3].ask("leave", table=table)
        reply = await players[3].ask("join", code=code)
    view = await players[0].at_version(table, reply["version"])
    assert view["public"]["ready"] == [True, True, True, False]
    await players[0].ask("remove", table=table, player=players[3].player)
    assert (await players[3].refused("join", code=code))["code"] == "barred"
    guest = Wire(server_url, "Guest")
    await guest.open()
    await guest.ask("join", code=code)
    reply = await players[0].ask("start", table=table)
    assert (await guest.at_version(table, reply["version"]))["public"]["stage"] == "deal"
    await close(guest, *players)


async def test_idle_for_ever(start_server: StartServer) -> None:
    """Tables that nobody plays at vanish after their lifetime: from the store, the list, and who sits there."""
    server = start_server(SHORT)
    async with Wire(server.url, "Ada") as ada:
        private, public = await ada.ask("create"), await ada.ask("create", private=False)
        assert [(one["table"], one["age"]) for one in (await ada.ask("list"))["tables"]] == [(public["table"], 0)]
        await until(lambda: not keys(server, "kop:{*}:[ls]*"))
        while (await ada.ask("list"))["tables"]:
            pass
        for reply in (private, public):
            assert (await ada.refused("leave", table=reply["table"]))["code"] == "no_such_table"
            assert await ada.put_out(reply["table"]) == "expired"
        assert (await ada.reopen())["tables"] == []


async def test_games_without_end(start_server: StartServer) -> None:
    """A deserted match and one that is over expire too; a start loads no table before somebody comes."""
    server = start_server({**SHORT, "KOP_KEEP_ENDED_MS": "60000"})
    players, deserted = await four_at_table(server.url, options=QUIET)
    await played_to(players, deserted, "play", 2)
    await close(*players)
    players, ended = await four_at_table(server.url, options=QUIET)
    while players[0].views[ended]["public"]["stage"] != "over":
        assert await step(players, ended) is not None
    await until(lambda: keys(server, "kop:{*:log") == [f"kop:{{{ended}}}:log".encode()])
    with server.store() as store:
        assert 0 < int(store.pttl(f"kop:{{{ended}}}:log")) <= 60_000
        assert [key for key in store.scan_iter("*") if key != b"kop:lobby" and int(store.pttl(key)) < 0] == []
    server.kill()
    server.start()
    with server.store() as store:
        commands: dict[str, object] = store.info("commandstats")
        assert "cmdstat_xrange" not in commands
    await players[0].reopen()
    assert (await players[0].view(ended))["public"]["stage"] == "over"
    with server.store() as store:
        assert "cmdstat_xrange" in store.info("commandstats")
    for player in players:
        await player.drop()


async def test_seeded_by_the_clock(server: ServerProcess) -> None:
    """Tables opened at the same moment are unrelated: secrets, first dealers, codes and ids; no secret comes twice."""
    wires = [Wire(server.url, f"Player {seat}") for seat in range(4)]
    for wire in wires:
        await wire.open()
    created = await asyncio.gather(*(wires[number % 4].ask("create") for number in range(16)))
    for one in created:
        for wire in wires:
            if wire.player != wires[created.index(one) % 4].player:
                await wire.ask("join", code=one["code"])
    secrets, dealers = [], set()
    for one in created:
        lines = server.entries(one["table"])
        (offered,) = [event for line in lines for event in line.events if type(event).__name__ == "DealOffered"]
        secrets.append(offered.secret)
        dealers.add(offered.dealer)
        assert all(line.at.to_bytes(8) not in offered.secret for line in lines)
    assert len(set(secrets)) == 16
    assert {len(secret) for secret in secrets} == {32}
    assert len(dealers) > 1
    assert len({one["code"] for one in created}) == len({one["table"] for one in created}) == 16
    halves = zip(b"".join(secrets[:8]), b"".join(secrets[8:]), strict=True)
    assert abs(sum((one ^ other).bit_count() for one, other in halves) - 8 * 128) < 8 * 25
    await close(*wires)


@pytest.mark.parametrize("seconds", [1, pytest.param(10, marks=pytest.mark.long)])
async def test_stale_or_vanished_listings(start_server: StartServer, seconds: int) -> None:
    """A server that stood still loses no table; a killed one leaves none listed that is gone, and loses none."""
    server = start_server()
    players, table = await four_at_table(server.url, private=False, options=QUIET)
    await played_to(players, table, "play", 2)
    await stand_still(server, seconds)
    assert [one["table"] for one in (await players[0].ask("list"))["tables"]] == [table]
    while players[0].views[table]["public"]["play"]["last"] is None:
        assert await step(players, table) is not None
    empty = [(await player.ask("create", private=False))["table"] for player in players[:3]]
    server.kill()
    server.start()
    await asyncio.gather(*(player.reopen() for player in players))
    listed = (await players[3].ask("list"))["tables"]
    assert [one["table"] for one in listed] == [*empty[::-1], table]
    assert [one["names"] for one in listed[:3]] == [[f"Player {seat}", None, None, None] for seat in (2, 1, 0)]
    for one in empty:
        assert (await players[3].ask("join", table=one))["seat"] == 1
    with server.store() as store:
        for one in empty:
            store.pexpire(f"kop:{{{one}}}:log", 1)  # their time is over while nobody looks
    server.kill()
    server.start()
    await until(lambda: keys(server, "kop:{*:log") == [f"kop:{{{table}}}:log".encode()])
    await players[3].reopen()
    assert [one["table"] for one in (await players[3].ask("list"))["tables"]] == [table]
    await close(*players)


async def stand_still(server: ServerProcess, seconds: int) -> None:
    """SIGSTOP for so long, by the clock of the store."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        with server.store() as store:
            end = int(store.time()[0]) + seconds + 1
            await until(lambda: int(store.time()[0]) >= end)
    finally:
        os.kill(server.pid, signal.SIGCONT)


async def test_clocks_go_on_though_the_process_died(start_server: StartServer) -> None:
    """An answer time that was running when the server was killed is given back, and then runs out, once."""
    server = start_server()
    players, table = await four_at_table(server.url, options={"deals": 4, "answer_seconds": 1})
    await played_to(players, table, "calls")
    leader, player = in_turn(players, table)
    asked = await player.act(table, "ask")
    server.kill()
    server.start()
    await asyncio.gather(*(one.reopen() for one in players))
    for one in players:
        view = await one.at_version(table, asked["version"] + 2)
        assert view["public"]["play"]["waved"] == []
    own = players[leader].views[table]["own"]
    assert any(action.startswith("play ") for action in own["actions"])
    lines = server.entries(table)
    happened = [[type(event).__name__ for event in line.events] for line in lines[-2:]]
    assert happened == [["TimeGiven"], ["AnswerTimeOver"]]
    await close(*players)


async def test_a_clean_stop_in_the_middle_of_play_tells_everybody_and_loses_nothing(start_server: StartServer) -> None:
    """SIGTERM while acts are under way: `draining`, closed with 1001, nothing in the log but words; then on it goes."""
    server = start_server()
    players, table = await four_at_table(server.url, options=QUIET)
    act = {"table": table, "prompt": players[0].views[table]["own"]["prompt"], "action": "ready"}
    ids = [player.next_id() for player in players]
    for player, command_id in zip(players, ids, strict=True):
        await player.send({"type": "act", "id": command_id, **act})
    os.kill(server.pid, signal.SIGTERM)
    for player in players:
        await player.wait(lambda message: message.get("notice") == "draining")
        assert await player.closed() == 1001
    server.stop()
    assert server.faults == []
    assert "Traceback" not in server.log
    server.start()
    for player, command_id in zip(players, ids, strict=True):
        await player.reopen()
        assert 5 <= (await player.ask("act", id=command_id, **act))["version"] <= 8
    assert [line.version for line in server.entries(table)] == list(range(1, 9))
    await close(*players)
