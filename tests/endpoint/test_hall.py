"""Sessions side by side over a store in memory: who comes just when another goes still gets everything."""

import asyncio

from server.endpoint.hall import Hall
from tests.endpoint.parlour import Peer, player
from tests.runtime.tables import until


async def test_who_joins_while_the_last_reader_goes_sees_all_that_follows(hall: Hall) -> None:
    """The only reader hangs up between the command and its answer: all who come later see one table."""
    for moment in range(8):
        owner, guest, third = [await player(hall) for _ in range(3)]
        created = await owner.ask("create", private=False)
        table = created["table"]
        guest.say("join", table=table)
        for _ in range(moment):
            await asyncio.sleep(0)
        owner.hang_up()
        await guest.wait(lambda message: message["type"] == "reply")
        joined = await third.ask("join", table=table)
        await guest.sees(table, joined["version"])
        guest.hang_up()
        third.hang_up()


async def test_who_comes_back_while_the_old_connection_goes_sees_all_that_follows(hall: Hall) -> None:
    """A player at several tables reconnects, and his old connection ends at any moment of the greeting."""
    for moment in range(12):
        old, other = await player(hall), await player(hall)
        tables = [(await old.ask("create", private=False))["table"] for _ in range(3)]
        new = Peer(hall)
        greeting = asyncio.get_running_loop().create_task(new.greet(old.token))
        for _ in range(moment):
            await asyncio.sleep(0)
        old.hang_up()
        await greeting
        for table in tables:
            joined = await other.ask("join", table=table)
            await new.sees(table, joined["version"])
        new.hang_up()
        other.hang_up()


async def test_a_listing_between_does_not_split_a_table(hall: Hall) -> None:
    """Tables that nobody reads are listed while two join: both are at the same table."""
    for moment in range(8):
        owner, first, second, third = [await player(hall) for _ in range(4)]
        table = (await owner.ask("create", private=False))["table"]
        owner.hang_up()
        hall._lobby_at = -1000.0
        first.say("join", table=table)
        for _ in range(moment):
            await asyncio.sleep(0)
        second.say("list")
        await first.wait(lambda message: message["type"] == "reply")
        joined = await third.ask("join", table=table)
        await first.sees(table, joined["version"])
        for peer in (first, second, third):
            peer.hang_up()


async def test_two_who_ask_for_the_list_at_once_get_the_same(hall: Hall) -> None:
    """Nobody is given an old list while the new one is being made."""
    owner, first, second = [await player(hall) for _ in range(3)]
    table = (await owner.ask("create", private=False))["table"]
    lists = await asyncio.gather(first.ask("list"), second.ask("list"))
    assert [[one["table"] for one in heard["tables"]] for heard in lists] == [[table], [table]]


async def test_a_table_that_all_have_left_is_let_go(hall: Hall) -> None:
    """Those who sat leave, one by one: no feed and no actor stays, with connections still open."""
    owner, guest, watcher = [await player(hall) for _ in range(3)]
    table = (await owner.ask("create", private=False))["table"]
    await guest.ask("join", table=table)
    await watcher.ask("join", table=table, watch=True)
    for peer in (watcher, guest, owner):
        await peer.ask("leave", table=table)
        assert peer.heard[-1] == {"type": "closed", "table": table, "reason": "left"}
    await until(lambda: not hall.house._actors)
    assert hall.feeds._feeds == {}
    assert hall.house._held == {}


async def test_the_same_join_again_does_not_let_a_removed_player_watch(hall: Hall) -> None:
    """Watchers past the door: a repeat of his *join* gets its reply, and he stays outside."""
    owner, guest = await player(hall), await player(hall)
    created = await owner.ask("create")
    joined = await guest.ask("join", code=created["code"])
    await owner.ask("remove", table=created["table"], player=guest.session.player_id)
    await guest.wait(lambda message: message["type"] == "closed")
    seen = guest.versions(created["table"])
    guest.last_id -= 1
    assert await guest.ask("join", code=created["code"]) == joined
    await owner.ask("sync", table=created["table"])
    assert guest.versions(created["table"]) == seen
    assert (await guest.ask("sync", table=created["table"]))["code"] == "not_at_table"
    again = Peer(hall)
    assert (await again.greet(guest.token))["tables"] == []


async def test_a_join_refused_to_who_sits_there_costs_no_way_back(hall: Hall) -> None:
    """Two tabs: the second one's *join* is `already_seated`; the next hello still leads to the table."""
    owner = await player(hall)
    tab = Peer(hall)
    await tab.greet(owner.token)
    created = await owner.ask("create")
    tab.last_id = 40
    assert (await tab.ask("join", code=created["code"]))["code"] == "already_seated"
    await until(lambda: len(hall.tasks._running) == 0)
    later = Peer(hall)
    assert [at["table"] for at in (await later.greet(owner.token))["tables"]] == [created["table"]]


async def test_a_repeat_while_the_store_is_away_is_told_so(hall: Hall) -> None:
    """Who has left says his *leave* again while the store is away: `store_away`, not that he never was there."""
    owner, guest = await player(hall), await player(hall)
    created = await owner.ask("create")
    await guest.ask("join", code=created["code"])
    left = await guest.ask("leave", table=created["table"])
    hall.house.store.go_away()  # type: ignore[attr-defined]
    hall.house.watch.lost()
    guest.last_id -= 1
    assert (await guest.ask("leave", table=created["table"]))["code"] == "store_away"
    hall.house.store.come_back()  # type: ignore[attr-defined]
    await until(lambda: not hall.house.watch.away)
    guest.last_id -= 1
    assert await guest.ask("leave", table=created["table"]) == left
