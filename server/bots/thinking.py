"""The jobs of a process that thinks: what a bot does, and what a finished deal was worth.

What is heavy (the compiled solver) is loaded when a job runs, so the server itself never loads it.
"""

from random import Random
from typing import Final

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
