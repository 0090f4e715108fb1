"""What can happen in a match of Kop: the facts that its state is made of, as they stand in the log."""

from dataclasses import dataclass

from server.games.cards import Card
from server.games.game import Millis, Seat
from server.games.kop.auction import Utterance
from server.games.kop.scoring import Line

Hand = tuple[Card, ...]
Hands = tuple[Hand, Hand, Hand, Hand]


@dataclass(frozen=True, slots=True)
class DealOffered:
    """The next deal is prepared; only the commitment to the secret is public.

    `label` names the table and the match, and with the number the deal.
    """

    label: str
    number: int
    dealer: Seat
    secret: bytes


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards are out: the deck as it was after the cut, dealt one by one from the dealer's left."""

    number: int
    dealer: Seat
    cut: int
    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody asked, went on, called or doubled; a question may start an answer time."""

    utterance: Utterance
    deadline: Millis | None


@dataclass(frozen=True, slots=True)
class AnswerTimeOver:
    """The answer time has run out: the leader may lead."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card to the trick on the table."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The trick on the table went to a seat, which leads next."""

    seat: Seat
    eyes: int


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over; hands as dealt and the secret are public from now on."""

    line: Line
    hands: Hands
    secret: bytes


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last deal of the match is scored, or its owner ended it."""


KopEvent = DealOffered | Dealt | Said | AnswerTimeOver | CardPlayed | TrickTaken | DealScored | MatchEnded
