"""The contract that every game fulfils, so that a table can be played without knowing its rules.

A game is a frozen state, a union of events, and pure functions:

    decide(state, command) -> events     every rule lives here; raises RuleViolation
    evolve(state, event) -> state        total: never refuses
    legal(state, seat) -> actions        what the seat may do now; agrees with decide
    public(state), own(state, seat)      the view, built up from what its reader may know

Between two deals the table collects *ready* from every seat; the game then deals. Time and
randomness come in as arguments (`Moment`). Actions are words, as they stand on the wire.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, NewType, Protocol

Seat = NewType("Seat", int)
"""A place at the table, numbered clockwise from 0."""

Millis = NewType("Millis", int)
"""Milliseconds since 1970 on the store's clock."""

Plain = dict[str, Any]
"""Plain data as it goes on the wire: maps, lists, texts, whole numbers, booleans, None."""

OptionValue = str | int | bool | None


class Part(NamedTuple):
    """A part of a view, made of these immutable values and of nothing else: it is the same while they are.

    `make` is a function of a module, given the values of `of` in their order.
    """

    of: tuple[Any, ...]
    make: Callable[..., Plain]


class OwnParts(NamedTuple):
    """What each seat knows beyond `public`, made of immutable values as a part is.

    `make` is given the `shared` values, which everybody may know, and then those that the seat has in `each`.
    """

    shared: tuple[Any, ...]
    each: Sequence[tuple[Any, ...]]
    make: Callable[..., Plain | None]


def joined(parts: Sequence[Part]) -> Plain:
    """The whole of which these are the parts."""
    return {name: value for part in parts for name, value in part.make(*part.of).items()}


WINNABLE: Final = "winnable"
"""Said with *ready* by the table itself, for who wants a deal that can be won: the moment has the bytes of one."""


class RuleViolation(Exception):
    """A command that the rules, or the table, refuse; `code` is one of the wire's stable words."""

    def __init__(self, code: str, detail: str | None = None) -> None:
        super().__init__(code if detail is None else f"{code}: {detail}")
        self.code = code
        self.detail = detail


class Stage(StrEnum):
    """How far a match is: in a deal, waiting for *ready* between two deals, or over."""

    DEAL = "deal"
    BETWEEN = "between"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Moment:
    """When a command is decided, and 32 fresh bytes from the operating system for it."""

    now: Millis
    entropy: bytes


@dataclass(frozen=True, slots=True)
class DayDeal:
    """The deal of a day: which one, the 32 bytes that make it, and until when these are secret.

    `first`: it is the player's first deal of that day, the only one that counts.
    """

    day: str
    entropy: bytes
    until: Millis
    first: bool


class Game(Protocol):
    """One game of the catalogue. States and events are the game's own frozen dataclasses."""

    name: str
    seats: int
    state_type: type[Any]
    event_types: tuple[type[Any], ...]

    def new_match(self, options: Mapping[str, OptionValue]) -> Any:
        """A match with these options, in which nothing has happened yet.

        Raises:
            RuleViolation: `unknown_option` or `bad_option`; the detail names the option.
        """
        ...

    def options(self, state: Any) -> Plain:
        """The options of a match, complete; `new_match` makes the same match of them."""
        ...

    def begin(self, state: Any, label: str, moment: Moment) -> Sequence[Any]:
        """The first events of a match, when all seats are taken; it then waits for *ready*.

        The label names table and match; no two matches share one.
        """
        ...

    def begin_same_cards(self, label: str, seed: bytes) -> Sequence[Any]:
        """The same of a match whose decks are those of every table of a round: they follow from a secret seed.

        The label names the round.

        Raises:
            RuleViolation: `unknown_option` if there is no such thing in this game
        """
        ...

    def check_ready(self, state: Any, seat: Seat, word: str) -> None:
        """Whether the seat may say `ready` with this further word (empty for none).

        Raises:
            RuleViolation
        """
        ...

    def ready_words(self, state: Any, seat: Seat) -> Sequence[str]:
        """The further words with which the seat may say `ready`; the empty one is always allowed."""
        ...

    def deal(self, state: Any, words: Sequence[str], moment: Moment) -> Sequence[Any]:
        """Begins the next deal, with the word that each seat said with *ready*."""
        ...

    def deal_of_day(self, state: Any, day: DayDeal, moment: Moment) -> Sequence[Any]:
        """Begins the deal of the day.

        Raises:
            RuleViolation: `no_daily` if there is none on these terms, or `deal_running`
        """
        ...

    def decide(self, state: Any, seat: Seat, action: str, moment: Moment) -> Sequence[Any]:
        """What a seat's action brings about in a running deal.

        Raises:
            RuleViolation
        """
        ...

    def run_out(self, state: Any, moment: Moment) -> Sequence[Any]:
        """What happens when the deadline has passed; nothing if it stands no longer."""
        ...

    def annul(self, state: Any, moment: Moment) -> Sequence[Any]:
        """Makes the running deal void.

        Raises:
            RuleViolation: `no_deal_running`
        """
        ...

    def finish(self, state: Any) -> Sequence[Any]:
        """Ends an open-ended match between two deals.

        Raises:
            RuleViolation: `not_open_ended`
        """
        ...

    def call_time(self, state: Any) -> Sequence[Any]:
        """Ends the match with the running deal, or now if no cards are out; nothing if that is said already.

        Raises:
            RuleViolation: `not_of_tournament` if it is not a game for tournaments
        """
        ...

    def abandon(self, state: Any, moment: Moment) -> Sequence[Any]:
        """What follows in a running deal when its only player gives up his seat; nothing in a game for several."""
        ...

    def end(self, state: Any, moment: Moment) -> Sequence[Any]:
        """Ends the match where it stands; a running deal is void, finished ones count."""
        ...

    def evolve(self, state: Any, event: Any) -> Any:
        """The state after an event."""
        ...

    def later(self, state: Any, millis: int) -> Any:
        """The state with its deadline so much later: the table stood still for so long."""
        ...

    def awaited(self, state: Any) -> Sequence[Seat]:
        """The seats for whose decision a running deal waits."""
        ...

    def quiet(self, state: Any, seat: Seat) -> str | None:
        """What is done for an awaited seat whose time is over: the least it can do. None if it can do nothing."""
        ...

    def seen(self, state: Any, seat: Seat) -> Plain:
        """All that a seat has seen of the running deal, and its actions: what a bot in this seat is given."""
        ...

    def hint(self, state: Any) -> Plain | None:
        """A useful move of a running deal: `move`, `reason`, `about`, all None if there is none.

        From what the player sees alone. None if the game gives no hints, or no deal is running.
        """
        ...

    def puzzle(self, state: Any) -> Any:
        """The running deal for a solver, with all that is hidden: for the thinking pool, and never to be shown.

        Raises:
            RuleViolation: `no_hint` if the game has no solver, `no_deal_running`, or `not_marked`
        """
        ...

    def winnable(self, state: Any) -> Any:
        """What a solver needs to look for a deal that can be won; `deal` with the word WINNABLE then deals it.

        Raises:
            RuleViolation: `not_winnable` if that is not done for this game.
        """
        ...

    def acts(self, state: Any) -> int:
        """How many acts the running or last deal has, as its record counts them."""
        ...

    def legal(self, state: Any, seat: Seat) -> Sequence[str]:
        """The actions that `decide` accepts from this seat now; only from what the seat may know."""
        ...

    def offers(self, state: Any) -> Sequence[Sequence[str]]:
        """`legal` for each seat."""
        ...

    def stage(self, state: Any) -> Stage:
        """How far the match is."""
        ...

    def prompt(self, state: Any) -> str:
        """Names the question that stands; it changes with every question and never comes again."""
        ...

    def deadline(self, state: Any) -> Millis | None:
        """When `run_out` is due."""
        ...

    def cards_out(self, state: Any) -> bool:
        """Whether who sits in a seat knows cards that others do not."""
        ...

    def running_deal(self, state: Any) -> int | None:
        """The number of the deal whose cards are out, in a game for tournaments."""
        ...

    def results(self, state: Any) -> Sequence[tuple[int, Sequence[int]]]:
        """The scored deals of the match: the number of each, and what it has brought to each seat, which sums to 0.

        Empty in a game for one.
        """
        ...

    def finished_deals(self, state: Any) -> int:
        """How many deals of the match are scored."""
        ...

    def public(self, state: Any) -> Plain:
        """What everybody, watchers included, may know."""
        ...

    def own(self, state: Any, seat: Seat) -> Plain:
        """What this seat knows beyond that."""
        ...

    def parts(self, state: Any) -> tuple[Sequence[Part], OwnParts]:
        """`public` and `own` in parts, so that what stays need not be made anew at each move.

        There are always as many parts.
        """
        ...

    def happening(self, event: Any) -> Plain:
        """An event as everybody may see it."""
        ...

    def record(self, state: Any, event: Any) -> Plain | None:
        """The game's part of the record of a deal, if this event, the state's newest, has finished one."""
        ...

    def sheet(self, state: Any) -> Plain:
        """The score sheet of the match: `stake`, `lines`, `ledger`."""
        ...

    def scores(self, state: Any, people: Sequence[Sequence[str]]) -> Mapping[str, Mapping[str, int]]:
        """What the match has brought to each person, in numbers that can be added over matches.

        `people` has who sat in each seat at each finished deal: what was won goes with the person.
        Among the numbers are `deals`, `points` and `money`.
        """
        ...

    def money(self, state: Any, number: int) -> str:
        """A number of `money`, as an amount."""
        ...
