"""Late calls over the wire: four real clients, a real server, its clock."""

import asyncio
from typing import Any

import pytest

from tests.e2e.script import close, in_turn, played_to
from tests.servers import ServerProcess
from tests.wire import Message, RefusedError, Wire, four_at_table, step

WOLSZTYN: dict[str, Any] = {"rules": "wolsztyn", "deals": 4}
PAUSE = 1_500


async def led(url: str) -> tuple[list[Wire], str, int, Message]:
    """A table at which the opening lead of the first deal has just been played; the leader, and the view before."""
    players, table = await four_at_table(url, options=WOLSZTYN)
    await played_to(players, table, "calls")
    while not any(action.startswith("play") for action in in_turn(players, table)[1].views[table]["own"]["actions"]):
        assert await step(players, table) is not None
    leader, player = in_turn(players, table)
    before = player.views[table]
    await act(players, table, leader, cards(player, table)[0])
    return players, table, leader, before


def cards(player: Wire, table: str) -> list[str]:
    """The cards that a player may play now."""
    return [action for action in player.views[table]["own"]["actions"] if action.startswith("play ")]


def doublers(players: list[Wire], table: str) -> list[int]:
    """The seats that may give the next doubling."""
    return [
        seat
        for seat, player in enumerate(players)
        if any(action.startswith("double") for action in player.views[table]["own"]["actions"])
    ]


async def act(players: list[Wire], table: str, seat: int, action: str) -> Message:
    """An action that all have seen when this returns."""
    reply = await players[seat].act(table, action)
    for player in players:
        await player.at_version(table, reply["version"])
    return reply


def public(players: list[Wire], table: str) -> dict[str, Any]:
    """What everybody sees of the game."""
    play: dict[str, Any] = players[0].views[table]["public"]["play"]
    return play


def happened(wire: Wire, event: str) -> list[Message]:
    """Everything of a kind that a player was told."""
    tables = [message for message in wire.heard if message["type"] == "table"]
    return [one for message in tables for one in message["happened"] if one["event"] == event]


async def test_a_late_double_sends_the_card_back(server_url: str) -> None:
    """Double during the lead: the card is back in hand and stays in sight, and another one is led."""
    players, table, leader, before = await led(server_url)
    card = public(players, table)["trick"][0]["card"]
    doubler = doublers(players, table)[0]
    await act(players, table, doubler, "double 1")
    play = public(players, table)
    assert (play["phase"], play["trick"], play["shown"], play["cards"]) == ("calls", [], [card], [4] * 4)
    assert play["turn"] == (doubler + 1) % 4
    assert players[leader].views[table]["own"]["play"]["hand"] == before["own"]["play"]["hand"]
    for player in players:
        assert happened(player, "lead_taken_back") == [{"event": "lead_taken_back", "seat": leader, "card": card}]
    while not cards(players[leader], table):
        assert await step(players, table) is not None
    assert len(public(players, table)["said"]) == 4 + 1 + 4  # four passes, the doubling, four passes
    other = next(one for one in cards(players[leader], table) if one != f"play {card}")
    await act(players, table, leader, other)
    play = public(players, table)
    assert ([one["card"] for one in play["trick"]], play["shown"]) == ([other.removeprefix("play ")], [card])
    while public(players, table)["last"] is None:
        assert await step(players, table) is not None
    assert public(players, table)["last"]["doublings"] == [doubler]
    await close(*players)


async def test_of_two_late_doublings_that_cross_one_stands(server_url: str) -> None:
    """Both saw the same card: the first in the log counts, the other is stale and no re."""
    players, table, _, _ = await led(server_url)
    asked = [players[seat] for seat in doublers(players, table)[:2]]
    prompt = asked[0].views[table]["own"]["prompt"]
    results = await asyncio.gather(*(one.act(table, "double 1", prompt) for one in asked), return_exceptions=True)
    [reply] = [one for one in results if not isinstance(one, BaseException)]
    [refused] = [one for one in results if isinstance(one, RefusedError)]
    assert refused.code == "stale"
    for player in players:
        await player.at_version(table, reply["version"])
    said = [one for one in public(players, table)["said"] if one["say"].startswith("double")]
    assert said == [{"seat": reply["seat"], "say": "double 1"}]
    assert len(happened(players[0], "lead_taken_back")) == 1
    await close(*players)


async def test_the_pause_is_kept_by_the_servers_clock(server: ServerProcess) -> None:
    """The second card is refused before the pause is over, and accepted after its entry, 1.5 s later at least."""
    players, table, leader, _ = await led(server.url)
    lead, following = players[0].views[table]["version"], players[(leader + 1) % 4]
    due = public(players, table)["deadline"]
    hand = [f"play {card}" for card in following.views[table]["own"]["play"]["hand"]]
    refused = [
        await following.refused("act", table=table, prompt=prompt_of(following, table), action=one) for one in hand
    ]
    assert {one["code"] for one in refused} == {"await_calls"}
    for player in players:
        await player.at_version(table, lead + 1)
    assert public(players, table)["deadline"] is None
    assert doublers(players, table)  # still, until the second card
    await act(players, table, (leader + 1) % 4, cards(following, table)[0])
    assert doublers(players, table) == []
    played, over, second = server.entries(table)[-3:]
    assert [type(line.events[0]).__name__ for line in (played, over, second)] == [
        "CardPlayed",
        "AnswerTimeOver",
        "CardPlayed",
    ]
    assert due == played.at + PAUSE
    assert over.at >= due
    await close(*players)


def prompt_of(player: Wire, table: str) -> str:
    """The question that a player has to answer."""
    return str(player.views[table]["own"]["prompt"])


async def test_the_lead_waved_through_ends_the_pause(server: ServerProcess) -> None:
    """When the three others have said go on, all at once and to one prompt, the second card needs no clock."""
    players, table, leader, _ = await led(server.url)
    others = [player for seat, player in enumerate(players) if seat != leader]
    replies = await asyncio.gather(*(player.act(table, "go on") for player in others))
    for player in players:
        await player.at_version(table, max(reply["version"] for reply in replies))
    assert sorted(public(players, table)["waved"]) == [seat for seat in range(4) if seat != leader]
    following = (leader + 1) % 4
    await act(players, table, following, cards(players[following], table)[0])
    lines = server.entries(table)[-5:]
    assert "AnswerTimeOver" not in [type(event).__name__ for line in lines for event in line.events]
    assert lines[-1].at - lines[0].at < PAUSE
    await close(*players)


async def test_a_late_double_after_the_pause(server_url: str) -> None:
    """The pause only gives time: until the second card lies a doubling still sends the lead back."""
    players, table, leader, _ = await led(server_url)
    for player in players:
        await player.view(table, lambda view: view["public"]["play"]["deadline"] is None)
    await act(players, table, doublers(players, table)[0], "double 1")
    assert public(players, table)["phase"] == "calls"
    assert len(players[leader].views[table]["own"]["play"]["hand"]) == 4
    await close(*players)


@pytest.mark.parametrize("names", ["kontra", "kontra,re"])
async def test_no_pause_when_every_name_is_said(server_url: str, names: str) -> None:
    """With the last doubling said nobody can double the lead, so it is followed at once."""
    players, table = await four_at_table(server_url, options={**WOLSZTYN, "doubling_names": names})
    await played_to(players, table, "calls")
    for number in range(1, names.count(",") + 2):
        while not (able := doublers(players, table)):
            assert await step(players, table) is not None
        await act(players, table, able[0], f"double {number}")
    while public(players, table)["phase"] == "calls":
        assert await step(players, table) is not None
    play = public(players, table)
    assert (play["deadline"], len(play["trick"])) == (None, 1)
    assert cards(players[play["turn"]], table)
    await close(*players)
