"""The owner's commands: each means one question or person; an owner who is away too long is replaced."""

import asyncio

import pytest

from server.endpoint.hall import Hall
from tests.endpoint.parlour import Peer, four, play_deal, player
from tests.runtime.tables import until

AWAY = 60.0


def pass_time(hall: Hall, seconds: float) -> None:
    """From now on every feed's clock is ahead of the loop's by so much more."""
    for feed in hall.feeds._feeds.values():
        before = feed._now
        feed._now = lambda before=before: before() + seconds  # type: ignore[misc]


async def start(peer: Peer, table: str) -> str:
    """Asks to deal now; the type of the answer, or the code of the refusal."""
    answer = await peer.ask("start", table=table, prompt=peer.prompt(table))
    return str(answer.get("code") or answer["type"]) if answer["type"] == "error" else "reply"


def owner_of(peer: Peer, table: str) -> str:
    """The owner in the newest view."""
    return str(peer.view(table)["public"]["owner"])


def id_of(peer: Peer) -> str:
    """The public id of a player."""
    return str(peer.session.player_id)


@pytest.mark.parametrize("command", ["start", "remove", "finish", "annul"])
async def test_who_sits_there_takes_over_from_an_owner_who_is_away(hall: Hall, command: str) -> None:
    """After 60 s each of the owner's commands is accepted from another seat, and makes him the owner, as all see."""
    players, table = await four(hall, deals=None)
    owner, second, third, fourth = players
    if command == "finish":
        await play_deal(players, table)
    if command == "annul":
        await owner.ask("start", table=table, prompt=owner.prompt(table))
        await fourth.ask("leave", table=table)
    owner.hang_up()
    fields = {"player": id_of(third)} if command == "remove" else {"prompt": second.prompt(table)}
    pass_time(hall, AWAY - 1)
    assert (await second.ask(command, table=table, **fields))["code"] == "not_owner"
    assert second.told("owner_changed") == []
    pass_time(hall, 1)
    reply = await second.ask(command, table=table, **fields)
    assert (reply["type"], reply["seat"]) == ("reply", 1)
    await second.sees(table, reply["version"])
    assert second.told("owner_changed") == [{"event": "owner_changed", "player": id_of(second)}]
    assert owner_of(second, table) == id_of(second)
    assert (await third.ask("start", table=table, prompt="0"))["code"] in ("not_owner", "not_at_table")


async def test_who_does_not_sit_there_never_takes_over(hall: Hall) -> None:
    """A watcher and a stranger are refused however long the owner is away."""
    players, table = await four(hall)
    watcher, stranger = await player(hall), await player(hall)
    await watcher.ask("join", table=table, watch=True)
    players[0].hang_up()
    pass_time(hall, 1_000 * AWAY)
    prompt = players[1].prompt(table)
    assert (await watcher.ask("start", table=table, prompt=prompt))["code"] == "not_owner"
    assert (await watcher.ask("remove", table=table, player=id_of(players[1])))["code"] == "not_owner"
    assert (await stranger.ask("start", table=table, prompt=prompt))["code"] == "not_at_table"
    assert owner_of(players[1], table) == id_of(players[0])


async def test_an_owner_who_is_back_keeps_the_table(hall: Hall) -> None:
    """He comes back before anybody has taken over, sooner or later: others are refused, and he deals."""
    players, table = await four(hall)
    for away in (AWAY - 1, 10 * AWAY):
        owner = players[0]
        owner.hang_up()
        pass_time(hall, away)
        players[0] = Peer(hall)
        await players[0].greet(owner.token)
        pass_time(hall, 2 * AWAY)
        assert await start(players[1], table) == "not_owner"
    assert owner_of(players[1], table) == id_of(players[0])
    players[0].last_id = 100
    assert await start(players[0], table) == "reply"


async def test_an_absence_is_counted_from_the_last_connection(hall: Hall) -> None:
    """An owner with two tabs closes one, and after long the other: 60 s from then."""
    players, table = await four(hall)
    tab = Peer(hall)
    await tab.greet(players[0].token)
    players[0].hang_up()
    pass_time(hall, 5 * AWAY)
    assert await start(players[1], table) == "not_owner"
    tab.hang_up()
    assert await start(players[1], table) == "not_owner"
    pass_time(hall, AWAY)
    assert await start(players[1], table) == "reply"


async def test_who_was_away_when_the_table_was_loaded_has_time_to_come(hall: Hall) -> None:
    """All go, and one comes back: 60 s from then, however long nobody was there."""
    players, table = await four(hall)
    for one in players:
        one.hang_up()
    assert hall.feeds._feeds == {}
    later = Peer(hall)
    await later.greet(players[1].token)
    later.last_id = 100
    assert await start(later, table) == "not_owner"
    pass_time(hall, AWAY)
    assert await start(later, table) == "reply"


async def test_of_two_who_ask_at_once_one_takes_over(hall: Hall) -> None:
    """Two seats use the owner's commands in one moment: the first is the owner and stays it."""
    players, table = await four(hall)
    players[0].hang_up()
    pass_time(hall, AWAY)
    prompt = players[1].prompt(table)
    first, second = await asyncio.gather(
        players[1].ask("start", table=table, prompt=prompt),
        players[2].ask("remove", table=table, player=id_of(players[1])),
    )
    assert first["type"] == "reply"
    assert second["code"] == "not_owner"
    await players[3].sees(table, first["version"])
    assert owner_of(players[3], table) == id_of(players[1])
    assert len(players[3].told("owner_changed")) == 1


async def test_who_was_replaced_is_an_owner_no_longer(hall: Hall) -> None:
    """He comes back to his seat, and may do what the others may, no more."""
    players, table = await four(hall)
    players[0].hang_up()
    pass_time(hall, AWAY)
    assert await start(players[1], table) == "reply"
    back = Peer(hall)
    await back.greet(players[0].token)
    back.last_id = 100
    assert back.view(table)["own"]["seat"] == 0
    assert (await back.ask("remove", table=table, player=id_of(players[1])))["code"] == "not_owner"
    await until(lambda: owner_of(back, table) == id_of(players[1]))


async def test_starts_at_the_end_of_a_match_begin_nothing(hall: Hall) -> None:
    """A rematch needs everybody: the sheet of the match stays, whatever its owner taps."""
    players, table = await four(hall, deals=4)
    for _ in range(4):
        await play_deal(players, table)
    assert players[0].view(table)["public"]["stage"] == "over"
    prompt = players[0].prompt(table)
    for _ in range(2):
        assert (await players[0].ask("start", table=table, prompt=prompt))["code"] == "rematch_needs_all"
    assert len((await players[0].ask("sheet", table=table))["lines"]) == 4


async def test_a_second_start_of_a_deal_is_stale(hall: Hall) -> None:
    """Two taps on *start* before a deal: it is dealt once."""
    players, table = await four(hall)
    prompt = players[0].prompt(table)
    ids = [players[0].say("start", table=table, prompt=prompt) for _ in range(2)]
    first, second = [await players[0].wait(lambda one, wanted=wanted: one.get("id") == wanted) for wanted in ids]  # type: ignore[misc]
    assert (first["type"], second["code"]) == ("reply", "stale")


@pytest.mark.parametrize("command", ["finish", "annul"])
async def test_what_was_asked_about_another_question_is_stale(hall: Hall, command: str) -> None:
    """*finish* with the prompt before the last deal, and *annul* with one before the last call, change nothing."""
    players, table = await four(hall, deals=None)
    old = players[0].prompt(table)
    if command == "finish":
        await play_deal(players, table)
    else:
        await players[0].ask("start", table=table, prompt=old)
        await players[3].ask("leave", table=table)
    assert (await players[0].ask(command, table=table, prompt=old))["code"] == "stale"
    assert (await players[0].ask(command, table=table, prompt=players[0].prompt(table)))["type"] == "reply"


async def test_a_removal_means_one_person(hall: Hall) -> None:
    """The one who is meant has left, and another sits there: nobody is removed or barred."""
    players, table = await four(hall)
    newcomer = await player(hall)
    meant = id_of(players[2])
    await players[2].ask("leave", table=table)
    await newcomer.ask("join", table=table, seat=2)
    assert (await players[0].ask("remove", table=table, player=meant))["code"] == "no_such_sitter"
    assert (await newcomer.ask("sync", table=table))["seat"] == 2
    await players[1].ask("leave", table=table)
    assert (await players[2].ask("join", table=table))["seat"] == 1
