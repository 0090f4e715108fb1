"""Servers that cheat, each in its own way, and what a verifier must find then.

Each way makes a short match at a table where seats 0 and 2 have programs of their own; seat 2 verifies.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from client_cli.witness import Kept, Key
from server.games.kop.deal import left_of
from server.games.kop.events import DealOffered, Dealt, OpeningBegun
from server.games.kop.fair import cut_deck, lot, shuffled
from server.games.kop.match import Match
from server.games.kop.opening import seat_commitment
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


def honest(home: Path) -> Case:
    """The server keeps to everything: two deals, the second with a cut."""
    at = party(home)
    at.deal()
    at.deal({at.cutter: 5})
    return case(at, set(), {"not_kept"})


def deck_swapped_in_the_record(home: Path) -> Case:
    """The record's deck is another one than was played."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    deck = record["deck"]
    deck[0], deck[1], deck[2], deck[3] = deck[1], deck[2], deck[3], deck[0]
    return case(
        at, {"deck_wrong", "replay_wrong", "hand_changed"}, {"deck_wrong", "replay_wrong", "not_kept"}, [record]
    )


def deck_swapped_on_the_table(home: Path) -> Case:
    """The server deals the same cards to other seats, and the record says so."""
    at = party(home)
    at.meddle = dealing(lambda dealt, _: replace(dealt, deck=cut_deck(dealt.deck, 1)))
    at.deal()
    return case(at, {"deck_wrong"}, {"deck_wrong", "not_kept"})


def secret_chosen_afterwards(home: Path) -> Case:
    """When all have opened, the server takes another secret whose deck it likes better."""
    at = party(home)
    at.deal()

    def meddle(table: Table, events: Events) -> Events:
        for event in events:
            if isinstance(event, Dealt):
                offer = replace(offer_of(table), secret=OTHER_SECRET)
                return (*events[:-1], offer, redealt(offer, event))
        return events

    at.meddle = meddle
    at.deal()
    return case(at, {"commitment_changed"}, {"not_kept"})


def secret_reused(home: Path) -> Case:
    """The server uses the secret of the first deal for the second, when all know it."""
    at = party(home)
    secret = at.match.offer.secret if at.match.offer else b""
    at.entropy = lambda: secret
    at.deal()
    at.deal()
    return case(at, {"secret_reused"}, {"secret_reused", "not_kept"})


def bytes_ignored_in_the_deck(home: Path) -> Case:
    """The record shows the seat's bytes, but the deck was made without them."""
    at = party(home)

    def without(dealt: Dealt, offer: DealOffered) -> Dealt:
        return replace(redealt(offer, replace(dealt, opened=four(dealt.opened, ME, b""))), opened=dealt.opened)

    at.meddle = dealing(without)
    at.deal()
    return case(at, {"deck_wrong"}, {"deck_wrong", "not_kept"})


def bytes_left_out(home: Path) -> Case:
    """The server took the seat's bytes and says that it never got them."""
    at = party(home)
    at.meddle = dealing(lambda dealt, offer: redealt(offer, replace(dealt, opened=four(dealt.opened, ME, b""))))
    at.deal()
    return case(at, {"own_bytes_ignored", "unopened"}, {"unopened", "not_kept"})


def opening_said_to_be_late(home: Path) -> Case:
    """The server never took the seat's opening: a slow line looks the same, so this accuses nobody."""
    at = party(home)
    at.silent = {ME}
    at.deal()
    return case(at, {"own_not_in", "unopened"}, {"unopened", "not_kept"})


def seat_left_out(home: Path) -> Case:
    """The record knows nothing of the seat's commitment, which all had seen in the opening."""
    at = party(home)

    def without(dealt: Dealt, offer: DealOffered) -> Dealt:
        commitments = four(dealt.commitments, ME, "")
        return redealt(offer, replace(dealt, commitments=commitments, opened=four(dealt.opened, ME, b"")))

    at.meddle = dealing(without)
    at.deal()
    return case(at, {"own_commitment_missing", "seat_commitment_changed"}, {"not_kept"})


def no_opening(home: Path) -> Case:
    """All had committed, and the server dealt without any opening."""
    at = party(home)

    def at_once(table: Table, events: Events) -> Events:
        if any(isinstance(event, OpeningBegun) for event in events):
            offer = offer_of(table)
            return (*events[:-1], redealt(offer, Dealt(offer.number, offer.dealer, 8, ())))
        return events

    at.meddle = at_once
    at.deal()
    return case(at, {"own_commitment_missing", "nobody_added"}, {"nobody_added", "not_kept"})


def accomplice_chose_last(home: Path) -> Case:
    """The server's friend at seat 0 changed both his commitment and his bytes when he had seen mine."""
    at = party(home)

    def friend(dealt: Dealt, offer: DealOffered) -> Dealt:
        commitments = four(dealt.commitments, FRIEND, seat_commitment(OTHER_SECRET, 0))
        return redealt(offer, replace(dealt, commitments=commitments, opened=four(dealt.opened, FRIEND, OTHER_SECRET)))

    at.meddle = dealing(friend)
    at.deal()
    return case(at, {"seat_commitment_changed"}, {"not_kept"})


def cut_chosen_afterwards(home: Path) -> Case:
    """The cut was said openly; when the server knew the deck it took another one."""
    at = party(home, seed=next(seed for seed in range(99) if party(home / str(seed), seed).cutter not in (FRIEND, ME)))
    at.meddle = dealing(lambda dealt, offer: redealt(offer, replace(dealt, cut=6)))
    at.deal({at.cutter: 5})
    return case(at, {"cut_wrong"}, {"not_kept"})


def committed_cut_ignored(home: Path) -> Case:
    """The seat that cuts has committed to a cut, and the server took another one."""
    at = party(home, seed=next(seed for seed in range(99) if party(home / str(seed), seed).cutter == ME))
    at.meddle = dealing(lambda dealt, offer: redealt(offer, replace(dealt, cut=6)))
    at.deal({ME: 5})
    return case(at, {"cut_wrong"}, {"cut_wrong", "not_kept"})


def annulled_in_silence(home: Path) -> Case:
    """The server does not like the second deal, and offers the third as if nothing had been."""
    return _dealt_anew(home, 1, {"deal_hidden", "dealer_wrong"}, {"dealer_wrong", "before_unknown", "not_kept"})


def annulled_and_dealt_again(home: Path) -> Case:
    """The server does not like the second deal, and deals it again under its number."""
    unopened = {"nobody_added", "unopened"}  # both programs have seen what the server did, and did not open
    changed = {"commitment_changed", "seat_commitment_changed", "opened_changed", "hand_changed"}
    return _dealt_anew(home, 0, changed | unopened | {"own_bytes_ignored"}, unopened | {"not_kept"})


def _dealt_anew(home: Path, further: int, found: Words, alone: Words) -> Case:
    at = party(home)
    at.deal()
    at.ready()
    offer = offer_of(at.table)
    again = replace(offer, number=offer.number + further, secret=OTHER_SECRET)
    at.meddle = lambda _, events: (again,)
    at.act(at.match.running.leader, "ask")
    at.meddle = lambda _, events: events
    at.deal()
    return case(at, found, alone)


def annulled_and_not_listed(home: Path) -> Case:
    """The deal was annulled before all eyes; the record hides it."""
    at = _annulled(home)
    at.records[-1]["fair"]["burned"] = []
    return case(at, {"deal_hidden", "dealer_wrong"}, {"dealer_wrong", "before_unknown", "not_kept"})


def annulled_under_another_secret(home: Path) -> Case:
    """The annulled deal is listed, with a secret that is not the one promised."""
    at = _annulled(home)
    at.records[-1]["fair"]["burned"][0]["secret"] = OTHER_SECRET.hex()
    return case(at, {"burned_wrong", "annulled"}, {"annulled", "not_kept"})


def annulled_openly(home: Path) -> Case:
    """The deal was annulled and is listed: nobody is accused, but nobody can say that nobody chose."""
    return case(_annulled(home), {"annulled"}, {"annulled", "not_kept"})


def _annulled(home: Path) -> Party:
    at = party(home)
    at.deal()
    at.ready()
    at.annul()
    at.deal()
    return at


def dealer_out_of_turn(home: Path) -> Case:
    """The server lets somebody else deal the second deal."""
    at = party(home)
    at.meddle = lambda _, events: tuple(
        replace(event, dealer=left_of(event.dealer)) if isinstance(event, DealOffered) else event for event in events
    )
    at.deal()
    at.meddle = lambda _, events: events
    at.deal()
    return case(at, {"dealer_wrong"}, {"dealer_wrong", "not_kept"})


def first_dealer_not_by_lot(home: Path) -> Case:
    """The record of the first deal names another dealer than the lot."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    record["dealer"] = (record["dealer"] + 1) % 4
    wrong = {"dealer_wrong", "replay_wrong"}
    return case(at, wrong | {"hand_changed"}, wrong | {"not_kept"}, [record])


def bytes_changed(home: Path) -> Case:
    """The record shows other bytes than the seat has opened."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    record["fair"]["opened"][ME] = OTHER_SECRET.hex()
    wrong = {"opening_wrong", "deck_wrong"}
    return case(at, wrong | {"opened_changed", "own_bytes_changed"}, wrong | {"not_kept"}, [record])


def secret_does_not_fit(home: Path) -> Case:
    """The secret in the record is not the one promised."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    record["fair"]["secret"] = OTHER_SECRET.hex()
    wrong = {"secret_wrong", "deck_wrong"}
    if lot(OTHER_SECRET, 4, "t1/1/lot") != record["dealer"]:
        wrong.add("dealer_wrong")
    return case(at, wrong, wrong | {"not_kept"}, [record])


def result_changed(home: Path) -> Case:
    """Somebody else has won."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    record["line"]["money"] = [-amount for amount in record["line"]["money"]]
    return case(at, {"replay_wrong"}, {"replay_wrong", "not_kept"}, [record])


def two_versions(home: Path) -> Case:
    """The same deal is told twice, with other names."""
    at = party(home)
    other = copy.deepcopy(at.deal())
    other["seats"][0] = "Ula"
    return case(at, {"two_records"}, {"two_records", "not_kept"}, [at.records[0], other])


def numbers_do_not_fit(home: Path) -> Case:
    """A burned number that is not the one before."""
    at = _annulled(home)
    at.records[-1]["fair"]["burned"][0]["deal"] = 1
    wrong = {"numbers_wrong", "annulled"}
    return case(at, wrong | {"burned_wrong", "secret_reused"}, wrong | {"not_kept"})


def store_went_back(home: Path) -> Case:
    """The store came back older than what was told, when all bytes were open: the deal is made anew."""
    at = party(home)
    at.deal()
    before = at.table
    at.ready()
    at.roll_back(before)
    at.deal()
    return case(at, {"rolled_back"}, {"not_kept"})


def damaged(home: Path) -> Case:
    """A card is missing."""
    at = party(home)
    record = copy.deepcopy(at.deal())
    record["deck"].pop()
    return case(at, {"malformed"}, {"malformed"}, [record])


CASES: dict[str, Callable[[Path], Case]] = {
    way.__name__: way
    for way in (
        honest,
        deck_swapped_in_the_record,
        deck_swapped_on_the_table,
        secret_chosen_afterwards,
        secret_reused,
        bytes_ignored_in_the_deck,
        bytes_left_out,
        opening_said_to_be_late,
        seat_left_out,
        no_opening,
        accomplice_chose_last,
        cut_chosen_afterwards,
        committed_cut_ignored,
        annulled_in_silence,
        annulled_and_dealt_again,
        annulled_and_not_listed,
        annulled_under_another_secret,
        annulled_openly,
        dealer_out_of_turn,
        first_dealer_not_by_lot,
        bytes_changed,
        secret_does_not_fit,
        result_changed,
        two_versions,
        numbers_do_not_fit,
        store_went_back,
        damaged,
    )
}


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
