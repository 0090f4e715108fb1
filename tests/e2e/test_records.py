"""Records of finished deals over the wire: they replay, outlive crashes and tables, and are read by whom they may."""

import asyncio
import random
from typing import Any

import pytest

from server.games.kop.record import replay
from server.games.kop.ruleset import RULE_SETS
from tests.e2e.conftest import StartServer
from tests.e2e.script import QUIET, close, played_to
from tests.e2e.test_scenarios_tables import keys, until
from tests.servers import ServerProcess
from tests.wire import Message, Wire, four_at_table, step


async def kept(player: Wire, *names: str) -> list[Message]:
    """The player's list of records, once these are saved: that is done after the result was told."""
    async with asyncio.timeout(20):
        while True:
            listed: list[Message] = (await player.ask("records"))["records"]
            if set(names) <= {one["record"] for one in listed}:
                return listed


async def fetched(player: Wire, **which: str) -> dict[str, Any]:
    """A record."""
    record: dict[str, Any] = (await player.ask("record", **which))["record"]
    return record


async def dealt(players: list[Wire], table: str) -> str:
    """All are ready, and the cards are out; the name that the record will have."""
    for player in players:
        reply = await player.act(table, "ready")
    for player in players:
        await player.at_version(table, reply["version"])
    return f"{table}-1-{players[0].views[table]['public']['play']['deal']}"


async def played_deal(players: list[Wire], table: str) -> str:
    """A deal played quietly to its end; the name of its record."""
    name = await dealt(players, table)
    while players[0].views[table]["public"]["stage"] == "deal":
        assert await step(players, table) is not None
    return name


async def to_the_last_card(players: list[Wire], table: str, rng: random.Random) -> None:
    """Whatever chance wills, cards and passes more often than calls; the card that ends the deal is not waited for."""
    while True:
        own = [player.views[table]["own"]["actions"] for player in players]
        steps = [(seat, action) for seat in range(4) for action in own[seat]]
        quiet = [one for one in steps if one[1].startswith(("play", "go on", "pass", "ask"))]
        seat, action = rng.choice(quiet if quiet and rng.random() < 0.7 else steps)
        last = sum(players[0].views[table]["public"]["play"]["cards"]) == 5  # the fourth trick plays itself
        reply = await players[seat].act(table, action)
        if last:
            return
        for player in players:
            await player.at_version(table, reply["version"])


@pytest.mark.parametrize("rules", RULE_SETS)
async def test_a_record_outlives_a_kill_right_after_the_last_card(own_server: ServerProcess, rules: str) -> None:
    """Kill -9 as soon as the last card is answered: the record is there, whole, and replays to the line all saw."""
    rng, answers = random.Random(rules), {} if rules != "klassisch" else {"answer_seconds": None}
    players, table = await four_at_table(own_server.url, options={"rules": rules, "deals": 4, **answers})
    name = await dealt(players, table)
    await to_the_last_card(players, table, rng)
    own_server.kill()
    own_server.start()
    for player in players:
        await player.reopen()
    line = (await players[0].view(table))["public"]["play"]["last"]
    await kept(players[2], name)
    record = await fetched(players[2], record=name)
    end = replay(record)[-1].match
    assert record["line"] == line
    assert (record["options"]["rules"], end.rules) == (rules, RULE_SETS[rules])
    assert record["seats"] == [player.name for player in players]
    own_server.kill()
    own_server.start()
    await players[1].reopen()
    assert await fetched(players[1], record=name) == record  # saved, not made anew
    await close(*players)


async def test_a_running_deal_has_no_record(server_url: str) -> None:
    """Until the last card nobody gets it, its players included, and nothing is listed or shared."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 9)
    for ask in ("record", "share"):
        assert (await players[0].refused(ask, record=f"{table}-1-1"))["code"] == "no_such_record"
    assert (await players[0].ask("records"))["records"] == []
    assert (await players[0].refused("record"))["code"] == "no_such_record"
    await close(*players)


async def test_a_private_record_is_for_those_who_sat_there(server_url: str) -> None:
    """A stranger and a watcher are refused, and cannot share it; each of the four reads the same."""
    players, table = await four_at_table(server_url, options=QUIET)
    async with Wire(server_url, "Watcher") as watcher, Wire(server_url, "Stranger") as stranger:
        await watcher.ask("join", code=players[0].views[table]["own"]["code"], watch=True)
        name = await played_deal(players, table)
        first = await kept(players[0], name)
        assert [one["record"] for one in first] == [name]
        assert len({str(await fetched(player, record=name)) for player in players}) == 1
        for other in (watcher, stranger):
            for ask in ("record", "share"):
                assert (await other.refused(ask, record=name))["code"] == "not_your_record"
            assert (await other.ask("records"))["records"] == []
    await close(*players)


async def test_who_has_the_code_reads_a_private_record(server_url: str) -> None:
    """One of the four shares it: the code works for anybody, however it is written, and for this record only."""
    players, table = await four_at_table(server_url, options=QUIET)
    names = [await played_deal(players, table) for _ in range(2)]
    await kept(players[1], *names)
    shared = await players[1].ask("share", record=names[0])
    assert (await players[1].ask("share", record=names[0]))["code"] == shared["code"]
    assert (await players[2].ask("share", record=names[0]))["code"] != shared["code"]
    code = shared["code"]
    async with Wire(server_url, "Stranger") as stranger:
        for written in (code, code.lower(), f"{code[:4]}-{code[4:8]} {code[8:]}"):
            assert (await fetched(stranger, code=written))["record"] == names[0]
        for name in names:  # the code is the key, not the name
            assert (await stranger.refused("record", record=name))["code"] == "not_your_record"
        assert (await stranger.refused("record", code=code[:-1] + "?"))["code"] == "no_such_record"
        assert (await stranger.refused("record", code=table))["code"] == "no_such_record"
        assert (await stranger.refused("join", code=code))["code"] == "no_such_table"
    await close(*players)


async def test_who_left_in_mid_deal_reads_the_record_too(server_url: str) -> None:
    """He has played a part of it; so has who took his seat; who left before the deal has not."""
    players, table = await four_at_table(server_url, options=QUIET)
    code = players[0].views[table]["own"]["code"]
    before = await played_deal(players, table)
    early, late, new = players[1], players[3], Wire(server_url, "New")
    await early.ask("leave", table=table)
    players[1] = Wire(server_url, "Early's")
    for wire in (players[1], new):
        await wire.open()
    await players[1].ask("join", code=code)
    for player in players:
        await player.view(table, lambda view: None not in view["public"]["seats"])
    await played_to(players, table, "play", 5)
    await late.ask("leave", table=table)
    await new.ask("join", code=code, seat=3)
    players[3] = new
    for player in players:
        await player.view(table, lambda view: "New" in str(view["public"]["seats"]))
    while players[0].views[table]["public"]["play"]["scored"] == 1:
        assert await step(players, table) is not None
    name = f"{table}-1-2"
    await kept(late, before, name)
    for player in (*players, late):
        dealt_to = [*(one.name for one in players[:3]), late.name]
        assert (await fetched(player, record=name))["seats"] == dealt_to
    assert (await early.refused("record", record=name))["code"] == "not_your_record"
    assert [one["record"] for one in (await early.ask("records"))["records"]] == [before]
    assert (await new.refused("record", record=before))["code"] == "not_your_record"
    await close(*players, early, late)


async def test_records_of_public_tables_are_public(server_url: str) -> None:
    """Anybody reads them by their name; the list holds one's own all the same."""
    players, table = await four_at_table(server_url, private=False, options=QUIET)
    name = await played_deal(players, table)
    await kept(players[0], name)
    async with Wire(server_url, "Stranger") as stranger:
        record = await fetched(stranger, record=name)
        assert replay(record)[-1].match.lines
        assert (await stranger.ask("share", record=name))["record"] == name
        assert (await stranger.ask("records"))["records"] == []
    await close(*players)


async def test_records_are_listed_newest_first(server_url: str) -> None:
    """Over deals and tables, with where and when, and who sat there."""
    players, table = await four_at_table(server_url, options=QUIET)
    names = [await played_deal(players, table) for _ in range(2)]
    other = await players[3].ask("create", options=QUIET)
    for player in players[:3]:
        await player.ask("join", code=other["code"])
    seats = [players[3], *players[:3]]
    for player in seats:
        await player.view(other["table"], lambda view: view["public"]["match"] == 1)
    names.append(await played_deal(seats, other["table"]))
    names.append(await played_deal(players, table))
    listed = await kept(players[0], *names)
    assert [one["record"] for one in listed] == names[::-1]
    assert [one["deal"] for one in listed] == [3, 1, 2, 1]
    assert [one["at"] for one in listed] == sorted((one["at"] for one in listed), reverse=True)
    assert listed[1]["seats"] == [player.name for player in seats]
    await close(*players)


async def test_records_outlive_their_table(start_server: StartServer) -> None:
    """The table's log has expired, its records are still there; they go when their own time is over."""
    server = start_server({"KOP_KEEP_MATCH_MS": "900", "KOP_KEEP_RECORD_MS": "4000"})
    players, table = await four_at_table(server.url, options=QUIET)
    name = await played_deal(players, table)
    await kept(players[0], name)
    record = await fetched(players[0], record=name)
    code = (await players[0].ask("share", record=name))["code"]
    await until(lambda: not keys(server, "kop:{*}:[ls]*"))
    assert await fetched(players[1], record=name) == record
    assert await fetched(players[2], code=code) == record
    await until(lambda: not keys(server, "kop:record*"))
    await until(lambda: not keys(server, "kop:shared*"))
    assert (await players[1].refused("record", record=name))["code"] == "no_such_record"
    assert (await players[2].refused("record", code=code))["code"] == "no_such_record"
    assert (await players[3].ask("records"))["records"] == []
    await close(*players)
