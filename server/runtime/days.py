"""Days, and the one deal of each patience that everybody can play on a day.

A day is one of UTC, on the store's clock. Its secret is 32 bytes, published when the day is over; the number of a
game's deal follows from the HMAC-SHA-256, under the secret, of the text `YYYY-MM-DD/GAME`.
"""

import hmac
from datetime import UTC, date, datetime, timedelta
from typing import Final

from server.games.game import Millis, RuleViolation

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def day_of(now: Millis) -> str:
    """The day at this time, as YYYY-MM-DD."""
    return (_EPOCH + timedelta(milliseconds=now)).date().isoformat()


def end_of(day: str) -> Millis:
    """When a day is over.

    Raises:
        ValueError: there is no such day.
    """
    begin = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    return Millis((begin + timedelta(days=1) - _EPOCH) // timedelta(milliseconds=1))


def entropy_of(secret: bytes, day: str, game: str) -> bytes:
    """The bytes that the deal of the day is made from."""
    return hmac.digest(secret, f"{day}/{game}".encode(), "sha256")


def check_published(day: str | None, now: Millis) -> None:
    """Whether the cards of a deal may be laid open: those of a deal of the day only when its day is over.

    Raises:
        RuleViolation: `day_not_over`
    """
    if day and now < end_of(day):
        raise RuleViolation("day_not_over")
