"""Chance out of bytes: hypothesis and the coverage-guided fuzzer write the same scripts, and both can shrink them."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Script:
    """Choices read from bytes, one after another; when they are used up, every choice is the first one."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def over(self) -> bool:
        """Whether the bytes are used up."""
        return self._at >= len(self._data)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1: one byte for each 256 of the bound."""
        number, room = 0, 1
        while room < bound:
            number, room = number * 256 + self._byte(), room * 256
        return number % bound

    def one_of(self, values: Sequence[T]) -> T:
        """One of the values."""
        return values[self.below(len(values))]

    def take(self, size: int) -> bytes:
        """Up to `size` bytes as they stand."""
        taken = self._data[self._at : self._at + size]
        self._at += len(taken)
        return taken

    def _byte(self) -> int:
        if self.over:
            return 0
        self._at += 1
        return self._data[self._at - 1]
