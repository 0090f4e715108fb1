"""What players have made of their patiences: statistics, and the ranking of the deal of the day."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.kop import Part
from protocol.patience import Day, DealNumber, PatienceName


class ResultGroup(Part):
    """A player's deals of one patience with the same variants."""

    game: PatienceName
    variants: list[str] = Field(description="Those that differ from the usual rules; empty: none.")
    played: int = Field(description="Deals that count: neither known nor helped.")
    won: int
    streak: int = Field(description="The current run of wins.")
    best_streak: int
    best_millis: int | None = Field(description="The fastest win; null: none yet.")
    undos: int
    known_played: int = Field(description="Known and helped deals; the same deal counts once.")
    known_won: int


class Results(Part):
    """The player's statistics, from his newest 5,000 deals."""

    type: Literal["results"]
    id: int
    groups: list[ResultGroup]


class RankingLine(Part):
    """A player's first attempt at the deal of the day."""

    place: int
    name: str
    player: str
    won: bool
    moves: int
    millis: int


class Ranking(Part):
    """The ranking of a day: who has won first, by time; at most 100 lines, and then the asker's own."""

    type: Literal["ranking"]
    id: int
    day: Day
    game: PatienceName
    number: DealNumber | None = Field(description="Null until the day is over, and if nobody has played.")
    secret: Annotated[str, Field(pattern="^[0-9a-f]{64}$")] | None = Field(
        description="The secret of the day, from which the number follows; null as the number."
    )
    lines: list[RankingLine]
