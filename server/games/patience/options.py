"""What may be set when a table for a patience is opened: the variants of its rules, and comfort.

Every variant is an option of the field's name. `number` deals a known deal first; a text, since numbers of
twenty digits are too large for the wire's whole numbers.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

from server.games.game import OptionValue, Plain, RuleViolation
from server.games.patience.archway import Archway
from server.games.patience.burgvoegtin import Burgvoegtin
from server.games.patience.carpet import Carpet
from server.games.patience.layout import Patience
from server.games.patience.zopf import Zopf

PATIENCES: Final[dict[str, type[Patience]]] = {kind.name: kind for kind in (Zopf, Burgvoegtin, Carpet, Archway)}
"""The patiences by name."""

MOST_DEALS: Final = 400
"""Where an open-ended match ends by itself, so that none grows without bound."""
COMFORT: Final = ("no_undo", "auto_play")
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,19}", re.ASCII)

Variants = tuple[tuple[str, bool], ...]
"""The fields of a patience's rules with their values, in the order of the fields."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed when the table was opened. `number` is the first deal's, empty for a hidden one."""

    game: str
    variants: Variants
    no_undo: bool = False
    auto_play: bool = False
    number: str = ""

    @property
    def rules(self) -> Patience:
        """The rules of all deals."""
        return _rules(self.game, self.variants)


@lru_cache(maxsize=128)
def _rules(game: str, variants: Variants) -> Patience:
    return PATIENCES[game](**dict(variants))


def is_number(text: str) -> bool:
    """Whether a text is the number of a deal."""
    return _NUMBER.fullmatch(text) is not None


def terms(game: str, options: Mapping[str, OptionValue]) -> Terms:
    """The terms that options make; what is not named takes its default.

    Raises:
        RuleViolation: `unknown_option`, `bad_option`, or `options_clash`; the detail names the options.
    """
    switches = switches_of(game)
    for name, value in options.items():
        if name not in switches and name not in (*COMFORT, "number"):
            raise RuleViolation("unknown_option", name)
        fits = isinstance(value, bool)
        if name == "number":
            fits = value is None or (isinstance(value, str) and (not value or is_number(value)))
        if not fits:
            raise RuleViolation("bad_option", name)
    variants = tuple((name, bool(options.get(name, usual))) for name, usual in switches.items())
    chosen = dict(variants)
    if chosen.get("braid_builds") and not chosen["build_on_sides"]:
        raise RuleViolation("options_clash", "build_on_sides braid_builds")
    no_undo, auto_play = (bool(options.get(name, False)) for name in COMFORT)
    return Terms(game, variants, no_undo, auto_play, str(options.get("number") or ""))


def switches_of(game: str) -> dict[str, bool]:
    """The variants of a patience with their usual values."""
    return {field.name: field.default is True for field in fields(PATIENCES[game])}  # type: ignore[arg-type]


def plain_options(agreed: Terms) -> Plain:
    """All options, complete: `terms` makes the same terms of them."""
    comfort = {"no_undo": agreed.no_undo, "auto_play": agreed.auto_play, "number": agreed.number}
    return {**dict(agreed.variants), **comfort}
