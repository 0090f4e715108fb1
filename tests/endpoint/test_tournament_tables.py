"""Tables of a tournament over connections: who is led there, who may watch, and what each is shown."""

import json
from dataclasses import replace

import pytest

from protocol.server import Table as TableMessage
from server.endpoint.hall import Hall
from server.games.game import OptionValue, Seat
from server.store.port import TableId
from server.table.affiliation import Affiliation
from server.table.commands import CallTime, HaltTable, OpenForTournament, ReplaceSitter
from server.table.events import Sitter
from tests.endpoint.parlour import Peer, player
from tests.runtime.tables import until

NIGHT = Affiliation("tournament0123456789ab", "Friday", 1, 3, 7)
SEED = bytes(range(60, 92))
SAME_CARDS = replace(NIGHT, seed=SEED)
ID = "0123456789abr1t7"


def sitting(peer: Peer) -> Sitter:
    """A player as he is seated."""
    return Sitter(peer.session.player_id, "Ada")


async def seated(hall: Hall, where: Affiliation) -> list[Peer]:
    """Four players at a table of a tournament, who were led there when they said hello again."""
    before = [await player(hall) for _ in range(4)]
    sitters = tuple(sitting(peer) for peer in before)
    options: dict[str, OptionValue] = {"deals": 4, "rules": "wolsztyn", "on_absence": "bot"}
    await hall.house.open_for_tournament(OpenForTournament(TableId(ID), "kop", options, where, sitters))
    return [await again(hall, peer) for peer in before]


async def again(hall: Hall, before: Peer) -> Peer:
    """The same player over a new connection."""
    before.hang_up()
    peer = Peer(hall)
    await peer.greet(before.token)
    return peer


def code(answer: dict[str, object]) -> object:
    """The code of a refusal."""
    return answer.get("code") if answer["type"] == "error" else answer["type"]


async def test_everybody_is_led_to_his_seat(hall: Hall) -> None:
    """By his hello; he sees which table it is, in a view that keeps to the contract."""
    players = await seated(hall, NIGHT)
    for seat, peer in enumerate(players):
        await until(lambda peer=peer: bool(peer.versions(ID)))  # type: ignore[misc]
        view = peer.view(ID)
        assert view["own"]["seat"] == seat
        assert view["public"]["tournament"]["number"] == 7
        TableMessage.model_validate_json(json.dumps(view))


async def test_players_stay_where_they_are_put(hall: Hall) -> None:
    """Seats are neither taken nor left; the owner's commands are nobody's; nothing is listed."""
    players = await seated(hall, NIGHT)
    stranger = await player(hall)
    assert code(await players[0].ask("leave", table=ID)) == "tournament_table"
    assert code(await players[0].ask("start", table=ID, prompt=players[0].prompt(ID))) == "not_owner"
    assert code(await players[0].ask("resume", table=ID)) == "tournament_table"
    assert code(await stranger.ask("join", table=ID)) == "tournament_table"
    assert (await stranger.ask("list"))["tables"] == []


async def test_anybody_watches_and_goes_again(hall: Hall) -> None:
    """By the table's id, as at a public table."""
    await seated(hall, NIGHT)
    watcher = await player(hall)
    assert code(await watcher.ask("join", table=ID, watch=True)) == "reply"
    await until(lambda: bool(watcher.versions(ID)))
    assert watcher.view(ID)["own"] is None
    assert code(await watcher.ask("leave", table=ID)) == "reply"


async def test_nobody_watches_the_same_cards(hall: Hall) -> None:
    """Not by asking, nor as one who had a seat there, nor over a way that was noted before, nor after the match."""
    players = await seated(hall, SAME_CARDS)
    stranger = await player(hall)
    assert code(await stranger.ask("join", table=ID, watch=True)) == "watching_closed"
    await hall.house.join(stranger.session.player_id, TableId(ID))
    stranger = await again(hall, stranger)
    assert stranger.versions(ID) == []
    new = await player(hall)
    await hall.house.direct(TableId(ID), ReplaceSitter(Seat(1), sitting(new)))
    await players[1].wait(lambda one: (one["type"], one.get("table")) == ("closed", ID))
    gone = await again(hall, players[1])
    assert gone.versions(ID) == []
    assert code(await gone.ask("join", table=ID, watch=True)) == "watching_closed"
    await hall.house.direct(TableId(ID), CallTime())
    assert code(await gone.ask("join", table=ID, watch=True)) == "watching_closed"


async def test_ready_with_a_commitment_adds_nothing_to_the_same_cards(hall: Hall) -> None:
    """A client that commits all the same plays on; the seed is in no message to anybody."""
    players = await seated(hall, SAME_CARDS)
    for peer in players:
        assert code(await peer.act(ID, f"ready {'ab' * 32}")) == "reply"
    await until(lambda: all(peer.told("dealt") for peer in players))
    [dealt] = players[0].told("dealt")
    assert (dealt["cut"], dealt["opened"]) == (0, [""] * 4)
    for peer in players:
        TableMessage.model_validate_json(json.dumps(peer.view(ID)))
        assert SEED.hex() not in str(peer.heard)
        assert repr(SEED) not in str(peer.heard)


async def test_a_pause_of_the_director_is_shown_as_one(hall: Hall) -> None:
    """And who comes back does not end it."""
    players = await seated(hall, NIGHT)
    table = await hall.house.direct(TableId(ID), HaltTable())
    await players[0].sees(ID, table.version)
    assert players[0].view(ID)["public"]["pause"]["director"] is True
    TableMessage.model_validate_json(json.dumps(players[0].view(ID)))
    back = await again(hall, players[0])
    await until(lambda: bool(back.versions(ID)))
    assert code(await back.act(ID, "ready")) == "paused"


@pytest.mark.parametrize("where", [NIGHT, SAME_CARDS], ids=["other cards", "the same cards"])
async def test_the_table_is_let_go_of_when_its_match_is_over(hall: Hall, where: Affiliation) -> None:
    """Not before, though nobody is there."""
    players = await seated(hall, where)
    for peer in players:
        peer.hang_up()
    await until(lambda: hall.house.at_work == 1)
    await hall.house.direct(TableId(ID), CallTime())
    await until(lambda: hall.house.at_work == 0)
