"""A way of playing Kop: every difference between tables is a field here, never a branch on a name."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final


class Trumps(StrEnum):
    """Which cards are trumps, and their order."""

    AS_DYCHA = "as_dycha"
    AS_TRZY_DYCHY = "as_trzy_dychy"


class Calling(StrEnum):
    """Whether anyone may call at any time until the lead, or each in turn."""

    OPEN = "open"
    IN_TURN = "in_turn"


class VoidDuty(StrEnum):
    """What a seat that is void in the suit led must play."""

    ANY = "any"
    TRUMP = "trump"


class WeseleWhen(StrEnum):
    """When wesele may be called: at any time, or only in the seat's first utterance."""

    ANY = "any"
    FIRST_CALL = "first_call"


class CichaGuard(StrEnum):
    """How a cicha with certain cards is scored: as one, as a zolo, or without its doublings."""

    ALLOWED = "allowed"
    AS_ZOLO = "as_zolo"
    NO_DOUBLING = "no_doubling"


class Gathered(StrEnum):
    """Which gathered tricks stay in sight."""

    ALL = "all"
    LAST = "last"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One way of playing. A cap is the most doublings that count; None: no cap."""

    name: str
    trumps: Trumps
    calling: Calling
    passes_to_close: int | None
    doubling_names: tuple[str, ...]
    void_duty: VoidDuty
    wesele_self_kontra: bool
    cicha_first_kontra: bool
    wesele_when: WeseleWhen
    wesele_named_jack: bool
    asked_bars_zolo: bool
    late_calls: bool
    cap_zolo: int | None
    cap_zolo_du: int | None
    cap_cicha: int | None
    cicha_top_cards: CichaGuard
    cicha_dealer: CichaGuard
    gathered: Gathered


KLASSISCH: Final = RuleSet(
    name="klassisch",
    trumps=Trumps.AS_DYCHA,
    calling=Calling.OPEN,
    passes_to_close=None,
    doubling_names=("kontra", "re", "bok", "słup"),
    void_duty=VoidDuty.ANY,
    wesele_self_kontra=False,
    cicha_first_kontra=True,
    wesele_when=WeseleWhen.ANY,
    wesele_named_jack=False,
    asked_bars_zolo=False,
    late_calls=False,
    cap_zolo=None,
    cap_zolo_du=None,
    cap_cicha=None,
    cicha_top_cards=CichaGuard.ALLOWED,
    cicha_dealer=CichaGuard.ALLOWED,
    gathered=Gathered.ALL,
)

PAGAT: Final = replace(KLASSISCH, name="pagat", calling=Calling.IN_TURN, passes_to_close=3, void_duty=VoidDuty.TRUMP)

WOLSZTYN: Final = RuleSet(
    name="wolsztyn",
    trumps=Trumps.AS_TRZY_DYCHY,
    calling=Calling.IN_TURN,
    passes_to_close=4,
    doubling_names=("kontra", "rej", "bok", "słup"),
    void_duty=VoidDuty.TRUMP,
    wesele_self_kontra=True,
    cicha_first_kontra=False,
    wesele_when=WeseleWhen.ANY,
    wesele_named_jack=False,
    asked_bars_zolo=True,
    late_calls=True,
    cap_zolo=2,
    cap_zolo_du=2,
    cap_cicha=3,
    cicha_top_cards=CichaGuard.AS_ZOLO,
    cicha_dealer=CichaGuard.NO_DOUBLING,
    gathered=Gathered.LAST,
)

KOSCIAN: Final = replace(
    WOLSZTYN,
    name="koscian",
    doubling_names=("kontra", "rej", "bok", "skok", "zub"),
    wesele_when=WeseleWhen.FIRST_CALL,
    cap_zolo=3,
    cap_zolo_du=3,
    cicha_dealer=CichaGuard.AS_ZOLO,
    gathered=Gathered.NONE,
)

RULE_SETS: Final = {one.name: one for one in (KLASSISCH, PAGAT, WOLSZTYN, KOSCIAN)}
"""The named rule sets that a host can start from."""
