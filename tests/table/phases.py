"""Every phase of a match as a table that stands in it, and the way it goes on from there by itself."""

from collections.abc import Callable
from typing import Final

from server.games.game import OptionValue, Seat, Stage
from server.table.rules import READY
from server.table.state import Table
from tests.games.kop.scenes import QUIET, WHOLE_DEAL, WHOLE_PLAYS
from tests.table.scenes import Log, dealt, seated

Phase = Callable[..., Log]
"""Makes a table with some options that stands in a phase."""

SECRETS: Final = {seat: (bytes([seat + 1]) * 32, 0) for seat in range(4)}
TURNS: Final = (0, 1, 2, 3, 2, 3, 0, 1, 1, 2, 3, 0)
PLAYS: Final = [f"{seat} play {card}" for seat, card in zip(TURNS, WHOLE_PLAYS.split(), strict=False)]
"""The twelve cards of the deal of the rules page; then the fourth trick plays itself."""


def in_trick(cards: int, **options: OptionValue) -> Log:
    """The deal of the rules page after so many cards."""
    return dealt(WHOLE_DEAL, **options).say(", ".join([QUIET, *PLAYS[:cards]]))


def over(**options: OptionValue) -> Log:
    """A match of four deals that is over."""
    log = seated(**{"deals": 4, **options})
    for _ in range(4):
        log.ready().play_on()
    return log


PHASES: Final[dict[str, Phase]] = {
    "ready": seated,
    "one is ready": lambda **options: seated(**options).act(1, "ready"),
    "opening": lambda **options: seated(**options).commit(SECRETS),
    "calls": lambda **options: dealt(WHOLE_DEAL, **options),
    "a kontra": lambda **options: dealt(WHOLE_DEAL, **options).say("0 ask, 2 double 1"),
    "question": lambda **options: dealt(WHOLE_DEAL, **options).say("0 ask, 2 go on"),
    "calls in turn": lambda **options: dealt(WHOLE_DEAL, rules="pagat", **options).say("0 ask, 1 pass"),
    "late calls": lambda **options: dealt(WHOLE_DEAL, rules="wolsztyn", **options).say(
        "0 ask, 1 pass, 2 pass, 3 pass, 0 play AD, 3 go on"
    ),
    "the lead": lambda **options: in_trick(0, **options),
    "first trick": lambda **options: in_trick(1, **options),
    "between tricks": lambda **options: in_trick(4, **options),
    "second trick": lambda **options: in_trick(6, **options),
    "third trick": lambda **options: in_trick(8, **options),
    "last card": lambda **options: in_trick(11, **options),
    "between deals": lambda **options: in_trick(12, **options),
}
"""In a running match; the players of the four seats are a, b, c and d."""


def mover(table: Table) -> Seat | None:
    """The first seat that is awaited and that somebody plays: a bot, or a player who is there."""
    there = (
        seat
        for seat in table.awaited
        if table.played_by_bot(seat) or (table.seats[seat] is not None and table.absence(seat) is None)
    )
    return next(there, None)


def go_on(log: Log, deals: int = 1, most: int = 200) -> Log:
    """Goes on as a table does, until so many deals are finished or it stands.

    Who is there does the quiet thing, the server's bots too; when nobody moves the clock strikes.
    """
    for _ in range(most):
        table = log.table
        if len(log.match.lines) >= deals or not table.running:
            break
        seat = mover(table)
        if seat is not None:
            action = READY if table.stage is Stage.BETWEEN else table.game.quiet(table.play, seat)
            assert action is not None
            log.turn(seat, action)
        elif table.deadline is not None:
            log.strike()
        else:
            break
    return log
