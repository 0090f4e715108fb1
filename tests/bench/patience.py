"""How often patiences are won, and how fast the solvers are, over numbered deals.

    python -m tests.bench.patience [--first 1] [--deals 1000] [--seconds 1.0] [--only zopf] [--variants]

The naive player plays whatever fits, fills what is empty and turns the next card; the sensible player follows
the hints. Intervals are 95 % (Wilson). Beside them stand what the seeds' texts claim and what independent programs
have measured. A deal is undecided if the solver has no verdict after the seconds given.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from server.games import compiled
from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.hints import hint
from server.games.patience.layout import Move, Patience, Position
from server.games.patience.solver.solve import solve
from server.games.patience.solver.verdict import Limits, Solution, Verdict
from server.games.patience.zopf import Zopf

Player = Callable[[Patience, Position], Move | None]
MOST_MOVES = 1000
CHANCE = random.Random(1)


@dataclass(frozen=True)
class Known:
    """What others say of a game: of the naive player, of a sensible one, of the solver; and the seed's claim."""

    naive: str = ""
    sensible: str = ""
    solver: str = ""
    claim: str = ""


BASE: list[tuple[Patience, Known]] = [
    (Carpet(), Known("71.6", "84.4", "95.20 [95.07, 95.33]", "about three of four")),
    (Burgvoegtin(), Known("12.6", "34.4 to 37.1", "74.97 [74.36, 75.57]", "one of four or five")),
    (Zopf(), Known("10.8", "29.8", "between 74.6 and 78.5")),
    (Archway(), Known(claim="rarely")),
]
VARIANTS: list[tuple[Patience, Known]] = [
    (Carpet(foster=True), Known(solver="60.1")),
    (Burgvoegtin(strict=True), Known(solver="74.8")),
    (Burgvoegtin(open_packets=True), Known(solver="82.1")),
    (Zopf(either_direction=True), Known(solver="92.7 to 94.4")),
    (Zopf(single_twins=True), Known(solver="89.6 to 96.8")),
    (Zopf(long_braid=True), Known(solver="44.5 to 52.5")),
    (Zopf(build_on_sides=True), Known()),
    (Archway(meet=True), Known()),
]


def naive(rules: Patience, position: Position) -> Move | None:
    """Any move that fits on a foundation, of packets and columns before the arch; else any gap; else the next card."""
    moves = [move for move in rules.moves(position) if not move.source.startswith(("up", "down"))]
    if not moves:
        return None
    best = min(map(_eagerness, moves))
    return CHANCE.choice([move for move in moves if _eagerness(move) == best])


def _eagerness(move: Move) -> tuple[bool, bool, bool]:
    turns = move.target in ("waste", "stock")
    return turns, move.target not in ("foundation", "up", "down"), move.source.startswith("arch")


def sensible(rules: Patience, position: Position) -> Move | None:
    """What the hint says."""
    found = hint(rules, position)
    return None if found is None else found.move


def wins(rules: Patience, numbers: range, player: Player) -> int:
    """How many of these deals a player wins."""
    count = 0
    for number in numbers:
        position = rules.start(rules.lay(rules.pack(number), number))
        for _ in range(MOST_MOVES):
            move = player(rules, position)
            if move is None:
                break
            position = rules.play(position, move)
        count += rules.won(position)
    return count


def solved(rules: Patience, numbers: range, seconds: float) -> Iterator[tuple[Solution, float]]:
    """The verdicts, each with its seconds."""
    for number in numbers:
        position = rules.start(rules.lay(rules.pack(number), number))
        began = time.perf_counter()
        end = began + seconds
        solution = solve(rules, position, Limits(stop=lambda end=end: time.perf_counter() > end))  # type: ignore[misc]
        yield solution, time.perf_counter() - began


def interval(count: int, of: int) -> str:
    """A share with its 95 % interval by Wilson, in percent."""
    z, share = 1.96, count / of
    middle = (share + z * z / (2 * of)) / (1 + z * z / of)
    half = z * (share * (1 - share) / of + z * z / (4 * of * of)) ** 0.5 / (1 + z * z / of)
    return f"{100 * share:.1f} [{100 * (middle - half):.1f}, {100 * (middle + half):.1f}]"


def name_of(rules: Patience) -> str:
    """The game and the variants that are on."""
    on = [field.name for field in fields(rules) if getattr(rules, field.name) is not field.default]  # type: ignore[arg-type]
    return " ".join([rules.name, *on])


def report_players(rules: Patience, known: Known, numbers: range) -> None:
    """Prints how often the players win."""
    for title, player, others in (("naive", naive, known.naive), ("sensible", sensible, known.sensible)):
        began = time.perf_counter()
        share = interval(wins(rules, numbers, player), len(numbers))
        print(f"{name_of(rules):28} {title:9} {share:22} others: {others:22} ({time.perf_counter() - began:.0f} s)")


def report_solver(rules: Patience, known: Known, numbers: range, seconds: float) -> None:
    """Prints what the solver decides, and how fast."""
    found = list(solved(rules, numbers, seconds))
    counts = {verdict: sum(one.verdict is verdict for one, _ in found) for verdict in Verdict}
    times = sorted(spent for _, spent in found)
    total = sum(times)
    decided = len(found) - counts[Verdict.UNDECIDED]
    least, most = counts[Verdict.WINNABLE], len(found) - counts[Verdict.UNWINNABLE]
    share = interval(least, len(found))
    if least < most:
        share += f" to {interval(most, len(found))}"
    print(f"{name_of(rules):28} solver    {share:22} others: {known.solver:22} claim: {known.claim}")
    print(
        f"{'':38} winnable {least}, unwinnable {counts[Verdict.UNWINNABLE]}, undecided at {seconds:g} s "
        f"{counts[Verdict.UNDECIDED]} ({100 * counts[Verdict.UNDECIDED] / len(found):.1f} %)"
    )
    positions = sum(one.positions for one, _ in found)
    print(
        f"{'':38} {decided / total:,.0f} decided deals/s, {positions / total:,.0f} positions/s, "
        f"median {1000 * statistics.median(times):.1f} ms, p99 {1000 * times[len(times) * 99 // 100]:.0f} ms"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.patience")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", default="", help="one game")
    parser.add_argument("--variants", action="store_true", help="the variants, with the solver alone")
    options = parser.parse_args(arguments)
    numbers = range(options.first, options.first + options.deals)
    print(f"deals {numbers[0]} to {numbers[-1]}, in percent; {'with' if compiled.COMPILES else 'without'} Numba")
    for rules, known in VARIANTS if options.variants else BASE:
        if options.only in ("", rules.name):
            if not options.variants:
                report_players(rules, known, numbers)
            list(solved(rules, range(1, 4), options.seconds))  # compiles
            report_solver(rules, known, numbers, options.seconds)


if __name__ == "__main__":
    main()
