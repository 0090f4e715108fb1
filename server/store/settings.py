"""How long the store keeps things and how long it waits; every duration is in milliseconds."""

# ruff: noqa: RUF009 (a NewType is no call with an effect)

from dataclasses import dataclass

from server.store.port import Lifetime, Millis

MOST_LISTED = 1_000
"""Tables in the lobby; the oldest make room."""

MOST_MEMBERSHIPS = 16
"""Tables that one player can be at; the oldest makes room."""

MOST_TOURNAMENTS = 1_000
"""Tournaments in their list; the oldest make room."""

MOST_ENTRIES = 32
"""Tournaments that are noted for one player; the oldest makes room."""

MOST_RECORDS = 500
"""Records that are noted for one player; the oldest makes room."""

MOST_RESULTS = 5_000
"""Results of one player; the oldest makes room."""

MOST_RANKED = 10_000
"""Lines in the ranking of a day; the last makes room."""

_MINUTE = 60_000
_DAY = 24 * 60 * _MINUTE


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The store's settings, with the defaults of the design."""

    unstarted: Millis = Millis(30 * _MINUTE)
    """An unstarted table is kept this long after its last entry."""
    match: Millis = Millis(14 * _DAY)
    """A table in a match, paused or deserted."""
    ended: Millis = Millis(_DAY)
    """A table whose match has ended."""
    tournament: Millis = Millis(180 * _DAY)
    """A tournament, after its last entry."""
    player: Millis = Millis(180 * _DAY)
    """A player, after the token was last used."""
    record: Millis = Millis(180 * _DAY)
    """A record of a finished deal, after the deal."""
    day: Millis = Millis(30 * _DAY)
    """A deal of the day and its ranking, after the day's first need of it."""
    process_lease: Millis = Millis(20_000)
    """A server process counts as alive this long after its last renewal."""
    attendance: Millis = Millis(_DAY)
    """The words of the processes at a table, after the last of them was written."""
    flush_timeout: Millis = Millis(5_000)
    """An answer that takes longer than this counts as lost."""
    heartbeat: Millis = Millis(5_000)
    """The store's clock is measured, and its absence noticed, at least this often."""

    def lifetime(self, lifetime: Lifetime) -> Millis:
        """How long a table of this lifetime is kept after its last entry."""
        match lifetime:
            case Lifetime.UNSTARTED:
                return self.unstarted
            case Lifetime.MATCH:
                return self.match
            case Lifetime.ENDED:
                return self.ended
            case Lifetime.TOURNAMENT:
                return self.tournament
