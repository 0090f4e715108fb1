"""What the solvers' jobs say: they see time only as the clock that they are given."""

import itertools

from server.bots.thinking import line_hinted, solved, winnable
from server.games.patience.carpet import Carpet
from server.games.patience.deals import hidden_number
from server.games.patience.layout import Position, move_of
from server.games.patience.solver.solve import solve_deal
from server.games.patience.solver.verdict import Verdict
from server.games.patience.zopf import Zopf

CARPET, ZOPF = Carpet(), Zopf()
SEEDS = tuple(bytes([number]) * 32 for number in range(40))


def stands() -> float:
    """A clock on which no time passes."""
    return 0.0


def dealt(rules: Carpet | Zopf, number: int) -> Position:
    """The player's first position."""
    return rules.start(rules.lay(rules.pack(number), number))


def test_a_verdict() -> None:
    """With how many positions were looked at, and that the solver came to its end."""
    found = solved((CARPET, dealt(CARPET, 3)), 1.0, stands)
    assert found == {"verdict": "winnable", "positions": solve_deal(CARPET, 3).positions, "finished": True}


def test_time_ends_it() -> None:
    """A clock that runs fast: nothing is decided, and more time might help."""
    ticks = itertools.count()
    found = solved((ZOPF, dealt(ZOPF, 14)), 3.0, lambda: float(next(ticks)))
    assert (found["verdict"], found["finished"]) == ("undecided", False)


def test_the_next_move_of_a_line() -> None:
    """As a hint; none where no line is found."""
    position = dealt(CARPET, 3)
    for _ in range(300):
        if CARPET.won(position):
            break
        hint = line_hinted((CARPET, position), 1.0, stands)
        assert hint is not None
        assert (hint["reason"], hint["about"]) == ("hint.solver_line", None)
        position = CARPET.play(position, move_of(hint["move"]))
    assert CARPET.won(position)
    lost = next(number for number in itertools.count(1) if solve_deal(CARPET, number).verdict is Verdict.UNWINNABLE)
    assert line_hinted((CARPET, dealt(CARPET, lost)), 1.0, stands) is None


def test_the_first_bytes_that_can_be_won() -> None:
    """Those before them cannot; of bytes that cannot, none."""
    found = {seed: solve_deal(CARPET, hidden_number(seed)).verdict for seed in SEEDS}
    first = next(seed for seed in SEEDS if found[seed] is Verdict.WINNABLE)
    assert winnable(CARPET, SEEDS, 1.0, stands) == first
    lost = tuple(seed for seed in SEEDS if found[seed] is Verdict.UNWINNABLE)
    assert winnable(CARPET, lost, 1.0, stands) is None
