"""Tournaments over real sockets: who may do what, who is told what, and everything that is refused."""

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from protocol.codec import Encoding
from tests.endpoint.cups import QUICK, Cup, People, news, play, seated, until
from tests.servers import ServerProcess
from tests.wire import Message


@pytest.fixture
async def people(server: ServerProcess) -> AsyncIterator[People]:
    """Whoever is called comes, and goes at the end."""
    async with AsyncExitStack() as stack:
        yield People(server, stack)


# Opening, list, following


async def test_a_tournament_is_opened_and_listed(people: People) -> None:
    """Its director follows it at once; others find it in the list."""
    director, other = await people.come("Dorota", "Olek")
    cup = await Cup.opened(director)
    message = news(director, cup.id)
    assert (message["from"], message["version"], message["own"]["directs"]) == (0, 1, True)
    for wire, own in ((director, True), (other, False)):
        listed = (await wire.ask("tournaments"))["tournaments"]
        [line] = [one for one in listed if one["tournament"] == cup.id]
        assert (line["name"], line["stage"], line["directors"], line["own"]) == (
            "Autumn cup",
            "registration",
            ["Dorota"],
            own,
        )


async def test_the_same_command_opens_one_tournament(people: People) -> None:
    """A repeat has the same answer; the same id with other content is told apart."""
    [director] = await people.come("Dorota")
    asked: Message = {"id": director.next_id(), "name": "Cup", "options": QUICK}
    first = await director.ask("tournament_create", **asked)
    again = await director.ask("tournament_create", **asked)
    assert first == again
    assert (await director.refused("tournament_create", **{**asked, "name": "Other"}))["code"] == "id_reused"


async def test_who_has_the_link_follows_what_is_not_listed(people: People) -> None:
    """It is in nobody else's list; over a connection one may stop following, and begin again."""
    director, other = await people.come("Dorota", "Olek")
    cup = await Cup.opened(director, listed=False)
    assert cup.id in [one["tournament"] for one in (await director.ask("tournaments"))["tournaments"]]
    assert cup.id not in [one["tournament"] for one in (await other.ask("tournaments"))["tournaments"]]
    assert (await other.ask("tournament_follow", tournament=cup.id))["entrant"] is None
    assert (await until(other, cup.id, stage="registration"))["own"] is None
    await other.ask("tournament_unfollow", tournament=cup.id)
    heard = len(other.heard)
    await cup.order("tell", text="Nobody hears this")
    await other.ask("tournaments")  # its answer comes after what the order would have caused
    assert not [one for one in other.heard[heard:] if one["type"] == "tournament"]
    await other.ask("tournament_follow", tournament=cup.id)
    assert (await until(other, cup.id, decisions=1))["from"] == 0


async def test_news_have_no_gaps(people: People) -> None:
    """Each message goes on where the one before it ended, and says what has happened between."""
    director, player = await people.come("Dorota", "Piotr")
    cup = await Cup.opened(director)
    await cup.enter(player)
    for text in ("One", "Two", "Three"):
        await cup.order("tell", text=text)
    await until(player, cup.id, decisions=3)
    messages = [one for one in player.heard if one["type"] == "tournament"]
    assert messages[0]["from"] == 0
    assert [one["from"] for one in messages[1:]] == [one["version"] for one in messages[:-1]]
    assert [said["text"] for one in messages for said in one["happened"] if said["event"] == "decided"][-3:] == [
        "One",
        "Two",
        "Three",
    ]


async def test_after_hello_entrants_and_directors_follow_by_themselves(people: People) -> None:
    """`welcome` names the tournaments, and how each stands follows."""
    director, player = await people.come("Dorota", "Piotr")
    cup = await Cup.opened(director)
    await cup.enter(player)
    for wire, entrant in ((director, None), (player, 1)):
        since = len(wire.heard)
        assert cup.id in (await wire.reopen())["tournaments"]
        message = await wire.wait(lambda one: one["type"] == "tournament" and one["tournament"] == cup.id, since)
        assert message["own"]["entrant"] == entrant


# What is refused


async def test_who_has_entered_cannot_enter_again(people: People) -> None:
    director, player = await people.come("Dorota", "Piotr")
    cup = await Cup.opened(director)
    assert await cup.enter(player) == [1]
    refused = await player.refused("tournament_register", tournament=cup.id)
    assert (refused["code"], refused["tournament"], refused["table"]) == ("already_entered", cup.id, None)
    assert news(player, cup.id)["version"] == 2
    await player.ask("tournament_withdraw", tournament=cup.id)
    assert (await player.refused("tournament_withdraw", tournament=cup.id))["code"] == "not_entered"
    assert await cup.enter(player) == [1]


async def test_nobody_and_nothing_is_known_that_is_not_there(people: People) -> None:
    [director] = await people.come("Dorota")
    cup = await Cup.opened(director)
    for type, fields in UNKNOWN:
        for wrong in ("tournament0000000000zz", "nosuch"):
            assert (await director.refused(type, tournament=wrong, **fields))["code"] == "no_such_tournament", type
    assert await cup.refused("name_director", player="0000000000000000") == "no_such_player"
    assert await cup.refused("approve", entrant=7) == "no_such_entrant"
    assert await cup.refused("undo", decision=7) == "no_such_decision"
    assert await cup.refused("correct", round=1, table=1, small=[0, 0, 0, 0], reason="x") == "no_such_round"
    assert (await director.refused("tournament_page", tournament=cup.id, about="round"))["code"] == "no_such_round"
    assert (await director.refused("tournament_seat", tournament=cup.id))["code"] == "not_at_a_table"


UNKNOWN: list[tuple[str, Message]] = [
    ("tournament_follow", {}),
    ("tournament_unfollow", {}),
    ("tournament_register", {}),
    ("tournament_withdraw", {}),
    ("tournament_claim", {"code": "7KQ2MZX4V93H"}),
    ("tournament_seat", {}),
    ("tournament_page", {"about": "standings"}),
    ("tournament_direct", {"after": 0, "order": {"order": "halt"}}),
]


async def test_three_cannot_start_where_there_are_byes(people: People) -> None:
    """Nothing is half done: the tournament stands as before."""
    director, *players = await people.come("Dorota", "Piotr", "Pola", "Paweł")
    cup = await Cup.opened(director, fill="bye")
    await cup.enter(*players)
    assert await cup.refused("open_round") == "too_few_entrants"
    await director.ask("tournament_follow", tournament=cup.id)
    assert news(director, cup.id)["version"] == 4
    assert news(director, cup.id)["public"]["stage"] == "registration"


async def test_only_directors_direct(people: People) -> None:
    """An entrant's orders and his look at the desk are refused; made a director, he may."""
    director, player, stranger = await people.come("Dorota", "Piotr", "Stefan")
    cup = await Cup.opened(director)
    await cup.enter(player)
    for wire in (player, stranger):
        for order in ({"order": "halt"}, {"order": "invite", "name": "Me"}, {"order": "end"}):
            refused = await wire.refused("tournament_direct", tournament=cup.id, after=0, order=order)
            assert refused["code"] == "not_director"
        assert (await wire.refused("tournament_page", tournament=cup.id, about="desk"))["code"] == "not_director"
    await cup.order("name_director", player=player.player)
    await until(player, cup.id, decisions=1)
    assert (await cup.page(player, "desk"))["tables"] == []
    await cup.order("name_director", player=stranger.player)  # he is connected, and follows from now on
    assert (await until(stranger, cup.id, decisions=2))["own"]["directs"]


async def test_two_directors_at_once_do_not_decide_past_each_other(people: People) -> None:
    """One of them is told that something was decided meanwhile; then he may."""
    director, other = await people.come("Dorota", "Olga")
    cup = await Cup.opened(director)
    await cup.order("name_director", player=other.player)
    await until(other, cup.id, decisions=1)
    orders = [
        wire.send({"type": "tournament_direct", "id": 900, **cup.meant("tell", text=wire.name)})
        for wire in (director, other)
    ]
    await asyncio.gather(*orders)
    answers = [await wire.answer_to(900) for wire in (director, other)]
    assert sorted(one["type"] for one in answers) == ["error", "tournament_reply"]
    [refused] = [one for one in answers if one["type"] == "error"]
    assert refused["code"] == "decided_meanwhile"
    assert refused["version"] == 3
    assert len((await cup.page(other, "decisions"))["decisions"]) == 2


BAD: list[tuple[str, Message]] = [
    ("tournament_create", {"name": ""}),
    ("tournament_create", {"name": "x" * 65}),
    ("tournament_create", {"name": "x", "options": {"rounds": [1]}}),
    ("tournament_create", {"name": "x", "director": "me"}),
    ("tournaments", {"all": True}),
    ("tournament_follow", {"tournament": "../x"}),
    ("tournament_follow", {"tournament": 7}),
    ("tournament_unfollow", {}),
    ("tournament_register", {"tournament": "t", "contribution": "f" * 63}),
    ("tournament_register", {"tournament": "t", "contribution": "F" * 64}),
    ("tournament_register", {"tournament": "t", "player": "0"}),
    ("tournament_withdraw", {"tournament": "t", "entrant": 1}),
    ("tournament_claim", {"tournament": "t", "code": ""}),
    ("tournament_seat", {"tournament": "t", "seat": 1}),
    ("tournament_page", {"tournament": "t", "about": "secrets"}),
    ("tournament_page", {"tournament": "t", "about": "round", "round": 0}),
    *(
        ("tournament_direct", {"tournament": "t", "after": 0, "order": order})
        for order in (
            None,
            {},
            {"order": "win"},
            {"order": "halt", "reason": "x"},
            {"order": "approve"},
            {"order": "approve", "entrant": True},
            {"order": "tell", "text": ""},
            {"order": "tell", "text": "x" * 201},
            {"order": "correct", "round": 1, "table": 1, "small": [1, 2, 3], "reason": "x"},
            {"order": "correct", "round": 1, "table": 1, "small": [10_001, 0, 0, -10_001], "reason": "x"},
            {"order": "penalise", "entrant": 1, "round": 0, "big": "1/0"},
            {"order": "penalise", "entrant": 1, "round": 0, "big": "0.5"},
            {"order": "penalise", "entrant": 1, "round": 0, "big": 1},
        )
    ),
    ("tournament_direct", {"tournament": "t", "after": -1, "order": {"order": "halt"}}),
]


@pytest.mark.parametrize(("type", "fields"), BAD, ids=range(len(BAD)))
async def test_what_is_no_message_is_a_bad_field(people: People, type: str, fields: Message) -> None:
    [wire] = await people.come("Ada")
    refused = await wire.refused(type, **fields)
    assert (refused["code"], bool(refused["detail"])) == ("bad_field", True)
    await wire.ask("tournaments")


@pytest.mark.parametrize(
    ("order", "code"),
    [
        ({"order": "tell", "text": "\u202eevil"}, "bad_text"),
        ({"order": "end", "reason": "\x00"}, "bad_text"),
        ({"order": "invite", "name": "x" * 25}, "bad_name"),
        ({"order": "enter", "name": "\u200b", "team": ""}, "bad_name"),
        ({"order": "terms", "name": "\x1b[31m", "options": {}}, "bad_text"),
        ({"order": "terms", "name": "Cup", "options": {"rounds": 99}}, "bad_option"),
        ({"order": "terms", "name": "Cup", "options": {"no_such": 1}}, "unknown_option"),
        ({"order": "penalise", "entrant": 1, "round": 0}, "bad_points"),
        ({"order": "go_on"}, "not_halted"),
        ({"order": "paper", "table": 1}, "no_round_running"),
    ],
)
async def test_a_director_says_nothing_that_cannot_be_seen_or_done(people: People, order: Message, code: str) -> None:
    director, player = await people.come("Dorota", "Piotr")
    cup = await Cup.opened(director)
    await cup.enter(player)
    assert await cup.refused(**order) == code
    assert (await cup.page(player, "decisions"))["decisions"] == []


@pytest.mark.parametrize(
    ("fields", "code", "detail"),
    [
        ({"name": "\u202e"}, "bad_text", "name"),
        ({"name": "Cup", "options": {"rounds": 0}}, "bad_option", "rounds"),
        ({"name": "Cup", "options": {"colour": "red"}}, "unknown_option", "colour"),
    ],
)
async def test_a_tournament_that_cannot_be_opened(people: People, fields: Message, code: str, detail: str) -> None:
    [director] = await people.come("Dorota")
    refused = await director.refused("tournament_create", **fields)
    assert (refused["code"], refused["detail"]) == (code, detail)
    assert [one for one in (await director.ask("tournaments"))["tournaments"] if one["own"]] == []


# Who takes part


async def test_an_invitation_lets_one_player_in(people: People) -> None:
    """However its code is written; it is good once."""
    director, player, other = await people.come("Dorota", "Piotr", "Olek")
    cup = await Cup.opened(director, admission="invitation")
    assert (await player.refused("tournament_register", tournament=cup.id))["code"] == "invitation_needed"
    wrong = await player.refused("tournament_register", tournament=cup.id, code="000000000000")
    assert wrong["code"] == "no_such_invitation"
    await cup.order("invite", name="Piotr")
    [invitation] = (await cup.page(director, "desk"))["invitations"]
    code = invitation["code"]
    assert await cup.enter(player, code=f"{code[:4]}-{code[4:8].lower()} {code[8:]}") == [1]
    used = await other.refused("tournament_register", tournament=cup.id, code=code)
    assert used["code"] == "invitation_used"
    [invitation] = (await cup.page(director, "desk"))["invitations"]
    assert invitation["entrant"] == 1


async def test_the_director_approves(people: People) -> None:
    director, player, other = await people.come("Dorota", "Piotr", "Olek")
    cup = await Cup.opened(director, admission="approval")
    assert await cup.enter(player, other) == [1, 2]
    assert news(player, cup.id)["own"]["status"] == "waiting"
    assert [one["name"] for one in (await cup.page(director, "desk"))["waiting"]] == ["Piotr", "Olek"]
    await until(director, cup.id, waiting=2)
    await cup.order("approve", entrant=1)
    assert (await until(player, cup.id, entrants=1))["own"]["status"] == "in"
    await cup.order("turn_away", entrant=2, reason="The hall is full")
    message = await until(other, cup.id, decisions=2)
    assert (message["own"]["status"], message["happened"][0]["text"]) == ("out", "The hall is full")


# Playing


async def test_players_are_led_to_their_tables_on_every_connection(people: People) -> None:
    """Nobody asks to be seated; and when the round is over, the table is left."""
    director, *players = await people.come("Dorota", "Piotr", "Pola", "Paweł", "Zofia")
    one = players[0]
    cup = await Cup.opened(director, rounds=2, break_seconds=0)
    await cup.enter(*players)
    again = await people.again(one)
    await cup.order("open_round")
    table = await seated(one, cup.id)
    everybody = [*players, again]
    assert {await seated(wire, cup.id) for wire in everybody} == {table}
    assert one.views[table]["own"]["seat"] == again.views[table]["own"]["seat"]
    assert one.views[table]["public"]["tournament"]["tournament"] == cup.id
    assert director.views == {}
    [stands] = (await cup.page(director, "desk"))["tables"]
    assert (stands["number"], stands["table"], stands["paused"]) == (1, table, False)
    assert len(stands["waiting_for"]) == 4
    await asyncio.gather(*(play(wire, table) for wire in players))
    for wire in everybody:
        assert await wire.put_out(table) == "left"
    second = next(message["own"]["table"] for message in [await until(one, cup.id, round=2, stage="round")])
    assert second != table
    for wire in everybody:
        await wire.view(second)
        assert set(wire.views) == {second}
    back = await one.reopen()
    assert [place["table"] for place in back["tables"]] == [second]
    await one.view(second)
    reply = await one.ask("tournament_seat", tournament=cup.id)
    seat = one.views[second]["own"]["seat"]
    assert (reply["type"], reply["table"], reply["seat"], reply["code"]) == ("reply", second, seat, None)
    rows = (await cup.page(one, "standings"))["rows"]
    assert sum(row["small"] for row in rows) == 0
    assert len(rows) == 4
    assert (await one.refused("tournament_page", tournament=cup.id, about="comparison"))["code"] == "not_same_cards"
    await cup.order("end", reason="It is late")
    assert await one.put_out(second) == "left"
    assert (await one.refused("tournament_withdraw", tournament=cup.id))["code"] == "tournament_over"


async def test_a_place_moves_to_another_device(people: People) -> None:
    """The new connection has the seat and its table; the old one looks on, and knows no hand any more."""
    director, one, two, device = await people.come("Dorota", "Piotr", "Pola", "Piotr's tablet")
    cup = await Cup.opened(director)
    await cup.enter(one, two)
    await cup.order("open_round")
    table = await seated(one, cup.id)
    seat = one.views[table]["own"]["seat"]
    await cup.order("move", entrant=1)
    [offer] = (await cup.page(director, "desk"))["offers"]
    assert (await device.refused("tournament_claim", tournament=cup.id, code="000000000000"))["code"] == "no_such_code"
    claimed = await device.ask("tournament_claim", tournament=cup.id, code=offer["code"])
    assert claimed["entrant"] == 1
    assert await seated(device, cup.id) == table
    assert device.views[table]["own"]["seat"] == seat
    assert await one.put_out(table) == "left"
    message = await one.wait(lambda message: message["type"] == "tournament" and message["own"] is None)
    assert [said["event"] for said in message["happened"]] == ["moved"]
    assert (await one.refused("tournament_seat", tournament=cup.id))["code"] == "not_at_a_table"
    assert (await device.refused("tournament_claim", tournament=cup.id, code=offer["code"]))[
        "code"
    ] == "already_entered"
    await cup.order("end")


async def test_a_watcher_never_hears_a_secret(people: People) -> None:
    """Every byte that he gets: no code of an invitation or a move, no token, no bytes that are not drawn yet."""
    director, one, two, watcher = await people.come("Dorota", "Piotr", "Pola", "Wanda")
    listener = await people.again(watcher, Encoding.JSON)
    cup = await Cup.opened(director, rounds=2)
    await listener.ask("tournament_follow", tournament=cup.id)
    contribution = secrets.token_hex(32)
    await cup.order("invite", name="Somebody")
    await cup.order("invite", name="Piotr")
    desk = await cup.page(director, "desk")
    await cup.enter(one, code=desk["invitations"][1]["code"], contribution=contribution)
    await cup.enter(two)
    await cup.order("move", entrant=2)
    desk = await cup.page(director, "desk")
    await cup.order("open_round")
    await until(listener, cup.id, round=1)
    for about in ("entrants", "standings", "round", "cross", "decisions"):
        await cup.page(listener, about)
    heard = b"\n".join(listener.raw).decode()
    secret = [one["code"] for one in (*desk["invitations"], *desk["offers"])]
    assert len(secret) == 3
    for word in (*secret, contribution, str(one.token), str(director.token)):
        assert word not in heard
    assert not re.search(r"[0-9a-f]{64}", heard.replace(str(listener.token), ""))
    terms = json.dumps(await cup.page(listener, "terms"))
    for word in secret:
        assert word not in terms
    await cup.order("end")
