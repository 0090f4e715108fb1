"""The search through a deal of Archway: exact, and compiled where Numba is installed.

A state is how many cards each column has played, and how far each suit's foundations have come up and down;
which cards the arch then has follows. As in Burgvögtin arch cards can be kept until a column's card needs
them: a step is a column, whether its last card goes up or down, and the chain of arch cards on which it then
fits. Of two states with the same columns the one with less on the foundations is at least as good. A card whose
twin lies is played without another choice, if it fits. When the columns are gone, everything goes out.

With cards that cross there is a third way. When a suit's foundations together hold each rank once, the place where
they meet can be shifted, so that any card of the suit fits: chain are the cards between the two foundations, and the
heights afterwards are the card's rank and what is above it. Nothing is then played without another choice.
"""

from array import array

from server.games.compiled import compiled

WON = 1
LOST = 0
FULL = 2
MORE = 3

FRAME = 4
FIRST = 4
FRAMES = 60
"""`work`: stack pointer, positions; then frames of columns, heights, option, move.

A move is three times the column, + 1 if down, + 2 if after crossing. Columns are four fields of four bits, cards
played. Heights are eight fields of five bits: how many cards lie on the foundations that go up, suit by suit, then on
those that go down."""

LENGTHS = 48
ARCH = 52
START = 104
MEET = 105
SIZE = 106
"""`deal`: cards of the columns from the end, 12 each; their lengths; arch cards; heights at the start; whether cards
may cross."""


def fresh_work() -> "array[int]":
    """An empty work area."""
    return array("q", bytes(8 * (FIRST + FRAME * FRAMES)))


@compiled
def top(deal: "array[int]", columns: int, column: int) -> int:
    """The card (13 times suit, + rank - 1) at the end of a column; -1 if it is empty."""
    place = columns >> 4 * column & 15
    return deal[12 * column + place] if place < deal[48 + column] else -1


@compiled
def out_of(heights: int, card: int) -> int:
    """How many copies of a card lie on the foundations."""
    suit, place = card // 13, card % 13
    up, down = heights >> 5 * suit & 31, heights >> 5 * (4 + suit) & 31
    return (1 if up > place else 0) + (1 if down > 12 - place else 0)


@compiled
def in_arch(deal: "array[int]", columns: int, heights: int, card: int) -> int:
    """How many copies of a card are left in the arch."""
    count = deal[52 + card] - out_of(heights, card) + out_of(deal[104], card)
    for column in range(4):
        for place in range(columns >> 4 * column & 15):
            if deal[12 * column + place] == card:
                count += 1
    return count


@compiled
def chain(deal: "array[int]", columns: int, heights: int, card: int, way: int) -> int:
    """How many cards of the arch must go out before this card fits up, down, or after crossing; -1: it cannot."""
    suit, place = card // 13, card % 13
    up, down = heights >> 5 * suit & 31, heights >> 5 * (suit + 4) & 31
    if way == 2:
        if not deal[105] or up + down > 13 or up <= place <= 12 - down:
            return -1
        steps = 13 - up - down
    else:
        steps = 12 - place - down if way else place - up
    if steps < 0 or (way < 2 and deal[105] and up + down == 13):
        return -1
    for step in range(steps):
        one = 12 - down - step if way == 1 else up + step
        if in_arch(deal, columns, heights, 13 * suit + one) < 1:
            return -1
    return steps


@compiled
def raised(heights: int, card: int, way: int) -> int:
    """The heights after the card went out, with its chain."""
    suit, place = card // 13, card % 13
    up, down = 5 * suit, 5 * (suit + 4)
    if way != 1:
        heights = heights & ~(31 << up) | place + 1 << up
    if way != 0:
        heights = heights & ~(31 << down) | 13 - place << down
    return heights


@compiled
def is_known(heads: "array[int]", nodes: "array[int]", columns: int, heights: int) -> int:
    """Whether a state at least as good was looked at before; else this one is from now on. -1: no room."""
    index = columns & 15
    for column in range(1, 4):
        index = index * 13 + (columns >> 4 * column & 15)
    at = heads[index]
    while at:
        if ((heights | 0x8421084210) - nodes[at]) & 0x8421084210 == 0x8421084210:
            return 1
        at = nodes[at + 1]
    new = 2 * nodes[0] + 2
    if new + 1 >= len(nodes):
        return -1
    nodes[0] += 1
    nodes[new], nodes[new + 1] = heights, heads[index]
    heads[index] = new
    return 0


@compiled
def push(work: "array[int]", columns: int, heights: int) -> None:
    """Puts a state on the stack."""
    work[0] += 1
    frame = 4 + 4 * work[0]
    work[frame], work[frame + 1], work[frame + 2], work[frame + 3] = columns, heights, 0, -1


@compiled
def forced(deal: "array[int]", columns: int, heights: int) -> int:
    """A move of a card that fits while its twin lies; -1 if there is none."""
    for column in range(0 if deal[105] else 4):
        card = top(deal, columns, column)
        if card >= 0 and out_of(heights, card) == 1:
            for down in range(2):
                if chain(deal, columns, heights, card, down) == 0:
                    return 3 * column + down
    return -1


@compiled
def option_of(deal: "array[int]", columns: int, heights: int, option: int) -> int:
    """The move that comes at this turn: short chains first, then high columns; -1 if there are no more."""
    best, found = -1, -1
    for _turn in range(option + 1):
        floor, best, found = best, 10**6, -1
        for move in range(12):
            card = top(deal, columns, move // 3)
            steps = chain(deal, columns, heights, card, move % 3) if card >= 0 else -1
            if steps >= 0:
                height = deal[48 + move // 3] - (columns >> 4 * (move // 3) & 15)
                value = steps * 200 + (12 - height) * 12 + move
                if floor < value < best:
                    best, found = value, move
        if found < 0:
            return -1
    return found


@compiled
def search(deal: "array[int]", work: "array[int]", heads: "array[int]", nodes: "array[int]", positions: int) -> int:
    """Goes on with the search for so many positions: won, lost, no more room, or more to do."""
    until = work[1] + positions
    while work[0] >= 0:
        frame = 4 + 4 * work[0]
        columns, heights, option = work[frame], work[frame + 1], work[frame + 2]
        if option == 0:
            if work[1] >= until:
                return MORE
            work[1] += 1
            if all_played(deal, columns):
                return WON
            seen = is_known(heads, nodes, columns, heights)
            if seen < 0:
                return FULL
            if seen:
                work[0] -= 1
                continue
        work[frame + 2] = option + 1
        only = forced(deal, columns, heights)
        move = only if only >= 0 else option_of(deal, columns, heights, option)
        if move < 0 or (only >= 0 and option > 0):
            work[0] -= 1
            continue
        work[frame + 3] = move
        card = top(deal, columns, move // 3)
        push(work, columns + (1 << 4 * (move // 3)), raised(heights, card, move % 3))
    return LOST


@compiled
def all_played(deal: "array[int]", columns: int) -> bool:
    """Whether all columns are empty."""
    for column in range(4):  # noqa: SIM110 - Numba knows no generators
        if columns >> 4 * column & 15 < deal[48 + column]:
            return False
    return True
