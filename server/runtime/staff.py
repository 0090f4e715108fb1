"""What every table's actor needs beside the store: the pool in which bots think, and how people are waited for."""

from dataclasses import dataclass

from server.runtime.thinking import ThinkingPool


@dataclass(frozen=True, slots=True)
class Staff:
    """Shared by all tables of a process. Times in seconds."""

    pool: ThinkingPool
    grace_seconds: float
    """How long a player may be away before his table's rule on absence takes hold."""
    bot_seconds: float
    """How long a bot waits on average before it acts."""
