"""What this client itself has seen and said of each deal's shuffle: the other side of a record's proof.

Everything is a *note*, a small map that is never changed again; `with_note` gathers the notes of a deal.
Pure. Notes, and what a verifier makes of them: docs/fair-deal.md.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

Key = tuple[str, int, int]
"""Table, match and number of a deal."""

Note = dict[str, Any]
Four = tuple[str, str, str, str]

_HEX: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Own:
    """What this client has committed to: a seat's 32 bytes (hexadecimal) and cut (0: none chosen)."""

    seat: int
    secret: str
    cut: int
    commitment: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What was noted of one deal.

    `offers` are the server's commitments seen before *ready*; `scored` how many deals of the match were
    scored then. `ready` is the own commitment that the server took, `commitments` and `open_cut` what
    stood when the opening began, `opened` whether the server took ours. `shown` are the bytes of each
    seat as shown with the cards, `hand` the own hand. `annulled` and `finished` are the secrets shown
    when it was annulled or scored. `returned`: the server has gone back behind something of this deal.
    """

    key: Key
    offers: tuple[str, ...] = ()
    scored: int | None = None
    own: tuple[Own, ...] = ()
    ready: str = ""
    commitments: Four | None = None
    open_cut: int | None = None
    opened: bool = False
    shown: Four | None = None
    cut: int | None = None
    seat: int | None = None
    hand: tuple[str, ...] = ()
    annulled: str = ""
    finished: str = ""
    rolled_back: bool = False
    returned: bool = False

    def standing(self, commitment: str) -> Own | None:
        """What this client has committed to with these words, if it has."""
        return next((own for own in self.own if own.commitment == commitment), None)


def key_of(note: Mapping[str, Any]) -> Key | None:
    """The deal that a note, or a record, is about."""
    table, match, deal = note.get("table"), note.get("match"), note.get("deal")
    if isinstance(table, str) and type(match) is int and type(deal) is int:
        return table, match, deal
    return None


def gather(notes: Iterable[Note]) -> dict[Key, Kept]:
    """All notes of a file, deal by deal, in the order in which each was last noted; what is no note is passed over."""
    kept: dict[Key, Kept] = {}
    for note in notes:
        add(kept, note)
    return kept


def add(kept: dict[Key, Kept], note: Note) -> None:
    """Takes one more note; the deal it is about then stands last."""
    if note.get("note") == "rolled_back":
        for one, deal in kept.items():
            if one[0] == note.get("table"):
                kept[one] = replace(deal, rolled_back=True) if deal.finished else _returned(deal)
        return
    key = key_of(note)
    if key is None:
        return
    deal = kept.pop(key, Kept(key))
    try:
        kept[key] = _with_note(_returned(deal) if deal.rolled_back else deal, note)
    except (KeyError, TypeError, ValueError):
        kept[key] = deal


def goes_back(kept: Mapping[Key, Kept], table: str) -> bool:
    """Whether a note that the server went back at this table would change anything."""
    here = [deal for key, deal in kept.items() if key[0] == table]
    return any(not deal.rolled_back if deal.finished else deal != _returned(deal) for deal in here)


def _returned(deal: Kept) -> Kept:
    """A deal that the server went back behind: what was seen of its cards counts no longer, the promises do."""
    return Kept(deal.key, deal.offers, deal.scored, deal.own, returned=True)


def _with_note(deal: Kept, note: Note) -> Kept:
    match note["note"]:
        case "offered":
            offer = _hash(note["commitment"])
            offers = deal.offers if offer in deal.offers else (*deal.offers, offer)
            return replace(deal, offers=offers, scored=int(note["scored"]))
        case "own":
            own = Own(int(note["seat"]), _hash(note["bytes"]), int(note["cut"]), _hash(note["commitment"]))
            return replace(deal, own=(*deal.own, own))
        case "ready":
            return replace(deal, ready=_hash(note["commitment"]))
        case "withdrawn":
            return replace(deal, ready="")
        case "opening":
            return replace(deal, commitments=_four(note["commitments"]), open_cut=note["cut"])
        case "opened":
            return replace(deal, opened=True)
        case "dealt":
            return replace(deal, shown=_four(note["opened"]), cut=int(note["cut"]))
        case "hand":
            return replace(deal, seat=int(note["seat"]), hand=tuple(map(str, note["hand"])))
        case "annulled":
            return replace(deal, annulled=_hash(note["secret"]))
        case "finished":
            return replace(deal, finished=_hash(note["secret"]))
    return deal


def _hash(text: object) -> str:
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise ValueError(text)
    return text


def _four(texts: object) -> Four:
    if not isinstance(texts, list | tuple):
        raise TypeError(texts)
    first, second, third, fourth = (text if text == "" else _hash(text) for text in texts)
    return first, second, third, fourth
