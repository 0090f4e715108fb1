"""What a line about tournaments can mean. What is understood only with the entrants at hand stays as it was typed."""

from dataclasses import dataclass
from typing import Literal

from client_cli.meanings import Confused

Page = Literal["terms", "entrants", "standings", "round", "cross", "comparison", "decisions", "desk"]
OrderWord = Literal[
    "approve", "turn_away", "guest", "invite", "director", "set", "open_entry", "close_entry", "open_round", "call",
    "replace", "correct", "annul", "penalty", "tell", "paper", "move", "halt", "go_on", "undo", "end",
]  # fmt: skip
Shown = Literal["status", "help", "link", "options"]


@dataclass(frozen=True, slots=True)
class Listing:
    """The tournaments of the server that are for everybody, and the player's own."""


@dataclass(frozen=True, slots=True)
class Look:
    """A page of the tournament; `round` where one was named."""

    about: Page
    round: int | None = None


@dataclass(frozen=True, slots=True)
class Tell:
    """Something that the client knows by itself."""

    what: Shown


@dataclass(frozen=True, slots=True)
class Follow:
    """Watch a tournament: its number in the list, its name, its id or a link."""

    target: str


@dataclass(frozen=True, slots=True)
class Unfollow:
    """Watch it no longer."""


@dataclass(frozen=True, slots=True)
class Enter:
    """Take part in the tournament that was named, else in the one that is followed."""

    target: str = ""
    team: str = ""
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """Be, at this device, the entrant whose place the director moves here."""

    target: str
    code: str


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Be out."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Go to the own table."""


@dataclass(frozen=True, slots=True)
class Verify:
    """Do the draws of the tournament again, and see whether they are what was committed to."""


@dataclass(frozen=True, slots=True)
class Create:
    """Open a tournament with these settings, `NAME=VALUE` each, and the preset among them."""

    name: str
    settings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """What a director decides, with the rest of the line as it was typed."""

    word: OrderWord
    rest: str = ""


Meaning = (
    Listing | Look | Tell | Follow | Unfollow | Enter | Claim | Withdraw | Seat | Verify | Create | Order | Confused
)  # fmt: skip
