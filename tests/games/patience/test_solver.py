"""The solvers: exact in what they claim, with lines that replay, and limits that hold."""

import ast
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from server.games import compiled
from server.games.patience import hints
from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.deals import hidden_number
from server.games.patience.hint import Reason
from server.games.patience.layout import Move, Patience, Position
from server.games.patience.solver.solve import line_hint, solve, solve_deal, winnable_entropy
from server.games.patience.solver.verdict import Limits, Verdict
from server.games.patience.zopf import Zopf
from tests.games.patience.endgames import can_be_won, endgame, unplayed
from tests.games.patience.scenes import position

EXACT: list[Patience] = [
    Carpet(),
    Burgvoegtin(),
    Burgvoegtin(strict=True),
    Burgvoegtin(open_packets=True),
    Burgvoegtin(strict=True, open_packets=True),
    Archway(),
    Archway(columns_refill=True),
    Archway(meet=True),
]
PARTLY: list[Patience] = [
    Zopf(),
    Zopf(fill_corners=False),
    Zopf(either_direction=True),
    Zopf(build_on_sides=True),
    Zopf(build_on_sides=True, braid_builds=True),
]
"""Those whose solver may be undecided."""


def replayed(rules: Patience, where: Position, line: tuple[Move, ...]) -> Position:
    """The position after a line, each move of which must be allowed."""
    for move in line:
        assert rules.refusal(where, move) is None, move
        where = rules.play(where, move)
    return where


@pytest.mark.parametrize("rules", [*EXACT, *PARTLY], ids=repr)
def test_verdicts_on_endgames_are_those_of_trying_everything(rules: Patience) -> None:
    """Winnable and unwinnable are right, and where the solver is exact nothing stays undecided."""
    compare(rules, range(24))


@pytest.mark.long
@pytest.mark.parametrize("rules", [*EXACT, *PARTLY], ids=repr)
def test_verdicts_on_many_endgames(rules: Patience) -> None:
    """The same more often."""
    compare(rules, range(1000, 1150))


def compare(rules: Patience, seeds: range) -> None:
    """Compares verdicts on random endgames with what trying every line finds."""
    found: Counter[Verdict] = Counter()
    for seed in seeds:
        where = endgame(rules, seed)
        solution = solve(rules, where, Limits(positions=50_000))
        truth = can_be_won(rules, where)
        if solution.verdict is Verdict.WINNABLE:
            assert rules.won(replayed(rules, where, solution.line))
            assert truth is not False
        elif solution.verdict is Verdict.UNWINNABLE:
            assert truth is not True
        else:
            assert rules not in EXACT
        found[solution.verdict] += 1
    assert found[Verdict.WINNABLE] > 3
    assert found[Verdict.UNWINNABLE] > 3 or rules in PARTLY


@pytest.mark.parametrize("rules", [Archway(), Archway(meet=True), Burgvoegtin(), Burgvoegtin(strict=True)], ids=repr)
def test_a_deal_played_backwards_can_be_won(rules: Archway | Burgvoegtin) -> None:
    """Whole deals made from their end, which for Archway hardly any number gives."""
    for seed in range(20):
        where = unplayed(rules, seed)
        solution = solve(rules, where)
        if solution.verdict is not Verdict.WINNABLE:
            assert isinstance(rules, Burgvoegtin)
            assert rules.strict
        else:
            assert rules.won(replayed(rules, where, solution.line))


@pytest.mark.parametrize(
    ("rules", "numbers", "winnable"),
    [
        (Carpet(), range(1, 21), "WWWWWWWWWWWWWWWWWWWW"),
        (Carpet(foster=True), range(1, 21), "-WWWW-WWWWWWW-W-W-W-"),
        (Burgvoegtin(), range(1, 21), "WW-WW-WWWWWWWWWWWWWW"),
        (Burgvoegtin(strict=True), range(1, 11), "WW-WW-WWWW"),
        (Burgvoegtin(open_packets=True), range(1, 11), "WWWWW--WWW"),
    ],
    ids=repr,
)
def test_numbered_deals(rules: Patience, numbers: range, winnable: str) -> None:
    """The verdicts on PySolFC's first deals, W winnable and - not; every line replays."""
    found = ""
    for number in numbers:
        solution = solve_deal(rules, number)
        if solution.verdict is Verdict.WINNABLE:
            assert rules.won(replayed(rules, rules.start(rules.lay(rules.pack(number), number)), solution.line))
        found += {Verdict.WINNABLE: "W", Verdict.UNWINNABLE: "-"}.get(solution.verdict, "?")
    assert found == winnable


@pytest.mark.parametrize("rules", [Zopf(), Zopf(either_direction=True), Zopf(fill_corners=False)], ids=repr)
def test_lines_of_zopf_replay(rules: Patience) -> None:
    """Of the first deals some are won by a line, and some are refuted, also where the player fills the corners."""
    found: Counter[Verdict] = Counter()
    for number in range(1, 8):
        solution = solve_deal(rules, number, Limits(positions=30_000 if compiled.COMPILES else 3_000))
        if solution.verdict is Verdict.WINNABLE:
            assert rules.won(replayed(rules, rules.lay(rules.pack(number), number), solution.line))
        found[solution.verdict] += 1
    assert found[Verdict.WINNABLE] or not compiled.COMPILES


def test_the_same_without_numba() -> None:
    """The verdicts, lines and counts of positions do not depend on the compiler."""
    script = "from tests.games.patience.test_solver import few_solutions\nprint(few_solutions())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    output = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True, timeout=100
    ).stdout
    assert output.strip() == str(few_solutions())


def few_solutions() -> list[tuple[str, int, int, int]]:
    """Verdict, positions, and length and hash of the line, for a few quick deals."""
    quick: list[tuple[Patience, int]] = [
        (Carpet(), 1),
        (Carpet(foster=True), 2),
        (Burgvoegtin(), 2),
        (Burgvoegtin(strict=True), 2),
        (Archway(), 1),
        (Zopf(), 1),
        (Zopf(), 2),
        (Zopf(), 4),
    ]
    found = []
    for rules, number in quick:
        solution = solve_deal(rules, number, Limits(positions=1_500))
        letters = sum(place * len(str(move)) for place, move in enumerate(solution.line))
        found.append((str(solution.verdict), solution.positions, len(solution.line), letters))
    return found


@pytest.mark.parametrize("rules", [Carpet(), Burgvoegtin(), Zopf()], ids=repr)
def test_limits_stop_and_progress(rules: Patience) -> None:
    """A solver that is stopped says that it does not know; it tells how far it is."""
    hard = next(n for n in range(1, 200) if solve_deal(rules, n, Limits(positions=40_000)).positions >= 20_000)
    told: list[int] = []
    asked: list[bool] = []

    def stop() -> bool:
        asked.append(True)
        return True

    solution = solve_deal(rules, hard, Limits(stop=stop, progress=told.append))
    assert solution.verdict is Verdict.UNDECIDED
    assert solution.line == ()
    assert told
    assert len(asked) <= 2


def test_deal_me_a_winnable_one() -> None:
    """The first bytes whose deal can be won; none if none can."""
    seeds = [bytes([seed]) * 32 for seed in range(12)]
    found = winnable_entropy(Burgvoegtin(), seeds)
    assert found is not None
    verdicts = [solve_deal(Burgvoegtin(), hidden_number(seed)).verdict for seed in seeds]
    assert seeds.index(found) == verdicts.index(Verdict.WINNABLE)
    lost = [seed for seed, verdict in zip(seeds, verdicts, strict=True) if verdict is Verdict.UNWINNABLE]
    assert winnable_entropy(Burgvoegtin(), lost) is None


def test_a_hint_can_follow_the_solvers_line() -> None:
    """Its moves one after another win; a lost deal has none."""
    rules = Carpet()
    number = next(n for n in range(1, 20) if solve_deal(rules, n).verdict is Verdict.WINNABLE)
    where = rules.lay(rules.pack(number), number)
    for _ in range(200):
        found = line_hint(rules, where)
        if found is None:
            break
        assert found.reason is Reason.SOLVER_LINE
        where = rules.play(where, found.move)
    assert rules.won(where)
    assert line_hint(rules, position(rules, foundation1="AC", carpet1="3C")) is None


def test_no_hint_view_or_decision_knows_the_solver() -> None:
    """Nothing that makes a player's view imports what sees hidden cards."""
    folder = Path(hints.__file__).parent
    for file in folder.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not any("solver" in name for name in names), file.name
