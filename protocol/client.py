"""What a client may say. Every message is one frame; `type` tells which it is.

All but `hello` and `ping` are *commands*: they carry an `id` that counts upward for one client
instance (the `instance` of its `hello`). A command sent again with the same id takes effect once
and gets the same reply.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.basics import ClientMessage as ClientMessage
from protocol.basics import CommandId as CommandId
from protocol.basics import Options as Options
from protocol.basics import SeatNumber as SeatNumber
from protocol.basics import TableId as TableId
from protocol.tournament_client import AboutTournament as AboutTournament


class Hello(ClientMessage):
    """Opens the connection: a new player gives a name, a known one the token."""

    type: Literal["hello"]
    protocol: Annotated[int, Field(ge=0, le=2**53 - 1, description="The version of the protocol: 1.")]
    instance: Annotated[str, Field(min_length=8, max_length=32, pattern="^[a-z0-9]+$")] = Field(
        description="Random, chosen by the client when it starts and kept over its reconnects; ids count upward in it."
    )
    name: Annotated[str, Field(max_length=64)] | None = Field(
        default=None, description="1 to 24 visible characters; needed without a token, renames with one."
    )
    token: Annotated[str, Field(max_length=64)] | None = Field(
        default=None, description="The secret that an earlier `welcome` gave."
    )
    bot: bool = Field(default=False, description="A program that plays by itself says so, and is shown as one.")


class Ping(ClientMessage):
    """Sent every 15 s; the server answers `pong` and closes a connection silent for 45 s."""

    type: Literal["ping"]


class Create(ClientMessage):
    """Opens a table and seats the sender at seat 0 as its owner."""

    type: Literal["create"]
    id: CommandId
    game: Annotated[str, Field(max_length=32)] = Field(default="kop", description="A game of the server's catalogue.")
    private: bool = Field(default=True, description="Private tables are joined and watched by their code only.")
    options: Options = Field(
        default_factory=dict, description="The table's options and the game's own; see the game's page."
    )


class Join(ClientMessage):
    """Takes a seat or watches: a private table by its `code`, a public one by `table`."""

    type: Literal["join"]
    id: CommandId
    table: TableId | None = None
    code: Annotated[str, Field(min_length=1, max_length=32)] | None = Field(
        default=None, description="The join code; case, blanks and hyphens do not matter."
    )
    watch: bool = Field(default=False, description="Watch instead of taking a seat.")
    seat: SeatNumber | None = Field(default=None, description="The seat wanted; the first free one if absent.")


class Leave(ClientMessage):
    """Gives up the seat, or stops watching. In a running deal the hand stays with the seat."""

    type: Literal["leave"]
    id: CommandId
    table: TableId


class Act(ClientMessage):
    """Does one of the `actions` of the newest view, as an answer to its `prompt`."""

    type: Literal["act"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)]
    action: Annotated[str, Field(min_length=1, max_length=96)]


class Start(ClientMessage):
    """Owner: deal now, with the default cut for those who are not ready."""

    type: Literal["start"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)] = Field(description="`own.prompt` of the newest view.")


class Finish(ClientMessage):
    """Owner: end an open-ended match between two deals."""

    type: Literal["finish"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)] = Field(description="`own.prompt` of the newest view.")


class Annul(ClientMessage):
    """Owner: make a running deal void while a seat is empty; it is laid open and its number is burned."""

    type: Literal["annul"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)] = Field(description="`own.prompt` of the newest view.")


class Remove(ClientMessage):
    """Owner: take a person out of a seat; that player cannot come back to this table."""

    type: Literal["remove"]
    id: CommandId
    table: TableId
    player: Annotated[str, Field(max_length=32)] = Field(description="The public id of who sits there.")


class SeatBot(ClientMessage):
    """Owner: let a bot of the server take a free seat. `remove` takes it out again; a person may take its seat."""

    type: Literal["seat_bot"]
    id: CommandId
    table: TableId
    seat: SeatNumber | None = Field(default=None, description="The first free one if absent.")
    strength: Literal["easy", "medium", "hard"] = "hard"


class ChangeOptions(ClientMessage):
    """Owner: agree on these options instead of the former ones, before the first match begins."""

    type: Literal["options"]
    id: CommandId
    table: TableId
    options: Options


class HandOver(ClientMessage):
    """Owner: make another person, who sits there, the owner."""

    type: Literal["hand_over"]
    id: CommandId
    table: TableId
    player: Annotated[str, Field(max_length=32)] = Field(description="The public id of who sits there.")


class Pause(ClientMessage):
    """Owner: let the table stand still; what is left of every time is kept."""

    type: Literal["pause"]
    id: CommandId
    table: TableId


class Resume(ClientMessage):
    """Let a paused table go on: the owner at once, any other seat after two minutes."""

    type: Literal["resume"]
    id: CommandId
    table: TableId


class Vote(ClientMessage):
    """Say what is to happen with the seat of who is absent: wait, let a bot play, or end the match.

    More than half of the people who are there decide; a vote may be changed. Without a majority it waits.
    """

    type: Literal["vote"]
    id: CommandId
    table: TableId
    absence: Annotated[int, Field(ge=1, le=2**53)] = Field(description="The `number` of the absence in the view.")
    choice: Literal["wait", "bot", "end"]


class Say(ClientMessage):
    """Say something: in one's own words, or one of the ready-made phrases, which each client says in its language.

    Seats are heard by everybody at the table, watchers by watchers only.
    """

    type: Literal["say"]
    id: CommandId
    table: TableId
    text: Annotated[str, Field(min_length=1, max_length=400)] | None = Field(
        default=None, description="At most 200 visible characters."
    )
    phrase: Annotated[str, Field(max_length=32)] | None = Field(default=None, description="The name of a phrase.")


class AskTalk(ClientMessage):
    """Asks for what was said lately at a table."""

    type: Literal["talk"]
    id: CommandId
    table: TableId


class Sync(ClientMessage):
    """Asks for the current view of a table, after a gap was seen."""

    type: Literal["sync"]
    id: CommandId
    table: TableId


class AskSheet(ClientMessage):
    """Asks for the score sheet of the running or last match."""

    type: Literal["sheet"]
    id: CommandId
    table: TableId


class AskEvening(ClientMessage):
    """Asks for the sheet of the evening: all matches of the table, who owes whom, what each person did."""

    type: Literal["evening"]
    id: CommandId
    table: TableId


class AskHint(ClientMessage):
    """Asks for a useful move of the running deal; with `follow_solver`, of a line that wins.

    For that the deal must be marked as helped: the player acts `ask_solver` first.
    """

    type: Literal["hint"]
    id: CommandId
    table: TableId
    follow_solver: bool = False


class AskSolver(ClientMessage):
    """Asks whether the running deal, marked as helped, can still be won. `progress` may come before the `verdict`."""

    type: Literal["solve"]
    id: CommandId
    table: TableId


class Winnable(ClientMessage):
    """Between deals: deals an ordinary deal that can be won, and marks it as helped; looking for it takes a while."""

    type: Literal["winnable"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)] = Field(description="`own.prompt` of the newest view.")


class Daily(ClientMessage):
    """Between deals at one's own table of a patience with the usual rules: deals the deal of the day.

    The player's first attempt of the day counts; later ones are dealt as known deals.
    """

    type: Literal["daily"]
    id: CommandId
    table: TableId
    prompt: Annotated[str, Field(max_length=32)] = Field(description="`own.prompt` of the newest view.")


class AskResults(ClientMessage):
    """Asks for the player's statistics of patiences."""

    type: Literal["results"]
    id: CommandId
    game: Annotated[str, Field(max_length=32)] | None = Field(default=None, description="All of them if absent.")


class AskRanking(ClientMessage):
    """Asks for the ranking of a day's deal of the day. It is kept for 30 days."""

    type: Literal["ranking"]
    id: CommandId
    game: Annotated[str, Field(max_length=32)]
    day: Annotated[str, Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")] | None = Field(
        default=None, description="A day of UTC, as YYYY-MM-DD; today if absent."
    )


class AskList(ClientMessage):
    """Asks for the public tables."""

    type: Literal["list"]
    id: CommandId


class AskRecords(ClientMessage):
    """Asks for the player's newest records of finished deals."""

    type: Literal["records"]
    id: CommandId


class AskRecord(ClientMessage):
    """Asks for the record of a finished deal, by its name or by a code that somebody shared."""

    type: Literal["record"]
    id: CommandId
    record: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    code: Annotated[str, Field(min_length=1, max_length=32)] | None = None


class Explain(ClientMessage):
    """Asks what each card of a finished deal was worth: the record, by name or by a code, is played through open."""

    type: Literal["explain"]
    id: CommandId
    record: Annotated[str, Field(min_length=1, max_length=64)] | None = None
    code: Annotated[str, Field(min_length=1, max_length=32)] | None = None


class ShareRecord(ClientMessage):
    """Makes a code under which anybody may read a record of the player's."""

    type: Literal["share"]
    id: CommandId
    record: Annotated[str, Field(min_length=1, max_length=64)]


OfOwner = Start | Finish | Annul | Remove | SeatBot | ChangeOptions | HandOver | Pause
"""What only the table's owner may ask."""
ToTable = Act | OfOwner | Leave | Resume | Vote
"""What changes a table that the sender is at."""
OfSolver = AskHint | AskSolver | Winnable
"""What may take a while: nothing waits for it."""
AtTable = ToTable | Say | Sync | AskSheet | AskEvening | AskTalk | OfSolver
"""What concerns a table that the sender is at."""
AboutRecords = AskRecords | AskRecord | ShareRecord | Explain
AboutResults = AskResults | AskRanking
Command = Create | Join | AskList | AtTable | AboutRecords | AboutResults | Daily | AboutTournament
FromClient = Annotated[Hello | Ping | Command, Field(discriminator="type")]
