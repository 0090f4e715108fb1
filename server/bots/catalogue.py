"""The games that bots can play. A new one is one line here; what a game needs is loaded when it is first asked.

Loading may take seconds, and brings in the compiler of the solvers: ask in a process that only thinks.
"""

from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any, Final

from server.games.game import Plain
from server.table.strength import Strength

USUAL_BUDGET: Final = 100
"""How much a bot thinks, in per cent of what its strength usually does."""


@dataclass(frozen=True, slots=True)
class Thinkers:
    """The modules of a game: `bots` has its `choose`, `explainer` its `explain`."""

    bots: str
    explainer: str


CATALOGUE: Final = {"kop": Thinkers("server.bots.kop", "server.games.kop.explain")}


def choose(game: str, seen: Plain, strength: Strength, rng: Random, budget: int = USUAL_BUDGET) -> str:
    """One of the actions in what a seat has seen; it depends on the arguments alone, and not on time.

    Ask only for a seat that has something to do (of which the game's `quiet` is not None): one that may
    but need not call is not asked whether it wants to.
    """
    bots: Any = import_module(CATALOGUE[game].bots)
    return str(bots.choose(seen, strength, rng, budget))


def explain(game: str, record: Plain) -> Plain:
    """What a finished deal was worth with open hands, and what each decision cost.

    Raises:
        BadRecord: the game's own; the record does not replay.
    """
    explainer: Any = import_module(CATALOGUE[game].explainer)
    explained: Plain = explainer.explain(record)
    return explained
