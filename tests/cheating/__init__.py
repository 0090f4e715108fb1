"""Servers that cheat, each in its own way, and what a verifier must find then.

Each way makes a short match at a table where seats 0 and 2 have programs of their own; seat 2 verifies.
"""

from collections.abc import Callable
from pathlib import Path

from tests.cheating.cards import CARDS
from tests.cheating.deals import DEALS
from tests.cheating.scene import FRIEND, ME, OTHER_SECRET, Case, party

CASES: dict[str, Callable[[Path], Case]] = {way.__name__: way for way in (*CARDS, *DEALS)}

__all__ = ["CASES", "FRIEND", "ME", "OTHER_SECRET", "Case", "party"]
