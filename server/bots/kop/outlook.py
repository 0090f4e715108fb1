"""What may come of a deal: worlds as a seat imagines them, each with its weight, and the money there."""

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random

from server.bots.kop.promise import promises
from server.bots.kop.suspicion import likelihoods, signs
from server.bots.kop.worlds import Likely, World, draw
from server.games.cards import Card
from server.games.game import Seat
from server.games.kop.auction import Utterance
from server.games.kop.scoring import ALL_EYES, Taken, score
from server.games.kop.seen import Situation
from server.games.kop.sides import SEATS, Contract, GameKind, contract
from server.games.kop.solver import Order, order_of


@dataclass(frozen=True, slots=True)
class Outlook:
    """Worlds that agree with all that a seat has seen, with weights that add up to 1."""

    now: Situation
    order: Order
    worlds: tuple[World, ...]
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Stakes:
    """The money of a seat in the worlds, if this game stands and these have doubled."""

    now: Situation
    order: Order
    standing: Utterance | None
    doublings: tuple[Seat, ...]
    known: dict[tuple[Contract, int, int], int] = field(default_factory=dict)

    def contract(self, world: World) -> Contract:
        """What is played in a world, and by whom."""
        return contract(self.standing, [cards_of(self.order, hand) for hand in world])

    def money(self, world: World, played: Contract, eyes: int) -> int:
        """What a seat gets in a world where the Old have so many eyes at the end."""
        key = (played, world[played.old[0]] if played.kind is GameKind.CICHA else 0, eyes)
        if key not in self.known:
            dealt = [cards_of(self.order, hand) for hand in world]
            taken = Taken(eyes, len(SEATS) if eyes == ALL_EYES else 0)
            line = score(1, self.now.deal.dealer, played, taken, self.doublings, dealt, self.now.rules)
            self.known[key] = line.money[self.now.seat]
        return self.known[key]


@lru_cache(maxsize=2048)
def cards_of(order: Order, hand: int) -> tuple[Card, ...]:
    """The cards of these bits."""
    return tuple(card for card, bit in order.bits.items() if hand & bit)


def look(now: Situation, count: int, rng: Random, *, suspicious: bool) -> Outlook:
    """About so many worlds by chance; `suspicious`: weighed by what the others have said and left unsaid."""
    order = order_of(now.rules)
    leader = now.deal.auction.leader
    told = [signs(now, seat) if suspicious and seat != now.seat else () for seat in SEATS]
    first, second, third, fourth = (likelihoods(now.rules, told[seat], leads=seat == leader) for seat in SEATS)
    likely = Likely(promises(now.rules, leads=False).place, (first, second, third, fourth))
    worlds = draw(now, order, likely, count, rng)
    return Outlook(now, order, tuple(worlds), tuple(worlds.values()))
