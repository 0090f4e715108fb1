"""What a typed line can mean: what `commands` understands and `keyboard` does."""

from dataclasses import dataclass
from typing import Literal

Shown = Literal["help", "table", "hand", "tricks", "tables", "auto", "rules", "link", "phrases", "muted", "how"]
Order = Literal[
    "start", "finish", "annul", "remove", "hand_over", "pause", "resume", "leave", "sheet", "evening", "talk"
]
Strength = Literal["easy", "medium", "hard"]
Choice = Literal["wait", "bot", "end"]
Format = Literal["text", "csv", "json"]


@dataclass(frozen=True, slots=True)
class Do:
    """One of the game's actions, as it goes into `act`. The server says whether it is allowed."""

    action: str


@dataclass(frozen=True, slots=True)
class Show:
    """Something to be shown from what the client knows."""

    what: Shown


@dataclass(frozen=True, slots=True)
class Command:
    """A command to the server that is no action of the game; `seat` means who sits there."""

    order: Order
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SeatBot:
    """A bot of the server is to take a seat, the first free one where none is named."""

    seat: int | None = None
    strength: Strength | None = None


@dataclass(frozen=True, slots=True)
class Vote:
    """What is to become of the seat of who is away; of the first such seat where none is named."""

    choice: Choice
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Something said to the others, as it was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class SayPhrase:
    """The ready-made phrase of this number, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Mute:
    """Somebody, by name or seat, is not to be heard, or is to be heard again."""

    who: str
    on: bool


@dataclass(frozen=True, slots=True)
class Settle:
    """Other options for the table, each as `NAME=VALUE`."""

    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Export:
    """The sheet of the evening goes into a new file."""

    format: Format
    file: str


@dataclass(frozen=True, slots=True)
class Explain:
    """What each card of a finished deal was worth; None: of the last one."""

    deal: int | None = None


@dataclass(frozen=True, slots=True)
class Auto:
    """A setting: `ready`, `ask` or `go`, on or off; `deal_only` ends with the deal."""

    what: Literal["ready", "ask", "go"]
    on: bool
    deal_only: bool = False


@dataclass(frozen=True, slots=True)
class GoTo:
    """Another of the player's tables, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the terminal, keep the seat."""


@dataclass(frozen=True, slots=True)
class Confused:
    """Not understood: the text that helps, and its values."""

    key: str
    values: tuple[tuple[str, str], ...] = ()


Meaning = (
    Do | Show | Command | SeatBot | Vote | Say | SayPhrase | Mute | Settle | Export | Explain | Auto | GoTo | Quit
    | Confused
)  # fmt: skip
