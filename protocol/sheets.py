"""Score sheets: of a match, and of the evening, with who owes whom."""

from typing import Any, Literal

from pydantic import Field

from protocol.kop import Ledger, Line, Part
from protocol.patience import PatienceLedger, PatienceLine


class SheetLine(Part):
    """A finished deal and who sat where."""

    names: list[str]
    bots: list[bool] = Field(description="Per seat: a bot sat there.")
    line: Line | PatienceLine


class Debt(Part):
    """Who owes whom at the end, in the fewest payments."""

    debtor: str = Field(description="A name: money goes with the person, not with the seat.")
    debtor_player: str = Field(description="His public id: names may be the same.")
    debtor_bot: bool
    creditor: str
    creditor_player: str
    creditor_bot: bool
    amount: str


class Sheet(Part):
    """The score sheet of the running or last match."""

    type: Literal["sheet"]
    id: int
    table: str
    match: int
    stake: str = Field(description="Empty where nothing is at stake.")
    options: dict[str, Any] = Field(description="The table's options, complete.")
    lines: list[SheetLine]
    ledger: Ledger | PatienceLedger
    debts: list[Debt]


class EveningPerson(Part):
    """What a person, or a bot, did in a match or in all of them. Deals are counted by side and outcome."""

    player: str
    name: str
    bot: bool
    seats: list[int]
    deals: int
    points: int
    money: str
    old_won: int
    old_lost: int
    young_won: int
    young_lost: int
    alone_won: int
    alone_lost: int
    doublings_won: int = Field(description="Doublings that this person said, and whose side won.")
    doublings_lost: int


class EveningMatch(Part):
    """A match of the evening; of a very long one the oldest are added together (`last` above `first`)."""

    first: int
    last: int
    deals: int
    people: list[EveningPerson]


class Evening(Part):
    """All matches of a table up to now."""

    type: Literal["evening"]
    id: int
    table: str
    stake: str
    matches: list[EveningMatch]
    people: list[EveningPerson] = Field(description="All matches together.")
    debts: list[Debt]
