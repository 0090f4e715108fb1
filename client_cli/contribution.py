"""The player's part in the shuffle: what to say with *ready*, what to open, and what to note of a deal. Pure.

The bytes come in as an argument. Every note must be kept before what goes with it is sent, so that a
program that is started anew still finds its bytes. Source: docs/fair-deal.md.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from client_cli.view import View
from client_cli.witness import Kept, Key, Note

Happening = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contribution:
    """An action to send, and the notes that must be kept before."""

    action: str
    notes: tuple[Note, ...]


def deal_of(view: View) -> Key | None:
    """The deal on offer, being opened, or in play."""
    return None if view.play is None else (view.table, int(view.public["match"]), int(view.play["deal"]))


def seat_commitment(secret: bytes, cut: int) -> str:
    """What a seat says with *ready* for its 32 bytes and its cut (0: none chosen)."""
    return hashlib.sha256(secret + bytes((cut,))).hexdigest()


def ready(view: View, cut: int, entropy: bytes) -> Contribution | None:
    """*Ready* with a commitment to these 32 fresh bytes and a cut (0: none).

    None where no deal is on offer, or where all tables of a round play the same cards, to which no seat adds.
    """
    if view.same_cards:
        return None
    key, seat = deal_of(view), view.seat
    if key is None or seat is None or view.play is None or view.play["phase"] != "ready":
        return None
    words = seat_commitment(entropy, cut)
    own = _note("own", key, seat=seat, bytes=entropy.hex(), cut=cut, commitment=words)
    return Contribution(f"ready {words}", (own,))


def opening(view: View, kept: Kept | None) -> Contribution | None:
    """Opens what this client has committed to, if that is due.

    Not if the server's commitment is no longer the one seen before *ready*, nor if the list of all
    seats' commitments has changed since it was noted: then the server could still choose.
    """
    play, seat = view.play, view.seat
    if play is None or seat is None or kept is None or play["phase"] != "opening" or play["opening"] is None:
        return None
    stand = play["opening"]
    commitments = tuple(stand["commitments"])
    own = kept.standing(commitments[seat])
    if own is None or own.seat != seat or seat in stand["opened"] or kept.offers[-1:] != (play["commitment"],):
        return None
    if kept.commitments not in (None, commitments):
        return None
    notes = () if kept.commitments else (_note("opening", kept.key, commitments=[*commitments], cut=stand["cut"]),)
    return Contribution(f"open {own.secret} {own.cut}" if own.cut else f"open {own.secret}", notes)


def accepted(action: str, kept: Kept) -> Note | None:
    """What to note when the server has taken an action that `ready` or `opening` made for this deal."""
    word, _, rest = action.partition(" ")
    if word == "ready" and kept.standing(rest):
        return _note("ready", kept.key, commitment=rest)
    if word == "open" and any(own.secret == rest.partition(" ")[0] for own in kept.own):
        return _note("opened", kept.key)
    return None


def withdrawn(kept: Kept) -> Note | None:
    """What to note when the seat is given up before the deal began, with which *ready* is taken back."""
    if kept.ready and kept.commitments is None and kept.shown is None:
        return _note("withdrawn", kept.key)
    return None


def observed(view: View, deals: Mapping[Key, Kept], at: int) -> Iterator[Note]:
    """What is new in a view and its happenings and worth a note; `at`: the server's time in ms."""
    key, play = deal_of(view), view.play
    if key is None or play is None:
        return
    for match, happening in _matches(view):
        yield from _happened((key[0], match), happening, deals)
    kept = deals.get(key, Kept(key))
    if play["phase"] == "ready" and play["commitment"] not in kept.offers:
        yield _note("offered", key, commitment=play["commitment"], scored=play["scored"], at=at)
    stand = play["opening"]
    if stand and not kept.opened and view.seat in stand["opened"] and kept.standing(stand["commitments"][view.seat]):
        yield _note("opened", key)
    if play["phase"] == "calls" and len(view.hand) == 4 and not kept.hand:
        yield _note("hand", key, seat=view.seat, hand=view.hand)


def still_ready(view: View) -> bool:
    """Whether the server still holds what this seat said with *ready*, or the deal has begun."""
    if view.play is None or view.play["phase"] != "ready":
        return True
    return view.seat is not None and bool(view.public["ready"][view.seat])


def alarms(view: View, deals: Mapping[Key, Kept]) -> Iterator[str]:
    """What is wrong with a deal already now, before any card was played; the words of findings."""
    key, play = deal_of(view), view.play
    if key is None or play is None or play["phase"] == "over":
        return
    if any(play["commitment"] in other.offers for other in deals.values() if other.key != key):
        yield "secret_reused"
    kept = deals.get(key)
    if kept is None:
        return
    if kept.offers and play["commitment"] not in kept.offers and not kept.returned:
        yield "commitment_changed"
    stand = play["opening"]["commitments"] if play["opening"] else None
    if stand and kept.ready and view.seat is not None and not kept.standing(stand[view.seat]):
        yield "own_commitment_missing"


def _matches(view: View) -> Iterator[tuple[int, Happening]]:
    """The happenings of a view, each with the number of its match."""
    happened = view.message["happened"]
    match = int(view.public["match"]) - sum(one["event"] == "match_started" for one in happened)
    for one in happened:
        match += one["event"] == "match_started"
        yield match, one


def _happened(where: tuple[str, int], happening: Happening, deals: Mapping[Key, Kept]) -> Iterator[Note]:
    match happening["event"]:
        case "dealt":
            key = (*where, int(happening["deal"]))
            if deals.get(key, Kept(key)).shown is None:
                yield _note("dealt", key, opened=happening["opened"], cut=happening["cut"])
        case "deal_annulled":
            key = (*where, int(happening["deal"]))
            if not deals.get(key, Kept(key)).annulled:
                yield _note("annulled", key, secret=happening["secret"])
        case "deal_scored":
            key = (*where, int(happening["line"]["deal"]))
            if not deals.get(key, Kept(key)).finished:
                yield _note("finished", key, secret=happening["secret"])


def _note(what: str, key: Key, **fields: Any) -> Note:
    return {"note": what, "table": key[0], "match": key[1], "deal": key[2], **fields}
