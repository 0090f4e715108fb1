"""The search behind the solver: alpha-beta over the eyes of the Old, on whole numbers, so that it can be compiled.

It has no recursion: a trail has a row for each card that is played in it. Values of positions between two
tricks are kept, under the hands and who leads.
"""

from typing import Final

from server.games.compiled import Ints, compiled
from server.games.kop.scoring import ALL_EYES

# Where things stand in the table: per card its suit, the cards that beat it, and its eyes; then the trumps
# and the void duty.
SUIT: Final = 0
HIGHER: Final = 16
CARD_EYES: Final = 32
TRUMPS: Final = 48
DUTY: Final = 49

# A row of the trail: who moves, the place in the trick, the card led, the best one and who is winning with it,
# the eyes and the cards that lie; of the search: the window now and at first, the value so far, what the Old
# have taken with the card tried, under which key the row's value is kept, how many cards to try, the one tried
# next, and the cards. Behind the rows stand the cards of each hand.
_SEAT: Final = 0
_PLACE: Final = 1
_LED: Final = 2
_BEST: Final = 3
_WINNER: Final = 4
_WORTH: Final = 5
_LYING: Final = 6
_LOW: Final = 7
_HIGH: Final = 8
_FROM: Final = 9
_TO: Final = 10
_VALUE: Final = 11
_GAINED: Final = 12
_KEY: Final = 13
_COUNT: Final = 14
_NEXT: Final = 15
_MOVES: Final = 16
_ROW: Final = 20
_HELD: Final = _ROW * 17
TRAIL: Final = _HELD + 16
"""So many numbers are in a trail."""

KNOWN: Final = 4096
"""So many values of positions are kept while many worlds are solved; a power of two."""

NOT_ALLOWED: Final = -1
CARDS: Final = 16


@compiled
def solve(
    table: Ints,
    worlds: Ints,
    olds: Ints,
    leader: int,
    lying: Ints,
    limits: Ints,
    trail: Ints,
    known: Ints,
    found: Ints,
    by_card: bool,
) -> None:
    """Solves every world; see `solve_best` and `solve_cards`. The worlds are changed and put back."""
    _begin(trail, 0, leader)
    for ply in range(len(lying)):
        _lay(table, trail, ply * _ROW, lying[ply])
    ply = len(lying)
    seat = trail[ply * _ROW + _SEAT]
    for world in range(len(olds)):
        first, old = 4 * world, olds[world]
        _sort(worlds, first, trail)
        if not by_card:
            found[world] = _value(table, worlds, first, old, limits, trail, known, ply, 0)
            continue
        legal = _legal(table, worlds[first + seat], trail, ply * _ROW)
        for card in range(CARDS):
            if legal >> card & 1:
                worlds[first + seat] ^= 1 << card
                eyes = _gain(table, trail, ply * _ROW, card, old)
                eyes += _value(table, worlds, first, old, limits, trail, known, ply + 1, eyes)
                worlds[first + seat] ^= 1 << card
                found[CARDS * world + card] = eyes


@compiled
def _value(
    table: Ints, hands: Ints, first: int, old: int, limits: Ints, trail: Ints, known: Ints, ply: int, taken: int
) -> int:  # fmt: skip
    """The Old's eyes still to come, exact or, with those taken, on the right side of each limit."""
    least, most = 0, ALL_EYES
    if not len(limits):
        return _search(table, hands, first, old, trail, known, ply, least, most)
    for at in range(len(limits)):
        limit = limits[at] - taken
        if least < limit <= most:
            eyes = _search(table, hands, first, old, trail, known, ply, limit - 1, limit)
            if eyes < limit:
                most = eyes
            else:
                least = eyes
    return least


@compiled
def _sort(hands: Ints, first: int, trail: Ints) -> None:
    """Notes the cards of each hand, the highest first."""
    for seat in range(4):
        place = _HELD + 4 * seat
        for card in range(CARDS - 1, -1, -1):
            if hands[first + seat] >> card & 1:
                trail[place] = card
                place += 1
        while place < _HELD + 4 * seat + 4:
            trail[place] = 0
            place += 1


@compiled
def _search(
    table: Ints, hands: Ints, first: int, old: int, trail: Ints, known: Ints, root: int, low: int, high: int
) -> int:
    """The Old's eyes still to come with best play; exact if between low and high, else a bound (alpha-beta)."""
    row = root * _ROW
    _enter(table, hands, first, old, trail, known, row, low, high)
    while True:
        if trail[row + _NEXT] < trail[row + _COUNT] and trail[row + _LOW] < trail[row + _HIGH]:
            card = trail[row + _MOVES + trail[row + _NEXT]]
            hands[first + trail[row + _SEAT]] ^= 1 << card
            gain = _gain(table, trail, row, card, old)
            trail[row + _GAINED] = gain
            low, high = trail[row + _LOW] - gain, trail[row + _HIGH] - gain
            row += _ROW
            _enter(table, hands, first, old, trail, known, row, low, high)
            continue
        eyes = trail[row + _VALUE]
        if trail[row + _KEY]:
            _remember(trail, known, row, eyes)
        if row == root * _ROW:
            return eyes
        row -= _ROW
        seat = trail[row + _SEAT]
        hands[first + seat] ^= 1 << trail[row + _MOVES + trail[row + _NEXT]]
        trail[row + _NEXT] += 1
        eyes += trail[row + _GAINED]
        if old >> seat & 1:
            trail[row + _VALUE] = max(trail[row + _VALUE], eyes)
            trail[row + _LOW] = max(trail[row + _LOW], eyes)
        else:
            trail[row + _VALUE] = min(trail[row + _VALUE], eyes)
            trail[row + _HIGH] = min(trail[row + _HIGH], eyes)


@compiled
def _enter(
    table: Ints, hands: Ints, first: int, old: int, trail: Ints, known: Ints, row: int, low: int, high: int
) -> None:
    """Prepares the row of a position: its value if that is plain, else the window and the cards to try."""
    seat = trail[row + _SEAT]
    cards = hands[first + seat]
    trail[row + _NEXT] = 0
    trail[row + _COUNT] = 0
    trail[row + _VALUE] = 0
    trail[row + _KEY] = 0
    if not cards:
        return
    rest = hands[first] | hands[first + 1] | hands[first + 2] | hands[first + 3]
    if trail[row + _PLACE] == 0:
        if not cards & (cards - 1):
            trail[row + _VALUE] = _last_trick(table, hands, first, old, trail, row)
            return
        left = _worth(table, rest)
        if high <= 0 or low >= left:
            trail[row + _VALUE] = 0 if high <= 0 else left
            return
        key = (first << 18 | rest << 2 | seat) + 1
        entry = known[_place(key)]
        if entry >> 16 == key:
            least, most = entry >> 8 & 255, entry & 255
            if least >= high or most <= low or least == most:
                trail[row + _VALUE] = least if least >= high else most
                return
        trail[row + _KEY] = key
    trail[row + _LOW] = low
    trail[row + _HIGH] = high
    trail[row + _FROM] = low
    trail[row + _TO] = high
    trail[row + _VALUE] = -1 if old >> seat & 1 else ALL_EYES + 1
    _list_moves(table, cards, rest | trail[row + _LYING], old, trail, row)


@compiled
def _list_moves(table: Ints, cards: int, rest: int, old: int, trail: Ints, row: int) -> None:
    """The cards to try: of neighbours of equal eyes among the cards still in play only one; the best first.

    Best is thought to lead few eyes, to take the trick, to give eyes to a partner's, and few to the others'.
    """
    legal = _legal(table, cards, trail, row)
    seat, led, lying = trail[row + _SEAT], trail[row + _LED], trail[row + _BEST]
    ours = (old >> trail[row + _WINNER] & 1) == (old >> seat & 1)
    count, above = 0, -1
    ranks = row + _ROW + _MOVES  # those of the next row are free until it is entered
    for place in range(_HELD + 4 * seat, _HELD + 4 * seat + 4):
        card = trail[place]
        if not legal >> card & 1:
            continue
        eyes = table[CARD_EYES + card]
        alike = above > card and table[CARD_EYES + above] == eyes and table[SUIT + card] >> above & 1
        if alike and not rest & ((1 << above) - (2 << card)):
            above = card
            continue
        above = card
        if led < 0:
            rank = -eyes
        elif table[HIGHER + lying] >> card & 1:
            rank = 100 + (eyes if trail[row + _PLACE] == 3 else card)
        else:
            rank = eyes if ours else -eyes
        slot = count
        while slot > 0 and trail[ranks + slot - 1] < rank:
            trail[ranks + slot] = trail[ranks + slot - 1]
            trail[row + _MOVES + slot] = trail[row + _MOVES + slot - 1]
            slot -= 1
        trail[ranks + slot] = rank
        trail[row + _MOVES + slot] = card
        count += 1
    trail[row + _COUNT] = count


@compiled
def _last_trick(table: Ints, hands: Ints, first: int, old: int, trail: Ints, row: int) -> int:
    """The eyes of the Old in the last trick, where each hand has one card."""
    leader = trail[row + _SEAT]
    best, winner, worth = -1, leader, 0
    for place in range(4):
        seat = (leader + place) & 3
        at = _HELD + 4 * seat
        while not hands[first + seat] >> trail[at] & 1:
            at += 1
        card = trail[at]
        worth += table[CARD_EYES + card]
        if best < 0 or table[HIGHER + best] >> card & 1:
            best, winner = card, seat
    return worth if old >> winner & 1 else 0


@compiled
def _worth(table: Ints, cards: int) -> int:
    """The eyes of these cards."""
    worth = 0
    for card in range(CARDS):
        if cards >> card & 1:
            worth += table[CARD_EYES + card]
    return worth


@compiled
def _place(key: int) -> int:
    return key * 2654435761 >> 12 & (KNOWN - 1)


@compiled
def _remember(trail: Ints, known: Ints, row: int, eyes: int) -> None:
    """Keeps what the search of a row has found: its value, or a bound of it."""
    key = trail[row + _KEY]
    least = eyes if eyes > trail[row + _FROM] else 0
    most = eyes if eyes < trail[row + _TO] else 255
    place = _place(key)
    entry = known[place]
    if entry >> 16 == key:
        least = max(least, entry >> 8 & 255)
        most = min(most, entry & 255)
    known[place] = key << 16 | least << 8 | most


@compiled
def _begin(trail: Ints, row: int, leader: int) -> None:
    """A new trick."""
    trail[row + _SEAT] = leader
    trail[row + _PLACE] = 0
    trail[row + _LED] = -1
    trail[row + _BEST] = -1
    trail[row + _WINNER] = leader
    trail[row + _WORTH] = 0
    trail[row + _LYING] = 0


@compiled
def _lay(table: Ints, trail: Ints, row: int, card: int) -> None:
    """The next row of the trail after this card."""
    after = row + _ROW
    bit = 1 << card
    seat = trail[row + _SEAT]
    trail[after + _SEAT] = (seat + 1) & 3
    trail[after + _PLACE] = trail[row + _PLACE] + 1
    trail[after + _LED] = trail[row + _LED]
    trail[after + _BEST] = trail[row + _BEST]
    trail[after + _WINNER] = trail[row + _WINNER]
    trail[after + _WORTH] = trail[row + _WORTH] + table[CARD_EYES + card]
    trail[after + _LYING] = trail[row + _LYING] | bit
    best = trail[row + _BEST]
    if best < 0:
        trail[after + _LED] = card
    if best < 0 or table[HIGHER + best] & bit:
        trail[after + _BEST] = card
        trail[after + _WINNER] = seat


@compiled
def _gain(table: Ints, trail: Ints, row: int, card: int, old: int) -> int:
    """The next row of the trail after this card, a new trick if it is full; the eyes that the Old take with it."""
    _lay(table, trail, row, card)
    after = row + _ROW
    if trail[after + _PLACE] < 4:
        return 0
    winner, worth = trail[after + _WINNER], trail[after + _WORTH]
    _begin(trail, after, winner)
    return worth if old >> winner & 1 else 0


@compiled
def _legal(table: Ints, cards: int, trail: Ints, row: int) -> int:
    """The cards that may be played: follow and beat if you can; void, whatever the void duty says."""
    led, best = trail[row + _LED], trail[row + _BEST]
    if led < 0:
        return cards
    following = cards & table[SUIT + led]
    if not following and table[DUTY]:
        following = cards & table[TRUMPS]
    if not following:
        return cards
    beating = following & table[HIGHER + best]
    return beating or following
