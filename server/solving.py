"""`kop-server solve`: whether numbered deals of a patience can be won, one line for each."""

import json
import re
import sys
import time
from collections.abc import Sequence
from typing import Any, Final

from server.games.game import OptionValue, RuleViolation
from server.games.patience.deals import MOST
from server.games.patience.options import COMFORT, PATIENCES, switches_of, terms

GAMES: Final = tuple(PATIENCES)
_WARMING: Final = (1, 2, 3)
_WARMING_POSITIONS: Final = 2_000
_DEALS: Final = re.compile(r"([1-9][0-9]{0,19})(?:-([1-9][0-9]{0,19}))?", re.ASCII)


class BadRequest(Exception):
    """What was asked cannot be solved; the text says why."""


def solve(game: str, variants: Sequence[str], deals: str, seconds: float, *, as_json: bool) -> int:
    """Prints the verdict on each deal, and on stderr how far it is; 0.

    Raises:
        BadRequest
    """
    rules, numbers = _rules(game, variants), _numbers(deals)
    if not seconds > 0:
        raise BadRequest(f"--seconds: {seconds} is no time")
    _warm_up(rules)
    count = numbers.stop - numbers.start  # too large for `len`, perhaps
    for number in numbers:
        found = _verdict(rules, number, seconds)
        line = json.dumps(found) if as_json else "{number}\t{verdict}\t{positions}\t{millis}".format(**found)
        print(line, flush=True)
        print(f"\r{number - numbers.start + 1}/{count}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return 0


def _warm_up(rules: Any) -> None:
    """Has the solver compiled before time is taken."""
    from server.games.patience.solver.solve import solve_deal
    from server.games.patience.solver.verdict import Limits

    for number in _WARMING:
        solve_deal(rules, number, Limits(positions=_WARMING_POSITIONS))


def _verdict(rules: Any, number: int, seconds: float) -> dict[str, Any]:
    from server.games.patience.solver.solve import solve_deal  # takes its time to load, and brings the compiler
    from server.games.patience.solver.verdict import Limits

    began = time.monotonic()
    found = solve_deal(rules, number, Limits(stop=lambda: time.monotonic() >= began + seconds))
    millis = int(1000 * (time.monotonic() - began))
    return {"number": str(number), "verdict": found.verdict.value, "positions": found.positions, "millis": millis}


def _rules(game: str, variants: Sequence[str]) -> Any:
    """The rules with these variants turned on, or with `no_NAME` turned off."""
    options: dict[str, OptionValue] = {}
    for name in variants:
        off = name.removeprefix("no_") if name not in COMFORT else name
        if off not in switches_of(game):
            raise BadRequest(f"--variant: {game} has no {name}; it has {', '.join(switches_of(game))}")
        options[off] = off == name
    try:
        return terms(game, options).rules
    except RuleViolation as refused:
        raise BadRequest(f"--variant: {refused}") from None


def _numbers(deals: str) -> range:
    found = _DEALS.fullmatch(deals)
    if found is None:
        raise BadRequest(f"--deals: {deals} is no number and no range such as 1-100")
    first = int(found.group(1))
    last = int(found.group(2) or first)
    if not first <= last <= MOST:
        raise BadRequest(f"--deals: {deals} goes from high to low")
    return range(first, last + 1)
