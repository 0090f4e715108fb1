"""A proof that a deal of Zopf cannot be won, where it is found; compiled where Numba is installed.

The proof makes the deal easier: every card that does not lie in the braid or a corner is free at all times.
What cannot be won even so cannot be won. There the corners are always filled, so with k of these cards played
the free ones are those among the first k + 5 in the order corners, then braid from its end; a state is which of
them are left, and the heights of the foundations. As in Burgvögtin a step is a card of these, the foundation
of the two of its suit, and the chain of free cards on which it then fits; and of two states with the same cards
left the one with the lower foundations is at least as good. If the cards are gone, everything goes out.
"""

from array import array

from server.games.compiled import compiled

WON = 1
LOST = 0
FULL = 2
MORE = 3

FRAME = 4
FIRST = 4
FRAMES = 40
"""`work`: stack pointer, positions; then frames of cards played, heights, option, unused.

Heights are eight fields of five bits, two for each suit, the higher one first."""

COUNT = 0
CARDS = 1
COPIES = 40
START = 92
SIZE = 93
"""`deal`: how many cards lie in corners and braid; these cards in the order in which they come free, each as 13 times
suit, + places after the base rank; free copies of every card; heights at the start."""


def fresh_work() -> "array[int]":
    """An empty work area."""
    return array("q", bytes(8 * (FIRST + FRAME * FRAMES)))


@compiled
def out_of(heights: int, card: int) -> int:
    """How many copies of a card lie on the foundations."""
    both = heights >> 10 * (card // 13)
    place = card % 13
    return (1 if (both & 31) > place else 0) + (1 if (both >> 5 & 31) > place else 0)


@compiled
def free_copies(deal: "array[int]", gone: int, heights: int, card: int) -> int:
    """How many free copies of a card are left."""
    count = deal[40 + card] - out_of(heights, card) + out_of(deal[92], card)
    for place in range(deal[0]):
        if gone >> place & 1 and deal[1 + place] == card:
            count += 1
    return count


@compiled
def reaches(deal: "array[int]", gone: int, heights: int, card: int, second: int) -> bool:
    """Whether free cards lead a foundation of the card's suit up to it; `second` is the lower one."""
    height = heights >> 10 * (card // 13) + 5 * second & 31
    if height > card % 13:
        return False
    suit = card - card % 13
    for place in range(height, card % 13):  # noqa: SIM110 - Numba knows no generators
        if free_copies(deal, gone, heights, suit + place) < 1:
            return False
    return True


@compiled
def raised(heights: int, card: int, second: int) -> int:
    """The heights after the card went out: the higher foundation of its suit comes first."""
    suit = card // 13
    both = heights >> 10 * suit & 1023
    other = both & 31 if second else both >> 5
    new = card % 13 + 1
    pair = (new << 5 | other) if other > new else (other << 5 | new)
    return heights & ~(1023 << 10 * suit) | pair << 10 * suit


@compiled
def is_known(table: "array[int]", nodes: "array[int]", gone: int, heights: int) -> int:
    """Whether a state at least as good was looked at before; else this one is from now on. -1: no room.

    The table has pairs of cards gone (+ 1) and the first of its nodes, which are pairs of heights and next.
    """
    mask = len(table) // 2 - 1
    at = ((gone * 0x9E3779B1 & 0x3FFFFFFFFFFFFF) >> 17) & mask
    while table[2 * at] and table[2 * at] != gone + 1:
        at = (at + 1) & mask
    node = table[2 * at + 1]
    while node:
        if ((heights | 0x8421084210) - nodes[node]) & 0x8421084210 == 0x8421084210:
            return 1
        node = nodes[node + 1]
    new = 2 * nodes[0] + 2
    if new + 1 >= len(nodes):
        return -1
    nodes[0] += 1
    nodes[new], nodes[new + 1] = heights, table[2 * at + 1]
    table[2 * at], table[2 * at + 1] = gone + 1, new
    return 0


@compiled
def push(work: "array[int]", gone: int, heights: int) -> None:
    """Puts a state on the stack."""
    work[0] += 1
    frame = 4 + 4 * work[0]
    work[frame], work[frame + 1], work[frame + 2] = gone, heights, 0


@compiled
def step(deal: "array[int]", work: "array[int]", gone: int, heights: int, option: int) -> bool:
    """Puts the state on the stack that an option leads to: twice the card's place, + 1 for the lower foundation."""
    place, second = option // 2, option % 2
    card = deal[1 + place]
    both = heights >> 10 * (card // 13) & 1023
    if gone >> place & 1 or (second and both & 31 == both >> 5):
        return False
    if not reaches(deal, gone, heights, card, second):
        return False
    push(work, gone | 1 << place, raised(heights, card, second))
    return True


@compiled
def search(deal: "array[int]", work: "array[int]", table: "array[int]", nodes: "array[int]", positions: int) -> int:
    """Goes on with the search for so many positions: won, lost, no more room, or more to do."""
    until = work[1] + positions
    while work[0] >= 0:
        frame = 4 + 4 * work[0]
        gone, heights, option = work[frame], work[frame + 1], work[frame + 2]
        if option == 0:
            if work[1] >= until:
                return MORE
            work[1] += 1
            if work[0] == deal[0]:
                return WON
            seen = is_known(table, nodes, gone, heights)
            if seen < 0:
                return FULL
            if seen:
                work[0] -= 1
                continue
        if option >= 2 * min(deal[0], work[0] + 5):
            work[0] -= 1
            continue
        work[frame + 2] = option + 1
        step(deal, work, gone, heights, option)
    return LOST
