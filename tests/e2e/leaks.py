"""What each viewer may know at each version, from the log alone; and what in a recording goes beyond it.

Independent of the product's views: knowledge is built from the events in the log, and a message is
checked by taking everything from it that its reader may know; no card may be left.
"""

import base64
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from server.games.kop.events import (
    CardPlayed,
    DealAnnulled,
    DealOffered,
    DealScored,
    Dealt,
    LeadTakenBack,
    Opened,
    OpeningBegun,
)
from server.table.codec import LogLine
from server.table.events import Created, ReadySaid, Seated, SeatLeft, SeatRemoved
from tests.wire import Message

COMMITMENT_LENGTH = 64
CARD = re.compile(rb"(?<![A-Za-z0-9])[ATQJ][CSHD](?![A-Za-z0-9])")


@dataclass(frozen=True)
class Known:
    """What is known at a version: who sits where, the hands as dealt, the cards played in their order.

    `shown` are the cards that were led and taken back.
    """

    seats: tuple[str | None, ...] = (None,) * 4
    hands: tuple[tuple[str, ...], ...] = ((),) * 4
    played: tuple[tuple[int, str], ...] = ()
    shown: tuple[str, ...] = ()
    open: bool = True
    """Whether the deal is scored or annulled, and all its hands are public."""

    def after(self, event: Any) -> "Known":
        """The knowledge after an event."""
        match event:
            case Seated(seat=seat, sitter=sitter):
                return replace(self, seats=_with(self.seats, seat, sitter.player))
            case SeatLeft(seat=seat) | SeatRemoved(seat=seat):
                return replace(self, seats=_with(self.seats, seat, None))
            case Dealt(dealer=dealer, deck=deck):
                hands = tuple(tuple(deck[(seat - dealer - 1) % 4 :: 4]) for seat in range(4))
                return replace(self, hands=hands, played=(), shown=(), open=False)
            case CardPlayed(seat=seat, card=card):
                return replace(self, played=(*self.played, (seat, str(card))))
            case LeadTakenBack(card=card):
                return replace(self, played=(), shown=(*self.shown, str(card)))
            case DealScored() | DealAnnulled():
                return replace(self, open=True)
            case _:
                return self

    def held(self, seat: int) -> set[str]:
        """The cards that a seat still holds; none when the deal is over."""
        return set() if self.open else set(self.hands[seat]) - {card for _, card in self.played}


def _with(seats: tuple[str | None, ...], seat: int, player: str | None) -> tuple[str | None, ...]:
    return (*seats[:seat], player, *seats[seat + 1 :])


@dataclass
class Ledger:
    """The whole log of a table: what is known at each version, and when each secret becomes public.

    Secrets are those of the server, the bytes that seats open, which are public with the cards, and
    their commitments, which are when all are ready.
    """

    code: str | None = None
    at: list[Known] = field(default_factory=lambda: [Known()])
    happened: list[list[Any]] = field(default_factory=lambda: [[]])
    secrets: dict[bytes, int | None] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Sequence[LogLine]) -> "Ledger":
        """The ledger of a log."""
        ledger = cls()
        for line in lines:
            known = ledger.at[-1]
            for event in line.events:
                known = known.after(event)
                match event:
                    case Created(code=code):
                        ledger.code = code
                    case DealOffered(secret=secret):
                        ledger.secrets[secret] = None
                    case DealScored(secret=secret) | DealAnnulled(secret=secret):
                        ledger.secrets[secret] = line.version
                    case ReadySaid(word=word) if len(word) == COMMITMENT_LENGTH:
                        ledger.secrets[bytes.fromhex(word)] = None
                    case OpeningBegun(commitments=words):
                        ledger.secrets.update((bytes.fromhex(word), line.version) for word in words)
                        ledger.secrets.pop(b"", None)
                    case Opened(secret=secret):
                        ledger.secrets[secret] = None
                    case Dealt(opened=parts):
                        ledger.secrets.update((part, line.version) for part in parts if part)
                    case _:
                        pass
            ledger.at.append(known)
            ledger.happened.append(list(line.events))
        return ledger


@dataclass(frozen=True)
class Viewer:
    """Who received a recording, and the secrets that are his own: his token, a code that he was told."""

    player: str
    token: str


@dataclass(frozen=True)
class Secret:
    """Something that may reach nobody (`owner` None), or its owner alone."""

    name: str
    text: bytes
    owner: str | None


def writings(raw: bytes) -> Iterator[bytes]:
    """The ways in which bytes could be written in a message."""
    yield raw
    yield raw.hex().encode()
    yield raw.hex().upper().encode()
    yield base64.b64encode(raw).rstrip(b"=")
    yield base64.urlsafe_b64encode(raw).rstrip(b"=")


def leaks(
    ledger: Ledger, viewer: Viewer, recording: Sequence[tuple[bytes, Message]], secrets: Sequence[Secret]
) -> list[str]:
    """Everything in a recording that its reader may not know at that point."""
    found = []
    for place, (raw, message) in enumerate(recording):
        where = f"message {place} ({message['type']})"
        version = message["version"] if message["type"] == "table" else 0
        seat = _seat(ledger.at[version], viewer.player)
        found += [f"{where}: {fault}" for fault in _card_faults(ledger, seat, message)]
        for secret, public_at in ledger.secrets.items():
            if (public_at is None or version < public_at) and any(text in raw for text in writings(secret)):
                found.append(f"{where}: a secret")
        for one in secrets:
            if one.text in raw and one.owner != viewer.player:
                found.append(f"{where}: {one.name}")
        sits = seat is not None or (message["type"] == "reply" and message["seat"] is not None)
        if ledger.code is not None and ledger.code.encode() in raw and not sits:
            found.append(f"{where}: the join code")
    return found


def _seat(known: Known, player: str) -> int | None:
    return known.seats.index(player) if player in known.seats else None


def _card_faults(ledger: Ledger, seat: int | None, message: Message) -> Iterator[str]:
    """Takes out what may be known, where it may stand; whatever card is left is a leak."""
    rest = _copy(message)
    if message["type"] == "table":
        known = ledger.at[message["version"]]
        yield from _take_public(known, rest["public"]["play"])
        yield from _take_happened(ledger, message, rest)
        yield from _take_own(known, seat, rest)
    left = CARD.findall(repr(rest).encode())
    if left:
        yield f"cards that it may not name: {left}"


def _take_public(known: Known, play: dict[str, Any] | None) -> Iterator[str]:
    if play is None:
        return
    tricks = [(one["seat"], one["card"]) for trick in play.pop("tricks") for one in trick["cards"]]
    lying = tricks + [(one["seat"], one["card"]) for one in play.pop("trick")]
    if tuple(lying) not in (known.played[: len(lying)], known.played[len(known.played) - len(lying) :]):
        yield f"cards on the table: {lying}"
    if not set(shown := play.pop("shown")) <= set(known.shown):
        yield f"cards taken back: {shown}"


def _take_happened(ledger: Ledger, message: Message, rest: Message) -> Iterator[str]:
    happened = [event for line in ledger.happened[message["from"] + 1 : message["version"] + 1] for event in line]
    cards = [(event.seat, str(event.card)) for event in happened if isinstance(event, CardPlayed)]
    over = [event for event in happened if isinstance(event, DealScored | DealAnnulled)]
    hands = [[list(map(str, hand)) for hand in event.hands] for event in over]
    back = [(event.seat, str(event.card)) for event in happened if isinstance(event, LeadTakenBack)]
    for one in message["happened"]:
        if one["event"] == "card_played" and (one["seat"], one["card"]) not in cards:
            yield f"a card that was not played: {one}"
        if one["event"] == "lead_taken_back" and (one["seat"], one["card"]) not in back:
            yield f"a card that was not taken back: {one}"
        if one["event"] in ("deal_scored", "deal_annulled") and one["hands"] not in hands:
            yield f"hands of a deal that is not over: {one}"
    rest["happened"] = [
        {key: value for key, value in one.items() if (one["event"], key) not in _OPEN} for one in rest["happened"]
    ]


_OPEN = {("card_played", "card"), ("lead_taken_back", "card"), ("deal_scored", "hands"), ("deal_annulled", "hands")}


def _take_own(known: Known, seat: int | None, rest: Message) -> Iterator[str]:
    own = rest["own"]
    if (own is None) != (seat is None):
        yield f"the own part of another: {own}"
    if own is None or seat is None:
        return
    if own["seat"] != seat:
        yield f"the own part of seat {own['seat']}"
    hand = (own["play"] or {"hand": []}).pop("hand")
    playable = [action[5:] for action in own["actions"] if action.startswith("play ")]
    own["actions"] = [action for action in own["actions"] if not action.startswith("play ")]
    if set(hand) != known.held(seat) or not set(playable) <= set(hand):
        yield f"a hand that is not his: {hand}, {playable}"


def _copy(plain: Any) -> Any:
    if isinstance(plain, dict):
        return {key: _copy(value) for key, value in plain.items()}
    return [_copy(value) for value in plain] if isinstance(plain, list) else plain
