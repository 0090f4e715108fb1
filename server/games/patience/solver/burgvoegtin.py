"""The solver for Burgvögtin: exact, also with open packets and in the middle of a deal.

In the strict way a deal that cannot be won in the usual way cannot be won either; else lines are looked for
with the arch cards that help a packet, and last with all.
"""

from array import array
from collections.abc import Sequence

from server.games.patience.burgvoegtin import ARCH, PACKETS, Burgvoegtin
from server.games.patience.cards import RANK, RANKS
from server.games.patience.layout import FOUNDATION, Move, Position
from server.games.patience.solver import burgvoegtin_search as kernel
from server.games.patience.solver.verdict import Limits, Solution, Verdict

SLICE = 20_000
HEADS = 13**4
FEWEST = 1 << 14
MOST = 1 << 22


def solve_burgvoegtin(rules: Burgvoegtin, position: Position, limits: Limits) -> Solution:
    """Whether a position can be won, and how. `unwinnable` only after every line was given up for a reason."""
    deal = _deal(rules, position)
    found, work = _search(deal, position, kernel.CHAINS, limits, 0)
    positions = work[1]
    if rules.strict and found == kernel.WON:
        found, work = _search(deal, position, kernel.STRICT_CHAINS, limits, positions)
        positions += work[1]
        if found != kernel.WON:
            found, work = _search(deal, position, kernel.STRICT_ALL, limits, positions)
            positions += work[1]
    if found == kernel.WON:
        return Solution(Verdict.WINNABLE, _line(rules, position, _choices(work)), positions)
    return Solution(Verdict.UNWINNABLE if found == kernel.LOST else Verdict.UNDECIDED, (), positions)


def _deal(rules: Burgvoegtin, position: Position) -> "array[int]":
    """The deal as the search wants it."""
    deal = array("q", bytes(8 * kernel.SIZE))
    for number, packet in enumerate(PACKETS):
        cards = rules.cards(position, packet)
        deal[kernel.LENGTHS + number] = len(cards)
        for place, card in enumerate(reversed(cards)):
            deal[kernel.PACKET * number + place] = RANK[card]
    for rank, arch in enumerate(ARCH, 2):
        deal[kernel.ARCH + rank] = len(rules.cards(position, arch))
        deal[kernel.START + rank] = _reached(position, rank)
    return deal


def _reached(position: Position, rank: int) -> int:
    return sum(len(cards) >= rank for cards in position.piles[:8])


def _search(deal: "array[int]", position: Position, way: int, limits: Limits, before: int) -> tuple[int, "array[int]"]:
    """Searches this way; with more room for states if it was too small, from the beginning."""
    room = FEWEST
    while True:
        work = kernel.fresh_work()
        work[0], work[3] = -1, way
        profile = sum(_reached(position, rank) << kernel.FIELD * (rank - 2) for rank in range(2, 14))
        kernel.push(deal, work, 0, profile, _reached(position, 1))
        found = _in_room(deal, work, room, limits, before)
        if found != kernel.FULL or room >= MOST:
            return found, work
        before, room = before + work[1], room * 16


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


def _choices(work: "array[int]") -> list[int]:
    """The moves of the frames on the stack."""
    return [work[kernel.FIRST + kernel.FRAME * depth + 3] for depth in range(work[0])]


def _line(rules: Burgvoegtin, position: Position, choices: Sequence[int]) -> tuple[Move, ...]:
    """The moves of these choices: a packet with the arch cards that it needs, or a card of the arch."""
    line: list[Move] = []
    for choice in choices:
        moves = [_of_arch(choice - 3)] if choice > 3 else _dig(rules, position, PACKETS[choice])
        for move in moves:
            line.append(move)
            position = rules.play(position, move)
    while (safe := rules.safe(position)) is not None:
        line.append(safe)
        position = rules.play(position, safe)
    return tuple(line)


def _of_arch(rank: int) -> Move:
    return Move(f"arch{RANKS[rank - 1]}", FOUNDATION, 1)


def _dig(rules: Burgvoegtin, position: Position, packet: str) -> list[Move]:
    """The arch cards that a packet's top card needs, the lowest first, and the card."""
    rank = RANK[rules.cards(position, packet)[-1]]
    heights = {len(cards) for cards in position.piles[:8]}
    low = rank
    while low - 1 not in heights:
        low -= 1
    return [*(_of_arch(one) for one in range(low, rank)), Move(packet, FOUNDATION)]
