"""The solver for Carpet: exact for every deal, also in the middle and in Foster's way."""

from array import array

from server.games.patience.cards import PACK
from server.games.patience.carpet import CARPET, Carpet
from server.games.patience.layout import DRAW, Move, Position
from server.games.patience.solver import carpet_search as kernel
from server.games.patience.solver.verdict import Limits, Solution, Verdict

SLICE = 20_000
SMALLEST = 1 << 12
LARGEST = 1 << 22


def solve_carpet(rules: Carpet, position: Position, limits: Limits) -> Solution:
    """Whether a position can be won, and how. `unwinnable` only after every state was looked at."""
    size, positions = SMALLEST, 0
    while True:
        work = _begin(rules, position)
        found = _search(rules, position, work, array("q", bytes(8 * size)), limits)
        positions += work[1]
        if found != kernel.FULL or size == LARGEST:
            break
        size *= 8 if size < LARGEST // 8 else LARGEST // size
    if found == kernel.WON:
        return Solution(Verdict.WINNABLE, _line(rules, position, work), positions)
    return Solution(Verdict.UNWINNABLE if found == kernel.LOST else Verdict.UNDECIDED, (), positions)


def _begin(rules: Carpet, position: Position) -> "array[int]":
    """The work area with the position on the stack."""
    work = kernel.fresh_work()
    work[0] = -1
    waste = rules.cards(position, "waste")
    heights = sum(len(cards) << 4 * suit for suit, cards in enumerate(position.piles[:4]))
    kernel.push(_places(rules, position), work, len(waste), (1 << len(waste)) - 1, heights)
    return work


def _places(rules: Carpet, position: Position) -> "array[int]":
    """Where each card of the pack lies in the line of waste and stock; -1 if elsewhere."""
    line = (*rules.cards(position, "waste"), *reversed(rules.cards(position, "stock")))
    return array("q", [line.index(card) if card in line else -1 for card in PACK])


def _search(rules: Carpet, position: Position, work: "array[int]", table: "array[int]", limits: Limits) -> int:
    places = _places(rules, position)
    length = len(rules.cards(position, "waste")) + len(rules.cards(position, "stock"))
    while work[1] < limits.positions:
        found: int = kernel.search(places, length, work, table, SLICE)
        if found != kernel.MORE:
            return found
        limits.progress(work[1])
        if limits.stop():
            break
    return kernel.MORE


def _line(rules: Carpet, position: Position, work: "array[int]") -> tuple[Move, ...]:
    """The moves of the decisions on the stack, with every move to the foundations made in between."""
    line: list[Move] = []
    for depth in range(work[0] + 1):
        while (move := rules.safe(position)) is not None:
            line.append(move)
            position = rules.play(position, move)
        if depth < work[0]:
            fills = work[kernel.FIRST + kernel.FRAME * depth + 3] == 1
            hole = next((name for name in CARPET if not rules.cards(position, name)), "")
            line.append(Move("waste", hole) if fills else DRAW)
            position = rules.play(position, line[-1])
    return tuple(line)
