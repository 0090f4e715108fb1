"""The pages of a tournament, which are sent when somebody asks for them.

Points that can be fractions are texts, as `23/2` or `11`; rounds, tables, entrants and deals are numbered from 1.
"""

from typing import Any, Literal

from pydantic import Field

from protocol.kop import Part

EntrantStatus = Literal["waiting", "in", "out"]
ResultKind = Literal["played", "forfeit", "paper", "corrected"]
LineKind = Literal["played", "bye", "missed", "forfeit", "awarded", "penalty"]
DecisionKind = Literal[
    "approved",
    "turned_away",
    "entered",
    "opened_round",
    "called",
    "replaced",
    "corrected",
    "annulled",
    "penalty",
    "announced",
    "paper",
    "moved",
    "halted",
    "went_on",
    "closed",
    "reopened",
    "terms",
    "director",
    "ended",
    "undone",
]


class RoundCards(Part):
    """Where all tables of a round play the same cards: what they were committed to, and when it is over the seed."""

    commitments: list[str]
    seed: str = Field(description="Hexadecimal digits; empty while it is secret.")


class TermsPage(Part):
    """What is agreed, and what everybody needs to do the draws so far again."""

    options: dict[str, Any] = Field(description="All of them, with those of the tables.")
    commitments: list[str] = Field(description="To the secret of each round's draw.")
    secrets: list[str] = Field(description="Of the rounds that are drawn.")
    contributions: dict[str, str] = Field(description="The players' own bytes, by the entrant's number.")
    cards: list[RoundCards] = Field(description="Of each round so far.")


class TournamentEntrant(Part):
    """Who takes part, or did."""

    entrant: int
    player: str
    name: str
    team: str
    status: EntrantStatus
    from_round: int
    guest: bool = Field(description="The director has entered him; he has no device.")
    program: bool


class EntrantsPage(Part):
    """All entrants."""

    entrants: list[TournamentEntrant]


class ScoreLine(Part):
    """One line of an entrant's account."""

    round: int = Field(description="0: a penalty outside the rounds.")
    kind: LineKind
    big: str
    small: int
    place: int | None
    table: int | None


class StandingRow(Part):
    """An entrant in the standings."""

    rank: int
    entrant: int
    name: str
    team: str
    big: str
    small: int
    won: int = Field(description="First places at a table.")
    seconds: int = Field(description="Second places.")
    lines: list[ScoreLine] = Field(description="Empty in all rows where the page would be too long.")


class TeamRow(Part):
    """A team in the standings."""

    rank: int | None = Field(description="Null: the team is not complete.")
    team: str
    complete: bool
    big: str
    small: int
    won: int
    seconds: int
    members: list[int] = Field(description="The numbers of its members, in their order.")


class StandingsPage(Part):
    """The order so far."""

    rows: list[StandingRow]
    teams: list[TeamRow]


class NamedEntrant(Part):
    """An entrant by his number and name."""

    entrant: int
    name: str


class TableResult(Part):
    """The result of a table; by seat."""

    kind: ResultKind
    small: list[int]
    places: list[int] = Field(description="Empty where somebody forfeited.")
    big: list[str]
    forfeited: list[int] = Field(description="The seats that forfeited.")
    deals: int = Field(description="How many count.")


class TableOfRound(Part):
    """A table of a round."""

    number: int
    table: str | None = Field(description="Its id; null: it plays with real cards.")
    paper: bool
    seats: list[NamedEntrant | None] = Field(description="Null: a bot of the house.")
    annulled: list[int] = Field(description="The deals that do not count.")
    result: TableResult | None


class RoundPage(Part):
    """A round."""

    round: int
    opened: int
    deadline: int | None
    ended: int | None
    tables: list[TableOfRound]
    byes: list[NamedEntrant]


class CrossCell(Part):
    """An entrant's round; what is null is not known while his table plays."""

    kind: LineKind | None
    table: int | None = Field(description="Null: he sat at none.")
    place: int | None
    big: str | None
    small: int | None
    opponents: list[int | None] = Field(description="From his left neighbour on; null: a bot of the house.")


class CrossRow(Part):
    """An entrant's rounds."""

    rank: int
    entrant: int
    name: str
    rounds: list[CrossCell | None] = Field(description="Null: he had nothing to do with this round.")


class CrossPage(Part):
    """The cross table: what each entrant did in each round, and how often each two have met."""

    rows: list[CrossRow]
    meetings: list[list[int]] = Field(description="For each row, how often it has met each other, in the same order.")


class ComparedDeal(Part):
    """A deal in one seat, beside the same cards in that seat at the other tables."""

    deal: int
    money: int = Field(description="In points.")
    points: int = Field(description="2 for each table where this seat won less, 1 for each where it won the same.")


class ComparedSeat(Part):
    """A seat over the deals that count there."""

    table: int
    seat: int
    entrant: int | None
    name: str | None = Field(description="Null: a bot of the house.")
    points: int
    most: int = Field(description="The most points that it could have had.")
    deals: list[ComparedDeal] = Field(description="Empty in all seats where the page would be too long.")


class ComparisonPage(Part):
    """The seats of a round compared."""

    round: int
    seats: list[ComparedSeat]


class DecisionLine(Part):
    """A decision of a director."""

    number: int
    at: int = Field(description="When, ms since 1970.")
    by: str
    kind: DecisionKind
    round: int = Field(description="0: none.")
    table: int = Field(description="0: none.")
    entrant: int = Field(description="0: none.")
    name: str = Field(description="The entrant's.")
    text: str = Field(description="Text of a stranger: to be shown as text only.")
    undoes: int = Field(description="The decision that it takes back; 0: none.")
    undone: bool
    deal: int = Field(description="The annulled deal; 0: none.")
    big: str = Field(description="The big points of a penalty, an exact fraction; 0 for other decisions.")
    small: list[int] = Field(
        description="The small points of a penalty, or seat by seat of a result that was entered or corrected."
    )


class DecisionsPage(Part):
    """What the directors have decided, the newest at the end; the oldest are left out of a page that is too long."""

    decisions: list[DecisionLine]


class TournamentInvitation(Part):
    """A personal invitation."""

    number: int
    name: str
    code: str
    entrant: int | None = Field(description="Who has used it.")


class MoveOffer(Part):
    """A code with which an entrant's place moves to another device."""

    entrant: int
    code: str
    until: int


class SeatWaitedFor(Part):
    """A seat that its table waits for."""

    seat: int
    name: str
    since: int = Field(description="ms since 1970.")


class DeskTable(Part):
    """A table of the running round as it stands now."""

    number: int
    table: str
    stage: Literal["unopened", "seating", "deal", "between", "over"]
    deal: int = Field(description="The running or last one; 0 before the first.")
    deals: int
    waiting_for: list[SeatWaitedFor]
    absent: list[int]
    paused: bool


class DeskPage(Part):
    """What only directors see."""

    waiting: list[TournamentEntrant] = Field(description="Who waits for approval.")
    invitations: list[TournamentInvitation]
    offers: list[MoveOffer]
    tables: list[DeskTable]


Page = TermsPage | EntrantsPage | StandingsPage | RoundPage | CrossPage | ComparisonPage | DecisionsPage | DeskPage
