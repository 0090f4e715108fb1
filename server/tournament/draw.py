"""The chance of a tournament, from the fair deal's keystream, so that anybody can check a draw like a deal.

Before registration closes the tournament publishes `commitment(secret)` for each round; each secret is 32 fresh
bytes. Entrants may add bytes of their own when they register. A round's draw comes from `draw_seed`, and the secret
is published with it: so nobody, the house included, could choose who sits where. Source: docs/tournament-seating.md.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from server.games.kop.fair import commitment, in_any_order, keystream


def draw_seed(secret: bytes, label: str, contributions: Sequence[tuple[int, bytes]]) -> bytes:
    """The 32 bytes that decide every chance of a round: `seat_round` takes them.

    `label` names the draw, and no other has the same; `contributions`: the entrant's number, 0 to 2³² - 1, and the
    bytes he added, each entrant once and in any order. Who added no bytes counts as if he were not there.

    HMAC-SHA-256, the key being the secret, of `part(c1) ‖ part(c2) ‖ … ‖ part(label) ‖ u32(0)`: the c are the
    contributions by rising number, each as `u32(number) ‖ bytes`; `part(x)` is `u32(length of x in bytes) ‖ x`; the
    label is in UTF-8; `u32` is four bytes, the highest first. This is the first block of the fair deal's keystream,
    with the contributions as what was opened and the label as the purpose.

    Raises:
        ValueError: two contributions have the same number
    """
    added = sorted((number, own) for number, own in contributions if own)
    if len({number for number, _ in added}) < len(added):
        raise ValueError("an entrant contributes once to a draw")
    opened = [number.to_bytes(4, "big") + own for number, own in added]
    return bytes(islice(keystream(secret, opened, label), 32))


def chance(seed: bytes, purpose: str) -> Iterator[int]:
    """The keystream that decides the chances of one purpose, from the seed of a draw."""
    return keystream(seed, (), purpose)


__all__ = ["chance", "commitment", "draw_seed", "in_any_order"]
