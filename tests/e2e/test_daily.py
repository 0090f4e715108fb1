"""The deal of the day over real sockets: two players, one deal, one ranking, and nothing told too early."""

import asyncio
from typing import Any

from protocol.codec import Encoding
from server.games.patience.deals import hidden_number
from server.runtime.days import day_of, entropy_of
from tests.servers import ServerProcess
from tests.wire import PATIENCE, Message, Wire


async def sits_down(player: Wire, **options: Any) -> str:
    """A new table of the player's, with its first view seen."""
    created = await player.ask("create", game="carpet", options=options)
    await player.view(created["table"], lambda view: view["own"]["actions"] != [])
    return str(created["table"])


async def daily(player: Wire, table: str) -> Message:
    """Begins the deal of the day; the view of it."""
    reply = await player.ask("daily", table=table, prompt=player.views[table]["own"]["prompt"])
    return await player.at_version(table, reply["version"])


async def follow_hints(player: Wire, table: str) -> bool:
    """Plays a deal by the server's hints to its end; whether it is won."""
    while (view := player.views[table])["public"]["play"]["phase"] == "play":
        found = await player.ask("hint", table=table)
        action = "give_up" if found["move"] is None else found["move"]
        if action not in view["own"]["actions"]:
            raise AssertionError(f"{action} of {view['own']['actions']}")
        reply = await player.act(table, action)
        await player.at_version(table, reply["version"])
    return bool(player.views[table]["public"]["play"]["last"]["won"])


async def ranked(player: Wire, number: int) -> Message:
    """The ranking, once it has so many lines: a result is kept a moment after the deal is over."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await player.ask("ranking", game="carpet")
            if len(found["lines"]) >= number:
                return found


def secret_parts(server: ServerProcess) -> list[bytes]:
    """What nobody may be told before the day is over: the secret and the number, as they could stand in a message."""
    with server.store() as store:
        [key] = store.keys("kop:day:????-??-??")
        secret: Any = store.get(key)
    day = key.decode().rpartition(":")[2]
    number = str(hidden_number(entropy_of(secret, day, "carpet")))
    return [secret, secret.hex().encode(), number.encode()]


async def test_two_players_and_one_deal(own_server: ServerProcess) -> None:
    """Both play the same cards and see each other; a second attempt does not count; a crash loses no result."""
    async with Wire(own_server.url, "Ada", Encoding.JSON) as ada, Wire(own_server.url, "Bolek") as bolek:
        tables = [await sits_down(player) for player in (ada, bolek)]
        views = [await daily(player, table) for player, table in zip((ada, bolek), tables, strict=True)]
        piles = [view["public"]["play"]["table"]["piles"] for view in views]
        assert piles[0] == piles[1]
        assert views[0]["public"]["play"]["table"]["number"] is None
        won = await follow_hints(ada, tables[0])
        await ranked(ada, 1)

        await bolek.act(tables[1], "give_up")
        own_server.kill()
        own_server.start()
        for player in (ada, bolek):
            await player.reopen()
        for player in (ada, bolek):
            found = await ranked(player, 2)
            lines = [(line["place"], line["name"], line["won"]) for line in found["lines"]]
            assert (1, "Ada", won) in lines or not won
            assert {name for _, name, _ in lines} == {"Ada", "Bolek"}
            assert (found["number"], found["secret"]) == (None, None)

        await bolek.view(tables[1])
        view = await daily(bolek, tables[1])
        assert view["public"]["play"]["table"]["known"]
        assert view["public"]["play"]["table"]["piles"] == piles[0]
        await follow_hints(bolek, tables[1])
        async with asyncio.timeout(PATIENCE):
            while len((await bolek.ask("records"))["records"]) < 2:
                pass
        group = (await bolek.ask("results", game="carpet"))["groups"][0]
        assert (group["played"], group["won"], group["known_played"], group["known_won"]) == (1, 0, 0, 0)
        assert await ranked(bolek, 2) == found | {"id": bolek.last_id}

        [record, *_] = (await bolek.ask("records"))["records"]
        assert (await bolek.refused("record", record=record["record"]))["code"] == "day_not_over"
        for part in secret_parts(own_server):
            for player in (ada, bolek):
                assert not any(part in raw for raw in player.raw)


async def test_refusals(brisk: ServerProcess) -> None:
    """At a table with variants, at one of Kop, in a deal, at another's table, and for a stale prompt."""
    async with Wire(brisk.url, "Ada") as ada, Wire(brisk.url, "Bolek") as bolek:
        foster = await sits_down(ada, foster=True)
        prompt = ada.views[foster]["own"]["prompt"]
        assert (await ada.refused("daily", table=foster, prompt=prompt))["code"] == "no_daily"
        assert (await ada.refused("daily", table=foster, prompt="1.9r"))["code"] == "stale"
        assert (await bolek.refused("daily", table=foster, prompt=prompt))["code"] == "not_seated"
        kop = (await ada.ask("create"))["table"]
        await ada.view(kop)
        prompt = ada.views[kop]["own"]["prompt"]
        assert (await ada.refused("daily", table=kop, prompt=prompt))["code"] == "no_daily"
        usual = await sits_down(ada)
        view = await daily(ada, usual)
        assert view["public"]["play"]["table"]["day"] is not None
        prompt = view["own"]["prompt"]
        assert (await ada.refused("daily", table=usual, prompt=prompt))["code"] == "deal_running"
        other = await sits_down(ada)
        prompt = ada.views[other]["own"]["prompt"]
        assert (await ada.refused("daily", table=other, prompt=prompt))["code"] == "daily_running"
        assert (await ada.refused("ranking", game="kop"))["code"] == "unknown_game"
        assert (await ada.refused("ranking", game="zopf", day="2027-02-30"))["code"] == "no_such_day"


async def test_a_day_that_is_over(brisk: ServerProcess) -> None:
    """Its number and secret are told, and one follows from the other."""
    day = day_of(1_000_000_000_000)  # type: ignore[arg-type]
    with brisk.store() as store:
        store.set(f"kop:day:{day}", bytes(range(32)))
    async with Wire(brisk.url, "Ada") as ada:
        found = await ada.ask("ranking", game="carpet", day=day)
        assert found["secret"] == bytes(range(32)).hex()
        assert found["number"] == str(hidden_number(entropy_of(bytes(range(32)), day, "carpet")))
        assert (found["day"], found["lines"]) == (day, [])
