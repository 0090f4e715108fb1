"""A player's session against a server that says what it is told to: what is sent, and what the player reads."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from client_cli.catalogue import load
from client_cli.home import Profile
from client_cli.opening import Opening
from tests.client_cli import samples
from tests.client_cli.fake import FakeServer, Peer
from tests.client_cli.visits import HERE, JOIN, RESUME, Script, table, visited


async def test_joining_tries_each_reading_and_keeps_the_token(tmp_path: Path) -> None:
    """Small letters may be a table's id or a code; what the first did not find, the second does."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        first = await peer.hear_command("join")
        assert (first.table, first.code) == ("x", None)
        await peer.refuse(first, "no_such_table")
        second = await peer.hear_command("join")
        assert (second.table, second.code) == (None, "x")
        await peer.say(table(4))
        await peer.reply(second, version=4, seat=0)
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, JOIN, console, tmp_path) == 0
        assert Profile(tmp_path).load().tokens == {fake.server.base: "secret"}
    assert console.printed[0] == "You sit at seat 1."
    assert "Good bye. Your seat is kept; `kop` takes you back." in console.printed
    assert not any("no such table" in line for line in console.printed)


async def test_a_refused_opening_ends_with_its_reason(tmp_path: Path) -> None:
    """Exit code 1 and a sentence."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.refuse(await peer.hear_command("join"), "barred")
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, JOIN, console, tmp_path) == 1
    assert console.printed == ["The owner has removed you from this table; you cannot come back to it."]


async def test_who_sits_there_already_is_taken_to_the_table(tmp_path: Path) -> None:
    """`kop join` again is no error."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        await peer.refuse(await peer.hear_command("join"), "already_seated", table="t1")
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, JOIN, console, tmp_path) == 0
    assert console.printed[0] == "Deal 3 of 16, klassisch, Ola deals, stake 0.10 zł."


async def test_an_action_answers_the_newest_prompt_and_a_stale_one_is_left_to_the_player(tmp_path: Path) -> None:
    """The refusal is told, the question is put again, and nothing is sent by itself."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, own=samples.own(prompt="q4", actions=["go on", "double 1"])))
        acts.append(await peer.hear_command("act"))
        await peer.refuse(acts[-1], "stale", version=5)
        said = {"event": "said", "seat": 2, "say": "double 1"}
        own = samples.own(prompt="q5", actions=["go on", "double 2"])
        await peer.say(table(5, from_=4, happened=[said], own=own))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[-1], version=5)
        await peer.stay()

    console = Script(("go on (g)", "g"), ("go on (g)", "re"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert [(act.prompt, act.action) for act in acts] == [("q4", "go on"), ("q5", "double 2")]
    assert "Ewa: kontra!" in console.printed
    assert any("The question has changed" in line for line in console.printed)


async def test_a_gap_makes_the_client_ask_and_the_lost_part_is_not_told(tmp_path: Path) -> None:
    """The view counts at once, its happenings do not: they are not all that happened."""
    synced = asyncio.Event()

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        await peer.say(table(7, from_=6, happened=[{"event": "card_played", "seat": 1, "card": "JD"}]))
        sync = await peer.hear_command("sync")
        await peer.reply(sync, version=8)
        await peer.say(table(8))
        played = [{"event": "card_played", "seat": 2, "card": "QD"}]
        await peer.say(table(9, from_=8, happened=played))
        synced.set()
        await peer.stay()

    console = Script(("Ewa plays", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert synced.is_set()
    assert "Something was missed on the way; this is how the table stands." in console.printed
    assert "Ewa plays Q♦." in console.printed
    assert not any("J♦." in line and "plays" in line for line in console.printed)


async def test_an_outage_is_told_and_the_command_goes_on(tmp_path: Path) -> None:
    """Lost, back, what changed meanwhile; the action is sent again with its id."""
    ids: list[int] = []

    async def first(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, own=samples.own(prompt="q4", actions=["go on"])))
        ids.append((await peer.hear_command("act")).id)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(6, own=samples.own(prompt="q4")))
        act = await peer.hear_command("act")
        ids.append(act.id)
        await peer.reply(act, version=5)
        await peer.stay()

    console = Script(("go on (g)", ""))
    async with FakeServer(first, second) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert ids[0] == ids[1]
    told = [line for line in console.printed if "connection" in line or "While you" in line]
    assert told == [
        "The connection is lost. I try to get it back; nothing is lost.",
        "The connection is back.",
        "While you were away the table went on; this is how it stands.",
    ]


async def test_who_comes_back_to_an_older_table_is_asked_and_served_anew(tmp_path: Path) -> None:
    """The store was restored while the server was down: what was acknowledged and done before counts no longer."""
    acts: list[Any] = []
    asked = table(4, own=samples.own(prompt="q4", actions=["ready", "ready 1"]))

    async def first(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(asked)
        acts.append(await peer.hear_command("act"))
        await peer.say(table(5, from_=4, own=samples.own(prompt="q5")))
        await peer.reply(acts[-1], version=5)
        peer.socket.transport.abort()

    async def second(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(asked)
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[-1], version=5)
        await peer.say(table(5, from_=4, own=samples.own(prompt="q5", actions=["ask"])))
        await peer.stay()

    console = Script(("go back a little", "table"), ("Ask first", "quit"))
    async with FakeServer(first, second) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path, auto={"ready": True}) == 0
    assert [act.action for act in acts] == ["ready", "ready"]
    assert not any("table went on" in line for line in console.printed)


async def test_a_table_that_cannot_be_used_is_told_with_the_reason(tmp_path: Path) -> None:
    """It has not expired; the player goes on at his other table, and at none where it was the only one."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=[{"table": "t2", "seat": 1}, {"table": "t9", "seat": None}])
        await peer.refuse(None, "table_newer", table="t2")
        await peer.refuse(None, "table_frozen", table="t9")
        await peer.stay()

    console = Script(("never", ""))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert console.printed == [
        f"Table {one}: {load('en')(f'error.{code}')}" for one, code in (("t2", "table_newer"), ("t9", "table_frozen"))
    ] + ["Good bye."]


async def test_settings_act_once_for_each_question(tmp_path: Path) -> None:
    """Automatic answers wait for the view that shows the one before."""
    acts: list[Any] = []

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4, own=samples.own(prompt="q4", actions=["ready", "ready 1"])))
        acts.append(await peer.hear_command("act"))
        await peer.say(table(5, from_=4, own=samples.own(prompt="q4", actions=["ready", "ready 1"])))
        await peer.reply(acts[-1], version=6)
        await peer.say(table(6, from_=5, own=samples.own(prompt="q4")))
        await peer.say(table(7, from_=6, own=samples.own(prompt="q7", actions=["go on"])))
        acts.append(await peer.hear_command("act"))
        await peer.reply(acts[-1], version=8)
        await peer.say(table(8, from_=7, own=samples.own(prompt="q7"), happened=[{"event": "match_over"}]))
        await peer.stay()

    console = Script(("match is over", "quit"))
    async with FakeServer(script) as fake:
        auto = {"ready": True, "go": True}
        assert await visited(fake.server, RESUME, console, tmp_path, auto=auto) == 0
    assert [act.action for act in acts] == ["ready", "go on"]


async def test_until_over_stays_without_input_and_shows_the_sheet(tmp_path: Path) -> None:
    """At the end of the match the sheet is asked for and the visit ends."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        await peer.say(table(5, from_=4, stage="over", happened=[{"event": "match_over"}], own=samples.own()))
        sheet = await peer.hear_command("sheet")
        await peer.say(samples.sheet() | {"id": sheet.id})
        await peer.stay()

    console = Script()
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path, until_over=True) == 0
    assert "Ewa owes Jan 16.20 zł." in console.printed


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("left", "You have left the table."),
        ("removed", "The owner has removed you from the table."),
        ("expired", "The table has expired and is closed."),
    ],
)
async def test_a_closed_table_ends_the_visit(tmp_path: Path, reason: str, line: str) -> None:
    """Where it was the only one."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        if reason == "left":
            await peer.reply(await peer.hear_command("leave"), version=5, seat=None)
        await peer.say(type="closed", table="t1", reason=reason)
        await peer.stay()

    console = Script(("Deal 3", "leave" if reason == "left" else "table"), ("never", ""))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert line in console.printed
    assert console.printed[-1] == "Good bye."


async def test_two_tables_can_be_changed_between(tmp_path: Path) -> None:
    """The other one is told about only when it waits for the player."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=[*HERE, {"table": "t2", "seat": 1}])
        await peer.say(table(4))
        await peer.say(table(1, own=samples.own(1)) | {"table": "t2"})
        played = [{"event": "card_played", "seat": 2, "card": "QD"}]
        wanted = table(2, from_=1, own=samples.own(1, actions=["play AH"]), happened=played)
        await peer.say(wanted | {"table": "t2"})
        await peer.stay()

    console = Script(("another table", "tables"), ("Your tables", "tables 2"), ("Jan (you)", "tables 9"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    assert "You have no table number 9." in console.printed
    assert "You lead: A♥." in console.printed
    assert "Ewa plays Q♦." not in console.printed


async def test_notices_are_told(tmp_path: Path) -> None:
    """About the server, and about this table; an unknown notice or message is passed over."""

    async def script(peer: Peer) -> None:
        await peer.greet(tables=HERE)
        await peer.say(table(4))
        for notice in ("store_away", "store_back", "draining"):
            await peer.say(type="notice", notice=notice, table=None)
        await peer.say(type="notice", notice="rolled_back", table="t1")
        await peer.say(table(2))
        await peer.stay()

    console = Script(("go back a little", "quit"))
    async with FakeServer(script) as fake:
        assert await visited(fake.server, RESUME, console, tmp_path) == 0
    for key in ("store_away", "store_back", "draining", "rolled_back"):
        assert load("en")(f"link.{key}") in console.printed


async def test_a_watcher_is_told_that_he_has_no_seat(tmp_path: Path) -> None:
    """Nothing is sent for him."""

    async def script(peer: Peer) -> None:
        await peer.greet()
        join = await peer.hear_command("join")
        assert join.watch
        await peer.reply(join, version=4, seat=None)
        await peer.say(table(4, own=None))
        await peer.stay()

    console = Script(("Deal 3", "AH"), ("no seat", "?"))
    async with FakeServer(script) as fake:
        opening = Opening("watch", (("table", "t1"),))
        assert await visited(fake.server, opening, console, tmp_path) == 0
    assert console.printed[-1] == "Good bye."
