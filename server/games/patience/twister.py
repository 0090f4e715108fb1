"""The two random generators of PySolFC, so that a deal has the same number there and here.

Written out, because the rules import no randomness, and a deal number must give the same cards with every
version of Python. Sources: Matsumoto and Nishimura, Mersenne Twister (mt19937ar); the generator of Microsoft
FreeCell.
"""

from collections.abc import Iterator
from typing import Final

_SIZE: Final = 624
_SHIFT: Final = 397
_WORD: Final = 0xFFFFFFFF


def microsoft(number: int) -> Iterator[int]:
    """Numbers from 0 to 32767 from the generator of Microsoft FreeCell."""
    seed = number
    while True:
        seed = (seed * 214013 + 2531011) & 0x7FFFFFFF
        yield seed >> 16


def fractions(number: int) -> Iterator[float]:
    """At most 312 fractions from 0 to below 1: those of a Mersenne Twister with this seed, in Python's manner."""
    words = _words(_seeded(number))
    for high in words:
        low = next(words)
        yield ((high >> 5) * 67108864.0 + (low >> 6)) / 9007199254740992.0


def _seeded(number: int) -> list[int]:
    """The state that a whole number makes, its words of 32 bits taken as the key."""
    key = [number >> shift & _WORD for shift in range(0, max(number.bit_length(), 1), 32)]
    state = [19650218]
    for place in range(1, _SIZE):
        state.append((1812433253 * (state[-1] ^ state[-1] >> 30) + place) & _WORD)
    place, turn = 1, 0
    for _ in range(max(_SIZE, len(key))):
        mixed = state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * 1664525
        state[place] = (mixed + key[turn] + turn) & _WORD
        place, turn = place + 1, (turn + 1) % len(key)
        if place == _SIZE:
            state[0], place = state[-1], 1
    for _ in range(_SIZE - 1):
        mixed = state[place] ^ (state[place - 1] ^ state[place - 1] >> 30) * 1566083941
        state[place] = (mixed - place) & _WORD
        place += 1
        if place == _SIZE:
            state[0], place = state[-1], 1
    state[0] = 0x80000000
    return state


def _words(state: list[int]) -> Iterator[int]:
    """The first 624 words of 32 bits that follow from a state."""
    for place in range(_SIZE):
        joined = state[place] & 0x80000000 | state[(place + 1) % _SIZE] & 0x7FFFFFFF
        word = state[(place + _SHIFT) % _SIZE] ^ joined >> 1 ^ (0x9908B0DF if joined & 1 else 0)
        state[place] = word
        word ^= word >> 11
        word ^= word << 7 & 0x9D2C5680
        word ^= word << 15 & 0xEFC60000
        yield word ^ word >> 18
