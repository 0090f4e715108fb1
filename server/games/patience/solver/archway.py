"""The solver for Archway: exact, also with cards that cross and in the middle of a deal.

A refilled column changes nothing, since arch cards are free anyway.
"""

from array import array

from server.games.patience.archway import ARCH, COLUMNS, Archway
from server.games.patience.cards import PACK, RANK, RANKS, SUIT, SUITS, Card
from server.games.patience.layout import Move, Position
from server.games.patience.solver import archway_search as kernel
from server.games.patience.solver.verdict import Limits, Solution, Verdict

SLICE = 20_000
HEADS = 13**4
FEWEST = 1 << 14
MOST = 1 << 22


def solve_archway(rules: Archway, position: Position, limits: Limits) -> Solution:
    """Whether a position can be won, and how. `unwinnable` only after every line was given up for a reason."""
    deal = _deal(rules, position)
    room, positions = FEWEST, 0
    while True:
        work = kernel.fresh_work()
        work[0] = -1
        kernel.push(work, 0, deal[kernel.START])
        found = _in_room(deal, work, room, limits, positions)
        positions += work[1]
        if found != kernel.FULL or room >= MOST:
            break
        room *= 16
    if found == kernel.WON:
        choices = [work[kernel.FIRST + kernel.FRAME * depth + 3] for depth in range(work[0])]
        return Solution(Verdict.WINNABLE, _line(rules, position, choices), positions)
    return Solution(Verdict.UNWINNABLE if found == kernel.LOST else Verdict.UNDECIDED, (), positions)


def _deal(rules: Archway, position: Position) -> "array[int]":
    """The deal as the search wants it."""
    deal = array("q", bytes(8 * kernel.SIZE))
    for number, column in enumerate(COLUMNS):
        cards = rules.cards(position, column)
        deal[kernel.LENGTHS + number] = len(cards)
        for place, card in enumerate(reversed(cards)):
            deal[12 * number + place] = PACK.index(card)
    for arch in ARCH:
        for card in rules.cards(position, arch):
            deal[kernel.ARCH + PACK.index(card)] += 1
    deal[kernel.START] = sum(len(cards) << 5 * place for place, cards in enumerate(position.piles[:8]))
    deal[kernel.MEET] = int(rules.meet)
    return deal


def _in_room(deal: "array[int]", work: "array[int]", room: int, limits: Limits, before: int) -> int:
    heads, nodes = array("q", bytes(8 * HEADS)), array("q", bytes(16 * room))
    while before + work[1] < limits.positions:
        found: int = kernel.search(deal, work, heads, nodes, SLICE)
        if found != kernel.MORE:
            return found
        limits.progress(before + work[1])
        if limits.stop():
            break
    return kernel.MORE


def _line(rules: Archway, position: Position, choices: list[int]) -> tuple[Move, ...]:
    """The moves of these choices, and everything that goes out at the end."""
    line: list[Move] = []
    for choice in choices:
        column, way = COLUMNS[choice // 3], choice % 3
        for move in _crossed(rules, position, column) if way == 2 else _dig(rules, position, column, down=way == 1):
            line.append(move)
            position = rules.play(position, move)
    while moves := [move for move in rules.moves(position) if move.source.startswith("arch")]:
        line.append(next(move for move in moves if move.target in ("up", "down")))
        position = rules.play(position, line[-1])
    return tuple(line)


def _dig(rules: Archway, position: Position, column: str, *, down: bool) -> list[Move]:
    """The arch cards that a column's last card needs, and the card."""
    card = rules.cards(position, column)[-1]
    kind, step = ("down", -1) if down else ("up", 1)
    suit = SUITS[SUIT[card]]
    reached = RANK[rules.cards(position, kind + suit)[-1]]
    moves: list[Move] = []
    for rank in range(reached + step, RANK[card], step):
        arch = f"arch{RANKS[rank - 1]}"
        moves.append(Move(arch, kind, rules.cards(position, arch).index(Card(RANKS[rank - 1] + suit)) + 1))
    return [*moves, Move(column, kind)]


def _crossed(rules: Archway, position: Position, column: str) -> list[Move]:
    """The arch cards between the foundations of a suit, the cards that cross, and the column's card."""
    card = rules.cards(position, column)[-1]
    suit = SUITS[SUIT[card]]
    up, down = (RANK[rules.cards(position, kind + suit)[-1]] for kind in ("up", "down"))
    moves: list[Move] = []
    for rank in range(up + 1, down):
        arch = f"arch{RANKS[rank - 1]}"
        moves.append(Move(arch, "up", rules.cards(position, arch).index(Card(RANKS[rank - 1] + suit)) + 1))
    meeting, wanted = down - 1, max(1, RANK[card] - 1)
    crossing = Move(f"down{suit}", "up") if meeting < wanted else Move(f"up{suit}", "down")
    moves += [crossing] * abs(wanted - meeting)
    return [*moves, Move(column, "up" if RANK[card] > 1 else "down")]
