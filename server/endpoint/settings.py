"""How much players may ask for. Every limit is a setting; rates are per second."""

from dataclasses import dataclass, field

from server.endpoint.limits import ConnectionLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of messages and tables; a burst is what may come at once."""

    sockets: ConnectionLimits = field(default_factory=ConnectionLimits)
    messages_per_second: float = 20.0
    messages_burst: float = 60.0
    refusals_per_second: float = 5.0
    refusals_burst: float = 100.0
    """Messages over the limit that are answered; beyond them the connection is closed."""
    address_messages_per_second: float = 1_000.0
    address_messages_burst: float = 3_000.0
    greetings_per_second: float = 20.0
    """`hello` and `join` from one address."""
    greetings_burst: float = 600.0
    players_per_address_hour: float = 600.0
    """New players, who say `hello` without a token."""
    players_per_second: float = 20.0
    """New players in all."""
    tables_per_player_hour: float = 30.0
    tables_per_address_hour: float = 300.0
    tables_per_second: float = 20.0
    """New tables in all."""
    hello_seconds: float = 5.0
    owner_away_seconds: float = 60.0
    """How long an owner may be away before another who sits there may take over."""
    grace_seconds: float = 30.0
    """How long a player may be away before his table's rule on absence takes hold."""
    bot_seconds: float = 0.9
    """How long a bot of the server waits on average before it acts."""
    thinking_processes: int = 1
    """Processes in which bots think and deals are explained."""
    sayings_per_second: float = 0.5
    """What one player may say at tables."""
    sayings_burst: float = 8.0
    watchers_sayings_per_second: float = 1.0
    """What all watchers of one table may say."""
    watchers_sayings_burst: float = 20.0
    places: int = 64
    """Tables that one connection may be at."""
    followed: int = 32
    """Tournaments that one connection may follow."""
    waiting_messages: int = 32
    """Messages of one connection that wait while an earlier one is carried out."""
