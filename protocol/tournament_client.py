"""What a client may say about tournaments: as an entrant, as who only looks on, and as a director.

Whether somebody is an entrant or a director follows from who he is, never from what he sends.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.basics import ClientMessage, CommandId, Options

MOST_NAME = 64
MOST_TEXT = 200
MOST_SMALL = 10_000

TournamentId = Annotated[str, Field(min_length=1, max_length=32, pattern="^[a-z0-9]+$")]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, description="1 to 24 visible characters.")]
TournamentName = Annotated[str, Field(min_length=1, max_length=MOST_NAME, description="1 to 64 visible characters.")]
TeamName = Annotated[str, Field(max_length=MOST_NAME, description="At most 64 visible characters; empty: none.")]
Text = Annotated[str, Field(min_length=1, max_length=MOST_TEXT, description="At most 200 visible characters.")]
Reason = Annotated[str, Field(max_length=MOST_TEXT, description="At most 200 visible characters, for all to read.")]
Code = Annotated[str, Field(min_length=1, max_length=32)]
EntrantNumber = Annotated[int, Field(ge=1, le=10_000, description="The entrant's number.")]
RoundNumber = Annotated[int, Field(ge=1, le=100)]
TableNumber = Annotated[int, Field(ge=1, le=10_000, description="The table's number in its round.")]
SmallPoints = Annotated[int, Field(ge=-MOST_SMALL, le=MOST_SMALL)]
FourSmall = Annotated[
    list[SmallPoints], Field(min_length=4, max_length=4, description="Small points by seat; together they make 0.")
]
BigPoints = Annotated[
    str, Field(max_length=10, pattern="^-?[0-9]{1,5}(/[1-9][0-9]?)?$", description="A fraction, as -1/2, 3, 11/3.")
]


class OfTournament(ClientMessage):
    """Base of everything that is asked about tournaments."""


class TournamentCreate(OfTournament):
    """Opens a tournament, whose director the sender is."""

    type: Literal["tournament_create"]
    id: CommandId
    name: TournamentName
    options: Options = Field(
        default_factory=dict,
        description="`preset`, single terms in place of the preset's, and options of its tables.",
    )


class AskTournaments(OfTournament):
    """Asks for the listed tournaments, and those of the player."""

    type: Literal["tournaments"]
    id: CommandId


class TournamentFollow(OfTournament):
    """Wants a `tournament` message now, and at each change. Entrants and directors get them without asking."""

    type: Literal["tournament_follow"]
    id: CommandId
    tournament: TournamentId


class TournamentUnfollow(OfTournament):
    """Wants none of them any more, over this connection; and an entrant is not led to his tables here."""

    type: Literal["tournament_unfollow"]
    id: CommandId
    tournament: TournamentId


class TournamentRegister(OfTournament):
    """Enters a tournament, or asks to, where its director approves; who was out comes back."""

    type: Literal["tournament_register"]
    id: CommandId
    tournament: TournamentId
    team: TeamName = ""
    code: Code | None = Field(default=None, description="Of a personal invitation.")
    contribution: Annotated[str, Field(max_length=64, pattern="^[0-9a-f]{64}$")] | None = Field(
        default=None, description="32 bytes of one's own for the draws, as hexadecimal digits."
    )


class TournamentWithdraw(OfTournament):
    """Is out from now on."""

    type: Literal["tournament_withdraw"]
    id: CommandId
    tournament: TournamentId


class TournamentClaim(OfTournament):
    """Takes over the place of an entrant with the code that the director has made for him: another device of his."""

    type: Literal["tournament_claim"]
    id: CommandId
    tournament: TournamentId
    code: Code


class TournamentSeat(OfTournament):
    """Wants to be led to the table where the sender sits now. The answer is a `reply`, and its `table` follows."""

    type: Literal["tournament_seat"]
    id: CommandId
    tournament: TournamentId


About = Literal["terms", "entrants", "standings", "round", "cross", "comparison", "decisions", "desk"]


class AskTournamentPage(OfTournament):
    """Asks for a page. `desk` is for directors only; `comparison` is there where all tables play the same cards."""

    type: Literal["tournament_page"]
    id: CommandId
    tournament: TournamentId
    about: About
    round: RoundNumber | None = Field(
        default=None, description="For `round` and `comparison`; the running or last one if absent."
    )


# What a director decides


class ApproveOrder(ClientMessage):
    """Lets in who waits for approval."""

    order: Literal["approve"]
    entrant: EntrantNumber


class TurnAwayOrder(ClientMessage):
    """Refuses who waits, or puts out an entrant."""

    order: Literal["turn_away"]
    entrant: EntrantNumber
    reason: Reason = ""


class EnterOrder(ClientMessage):
    """Enters somebody who has no device: he plays at paper tables, or a bot does for him."""

    order: Literal["enter"]
    name: Name
    team: TeamName = ""


class InviteOrder(ClientMessage):
    """Makes a personal invitation; its code stands on the page `desk`."""

    order: Literal["invite"]
    name: Name


class NameDirectorOrder(ClientMessage):
    """Lets another player direct too: an entrant, or somebody who follows the tournament."""

    order: Literal["name_director"]
    player: Annotated[str, Field(min_length=1, max_length=32, description="The player's public id.")]


class TermsOrder(ClientMessage):
    """Agrees on this name and these options instead, before the first round."""

    order: Literal["terms"]
    name: TournamentName
    options: Options


class EntryOrder(ClientMessage):
    """Takes entries, or no longer."""

    order: Literal["entry"]
    open: bool


class OpenRoundOrder(ClientMessage):
    """Draws the next round and opens its tables."""

    order: Literal["open_round"]


class CallOrder(ClientMessage):
    """Calls an entrant, for all to hear."""

    order: Literal["call"]
    entrant: EntrantNumber
    text: Reason = ""


class ReplaceOrder(ClientMessage):
    """Gives an entrant's seat of the running round to another who has none, or to a bot of the house."""

    order: Literal["replace"]
    entrant: EntrantNumber
    by: EntrantNumber | None = Field(default=None, description="Null: a bot.")


class CorrectOrder(ClientMessage):
    """Sets the small points of a table that has a result."""

    order: Literal["correct"]
    round: RoundNumber
    table: TableNumber
    small: FourSmall
    reason: Reason


class AnnulOrder(ClientMessage):
    """Lets a deal not count: the running one is broken off, a scored one is taken out of the table's result."""

    order: Literal["annul"]
    round: RoundNumber
    table: TableNumber
    deal: Annotated[int, Field(ge=1, le=10_000)]
    reason: Reason = ""


class PenaliseOrder(ClientMessage):
    """Gives or takes points."""

    order: Literal["penalise"]
    entrant: EntrantNumber
    round: Annotated[int, Field(ge=0, le=100, description="0: in no round.")]
    big: BigPoints = "0"
    small: SmallPoints = 0
    reason: Reason = ""


class TellOrder(ClientMessage):
    """Says something to all."""

    order: Literal["tell"]
    text: Text


class PaperOrder(ClientMessage):
    """Says that a table plays with real cards, or enters its result."""

    order: Literal["paper"]
    table: TableNumber
    small: FourSmall | None = Field(default=None, description="Null: it only plays so.")
    round: RoundNumber | None = Field(default=None, description="Null: the running or last one.")


class MoveOrder(ClientMessage):
    """Makes a code with which an entrant's place moves to another device; it stands on the page `desk`."""

    order: Literal["move"]
    entrant: EntrantNumber


class HaltOrder(ClientMessage):
    """Lets everything stand still."""

    order: Literal["halt"]


class GoOnOrder(ClientMessage):
    """Lets it go on."""

    order: Literal["go_on"]


class UndoOrder(ClientMessage):
    """Takes back a correction, an annulment, a penalty or a paper result, until the next round's first card."""

    order: Literal["undo"]
    decision: Annotated[int, Field(ge=1, le=10_000, description="The decision's number.")]


class EndOrder(ClientMessage):
    """Ends the tournament now."""

    order: Literal["end"]
    reason: Reason = ""


Order = (
    ApproveOrder
    | TurnAwayOrder
    | EnterOrder
    | InviteOrder
    | NameDirectorOrder
    | TermsOrder
    | EntryOrder
    | OpenRoundOrder
    | CallOrder
    | ReplaceOrder
    | CorrectOrder
    | AnnulOrder
    | PenaliseOrder
    | TellOrder
    | PaperOrder
    | MoveOrder
    | HaltOrder
    | GoOnOrder
    | UndoOrder
    | EndOrder
)


class TournamentDirect(OfTournament):
    """A director decides. If something else was decided meanwhile, he is refused, looks, and decides again."""

    type: Literal["tournament_direct"]
    id: CommandId
    tournament: TournamentId
    after: Annotated[int, Field(ge=0, le=10_000, description="`public.decisions` of the newest `tournament`.")]
    order: Annotated[Order, Field(discriminator="order")]


AboutTournament = (
    TournamentCreate
    | AskTournaments
    | TournamentFollow
    | TournamentUnfollow
    | TournamentRegister
    | TournamentWithdraw
    | TournamentClaim
    | TournamentSeat
    | AskTournamentPage
    | TournamentDirect
)
"""Everything that is asked about tournaments."""
