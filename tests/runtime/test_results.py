"""What results add up to, and that each deal of a patience gives one, whatever happens."""

from collections.abc import AsyncIterator

import pytest

from server.runtime import results
from server.runtime.days import day_of, end_of, entropy_of
from server.runtime.house import House
from server.runtime.results import Group, Result, groups
from server.runtime.tasks import Tasks
from server.store.port import Millis, PlayerId, RecordId
from server.table.records import DealRecord
from tests.runtime.solitaire import Forgetful, opened
from tests.runtime.tables import STAFF, until


def result(
    won: str, number: int, *, game: str = "carpet", variants: tuple[str, ...] = (), millis: int = 5, undos: int = 0
) -> Result:
    """A result: `+` won, `-` not won, in brackets if it does not count."""
    return Result(game, variants, str(number), "(" not in won, "+" in won, 9, undos, millis, Millis(number))


@pytest.mark.parametrize(
    ("played", "streak", "best"),
    [
        ("", 0, 0),
        ("-", 0, 0),
        ("+", 1, 1),
        ("+ + -", 0, 2),
        ("+ + + - + +", 2, 3),
        ("+ - + +", 2, 2),
        ("+ (-) +", 2, 2),
        ("- (+) (+)", 0, 0),
    ],
)
def test_streaks(played: str, streak: int, best: int) -> None:
    """The current run of wins and the longest; what does not count neither ends nor lengthens one."""
    found = groups(result(word, number) for number, word in enumerate(played.split()))
    assert [(group.streak, group.best_streak) for group in found] == ([(streak, best)] if played else [])


def test_a_group_has_counts_best_time_and_undos() -> None:
    """The best time is that of a win; known deals add to no number but their own."""
    deals = [
        result("-", 1, millis=10, undos=2),
        result("+", 2, millis=70, undos=1),
        result("+", 3, millis=60),
        result("(+)", 4, millis=1, undos=50),
    ]
    [group] = groups(deals)
    assert group == Group("carpet", (), 3, 2, 2, 2, 60, 3, 1, 1)
    assert groups(deals[:1])[0].best_millis is None


def test_a_deal_has_one_result() -> None:
    """Who wins a hidden deal and plays it again, known by then, has won one deal."""
    [group] = groups([result("+", 7), result("(+)", 7), result("(-)", 8)])
    assert (group.played, group.won, group.known_played, group.known_won) == (1, 1, 1, 0)


def test_groups_are_by_game_and_variants() -> None:
    """Each game and each set of variants stands for itself, in the order of the names."""
    found = groups([result("+", 1, game="zopf"), result("+", 2, variants=("foster",)), result("-", 3)])
    assert [(group.game, group.variants, group.won) for group in found] == [
        ("carpet", (), 0),
        ("carpet", ("foster",), 1),
        ("zopf", (), 1),
    ]


def test_a_known_deal_counts_once() -> None:
    """Played again and again it is one deal; it is won with the first win."""
    [group] = groups([result("(-)", 617), result("(+)", 617), result("(-)", 617), result("(-)", 5)])
    assert (group.known_played, group.known_won, group.played) == (2, 1, 0)


def test_a_result_comes_back_from_its_bytes() -> None:
    """And one of a format that is not known is left out."""
    one = result("+", 10**19, variants=("foster",))
    assert results.decode(results.encode(one)) == one
    assert results.decode(b"\x93\x02\x01\x01") is None


def test_days() -> None:
    """A day of UTC ends where the next begins; its bytes are of day and game."""
    assert day_of(Millis(0)) == "1970-01-01"
    assert day_of(Millis(1_800_000_000_000)) == "2027-01-15"
    end = end_of("2027-01-15")
    assert (day_of(Millis(end - 1)), day_of(end)) == ("2027-01-15", "2027-01-16")
    assert end_of("2028-02-29") == end_of("2028-02-28") + 86_400_000
    with pytest.raises(ValueError, match="day"):
        end_of("2027-02-29")
    found = {entropy_of(secret, day, game) for secret in (b"a", b"b") for day in "12" for game in "xy"}
    assert len(found) == 8


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Forgetful:
    """A store in memory that can lose what is saved; who looks for it when it is away looks without a pause."""
    monkeypatch.setattr("server.runtime.storewatch.RETRY_SECONDS", 0.0)
    return Forgetful()


@pytest.fixture
async def restarted(store: Forgetful) -> AsyncIterator[House]:
    """The house of the next process on the same store."""
    tasks = Tasks()
    yield House(store, tasks, STAFF)
    await tasks.close()


async def kept(store: Forgetful, player: PlayerId, number: int) -> list[Result]:
    """The player's results, once there are so many."""

    def there() -> bool:
        return len(store._results.look(player) or {}) >= number

    await until(there)
    found = [results.decode(body) for body in await store.results_of(player)]
    return [one for one in found if one is not None]


async def test_a_finished_deal_gives_a_result(store: Forgetful, house: House) -> None:
    """Won by the hints, given up, or known: each gives one, and only a hidden deal without help counts."""
    table = await opened(house, foster=False)
    await table.act("ready")
    await table.act("give_up")
    await table.act("ready number 617")
    await table.act("give_up")
    await table.act("ready")
    await table.act("ask_solver")
    await table.act("give_up")
    found = await kept(store, table.guest.player.id, 3)
    assert [(one.counts, one.won, one.game, one.variants) for one in found] == [
        (True, False, "carpet", ()),
        (False, False, "carpet", ()),
        (False, False, "carpet", ()),
    ]
    assert found[1].number == "617"


async def test_variants_are_named(store: Forgetful, house: House) -> None:
    """Those that differ from the usual rules."""
    table = await opened(house, foster=True, auto_play=True)
    await table.act("ready")
    await table.act("give_up")
    assert [one.variants for one in await kept(store, table.guest.player.id, 1)] == [("foster",)]


@pytest.mark.parametrize("lost", ["record", "result"])
async def test_a_result_that_a_crash_prevented_is_kept_at_the_next_load(
    store: Forgetful, house: House, restarted: House, lost: str
) -> None:
    """Whether the process ended before the result or between it and the record, there is one result in the end."""
    table = await opened(house)
    await table.act("daily")
    store.forgets = {"record", lost}
    await table.act("give_up")
    await until(lambda: not store.forgets)
    assert await store.load_record(RecordId(f"{table.id}-1-1")) is None
    before = await store.results_of(table.guest.player.id)
    await restarted.actor(table.id)
    await until(lambda: store._records.look(f"{table.id}-1-1") is not None)
    found = await kept(store, table.guest.player.id, 1)
    assert len(found) == 1
    assert len(before) == (lost == "record")
    ranked = await store.ranking(day_of(store.now()), "carpet", 10)
    assert len(ranked) == 1


async def test_keeping_again_changes_nothing(store: Forgetful, house: House) -> None:
    """The same record gives the same result under the same name."""
    table = await opened(house)
    await table.act("daily")
    await table.act("give_up")
    await kept(store, table.guest.player.id, 1)
    name = RecordId(f"{table.id}-1-1")
    await until(lambda: store._records.look(name) is not None)
    record: DealRecord = await house._record(name)
    before = (await store.results_of(table.guest.player.id), await store.ranking("2027-01-15", "carpet", 5))
    await results.keep(store, record)
    after = (await store.results_of(table.guest.player.id), await store.ranking("2027-01-15", "carpet", 5))
    assert before == after
    assert len(after[1]) == 1
