"""Random endgames, and whether they can be won, found by trying everything with the rules alone."""

import random

from server.games.patience.archway import ARCH as ARCHWAY_ARCH
from server.games.patience.archway import COLUMNS, Archway
from server.games.patience.burgvoegtin import PACKETS, Burgvoegtin
from server.games.patience.cards import PACK, RANKS, SUITS, Card, Cards, card_of
from server.games.patience.carpet import CARPET, Carpet
from server.games.patience.layout import Patience, Position
from server.games.patience.zopf import CORNERS, SIDES, Zopf

TOO_MANY = 20_000


def can_be_won(rules: Patience, start: Position) -> bool | None:
    """By trying every line; None if there are too many positions."""
    seen = {_same(rules, start)}
    waiting = [start]
    while waiting:
        where = waiting.pop()
        if rules.won(where):
            return True
        if len(seen) > TOO_MANY:
            return None
        for move in rules.moves(where):
            after = rules.play(where, move)
            key = _same(rules, after)
            if key not in seen:
                seen.add(key)
                waiting.append(after)
    return False


def _same(rules: Patience, where: Position) -> object:
    """The position, with holes and sides whatever their order."""
    piles = dict(zip((pile.name for pile in rules.piles), where.piles, strict=True))
    loose = sorted(piles.pop(name) for name in (*CARPET, *SIDES) if name in piles)
    return tuple(loose), tuple(piles.values()), where.passes, where.direction


def endgame(rules: Patience, seed: int) -> Position:
    """A position near the end: foundations well on, the other cards anywhere."""
    rng = random.Random(seed)
    match rules:
        case Carpet():
            return _carpet(rules, rng)
        case Burgvoegtin():
            return _burgvoegtin(rules, rng)
        case Archway():
            return _archway(rules, rng)
        case Zopf():
            return _zopf(rules, rng)
        case _:
            raise AssertionError(rules)


def _split(rng: random.Random, cards: list[Card], parts: int) -> list[Cards]:
    found: list[list[Card]] = [[] for _ in range(parts)]
    for card in cards:
        found[rng.randrange(parts)].append(card)
    return [tuple(part) for part in found]


def _position(rules: Patience, piles: dict[str, Cards], direction: int = 1, passes: int = 1) -> Position:
    return Position(tuple(piles.get(pile.name, ()) for pile in rules.piles), passes, direction)


def _carpet(rules: Carpet, rng: random.Random) -> Position:
    heights = [rng.randrange(1, 4) for _ in range(4)]
    piles = {f"foundation{suit + 1}": PACK[13 * suit : 13 * suit + heights[suit]] for suit in range(4)}
    rest = [card for suit in range(4) for card in PACK[13 * suit + heights[suit] : 13 * suit + 13]]
    rng.shuffle(rest)
    carpet = min(20, len(rest) - 6)
    waste = rng.randrange(8, 16)
    piles |= {name: (card,) for name, card in zip(CARPET, rest[:carpet], strict=False)}
    piles["waste"], piles["stock"] = tuple(rest[carpet : carpet + waste]), tuple(rest[carpet + waste :])
    return _position(rules, piles)


def _burgvoegtin(rules: Burgvoegtin, rng: random.Random) -> Position:
    heights = [rng.randrange(8, 11) for _ in range(4)] + [rng.randrange(12, 14) for _ in range(4)]
    if rules.open_packets and rng.randrange(2):
        heights = [0, *[12] * 4, *[13] * 3]
    piles = {f"foundation{place + 1}": PACK[:height] for place, height in enumerate(heights)}
    rest = [card for height in heights for card in PACK[height:13]]
    rng.shuffle(rest)
    rest.sort(key=lambda card: card[0] != "A")  # an ace lies in a packet
    in_packets = len(rest) - rng.randrange(6)
    piles |= dict(
        zip(PACKETS, _split(rng, rng.sample(rest[:in_packets], in_packets), rng.randrange(2, 5)), strict=False)
    )
    for card in sorted(rest[in_packets:]):
        piles[f"arch{card[0]}"] = (*piles.get(f"arch{card[0]}", ()), card)
    return rules.aces_out(_position(rules, piles))


def _archway(rules: Archway, rng: random.Random) -> Position:
    piles: dict[str, Cards] = {}
    rest: list[Card] = []
    for suit, mark in enumerate(SUITS):
        up, down = rng.randrange(8, 14), rng.randrange(9, 14)
        if rules.meet:  # one suit in which cards can cross, or soon can
            up = rng.randrange(3, 9) if suit == 0 else rng.randrange(12, 14)
            down = rng.randrange(10, 14) - up if suit == 0 else 13
        ranks = range(1, 14)
        piles[f"up{mark}"] = tuple(card_of(rank, suit) for rank in ranks[:up])
        piles[f"down{mark}"] = tuple(card_of(rank, suit) for rank in ranks[::-1][:down])
        rest += [card_of(rank, suit) for rank in (*ranks[up:], *ranks[::-1][down:])]
    rng.shuffle(rest)
    in_columns = rng.randrange(len(rest) // 2, len(rest) + 1)
    piles |= dict(zip(COLUMNS, _split(rng, rest[:in_columns], 4), strict=True))
    for card in rest[in_columns:]:
        arch = ARCHWAY_ARCH[RANKS.index(card[0])]
        piles[arch] = (*piles.get(arch, ()), card)
    return _position(rules, piles)


def _zopf(rules: Zopf, rng: random.Random) -> Position:
    base = rng.randrange(13)
    direction = rng.choice((1, -1)) if rules.either_direction else 1
    piles: dict[str, Cards] = {}
    rest: list[Card] = []
    for place in range(8):
        height = rng.choice((8, 9, 10, 13))
        suit = [card_of((base + direction * step) % 13 + 1, place // 2) for step in range(13)]
        piles[f"foundation{place + 1}"] = tuple(suit[:height])
        rest += suit[height:]
    rng.shuffle(rest)
    braid = rest[: rng.randrange(len(rest) // 2, len(rest))]
    rest = rest[len(braid) :]
    corners, sides = rest[: 4 if braid else 0], rest[4 if braid else 0 :]
    number = rng.randrange(4)
    piles |= {name: (card,) for name, card in zip(CORNERS, corners, strict=False)}
    piles |= {name: (card,) for name, card in zip(SIDES, sides[:number], strict=False)}
    line = sides[number:]
    waste = rng.randrange(len(line) + 1)
    piles |= {"braid": tuple(braid), "waste": tuple(line[:waste]), "stock": tuple(line[waste:])}
    return _position(rules, piles, direction, rng.choice((1, 2, 3)))


def unplayed(rules: Archway | Burgvoegtin, seed: int) -> Position:
    """A whole deal that can be won, made by playing one backwards from its end."""
    rng = random.Random(seed)
    where = _finished(rules)
    heaps = COLUMNS if isinstance(rules, Archway) else PACKETS
    while any(len(cards) > 1 for cards in where.piles[:8]):
        source = rng.choice([place for place in range(8) if len(where.piles[place]) > 1])
        card = where.piles[source][-1]
        room = [name for name in heaps if len(rules.cards(where, name)) < 12]
        in_arch = sum(len(cards) for cards in where.piles[12:])
        target = rng.choice(room) if room and (in_arch == 48 or rng.randrange(2)) else f"arch{card[0]}"
        where = rules.after(where, rules.piles[source].name, rules.index[target])
    return where


def _finished(rules: Archway | Burgvoegtin) -> Position:
    """All cards on the foundations."""
    suits = [PACK[13 * suit : 13 * suit + 13] for suit in range(4)]
    down = [cards[::-1] for cards in suits] if isinstance(rules, Archway) else suits
    return Position((*suits, *down, *[()] * (len(rules.piles) - 8)))
