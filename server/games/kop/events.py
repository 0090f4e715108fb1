"""What can happen in a match of Kop: the facts that its state is made of, as they stand in the log."""

from dataclasses import dataclass, field

from server.games.cards import Card
from server.games.game import Millis, Seat
from server.games.kop.auction import Utterance
from server.games.kop.scoring import Line

Hand = tuple[Card, ...]
Hands = tuple[Hand, Hand, Hand, Hand]
FourTexts = tuple[str, str, str, str]
FourBytes = tuple[bytes, bytes, bytes, bytes]


@dataclass(frozen=True, slots=True)
class DealOffered:
    """The next deal is prepared; only the commitment to the secret is public.

    `label` names the table and the match, and with the number the deal. Where all tables of a round play the same
    cards it names the round, and this deal and all later ones follow from the `seed`, which is secret.
    """

    label: str
    number: int
    dealer: Seat
    secret: bytes
    seed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class OpeningBegun:
    """All are ready, and some have committed to bytes of their own: they open them now, until the deadline.

    `commitments` are hexadecimal, empty for a seat without one; `cut` is what the dealer's right
    neighbour has said openly, if he has.
    """

    commitments: FourTexts
    cut: int | None
    deadline: Millis


@dataclass(frozen=True, slots=True)
class Opened:
    """A seat opened its commitment: its bytes, and as the dealer's right neighbour its cut (0: none chosen)."""

    seat: Seat
    secret: bytes
    cut: int


@dataclass(frozen=True, slots=True)
class Dealt:
    """The cards are out: the deck as it was after the cut, dealt one by one from the dealer's left.

    A `cut` of 0: nobody cuts where all tables play the same cards.
    `commitments` are what each seat had committed to, `opened` the bytes that it added to the shuffle,
    both empty for one that added none.
    """

    number: int
    dealer: Seat
    cut: int
    deck: tuple[Card, ...]
    commitments: FourTexts = ("", "", "", "")
    opened: FourBytes = (b"", b"", b"", b"")


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody asked, went on, called or doubled; a question may start an answer time."""

    utterance: Utterance
    deadline: Millis | None


@dataclass(frozen=True, slots=True)
class AnswerTimeOver:
    """The answer time has run out: the leader may lead, or the second card may be played."""


@dataclass(frozen=True, slots=True)
class LeadTakenBack:
    """A late doubling has sent the opening lead back to the leader's hand; all have seen it."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card to the trick on the table; an opening lead may start a pause for late calls."""

    seat: Seat
    card: Card
    deadline: Millis | None = None


@dataclass(frozen=True, slots=True)
class TrickTaken:
    """The trick on the table went to a seat, which leads next."""

    seat: Seat
    eyes: int


@dataclass(frozen=True, slots=True)
class Burned:
    """A deal number that was annulled, with the secret that was on offer under it."""

    number: int
    secret: bytes


@dataclass(frozen=True, slots=True)
class DealScored:
    """The deal is over; hands as dealt and the secret are public from now on.

    `burned` are the deals annulled since the one scored before.
    """

    line: Line
    hands: Hands
    secret: bytes
    burned: tuple[Burned, ...] = ()


@dataclass(frozen=True, slots=True)
class DealAnnulled:
    """A deal that could not go on is void: all of it is public, and its number is burned."""

    number: int
    hands: Hands
    secret: bytes


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """The deal in play is the last of the match; none follows."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The last deal of the match is scored, or its owner ended it."""


DealEvent = Said | AnswerTimeOver | LeadTakenBack | CardPlayed | TrickTaken
KopEvent = DealOffered | OpeningBegun | Opened | Dealt | DealEvent | DealScored | DealAnnulled | TimeCalled | MatchEnded
