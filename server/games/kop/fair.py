"""The deck of a deal from a secret, so that everybody can check it. Source: docs/fair-deal.md.

Pure: the secret comes in as an argument; only the operating system may make one.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

from server.games.cards import Card
from server.games.kop.play import PACK

_Thing = TypeVar("_Thing")


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret, hexadecimal: published before anyone is ready for the deal."""
    return hashlib.sha256(secret).hexdigest()


def shuffled(secret: bytes, opened: Sequence[bytes], purpose: str) -> tuple[Card, ...]:
    """The pack in the order that the secret and the seats' opened bytes give it.

    `in_any_order`, on the keystream for `purpose`, which names the deal.
    """
    return tuple(in_any_order(PACK, keystream(secret, opened, purpose)))


def in_any_order(things: Sequence[_Thing], stream: Iterator[int]) -> list[_Thing]:
    """The things in the order that a Fisher-Yates shuffle from the end gives them, on a keystream."""
    order = list(things)
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, stream)
        order[last], order[other] = order[other], order[last]
    return order


def lot(secret: bytes, places: int, purpose: str) -> int:
    """A number from 0 to places - 1, from the secret."""
    return _below(places, keystream(secret, (), purpose))


def cut_deck(deck: Sequence[Card], cut: int) -> tuple[Card, ...]:
    """The deck with its first `cut` cards put below the others."""
    return (*deck[cut:], *deck[:cut])


def keystream(secret: bytes, opened: Sequence[bytes], purpose: str) -> Iterator[int]:
    """Bytes of HMAC-SHA-256 keyed with the secret, over what was opened, the purpose and a counter."""
    label = b"".join(len(part).to_bytes(4, "big") + part for part in (*opened, purpose.encode()))
    counter = 0
    while True:
        yield from hmac.digest(secret, label + counter.to_bytes(4, "big"), "sha256")
        counter += 1


def _below(bound: int, stream: Iterator[int]) -> int:
    """A number below the bound, every one equally likely: what lies past a multiple of the bound is skipped.

    It is made of one byte if the bound is at most 256, else of as few bytes as can tell so many apart.
    """
    if bound <= 256:
        limit = 256 - 256 % bound
        while (number := next(stream)) >= limit:
            pass
        return number % bound
    size = ((bound - 1).bit_length() + 7) // 8
    limit = 256**size - 256**size % bound
    while (number := int.from_bytes(islice(stream, size), "big")) >= limit:
        pass
    return number % bound
