"""A mapping whose values lapse, for the double in memory."""

from collections.abc import Callable
from typing import Generic, TypeVar

from server.store.port import Millis

Kept = TypeVar("Kept")


class Expiring(Generic[Kept]):
    """A mapping whose values lapse when their time is over."""

    def __init__(self, clock: Callable[[], Millis]) -> None:
        self._clock = clock
        self._kept: dict[str, tuple[int, Kept]] = {}

    def put(self, key: str, value: Kept, lifetime: Millis) -> None:
        """Keeps a value for its lifetime."""
        self._kept[key] = (self._clock() + lifetime, value)

    def look(self, key: str) -> Kept | None:
        """The value of a key; None if there is none or it has lapsed."""
        expires, value = self._kept.get(key, (0, None))
        return value if expires > self._clock() else None

    def find(self, key: str, lifetime: Millis) -> Kept | None:
        """The value of a key, whose lifetime begins anew; None if there is none or it has lapsed."""
        expires, value = self._kept.pop(key, (0, None))
        if value is None or expires <= self._clock():
            return None
        self.put(key, value, lifetime)
        return value
