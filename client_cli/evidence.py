"""The part of a record that shows how its deck was made, read strictly: nothing in it is taken on trust. Pure."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from client_cli.witness import Four, Key, key_of
from server.games.kop.fair import cut_deck, lot, shuffled
from server.games.kop.play import PACK

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
DEFAULT_CUT: Final = len(PACK) // 2


class Malformed(ValueError):
    """This is no record of a deal of Kop."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a record says of its deal's shuffle; bytes are hexadecimal. `burned`: number and secret.

    `round` names the round whose tables all played these cards; empty for a deal of this table alone.
    """

    key: Key
    dealer: int
    cut: int
    deck: tuple[str, ...]
    commitment: str
    secret: str
    commitments: Four
    opened: Four
    burned: tuple[tuple[int, str], ...]
    round: str = ""

    @property
    def number(self) -> int:
        """The number of the deal."""
        return self.key[2]

    @property
    def match(self) -> tuple[str, int]:
        """Table and match."""
        return self.key[:2]

    @property
    def cutter(self) -> int:
        """The seat that cuts: the dealer's right neighbour."""
        return (self.dealer + 3) % 4

    @property
    def before(self) -> int:
        """The number of the deal scored before this one; 0: this is the first."""
        return self.number - len(self.burned) - 1

    def expected_deck(self) -> tuple[str, ...]:
        """The deck that secret, opened bytes, the deal's name and the cut give."""
        opened = [bytes.fromhex(part) for part in self.opened]
        table, match, number = self.key
        label = self.round or f"{table}/{match}"
        return tuple(map(str, cut_deck(shuffled(bytes.fromhex(self.secret), opened, f"{label}/{number}"), self.cut)))

    def hand(self, seat: int) -> tuple[str, ...]:
        """The cards that the deck deals to a seat: one by one from the dealer's left."""
        return self.deck[(seat - self.dealer - 1) % 4 :: 4]

    def first_dealer(self) -> int | None:
        """Who deals first, by the lot from the secret of deal 1; None if that is not in this record.

        Where all tables play the same cards there is no lot.
        """
        if self.round:
            return None
        secrets = dict(self.burned) | {self.number: self.secret}
        table, match, _ = self.key
        return lot(bytes.fromhex(secrets[1]), 4, f"{table}/{match}/lot") if 1 in secrets else None


def sha256(text: str) -> str:
    """The commitment to bytes, both hexadecimal."""
    return hashlib.sha256(bytes.fromhex(text)).hexdigest()


def opens(secret: str, cut: int, commitment: str) -> bool:
    """Whether bytes and cut are what a seat has committed to."""
    return hashlib.sha256(bytes.fromhex(secret) + bytes((cut,))).hexdigest() == commitment


def evidence(record: Mapping[str, Any]) -> Evidence:
    """The evidence in a record.

    Raises:
        Malformed: a field is missing or not what docs/records.md says.
    """
    try:
        return _evidence(record)
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise Malformed(str(fault)) from None


def _evidence(record: Mapping[str, Any]) -> Evidence:
    key, fair = key_of(record), record["fair"]
    if key is None or record["game"] != "kop" or record["record"] != "-".join(map(str, key)) or min(key[1:]) < 1:
        raise Malformed("name")
    deck = tuple(_list(record["deck"]))
    if sorted(deck) != sorted(PACK):
        raise Malformed("deck")
    same_cards = _round(record.get("tournament"))
    return Evidence(
        key=key,
        dealer=_number(record["dealer"], 0, 3),
        cut=_number(record["cut"], *((0, 0) if same_cards else (1, 15))),
        deck=deck,
        commitment=_hash(fair["commitment"]),
        secret=_hash(fair["secret"]),
        commitments=_four(fair["commitments"]),
        opened=_four(fair["opened"]),
        burned=tuple((_number(one["deal"], 1, key[2]), _hash(one["secret"])) for one in _list(fair["burned"])),
        round=same_cards,
    )


def _round(tournament: Any) -> str:
    """The name of the round whose tables all played the cards; empty if they were of one table alone."""
    if tournament is None or not tournament["duplicate"]:
        return ""
    return f"{tournament['tournament']}/{_number(tournament['round'], 1, 10_000)}"


def _number(value: object, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise Malformed(str(value))
    return value


def _hash(text: object) -> str:
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise Malformed("hash")
    return text


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise Malformed("list")
    return value


def _four(texts: object) -> Four:
    first, second, third, fourth = ("" if text == "" else _hash(text) for text in _list(texts))
    return first, second, third, fourth
