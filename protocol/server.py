"""What the server says. `type` tells which message it is; unknown types are to be ignored."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from protocol.errors import ErrorCode
from protocol.kop import KopHappening, KopOwn, KopPublic
from protocol.patience import (
    HintReason,
    PatienceHappening,
    PatienceOwn,
    PatiencePublic,
)
from protocol.record import KopExplanation, KopRecord, PatienceRecord
from protocol.results import Ranking, Results
from protocol.sheets import Evening, Sheet
from protocol.tournament_server import Tournament, TournamentPage, TournamentReply, Tournaments

BotWord = Literal["easy", "medium", "hard", "program"]
NoticeCode = Literal["draining", "store_away", "store_back", "rolled_back"]


class ServerMessage(BaseModel):
    """Base of everything the server sends."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Membership(ServerMessage):
    """A table that this player is at."""

    table: str
    seat: int | None = Field(description="The seat there; null: watching.")


class Welcome(ServerMessage):
    """The answer to `hello`. A `table` message for each of `tables` follows by itself."""

    type: Literal["welcome"]
    player: str = Field(description="The player's public id.")
    name: str
    token: str | None = Field(description="A new player's secret, to be kept by the client; null for a known one.")
    tables: list[Membership]
    tournaments: list[str] = Field(
        default_factory=list, description="Those of the player; a `tournament` message for each follows by itself."
    )
    time: int = Field(description="The server's clock, ms since 1970.")


class Pong(ServerMessage):
    """The answer to `ping`."""

    type: Literal["pong"]
    time: int


class Reply(ServerMessage):
    """The command with this id has taken effect, and is durable."""

    type: Literal["reply"]
    id: int
    table: str
    version: int = Field(description="The table's version that it made, or stood at.")
    seat: int | None = Field(description="The seat of the sender after the command; null: none.")
    code: str | None = Field(description="The join code, for those who sit at a private table.")


class Error(ServerMessage):
    """A message was refused; nothing has changed."""

    type: Literal["error"]
    code: ErrorCode
    text: str = Field(description="In English; clients translate by the code.")
    id: int | None = Field(description="The id of the refused command, if it could be read.")
    table: str | None = None
    tournament: str | None = None
    version: int | None = Field(default=None, description="The current version of the table, or the tournament.")
    detail: str | None = Field(default=None, description="Where the fault is, for example the field's name.")


class Sitter(ServerMessage):
    """Who has a seat."""

    player: str
    name: str
    bot: BotWord | None = Field(description="A bot of the server by its strength, or a program; null: a person.")


class AbsenceVote(ServerMessage):
    """What a seat has voted for."""

    seat: int
    choice: Literal["wait", "bot", "end"]


class Absence(ServerMessage):
    """A seat that nobody looks after: its player has been away for longer than the grace, or has left."""

    seat: int
    number: int = Field(description="Names the absence, for `vote`.")
    stand_in: bool = Field(description="A bot plays until the player is back.")
    votes: list[AbsenceVote] | None = Field(description="Where the seats vote on it: what each has voted for.")


class PauseState(ServerMessage):
    """The table stands still. `deadline` and `due` are as they were; what was left at `at` is kept."""

    seat: int | None = Field(description="Who wanted it; null: the director, or nobody was left at the table.")
    at: int = Field(description="Since when, ms since 1970.")
    anyone_from: int = Field(description="From when any seat may resume, unless it is a pause of the director's.")
    director: bool = Field(description="The director of the tournament wanted it; he alone ends it.")


class ClockState(ServerMessage):
    """The clocks of a table that has some."""

    seconds: int = Field(description="For each decision.")
    bank: list[int] = Field(description="Per seat: what is left beyond that in this match, ms.")
    due: list[int | None] = Field(description="Per seat: when its time is over, bank included; null: it stands.")


class TableTournament(ServerMessage):
    """The tournament that a table belongs to. Its seats, its pauses and the end of its match are the director's."""

    tournament: str = Field(description="The tournament's id.")
    name: str
    round: int
    rounds: int
    number: int = Field(description="Of the table in the round.")
    deadline: int | None = Field(description="When the round's time is over, ms since 1970; null: it has no limit.")
    duplicate: bool = Field(
        description="All tables of the round play the same cards: nobody cuts, and `ready` takes no commitment."
    )


class TablePublic(ServerMessage):
    """What everybody at the table, and every watcher, may know."""

    game: str
    private: bool
    stage: Literal["seating", "deal", "between", "over"] = Field(
        description="Before the first deal, in a deal, between two deals, after the match."
    )
    match: int = Field(description="Number of the match at this table; 0 before the first.")
    owner: str = Field(description="The owner's public id; empty at a table of a tournament.")
    tournament: TableTournament | None = Field(description="Null: the table belongs to none.")
    seats: list[Sitter | None]
    ready: list[bool] = Field(description="Per seat: ready for the next deal, or for a rematch.")
    talk: Literal["free", "phrases", "off"] = Field(description="What may be said here.")
    on_absence: Literal["wait", "bot", "vote", "clock"] = Field(
        description="What happens with an absent player's seat."
    )
    absences: list[Absence]
    pause: PauseState | None
    clock: ClockState | None = Field(description="Null: no clocks, or no match yet.")
    play: KopPublic | PatiencePublic | None = Field(description="The game's own part; null before the first match.")


class TableOwn(ServerMessage):
    """What one seat knows and may do."""

    seat: int
    code: str | None = Field(description="The join code of a private table.")
    prompt: str = Field(description="Names the question that `actions` answer.")
    actions: list[str] = Field(description="What this seat may do now.")
    play: KopOwn | PatienceOwn | None


class Seated(ServerMessage):
    """Somebody took a seat."""

    event: Literal["seated"]
    seat: int
    player: str
    name: str
    bot: BotWord | None


class SeatLeft(ServerMessage):
    """Somebody gave up a seat."""

    event: Literal["seat_left"]
    seat: int
    name: str


class SeatRemoved(ServerMessage):
    """The owner took somebody out of a seat."""

    event: Literal["seat_removed"]
    seat: int
    name: str


class OwnerChanged(ServerMessage):
    """The table has another owner."""

    event: Literal["owner_changed"]
    player: str


class ReadySaid(ServerMessage):
    """Somebody is ready for the next deal."""

    event: Literal["ready"]
    seat: int


class MatchStarted(ServerMessage):
    """A match begins; `deal_offered` follows with the dealer, who was drawn by lot."""

    event: Literal["match_started"]
    match: int


class OptionsChanged(ServerMessage):
    """The owner has changed what is agreed, before the first match."""

    event: Literal["options_changed"]
    options: dict[str, Any]


class Absent(ServerMessage):
    """A seat has nobody: the table's rule on absence takes hold."""

    event: Literal["absent"]
    seat: int


class StandIn(ServerMessage):
    """A bot plays an absent player's seat until he is back."""

    event: Literal["stand_in"]
    seat: int


class Returned(ServerMessage):
    """An absent player is back and has his seat."""

    event: Literal["returned"]
    seat: int


class Voted(ServerMessage):
    """A seat has voted on an absence."""

    event: Literal["voted"]
    seat: int
    absent: int
    choice: Literal["wait", "bot", "end"]


class Paused(ServerMessage):
    """The table stands still."""

    event: Literal["paused"]
    seat: int | None
    director: bool = Field(default=False, description="By the director of the tournament.")


class Resumed(ServerMessage):
    """The table goes on."""

    event: Literal["resumed"]
    seat: int | None
    director: bool = Field(default=False, description="By the director of the tournament.")


class MatchClosed(ServerMessage):
    """The director of the tournament ends the match of the table before its time."""

    event: Literal["table_closed"]
    reason: str


class TimeGiven(ServerMessage):
    """The server or its store was away: every deadline is so much later."""

    event: Literal["time_given"]
    millis: int


class ActedFor(ServerMessage):
    """What follows was not the player's own doing: a bot, or the clock, has acted for his seat."""

    event: Literal["acted_for"]
    seat: int
    by: Literal["bot", "clock"]


class Talked(ServerMessage):
    """Somebody has said something; a phrase is said by each client in its reader's language."""

    event: Literal["talked"]
    seat: int | None = Field(description="Null: a watcher, heard by watchers only.")
    player: str
    name: str
    text: str = Field(description="Empty if it is a phrase. Text of a stranger: to be shown as text only.")
    phrase: str = Field(description="Empty if it is text.")
    at: int


TableHappening = Annotated[
    Seated
    | SeatLeft
    | SeatRemoved
    | OwnerChanged
    | ReadySaid
    | MatchStarted
    | OptionsChanged
    | Absent
    | StandIn
    | Returned
    | Voted
    | Paused
    | Resumed
    | MatchClosed
    | TimeGiven
    | ActedFor
    | Talked,
    Field(discriminator="event"),
]


class Table(ServerMessage):
    """Everything that happened at a table since version `from`, and the newest view.

    If `from` is not the last version that the client saw, something was lost: draw this view, it is
    complete. `resync` says the same from the server's side, and `happened` is empty then.
    """

    type: Literal["table"]
    table: str
    from_: int = Field(alias="from")
    version: int
    resync: bool
    happened: list[TableHappening | KopHappening | PatienceHappening]
    here: list[bool] = Field(description="Per seat: is a connection of that player open?")
    watchers: int
    public: TablePublic
    own: TableOwn | None = Field(description="Null for a watcher.")


class TalkLines(ServerMessage):
    """What was said lately, as far as the asker could hear it."""

    type: Literal["talk"]
    id: int
    table: str
    lines: list[Talked]


class LobbyTable(ServerMessage):
    """A public table in the list."""

    table: str
    game: str
    stage: Literal["seating", "deal", "between", "over"]
    names: list[str | None]
    bots: list[bool]
    age: int = Field(description="Seconds since it was opened.")
    options: dict[str, Any]


class ListedRecord(ServerMessage):
    """A line of the list of records."""

    record: str
    game: str
    table: str
    match: int
    deal: int
    at: int
    seats: list[str]


class Records(ServerMessage):
    """The player's newest records."""

    type: Literal["records"]
    id: int
    records: list[ListedRecord]


class Record(ServerMessage):
    """The record of a finished deal."""

    type: Literal["record"]
    id: int
    record: KopRecord | PatienceRecord


class Explanation(ServerMessage):
    """What each card of a finished deal was worth, all hands open."""

    type: Literal["explanation"]
    id: int
    record: str
    explanation: KopExplanation


class Shared(ServerMessage):
    """The code under which anybody may now read the record."""

    type: Literal["shared"]
    id: int
    record: str
    code: str


class Hint(ServerMessage):
    """A useful move. Clients put the reason into words."""

    type: Literal["hint"]
    id: int
    table: str
    move: str | None = Field(description="As an action; null: nothing leads further.")
    reason: HintReason | None
    about: str | None = Field(description="The pile that the reason is about, if it is another one than the move's.")


class Progress(ServerMessage):
    """The solver is still at work on what was asked; the `verdict` follows."""

    type: Literal["progress"]
    id: int
    table: str
    positions: int = Field(description="How many positions it has looked at.")
    millis: int


class Verdict(ServerMessage):
    """What the solver says of the deal as it lay when it was asked, with all cards known."""

    type: Literal["verdict"]
    id: int
    table: str
    verdict: Literal["winnable", "unwinnable", "undecided"]
    positions: int
    millis: int


class Lobby(ServerMessage):
    """The public tables, newest first."""

    type: Literal["lobby"]
    id: int
    tables: list[LobbyTable]


class TableClosed(ServerMessage):
    """The client is no longer at this table: it left, was removed, or the table has expired."""

    type: Literal["closed"]
    table: str
    reason: Literal["left", "removed", "expired"]


class Notice(ServerMessage):
    """Something about the whole server, or with `rolled_back` about one table or tournament.

    `rolled_back`: the store came back older than what was told; an earlier view follows and counts.
    """

    type: Literal["notice"]
    notice: NoticeCode
    table: str | None
    tournament: str | None = None


FromServer = Annotated[
    Welcome
    | Pong
    | Reply
    | Error
    | Table
    | Sheet
    | Evening
    | TalkLines
    | Records
    | Record
    | Explanation
    | Shared
    | Hint
    | Progress
    | Verdict
    | Results
    | Ranking
    | Lobby
    | TableClosed
    | TournamentReply
    | Tournaments
    | Tournament
    | TournamentPage
    | Notice,
    Field(discriminator="type"),
]
