"""kill -9 at every moment of a deal, of the server and of its store: nothing is lost, nothing happens twice."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.codec import Encoding
from tests.e2e.script import Deed, whole_deal
from tests.servers import ServerProcess
from tests.wire import Message, RefusedError, Wire


@pytest.fixture
async def players(own_server: ServerProcess) -> AsyncIterator[list[Wire]]:
    """Four players in both encodings, connected to it."""
    encodings = tuple(Encoding)
    players = [Wire(own_server.url, f"Player {seat}", encodings[seat % 2]) for seat in range(4)]
    for player in players:
        await player.open()
    yield players
    for player in players:
        await player.close()


def seen(view: Message) -> dict[str, Any]:
    """What a view says of the table, without who is connected and what happened before."""
    return {name: view[name] for name in ("version", "public", "own")}


async def restart(server: ServerProcess, players: list[Wire]) -> None:
    """Kills it, starts it on the same data folder and port, and everybody comes back with his token."""
    server.kill()
    server.start()
    await asyncio.gather(*(player.reopen() for player in players))


async def views(players: list[Wire], table: str, version: int) -> dict[str, dict[str, Any]]:
    """What each player who is at the table sees of it at this version."""
    return {player.name: seen(await player.at_version(table, version)) for player in players}


def check_once(server: ServerProcess, table: str, done: list[tuple[Deed, int]]) -> None:
    """The log has one entry for each command, in their order, and no other."""
    lines = server.entries(table)
    assert [line.version for line in lines] == list(range(1, len(done) + 1))
    expected = [(f"{deed.who.player}/{deed.who.instance}", command_id) for deed, command_id in done]
    assert [(line.client, line.number) for line in lines] == expected


def spin(seconds: float) -> None:
    """Lets a little time pass, to hit the server at another moment."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


async def test_a_kill_after_any_entry_of_a_deal_changes_nothing(own_server: ServerProcess, players: list[Wire]) -> None:
    """After each entry: kill, restart, come back: same views; the last command again: same reply, no effect."""
    script, there = whole_deal(players), list[Wire]()
    deed, table, done = next(script), "", list[tuple[Deed, int]]()
    while True:
        done.append((deed, deed.who.next_id()))
        reply = await deed.do(done[-1][1])
        table, version = reply["table"], reply["version"]
        assert version == len(done)
        if deed.type == "leave":
            await deed.who.put_out(table)
            there.remove(deed.who)
        elif deed.who not in there:
            there.append(deed.who)
        before = await views(there, table, version)
        await restart(own_server, players)
        assert await views(there, table, version) == before
        assert await deed.do(done[-1][1]) == reply, str(deed)
        assert (await players[0].ask("sync", table=table))["version"] == version
        try:
            deed = script.send(reply)
        except StopIteration:
            break
    check_once(own_server, table, done)
    assert len(done) > 25


async def kills_between_command_and_answer(server: ServerProcess, players: list[Wire], after: list[float]) -> None:
    """Each command of a deal is sent, and the server killed `after` so long; sent again it takes effect once."""
    script = whole_deal(players)
    deed, table, done = next(script), "", list[tuple[Deed, int]]()
    while True:
        command_id = deed.who.next_id()
        done.append((deed, command_id))
        await deed.who.send({"type": deed.type, "id": command_id, **deed.fields})
        spin(after[len(done) % len(after)])
        await restart(server, players)
        reply = await deed.do(command_id)
        table = reply["table"]
        assert reply["version"] == len(done), str(deed)
        if deed.type != "leave":
            for player in players[: max(1, min(4, len(done)))]:
                await player.at_version(table, reply["version"])
        try:
            deed = script.send(reply)
        except StopIteration:
            break
    check_once(server, table, done)


async def test_a_kill_between_command_and_answer_leaves_one_effect(
    own_server: ServerProcess, players: list[Wire]
) -> None:
    """Every command of a deal, with the server killed before its answer: sent again it takes effect once."""
    await kills_between_command_and_answer(own_server, players, [0.0, 0.0005, 0.001, 0.0015, 0.002, 0.004])


@pytest.mark.long
@pytest.mark.parametrize("after", [[0.0], [0.0007, 0.0011], [0.0013, 0.0017], [0.0025, 0.006]])
async def test_a_kill_at_other_moments_leaves_one_effect(
    own_server: ServerProcess, players: list[Wire], after: list[float]
) -> None:
    """The same with the kill at other times after the command."""
    await kills_between_command_and_answer(own_server, players, after)


async def patiently(deed: Deed, command_id: int) -> Message:
    """The reply to a command, said again under its id when the store is back."""
    while True:
        since = len(deed.who.heard)
        try:
            return await deed.do(command_id)
        except RefusedError as refused:
            if refused.code != "store_away":
                raise
        await deed.who.wait(lambda message: message.get("notice") == "store_back", since=since)


async def kills_of_the_store(server: ServerProcess, players: list[Wire], at: set[int], *, sent_before: bool) -> None:
    """A deal in which the Valkey is killed just before or after these commands are sent."""
    script = whole_deal(players)
    deed, table, done = next(script), "", list[tuple[Deed, int]]()
    connected = [len([one for one in player.heard if one["type"] == "(connected)"]) for player in players]
    while True:
        command_id = deed.who.next_id()
        done.append((deed, command_id))
        since = [len(player.heard) for player in players]
        if len(done) in at:
            if sent_before:
                await deed.who.send({"type": deed.type, "id": command_id, **deed.fields})
            os.kill(server.valkey_pid, signal.SIGKILL)
        reply = await patiently(deed, command_id)
        table = reply["table"]
        assert reply["version"] == len(done), str(deed)
        if len(done) in at and not sent_before:
            for player, start in zip(players, since, strict=True):
                await player.wait(lambda message: message.get("notice") == "store_away", start)
                await player.wait(lambda message: message.get("notice") == "store_back", start)
        if deed.type == "leave":
            await deed.who.put_out(table)
        for player in players:
            if table in player.views:
                await player.at_version(table, reply["version"])
        try:
            deed = script.send(reply)
        except StopIteration:
            break
    check_once(server, table, done)
    assert connected == [len([one for one in player.heard if one["type"] == "(connected)"]) for player in players]


async def test_a_killed_store_pauses_the_table_and_loses_nothing(
    own_server: ServerProcess, players: list[Wire]
) -> None:
    """The Valkey is killed in five phases: all are told, play goes on without a reconnect, all is there once."""
    await kills_of_the_store(own_server, players, {1, 3, 9, 20}, sent_before=False)


async def test_a_store_killed_under_a_command_leaves_one_effect(own_server: ServerProcess, players: list[Wire]) -> None:
    """The Valkey is killed while commands are on their way to it: each takes effect once."""
    await kills_of_the_store(own_server, players, {1, 2, 6, 10, 25}, sent_before=True)
