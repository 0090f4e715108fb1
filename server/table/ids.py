"""Who and what a table is called, and how long it is kept."""

from enum import StrEnum
from typing import NewType

TableId = NewType("TableId", str)
PlayerId = NewType("PlayerId", str)
"""The public id of a player; it opens nothing."""


RecordId = NewType("RecordId", str)
"""A finished deal: table, match and number of the deal, with hyphens."""


class Lifetime(StrEnum):
    """How long a table, or a tournament, is kept after its last entry; the store's settings say how long each is."""

    UNSTARTED = "unstarted"
    MATCH = "match"
    ENDED = "ended"
    TOURNAMENT = "tournament"
