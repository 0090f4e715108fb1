"""The deal of the day: the same for all, once for each, and secret until the day is over."""

from collections.abc import Awaitable
from typing import Any

import pytest

from server.games.game import Millis, RuleViolation
from server.games.patience.deals import hidden_number
from server.games.patience.decisions import legal
from server.runtime.daily import RANKED, deal_of_day, ranking, results_of
from server.runtime.days import day_of, end_of, entropy_of
from server.runtime.house import House
from server.runtime.results import Standing, encode_standing
from server.runtime.tasks import Tasks
from server.store.port import PlayerId, RecordId
from server.table.memory import CommandId
from tests.runtime.solitaire import Solitaire, opened
from tests.runtime.tables import STAFF, Store, accepted, carried_out, until

DAY = "2027-01-15"


async def recorded(store: Store, table: Solitaire) -> RecordId:
    """The name of the last deal's record, once it is saved."""
    name = RecordId(f"{table.id}-1-{len(table.match.lines)}")
    await until(lambda: store._records.look(name) is not None)
    return name


async def code(work: Awaitable[object]) -> str:
    """The code with which something is refused."""
    with pytest.raises(RuleViolation) as refused:
        await work
    return refused.value.code


async def test_all_play_the_same_deal_and_see_each_other(store: Store, house: House) -> None:
    """Two players, the same cards; another game or day gives others; the ranking has both, who has won first."""
    ada, bolek = await opened(house), await opened(house)
    await ada.act("daily")
    await bolek.act("daily")
    assert ada.match.running.origin.pack == bolek.match.running.origin.pack
    store.clock.time += 1_000
    won = await ada.follow_hints()
    await bolek.act("give_up")
    await recorded(store, ada)
    await recorded(store, bolek)
    for reader in (ada, bolek):
        found = await ranking(house, reader.guest.player.id, "carpet", None)
        assert (found.day, found.game, found.number, found.secret) == (DAY, "carpet", None, None)
        assert {(line.player, line.won) for _, line in found.lines} == {
            (ada.guest.player.id, won),
            (bolek.guest.player.id, False),
        }
        assert [place for place, _ in found.lines] == [1, 2]
    store.clock.time += 86_400_000
    await ada.act("daily")
    assert ada.match.running.origin.pack != bolek.match.deal.origin.pack  # type: ignore[union-attr]


async def test_the_number_is_told_when_the_day_is_over(store: Store, house: House) -> None:
    """Not before: in no view, happening or record; then with the secret from which everybody can compute it."""
    table = await opened(house)
    await table.act("daily")
    number = table.match.running.origin.number
    await table.act("give_up")
    name = await recorded(store, table)
    await table.act("ready again")
    player = table.guest.player.id
    assert table.match.running.origin.number == number
    assert number not in table.shown
    assert await code(house.record(player, name)) == "day_not_over"
    assert await code(house.share(table.guest, name)) == "day_not_over"
    assert [record.id for record in await house.records_of(player)] == [name]
    store.clock.time = Millis(end_of(DAY) - 1)
    assert (await ranking(house, player, "carpet", DAY)).secret is None
    store.clock.time += 1
    found = await ranking(house, player, "carpet", DAY)
    assert found.secret is not None
    assert found.number == number == str(hidden_number(entropy_of(found.secret, DAY, "carpet")))
    assert (await house.record(player, name)).plain["number"] == number
    assert (await ranking(house, player, "carpet", None)).secret is None


async def test_the_first_attempt_counts(store: Store, house: House) -> None:
    """A second one is the same deal, known: neither ranked nor in the statistics, won or not; at whatever table."""
    first = await opened(house)
    await first.act("daily")
    number = first.match.running.origin.number
    await first.act("give_up")
    await recorded(store, first)
    second = await opened(house, first.guest)
    await second.act("daily")
    origin = second.match.running.origin
    assert (origin.number, origin.known, origin.day) == (number, True, DAY)
    assert number not in second.shown
    await second.follow_hints()
    await recorded(store, second)
    found = await ranking(house, first.guest.player.id, "carpet", None)
    assert [line.won for _, line in found.lines] == [False]
    [group] = await results_of(house, first.guest, "carpet")
    assert (group.played, group.won, group.known_played) == (1, 0, 0)  # one result per deal


async def test_there_is_no_second_while_the_first_is_played(store: Store, house: House) -> None:
    """Nobody practises at another table; when the first is over he may. Another game is free."""
    first = await opened(house)
    await first.act("daily")
    second = await opened(house, first.guest)
    assert await code(second.asked("daily")) == "daily_running"
    other = await opened(house, first.guest, "burgvoegtin")
    await other.act("daily")
    assert not other.match.running.origin.known
    await first.act("give_up")
    await second.act("daily")
    assert second.match.running.origin.known


async def test_another_process_knows_what_is_running(store: Store, house: House, tasks: Tasks) -> None:
    """The first attempt is played there, and ends there: here it is known at once."""
    first = await opened(house)
    elsewhere = House(store, tasks, STAFF)
    second = await opened(elsewhere, first.guest)
    elsewhere.hold(await elsewhere.actor(first.id))
    await first.act("daily")
    assert await code(second.asked("daily")) == "daily_running"
    await first.act("give_up")
    await second.act("daily")
    assert second.match.running.origin.known


async def test_a_repeat_is_the_same_attempt(store: Store, house: House) -> None:
    """The command sent again takes effect once; noted and then not dealt, as by a crash, it is dealt as the first."""
    table = await opened(house)
    player, name = table.guest.player.id, RecordId(f"{table.id}-1-1")
    await store.note_attempt(DAY, "carpet", player, name)
    answer = accepted(await table.asked("daily"))
    assert not table.match.running.origin.known
    assert table.actor.state is not None
    repeat = table.actor.state.prompt
    assert repeat != "1.1r"
    version = table.actor.state.version
    command_id = CommandId(f"{player}/client", table.number)
    again = await carried_out(
        table.actor, await deal_of_day(house, player, table.actor, "1.1r", command_id), command_id
    )
    assert accepted(again).version == answer.version == version


@pytest.mark.parametrize(
    ("options", "refused"), [({"foster": True}, "no_daily"), ({"no_undo": True}, None), ({"auto_play": True}, None)]
)
async def test_it_is_played_by_the_usual_rules(house: House, options: dict[str, Any], refused: str | None) -> None:
    """Comfort does not matter, a variant does; what is refused is not noted as an attempt."""
    table = await opened(house, **options)
    if refused is None:
        await table.act("daily")
        return
    assert await code(table.asked("daily")) == refused
    assert await house.store.find_attempt(DAY, "carpet", table.guest.player.id) is None


async def test_in_a_deal_it_is_refused(house: House) -> None:
    """And is not noted as an attempt."""
    table = await opened(house)
    await table.act("ready")
    assert await code(table.asked("daily")) == "deal_running"
    assert await house.store.find_attempt(DAY, "carpet", table.guest.player.id) is None


@pytest.mark.parametrize("how", ["helped", "late", "restarted"])
async def test_what_does_not_count_is_not_ranked(store: Store, house: House, how: str) -> None:
    """The solver was asked; the day was over, so the number could be known; or it was dealt again."""
    table = await opened(house)
    await table.act("daily")
    match how:
        case "helped":
            await table.act("ask_solver")
        case "late":
            store.clock.time = end_of(DAY)
        case "restarted":
            await table.act(next(word for word in legal(table.match) if word[:4] in ("move", "draw")))
            await table.act("restart")
    await table.act("give_up")
    await recorded(store, table)
    found = await ranking(house, table.guest.player.id, "carpet", DAY)
    assert len(found.lines) == (1 if how == "restarted" else 0)
    assert table.match.lines[-1].known == (how != "helped")


async def test_it_counts_in_the_ordinary_statistics_too(store: Store, house: House) -> None:
    """Its first attempt is a hidden deal by the usual rules as any other."""
    table = await opened(house)
    await table.act("daily")
    won = await table.follow_hints()
    await recorded(store, table)
    [group] = await results_of(house, table.guest, None)
    assert (group.game, group.variants, group.played, group.won) == ("carpet", (), 1, int(won))


async def test_the_asker_finds_himself_behind_the_best(store: Store, house: House) -> None:
    """A hundred lines, and then his own with its place."""
    for place in range(RANKED + 5):
        standing = Standing(f"Player {place}", PlayerId(f"p{place}"), True, 40, place)
        await store.rank(DAY, "carpet", standing.player, place, encode_standing(standing))
    found = await ranking(house, PlayerId("p103"), "carpet", DAY)
    assert [place for place, _ in found.lines] == [*range(1, RANKED + 1), 104]
    assert found.lines[-1][1].name == "Player 103"
    assert len((await ranking(house, PlayerId("p3"), "carpet", DAY)).lines) == RANKED


@pytest.mark.parametrize(
    ("game", "day", "refused"), [("kop", None, "unknown_game"), ("zopf", "2027-02-30", "no_such_day")]
)
async def test_refused_rankings(house: House, game: str, day: str | None, refused: str) -> None:
    """Only patiences and days that there are."""
    assert await code(ranking(house, PlayerId("ada"), game, day)) == refused


async def test_a_day_without_players_has_no_number(house: House) -> None:
    """Its secret was never made; nor has a day to come one."""
    for day in ("2027-01-01", "2027-05-01"):
        found = await ranking(house, PlayerId("ada"), "carpet", day)
        assert (found.number, found.secret, found.lines) == (None, None, ())
    assert day_of(house.store.now()) == DAY
