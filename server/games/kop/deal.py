"""One deal, from the cards in hand to the last trick: its state and how events change it."""

from collections.abc import Sequence
from dataclasses import dataclass

from server.games.cards import Card
from server.games.game import Seat
from server.games.kop.auction import Auction
from server.games.kop.events import CardPlayed, Dealt, Hand, Hands, TrickTaken
from server.games.kop.play import PLAY, eyes, winning_place
from server.games.kop.ruleset import RuleSet
from server.games.kop.scoring import Taken
from server.games.kop.sides import Contract, contract
from server.games.values import changed

TRICKS = 4
TIME_OVER = "time over"


def left_of(seat: Seat, places: int = 1) -> Seat:
    """The seat that many places to the left, clockwise."""
    return Seat((seat + places) % 4)


def right_of(seat: Seat) -> Seat:
    """The right neighbour, who cuts for a dealer."""
    return Seat((seat + 3) % 4)


@dataclass(frozen=True, slots=True)
class Trick:
    """A gathered trick: its cards in the order played, who led it and who won it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat

    def player(self, place: int) -> Seat:
        """Who played the card at that place."""
        return left_of(self.leader, place)


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in which cards are out, as `origin` says. `trick` is on the table, led by `leader`.

    `acts` are all that was said and played, in order: the seat (None for the clock) and the words.
    """

    origin: Dealt
    dealt: Hands
    hands: Hands
    auction: Auction
    leader: Seat
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    shown: tuple[Card, ...] = ()
    """Cards that the leader led and took back, for a late doubling: all have seen them."""
    acts: tuple[tuple[Seat | None, str], ...] = ()

    @property
    def number(self) -> int:
        """The number of the deal in its match."""
        return self.origin.number

    @property
    def dealer(self) -> Seat:
        """Who dealt."""
        return self.origin.dealer

    @property
    def in_calls(self) -> bool:
        """Whether no card lies yet: calls, or the lead, are awaited."""
        return not self.trick and not self.tricks

    @property
    def lead_lies(self) -> bool:
        """Whether only the opening lead lies."""
        return len(self.trick) == 1 and not self.tricks

    @property
    def turn(self) -> Seat:
        """Whose card is awaited."""
        return left_of(self.leader, len(self.trick))

    @property
    def cards_played(self) -> int:
        """How many cards have been played."""
        return 4 * len(self.tricks) + len(self.trick)

    def contract(self) -> Contract:
        """What is played and by whom: hidden from most until it shows."""
        return contract(self.auction.standing, self.dealt)

    def taken(self, seats: Sequence[Seat]) -> Taken:
        """The card points and tricks of these seats together."""
        won = [trick for trick in self.tricks if trick.winner in seats]
        return Taken(sum(eyes(trick.cards) for trick in won), len(won))


def deal_out(event: Dealt, passes_to_close: int | None) -> Deal:
    """The deal of a deck: one card at a time from the dealer's left, four each."""
    leader = left_of(event.dealer)
    by_place = [event.deck[place::4] for place in range(4)]
    hands = (by_place[-leader % 4], by_place[(1 - leader) % 4], by_place[(2 - leader) % 4], by_place[(3 - leader) % 4])
    return Deal(event, hands, hands, Auction(leader, passes_to_close), leader)


def with_card(deal: Deal, played: CardPlayed) -> Deal:
    """The deal after a card was played."""
    seat, card = played.seat, played.card
    left = tuple([other for other in deal.hands[seat] if other is not card])
    return changed(
        deal,
        hands=_with_hand(deal.hands, seat, left),
        trick=(*deal.trick, card),
        acts=(*deal.acts, (seat, PLAY + card)),
    )


def _with_hand(hands: Hands, seat: Seat, cards: Hand) -> Hands:
    """The hands, with these cards in that of a seat."""
    four = list(hands)
    four[seat] = cards
    return (four[0], four[1], four[2], four[3])


def with_said(deal: Deal, auction: Auction, seat: Seat | None, words: str) -> Deal:
    """The deal after something was said, or (without a seat) the time to say something was over."""
    return changed(deal, auction=auction, acts=(*deal.acts, (seat, words)))


def with_lead_back(deal: Deal) -> Deal:
    """The deal after the opening lead went back to the leader's hand."""
    hands = _with_hand(deal.hands, deal.leader, deal.dealt[deal.leader])
    return changed(deal, hands=hands, trick=(), shown=tuple(dict.fromkeys((*deal.shown, *deal.trick))))


def with_trick(deal: Deal, taken: TrickTaken) -> Deal:
    """The deal after the trick on the table was gathered."""
    gathered = Trick(deal.leader, deal.trick, taken.seat)
    return changed(deal, leader=taken.seat, trick=(), tricks=(*deal.tricks, gathered))


def trick_taken(deal: Deal, rules: RuleSet) -> TrickTaken:
    """Who takes the full trick on the table, and its card points."""
    return TrickTaken(left_of(deal.leader, winning_place(deal.trick, rules)), eyes(deal.trick))
