"""The test vectors of docs/fair-deal.md, made by the server's code: secrets and bytes are plain patterns."""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

from server.games.game import Seat
from server.games.kop.deal import deal_out
from server.games.kop.decisions import DEFAULT_CUT
from server.games.kop.events import Dealt
from server.games.kop.fair import commitment, cut_deck, keystream, lot, shuffled
from server.games.kop.opening import seat_commitment

FILE = Path(__file__).resolve().parents[3] / "docs" / "fair-deal-vectors.json"
STREAM = 48
ALL = (True, True, True, True)

DEALS: tuple[tuple[str, str, int, int, tuple[bool | None, ...]], ...] = (
    ("no seat adds bytes", "k3x9/1/1", 0, 0, (None, None, None, None)),
    ("no seat adds bytes, the cut is said openly", "k3x9/1/2", 1, 13, (None, None, None, None)),
    ("two seats add bytes", "k3x9/1/3", 2, 0, (True, None, True, None)),
    ("all seats add bytes", "k3x9/1/4", 3, 0, ALL),
    ("all seats add bytes, the cut is committed to", "k3x9/1/5", 0, 1, ALL),
    ("the cut that is committed to is the usual one", "k3x9/2/16", 1, 8, ALL),
    ("a seat has not opened", "k3x9/12/400", 2, 0, (True, False, True, True)),
    ("the seat that cuts has not opened", "k3x9/1/6", 0, 0, (True, None, True, False)),
    ("a long name", "abcdefghijklmnopqrstuvwxyz234567/7/123", 3, 15, ALL),
)
"""What it is, purpose, dealer, the cut chosen (0: none), and of each seat whether it opened (None: no part)."""


def vectors() -> dict[str, Any]:
    """All vectors."""
    lots = [_lot(number) for number in range(8)]
    return {"deals": [_deal(*one) for one in DEALS], "lots": lots}


def text() -> str:
    """The whole file."""
    return json.dumps(vectors(), indent=1) + "\n"


def _bytes(words: str) -> bytes:
    return hashlib.sha256(words.encode()).digest()


def _deal(name: str, purpose: str, dealer: int, cut: int, opens: tuple[bool | None, ...]) -> dict[str, Any]:
    secret = _bytes(f"secret of {purpose}")
    cutter = (dealer + 3) % 4
    seats: list[dict[str, Any]] = []
    for seat, opened in enumerate(opens):
        own, committed = _bytes(f"bytes of seat {seat}, {purpose}"), cut if seat == cutter else 0
        seats.append(
            {"bytes": "", "cut": 0, "commitment": "", "opened": False}
            if opened is None
            else {
                "bytes": own.hex(),
                "cut": committed,
                "commitment": seat_commitment(own, committed),
                "opened": opened,
            }
        )
    parts = [bytes.fromhex(seat["bytes"]) if seat["opened"] else b"" for seat in seats]
    effective = cut or DEFAULT_CUT
    deck = shuffled(secret, parts, purpose)
    after = cut_deck(deck, effective)
    return {
        "name": name,
        "purpose": purpose,
        "secret": secret.hex(),
        "commitment": commitment(secret),
        "seats": seats,
        "dealer": dealer,
        "cut": effective,
        "keystream": bytes(itertools.islice(keystream(secret, parts, purpose), STREAM)).hex(),
        "shuffled": " ".join(deck),
        "deck": " ".join(after),
        "hands": [" ".join(hand) for hand in deal_out(Dealt(1, Seat(dealer), effective, after), None).dealt],
    }


def _lot(number: int) -> dict[str, Any]:
    purpose = f"k3x9/{number + 1}/lot"
    secret = _bytes(f"secret of lot {number}")
    return {"purpose": purpose, "secret": secret.hex(), "dealer": lot(secret, 4, purpose)}
