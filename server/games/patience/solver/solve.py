"""Solvers: whether a deal can be won with all cards known, and how.

Verdicts are spoilers: the player asks for them, and the deal is then marked as helped. Everything here sees
hidden cards and must never run where a player's view or hint is made.
"""

from collections.abc import Iterable

from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.deals import hidden_number
from server.games.patience.hint import Hint, Reason
from server.games.patience.layout import Patience, Position
from server.games.patience.solver.archway import solve_archway
from server.games.patience.solver.burgvoegtin import solve_burgvoegtin
from server.games.patience.solver.carpet import solve_carpet
from server.games.patience.solver.verdict import Limits, Solution, Verdict
from server.games.patience.solver.zopf import solve_zopf
from server.games.patience.zopf import Zopf


def solve(rules: Patience, position: Position, limits: Limits | None = None) -> Solution:
    """The verdict on a position, with the line that wins if one was found; it replays through the rules."""
    limits = limits or Limits()
    match rules:
        case Carpet():
            return solve_carpet(rules, position, limits)
        case Burgvoegtin():
            return solve_burgvoegtin(rules, position, limits)
        case Archway():
            return solve_archway(rules, position, limits)
        case Zopf():
            return solve_zopf(rules, position, limits)
        case _:
            return Solution(Verdict.UNDECIDED, (), 0)


def solve_deal(rules: Patience, number: int, limits: Limits | None = None) -> Solution:
    """The verdict on a numbered deal, from the player's first position."""
    return solve(rules, rules.start(rules.lay(rules.pack(number), number)), limits)


def winnable_entropy(rules: Patience, seeds: Iterable[bytes], limits: Limits | None = None) -> bytes | None:
    """The first of these 32 bytes that give an ordinary deal which can be won; None if none does.

    For *deal me a winnable one*: the table's `deal` then gets a moment with these bytes.
    """
    for seed in seeds:
        if solve_deal(rules, hidden_number(seed), limits).verdict is Verdict.WINNABLE:
            return seed
    return None


def line_hint(rules: Patience, position: Position, limits: Limits | None = None) -> Hint | None:
    """The next move of a line that wins, if the solver finds one; only for a deal that is marked as helped."""
    line = solve(rules, position, limits).line
    return Hint(line[0], Reason.SOLVER_LINE) if line else None
