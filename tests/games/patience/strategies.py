"""Random rules, deals, and lines of play that shrink to short ones."""

import random
from dataclasses import fields
from itertools import product

from hypothesis import strategies as st

from server.games.patience.deals import MOST
from server.games.patience.layout import Patience, Position
from server.games.patience.options import PATIENCES


def every_rules() -> list[Patience]:
    """All combinations of variants that are allowed."""
    found: list[Patience] = []
    for kind in PATIENCES.values():
        names = [one.name for one in fields(kind)]  # type: ignore[arg-type]
        for values in product((False, True), repeat=len(names)):
            chosen = dict(zip(names, values, strict=True))
            if not chosen.get("braid_builds") or chosen["build_on_sides"]:
                found.append(kind(**chosen))
    return found


RULES = every_rules()


def rules() -> st.SearchStrategy[Patience]:
    """Every patience with every allowed combination of variants."""
    return st.sampled_from(RULES)


def numbers() -> st.SearchStrategy[int]:
    """Deal numbers, small and large."""
    return st.one_of(st.integers(1, 31_999), st.integers(1, MOST))


def choices() -> st.SearchStrategy[list[int]]:
    """Which of the allowed moves is made at each step, for a whole deal or its beginning."""
    return st.builds(_numbers, st.integers(0, 250), st.integers(0, 2**32))


def _numbers(length: int, seed: int) -> list[int]:
    rng = random.Random(seed)
    return [rng.randrange(1000) for _ in range(length)]


def chosen(rules: Patience, position: Position, choice: int) -> str | None:
    """The move that a choice picks, those to foundations more likely; None if there is none."""
    moves = rules.moves(position)
    if not moves:
        return None
    to_foundations = [move for move in moves if move.target in ("foundation", "up", "down")]
    out = [move for move in to_foundations if not move.source.startswith(("up", "down"))]
    return str((4 * out + list(moves))[choice % (4 * len(out) + len(moves))])
