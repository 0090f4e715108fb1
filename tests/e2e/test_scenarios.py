"""What went wrong at comparable servers while people played, and must not here; each named after its report."""

import pytest

from protocol.codec import Encoding
from tests.e2e.script import QUIET, a_card, close, in_turn, played_to, version
from tests.wire import Message, Wire, four_at_table, step


async def test_silent_refusal(server_url: str) -> None:
    """A move that comes too late is refused aloud, with its code and the version to draw; who drew ahead draws that."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 1)
    player = in_turn(players, table)[1]
    card, old = a_card(player, table), player.views[table]["own"]["prompt"]
    reply = await player.act(table, card)
    error = await player.refused("act", table=table, prompt=old, action=card)
    assert (error["code"], error["version"]) == ("stale", reply["version"])
    assert card[5:] not in (await player.at_version(table, reply["version"]))["own"]["play"]["hand"]
    since = len(player.heard)
    await player.ask("sync", table=table)
    whole = await player.wait(lambda message: message["type"] == "table", since)
    assert (whole["from"], whole["resync"], whole["version"]) == (0, True, reply["version"])
    assert whole["public"]["play"]["trick"][-1]["card"] == card[5:]
    await close(*players)


@pytest.mark.parametrize("encoding", list(Encoding), ids=["msgpack", "json"])
async def test_double_answer(server_url: str, encoding: Encoding) -> None:
    """Each act of a deal, sent twice at once and again from a new connection: one effect, one reply, no more."""
    players, table = await four_at_table(server_url, (encoding,), options=QUIET)
    while players[0].views[table]["public"]["play"]["last"] is None:
        before = await version(players[0], table)
        for player in players:
            await player.at_version(table, before)
        seat, action = next(
            (seat, action)
            for seat, player in enumerate(players)
            for action in player.views[table]["own"]["actions"]
            if action in ("ready", "ask", "go on") or action.startswith("play ")
        )
        player = players[seat]
        act = {"table": table, "prompt": player.views[table]["own"]["prompt"], "action": action}
        command_id, since = player.next_id(), len(player.heard)
        await player.send({"type": "act", "id": command_id, **act})
        await player.send({"type": "act", "id": command_id, **act})
        await player.send({"type": "act", "id": player.next_id(), **act})
        await player.answer_to(player.last_id, since)
        first, second = [one for one in player.heard[since:] if one.get("id") == command_id]
        assert first == second
        third = next(one for one in player.heard[since:] if one.get("id") == player.last_id)
        assert third["code"] in ("stale", "already_ready", "already_asked", "already_went_on"), action
        await player.reopen()
        assert await player.ask("act", id=command_id, **act) == first
        assert await version(player, table) == first["version"] == before + 1
    await close(*players)


async def test_own_hand_face_down(server_url: str) -> None:
    """Coming back in the middle of a trick, the old connection alive: the whole hand, and there once."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 2)
    player = in_turn(players, table)[1]
    before = player.views[table]
    new = Wire(server_url, "")
    new.token = player.token
    await new.open()
    view = await new.view(table)
    assert view["own"] == before["own"]
    assert len(view["own"]["play"]["hand"]) == 4
    assert [sitter["player"] for sitter in view["public"]["seats"]].count(player.player) == 1
    assert (view["here"], view["watchers"]) == ([True] * 4, 0)
    await close(new, *players)


async def test_queued_move(server_url: str) -> None:
    """A move chosen before the connection broke is bound to its question: on a new one it is stale."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 0)
    player = in_turn(players, table)[1]
    old, card = player.views[table]["own"]["prompt"], player.views[table]["own"]["play"]["hand"][0]
    await player.drop()
    second = Wire(server_url, "")
    second.token = player.token
    await second.open()
    await second.view(table)
    await second.act(table, a_card(second, table))
    await player.open()
    await player.view(table)
    error = await player.refused("act", table=table, prompt=old, action=f"play {card}")
    assert error["code"] == "stale"
    await close(second, *players)


async def test_nobody_means_everybody(server_url: str) -> None:
    """A watcher's view is the least of all: at each step the public part that all see, and no own part."""
    players, table = await four_at_table(server_url, options=QUIET)
    watcher = Wire(server_url, "Watcher")
    await watcher.open()
    reply = await watcher.ask("join", code=players[0].views[table]["own"]["code"], watch=True)
    assert (reply["seat"], reply["code"]) == (None, None)
    while players[0].views[table]["public"]["play"]["last"] is None:
        assert await step(players, table) is not None
        now = players[0].views[table]["version"]
        view = await watcher.at_version(table, now)
        assert view["own"] is None
        assert view["public"] == players[0].views[table]["public"]
    await close(watcher, *players)


async def test_the_trick_is_gone_before_it_is_seen(server_url: str) -> None:
    """The fourth card is a happening, the trick taken one after it, and the trick can be looked at in the view."""
    players, table = await four_at_table(server_url, options=QUIET)
    await played_to(players, table, "play", 4)
    message: Message = next(
        one
        for one in players[0].heard
        if one["type"] == "table" and "trick_taken" in [happened["event"] for happened in one["happened"]]
    )
    events = [happened["event"] for happened in message["happened"]]
    assert events[-2:] == ["card_played", "trick_taken"]
    (trick,) = message["public"]["play"]["tricks"]
    assert trick["cards"][-1]["card"] == message["happened"][-2]["card"]
    assert trick["winner"] == message["happened"][-1]["seat"] == message["public"]["play"]["turn"]
    await close(*players)
