"""What a line typed at a patience can mean, beside what is meant at every table (`client_cli.meanings`)."""

from dataclasses import dataclass
from typing import Literal

from client_cli import meanings

Wanted = Literal["hint", "line", "solve", "winnable", "daily", "results", "all_results", "ranking", "yesterday"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Something that the server answers; `day` only for a ranking."""

    what: Wanted
    day: str | None = None


@dataclass(frozen=True, slots=True)
class NewDeal:
    """Another deal: `ready` with these words behind it. A running one is given up first."""

    words: str = ""


@dataclass(frozen=True, slots=True)
class Onward:
    """What Enter does after a finished deal: this action, but not by an Enter that was meant for drawing."""

    action: str


@dataclass(frozen=True, slots=True)
class Again:
    """The same deal from its beginning."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The running deal ends here."""


@dataclass(frozen=True, slots=True)
class Which:
    """Several moves are meant as well: the actions to choose from."""

    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moves:
    """All moves are to be listed."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Agreement to what was asked before."""


Meaning = meanings.Meaning | Ask | NewDeal | Onward | Again | GiveUp | Which | Moves | Yes
