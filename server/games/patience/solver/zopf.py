"""The solver for Zopf: a proof that a deal cannot be won, or a line that wins, or neither.

`unwinnable` is exact (see `zopf_bound`), and so is `winnable`, which comes with its line; but a deal can be
unwinnable without a proof being found. With `build_on_sides` there are more lines than the search knows: what it
finds is right, and with `braid_builds`, or rows on the table, it proves nothing.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from server.games.patience.cards import KING, PACK, RANK, SUIT, Card
from server.games.patience.layout import DRAW, FOUNDATION, REDEAL, Move, Position
from server.games.patience.solver import zopf_beam as beam
from server.games.patience.solver import zopf_bound as bound
from server.games.patience.solver import zopf_keep as keep
from server.games.patience.solver.verdict import Limits, Solution, Verdict
from server.games.patience.zopf import CORNERS, FREE, PASSES, SIDES, Zopf

SLICE = 20_000
BOUND_TABLE = 1 << 15
BOUND_NODES = 1 << 17

NEAR_CARDS = (20, 30, 3, 1, 3, 3, 60, 0, 4, 3, 3, 6, 3, 0, 8, 4)
ALL_CARDS = (20, 30, 3, 1, 3, 3, 90, 0, 4, 3, 3, 6, 3, 0, 8, 14)
NOISY = (20, 30, 3, 1, 3, 3, 60, 31, 4, 3, 3, 6, 3, 0, 8, 14)
BEAMS = ((32, NEAR_CARDS), (128, ALL_CARDS), (512, NEAR_CARDS), (1024, NOISY), (4096, NEAR_CARDS))
"""Widths and weights of the beams that are tried one after another."""
CHILDREN = 8
LOG = 1600
MASK = (1 << 62) - 1


def solve_zopf(rules: Zopf, position: Position, limits: Limits) -> Solution:
    """Whether a position can be won, and how, as far as that is found."""
    if rules.won(position):
        return Solution(Verdict.WINNABLE, (), 0)
    ways = (position.direction,) if position.direction else (1, -1)
    deals = [_Coded(rules, position, way) for way in ways]
    rows = any(len(rules.cards(position, side)) > 1 for side in SIDES)
    positions = 0
    if not rules.braid_builds:
        proofs = [_refuted(deal, limits) for deal in deals]
        positions = sum(looked for _, looked in proofs)
        deals = [deal for deal, (refuted, _) in zip(deals, proofs, strict=True) if not refuted]
        if not deals:
            return Solution(Verdict.UNWINNABLE, (), positions)
    for width, weights in () if rows else BEAMS:
        for deal in deals:
            actions, looked = _beam(deal, width, weights, limits, positions)
            positions += looked
            if actions is not None:
                return Solution(Verdict.WINNABLE, _line(rules, position, actions), positions)
            if positions >= limits.positions or limits.stop():
                return Solution(Verdict.UNDECIDED, (), positions)
    return Solution(Verdict.UNDECIDED, (), positions)


@dataclass(frozen=True)
class _Coded:
    """A position with its cards as numbers: 13 times the suit, + places after the base rank, in one direction."""

    rules: Zopf
    position: Position
    way: int

    def code(self, card: Card) -> int:
        return 13 * SUIT[card] + (RANK[card] - self.rules.base(self.position)) * self.way % KING

    def codes(self, name: str) -> list[int]:
        return [self.code(card) for card in self.rules.cards(self.position, name)]

    def heights(self) -> int:
        """Two fields of five bits for each suit, the higher foundation first."""
        found = 0
        for suit in range(4):
            low, high = sorted(len(cards) for cards in self.position.piles[2 * suit : 2 * suit + 2])
            found |= (low << 5 | high) << 10 * suit
        return found

    def blocked(self) -> list[int]:
        """Corners and braid in the order in which they come free."""
        corners = [code for corner in CORNERS for code in self.codes(corner)]
        return corners + self.codes("braid")[::-1]


def _refuted(coded: _Coded, limits: Limits) -> tuple[bool, int]:
    """Whether it is proved that the position cannot be won in this direction; and positions looked at."""
    blocked = coded.blocked()
    deal = array("q", bytes(8 * bound.SIZE))
    deal[bound.COUNT] = len(blocked)
    for place, code in enumerate(blocked):
        deal[bound.CARDS + place] = code
    lies = [coded.code(card) for cards in coded.position.piles[:8] for card in cards]
    for card in PACK:
        code = coded.code(card)
        deal[bound.COPIES + code] = 2 - blocked.count(code) - lies.count(code)
    deal[bound.START] = coded.heights()
    work = bound.fresh_work()
    work[0] = -1
    bound.push(work, 0, deal[bound.START])
    table, nodes = array("q", bytes(16 * BOUND_TABLE)), array("q", bytes(16 * BOUND_NODES))
    found = bound.MORE
    while found == bound.MORE and work[1] < limits.positions and not (work[1] and limits.stop()):
        found = bound.search(deal, work, table, nodes, SLICE)
        limits.progress(work[1])
    return found == bound.LOST, work[1]


@dataclass
class _Room:
    """The arrays of a beam of a width."""

    def __init__(self, width: int) -> None:
        self.beam, self.children = keep.room(width), keep.room(CHILDREN * width)
        self.local, self.log = keep.room(beam.LOCAL), array("q", bytes(8 * LOG * width))
        self.table = array("q", bytes(8 * (1 << max(12, (16 * width).bit_length()))))
        self.counts, self.costs = array("q", bytes(8 * keep.VALUES)), array("q", bytes(8 * beam.COSTS))


def _beam(
    coded: _Coded, width: int, weights: tuple[int, ...], limits: Limits, before: int
) -> tuple[list[int] | None, int]:
    """The actions of a line that wins, if this beam finds one; and positions looked at."""
    room, deal = _Room(width), _deal(coded, weights)
    length, drawn, passes = deal[beam.LENGTH], len(coded.codes("waste")), coded.position.passes
    _put_first(coded, room.beam)
    looked, first = 0, True
    for stamp in _stamps():
        deal[beam.WEIGHTS + 13] = passes
        place = -1 if first else drawn
        winner = beam.expand(deal, room.beam, place, room.children, room.local, room.table, room.log, stamp, room.costs)
        looked += room.children[0]
        if room.log[0] + 1 == len(room.log):
            return None, looked
        if winner >= 0:
            return _actions(room.log, room.children[1 + beam.FIELDS * winner + beam.LOG]), looked
        keep.select(room.children, room.beam, width, room.counts)
        drawn, first = drawn + (not first), False
        if drawn == length:
            if passes == PASSES:
                return None, looked
            keep.redeal(room.beam, room.log)
            passes, drawn = passes + 1, 0
        limits.progress(before + looked)
        if not room.beam[0] or before + looked >= limits.positions or limits.stop():
            break
    return None, looked


def _stamps() -> Iterator[int]:
    """Numbers that keep the states of one card apart from those of another."""
    stamp = 1
    while True:
        stamp = (stamp * 6364136223846793005 + 1442695040888963407) & MASK
        yield stamp


def _deal(coded: _Coded, weights: tuple[int, ...]) -> "array[int]":
    deal = array("q", bytes(8 * beam.SIZE))
    braid = coded.codes("braid")
    line = coded.codes("waste") + coded.codes("stock")[::-1]
    deal[: len(braid)] = array("q", braid)
    deal[beam.LENGTH] = len(line)
    deal[beam.LINE : beam.LINE + len(line)] = array("q", line)
    deal[beam.WEIGHTS : beam.WEIGHTS + len(weights)] = array("q", weights)
    return deal


def _put_first(coded: _Coded, states: "array[int]") -> None:
    """The position as the only state of the beam, with empty corners filled."""
    braid = coded.codes("braid")
    corners = [coded.codes(name) for name in CORNERS]
    places = [(cards or [braid.pop()] if braid or cards else [-1])[0] for cards in corners]
    places += [(coded.codes(name) or [-1])[0] for name in SIDES]
    states[0] = 1
    states[1] = len(braid)
    states[2:14] = array("q", places)
    states[1 + beam.HEIGHTS] = coded.heights()
    states[1 + beam.TOP] = len(coded.codes("waste")) - 1


def _actions(log: "array[int]", place: int) -> list[int]:
    """The actions that lead to a place of the log."""
    actions: list[int] = []
    while place:
        actions.append(log[place] & 63)
        place = log[place] >> 6
    return actions[::-1]


def _line(rules: Zopf, position: Position, actions: list[int]) -> tuple[Move, ...]:
    """The moves of these actions; where the player fills corners himself, with those moves too."""
    line: list[Move] = []
    for move in (None, *map(_move, actions)):
        if move is not None:
            line.append(move)
            position = rules.play(position, move)
        for corner in CORNERS:
            if not rules.cards(position, corner) and rules.cards(position, "braid"):
                line.append(Move("braid", corner))
                position = rules.play(position, line[-1])
    return tuple(line)


def _move(action: int) -> Move:
    if action >= beam.DRAW:
        return DRAW if action == beam.DRAW else REDEAL
    if action >= beam.FILL:
        return Move("waste", SIDES[action - beam.FILL - beam.SIDES])
    return Move(FREE[action], FOUNDATION)
