"""Deals that are the same at every table of a round: deck n follows from the round's secret seed. Pure.

Nobody cuts, no seat adds bytes, and deal n is dealt by seat n mod 4, so that the cards lie alike everywhere. Whoever
holds the seed publishes the commitments to all deals before the round. Source: docs/fair-deal.md, "Same cards".
"""

import hmac
from typing import Final

from server.games.game import Seat
from server.games.kop.events import DealOffered
from server.games.kop.fair import commitment

NO_CUT: Final = 0


def deal_secret(seed: bytes, number: int) -> bytes:
    """The secret of a deal of the round, 32 bytes."""
    return hmac.digest(seed, b"deal " + str(number).encode(), "sha256")


def deal_commitments(seed: bytes, deals: int) -> tuple[str, ...]:
    """The commitments to the deals 1 to `deals` of a round, hexadecimal, to be published before it begins.

    A table where a deal is annulled plays a later number more: commit to some deals beyond those that are agreed.
    """
    return tuple(commitment(deal_secret(seed, number)) for number in range(1, deals + 1))


def offer(label: str, number: int, seed: bytes) -> DealOffered:
    """A deal of the round that the label names."""
    return DealOffered(label, number, Seat(number % 4), deal_secret(seed, number), seed)
