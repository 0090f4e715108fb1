"""Tables of a tournament in a process: opened, directed, put to work again, and played on though nobody is there."""

import asyncio
from dataclasses import replace

import pytest

from server.games.game import OptionValue, RuleViolation, Seat, Stage
from server.runtime.house import House
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.store.port import TableId
from server.table import codec, commands
from server.table.affiliation import Affiliation
from server.table.commands import OpenForTournament
from server.table.events import Absent, Sitter, StandInCame
from server.table.ids import PlayerId, RecordId
from server.table.memory import CommandId
from server.table.state import Table
from server.table.strength import Strength
from tests.runtime.tables import STAFF, Store, accepted, carried_out, stored, until

QUICK = Staff(STAFF.pool, grace_seconds=0.02, bot_seconds=0.001)
SEED = bytes(range(32))
NIGHT = Affiliation("tournament0123456789ab", "Friday", 1, 3, 7)
ID = TableId("0123456789abr1t7")


def opening(
    *sitters: Sitter, tournament: Affiliation = NIGHT, options: dict[str, OptionValue] | None = None
) -> OpenForTournament:
    """The command that opens a table, with bots in the seats that are left."""
    bots = [Sitter(PlayerId(f"bot1x{seat}"), f"Bot {seat}", Strength.EASY) for seat in range(len(sitters), 4)]
    agreed = {"deals": 4, "rules": "wolsztyn", "on_absence": "bot", **(options or {})}
    return OpenForTournament(ID, "kop", agreed, tournament, (*sitters, *bots))


@pytest.fixture
def quick(store: Store, tasks: Tasks) -> House:
    """A house whose bots and absences take no time."""
    return House(store, tasks, QUICK)


async def four(house: House) -> list[Sitter]:
    """Four new players."""
    return [(await house.new_player(f"Player {seat}"))[1].sitter for seat in range(4)]


async def over(moved: list[Table]) -> None:
    """Waits until the match is over, as who follows the table is told; bots think in a process of their own."""
    async with asyncio.timeout(60):
        while not moved or moved[-1].stage is not Stage.OVER:  # noqa: ASYNC110 - the fact is in plain state
            await asyncio.sleep(0.01)


async def test_who_is_to_sit_there_is_noted_before_and_nothing_is_listed(store: Store, house: House) -> None:
    """Opened twice it is one entry; it is at work, and in no list."""
    players = await four(house)
    command = opening(*players)
    first = await house.open_for_tournament(command)
    again = await house.open_for_tournament(command)
    assert (first.version, again.version) == (1, 1)
    assert await stored(store, ID) == [1]
    assert [list(await house.memberships(player.player)) for player in players] == [[ID]] * 4
    assert await house.listed() == []
    assert house.at_work == 1


async def test_what_cannot_be_opened_is_refused_and_leaves_nothing_at_work(house: House) -> None:
    """With the code of the rules; so is a word to a table that is not there."""
    with pytest.raises(RuleViolation, match="bad_option"):
        await house.open_for_tournament(opening(options={"deals": 5}))
    with pytest.raises(RuleViolation, match="no_such_table"):
        await house.direct(ID, commands.CallTime())
    with pytest.raises(RuleViolation, match="no_such_table"):
        await house.put_to_work(ID)
    await until(lambda: house.at_work == 0)


async def test_four_who_never_come_are_stood_in_for_to_the_end(store: Store, quick: House) -> None:
    """Each is absent after the grace, a bot plays, and the process lets go of the table when its match is over."""
    moved: list[Table] = []
    quick.table_moved = moved.append
    await quick.open_for_tournament(opening(*await four(quick)))
    await over(moved)
    assert [table.version for table in moved] == await stored(store, ID)
    assert len(moved[-1].sat) == 4
    assert any(len(table.absences) == 4 for table in moved)
    await until(lambda: quick.at_work == 0)


async def test_four_bots_play_to_the_end(quick: House) -> None:
    """Nobody else is needed."""
    moved: list[Table] = []
    quick.table_moved = moved.append
    await quick.open_for_tournament(opening())
    await over(moved)


async def test_who_comes_late_has_his_seat_at_once(store: Store, tasks: Tasks) -> None:
    """Though he had never been there; the others are still stood in for."""
    quick = House(store, tasks, replace(QUICK, bot_seconds=30.0))
    players = await four(quick)
    await quick.open_for_tournament(opening(*players))
    actor = await quick.actor(ID)
    quick.hold(actor)
    await until(lambda: actor.state is not None and len(actor.state.absences) == 4)
    actor.attended_by(frozenset({players[1].player}), players[1].player)
    await until(lambda: actor.state is not None and [one.seat for one in actor.state.absences] == [0, 2, 3])
    quick.release(actor)


async def test_another_process_goes_on_where_one_has_stopped(store: Store, tasks: Tasks) -> None:
    """One that ends without a word, and the next that puts the table to work: absences stand, and the deal begins."""
    slow = House(store, tasks, replace(QUICK, bot_seconds=30.0))
    await slow.open_for_tournament(opening(*await four(slow)))
    actor = await slow.actor(ID)
    await until(lambda: actor.state is not None and len(actor.state.absences) == 4)
    slow.stand_still()
    moved: list[Table] = []
    after = House(store, tasks, QUICK)
    after.table_moved = moved.append
    assert len((await after.put_to_work(ID)).absences) == 4
    assert len((await after.put_to_work(ID)).absences) == 4
    await until(lambda: bool(moved) and moved[-1].stage is Stage.DEAL)


async def test_a_process_that_ends_leaves_the_table_to_the_others(store: Store, tasks: Tasks) -> None:
    """Nobody has come to it there: it is taken over at once, and played on."""
    slow = House(store, tasks, replace(QUICK, bot_seconds=30.0))
    await slow.peers.open()
    await slow.open_for_tournament(opening(*await four(slow)))
    slow.stand_still()
    await slow.peers.retire()
    other = House(store, tasks, QUICK)
    moved: list[Table] = []
    other.table_moved = moved.append
    await other.peers.open()
    await other.peers._renew()
    await other.peers._take_over()
    assert other.at_work == 1
    await until(lambda: bool(moved) and moved[-1].stage is Stage.DEAL)
    assert list(await store.tables_of(slow.peers.id, 10)) == []


async def test_a_fault_of_who_follows_harms_no_table(quick: House) -> None:
    """The table is played out all the same."""
    faults: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context["exception"]))
    told: list[Table] = []

    def faulty(table: Table) -> None:
        told.append(table)
        raise ZeroDivisionError

    quick.table_moved = faulty
    await quick.open_for_tournament(opening())
    await over(told)
    assert faults
    asyncio.get_running_loop().set_exception_handler(None)


async def test_other_tables_are_followed_by_nobody(house: House) -> None:
    """A table that belongs to no tournament tells nothing."""
    moved: list[Table] = []
    house.table_moved = moved.append
    _, guest = await house.new_player("Ada")
    actor, _ = await house.opening(guest, CommandId("client", 1), private=False, admit=lambda: None)
    accepted(await carried_out(actor, commands.Create(guest.sitter, actor.id, "kop", {}, None), CommandId("client", 1)))
    await asyncio.sleep(0)
    assert moved == []


async def test_a_director_replaces_a_player_who_is_noted_at_the_table_before(house: House) -> None:
    """The new one is led there; a refusal is told."""
    players = await four(house)
    await house.open_for_tournament(opening(*players))
    new = (await house.new_player("New"))[1].sitter
    table = await house.direct(ID, commands.ReplaceSitter(Seat(2), new))
    assert table.seats[2] == new
    assert list(await house.memberships(new.player)) == [ID]
    assert (await house.direct(ID, commands.ReplaceSitter(Seat(2), new))).version == table.version
    with pytest.raises(RuleViolation, match="no_deal_running"):
        await house.direct(ID, commands.AnnulDirected(1))
    assert (await house.direct(ID, commands.CallTime())).stage is Stage.OVER


async def test_records_of_the_same_cards_are_closed_until_the_round_is_open(store: Store, quick: House) -> None:
    """Who sat there reads his; all others, also by a code, when the tournament says so."""
    player, guest = (await quick.new_player("Ada"))[1], (await quick.new_player("Eve"))[1]
    moved: list[Table] = []
    quick.table_moved = moved.append
    await quick.open_for_tournament(opening(player.sitter, tournament=replace(NIGHT, seed=SEED)))
    await over(moved)
    await until(lambda: quick.at_work == 0)
    record = RecordId(f"{ID}-1-1")
    code = await quick.share(player, record)
    for refused in (quick.record(guest.player.id, record), quick.shared_record(code), quick.share(guest, record)):
        with pytest.raises(RuleViolation, match="not_your_record"):
            await refused
    asked: list[tuple[str, int]] = []

    async def is_open(tournament: str, number: int) -> bool:
        asked.append((tournament, number))
        return True

    quick.round_open = is_open
    assert (await quick.record(guest.player.id, record)).id == record
    assert (await quick.shared_record(code)).id == record
    assert set(asked) == {(NIGHT.tournament, 1)}


async def test_who_never_came_is_noted_absent_once(store: Store, quick: House) -> None:
    """And a bot came for each, in the same entry."""
    moved: list[Table] = []
    quick.table_moved = moved.append
    players = await four(quick)
    await quick.open_for_tournament(opening(*players))
    await over(moved)
    lines = [codec.decode(entry.version, entry.body, "kop") for entry in await store.read(ID, 0)]
    came = [line.events for line in lines if any(isinstance(event, Absent) for event in line.events)]
    assert sorted(came, key=lambda events: events[0].seat) == [
        (Absent(Seat(seat)), StandInCame(Seat(seat))) for seat in range(4)
    ]
