"""The search through a deal of Burgvögtin: exact, and compiled where Numba is installed.

Suits do not matter, so the foundations are a profile: for each rank how many foundations have reached it. Arch
cards can be kept until they are needed: whoever plays one before must play a packet's card that rests on it
later, and can play it then. So a step is: choose a packet, play the fewest arch cards on which its top card
then fits (a chain of ranks, one each, which is unique), and the card itself. Of two states with the same cards
left in the packets the one with the lower foundations can do whatever the other can; a state is given up if
one that was looked at before is at least as good. A card that fits, with no other of its rank left in the
packets, is played without another choice.

In the strict way, arch cards are single steps, allowed while no packet's card fits, and only equal states are
given up. First only those arch cards are tried that belong to a packet's chain, which finds lines; then all,
which can also show that there is none.
"""

from array import array

from server.games.compiled import compiled

WON = 1
LOST = 0
FULL = 2
MORE = 3

CHAINS = 0
"""How to search: whole chains of arch cards, as in the usual way."""
STRICT_CHAINS = 1
STRICT_ALL = 2

FIELD = 5
HIGH = sum(16 << FIELD * rank for rank in range(12))
"""The top bit of each field of a profile: ranks 2 to 13, five bits each."""

FRAME = 5
FIRST = 8
FRAMES = 120
"""`work`: stack pointer, positions, states kept, way of search; then frames of packets, profile, option, move, aces.

Packets are four fields of four bits, cards played. A move is a packet 0 to 3, or 3 + rank for an arch card."""

PACKET = 12
LENGTHS = 48
ARCH = 52
START = 66
SIZE = 80
"""`deal`: ranks of the packets from the top, 12 each; their lengths; arch cards of each rank; reached at the start."""


def fresh_work() -> "array[int]":
    """An empty work area."""
    return array("q", bytes(8 * (FIRST + FRAME * FRAMES)))


@compiled
def reached(profile: int, rank: int, aces: int) -> int:
    """How many foundations have reached a rank."""
    return aces if rank == 1 else profile >> 5 * (rank - 2) & 31


@compiled
def played(deal: "array[int]", packets: int, rank: int) -> int:
    """How many cards of a rank the packets have played."""
    count = 0
    for packet in range(4):
        for place in range(packets >> 4 * packet & 15):
            if deal[12 * packet + place] == rank:
                count += 1
    return count


@compiled
def left(deal: "array[int]", packets: int, rank: int) -> int:
    """How many cards of a rank are left in the packets."""
    count = 0
    for packet in range(4):
        for place in range(packets >> 4 * packet & 15, deal[48 + packet]):
            if deal[12 * packet + place] == rank:
                count += 1
    return count


@compiled
def in_arch(deal: "array[int]", packets: int, profile: int, rank: int) -> int:
    """How many cards of a rank are left in the arch."""
    out = (profile >> 5 * (rank - 2) & 31) - deal[66 + rank]
    return deal[52 + rank] - (out - played(deal, packets, rank))


@compiled
def chain(deal: "array[int]", packets: int, profile: int, aces: int, rank: int) -> int:
    """The lowest rank of the chain that ends with a card of this rank: all below it come from the arch; 0: none."""
    low = rank
    while reached(profile, low, aces) >= reached(profile, low - 1, aces):
        low -= 1
        if low < 2 or in_arch(deal, packets, profile, low) < 1:
            return 0
    return low


@compiled
def top(deal: "array[int]", packets: int, packet: int) -> int:
    """The rank of a packet's top card; 0 if it is empty."""
    place = packets >> 4 * packet & 15
    return deal[12 * packet + place] if place < deal[48 + packet] else 0


@compiled
def is_known(heads: "array[int]", nodes: "array[int]", packets: int, profile: int, equal: bool) -> int:
    """Whether a state at least as good, or the equal one, was looked at before; else it is from now on.

    `nodes` holds pairs of profile and next; its first entry counts those in use. -1: no room.
    """
    index = packets & 15
    for packet in range(1, 4):
        index = index * 13 + (packets >> 4 * packet & 15)
    at = heads[index]
    while at:
        other = nodes[at]
        if other == profile:
            return 1
        if not equal and ((profile | 0x842108421084210) - other) & 0x842108421084210 == 0x842108421084210:
            return 1
        at = nodes[at + 1]
    new = 2 * nodes[0] + 2
    if new + 1 >= len(nodes):
        return -1
    nodes[0] += 1
    nodes[new], nodes[new + 1] = profile, heads[index]
    heads[index] = new
    return 0


@compiled
def push(deal: "array[int]", work: "array[int]", packets: int, profile: int, aces: int) -> None:
    """Puts a state on the stack; aces on top of packets go out by themselves."""
    again = True
    while again:
        again = False
        for packet in range(4):
            if top(deal, packets, packet) == 1:
                packets += 1 << 4 * packet
                aces += 1
                again = True
    work[0] += 1
    frame = 8 + 5 * work[0]
    work[frame], work[frame + 1], work[frame + 2], work[frame + 3], work[frame + 4] = packets, profile, 0, -1, aces


@compiled
def forced(deal: "array[int]", packets: int, profile: int, aces: int) -> int:
    """A packet whose top card fits while no other of its rank is left in the packets; -1 if there is none."""
    for packet in range(4):
        rank = top(deal, packets, packet)
        if rank and reached(profile, rank, aces) < reached(profile, rank - 1, aces) and left(deal, packets, rank) == 1:
            return packet
    return -1


@compiled
def fits_any(deal: "array[int]", packets: int, profile: int, aces: int) -> bool:
    """Whether some packet's top card fits."""
    for packet in range(4):
        rank = top(deal, packets, packet)
        if rank and reached(profile, rank, aces) < reached(profile, rank - 1, aces):
            return True
    return False


@compiled
def option_of(deal: "array[int]", packets: int, profile: int, aces: int, option: int) -> int:
    """The packet that comes at this turn: those whose card fits first, then by the length of the chain.

    -1 if there are no more.
    """
    best, found = 10**6, -1
    for turn in range(option + 1):
        floor, best, found = best if turn else -1, 10**6, -1
        for packet in range(4):
            rank = top(deal, packets, packet)
            low = chain(deal, packets, profile, aces, rank) if rank else 0
            if low:
                height = deal[48 + packet] - (packets >> 4 * packet & 15)
                value = (rank - low) * 100 + (12 - height) * 4 + packet
                if floor < value < best:
                    best, found = value, packet
        if found < 0:
            return -1
    return found


@compiled
def arch_option(deal: "array[int]", packets: int, profile: int, aces: int, option: int, every: bool) -> int:
    """The rank of the arch card that comes at this turn in the strict way; 0 if there are no more."""
    for rank in range(2, 14):
        if reached(profile, rank, aces) >= reached(profile, rank - 1, aces):
            continue
        if in_arch(deal, packets, profile, rank) < 1:
            continue
        wanted = every
        for packet in range(4):
            card = top(deal, packets, packet)
            if card > rank and chain(deal, packets, profile, aces, card) == rank:
                wanted = True
        if wanted:
            if option == 0:
                return rank
            option -= 1
    return 0


@compiled
def step_usual(deal: "array[int]", work: "array[int]", packets: int, profile: int, aces: int, option: int) -> bool:
    """Puts the next state on the stack; whether there was one. A forced move leaves no other."""
    only = forced(deal, packets, profile, aces)
    packet = only if only >= 0 else option_of(deal, packets, profile, aces, option)
    if packet < 0 or (only >= 0 and option > 0):
        return False
    rank = top(deal, packets, packet)
    for one in range(chain(deal, packets, profile, aces, rank), rank + 1):
        profile += 1 << 5 * (one - 2)
    work[8 + 5 * work[0] + 3] = packet
    push(deal, work, packets + (1 << 4 * packet), profile, aces)
    return True


@compiled
def step_strict(
    deal: "array[int]", work: "array[int]", packets: int, profile: int, aces: int, option: int, every: bool
) -> bool:
    """The same in the strict way: a packet's card that fits, or a single card of the arch."""
    frame = 8 + 5 * work[0]
    if not fits_any(deal, packets, profile, aces):
        rank = arch_option(deal, packets, profile, aces, option, every)
        if not rank:
            return False
        work[frame + 3] = 3 + rank
        push(deal, work, packets, profile + (1 << 5 * (rank - 2)), aces)
        return True
    packet = option_of(deal, packets, profile, aces, option)
    rank = top(deal, packets, packet) if packet >= 0 else 0
    if not rank or chain(deal, packets, profile, aces, rank) != rank:
        return False
    work[frame + 3] = packet
    push(deal, work, packets + (1 << 4 * packet), profile + (1 << 5 * (rank - 2)), aces)
    return True


@compiled
def search(deal: "array[int]", work: "array[int]", heads: "array[int]", nodes: "array[int]", positions: int) -> int:
    """Goes on with the search for so many positions: won, lost, no more room, or more to do."""
    until = work[1] + positions
    way = work[3]
    while work[0] >= 0:
        frame = 8 + 5 * work[0]
        packets, profile, option, aces = work[frame], work[frame + 1], work[frame + 2], work[frame + 4]
        if option == 0:
            if work[1] >= until:
                return MORE
            work[1] += 1
            if all_played(deal, packets):
                return WON
            seen = is_known(heads, nodes, packets, profile, way > 0)
            if seen < 0:
                return FULL
            if seen:
                work[0] -= 1
                continue
        work[frame + 2] = option + 1
        if way == 0:
            stepped = step_usual(deal, work, packets, profile, aces, option)
        else:
            stepped = step_strict(deal, work, packets, profile, aces, option, way == 2)
        if not stepped:
            work[0] -= 1
    return LOST


@compiled
def all_played(deal: "array[int]", packets: int) -> bool:
    """Whether all packets are empty: what is left in the arch then goes out."""
    for packet in range(4):  # noqa: SIM110 - Numba knows no generators
        if packets >> 4 * packet & 15 < deal[48 + packet]:
            return False
    return True
