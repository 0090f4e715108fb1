"""Rounds seated one after another, for tests."""

import hashlib
from collections.abc import Callable, Sequence

from server.tournament.placing import Placing, people
from server.tournament.seating import Fill, Seating, seat_round


def seed(evening: int, number: int) -> bytes:
    """32 bytes for a round of an evening."""
    return hashlib.sha256(f"{evening}/{number}".encode()).digest()


def evening(
    kind: Seating,
    entrants: int,
    rounds: int = 5,
    fill: Fill = Fill.BYE,
    number: int = 0,
    standings: Callable[[int], Sequence[int]] | None = None,
) -> list[Placing]:
    """All rounds with the same entrants; `standings` has their order before a round."""
    past: list[Placing] = []
    for played in range(1, rounds + 1):
        order = range(1, entrants + 1) if standings is None else standings(played)
        past.append(
            seat_round(kind, fill, order, past, seed(number, played), round_number=played, rounds=rounds),
        )
    return past


def everybody(placing: Placing) -> list[int]:
    """All who sit or have a bye, in the order of their numbers."""
    return sorted([*placing.byes, *(one for table in placing.tables for one in people(table))])
