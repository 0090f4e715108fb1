"""Tournaments in a hall without sockets: readers that are slow, several processes, and our own faults."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.endpoint.hall import Hall
from server.endpoint.places import Places
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.endpoint.parlour import Message, Peer, SlowStore, player
from tests.runtime.tables import STAFF, Store, until

QUICK = {"preset": "quick", "rounds": 1, "deals": 4, "break_seconds": None}


class Clock:
    """A clock that goes when it is told to."""

    now = 0.0


@pytest.fixture
async def halls() -> AsyncIterator[tuple[Hall, Hall]]:
    """Two processes over one store."""
    tasks, store = Tasks(), Store()
    found = []
    for _ in range(2):
        house = House(store, tasks, STAFF)
        await house.peers.open()
        found.append(Hall(house, tasks, Limits(), lambda: Clock.now))
    yield found[0], found[1]
    for hall in found:
        hall.house.stand_still()
    await tasks.close()


async def opened(director: Peer, **options: Any) -> str:
    """A new tournament."""
    reply = await director.ask("tournament_create", name="Cup", options={**QUICK, **options})
    assert reply["type"] == "tournament_reply", reply
    return str(reply["tournament"])


async def order(director: Peer, tournament: str, after: int, **order: Any) -> Message:
    """The director decides."""
    return await director.ask("tournament_direct", tournament=tournament, after=after, order=order)


def news(peer: Peer) -> list[Message]:
    """The `tournament` messages that somebody has."""
    return [one for one in peer.heard if one["type"] == "tournament"]


async def test_a_slow_reader_gets_fewer_and_larger_messages(hall: Hall) -> None:
    """Passed over while he cannot read; then told everything at once, without a gap."""
    director, slow = await player(hall), await player(hall)
    tournament = await opened(director)
    await slow.ask("tournament_follow", tournament=tournament)
    slow.congested = True
    before = len(news(slow))
    for number in range(5):
        await order(director, tournament, number, order="tell", text=f"Round {number}")
    assert len(news(slow)) == before
    slow.congested = False
    hall.drained(slow)  # type: ignore[arg-type]
    last = news(slow)[-1]
    assert len(news(slow)) == before + 1
    assert (last["from"], last["version"], last["resync"]) == (1, 6, False)
    assert [said["text"] for said in last["happened"]] == [f"Round {number}" for number in range(5)]
    hall.drained(slow)  # type: ignore[arg-type]
    assert news(slow)[-1] is last


async def test_who_is_too_far_behind_gets_only_how_it_stands() -> None:
    """What happened is forgotten in time: `resync` says so."""
    tasks = Tasks()
    hall = Hall(House(Store(), tasks, STAFF), tasks, Limits(messages_burst=1_000.0), lambda: 0.0)
    director, slow = await player(hall), await player(hall)
    tournament = await opened(director)
    await slow.ask("tournament_follow", tournament=tournament)
    slow.congested = True
    for number in range(70):
        await order(director, tournament, number, order="tell", text="Hurry")
    slow.congested = False
    hall.drained(slow)  # type: ignore[arg-type]
    last = news(slow)[-1]
    assert (last["resync"], last["happened"], last["version"]) == (True, [], 71)
    assert last["public"]["decisions"] == 70
    await tasks.close()


async def test_what_nobody_follows_any_more_is_let_go(hall: Hall) -> None:
    """The last follower ends the feed; nothing stays."""
    director, other = await player(hall), await player(hall)
    tournament = await opened(director)
    await other.ask("tournament_follow", tournament=tournament)
    assert len(hall.tournaments.feeds) == 1
    director.hang_up()
    other.hang_up()
    assert len(hall.tournaments.feeds) == 0
    assert hall.tournaments._here == {}


async def test_a_connection_follows_so_many_tournaments_and_no_more() -> None:
    tasks = Tasks()
    hall = Hall(House(Store(), tasks, STAFF), tasks, Limits(followed=2), lambda: 0.0)
    director, other = await player(hall), await player(hall)
    first, second, third = [await opened(director) for _ in range(3)]
    assert {one["tournament"] for one in news(director)} == {first, second}
    for tournament in (first, second):
        assert (await other.ask("tournament_follow", tournament=tournament))["type"] == "tournament_reply"
    assert (await other.ask("tournament_follow", tournament=third))["code"] == "too_many_tournaments"
    assert (await other.ask("tournament_follow", tournament=first))["type"] == "tournament_reply"
    await other.ask("tournament_unfollow", tournament=first)
    assert (await other.ask("tournament_follow", tournament=third))["type"] == "tournament_reply"
    await tasks.close()


async def test_opening_is_limited_like_tables() -> None:
    """A repeat of what took effect costs nothing."""
    tasks = Tasks()
    hall = Hall(House(Store(), tasks, STAFF), tasks, Limits(tables_per_player_hour=2), lambda: 0.0)
    director = await player(hall)
    await opened(director)
    await opened(director)
    refused = await director.ask("tournament_create", name="Cup", options=QUICK)
    assert refused["code"] == "too_many_tables"
    hall.drain()
    other = await player(hall)
    assert (await other.ask("tournament_create", name="Cup", options=QUICK))["code"] == "draining"
    await tasks.close()


async def test_players_are_led_in_every_process(halls: tuple[Hall, Hall]) -> None:
    """A connection of his at another process follows too, from one of its pings on, and is led like the others."""
    here, there = halls
    director, one, two = await player(here), await player(here), await player(there)
    tournament = await opened(director)
    for peer in (one, two):
        assert (await peer.ask("tournament_register", tournament=tournament))["type"] == "tournament_reply"
    other = Peer(there)
    await other.greet(one.token)
    later = Peer(there)
    await later.greet(director.token)
    assert [message["tournament"] for message in news(other)] == [tournament]
    await order(director, tournament, 0, order="open_round")
    for peer in (one, two, other):
        await peer.wait(lambda message: message["type"] == "table")
    tables = {message["table"] for peer in (one, two, other) for message in peer.heard if message["type"] == "table"}
    assert len(tables) == 1
    assert not [message for message in later.heard if message["type"] == "table"]


async def test_a_ping_finds_what_was_entered_elsewhere(halls: tuple[Hall, Hall]) -> None:
    """His open connection at the other process has heard nothing of the tournament until then."""
    here, there = halls
    director, one = await player(here), await player(here)
    other = Peer(there)
    await other.greet(one.token)
    tournament = await opened(director)
    await one.ask("tournament_register", tournament=tournament)
    other.say("ping")
    await other.wait(lambda message: message["type"] == "pong")
    assert news(other) == []
    Clock.now += 15.0
    other.say("ping")
    message = await other.wait(lambda message: message["type"] == "tournament")
    assert message["own"]["entrant"] == 1
    await other.ask("tournament_unfollow", tournament=tournament)
    Clock.now += 15.0
    heard = len(news(other))
    other.say("ping")
    await other.ask("tournaments")
    assert len(news(other)) == heard


async def test_an_answer_is_given_once_though_the_store_takes_its_time() -> None:
    """Several commands at once, each answered in its turn."""
    tasks = Tasks()
    hall = Hall(House(SlowStore(3), tasks, STAFF), tasks, Limits(), lambda: 0.0)
    director = await player(hall)
    tournament = await opened(director)
    asked = [
        director.say("tournament_direct", tournament=tournament, after=number, order={"order": "tell", "text": "x"})
        for number in range(4)
    ]
    await until(lambda: all(any(one.get("id") == number for one in director.heard) for number in asked))
    answers = [one for one in director.heard if one.get("id") in asked]
    assert [one["type"] for one in answers] == ["tournament_reply"] * 4
    assert [one["version"] for one in news(director)] == [1, 2, 3, 4, 5]
    await tasks.close()


async def test_our_own_fault_is_an_answer_and_stands_in_the_log(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever fails inside: the message is answered, the operator is told, and the conversation goes on."""
    peer = await player(hall)
    reply = await peer.ask("create")

    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("the price of a bug")

    with monkeypatch.context() as patched:
        patched.setattr(hall.house.tournaments, "listed", fails)
        patched.setattr(Places, "at_table", fails)
        patched.setattr(hall.house, "records_of", fails)
        for type, fields in (("tournaments", {}), ("sheet", {"table": reply["table"]}), ("records", {})):
            caplog.clear()
            answer = await peer.ask(type, **fields)
            assert (answer["type"], answer["code"]) == ("error", "server_fault")
            [line] = [one for one in caplog.records if one.levelno == logging.ERROR]
            assert line.exc_info is not None
            assert line.exc_info[0] is ZeroDivisionError
            assert (line.kind, line.code) == (type, "server_fault")  # type: ignore[attr-defined]
    assert (await peer.ask("tournaments"))["tournaments"] == []
    assert (await peer.ask("sheet", table=reply["table"]))["type"] == "sheet"
