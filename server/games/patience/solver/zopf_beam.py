"""The search for a line that wins a deal of Zopf; compiled where Numba is installed.

A beam goes through the stock card by card: of all states after a card was turned, the most promising are kept.
At each card the choice is to put the waste's card into a gap or not, and whether to play a card from sides or
waste whose twin lies in braid or corners. Everything else that fits goes out. What the beam finds is a line;
what it does not find may exist.

How promising a state is depends on how far away the cards are that must go out next: a card on a side is at
hand, one in the stock or waste comes later, one deep in the braid much later. The weights were found by trying.
"""

from array import array

from server.games.compiled import compiled

BRAID = 0
CORNERS = 1
SIDES = 5
REMOVED = 13
HEIGHTS = 15
LOG = 16
SCORE = 17
TOP = 18
FIELDS = 19
"""A state: cards left in the braid, corners, sides (cards, or -1), cards of the line that are gone (two words of 40),
heights (two fields of five bits a suit, the higher first), place in the log, score, place of the waste's top."""

BRAID_CARDS = 0
LENGTH = 32
LINE = 33
WEIGHTS = 130
SIZE = 146
"""`deal`: the braid from its beginning; how many cards the line has (waste, then stock), and which; the weights.

The weights, from 130 on: a card out, a card in the braid, a gap, distance of a side's card, of a corner's, of the
braid's last cards, greatest distance that counts, noise; distance of a braid card, and for each card over it, of a
card of the stock, of one of the waste before the last pass, for each card over one in the last; the pass; how many
cards of the braid count; all cards to come."""

COSTS = 112
"""`costs`: of each suit 14 sums of distances up to a place, then the distance of each card from 60 on."""

DRAW = 32
REDEAL = 33
FILL = 16
"""Actions in the log: the source of a move to the foundations (0 braid, 1 corners, 5 sides, 13 waste), or these."""

LOCAL = 40
"""Room for the states of one turn of one state."""


@compiled
def height_pair(state: "array[int]", at: int, card: int) -> int:
    """The heights of the foundations of a card's suit, the higher in the low bits."""
    return state[at + 15] >> 10 * (card // 13) & 1023


@compiled
def fits(state: "array[int]", at: int, card: int) -> bool:
    """Whether a card fits on a foundation."""
    both = height_pair(state, at, card)
    return both & 31 == card % 13 or both >> 5 == card % 13


@compiled
def is_safe(state: "array[int]", at: int, card: int) -> bool:
    """Whether a card that fits can go out without harm: its twin or both its predecessors lie."""
    both = height_pair(state, at, card)
    return both & 31 > card % 13 or both >> 5 >= card % 13


@compiled
def contested(deal: "array[int]", state: "array[int]", at: int, card: int) -> bool:
    """Whether a twin of the card lies in a corner or in the braid."""
    for corner in range(1, 5):
        if state[at + corner] == card:
            return True
    for place in range(state[at]):  # noqa: SIM110 - Numba knows no generators
        if deal[place] == card:
            return True
    return False


@compiled
def source_card(deal: "array[int]", state: "array[int]", at: int, source: int) -> int:
    """The free card of a source; -1 if there is none."""
    if source == 0:
        return deal[state[at] - 1] if state[at] else -1
    if source < 13:
        return state[at + source]
    return deal[33 + state[at + 18]] if state[at + 18] >= 0 else -1


@compiled
def write(log: "array[int]", state: "array[int]", at: int, action: int) -> None:
    """Notes an action; the log keeps for each its predecessor."""
    if log[0] + 1 < len(log):
        log[0] += 1
        log[log[0]] = state[at + 16] << 6 | action
        state[at + 16] = log[0]


@compiled
def take_from_waste(state: "array[int]", at: int) -> None:
    """Takes the waste's top card away and bares the next one."""
    top = state[at + 18]
    state[at + 13 + top // 40] |= 1 << top % 40
    top -= 1
    while top >= 0 and state[at + 13 + top // 40] >> top % 40 & 1:
        top -= 1
    state[at + 18] = top


@compiled
def play(deal: "array[int]", state: "array[int]", at: int, source: int, log: "array[int]") -> None:
    """Moves a source's card to the foundations; a corner is filled from the braid."""
    card = source_card(deal, state, at, source)
    both = height_pair(state, at, card)
    high, low = both & 31, both >> 5
    if high == card % 13:
        high += 1
    else:
        low += 1
    shift = 10 * (card // 13)
    state[at + 15] = state[at + 15] & ~(1023 << shift) | (low << 5 | high) << shift
    if source == 0:
        state[at] -= 1
    elif source < 5:
        if state[at]:
            state[at] -= 1
            state[at + source] = deal[state[at]]
        else:
            state[at + source] = -1
    elif source < 13:
        state[at + source] = -1
    else:
        take_from_waste(state, at)
    write(log, state, at, source)


@compiled
def play_out(deal: "array[int]", state: "array[int]", at: int, log: "array[int]") -> int:
    """Plays what fits, but for contested cards of sides and waste; the first of those, or -1."""
    source, open_choice = 0, -1
    while source < 14:
        card = source_card(deal, state, at, source)
        if card >= 0 and fits(state, at, card):
            if source < 5 or is_safe(state, at, card) or not contested(deal, state, at, card):
                play(deal, state, at, source, log)
                source, open_choice = 0, -1
                continue
            if open_choice < 0:
                open_choice = source
        source += 1
    return open_choice


@compiled
def far(deal: "array[int]", state: "array[int]", at: int, drawn: int, costs: "array[int]") -> None:
    """Fills `costs`: how far away the nearest copy of each card is, and the sums over each suit."""
    for card in range(52):
        costs[60 + card] = 60
    for depth in range(state[at]):
        card = deal[state[at] - 1 - depth]
        costs[60 + card] = min(costs[60 + card], deal[138] + deal[139] * depth)
    buried = 0
    for place in range(deal[32] - 1, -1, -1):
        if not state[at + 13 + place // 40] >> place % 40 & 1:
            card = deal[33 + place]
            if place > state[at + 18] and place >= drawn:
                cost = deal[140]
            elif deal[143] < 3:
                cost = deal[141]
            else:
                cost = deal[142] * buried
                buried += 1
            costs[60 + card] = min(costs[60 + card], cost)
    for place in range(1, 13):
        if state[at + place] >= 0:
            costs[60 + state[at + place]] = 0
    for suit in range(4):
        total = 0
        for place in range(13):
            costs[14 * suit + place] = total
            total += 2 + costs[60 + 13 * suit + place]
        costs[14 * suit + 13] = total


@compiled
def missing(state: "array[int]", at: int, card: int, costs: "array[int]") -> int:
    """How far away a card is from going out: what must go out before it, on the foundation that is nearest."""
    both = height_pair(state, at, card)
    place = card % 13
    height = both & 31 if both & 31 <= place else both >> 5
    return costs[14 * (card // 13) + place] - costs[14 * (card // 13) + height]


@compiled
def out_of(state: "array[int]", at: int) -> int:
    """How many cards lie on the foundations."""
    heights, count = state[at + 15], 0
    for _ in range(8):
        count += heights & 31
        heights >>= 5
    return count


@compiled
def hash_of(state: "array[int]", at: int) -> int:
    """A number for the state; sides and corners count whatever their order."""
    found = state[at] * 0x1F3D5B79 + state[at + 15] * 0x2545F4914F6CDD
    found = (found ^ (state[at + 13] * 0x369DEA0F31A53F)) & 0x3FFFFFFFFFFFFFFF
    found = (found ^ (state[at + 14] * 0x1B873593CC9E2D)) & 0x3FFFFFFFFFFFFFFF
    for place in range(1, 13):
        card = state[at + place] + 2 + (64 if place < 5 else 0)
        found = (found + card * card * card * 0x9E3779B97F4A7) & 0x3FFFFFFFFFFFFFFF
    return (found ^ found >> 29) * 0x94D049BB133111 & 0x3FFFFFFFFFFFFFFF


@compiled
def value_of(deal: "array[int]", state: "array[int]", at: int, drawn: int, costs: "array[int]") -> int:
    """How promising a state is, by the weights; 0 to 16383."""
    far(deal, state, at, drawn, costs)
    value = 8000 + deal[130] * out_of(state, at) - deal[131] * state[at]
    for place in range(1, 13):
        card = state[at + place]
        if card < 0:
            value += deal[132] if place >= 5 else 0
        else:
            value -= (deal[133] if place >= 5 else deal[134]) * min(missing(state, at, card, costs), deal[136])
    near = 0
    for place in range(state[at] - 1, max(-1, state[at] - 1 - deal[144]), -1):
        near += min(missing(state, at, deal[place], costs), deal[136])
    rest = 0
    heights = state[at + 15]
    for suit in range(4):
        rest += costs[14 * suit + 13] - costs[14 * suit + (heights & 31)]
        heights >>= 5
        rest += costs[14 * suit + 13] - costs[14 * suit + (heights & 31)]
        heights >>= 5
    return max(0, min(16383, value - deal[135] * near - deal[145] * rest // 4))


@compiled
def copy(source: "array[int]", origin: int, target: "array[int]", goal: int) -> None:
    """Copies a state."""
    for field in range(19):
        target[goal + field] = source[origin + field]


@compiled
def turn(
    deal: "array[int]",
    local: "array[int]",
    children: "array[int]",
    table: "array[int]",
    log: "array[int]",
    stamp: int,
    drawn: int,
    costs: "array[int]",
) -> bool:
    """What the first state of `local` can lead to before the next card is turned, added to `children`.

    `children` begins with their number. Whether one of them has won.
    """
    waiting, made = 1, 0
    while waiting and made < 24:
        waiting -= 1
        at = 19 * waiting
        choice = play_out(deal, local, at, log)
        key = hash_of(local, at) ^ stamp
        if table[key & len(table) - 1] == key:
            continue
        table[key & len(table) - 1] = key
        room = 1 + 19 * children[0]
        if room + 19 > len(children):
            return False
        local[at + 17] = value_of(deal, local, at, drawn, costs) + (key >> 20) % (deal[137] + 1)
        copy(local, at, children, room)
        children[0] += 1
        made += 1
        if out_of(local, at) == 104:
            return True
        waiting = follow(deal, local, at, choice, waiting, log)
    return False


@compiled
def follow(deal: "array[int]", local: "array[int]", at: int, choice: int, waiting: int, log: "array[int]") -> int:
    """Puts on `local` what may follow within the turn: the contested card, and the waste's card in a gap."""
    copy(local, at, local, 19 * 30)
    if local[at + 18] >= 0:
        for side in range(5, 13):
            if local[at + side] < 0:
                local[at + side] = deal[33 + local[at + 18]]
                take_from_waste(local, at)
                write(log, local, at, 16 + side)
                waiting += 1
                break
    if choice >= 0:
        copy(local, 19 * 30, local, 19 * waiting)
        play(deal, local, 19 * waiting, choice, log)
        waiting += 1
    return waiting


@compiled
def expand(
    deal: "array[int]",
    beam: "array[int]",
    drawn: int,
    children: "array[int]",
    local: "array[int]",
    table: "array[int]",
    log: "array[int]",
    stamp: int,
    costs: "array[int]",
) -> int:
    """Turns the next card of the line in every state of the beam, and adds what that leads to; -1, or the winner.

    `drawn` is the place of the next card; -1: no card is turned. A card that is gone is not turned.
    """
    children[0] = 0
    for number in range(beam[0]):
        copy(beam, 1 + 19 * number, local, 0)
        if drawn >= 0 and not local[13 + drawn // 40] >> drawn % 40 & 1:
            local[18] = drawn
            write(log, local, 0, 32)
        if turn(deal, local, children, table, log, stamp, drawn, costs):
            return children[0] - 1
    return -1
