"""The seats' part in the shuffle: bytes that they commit to with *ready* and open when all have.

So nobody, the server included, can choose the cards: the server is bound by its commitment before any
seat opens, and each seat by its own before it sees another's. Source: docs/fair-deal.md.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.game import Millis, RuleViolation, Seat
from server.games.kop.events import FourBytes, FourTexts, Opened, OpeningBegun
from server.games.kop.play import PACK

OPENING_MILLIS: Final = 5_000
"""How long the seats have to open; what is not opened then counts as empty, and is shown."""

CUTS: Final = tuple(str(cut) for cut in range(1, len(PACK)))
_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening under way: what each seat committed to, and what it has opened."""

    commitments: FourTexts
    cut: int | None
    deadline: Millis
    opened: tuple[Opened, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every commitment is opened."""
        return len(self.opened) == sum(bool(text) for text in self.commitments)

    def bytes_of_seats(self) -> FourBytes:
        """What each seat adds to the shuffle."""
        parts = [b""] * 4
        for one in self.opened:
            parts[one.seat] = one.secret
        return parts[0], parts[1], parts[2], parts[3]

    def cut_of(self, seat: Seat) -> int | None:
        """The cut that a seat chose, openly or in its commitment."""
        opened = next((one.cut for one in self.opened if one.seat == seat), 0)
        return self.cut or opened or None


def is_commitment(word: str) -> bool:
    """Whether a word said with *ready* is a commitment."""
    return _HEX.fullmatch(word) is not None


def seat_commitment(secret: bytes, cut: int) -> str:
    """What a seat says with *ready* for these 32 bytes and this cut (0: none chosen)."""
    return hashlib.sha256(secret + bytes((cut,))).hexdigest()


def begin_opening(words: Sequence[str], now: Millis) -> OpeningBegun | None:
    """The opening that follows when all are ready with these words; None if nobody has committed."""
    commitments = [word if is_commitment(word) else "" for word in words]
    if not any(commitments):
        return None
    cut = next((int(word) for word in words if word in CUTS), None)
    first, second, third, fourth = commitments
    return OpeningBegun((first, second, third, fourth), cut, Millis(now + OPENING_MILLIS))


def started(event: OpeningBegun) -> Opening:
    """The opening as it begins."""
    return Opening(event.commitments, event.cut, event.deadline)


def with_opened(opening: Opening, event: Opened) -> Opening:
    """The opening after a seat has opened."""
    return replace(opening, opened=(*opening.opened, event))


def open_commitment(opening: Opening, seat: Seat, words: str, *, cuts: bool) -> Opened:
    """What a seat opens with the action `open BYTES` or, if it cuts, `open BYTES CUT`.

    Raises:
        RuleViolation: `nothing_to_open`, `unknown_action`, or `opening_wrong` if it is not what the
            seat has committed to.
    """
    if not opening.commitments[seat] or any(one.seat == seat for one in opening.opened):
        raise RuleViolation("nothing_to_open")
    match words.split(" "):
        case ["open", text] if is_commitment(text):
            cut = 0
        case ["open", text, number] if is_commitment(text) and number in CUTS and cuts:
            cut = int(number)
        case _:
            raise RuleViolation("unknown_action")
    secret = bytes.fromhex(text)
    if seat_commitment(secret, cut) != opening.commitments[seat]:
        raise RuleViolation("opening_wrong")
    return Opened(seat, secret, cut)
