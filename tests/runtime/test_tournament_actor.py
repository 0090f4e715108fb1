"""One tournament's actor and the doors to all: commands take effect once, trouble with the store, and our own bugs."""

import asyncio
import logging
from typing import Any

import pytest

from server.games.game import Moment, RuleViolation
from server.runtime.answers import Refused
from server.runtime.tournament_actor import TournamentActor
from server.runtime.tournaments import LISTED_MILLIS, MOST_UNUSED
from server.store.port import Appended, Lifetime, StoreRefused, TableId
from server.table.memory import CommandId
from server.tournament import rules
from server.tournament.commands import ChangeTerms, Command, EnterGuest, NameDirector, OpenRound, Register, Tell
from server.tournament.events import TournamentEvent
from server.tournament.state import Director, Stage, Tournament, TournamentId
from tests.runtime.evenings import Evening, Hosts, announced, checked, events_of, log_of, opening, over, until
from tests.runtime.tables import Store, accepted, code_of


async def followed_by_two(hosts: Hosts) -> tuple[Evening, TournamentActor]:
    """A tournament in registration in two processes that know of each other."""
    first, second = await hosts.start(), await hosts.start()
    evening = await announced(first)
    there = await second.house.tournaments.actor(evening.id)
    second.house.tournaments.hold(there)
    for process in (first, second):
        others = process.house.peers._desks[TableId(evening.id)].others
        await until(lambda others=others: bool(others) and not any(one.asked for one in others.values()))  # type: ignore[misc]
    return evening, there


async def test_a_command_takes_effect_once(hosts: Hosts) -> None:
    """The same id gets the same answer, here and in another process; with other content it is refused."""
    evening, there = await followed_by_two(hosts)
    command, command_id = evening.direct(EnterGuest("Ola", "")), evening.command_id()
    first = accepted(await evening.actor.submit(command, command_id))
    assert accepted(await evening.actor.submit(command, command_id)) == first
    assert accepted(await there.submit(command, command_id)) == first
    assert code_of(await there.submit(evening.direct(EnterGuest("Ela", "")), command_id)) == "id_reused"
    assert [one.version for one in await log_of(evening.process.store, evening.id)] == [1, 2]


async def test_what_one_process_stores_the_other_follows(hosts: Hosts) -> None:
    """Every entry, with what happened; of two directors at once, one is told to look again."""
    evening, there = await followed_by_two(hosts)
    for number in range(5):
        await evening.order(EnterGuest(f"Guest {number}", ""))
        await until(lambda: there.version == evening.actor.version)
    assert there.state == evening.state
    assert [one.version for one in there.happened] == [2, 3, 4, 5, 6]
    assert there.happened[-1] == evening.actor.happened[-1]
    orders = [evening.direct(Tell(text)) for text in ("Coffee", "Cake")]
    answers = await asyncio.gather(
        evening.actor.submit(orders[0], evening.command_id()), there.submit(orders[1], evening.command_id())
    )
    codes = [answer.code if isinstance(answer, Refused) else "" for answer in answers]
    assert sorted(codes) == ["", "decided_meanwhile"]


async def test_who_is_behind_does_not_refuse_what_is_right(
    alone: Hosts, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one process told was lost: the other decides at the end of the log."""
    evening, there = await followed_by_two(alone)
    monkeypatch.setattr(store, "tell", lambda process, message: None)
    await evening.order(EnterGuest("Ola", ""))
    assert there.version == evening.actor.version - 1
    accepted(await there.submit(evening.direct(EnterGuest("Ela", "")), evening.command_id()))
    assert there.version == evening.actor.version + 1


async def test_while_the_store_is_away_it_says_so_and_then_goes_on(alone: Hosts, store: Store) -> None:
    """A command that meets the outage is `store_away`; given again under the same id it takes effect once."""
    evening, _ = await followed_by_two(alone)
    command, command_id = evening.direct(EnterGuest("Ola", "")), evening.command_id()
    store.go_away()
    for _ in range(2):
        assert code_of(await evening.actor.submit(command, command_id)) == "store_away"
    store.come_back()
    await until(lambda: not evening.process.house.watch.away)
    accepted(await evening.actor.submit(command, command_id))
    assert len(evening.state.entrants) == 1


@pytest.mark.parametrize("stored", [True, False])
async def test_an_entry_whose_answer_was_lost_is_looked_for(alone: Hosts, store: Store, stored: bool) -> None:
    """Stored or not: the same command tells; if it was, the other process learns of it without being asked."""
    evening, there = await followed_by_two(alone)
    command, command_id = evening.direct(EnterGuest("Ola", "")), evening.command_id()
    store.lose_answer(stored=stored)
    assert code_of(await evening.actor.submit(command, command_id)) == "store_away"
    await until(lambda: not evening.process.house.watch.away)
    if stored:
        await until(lambda: there.version == evening.actor.version == 2)
    assert accepted(await evening.actor.submit(command, command_id)).version == 2
    await until(lambda: there.state == evening.state)
    assert len(evening.state.entrants) == 1


async def test_a_round_goes_on_when_the_store_was_away(alone: Hosts, store: Store) -> None:
    """It is lost in the middle of a round, while tables are opened and played: all ends well."""
    process = await alone.start()
    evening = await announced(process)
    await evening.enter_guests(8)
    await evening.order(OpenRound())
    for _ in range(3):
        await asyncio.sleep(0)
        store.go_away()
        await until(lambda: process.house.watch.away)
        store.come_back()
        await until(lambda: not process.house.watch.away)
    await until(over(evening.actor))
    assert await checked(store, evening.id) == evening.state


async def test_a_store_that_came_back_older_sets_the_tournament_back(alone: Hosts, store: Store) -> None:
    """Whoever follows it learns so, and it goes on from there."""
    process = await alone.start()
    evening = await announced(process)
    await evening.enter_guests(3)
    told: list[str] = []
    evening.actor.rolled_back = lambda: told.append("rolled back")
    store.set_back(TableId(evening.id), 2)
    await evening.actor.check()
    assert told == ["rolled back"]
    assert evening.actor.version == 2
    assert not evening.actor.happened
    await evening.enter_guests(1)
    assert evening.actor.version == 3


async def test_a_bug_of_ours_stops_one_tournament(
    alone: Hosts, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is refused from then on, the operator is told without what was asked; another goes on."""
    process = await alone.start()
    broken, other = await announced(process), await announced(process)
    decide = rules.decide

    def faulty(tournament: Tournament, command: Command, moment: Moment) -> tuple[TournamentEvent, ...]:
        if tournament.id == broken.id:
            raise ZeroDivisionError
        return decide(tournament, command, moment)

    monkeypatch.setattr(rules, "decide", faulty)
    secret = evening_secret(broken)
    for _ in range(2):
        answer = await broken.actor.submit(broken.direct(Tell("hidden words")), broken.command_id())
        assert code_of(answer) == "table_frozen"
    await other.enter_guests(1)
    with pytest.raises(RuleViolation, match="table_frozen"):
        await process.house.tournaments.actor(broken.id)
    [line] = [one for one in caplog.records if one.levelno == logging.ERROR]
    assert broken.id in line.getMessage()
    assert "hidden words" not in caplog.text
    assert secret not in caplog.text


def evening_secret(evening: Evening) -> str:
    """The secret of its draws as a log would show it."""
    return repr(evening.state.secret)[2:-1]


async def test_a_log_that_cannot_be_read_stops_one_tournament(
    alone: Hosts, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """A stranger's entry: who follows it and who comes to it are refused; the operator is told which one."""
    process = await alone.start()
    evening = await announced(process)
    store.plant(TableId(evening.id), b"no entry")
    await evening.actor.check()
    assert code_of(await evening.actor.submit(evening.direct(Tell("a")), evening.command_id())) == "table_frozen"
    other = await alone.start()
    with pytest.raises(RuleViolation, match="table_frozen"):
        await other.house.tournaments.actor(evening.id)
    assert all(evening.id in one.getMessage() for one in caplog.records if one.levelno == logging.ERROR)


async def test_an_entry_that_the_store_refuses_stops_one_tournament(
    alone: Hosts, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store answers, but not to this: nothing is tried again and again."""
    process = await alone.start()
    evening = await announced(process)

    def refuse(table: TableId, version: int, body: bytes, lifetime: Lifetime) -> asyncio.Future[Appended]:
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        answer.set_exception(StoreRefused("WRONGTYPE"))
        return answer

    monkeypatch.setattr(store, "append", refuse)
    assert code_of(await evening.actor.submit(evening.direct(Tell("a")), evening.command_id())) == "table_frozen"
    assert not process.house.watch.away


async def test_a_tournament_that_has_expired_is_gone(alone: Hosts, store: Store) -> None:
    """After 180 days: an order makes no new one, followers learn it, and it leaves the list."""
    process = await alone.start()
    evening = await announced(process)
    gone: list[bool] = []
    evening.actor.gone = lambda: gone.append(True)
    store.clock.time += 181 * 24 * 3_600_000
    answer = await evening.actor.submit(evening.direct(Tell("a")), evening.command_id())
    assert code_of(answer) == "no_such_tournament"
    assert gone == [True]
    process.house.tournaments.release(evening.actor)
    with pytest.raises(RuleViolation, match="no_such_tournament"):
        await process.house.tournaments.actor(evening.id)
    assert list(await process.house.tournaments.listed()) == []
    store.clock.time += 60_000
    await process.house.tournaments.listed()
    assert list(await store.listed_tournaments(5)) == []


# The doors


async def test_opening_it_again_opens_the_same(hosts: Hosts) -> None:
    """A lost answer: the same command, at another process too, leads to the same tournament; nobody is asked twice."""
    first, second = await hosts.start(), await hosts.start()
    _, director = await first.house.new_player("Dorota")
    actor, answer = await opening(first, director)
    there, again = await opening(second, director)
    assert (there.id, again) == (actor.id, answer)
    command_id = CommandId(f"{director.player.id}/client", 1)

    def not_asked() -> None:
        raise AssertionError

    _, once_more = await first.house.tournaments.open(
        director, command_id, "Autumn cup", {"rounds": 2, "deals": 4, "break_seconds": 0}, not_asked
    )
    assert once_more == answer
    assert len(await log_of(first.store, actor.id)) == 1


async def test_terms_that_cannot_be_leave_nothing_behind(alone: Hosts, store: Store) -> None:
    """A wrong option, or nobody is admitted: no log, nothing in the list, nothing at work."""
    process = await alone.start()
    _, director = await process.house.new_player("Dorota")
    _, answer = await opening(process, director, rounds=99)
    assert code_of(answer) == "bad_option"

    def full() -> None:
        raise RuleViolation("too_many")

    with pytest.raises(RuleViolation, match="too_many"):
        await process.house.tournaments.open(director, CommandId("c", 1), "Cup", {}, full)
    assert list(await store.listed_tournaments(5)) == []
    assert not process.house.tournaments._actors


async def test_the_list_has_the_newest_first_and_drops_what_is_long_over(alone: Hosts, store: Store) -> None:
    """Unlisted ones are in no list; one that is over stays for a day."""
    process = await alone.start()
    evenings = []
    for _ in range(3):
        store.clock.time += 1_000
        evenings.append(await announced(process, rounds=1))
    quiet = await announced(process, listed=False)
    listed = await process.house.tournaments.listed()
    assert [one.id for one in listed] == [one.id for one in reversed(evenings)]
    for now in (True, False):  # the director changes his mind
        await quiet.order(ChangeTerms("Cup", {"listed": now}))
        listed = await process.house.tournaments.listed()
        assert [one.id for one in listed if one.id == quiet.id] == [quiet.id] * now
    await evenings[0].enter_guests(4)
    await evenings[0].order(OpenRound())
    await until(over(evenings[0].actor))
    assert len(await process.house.tournaments.listed()) == 3
    store.clock.time += LISTED_MILLIS
    assert [one.stage for one in await process.house.tournaments.listed()] == [Stage.REGISTRATION] * 2


async def test_what_is_only_listed_is_kept_in_bounds(alone: Hosts, monkeypatch: pytest.MonkeyPatch) -> None:
    """States are kept for the next list, but not of more than so many; those that are followed stay."""
    monkeypatch.setattr("server.runtime.tournaments.MOST_UNUSED", 2)
    process = await alone.start()
    evenings = [await announced(process) for _ in range(5)]
    for evening in evenings[1:]:
        process.house.tournaments.release(evening.actor)
    await process.house.tournaments.listed()
    assert len(process.house.tournaments._actors) == 3
    assert evenings[0].id in process.house.tournaments._actors
    assert MOST_UNUSED > 2


async def test_a_player_is_noted_before_he_is_part_of_it(
    alone: Hosts, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who enters, and who is named a director: the note is there even if the entry is not."""
    process = await alone.start()
    evening = await announced(process)
    players = [(await process.house.new_player(name))[1].player for name in ("Ola", "Ela")]
    commands: list[Any] = [
        Register(players[0].id, "Ola", ""),
        evening.direct(NameDirector(Director(players[1].id, "Ela"))),
    ]
    for command, player in zip(commands, players, strict=True):
        store.lose_answer(stored=False)
        answer = await evening.actor.submit(command, evening.command_id())
        assert code_of(answer) == "store_away"
        await until(lambda: not process.house.watch.away)
        assert list(await process.house.tournaments.of_player(player.id)) == [evening.id]
    assert len(await events_of(store, evening.id)) == 1


async def test_a_tournament_is_no_table_and_a_table_no_tournament(
    alone: Hosts, caplog: pytest.LogCaptureFixture
) -> None:
    """Asked for as the other, each is not there; nobody is alarmed."""
    process = await alone.start()
    evening = await announced(process)
    with pytest.raises(RuleViolation, match="no_such_table"):
        await process.house.actor(TableId(evening.id))
    with pytest.raises(RuleViolation, match="no_such_tournament"):
        await process.house.tournaments.actor(TournamentId("0123456789ab"))
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
