"""What all cheating servers share: the table of every case, and the server's hands in what it deals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from client_cli.witness import Kept, Key
from server.games.kop.events import DealOffered, Dealt
from server.games.kop.fair import cut_deck, shuffled
from server.games.kop.match import Match
from server.table.state import Table
from tests.parties import Events, Party, contributor

ME = 2
FRIEND = 0
OTHER_SECRET = bytes(range(1, 33))
Plain = dict[str, Any]
Words = set[str]


@dataclass
class Case:
    """Records, what seat 2 kept, and the findings about the last record: with what was kept, and without."""

    records: list[Plain]
    kept: Mapping[Key, Kept]
    notes: Path
    found: Words = field(default_factory=set)
    alone: Words = field(default_factory=set)


def party(home: Path, seed: int = 5, clients: tuple[int, ...] = (FRIEND, ME)) -> Party:
    """The table of every case."""
    return Party({"deals": 4}, seed, {seat: contributor(home, seat, seed) for seat in clients})


def case(at: Party, found: Words, alone: Words, records: list[Plain] | None = None) -> Case:
    """The records of a table and what is to be found in the last one."""
    return Case(records or at.records, at.kept(ME), at.clients[ME].file.path, found, alone)


def dealing(change: Callable[[Dealt, DealOffered], Dealt]) -> Callable[[Table, Events], Events]:
    """A server that changes what it deals."""

    def meddle(table: Table, events: Events) -> Events:
        return [change(event, offer_of(table)) if isinstance(event, Dealt) else event for event in events]

    return meddle


def offer_of(table: Table) -> DealOffered:
    """The deal on offer."""
    assert isinstance(table.play, Match)
    assert table.play.offer is not None
    return table.play.offer


def redealt(offer: DealOffered, dealt: Dealt) -> Dealt:
    """The deck as it would follow from what stands in the event."""
    deck = shuffled(offer.secret, dealt.opened, f"{offer.label}/{offer.number}")
    return replace(dealt, deck=cut_deck(deck, dealt.cut))


def four(parts: tuple[Any, Any, Any, Any], seat: int, part: Any) -> tuple[Any, Any, Any, Any]:
    """The four parts with another one at a seat."""
    first, second, third, fourth = (part if place == seat else one for place, one in enumerate(parts))
    return first, second, third, fourth
