"""The deck of a deal from a secret, so that everybody can check it. Source: docs/fair-deal.md.

Pure: the secret comes in as an argument; only the operating system may make one.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from server.games.cards import Card
from server.games.kop.play import PACK


def commitment(secret: bytes) -> str:
    """SHA-256 of the secret, hexadecimal: published before anyone is ready for the deal."""
    return hashlib.sha256(secret).hexdigest()


def shuffled(secret: bytes, opened: Sequence[bytes], purpose: str) -> tuple[Card, ...]:
    """The pack in the order that the secret and the seats' opened bytes give it.

    A Fisher-Yates shuffle from the end, on the keystream for `purpose`, which names the deal.
    """
    deck = list(PACK)
    stream = keystream(secret, opened, purpose)
    for last in range(len(deck) - 1, 0, -1):
        other = _below(last + 1, stream)
        deck[last], deck[other] = deck[other], deck[last]
    return tuple(deck)


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
    """A number below the bound (at most 256), every one equally likely: bytes past a multiple are skipped."""
    limit = 256 - 256 % bound
    while (number := next(stream)) >= limit:
        pass
    return number % bound
