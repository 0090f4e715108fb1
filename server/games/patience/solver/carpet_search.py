"""The search through a deal of Carpet: exact, and compiled where Numba is installed.

Every move to a foundation can be made at once: it frees a place, and the card is wanted nowhere else. So the
only decision is to fill a hole with the waste's top card or to draw. A state is how many cards of the line
(the waste, then the stock as it will be drawn) are drawn, and which of them lie in the waste; what lies on the
foundations follows. Each state is looked at once. Filling from the stock is drawing and filling.
"""

from array import array

from server.games.compiled import compiled

WON = 1
LOST = 0
FULL = 2
MORE = 3
FRAME = 4
FIRST = 4
FRAMES = 200
"""`work`: stack pointer, positions, states kept, unused; then frames of drawn, waste, foundations, options tried."""


def fresh_work() -> "array[int]":
    """An empty work area."""
    return array("q", bytes(8 * (FIRST + FRAME * FRAMES)))


@compiled
def played_out(place: "array[int]", drawn: int, waste: int, heights: int) -> tuple[int, int]:
    """Waste and foundations (four bits a suit) after every move to the foundations was made."""
    suit = 0
    idle = 0
    while idle < 4:
        height = heights >> 4 * suit & 15
        moved = False
        if height < 13:
            at = place[13 * suit + height]
            if at < 0 or (at < drawn and not waste >> at & 1):
                moved = True
            elif at < drawn and waste >> at == 1:
                waste &= ~(1 << at)
                moved = True
        if moved:
            heights += 1 << 4 * suit
            idle = 0
        else:
            idle += 1
            suit = (suit + 1) % 4
    return waste, heights


@compiled
def known(table: "array[int]", key: int) -> bool:
    """Whether the table has the key; else it has it from now on."""
    mask = len(table) - 1
    at = (key * 0x9E3779B1 & 0x3FFFFFFFFFFFFF) >> 13 & mask
    while table[at]:
        if table[at] == key:
            return True
        at = (at + 1) & mask
    table[at] = key
    return False


@compiled
def holes_of(length: int, drawn: int, waste: int, heights: int) -> int:
    """How many places of the carpet are empty; cards are on foundations, in stock, waste or carpet."""
    lies = 52 - (length - drawn)
    for suit in range(4):
        lies -= heights >> 4 * suit & 15
    while waste:
        waste &= waste - 1
        lies -= 1
    return 20 - lies


@compiled
def search(place: "array[int]", length: int, work: "array[int]", table: "array[int]", positions: int) -> int:
    """Goes on with the search for so many positions: won, lost, table full, or more to do."""
    until = work[1] + positions
    while work[0] >= 0:
        frame = FIRST + FRAME * work[0]
        drawn, waste, heights, tried = work[frame], work[frame + 1], work[frame + 2], work[frame + 3]
        if tried == 0:
            if work[1] >= until:
                return MORE
            work[1] += 1
            if heights == 0xDDDD:
                return WON
            if known(table, (waste << 6 | drawn) + 1):
                work[0] -= 1
                continue
            work[2] += 1
            if 4 * work[2] > 3 * len(table):
                return FULL
        work[frame + 3] = tried + 1
        if tried == 2:
            work[0] -= 1
        elif tried == 0:
            if waste and holes_of(length, drawn, waste, heights) > 0:
                top = drawn - 1
                while not waste >> top & 1:
                    top -= 1
                push(place, work, drawn, waste & ~(1 << top), heights)
        elif drawn < length:
            push(place, work, drawn + 1, waste | 1 << drawn, heights)
    return LOST


@compiled
def push(place: "array[int]", work: "array[int]", drawn: int, waste: int, heights: int) -> None:
    """Puts a state on the stack, with every move to the foundations made."""
    waste, heights = played_out(place, drawn, waste, heights)
    work[0] += 1
    frame = FIRST + FRAME * work[0]
    work[frame], work[frame + 1], work[frame + 2], work[frame + 3] = drawn, waste, heights, 0
