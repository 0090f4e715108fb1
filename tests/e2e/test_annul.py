"""A deserted deal over the wire: annulled by its owner, seen by all, listed in the next record."""

from server.games.kop.fair import commitment
from server.games.kop.record import replay
from tests.e2e.script import QUIET, close, played_to
from tests.e2e.test_records import dealt, fetched, kept, played_deal
from tests.wire import Message, Wire, four_at_table


def told(wire: Wire, event: str) -> list[Message]:
    """Everything of a kind that a player was told."""
    tables = [message for message in wire.heard if message["type"] == "table"]
    return [one for message in tables for one in message["happened"] if one["event"] == event]


async def test_the_owner_annuls_a_deserted_deal(server_url: str) -> None:
    """Who leaves in mid-deal stops it; only the owner annuls; all see hands and secret; the record tells of it."""
    players, table = await four_at_table(server_url, options=QUIET)
    owner, other, left = players[0], players[1], players[3]
    code, promised = owner.views[table]["own"]["code"], owner.views[table]["public"]["play"]["commitment"]
    dealer = owner.views[table]["public"]["play"]["dealer"]
    await played_to(players, table, "play", 3)
    assert (await owner.refused("annul", table=table))["code"] == "deal_goes_on"
    await left.ask("leave", table=table)
    await left.put_out(table)
    assert (await other.refused("annul", table=table))["code"] == "not_owner"
    assert (await left.refused("annul", table=table))["code"] == "not_at_table"
    prompt = owner.views[table]["own"]["prompt"]
    reply = await owner.ask("annul", table=table, prompt=prompt)
    assert await owner.ask("annul", table=table, prompt=prompt, id=reply["id"]) == reply
    await owner.at_version(table, reply["version"])
    assert (await owner.refused("annul", table=table))["code"] == "no_deal_running"
    for player in players[:3]:
        play = (await player.at_version(table, reply["version"]))["public"]["play"]
        assert (play["phase"], play["deal"], play["dealer"], play["last"]) == ("ready", 2, dealer, None)
        [annulled] = told(player, "deal_annulled")
        assert commitment(bytes.fromhex(annulled["secret"])) == promised
        assert len({card for hand in annulled["hands"] for card in hand}) == 16
        assert {len(hand) for hand in annulled["hands"]} == {4}
    await left.ask("join", code=code)
    for player in players:
        await player.view(table, lambda view: None not in view["public"]["seats"])
    name = await played_deal(players, table)
    assert name == f"{table}-1-2"
    await kept(left, name)
    record = await fetched(left, record=name)
    assert record["fair"]["burned"] == [{"deal": 1, "secret": annulled["secret"]}]
    assert replay(record)[-1].match.lines
    assert (await left.refused("record", record=f"{table}-1-1"))["code"] == "no_such_record"
    await dealt(players, table)
    await close(*players)
