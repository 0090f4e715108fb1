"""The jobs of a process that thinks: what a bot does, what a finished deal was worth, and what a solver finds.

What is heavy (the compiled solver) is loaded when a job runs, so the server itself never loads it.
Solvers see hidden cards: what they find goes to who asked for it, and his deal is marked as helped.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from server.games.game import Plain
from server.table.strength import Strength

UNCOMPILED_BUDGET: Final = 10
"""In per cent, where the solver is not compiled: a thought must stay far shorter than the shortest wait."""


def thought(game: str, seen: Plain, strength: Strength, seed: int) -> str:
    """What a bot does that has seen this: one of its actions; `seed` decides between equals."""
    from server.bots.catalogue import USUAL_BUDGET, choose
    from server.games.compiled import COMPILES

    budget = USUAL_BUDGET if COMPILES else UNCOMPILED_BUDGET
    return choose(game, seen, strength, Random(seed), budget)  # noqa: S311  no secret


def explained(game: str, record: Plain) -> Plain:
    """What each decision of a finished deal was worth, all hands open."""
    from server.bots.catalogue import explain

    return explain(game, record)


Clock = Callable[[], float]
"""Gives seconds from some moment on; it is handed over with a job, since nothing here knows the time."""


def solved(puzzle: Any, seconds: float, clock: Clock) -> Plain:
    """The verdict on a deal after at most about so many seconds.

    `finished`: the solver has come to its own end, and more time would bring nothing.
    """
    from server.games.patience.solver.solve import solve
    from server.games.patience.solver.verdict import Limits

    rules, position = puzzle
    end = clock() + seconds
    solution = solve(rules, position, Limits(stop=lambda: clock() >= end))
    return {"verdict": solution.verdict.value, "positions": solution.positions, "finished": clock() < end}


def line_hinted(puzzle: Any, seconds: float, clock: Clock) -> Plain | None:
    """The next move of a line that wins, as a hint; None if none is found in about so many seconds."""
    from server.games.patience.hints import as_plain
    from server.games.patience.solver.solve import line_hint
    from server.games.patience.solver.verdict import Limits

    rules, position = puzzle
    end = clock() + seconds
    found = line_hint(rules, position, Limits(stop=lambda: clock() >= end))
    return None if found is None else as_plain(found)


def winnable(rules: Any, seeds: Sequence[bytes], seconds: float, clock: Clock) -> bytes | None:
    """The first of these bytes that make a deal which can be won, each looked at for at most about so long."""
    from server.games.patience.solver.solve import winnable_entropy
    from server.games.patience.solver.verdict import Limits

    for seed in seeds:
        end = clock() + seconds
        if winnable_entropy(rules, (seed,), Limits(stop=lambda end=end: clock() >= end)) is not None:  # type: ignore[misc]
            return seed
    return None
