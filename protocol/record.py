"""The record of a finished deal, of Kop or of a patience: self-contained, to be replayed and checked by anybody.

Private by default: only who sat there can ask for it, unless one of them shares it. There is no record
of a running deal. `docs/records.md` tells how to read it, `docs/fair-deal.md` how to check it.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Card, Line, Part, SeatNumber
from protocol.kop_options import KopOptions
from protocol.patience import Day, DealNumber, PatienceLine, PatienceName, PlayingCard
from protocol.patience_options import ArchwayOptions, BurgvoegtinOptions, CarpetOptions, ZopfOptions

Hex32 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Hex32OrEmpty = Annotated[str, Field(pattern="^([0-9a-f]{64})?$")]
FourHex = tuple[Hex32OrEmpty, Hex32OrEmpty, Hex32OrEmpty, Hex32OrEmpty]


class BurnedDeal(Part):
    """A deal that was annulled before this one: its number is not used again."""

    deal: int
    secret: Hex32


class Fairness(Part):
    """What shows that nobody chose the cards."""

    commitment: Hex32 = Field(description="The server's, published before anybody was ready.")
    secret: Hex32 = Field(description="The server's: its SHA-256 is the commitment.")
    commitments: FourHex = Field(description="The seats', said with ready; empty for a seat without one.")
    opened: FourHex = Field(description="The bytes that each seat opened; empty if it had or opened none.")
    burned: list[BurnedDeal] = Field(description="Deals annulled since the record before.")


class RecordTournament(Part):
    """Where in a tournament a deal was played."""

    tournament: str = Field(description="The tournament's id.")
    name: str
    round: int
    table: int = Field(description="Number of the table in the round.")
    duplicate: bool = Field(description="The deck came from the round: all its tables have played it.")


class KopRecord(Part):
    """A finished deal."""

    format: Literal[1]
    record: str = Field(description="Its name: table, match and number of the deal.")
    game: Literal["kop"]
    table: str
    match: int
    deal: int
    at: int = Field(description="When it was scored, ms since 1970.")
    seats: tuple[str, str, str, str] = Field(description="The names of those who sat there.")
    bots: list[bool] = Field(default=[False] * 4, description="Per seat: a bot was dealt the cards.")
    acted_for: list[int] = Field(
        default=[],
        description="Which acts (counted from 0) were not done by whom the cards were dealt to: "
        "by a bot or the clock for him, or by who took his seat.",
    )
    tournament: RecordTournament | None = Field(default=None, description="At a table of a tournament.")
    options: KopOptions
    dealer: SeatNumber
    deck: Annotated[list[Card], Field(min_length=16, max_length=16)] = Field(
        description="The deck after the cut: dealt one by one from the dealer's left."
    )
    cut: Annotated[int, Field(ge=0, le=15)] = Field(description="0: not cut, since all tables played these cards.")
    acts: list[tuple[SeatNumber | None, str]] = Field(
        description="All that was said and played, in order, in the words of the actions; the fourth trick too. "
        "A null seat is the clock: its `time over`."
    )
    line: Line
    fair: Fairness


class PatienceRecordLine(PatienceLine):
    """The line of the sheet; here the number is always told."""

    number: DealNumber


class PatienceRecord(Part):
    """A finished deal of a patience. The moves are those that stood at the end, without what was taken back."""

    format: Literal[1]
    record: str = Field(description="Its name: table, match and number of the deal.")
    game: PatienceName
    table: str
    match: int
    deal: int
    at: int = Field(description="When it was over, ms since 1970.")
    seats: tuple[str] = Field(description="The player's name.")
    bots: tuple[bool] = Field(description="Whether it was a program.")
    acted_for: list[int] = Field(description="Always empty: nobody acts for the player.")
    options: ZopfOptions | BurgvoegtinOptions | CarpetOptions | ArchwayOptions = Field(
        description="Complete: those of the game."
    )
    number: DealNumber = Field(description="The deal's number: it gives the pack.")
    keep_twins: bool = Field(description="With `single_twins`: the player has left the twins in the braid.")
    day: Day | None = Field(description="The day whose deal of the day it was.")
    pack: Annotated[list[PlayingCard], Field(min_length=52, max_length=104)] = Field(
        description="All cards in the order in which they were dealt."
    )
    opening: list[str] = Field(description="The moves that the rules make before the player's first.")
    moves: list[str] = Field(description="In the words of the actions.")
    line: PatienceRecordLine


class Decision(Part):
    """A card that was played where there was a choice, and what it cost at best play of all."""

    act: int = Field(description="Which act of the record, counted from 0.")
    seat: SeatNumber
    card: Card
    best: list[Card] = Field(description="The cards that were best.")
    cost_eyes: int = Field(description="Card points that it gave away, for the side of the seat.")
    cost_value: int = Field(description="Game value that it gave away, in money of the seat before the stake.")


class KopExplanation(Part):
    """A finished deal with all hands open."""

    hands: list[list[Card]]
    old: list[SeatNumber]
    best_eyes: int = Field(description="Card points of the Old at best play of all.")
    best_won: str = Field(description="Which side wins then: old or young.")
    best_value: int = Field(description="What the deal is worth then, with the doublings that were said.")
    decisions: list[Decision]
