"""Hints for Burgvögtin and Archway: dig in the packets, and use the arch only where that helps to dig.

Of packets that can be dug in, the highest comes first; of those that need the arch, the one that needs the
fewest of its cards.
"""

from collections.abc import Iterator

from server.games.patience import archway, burgvoegtin
from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.cards import RANK, RANKS, SUIT, SUITS, Card
from server.games.patience.hint import Hint, Reason
from server.games.patience.layout import FOUNDATION, Move, Position

Way = tuple[int, int, str, Move]
"""How many cards of the arch a packet needs, its height (negative), its name, and the first move."""


def burgvoegtin_hint(rules: Burgvoegtin, position: Position) -> Hint | None:
    """A packet's card, a card of the arch for one, or whatever finishes the deal."""
    packets = [(name, rules.cards(position, name)) for name in burgvoegtin.PACKETS]
    safe = rules.safe(position)
    if safe is not None:
        return Hint(safe, Reason.SAFE if any(cards for _, cards in packets) else Reason.FINISH)
    ways: list[Way] = []
    for name, cards in packets:
        ranks = _ranks_before(rules, position, RANK[cards[-1]]) if cards else None
        if ranks is not None:
            first = Move(f"arch{RANKS[ranks[-1] - 1]}", FOUNDATION, 1) if ranks else Move(name, FOUNDATION)
            ways.append((len(ranks), -len(cards), name, first))
    return _best(ways) or _any_to_foundation(rules, position)


def _any_to_foundation(rules: Burgvoegtin, position: Position) -> Hint | None:
    """A card that fits, though it opens no packet: with it others may."""
    fitting = (move for move in rules.moves(position) if move.target == FOUNDATION)
    return next((Hint(move, Reason.TO_FOUNDATION) for move in fitting), None)


def _ranks_before(rules: Burgvoegtin, position: Position, rank: int) -> list[int] | None:
    """The ranks of which one card of the arch each must go out before a card of this rank fits, from high to low.

    None if the arch has not got them.
    """
    heights = [len(cards) for cards in position.piles[:8]]
    ranks: list[int] = []
    while rank - 1 not in heights:
        rank -= 1
        if rank < 2 or not rules.cards(position, f"arch{RANKS[rank - 1]}"):
            return None
        ranks.append(rank)
    return ranks


def archway_hint(rules: Archway, position: Position) -> Hint | None:
    """The same for Archway, up and down; where nothing else fits, a card that crosses."""
    columns = [(name, rules.cards(position, name)) for name in archway.COLUMNS]
    safe = rules.safe(position)
    if safe is not None:
        return Hint(safe, Reason.SAFE if any(cards for _, cards in columns) else Reason.FINISH)
    ways = [way for name, cards in columns if cards for way in _ways(rules, position, name, len(cards), cards[-1])]
    return _best(ways) or _any_of_arch(rules, position) or _crossing(rules, position)


def _ways(rules: Archway, position: Position, column: str, height: int, card: Card) -> Iterator[Way]:
    for kind, step in (("up", 1), ("down", -1)):
        top = RANK[rules.cards(position, kind + SUITS[SUIT[card]])[-1]]
        ranks = list(range(top + step, RANK[card], step))
        places = [_place(rules, position, rank, SUITS[SUIT[card]]) for rank in ranks]
        if (RANK[card] - top) * step > 0 and all(places):
            move = Move(f"arch{RANKS[ranks[0] - 1]}", kind, places[0]) if ranks else Move(column, kind)
            yield len(ranks), -height, column, move


def _place(rules: Archway, position: Position, rank: int, suit: str) -> int:
    """Where in the arch a card lies, counted from 1; 0 if nowhere."""
    cards = rules.cards(position, f"arch{RANKS[rank - 1]}")
    card = Card(RANKS[rank - 1] + suit)
    return cards.index(card) + 1 if card in cards else 0


def _best(ways: list[Way]) -> Hint | None:
    if not ways:
        return None
    needed, _, name, move = min(ways, key=lambda way: way[:3])
    return Hint(move, Reason.ARCH_FOR_PACKET, name) if needed else Hint(move, Reason.DIGS_PACKET)


def _any_of_arch(rules: Archway, position: Position) -> Hint | None:
    """A card of the arch that fits, though it opens no column."""
    for move in rules.moves(position):
        if move.source.startswith("arch") and move.target in ("up", "down"):
            return Hint(move, Reason.TO_FOUNDATION)
    return None


def _crossing(rules: Archway, position: Position) -> Hint | None:
    """A card that crosses towards where a free card fits, if nothing else is left."""
    if rules.stuck(position):
        return None
    free = [(name, rules.cards(position, name)[-1:]) for name in archway.COLUMNS]
    free += [(name, rules.cards(position, name)) for name in archway.ARCH]
    for name, cards in free:
        for card in cards:
            suit = SUITS[SUIT[card]]
            up, down = rules.cards(position, f"up{suit}"), rules.cards(position, f"down{suit}")
            if len(up) + len(down) == len(RANKS):
                upwards = RANK[card] > RANK[up[-1]]
                crossing = Move(f"down{suit}", "up") if upwards else Move(f"up{suit}", "down")
                return Hint(crossing, Reason.CROSSES, name)
    return None
