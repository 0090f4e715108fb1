"""Questions to the pool: slices until the solver answers, one question a player, and a word for every failure."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest

from server.games.game import Plain, RuleViolation
from server.runtime.solving import SLICES, Solving
from server.runtime.thinking import Busy, Failed, NotThought, ThinkingPool, TooLong
from server.table.ids import PlayerId

ADA, BOB = PlayerId("ada"), PlayerId("bob")
UNDECIDED: Plain = {"verdict": "undecided", "positions": 10, "finished": False}
WINNABLE: Plain = {"verdict": "winnable", "positions": 20, "finished": True}


class Answers:
    """A pool that answers what it is told to, or raises it."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[Any, ...]] = []
        self.begun = asyncio.Event()
        self.hold = asyncio.Event()
        self.hold.set()

    async def think(self, job: Callable[..., Any], *args: Any, who: str, seconds: float) -> Any:
        """The next answer."""
        self.asked.append(args)
        self.begun.set()
        await self.hold.wait()
        answer = self.answers.pop(0)
        if isinstance(answer, NotThought):
            raise answer
        return dict(answer) if isinstance(answer, dict) else answer


def solving(*answers: Any) -> tuple[Solving, Answers]:
    """Questions to such a pool."""
    pool = Answers(*answers)
    return Solving(cast("ThinkingPool", pool)), pool


async def verdict(questions: Solving, player: PlayerId = ADA) -> tuple[Plain, list[Plain]]:
    """The verdict, and what was told before."""
    progress: list[Plain] = []
    return await questions.verdict(player, "puzzle", progress.append), progress


async def test_more_time_until_there_is_a_verdict() -> None:
    """After each undecided slice the player hears how many positions, and how long it took."""
    questions, pool = solving(UNDECIDED, UNDECIDED, WINNABLE)
    found, progress = await verdict(questions)
    assert [args[:2] for args in pool.asked] == [("puzzle", seconds) for seconds in SLICES]
    assert [set(one) for one in progress] == [{"positions", "millis"}] * 2
    assert (found["verdict"], found["positions"], set(found)) == ("winnable", 20, {"verdict", "positions", "millis"})


async def test_undecided_after_the_last_slice_is_the_verdict() -> None:
    """Nothing is told before it but after the first two."""
    found, progress = await verdict(solving(UNDECIDED, UNDECIDED, UNDECIDED)[0])
    assert (found["verdict"], len(progress)) == ("undecided", 2)


async def test_a_solver_at_its_own_end_gets_no_more_time() -> None:
    """It would find nothing more."""
    found, progress = await verdict(solving({**UNDECIDED, "finished": True})[0])
    assert (found["verdict"], progress) == ("undecided", [])


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (Busy("x"), "already_thinking"),
        (TooLong("x"), "thinking_failed"),
        (Failed("x"), "thinking_failed"),
    ],
)
async def test_every_failure_has_its_word(fault: NotThought, code: str) -> None:
    """And afterwards the player may ask again."""
    questions, _ = solving(fault, WINNABLE, fault, None, fault, b"x" * 32)
    with pytest.raises(RuleViolation, match=code):
        await verdict(questions)
    assert (await verdict(questions))[0]["verdict"] == "winnable"
    with pytest.raises(RuleViolation, match=code):
        await questions.line_hint(ADA, "puzzle")
    assert await questions.line_hint(ADA, "puzzle") is None
    with pytest.raises(RuleViolation, match=code):
        await questions.winnable(ADA, "rules")
    assert await questions.winnable(ADA, "rules") == b"x" * 32


async def test_no_winnable_deal_is_found() -> None:
    """Of thirty: the player may ask again."""
    questions, pool = solving(None)
    with pytest.raises(RuleViolation, match="thinking_failed"):
        await questions.winnable(ADA, "rules")
    seeds = pool.asked[0][1]
    assert len(set(seeds)) == 30
    assert {len(seed) for seed in seeds} == {32}


async def test_one_question_at_a_time() -> None:
    """Also between two slices; another player's is another; who goes away may ask again."""
    questions, pool = solving(WINNABLE, WINNABLE)
    pool.hold.clear()
    asking = asyncio.get_running_loop().create_task(verdict(questions))
    await pool.begun.wait()
    with pytest.raises(RuleViolation, match="already_thinking"):
        await questions.winnable(ADA, "rules")
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    pool.hold.set()
    assert (await verdict(questions))[0]["verdict"] == "winnable"
    assert (await verdict(questions, BOB))[0]["verdict"] == "winnable"
