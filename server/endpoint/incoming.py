"""The frames in the bytes of a client: where they end, and the payload of those that are simple.

Source: section 5.2 of RFC 6455.
"""

from typing import Final

try:
    from websockets.speedups import apply_mask as apply_mask
except ImportError:  # a Python for which the library comes without its compiled part
    from websockets.utils import apply_mask as apply_mask

_WHOLE: Final = frozenset({0x81, 0x82})
"""The first byte of a text or binary frame that is a whole message and has no reserved bit set."""
_MASKED: Final = 0x80
_MASK: Final = 4
_SHORT: Final = 126
"""Lengths below it stand in the second byte; it stands for two bytes of length, the next number for eight."""


def extent(data: bytes, start: int) -> tuple[int, int]:
    """Where the length of the frame that begins at `start` has been told, and where the frame ends.

    The end is 0 where not enough of it has come to know. Masked or not, and whatever its kind.
    """
    told = start + 2
    if len(data) < told:
        return told, 0
    size = data[start + 1] & ~_MASKED
    if size >= _SHORT:
        told += 2 if size == _SHORT else 8
        if len(data) < told:
            return told, 0
        size = int.from_bytes(data[start + 2 : told])
    return told, told + size + (_MASK if data[start + 1] & _MASKED else 0)


def is_simple(data: bytes, start: int) -> bool:
    """Whether the frame that begins there is a whole message of a client, as it ought to be."""
    return data[start] in _WHOLE and data[start + 1] >= _MASKED


def payload(data: bytes, told: int, end: int) -> bytes:
    """The payload of a simple frame that is there to its end."""
    return apply_mask(data[told + _MASK : end], data[told : told + _MASK])
