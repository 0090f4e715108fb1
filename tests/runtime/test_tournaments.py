"""Tournaments that are run by the server: rounds open and end by themselves, whatever happens to the processes."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from server.games.game import Stage as TableStage
from server.store.embedded import EmbeddedValkey
from server.store.port import Store as StorePort
from server.store.port import TableId
from server.store.redis_store import RedisStore
from server.tournament import events as facts
from server.tournament.commands import NextRound, NoteResult, OpenRound
from server.tournament.state import Ending, Result, ResultKind, Stage
from tests.runtime.conftest import SHORT
from tests.runtime.evenings import Hosts, announced, checked, events_of, over, until
from tests.runtime.tables import Store, accepted


def lease_is_over(one: StorePort) -> None:
    """The time that dead processes are given has passed; with a real store it passes by itself."""
    if isinstance(one, Store):
        one.clock.time += 30_000


async def test_rounds_of_bots_open_and_end_by_themselves(hosts: Hosts) -> None:
    """Nine entrants at three tables, two rounds: nobody does anything after the first; it ends when all is played."""
    process = await hosts.start()
    evening = await announced(process)
    await evening.enter_guests(9)
    await evening.order(OpenRound())
    process.house.tournaments.release(evening.actor)  # nobody follows it any more
    await until(over(evening.actor))
    state = await checked(process.store, evening.id)
    assert state == evening.state
    assert state.ending is Ending.PLAYED
    results = [table.result for one in state.rounds for table in one.tables]
    assert [len(one.tables) for one in state.rounds] == [3, 3]
    assert all(result is not None and result.kind is ResultKind.PLAYED for result in results)
    assert all(result is not None and len(result.deals) == 4 and sum(result.small) == 0 for result in results)
    await until(lambda: not process.house.tournaments._runners)
    assert not process.house.tournaments._held
    await until(lambda: not process.house._actors)
    assert not process.house.peers._desks


async def test_of_two_processes_one_runs_it_and_everything_is_noted_once(hosts: Hosts) -> None:
    """Both follow it: each round is opened once, and each table has one result."""
    first, second = await hosts.start(), await hosts.start()
    evening = await announced(first)
    await evening.enter_guests(8)
    there = await second.house.tournaments.actor(evening.id)
    second.house.tournaments.hold(there)
    await evening.order(OpenRound())
    await until(over(evening.actor))
    await until(over(there))
    assert there.state == evening.state
    found = await events_of(first.store, evening.id)
    assert sum(isinstance(event, facts.RoundOpened) for event in found) == 2
    notes = Counter((event.round, event.table) for event in found if isinstance(event, facts.ResultNoted))
    assert notes == {(1, 1): 1, (1, 2): 1, (2, 1): 1, (2, 2): 1}
    assert [one.version for one in there.happened] == [one.version for one in evening.actor.happened][
        -len(there.happened) :
    ]


@pytest.mark.parametrize("followed", [False, True])
async def test_a_process_that_dies_leaves_its_tournament_to_another(hosts: Hosts, followed: bool) -> None:
    """Killed in the middle of a round: tables and rounds go on in the other, whether somebody follows there or not."""
    first, second = await hosts.start(), await hosts.start()
    evening = await announced(first)
    await evening.enter_guests(8)
    if followed:
        second.house.tournaments.hold(await second.house.tournaments.actor(evening.id))
    await evening.order(OpenRound())
    await until(lambda: all(evening.at(number) is not None for number in (1, 2)))
    await until(evening.under_way)
    await first.kill()
    lease_is_over(second.store)
    there = await second.house.tournaments.actor(evening.id)
    await until(over(there))
    assert there.state == await checked(second.store, evening.id)
    assert there.state is not None
    assert there.state.ending is Ending.PLAYED


async def test_a_tournament_goes_on_after_the_only_process_was_killed_and_started_again(hosts: Hosts) -> None:
    """Nobody comes to it: the new process finds it on the list of the dead one."""
    first = await hosts.start()
    first.thinker.gate.clear()
    evening = await announced(first)
    await evening.enter_guests(5)
    await evening.order(OpenRound())
    await until(lambda: all(evening.at(number) is not None for number in (1, 2)))
    await first.kill()
    second = await hosts.start()
    lease_is_over(second.store)
    await until(lambda: evening.id in second.house.tournaments._runners)
    await until(over(second.house.tournaments._actors[evening.id]))


async def test_a_process_that_is_told_to_end_leaves_its_tournament_for_the_next(hosts: Hosts) -> None:
    """A restart in a break opens no round while it drains, and loses none."""
    first = await hosts.start()
    evening = await announced(first)
    await evening.enter_guests(4)
    await evening.order(OpenRound())
    await until(lambda: evening.at(1) is not None)
    await first.end()
    second = await hosts.start()
    await until(lambda: evening.id in second.house.tournaments._runners)
    await until(over(second.house.tournaments._actors[evening.id]))
    assert len((await checked(second.store, evening.id)).rounds) == 2


async def test_a_store_that_was_killed_in_mid_round_loses_nothing(tmp_path: Path, brisk: None) -> None:
    """A kill -9 of the Valkey while bots play: it comes back, and the rounds go on and end by themselves."""
    async with EmbeddedValkey(tmp_path / "store") as valkey:

        async def connected() -> StorePort:
            return await RedisStore.open(valkey.url, SHORT)

        hosts = Hosts(connected)
        process = await hosts.start()
        evening = await announced(process)
        await evening.enter_guests(8)
        await evening.order(OpenRound())
        await until(evening.under_way)
        assert valkey.pid is not None
        os.kill(valkey.pid, signal.SIGKILL)
        await until(over(evening.actor))
        assert await checked(process.store, evening.id) == evening.state
        await hosts.close()


async def test_what_two_processes_note_at_once_is_noted_once(hosts: Hosts) -> None:
    """The same result, and the same next round, from both at the same moment."""
    first, second = await hosts.start(), await hosts.start()
    for process in (first, second):
        process.house.tournaments._stands_still = True
    evening = await announced(first, rounds=2)
    await evening.enter_guests(4)
    there = await second.house.tournaments.actor(evening.id)
    second.house.tournaments.hold(there)
    await evening.order(OpenRound())
    note = NoteResult(1, 1, Result(ResultKind.PLAYED, (3, -1, -1, -1)))
    for command in (note, NextRound(2)):
        for answer in await asyncio.gather(evening.actor.submit(command, None), there.submit(command, None)):
            accepted(answer)
    await until(lambda: there.state == evening.state)
    found = Counter(type(event).__name__ for event in await events_of(first.store, evening.id))
    assert (found["ResultNoted"], found["RoundEnded"], found["RoundOpened"]) == (1, 1, 2)


async def test_a_tournament_in_registration_is_at_work_nowhere(hosts: Hosts) -> None:
    """Nobody follows it: no process is noted at it, and nothing is kept going; its state is found all the same."""
    process = await hosts.start()
    evening = await announced(process)
    await evening.enter_guests(4)
    process.house.tournaments.release(evening.actor)
    await until(lambda: not process.house.peers._desks and not process.house.peers._leaving)
    assert list(await process.store.tables_of(process.house.peers.id, 5)) == []
    assert not process.house.tournaments._runners
    other = await hosts.start()
    assert (await other.house.tournaments.actor(evening.id)).state == evening.state


async def test_players_are_noted_at_their_table_while_the_round_runs(hosts: Hosts) -> None:
    """Before it is opened they are, and after the round no more; their tournament stays noted."""
    process = await hosts.start(grace=0.01)
    process.thinker.gate.clear()
    evening = await announced(process, rounds=1)
    await evening.enter_players(2)
    await evening.order(OpenRound())
    await until(lambda: evening.at(1) is not None)
    players = [guest.player.id for guest in evening.players]
    for player in players:
        assert list(await process.house.memberships(player)) == evening.tables()
        assert list(await process.house.tournaments.of_player(player)) == [evening.id]
    process.thinker.gate.set()  # those who never came are played for
    await until(over(evening.actor))
    await until(lambda: not process.house.tournaments._runners)
    for player in (*players, evening.director.player.id):
        assert list(await process.house.memberships(player)) == []
        assert list(await process.house.tournaments.of_player(player)) == [evening.id]
    looked = await process.house.look(TableId(evening.tables()[0]))
    assert looked.stage is TableStage.OVER
    assert evening.state.stage is Stage.OVER
