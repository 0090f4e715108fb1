"""An evening's sheet, talk, and a deal laid open, as a server sends them: for tests."""

from typing import Any

import msgpack

from tests.client_cli import samples


def person(name: str, seat: int, **changes: Any) -> dict[str, Any]:
    """What somebody did in a match."""
    counts = {f"{key}_{how}": 0 for key in ("old", "young", "alone", "doublings") for how in ("won", "lost")}
    plain = {"player": f"p{seat}", "name": name, "bot": False, "seats": [seat], "deals": 16, "points": 0}
    return plain | {"money": "0.00"} | counts | changes


def evening() -> dict[str, Any]:
    """Two matches; in the second a bot sits where Max sat."""
    first = [
        person("Ola", 0, points=34, money="1.20", old_won=5, old_lost=2, young_won=6, young_lost=3, doublings_won=3),
        person("Jan", 1, points=20, money="-0.40"),
        person("Ewa", 2, points=18, money="-0.30"),
        person("Max", 3, points=11, money="-0.50", alone_lost=1),
    ]
    second = [person("Ola", 0, deals=4, points=5, money="-12345.60"), person("Heniek", 3, deals=4, bot=True)]
    second[1] |= {"player": "bot3x3", "money": "12345.60", "points": 9}
    together = [person("Ola", 0, deals=20, points=39, money="-12344.40", old_won=5), *first[1:], second[1]]
    return {
        "type": "evening", "id": 9, "table": "t1", "stake": "0.10 zł",
        "matches": [
            {"first": 1, "last": 1, "deals": 16, "people": first},
            {"first": 2, "last": 3, "deals": 4, "people": second},
        ],
        "people": together,
        "debts": [samples.debt("Ola", "Heniek", "12344.40", creditor_player="bot3x3", creditor_bot=True)],
    }  # fmt: skip


def talked(text: str = "", *, seat: int | None = 1, name: str = "Jan", phrase: str = "") -> dict[str, Any]:
    """Somebody said something."""
    player = "p9" if seat is None else f"p{seat}"
    said = {"event": "talked", "seat": seat, "player": player, "name": name, "text": text, "phrase": phrase}
    return said | {"at": samples.NOW}


def packed(message: dict[str, Any]) -> bytes:
    """A frame of a message that holds less than the contract wants."""
    frame: bytes = msgpack.packb(message)
    return frame


def record(**changes: Any) -> dict[str, Any]:
    """Of the record of deal 3 what an explanation needs."""
    acts = [[1, "ask"], [1, "play JH"], [2, "play QD"], [3, "play AD"], [0, "play QC"], [0, "play TS"]]
    return {
        "record": "t1-1-3",
        "deal": 3,
        "match": 1,
        "seats": list(samples.NAMES),
        "acts": acts,
        "line": samples.line(),
    } | changes


def explanation() -> dict[str, Any]:
    """What its cards were worth."""

    def decision(act: int, seat: int, card: str, best: list[str], eyes: int, value: int) -> dict[str, Any]:
        return {"act": act, "seat": seat, "card": card, "best": best, "cost_eyes": eyes, "cost_value": value}

    decisions = [
        decision(1, 1, "JH", ["TH"], 21, 0), decision(2, 2, "QD", ["QD"], 0, 0),
        decision(3, 3, "AD", ["JD", "QH"], 1, 2), decision(5, 0, "TS", ["AS"], 0, 2),
    ]  # fmt: skip
    hands = [["AH", "QC", "JD", "TS"], ["JH", "TH", "AS", "AC"], ["QD", "QS", "JC", "TC"], ["AD", "TD", "QH", "JS"]]
    best = {"best_eyes": 61, "best_won": "old", "best_value": 2}
    return {"hands": hands, "old": [0, 3], "decisions": decisions} | best
