"""The signs in which ids and codes are written, what is kept of a token, and codes that follow from one."""

import hashlib
import hmac
from typing import Final

CODE_ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH: Final = 12
"""Twelve signs of 5 bits: 60 bits."""
_LOOK_ALIKES: Final = str.maketrans("OIL", "011")


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def plain_code(text: str) -> str:
    """A join code without the blanks, hyphens, small and look-alike letters of its writing."""
    return text.upper().translate(_LOOK_ALIKES).replace(" ", "").replace("-", "")


def derived_code(hashed: str, purpose: str) -> str:
    """Sixty bits that only who knows the hash of the player's token can compute."""
    return base32(hmac.digest(hashed.encode(), purpose.encode(), "sha256"))[:CODE_LENGTH]


def base32(raw: bytes) -> str:
    """The signs of a code for these bytes."""
    number = int.from_bytes(raw, "big")
    signs = []
    for _ in range(len(raw) * 8 // 5):
        number, sign = divmod(number, len(CODE_ALPHABET))
        signs.append(CODE_ALPHABET[sign])
    return "".join(signs)
