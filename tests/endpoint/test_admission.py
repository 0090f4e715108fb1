"""How many may come from where, at how many tables one connection may be, and what is answered while others wait."""

from dataclasses import dataclass, field, replace

import pytest

from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.tasks import Tasks
from tests.endpoint.parlour import Message, Peer, player
from tests.runtime.tables import STAFF, Store, until

HOUR = 3600.0


@dataclass
class Place:
    """A hall with limits and a clock of its own."""

    limits: Limits
    now: float = 0.0
    hall: Hall = field(init=False)

    def __post_init__(self) -> None:
        tasks = Tasks()
        self.hall = Hall(House(Store(), tasks, STAFF), tasks, self.limits, lambda: self.now)

    async def greet(self, address: str = "192.0.2.1", token: str | None = None) -> Message:
        """The answer to the hello of a new connection from there."""
        peer = Peer(self.hall)
        peer.address = address
        peer.say("hello", protocol=1, instance="instance", **({"token": token} if token else {"name": "Ada"}))
        return await peer.wait(lambda message: message["type"] in ("welcome", "error"))


async def test_new_players_are_counted_by_address_and_hour() -> None:
    """The fourth of an address is `too_many`; who is known or comes from elsewhere is let in; with time it refills."""
    place = Place(Limits(players_per_address_hour=3))
    known = [(await place.greet())["token"] for _ in range(3)]
    assert (await place.greet())["code"] == "too_many"
    assert (await place.greet(token=known[0]))["type"] == "welcome"
    assert (await place.greet("192.0.2.2"))["type"] == "welcome"
    place.now += HOUR / 3 - 1
    assert (await place.greet())["code"] == "too_many"
    place.now += 1
    assert (await place.greet())["type"] == "welcome"
    assert (await place.greet())["code"] == "too_many"
    assert len(place.hall.house.store._players._kept) == 5  # type: ignore[attr-defined]


async def test_new_players_are_counted_in_all() -> None:
    """From however many addresses they come: ten seconds' worth at once, and then so many per second."""
    place = Place(Limits(players_per_second=2))
    answers = [await place.greet(f"192.0.2.{number}") for number in range(25)]
    assert [one["type"] for one in answers] == ["welcome"] * 20 + ["error"] * 5
    place.now += 1
    answers = [await place.greet(f"192.0.3.{number}") for number in range(3)]
    assert [one["type"] for one in answers] == ["welcome"] * 2 + ["error"]


async def test_one_connection_is_at_so_many_tables() -> None:
    """Beyond its places *create* and *join* are refused and note nothing; a table that is left makes room."""
    hall = Place(Limits(places=2)).hall
    owner, guest = await player(hall), await player(hall)
    tables = [(await owner.ask("create", private=False))["table"] for _ in range(2)]
    assert (await owner.ask("create", private=False))["code"] == "too_many_tables"
    third = (await guest.ask("create", private=False))["table"]
    for watch in (True, False):
        assert (await owner.ask("join", table=third, watch=watch))["code"] == "too_many_tables"
    assert (await owner.ask("sync", table=tables[1]))["type"] == "reply"
    await owner.ask("leave", table=tables[0])
    assert (await owner.ask("join", table=third))["type"] == "reply"
    assert owner.versions(third) == [2]
    await until(lambda: not hall.tasks._running)
    again = Peer(hall)
    assert {at["table"] for at in (await again.greet(owner.token))["tables"]} == {tables[1], third}


async def test_a_hello_leads_to_no_more_tables_than_there_are_places() -> None:
    """A player at more tables than his new connection may be at: the newest ones are shown."""
    place = Place(Limits())
    owner = await player(place.hall)
    tables = [(await owner.ask("create", private=False))["table"] for _ in range(4)]
    place.hall.limits = replace(place.limits, places=3)
    later = Peer(place.hall)
    await later.greet(owner.token)
    assert [table for table in tables if later.versions(table)] == tables[1:]


async def test_a_ping_is_answered_while_a_join_waits_for_the_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is away in the middle of a *join*, and more messages wait than may: each ping gets its pong at once."""
    monkeypatch.setattr("server.runtime.storewatch.RETRY_SECONDS", 0.0)
    hall = Place(Limits()).hall
    owner, guest = await player(hall), await player(hall)
    table = (await owner.ask("create", private=False))["table"]
    store = hall.house.store
    assert isinstance(store, Store)
    store.lose_answer(stored=False)
    joined = guest.say("join", table=table)
    await until(lambda: hall.house.watch.away)
    store.go_away()
    waiting = [guest.say("list") for _ in range(hall.limits.waiting_messages + 1)]
    for number in range(3):
        since = len(guest.heard)
        guest.say("ping")
        assert [one["type"] for one in guest.heard[since:]] == ["pong"], number
    answered = {one.get("id"): one for one in guest.heard}
    assert joined not in answered
    assert [answered[one]["code"] for one in waiting if one in answered] == ["too_many"]
    store.come_back()
    assert (await guest.wait(lambda one: one.get("id") == joined))["seat"] == 1
    for one in waiting[:-1]:
        await guest.wait(lambda heard, wanted=one: heard.get("id") == wanted and heard["type"] == "lobby")  # type: ignore[misc]
