"""What a director decides reaches the tables; who does not come forfeits; time limits."""

import asyncio

import pytest

from server.games.game import Stage as TableStage
from server.runtime.house import House
from server.table.ids import TableId
from server.table.memory import CommandId
from server.tournament import view
from server.tournament.commands import (
    AnnulDeal,
    End,
    EnterPaper,
    GoOn,
    Halt,
    OpenRound,
    Register,
    Replace,
)
from server.tournament.state import Ending, ResultKind, Stage
from tests.runtime.evenings import PATIENCE, Evening, Hosts, Process, announced, over, until
from tests.runtime.tables import Store, accepted


async def round_under_way(process: Process, players: int = 4, /, **options: object) -> Evening:
    """A round whose tables are open; the bots at them think until the gate opens."""
    process.thinker.gate.clear()
    evening = await announced(process, **options)
    await evening.enter_players(players)
    await evening.order(OpenRound())
    await until(lambda: all(process.house.at(table) is not None for table in evening.tables()))
    return evening


def entrant_at(evening: Evening, table: int, seat: int) -> int:
    """Who sits there."""
    assert evening.state.round is not None
    place = evening.state.round.table(table)
    assert place is not None
    entrant = place.seats[seat]
    assert entrant is not None
    return entrant


async def test_who_does_not_come_forfeits(hosts: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three are there and one is not: after the time of the preset his table ends with a forfeit, and is closed."""
    process = await hosts.start(grace=0.02)
    evening = await announced(process, rounds=1, dropout="forfeit", no_show_seconds=10)
    await evening.enter_players(4)
    await evening.order(OpenRound())
    await until(lambda: evening.at(1) is not None)
    table = await process.house.actor(evening.tables()[0])
    process.house.hold(table)
    there = frozenset(guest.player.id for guest in evening.players[:3])
    table.attended_by(there)
    await until(lambda: table.state is not None and len(table.state.absences) == 1)
    assert evening.state.stage is Stage.ROUND  # ten seconds are not over
    runner = process.house.tournaments._runners[evening.id]
    await until(lambda: bool(runner._absent_since))
    for key in runner._absent_since:
        runner._absent_since[key] -= 10.0
    await until(over(evening.actor))
    assert evening.state.round is not None
    result = evening.state.round.tables[0].result
    assert result is not None
    assert result.kind is ResultKind.FORFEIT
    late = evening.state.entrant_of(evening.players[3].player.id)
    assert late is not None
    assert [entrant_at(evening, 1, seat) for seat in result.forfeited] == [late.number]
    await until(lambda: table.state is not None and table.state.stage is TableStage.OVER)


async def test_at_the_time_limit_the_deal_in_play_is_the_last(alone: Hosts, store: Store) -> None:
    """The deadline passes in the first deal: that one is finished, and counts."""
    process = await alone.start(grace=0.01)
    evening = await round_under_way(process, rounds=1, round_minutes=1)
    table = evening.at(1)
    assert table is not None
    assert evening.state.round is not None
    process.thinker.gate.set()
    await until(evening.under_way)
    process.thinker.gate.clear()
    store.clock.time += 61_000
    await until(lambda: _time_called(process.house, evening.tables()[0]))
    process.thinker.gate.set()
    await until(over(evening.actor))
    result = evening.state.round.tables[0].result
    assert result is not None
    assert 1 <= len(result.deals) < 4
    assert result.kind is ResultKind.PLAYED


def _time_called(house: House, table: TableId) -> bool:
    state = house.at(table)
    return state is not None and bool(state.play.time_called)


async def test_when_the_tournament_is_halted_all_tables_stand_still(hosts: Hosts) -> None:
    """They go on when it goes on; a table that is opened meanwhile elsewhere stands still too."""
    process, other = await hosts.start(grace=0.01), await hosts.start(grace=0.01)
    evening = await round_under_way(process, 8, rounds=1)
    await evening.order(Halt())
    await until(lambda: all(_paused(process.house, table) for table in evening.tables()))
    for table in evening.tables():
        assert (await other.house.look(table)).pause is not None
    await evening.order(GoOn())
    await until(lambda: not any(_paused(process.house, table) for table in evening.tables()))
    process.thinker.gate.set()
    await until(over(evening.actor))


def _paused(house: House, table: TableId) -> bool:
    state = house.at(table)
    return state is not None and state.pause is not None


async def test_who_is_replaced_leaves_his_seat_and_his_note_to_another(hosts: Hosts) -> None:
    """A late entrant gets the seat; the one before him is no longer noted at the table; then a bot gets it."""
    process = await hosts.start(grace=60.0)
    evening = await round_under_way(process, rounds=2, late_until=2)
    _, late = await process.house.new_player("Late")
    register = Register(late.player.id, "Late", "")
    accepted(await evening.actor.submit(register, CommandId(f"{late.player.id}/client", 1)))
    leaving = entrant_at(evening, 1, 2)
    before = evening.state.entrants[leaving - 1].player
    await evening.order(Replace(leaving, 5))
    await until(lambda: _player(evening, 2) == late.player.id)
    assert list(await process.house.memberships(late.player.id)) == evening.tables()
    async with asyncio.timeout(PATIENCE):
        while await process.house.memberships(before):  # noqa: ASYNC110 - the store tells nobody
            await asyncio.sleep(0)
    await evening.order(Replace(5, None))
    await until(lambda: _player(evening, 2).startswith("bot"))


def _player(evening: Evening, seat: int) -> str:
    table = evening.at(1)
    sitter = None if table is None else table.seats[seat]
    return "" if sitter is None else sitter.player


async def test_a_running_deal_that_is_annulled_is_played_in_another(hosts: Hosts) -> None:
    """Its number is burned at the table; the round still has all its deals."""
    process = await hosts.start(grace=0.01)
    evening = await round_under_way(process, rounds=1)
    process.thinker.gate.set()
    await until(evening.under_way)
    process.thinker.gate.clear()
    table = evening.at(1)
    assert table is not None
    number = table.game.running_deal(table.play)
    while number is None:
        process.thinker.gate.set()
        await until(lambda: _running(evening) is not None)
        process.thinker.gate.clear()
        number = _running(evening)
    await evening.order(AnnulDeal(1, 1, number, "cards were seen"))
    await until(lambda: _running(evening) != number)
    process.thinker.gate.set()
    await until(over(evening.actor))
    assert evening.state.round is not None
    result = evening.state.round.tables[0].result
    assert result is not None
    assert number not in dict(result.deals)
    assert len(result.deals) == 4


def _running(evening: Evening) -> int | None:
    table = evening.at(1)
    return None if table is None else table.game.running_deal(table.play)


async def test_a_table_on_paper_is_closed_and_waits_for_its_result(hosts: Hosts) -> None:
    """No table is open for it; its result ends the round."""
    process = await hosts.start(grace=0.01)
    evening = await round_under_way(process, rounds=2, break_seconds=None)
    await evening.order(EnterPaper(1, None))
    await until(lambda: _over(process.house, evening.tables()[0]))
    assert evening.state.ending is None
    await evening.order(EnterPaper(1, (5, -5, 3, -3)))
    await until(lambda: not process.house.tournaments._runners)  # the director opens the next: nothing is due
    await evening.order(OpenRound())
    await until(lambda: evening.at(1) is not None and evening.at(1).running)  # type: ignore[union-attr]
    assert len(evening.state.rounds) == 2


def _over(house: House, table: TableId) -> bool:
    state = house.at(table)
    return state is None or state.stage is TableStage.OVER


async def test_a_director_who_ends_it_closes_the_tables(hosts: Hosts) -> None:
    """In mid-round: all tables are over, nobody is noted at them, and nothing is at work any more."""
    process = await hosts.start(grace=60.0)
    evening = await round_under_way(process, 8)
    await evening.order(End("the hall closes"))
    assert evening.state.ending is Ending.DIRECTOR
    await until(lambda: not process.house.tournaments._runners)
    for table in evening.tables():
        assert (await process.house.look(table)).stage is TableStage.OVER
    for guest in evening.players:
        assert list(await process.house.memberships(guest.player.id)) == []


async def test_the_desk_shows_who_blocks(alone: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has come: all four are waited for, then all are absent; from another process it looks the same."""
    process = await alone.start(grace=0.01)
    evening = await round_under_way(process, dropout="forfeit")
    await until(lambda: bool(evening.at(1) and len(evening.at(1).absences) == 4))  # type: ignore[union-attr]
    [stand] = await process.house.tournaments.stands(evening.actor)
    names = [one["name"] for one in stand["waiting_for"]]
    assert sorted(names) == sorted(guest.player.name for guest in evening.players)
    assert stand["absent"] == [0, 1, 2, 3]
    assert (stand["number"], stand["deal"], stand["deals"], stand["paused"]) == (1, 1, 4, False) or stand["deal"] == 0
    other = await alone.start()
    there = await other.house.tournaments.actor(evening.id)
    assert await other.house.tournaments.stands(there) == [stand]


async def test_deals_that_all_tables_play_are_open_once_the_round_is_over(hosts: Hosts) -> None:
    """Two tables play the same cards, and what their seats won is compared deal by deal."""
    process = await hosts.start(grace=0.01)
    evening = await round_under_way(process, 8, rounds=1, duplicate=True)
    tournaments = process.house.tournaments
    assert not await tournaments.round_open(evening.id, 1)
    assert not await tournaments.round_open(evening.id, 2)
    process.thinker.gate.set()
    await until(over(evening.actor))
    assert await tournaments.round_open(evening.id, 1)
    seats = view.comparison_page(evening.state, 1)["seats"]
    assert len(seats) == 8
    assert not await tournaments.round_open("tournament00000000000", 1)
