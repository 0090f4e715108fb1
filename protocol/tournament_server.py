"""What the server says of tournaments: how one stands and what has happened there, and its list.

The pages are in `protocol.tournament_pages`.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Part
from protocol.tournament_pages import DecisionKind, EntrantStatus, Page, ResultKind

TournamentStage = Literal["registration", "round", "break", "over"]
Admission = Literal["open", "approval", "invitation"]
Ending = Literal["played", "director", "nobody_left"]


class TournamentReply(Part):
    """What was asked of a tournament has taken effect, and is durable."""

    type: Literal["tournament_reply"]
    id: int
    tournament: str
    version: int = Field(description="The tournament's version that it made, or stood at.")
    entrant: int | None = Field(description="The sender's number as an entrant after it; null: he is none.")


class ListedTournament(Part):
    """A tournament in the list."""

    tournament: str
    name: str
    stage: TournamentStage
    round: int = Field(description="The running or last one; 0 before the first.")
    rounds: int
    entrants: int = Field(description="Those who are in.")
    admission: Admission
    open: bool = Field(description="Whether it takes entries.")
    directors: list[str] = Field(description="Their names.")
    own: bool = Field(description="The asker takes part, or directs.")


class Tournaments(Part):
    """The listed tournaments, newest first, and those of the asker."""

    type: Literal["tournaments"]
    id: int
    tournaments: list[ListedTournament]


class TournamentDirector(Part):
    """Who directs."""

    player: str
    name: str


class TournamentPublic(Part):
    """How a tournament stands, for everybody."""

    name: str
    preset: Literal["quick", "wolsztyn", "koscian"]
    stage: TournamentStage
    round: int = Field(description="The running or last one; 0 before the first.")
    rounds: int
    deals: int = Field(description="Of each round.")
    admission: Admission
    team_size: int = Field(description="1: no teams.")
    duplicate: bool = Field(description="All tables of a round play the same cards.")
    open: bool = Field(description="Whether it takes entries.")
    halted: int | None = Field(description="Since when it stands still, ms since 1970.")
    ending: Ending | None = Field(description="Why it is over.")
    due: int | None = Field(description="When the next round opens by itself; null: the director opens it.")
    deadline: int | None = Field(description="When the running round's time is over; null: it has no limit.")
    entrants: int = Field(description="Those who are in.")
    waiting: int = Field(description="Those who wait for the director's approval.")
    tables: int = Field(description="Of the running or last round.")
    finished: int = Field(description="Those of them that have a result.")
    directors: list[TournamentDirector]
    decisions: int = Field(description="How many the directors have made: `after` of `tournament_direct`.")


class TournamentOwn(Part):
    """What concerns one player. His table is where he sits in the running round."""

    directs: bool
    entrant: int | None = Field(description="His number; null: he only directs.")
    status: EntrantStatus | None
    team: str
    from_round: int | None = Field(description="The first round that he can play in.")
    table: str | None = Field(description="Its id; null also where he plays with real cards.")
    number: int | None = Field(description="The table's number.")
    seat: int | None
    bye: bool = Field(description="He has no table in this round.")
    finished: bool = Field(description="His table has a result.")


class EntrantCame(Part):
    """Somebody has entered, or waits for approval."""

    event: Literal["entered"]
    entrant: int
    name: str
    status: EntrantStatus


class EntrantAdmitted(Part):
    """The director has approved somebody, or somebody who was out is back."""

    event: Literal["admitted"]
    entrant: int
    name: str


class EntrantOut(Part):
    """Somebody is out."""

    event: Literal["withdrawn"]
    entrant: int
    name: str


class EntrantMoved(Part):
    """An entrant plays at another device from now on."""

    event: Literal["moved"]
    entrant: int
    name: str


class RoundOpened(Part):
    """A round is drawn: its tables open."""

    event: Literal["round_opened"]
    round: int
    tables: int


class SeatGiven(Part):
    """Somebody else has a seat of the running round."""

    event: Literal["seat_given"]
    table: int = Field(description="Its number.")
    seat: int
    name: str | None = Field(description="Null: a bot of the house.")


class ResultCame(Part):
    """A table has a result, or another one."""

    event: Literal["result"]
    round: int
    table: int
    kind: ResultKind
    small: list[int]


class DecisionMade(Part):
    """A director has decided. The fields are those of the page `decisions`."""

    event: Literal["decided"]
    number: int
    at: int
    by: str
    kind: DecisionKind
    round: int
    table: int
    entrant: int
    name: str
    text: str = Field(description="Text of a stranger: to be shown as text only.")
    undoes: int
    undone: bool
    deal: int = Field(description="The annulled deal; 0: none.")
    big: str = Field(description="The big points of a penalty, an exact fraction; 0 for other decisions.")
    small: list[int] = Field(
        description="The small points of a penalty, or seat by seat of a result that was entered or corrected."
    )


class RoundEnded(Part):
    """All tables of a round have their results."""

    event: Literal["round_ended"]
    round: int


class TournamentEnded(Part):
    """The tournament is over."""

    event: Literal["ended"]
    ending: Ending


TournamentHappening = Annotated[
    EntrantCame
    | EntrantAdmitted
    | EntrantOut
    | EntrantMoved
    | RoundOpened
    | SeatGiven
    | ResultCame
    | DecisionMade
    | RoundEnded
    | TournamentEnded,
    Field(discriminator="event"),
]


class Tournament(Part):
    """Everything that happened in a tournament since version `from`, and how it stands.

    If `from` is not the last version that the client saw, something was lost; what stands here is complete.
    `resync` says the same from the server's side, and `happened` is empty then.
    """

    type: Literal["tournament"]
    tournament: str
    from_: int = Field(alias="from")
    version: int
    resync: bool
    happened: list[TournamentHappening]
    public: TournamentPublic
    own: TournamentOwn | None = Field(description="Null for who only looks on.")


class TournamentPage(Part):
    """A page of a tournament, as it is at this version."""

    type: Literal["tournament_page"]
    id: int
    tournament: str
    version: int
    about: Literal["terms", "entrants", "standings", "round", "cross", "comparison", "decisions", "desk"]
    page: Page
