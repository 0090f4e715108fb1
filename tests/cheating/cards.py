"""Servers that cheat with the cards: the deck, the secret, the bytes of a seat, the cut."""

import copy
from dataclasses import replace
from pathlib import Path

from server.games.kop.events import DealOffered, Dealt, OpeningBegun
from server.games.kop.fair import cut_deck
from server.games.kop.opening import seat_commitment
from server.table.state import Table
from tests.cheating.scene import FRIEND, ME, OTHER_SECRET, Case, case, dealing, four, offer_of, party, redealt
from tests.parties import Events


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


def lost_cut_taken_all_the_same(home: Path) -> Case:
    """The seat that cuts has not opened in time, and the server took a cut that it liked."""
    at = party(home, seed=next(seed for seed in range(99) if party(home / str(seed), seed).cutter == ME))
    at.silent = {ME}
    at.meddle = dealing(lambda dealt, offer: redealt(offer, replace(dealt, cut=6)))
    at.deal({ME: 5})
    doubts = {"unopened", "not_kept"}
    return case(at, {"cut_wrong", "unopened", "own_not_in"}, {"cut_wrong"} | doubts)


def bytes_of_who_cuts_changed(home: Path) -> Case:
    """The record shows other bytes than the seat that cuts has opened."""
    at = party(home, seed=next(seed for seed in range(99) if party(home / str(seed), seed).cutter == ME))
    record = copy.deepcopy(at.deal({ME: 5}))
    record["fair"]["opened"][ME] = OTHER_SECRET.hex()
    wrong = {"opening_wrong", "deck_wrong"}
    return case(at, wrong | {"opened_changed", "own_bytes_changed"}, wrong | {"not_kept"}, [record])


CARDS = (
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
    lost_cut_taken_all_the_same,
    bytes_of_who_cuts_changed,
)
