"""What every store promises of results, deals of the day and rankings; each test stands for a promise of the port."""

import pytest

from server.store import memory_results, results
from server.store.port import Millis, Player, PlayerId, Ranked, RecordId, StoreAway, TableId
from tests.store.conftest import Subject

DAY = "2027-01-15"


def player_of(table: TableId, number: int = 0) -> PlayerId:
    """A player that no other test has."""
    return PlayerId(f"{table}p{number}")


def record_of(table: TableId, deal: int) -> RecordId:
    """The name of a record that no other test has."""
    return RecordId(f"{table}-1-{deal}")


async def test_results_come_back_oldest_first(subject: Subject, table: TableId) -> None:
    """By the time of the deal, whenever they were saved, as the bytes they are; each player has his own."""
    store, ada = subject.store, player_of(table)
    body = bytes(range(256))
    await store.save_result(ada, record_of(table, 2), b"second", Millis(20))
    await store.save_result(ada, record_of(table, 3), body, Millis(30))
    await store.save_result(ada, record_of(table, 1), b"first", Millis(10))
    assert list(await store.results_of(ada)) == [b"first", b"second", body]
    assert not await store.results_of(player_of(table, 1))


async def test_a_result_is_kept_once(subject: Subject, table: TableId) -> None:
    """Saved again, after a crash or by another process, it stays what it was, where it was."""
    store, ada = subject.store, player_of(table)
    await store.save_result(ada, record_of(table, 1), b"first", Millis(10))
    await store.save_result(ada, record_of(table, 2), b"second", Millis(20))
    await store.save_result(ada, record_of(table, 1), b"other", Millis(30))
    assert list(await store.results_of(ada)) == [b"first", b"second"]


async def test_the_newest_results_are_kept(subject: Subject, table: TableId, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest makes room, also one that comes late."""
    for module in (memory_results, results):
        monkeypatch.setattr(module, "MOST_RESULTS", 3)
    store, ada = subject.store, player_of(table)
    for deal in range(1, 6):
        await store.save_result(ada, record_of(table, deal), b"%d" % deal, Millis(deal))
    await store.save_result(ada, record_of(table, 9), b"late", Millis(0))
    assert list(await store.results_of(ada)) == [b"3", b"4", b"5"]


async def test_results_live_as_long_as_their_player(short_lived: Subject, table: TableId) -> None:
    """Who comes back in time keeps them, though he plays no more; who stays away loses them."""
    store, ada = short_lived.store, player_of(table)
    await store.add_player(f"hash-{table}", Player(ada, "Ada"))
    await store.save_result(ada, record_of(table, 1), b"body", Millis(1))
    await store.save_result(player_of(table, 1), record_of(table, 1), b"body", Millis(1))
    begun = store.now()

    async def long_after() -> bool:
        return await store.find_player(f"hash-{table}") is not None and store.now() - begun > 1_000

    await short_lived.until(long_after)
    assert list(await store.results_of(ada)) == [b"body"]
    assert not await store.results_of(player_of(table, 1))
    begun = store.now()

    async def time_goes_by() -> bool:
        return store.now() - begun > 1_000

    await short_lived.until(time_goes_by)
    assert not await store.results_of(ada)


async def test_a_day_has_one_secret(subject: Subject, table: TableId) -> None:
    """The first one made is kept, for every process; a day that nobody needed has none."""
    store, day = subject.store, f"{DAY}-{table}"
    assert await store.find_day(day) is None
    assert await store.make_day(day, b"\0\xff first") == b"\0\xff first"
    assert await store.make_day(day, b"second") == b"\0\xff first"
    assert await store.find_day(day) == b"\0\xff first"


async def test_the_first_attempt_is_noted(subject: Subject, table: TableId) -> None:
    """A later one learns which was the first, and the first stays the first; each day, game and player has its own."""
    store, ada, bolek = subject.store, player_of(table), player_of(table, 1)
    first, second = record_of(table, 1), record_of(table, 2)
    assert await store.find_attempt(DAY, "carpet", ada) is None
    assert await store.note_attempt(DAY, "carpet", ada, first) == first
    assert await store.note_attempt(DAY, "carpet", ada, second) == first
    assert await store.note_attempt(DAY, "carpet", ada, first) == first
    assert await store.find_attempt(DAY, "carpet", ada) == first
    assert await store.note_attempt(DAY, "carpet", bolek, second) == second
    assert await store.note_attempt(DAY, "zopf", ada, second) == second
    assert await store.note_attempt("2027-01-16", "carpet", ada, second) == second


async def test_a_ranking_is_in_the_order_of_its_scores(subject: Subject, table: TableId) -> None:
    """The lowest first; who stands in it stays as he is; each day and game has its own."""
    store, game = subject.store, f"carpet-{table}"
    ada, bolek, celina = (player_of(table, number) for number in range(3))
    await store.rank(DAY, game, bolek, 2**52 + 5, b"bolek")
    await store.rank(DAY, game, celina, 70_000, b"celina")
    await store.rank(DAY, game, ada, 60_000, b"ada")
    await store.rank(DAY, game, bolek, 1, b"better")
    assert list(await store.ranking(DAY, game, 10)) == [b"ada", b"celina", b"bolek"]
    assert list(await store.ranking(DAY, game, 2)) == [b"ada", b"celina"]
    assert not await store.ranking(DAY, game, 0)
    assert await store.ranked(DAY, game, bolek) == Ranked(3, b"bolek")
    assert await store.ranked(DAY, game, player_of(table, 3)) is None
    assert not await store.ranking("2027-01-16", game, 10)


async def test_the_best_of_a_ranking_are_kept(
    subject: Subject, table: TableId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last makes room."""
    for module in (memory_results, results):
        monkeypatch.setattr(module, "MOST_RANKED", 2)
    store, game = subject.store, f"carpet-{table}"
    for number, score in enumerate((30, 10, 20)):
        await store.rank(DAY, game, player_of(table, number), score, b"%d" % score)
    assert list(await store.ranking(DAY, game, 10)) == [b"10", b"20"]
    assert await store.ranked(DAY, game, player_of(table, 0)) is None


async def test_days_lapse(short_lived: Subject, table: TableId) -> None:
    """Secret, attempt and ranking go when the days' time is over."""
    store, day, ada = short_lived.store, f"{DAY}-{table}", player_of(table)
    await store.make_day(day, b"secret")
    await store.note_attempt(day, "carpet", ada, record_of(table, 1))
    await store.rank(day, "carpet", ada, 1, b"ada")

    async def gone() -> bool:
        kept = (await store.find_day(day), await store.find_attempt(day, "carpet", ada))
        return kept == (None, None) and not await store.ranking(day, "carpet", 1)

    await short_lived.until(gone)


async def test_after_close_results_are_away(subject: Subject, table: TableId) -> None:
    """Every method raises StoreAway."""
    store, ada, record = subject.store, player_of(table), record_of(table, 1)
    await store.close()
    for work in (
        store.save_result(ada, record, b"", Millis(1)),
        store.results_of(ada),
        store.make_day(DAY, b""),
        store.find_day(DAY),
        store.note_attempt(DAY, "carpet", ada, record),
        store.find_attempt(DAY, "carpet", ada),
        store.rank(DAY, "carpet", ada, 1, b""),
        store.ranking(DAY, "carpet", 1),
        store.ranked(DAY, "carpet", ada),
    ):
        with pytest.raises(StoreAway):
            await work
