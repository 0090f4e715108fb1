"""How much one connection or one address may ask for.

`ConnectionLimits` are settings of the listener. A token bucket grants at most *burst* at once and
*rate* per second in the long run; time is an argument, in seconds of any clock that does not go back.
"""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from protocol.codec import MAX_FRAME

KIB: Final = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """The bounds of sockets; sizes in bytes, times in seconds."""

    connections: int = 5_000
    """Websockets in all."""
    per_address: int = 150
    """Websockets from one address: a club's whole Wi-Fi is one address."""
    visitors: int = 1_000
    """Sockets in all that are no websockets: still asking, or being answered a page."""
    visitors_per_address: int = 300

    head: int = 16 * KIB
    """The longest HTTP request, without a body."""
    message: int = 4 * MAX_FRAME
    """The longest message that is received, its fragments joined: beyond it the connection is lost.

    One between this and `MAX_FRAME` is refused, and the connection goes on.
    """
    congested_above: int = 64 * KIB
    """The outbox that makes a connection congested until a quarter of it is left."""
    outbox: int = 256 * KIB
    """The outbox at which a slow reader is cut off."""
    send_buffer: int = 64 * KIB
    """What the system may hold beside it for a connection: left alone it takes megabytes before anybody notices.

    Linux reserves twice as much.
    """
    empty_frames: int = 200
    """Frames between two sweeps that complete no message: pings, pongs, fragments."""

    handshake: float = 5.0
    """How long an HTTP request may take to come in."""
    page: float = 30.0
    """How long an HTTP answer may take to go out, until the peer hangs up."""
    silence: float = 45.0
    """How long a connection may send nothing."""
    congestion: float = 30.0
    """How long a connection may stay congested."""
    closing: float = 5.0
    """How long a closing handshake may take."""


class TokenBucket:
    """An allowance that refills with time and starts full."""

    __slots__ = ("_at", "_tokens", "burst", "rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """An allowance of `burst` tokens that gets `rate` tokens per second from `now` on."""
        if rate <= 0 or burst <= 0:
            raise ValueError("rate and burst must be positive")
        self.rate = rate
        self.burst = burst
        self._tokens = burst
        self._at = now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Take `cost` tokens, or none at all and answer False where there are not as many."""
        if now > self._at:
            self._tokens = min(self.burst, self._tokens + (now - self._at) * self.rate)
            self._at = now
        if cost > self._tokens:
            return False
        self._tokens -= cost
        return True

    def full(self, now: float) -> bool:
        """Whether nothing is missing: such a bucket is as good as a new one."""
        return self._tokens + max(0.0, now - self._at) * self.rate >= self.burst


class Buckets:
    """One token bucket per address, for at most `capacity` addresses.

    Full buckets are forgotten, the longest unused first. Only when more than `capacity` addresses have
    taken something lately is a bucket forgotten that was not full; its address then starts anew.
    """

    __slots__ = ("_buckets", "burst", "capacity", "rate")

    def __init__(self, rate: float, burst: float, capacity: int = 10_000) -> None:
        if rate <= 0 or burst <= 0 or capacity < 1:
            raise ValueError("rate, burst and capacity must be positive")
        self.rate = rate
        self.burst = burst
        self.capacity = capacity
        self._buckets: OrderedDict[str, TokenBucket] = OrderedDict()

    def __len__(self) -> int:
        """The number of addresses that are remembered."""
        return len(self._buckets)

    def take(self, address: str, now: float, cost: float = 1.0) -> bool:
        """Take `cost` tokens from the address's bucket, or none and answer False."""
        bucket = self._buckets.get(address)
        if bucket is None:
            bucket = self._buckets[address] = TokenBucket(self.rate, self.burst, now)
        else:
            self._buckets.move_to_end(address)
        granted = bucket.take(now, cost)
        if len(self._buckets) > 1:
            self._forget(now)
        return granted

    def _forget(self, now: float) -> None:
        """Drop at most two of the longest unused: one more than a call can add."""
        for _ in range(2):
            address, oldest = next(iter(self._buckets.items()))
            if len(self._buckets) <= self.capacity and not oldest.full(now):
                return
            if len(self._buckets) == 1:
                return
            del self._buckets[address]
