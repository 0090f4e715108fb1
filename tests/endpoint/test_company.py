"""What people are to each other at a table, without sockets: talk and its measure, watchers apart, returns at once."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from server.endpoint import feed
from server.endpoint.hall import Hall
from server.endpoint.settings import Limits
from server.runtime.house import House
from server.runtime.tasks import Tasks
from server.store.port import TableId
from server.table import commands
from tests.endpoint.parlour import Message, Peer, four, player
from tests.runtime.tables import STAFF, Store, until

LIMITS = Limits(sayings_per_second=0.5, sayings_burst=4.0)


class Clock:
    """The hall's clock, which a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def measured(clock: Clock) -> AsyncIterator[Hall]:
    """A hall in which four sayings may come at once, and one in two seconds."""
    tasks = Tasks()
    yield Hall(House(Store(), tasks, STAFF), tasks, LIMITS, clock)
    await tasks.close()


async def answers(peer: Peer, table: str, number: int, text: str = "tak") -> list[str]:
    """What becomes of so many sayings."""
    told = [await peer.ask("say", table=table, text=text) for _ in range(number)]
    return [answer.get("code") or answer["type"] for answer in told]


async def test_sayings_are_granted_by_burst_and_rate(measured: Hall, clock: Clock) -> None:
    """Four at once, the fifth is `talked_too_much`; two seconds later one more; a long silence saves four."""
    players, table = await four(measured)
    assert await answers(players[0], table, 5) == ["reply"] * 4 + ["talked_too_much"]
    clock.now += 1.9
    assert await answers(players[0], table, 1) == ["talked_too_much"]
    clock.now += 0.2
    assert await answers(players[0], table, 2) == ["reply", "talked_too_much"]
    clock.now += 1000.0
    assert await answers(players[0], table, 5) == ["reply"] * 4 + ["talked_too_much"]


async def test_the_measure_is_the_players_and_not_the_connections(measured: Hall) -> None:
    """Two connections of one player share it; each other player has his own."""
    players, table = await four(measured)
    tab = Peer(measured)
    await tab.greet(players[0].token)
    tab.last_id = 100
    assert await answers(players[0], table, 2) == ["reply"] * 2
    assert await answers(tab, table, 3) == ["reply", "reply", "talked_too_much"]
    assert await answers(players[0], table, 1) == ["talked_too_much"]
    assert await answers(players[1], table, 4) == ["reply"] * 4


async def test_a_bad_text_and_a_repeat_cost_nothing(measured: Hall) -> None:
    """What is refused for its signs is not counted, and a saying sent again under its id is answered as before."""
    players, table = await four(measured)
    peer = players[0]
    assert await answers(peer, table, 20, "\u202etak") == ["bad_text"] * 20
    assert await answers(peer, table, 4) == ["reply"] * 4
    first = [message for message in peer.heard if message["type"] == "reply"][-1]
    for _ in range(5):
        peer.last_id -= 1
        assert await peer.ask("say", table=table, text="tak") == first
    assert await answers(peer, table, 1) == ["talked_too_much"]


async def test_who_talks_too_much_may_play_on(measured: Hall) -> None:
    """Talk has a measure of its own: acts are not held up by it."""
    players, table = await four(measured)
    assert (await answers(players[0], table, 6))[-1] == "talked_too_much"
    assert (await players[0].act(table, "ready"))["type"] == "reply"
    assert players[0].closed is None


def said(peer: Peer) -> list[tuple[int | None, str]]:
    """What a peer has heard others say."""
    return [(one["seat"], one["text"]) for one in peer.told("talked")]


async def watching(hall: Hall, table: str) -> Peer:
    """A watcher of a public table."""
    peer = await player(hall)
    await peer.ask("join", table=table, watch=True)
    return peer


async def test_watchers_are_apart(hall: Hall) -> None:
    """A seat that reads slowly and catches up later is told all at once, and nothing of what watchers said."""
    players, table = await four(hall)
    eve, iga = await watching(hall, table), await watching(hall, table)
    slow = [players[2], iga]
    for peer in slow:
        peer.congested = True
    await players[0].ask("say", table=table, text="hej")
    await eve.ask("say", table=table, text="cicho")
    last = await players[1].ask("say", table=table, text="no")
    for peer in slow:
        assert said(peer) == []
        peer.congested = False
        peer.session.drained()
        await peer.sees(table, last["version"])
    for peer in players:
        await peer.sees(table, last["version"])
        assert said(peer) == [(0, "hej"), (1, "no")]
        assert "cicho" not in repr(peer.heard)
    for peer in (eve, iga):
        await peer.sees(table, last["version"])
        assert said(peer) == [(0, "hej"), (None, "cicho"), (1, "no")]


async def test_a_seat_is_told_a_version_and_nothing_else_of_a_watchers_saying(hall: Hall) -> None:
    """The entry of a watcher's saying changes nothing in what a seat sees but the version."""
    players, table = await four(hall)
    eve = await watching(hall, table)
    await until(lambda: players[0].view(table)["watchers"] == 1)
    before = players[0].view(table)
    reply = await eve.ask("say", table=table, text="cicho")
    await players[0].sees(table, reply["version"])
    after: Message = players[0].view(table)
    changed = {name for name in after if after[name] != before[name]}
    assert changed <= {"version", "from"}
    assert after["happened"] == []


@pytest.mark.parametrize("broken", [False, True], ids=["still looks open", "is gone"])
async def test_who_is_back_has_his_seat_without_waiting_for_news_of_him(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, broken: bool
) -> None:
    """Comings and goings are gathered into one message for the others; a return is noted before that."""
    monkeypatch.setattr(feed, "PRESENCE_DELAY", 1000.0)
    players, table = await four(hall, on_absence="bot")
    actor = hall.feeds._feeds[TableId(table)].actor
    gone = players[3].session.player_id
    if broken:
        players[3].hang_up()
        hall.feeds._feeds[TableId(table)]._report()
    actor.submit(commands.NoteAbsent(gone), None, lambda answer: None)
    await until(lambda: actor.state is not None and bool(actor.state.absences))
    later = Peer(hall)
    await later.greet(players[3].token)
    await until(lambda: actor.state is not None and actor.state.absences == ())
    assert players[0].told("returned") == [{"event": "returned", "seat": 3}]


async def test_a_short_break_of_a_connection_is_no_news(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is back before the comings and goings are told was never away, for the table and for the others."""
    monkeypatch.setattr(feed, "PRESENCE_DELAY", 0.02)
    players, table = await four(hall)
    await until(lambda: players[0].view(table)["here"] == [True] * 4)
    seen = len(players[0].heard)
    players[3].hang_up()
    later = Peer(hall)
    await later.greet(players[3].token)
    later.last_id = 100
    reply = await later.ask("say", table=table, text="jestem")
    await players[0].sees(table, reply["version"])
    assert [message["here"] for message in players[0].heard[seen:] if message["type"] == "table"] == [[True] * 4]


async def test_a_deserted_table_is_let_go_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """When all have been gone for the grace, the pause is the last thing: the house holds nothing of the table."""
    tasks, store = Tasks(), Store()
    house = House(store, tasks, replace(STAFF, grace_seconds=0.02))
    hall = Hall(house, tasks, Limits(), lambda: 0.0)
    players, table = await four(hall, clock_seconds=600, on_absence="clock")
    await players[0].act(table, "ready")
    for peer in players:
        peer.hang_up()
    await until(lambda: not house._actors)
    assert house._held == {}
    assert hall.feeds._feeds == {}
    later = Peer(hall)
    await later.greet(players[2].token)
    assert later.view(table)["public"]["pause"]["seat"] is None
    await later.wait(lambda message: message["type"] == "table" and message["public"]["pause"] is None)
    await asyncio.sleep(0)
    later.hang_up()
    await tasks.close()
