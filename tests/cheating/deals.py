"""Servers that cheat with whole deals: annulled in silence, dealt by another, told otherwise afterwards."""

import copy
from dataclasses import replace
from pathlib import Path

from server.games.kop.deal import left_of
from server.games.kop.events import DealOffered
from server.games.kop.fair import lot
from tests.cheating.scene import ME, OTHER_SECRET, Case, Words, case, offer_of, party
from tests.parties import Party


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


def scored_deal_called_annulled(home: Path) -> Case:
    """The third record says that the second deal was annulled, though it has a record."""
    at = party(home)
    second, third = [at.deal() for _ in range(3)][1:]
    third["fair"]["burned"] = [{"deal": 2, "secret": second["fair"]["secret"]}]
    wrong = {"numbers_wrong", "annulled"}
    return case(at, wrong, wrong | {"not_kept"})


DEALS = (
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
    scored_deal_called_annulled,
    store_went_back,
    damaged,
)
