"""What a view of a patience's table holds, and what can happen and be done there.

These models document the `play` parts of a view and the happenings; the server builds the same
shapes as plain dicts, and its tests validate every view they see against these models. A patience has
one seat; watchers see what the player sees. Cards are two letters, rank then suit: `KC 2D TH`.

**Actions** are words, as they stand in `own.actions` and go into `act`:

| action | meaning |
|---|---|
| `ready` | deal: a new deal of a hidden number, or the number of the table's options first |
| `ready again` | the deal before once more, as a known deal |
| `ready number N` | the deal of this number, as a known deal; stands in no view |
| `ready keep_twins` | with `single_twins`: leave the twins in the braid; also `ready number N keep_twins` |
| `draw` | turn the stock's top card |
| `redeal` | turn the waste over to be the stock |
| `move SOURCE TARGET` | a pile's free card to a pile, or to `foundation`, of which the server picks one |
| `move SOURCE.PLACE TARGET` | the same from a pile of which every card is free; places count from 1 at the bottom |
| `auto` | every move that can never hurt |
| `undo`, `redo` | the last move back, and forth again |
| `ask_solver` | mark the deal as helped: from then on the solver may be asked |
| `restart` | give the deal up and deal it again, as a known deal |
| `give_up` | end the deal |
| `rematch` | after the match: another one |

Who wants a deal that can be won sends [`winnable`](#winnable) instead of `ready`.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Part

PlayingCard = Annotated[str, Field(pattern="^[A23456789TJQK][CSHD]$")]
PatienceName = Literal["zopf", "burgvoegtin", "carpet", "archway"]
DealNumber = Annotated[str, Field(pattern="^[1-9][0-9]{0,19}$")]
Day = Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
PatienceRules = dict[str, bool]
HintReason = Literal[
    "hint.base_card",
    "hint.safe",
    "hint.frees_braid",
    "hint.opens_corner",
    "hint.to_foundation",
    "hint.soon_wanted",
    "hint.bares_waste",
    "hint.builds_row",
    "hint.frees_side",
    "hint.clears_way",
    "hint.draw",
    "hint.redeal",
    "hint.digs_packet",
    "hint.arch_for_packet",
    "hint.finish",
    "hint.crosses",
    "hint.solver_line",
]


class PatienceLine(Part):
    """A finished deal, as it stands on the sheet."""

    deal: int
    number: DealNumber | None = Field(description="Null for a deal of the day.")
    known: bool = Field(description="The player could know the cards: dealt by number, again, or restarted.")
    day: Day | None = Field(description="The day whose deal of the day it was.")
    helped: bool = Field(description="The solver was asked.")
    counts: bool = Field(description="Whether it belongs into statistics: neither known nor helped.")
    won: bool
    out: int = Field(description="Cards on the foundations at the end.")
    moves: int = Field(description="The player's moves, those taken back too.")
    auto: int = Field(description="Moves of the auto-play.")
    undos: int
    millis: int = Field(description="Playing time, without pauses.")


class PatienceLedger(Part):
    """The match so far."""

    finished: int
    won: int
    counted: int = Field(description="Deals that belong into statistics.")
    counted_won: int


class PatiencePile(Part):
    """A pile: the cards that lie face down are counted, the open ones above them named from the bottom."""

    name: str = Field(description="As in the actions, for example `corner2`.")
    kind: str
    hidden: int
    cards: list[PlayingCard]


class PatienceTable(Part):
    """The deal in play, or as it lay at its end."""

    number: DealNumber | None = Field(description="Null while it is hidden, and for a deal of the day.")
    known: bool
    day: Day | None
    helped: bool
    piles: list[PatiencePile] = Field(description="In the order of the game's page.")
    direction: Literal["up", "down"] | None = Field(description="Zopf: where the foundations go, once decided.")
    passes: int = Field(description="Which pass through the stock it is, from 1.")
    passes_left: int
    moves: int
    auto: int
    undos: int
    can_undo: int = Field(description="How many moves can be taken back.")
    can_redo: int
    won: bool
    stuck: bool = Field(description="The player can see that nothing leads further; undo or give up.")
    started: int = Field(description="When it was dealt, ms since 1970; pauses moved it on.")


class PatiencePublic(Part):
    """`public.play`: what everybody at the table of a patience may know; the player knows no more."""

    phase: Literal["ready", "play", "over"]
    game: PatienceName
    rules: PatienceRules = Field(description="The variants, by the names of the options.")
    no_undo: bool
    auto_play: bool
    number: str = Field(description="The number of the table's first deal; empty: a hidden one.")
    deal: int = Field(description="Number of the running deal, or of the next one; from 1.")
    finished: int
    won: int
    last: PatienceLine | None = Field(description="The line of the deal before, while none is in play.")
    table: PatienceTable | None


class PatienceOwn(Part):
    """`own.play`: nothing; the player sees what everybody sees."""


class PatienceOffered(Part):
    """The next deal may be begun."""

    event: Literal["patience_offered"]
    deal: int


class PatienceStep(Part):
    """A move that the rules make before the player's first, and the card that it took."""

    move: str
    card: PlayingCard | None


class PatienceDealt(Part):
    """The cards lie."""

    event: Literal["patience_dealt"]
    deal: int
    known: bool
    day: Day | None
    number: DealNumber | None = Field(description="Null while it is hidden.")
    opening: list[PatienceStep]


class Moved(Part):
    """A move was made, by the player or by the auto-play."""

    event: Literal["moved"]
    move: str
    card: PlayingCard | None
    auto: bool


class Undone(Part):
    """The last move was taken back."""

    event: Literal["undone"]
    move: str


class Redone(Part):
    """A move that was taken back was made again."""

    event: Literal["redone"]
    move: str


class SolverAsked(Part):
    """The deal is marked as helped."""

    event: Literal["solver_asked"]


class PatienceOver(Part):
    """The deal is won, or given up."""

    event: Literal["patience_over"]
    line: PatienceLine


class PatienceAnnulled(Part):
    """The deal is void."""

    event: Literal["patience_annulled"]
    deal: int
    number: DealNumber | None = Field(description="Null for a deal of the day.")


PatienceHappening = Annotated[
    PatienceOffered | PatienceDealt | Moved | Undone | Redone | SolverAsked | PatienceOver | PatienceAnnulled,
    Field(discriminator="event"),
]
