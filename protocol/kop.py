"""What a view of a Kop table holds, and what can happen and be done there.

These models document the `play` parts of a view and the happenings; the server builds the same
shapes as plain dicts, and its tests validate every view they see against these models. Seats are
numbers 0 to 3, clockwise. Cards are two letters, rank then suit: `AH TH QC JD`.

**Actions** are words, as they stand in `own.actions` and go into `act`:

| action | meaning |
|---|---|
| `ready` | ready for the next deal; the cut is left to the server |
| `ready 7` | the same with a cut of 7 cards; only the dealer's right neighbour, 1 to 15 |
| `rematch` | after the match: ready for another one, same seats, new lot |
| `ask` | the leader's question *May I?*; when calling in turn, his first pass |
| `go on` | the answer: no call from me; also lets an opening lead pass without a late doubling |
| `pass` | when calling in turn: no call from me |
| `wesele`, `zolo`, `zolo du` | calls a game (`wesele JH` names the jack, where the rules want one) |
| `double 1` | the first doubling (kontra), `double 2` the second (re), and so on |
| `play AH` | plays a card |

Two more are made by the client's program and stand in no view; `docs/fair-deal.md` says how:

| action | meaning |
|---|---|
| `ready COMMITMENT` | ready, with a commitment (64 hexadecimal digits) to 32 bytes of one's own, and to a cut |
| `open BYTES` or `open BYTES CUT` | opens it, in the phase `opening`, to the prompt of the newest view |
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SeatNumber = Annotated[int, Field(ge=0, le=3)]
Card = Annotated[str, Field(pattern="^[ATQJ][CSHD]$")]
Side = Literal["old", "young"]
GameKind = Literal["ordinary", "cicha", "wesele", "zolo", "zolo_du"]
FourNumbers = tuple[int, int, int, int]
FourAmounts = tuple[str, str, str, str]


class Part(BaseModel):
    """Base of everything inside a view or a happening."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Said(Part):
    """One utterance: `ask`, `go on`, a game, or a doubling, in the words of the actions."""

    seat: SeatNumber
    say: str


class PlayedCard(Part):
    """A card on the table and who played it."""

    seat: SeatNumber
    card: Card


class Trick(Part):
    """A gathered trick: its cards in the order played, the winner, and its card points."""

    cards: tuple[PlayedCard, PlayedCard, PlayedCard, PlayedCard]
    winner: SeatNumber
    eyes: int


class Line(Part):
    """One line of the score sheet: a finished deal."""

    deal: int
    dealer: SeatNumber
    game: GameKind
    caller: SeatNumber | None = Field(
        description="Who called the game, or was alone in a cicha; null in an ordinary game."
    )
    old: list[SeatNumber] = Field(description="The seats of the Old (starzy), or the one who was alone.")
    old_eyes: Annotated[int, Field(ge=0, le=104)] = Field(description="Card points of the Old, of 104.")
    won: Side
    margin: Literal["exit", "no_exit", "no_trick", "boki"] = Field(
        description="wyjście, bez wyjścia, bez bitki, or 52:52."
    )
    doublings: list[SeatNumber] = Field(description="Who said the first, second … doubling of the game that stood.")
    counted: int = Field(description="How many doublings counted: the runs by one side, less what a cap cut.")
    base: int = Field(description="The value before doublings.")
    value: int = Field(description="base × 2^counted: what each loser pays for, each winner gets.")
    points: FourNumbers = Field(description="The points ledger: what each seat is credited.")
    money: FourNumbers = Field(description="The money ledger in values: sums to 0; times the stake it is money.")


class Ledger(Part):
    """Both ledgers of the match so far."""

    points: FourNumbers
    money: FourAmounts = Field(description="Money: values times the stake, exact decimals; sums to 0.")


class Doubling(Part):
    """What the doublings said so far are worth to this viewer."""

    factor: int
    exact: bool = Field(description="False: the sides are not known to this viewer yet, so it is at most the factor.")


class Opening(Part):
    """The seats open what they have committed to."""

    commitments: tuple[str, str, str, str] = Field(description="Per seat, hexadecimal; empty: none.")
    cut: Annotated[int, Field(ge=1, le=15)] | None = Field(
        description="The cut that was said openly with ready; null: none, or it is in the commitment of who cuts."
    )
    opened: list[SeatNumber] = Field(description="The seats that have opened.")


class KopPublic(Part):
    """`public.play`: what everybody at a Kop table, and every watcher, may know."""

    phase: Literal["ready", "opening", "calls", "play", "over"]
    deal: int = Field(
        description="Number of the running deal, or of the next one between deals; from 1. Annulled ones are burned."
    )
    scored: int = Field(description="How many deals of the match are scored.")
    deals: int | None = Field(description="How many deals the match has; null: open-ended.")
    dealer: SeatNumber
    commitment: str = Field(
        description="SHA-256 of the secret of this deal, hexadecimal; published before anyone is ready."
    )
    rules: str = Field(description="The rule set that the host started from.")
    house_rules: bool = Field(
        description="Whether he has changed single fields of it; the sheet's `options` have them all."
    )
    trumps: Literal["as_dycha", "as_trzy_dychy"] = Field(description="Which cards are trumps.")
    calling: Literal["open", "in_turn"] = Field(description="Anybody may call until the lead, or each in turn.")
    doubling_names: list[str] = Field(description="What the first, second … doubling is called here.")
    stake: str = Field(description="What a value of 1 is worth: a decimal, a blank, and the currency word.")
    opening: Opening | None = Field(description="While seats open their commitments.")
    said: list[Said] = Field(description="All utterances of the deal in order.")
    game: GameKind | None = Field(description="The called game that stands; null: none called.")
    caller: SeatNumber | None
    jack: Card | None = Field(description="The jack that the caller of a wesele named.")
    question: bool = Field(description="Whether the leader's question stands.")
    waved: list[SeatNumber] = Field(description="Who has answered the standing question with 'go on'.")
    deadline: int | None = Field(
        description="When the answer time, the pause after the lead, or the opening runs out; ms since 1970 on the "
        "server's clock."
    )
    turn: SeatNumber | None = Field(
        description="Whose card is awaited, or whose call when calling in turn; the leader while open calls are open."
    )
    shown: list[Card] = Field(description="Cards that the leader led and took back for a late doubling.")
    trick: list[PlayedCard] = Field(description="The cards of the trick on the table.")
    tricks: list[Trick] = Field(
        description="The gathered tricks that the rules leave in sight; between deals those of the deal before."
    )
    taken: FourNumbers = Field(description="Tricks taken, per seat.")
    eyes: FourNumbers | None = Field(
        description="Card points taken, per seat; null where the rules hide gathered tricks."
    )
    cards: FourNumbers = Field(description="How many cards each seat holds.")
    sides: list[Side | None] = Field(description="Per seat, as far as it follows from what all have seen.")
    doubling: Doubling
    ledger: Ledger
    last: Line | None = Field(description="The line of the deal before, while the next one has not begun.")


class KopOwn(Part):
    """`own.play`: what one seat knows beyond `public.play`."""

    hand: list[Card] = Field(description="The seat's own cards, highest trump first.")
    sides: list[Side | None] = Field(description="Per seat, as far as this seat can know.")
    doubling: Doubling


class Dealt(Part):
    """The cards are out."""

    event: Literal["dealt"]
    deal: int
    dealer: SeatNumber
    leader: SeatNumber
    cut: Annotated[int, Field(ge=0, le=15)] = Field(description="0: nobody cuts where all tables play these cards.")
    opened: tuple[str, str, str, str] = Field(description="The bytes each seat added, hexadecimal; empty: none.")
    unopened: list[SeatNumber] = Field(description="Seats that had committed and did not open in time.")


class OpeningBegun(Part):
    """All are ready; the seats that have committed open now."""

    event: Literal["opening_begun"]
    commitments: tuple[str, str, str, str]
    cut: Annotated[int, Field(ge=1, le=15)] | None


class SeatOpened(Part):
    """A seat has opened its commitment."""

    event: Literal["opened"]
    seat: SeatNumber


class SaidHappened(Part):
    """Somebody asked, went on, called or doubled."""

    event: Literal["said"]
    seat: SeatNumber
    say: str


class AnswersTimedOut(Part):
    """The answer time after the question, or the pause after the opening lead, is over."""

    event: Literal["answer_time_over"]


class LeadTakenBack(Part):
    """A late doubling sent the opening lead back to its hand."""

    event: Literal["lead_taken_back"]
    seat: SeatNumber
    card: Card


class CardPlayed(Part):
    """A card was played."""

    event: Literal["card_played"]
    seat: SeatNumber
    card: Card


class TrickTaken(Part):
    """The trick on the table was won."""

    event: Literal["trick_taken"]
    seat: SeatNumber
    eyes: int


class DealScored(Part):
    """The deal is over: its line, all hands as dealt, and the secret that made them."""

    event: Literal["deal_scored"]
    line: Line
    hands: tuple[list[Card], list[Card], list[Card], list[Card]]
    secret: str = Field(description="The secret of this deal, hexadecimal: its SHA-256 is the commitment.")


class DealAnnulled(Part):
    """The deal is void: its hands as dealt and its secret; the number is burned."""

    event: Literal["deal_annulled"]
    deal: int
    hands: tuple[list[Card], list[Card], list[Card], list[Card]]
    secret: str


class DealOffered(Part):
    """The next deal is prepared: its number, dealer and commitment are fixed."""

    event: Literal["deal_offered"]
    deal: int
    dealer: SeatNumber
    commitment: str


class TimeCalled(Part):
    """The director of the tournament has called time: the deal in play is the last."""

    event: Literal["time_called"]


class MatchOver(Part):
    """The match is over."""

    event: Literal["match_over"]


KopHappening = Annotated[
    DealOffered
    | OpeningBegun
    | SeatOpened
    | Dealt
    | SaidHappened
    | AnswersTimedOut
    | LeadTakenBack
    | CardPlayed
    | TrickTaken
    | DealScored
    | DealAnnulled
    | TimeCalled
    | MatchOver,
    Field(discriminator="event"),
]
