"""A seat is never without its way back, and an open table is never lost from the lobby, whatever comes at once."""

import asyncio
from typing import Any

import pytest

from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import MISSING_MILLIS, House
from server.runtime.tasks import Tasks
from tests.endpoint.parlour import Message, Peer, SlowStore, four, player
from tests.runtime.tables import STAFF, Store, until


def hall_on(store: Store) -> Hall:
    """A process of its own on this store."""
    tasks = Tasks()
    return Hall(House(store, tasks, STAFF), tasks, Limits(), lambda: 0.0)


async def settled(*halls: Hall) -> None:
    """Waits until nothing is under way."""
    await until(lambda: not any(hall.tasks._running for hall in halls))


async def tables_of(hall: Hall, token: str | None) -> dict[str, Any]:
    """The tables that a new connection of a player is led back to, with his seats."""
    peer = Peer(hall)
    welcome = await peer.greet(token)
    peer.hang_up()
    return {at["table"]: at["seat"] for at in welcome["tables"]}


async def listed(peer: Peer, hall: Hall) -> set[str]:
    """The tables of a new list."""
    hall._lobby_at = -1000.0
    return {one["table"] for one in (await peer.ask("list"))["tables"]}


def replies(peer: Peer, *ids: int) -> list[Message]:
    """The answers to these commands that have come."""
    return [message for message in peer.heard if message.get("id") in ids]


@pytest.mark.parametrize("seed", range(60))
async def test_who_leaves_and_joins_in_one_breath_finds_his_seat_again(seed: int) -> None:
    """*leave* and *join* are sent without waiting, on one connection or on two: the next hello leads to the seat."""
    hall = hall_on(SlowStore(seed))
    owner, guest = await player(hall), await player(hall)
    table = (await owner.ask("create", private=False))["table"]
    await guest.ask("join", table=table)
    tab = Peer(hall)
    await tab.greet(guest.token)
    tab.last_id = 100
    other = (guest, tab)[seed % 2]
    for _ in range(3):
        left, joined = guest.say("leave", table=table), other.say("join", table=table, seat=1)
        await until(lambda left=left, joined=joined: len(replies(guest, left) + replies(other, joined)) == 2)  # type: ignore[misc]
        await settled(hall)
        if replies(other, joined)[0]["type"] == "error":  # it came before the leave
            await other.ask("join", table=table, seat=1)
        assert await tables_of(hall, guest.token) == {table: 1}


async def test_who_leaves_is_not_led_back(hall: Hall) -> None:
    """A seat or a place to watch that was given up is forgotten."""
    owner, guest, watcher = [await player(hall) for _ in range(3)]
    table = (await owner.ask("create", private=False))["table"]
    await guest.ask("join", table=table)
    await watcher.ask("join", table=table, watch=True)
    assert await tables_of(hall, watcher.token) == {table: None}
    for peer in (guest, watcher):
        await peer.ask("leave", table=table)
        await settled(hall)
        assert await tables_of(hall, peer.token) == {}


@pytest.mark.parametrize("seed", range(20))
async def test_who_leaves_while_others_act_is_not_led_back(seed: int) -> None:
    """The view without him is held back for what others want at that moment; a little later he says hello anew."""
    hall = hall_on(SlowStore(seed))
    players, table = await four(hall)
    players[1].say("act", table=table, prompt=players[1].prompt(table), action="ready")
    left = players[0].say("leave", table=table)
    players[2].say("say", table=table, phrase="bye")
    await until(lambda: bool(replies(players[0], left)))
    for _ in range(seed % 5):
        await asyncio.sleep(0)
    later = Peer(hall)
    await later.greet(players[0].token)
    await settled(hall)
    assert await tables_of(hall, players[0].token) == {}


async def test_who_cannot_come_in_is_not_led_there(hall: Hall) -> None:
    """A *join* that is refused and a *create* of no game: nothing is noted, and nothing is shown."""
    players = [await player(hall) for _ in range(5)]
    table = (await players[0].ask("create", private=False))["table"]
    for one in players[1:4]:
        await one.ask("join", table=table)
    assert (await players[4].ask("join", table=table))["code"] == "table_full"
    assert (await players[4].ask("create", game="skat"))["code"] == "unknown_game"
    await settled(hall)
    assert await tables_of(hall, players[4].token) == {}


async def test_at_more_tables_than_are_noted_the_oldest_is_a_join_away(hall: Hall) -> None:
    """17 tables of one player: a hello leads to 16; *join* at the first is `already_seated`, and its view follows."""
    owner = await player(hall)
    tables = [(await owner.ask("create", private=False))["table"] for _ in range(17)]
    owner.hang_up()
    later = Peer(hall)
    await later.greet(owner.token)
    assert later.versions(tables[0]) == []
    assert all(later.versions(table) == [1] for table in tables[1:])
    later.last_id = 100
    assert (await later.ask("join", table=tables[0]))["code"] == "already_seated"
    assert later.versions(tables[0]) == [1]
    assert (await later.ask("sync", table=tables[0]))["seat"] == 0
    await settled(hall)
    assert (await tables_of(hall, owner.token))[tables[0]] == 0


async def test_a_command_of_who_sits_there_brings_a_connection_to_the_table(hall: Hall) -> None:
    """The oldest of 17 tables is named by a command: it takes effect, and the view follows."""
    owner = await player(hall)
    tables = [(await owner.ask("create", private=False))["table"] for _ in range(17)]
    owner.hang_up()
    later = Peer(hall)
    await later.greet(owner.token)
    later.last_id = 100
    assert (await later.ask("finish", table=tables[0], prompt="0.1r"))["type"] == "error"
    assert later.versions(tables[0]) == [1]


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("seed", range(25))
async def test_a_hello_between_index_and_entry_forgets_nothing(seed: int, processes: int) -> None:
    """A second tab says hello, here or at another process, while the first opens a table."""
    store = SlowStore(seed)
    halls = [hall_on(store) for _ in range(processes)]
    first = await player(halls[0])
    created = first.say("create", private=False)
    for _ in range(6):
        await tables_of(halls[-1], first.token)
    await until(lambda: bool(replies(first, created)))
    await settled(*halls)
    assert await tables_of(halls[-1], first.token) == {replies(first, created)[0]["table"]: 0}


@pytest.mark.parametrize("moment", range(16))
async def test_an_index_that_led_nowhere_for_long_is_new_with_its_table(moment: int) -> None:
    """A *create* that was refused is said rightly an hour later, and somebody asks for the list meanwhile."""
    store = SlowStore(moment)
    hall = hall_on(store)
    owner, reader = await player(hall), await player(hall)
    assert (await owner.ask("create", private=False, game="skat"))["code"] == "unknown_game"
    assert await listed(reader, hall) == set()
    store.clock.time += 60 * MISSING_MILLIS
    owner.last_id -= 1
    created = owner.say("create", private=False)
    for _ in range(moment):
        await asyncio.sleep(0)
    await listed(reader, hall)
    await until(lambda: len(replies(owner, created)) == 2)
    assert await listed(reader, hall) == {replies(owner, created)[1]["table"]}


@pytest.mark.parametrize("moment", range(0, 40, 4))
async def test_a_list_while_tables_are_opened_loses_none(moment: int) -> None:
    """20 public tables are opened at once, and somebody asks for the list meanwhile: later all are listed."""
    hall = hall_on(SlowStore(moment))
    owners, reader = [await player(hall) for _ in range(20)], await player(hall)
    ids = [owner.say("create", private=False) for owner in owners]
    for _ in range(moment):
        await asyncio.sleep(0)
    await listed(reader, hall)
    for owner, command_id in zip(owners, ids, strict=True):
        await owner.wait(lambda message, wanted=command_id: message.get("id") == wanted)  # type: ignore[misc]
    tables = {replies(owner, command_id)[0]["table"] for owner, command_id in zip(owners, ids, strict=True)}
    assert await listed(reader, hall) == tables


@pytest.mark.parametrize("seed", range(40))
async def test_who_is_removed_while_he_comes_back_stays_outside(seed: int) -> None:
    """The owner removes a player at any moment of his hello: he is told of no version after it."""
    hall = hall_on(SlowStore(seed))
    owner, guest = await player(hall), await player(hall)
    own = [(await guest.ask("create", private=False))["table"] for _ in range(2)]
    table = (await owner.ask("create", private=False))["table"]
    await guest.ask("join", table=table)
    guest.hang_up()
    later = Peer(hall)
    greeting = asyncio.get_running_loop().create_task(later.greet(guest.token))
    for _ in range(seed % 20):
        await asyncio.sleep(0)
    removed = await owner.ask("remove", table=table, player=guest.session.player_id)
    welcome = await greeting
    assert hall.feeds._feeds[table].readers_of(guest.session.player_id) == ()
    assert [version for version in later.versions(table) if version >= removed["version"]] == []
    assert {at["table"] for at in welcome["tables"]} - {table} == set(own)
