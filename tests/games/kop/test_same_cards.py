"""Deals that are the same at every table of a round: their decks, dealers and commitments, and their records."""

import hashlib
import hmac
import json
from typing import Any

import pytest

from client_cli.verdict import Outcome, Word
from client_cli.verifying import verify
from protocol.record import KopRecord
from server.games.game import RuleViolation, Seat, Stage
from server.games.kop.fair import shuffled
from server.games.kop.opening import seat_commitment
from server.games.kop.record import replay
from server.games.kop.same_cards import deal_commitments, deal_secret
from server.table import sheets, view
from server.table.commands import AnnulDirected
from tests.table.scenes import Log
from tests.table.tournaments import DUPLICATE, SEED, all_records, opened, second


def test_all_tables_play_the_same_decks() -> None:
    """Deal n is dealt by seat n mod 4 from a secret that follows from the seed, whatever seats say with *ready*."""
    here, there = opened("abcd", DUPLICATE), second()
    for number in range(1, 5):
        assert here.match.offer == there.match.offer
        for seat in range(4):
            here.act(seat, "ready")
            there.act(seat, f"ready {seat_commitment(bytes([seat]) * 32, 0)}")
        one, other = here.match.running.origin, there.match.running.origin
        assert one == other
        assert (one.number, one.dealer, one.cut) == (number, number % 4, 0)
        secret = hmac.digest(SEED, f"deal {number}".encode(), "sha256")
        assert one.deck == shuffled(secret, (b"",) * 4, f"{DUPLICATE.tournament}/2/{number}")
        here.play_on()
        there.play_on()
    assert here.table.stage is there.table.stage is Stage.OVER


def test_an_annulled_deal_leaves_the_next_as_it_is_everywhere() -> None:
    """Its number is burned, and the next has the deck and the dealer of its own number."""
    here, there = opened("abcd", DUPLICATE).ready(), second().ready().play_on()
    here.do(AnnulDirected(1))
    assert here.match.offer == there.match.offer


def test_the_commitments_can_be_published_before() -> None:
    """They are those that the tables show, and the secrets come out after scoring."""
    promised = deal_commitments(SEED, 4)
    log = opened("abcd", DUPLICATE)
    shown = []
    for _ in range(4):
        shown.append(view.public(log.table)["play"]["commitment"])
        log.ready().play_on()
    assert tuple(shown) == promised
    secrets = [record.plain["fair"]["secret"] for record in all_records(log)]
    assert secrets == [deal_secret(SEED, number).hex() for number in range(1, 5)]
    assert [hashlib.sha256(bytes.fromhex(secret)).hexdigest() for secret in secrets] == shown


def test_nobody_cuts() -> None:
    """No cut is offered, and one that is said is refused."""
    log = opened("abcd", DUPLICATE)
    assert [view.actions(log.table, Seat(seat)) for seat in range(4)] == [("ready",)] * 4
    for seat in range(4):
        with pytest.raises(RuleViolation, match="not_your_cut"):
            log.act(seat, "ready 7")


def test_the_seed_is_in_nothing_that_anybody_sees() -> None:
    """Nor is the secret of a deal that is not scored: views, happenings, sheets, records, and what bots are given."""
    log = opened("abcd", DUPLICATE)
    for _ in range(4):
        log.ready().play_on(3)
        check_hidden(log)
        log.play_on()
        check_hidden(log)


def check_hidden(log: Log) -> None:
    """Looks at everything that is shown now, or was."""
    table = log.table
    offered = log.match.offer
    hidden = [SEED, *(deal_secret(SEED, number) for number in range(offered.number, 9))] if offered else [SEED]
    shown: list[Any] = [view.public(table), sheets.sheet(table), sheets.evening(table)]
    shown += [view.own(table, Seat(seat)) for seat in range(4)]
    shown += [view.happening(table, event) for line in log.lines for event in line.events]
    shown += [record.plain for record in all_records(log)]
    if table.stage is Stage.DEAL:
        shown += [table.game.seen(table.play, Seat(seat)) for seat in range(4)]
    text = json.dumps(shown, default=str)
    for secret in hidden:
        assert secret.hex() not in text
        assert repr(secret) not in text + repr(shown)


def test_records_are_for_those_who_sat_there_and_name_the_round() -> None:
    """They keep to the schema, replay, and are of the round."""
    log = opened("abc.", DUPLICATE).ready().play_on()
    [record] = all_records(log)
    assert record.private
    assert sorted(record.readers) == ["a", "b", "c"]
    assert record.of_round == (DUPLICATE.tournament, 2)
    KopRecord.model_validate_json(json.dumps(record.plain))
    assert replay(record.plain)
    [open_to_all] = all_records(opened().ready().play_on())
    assert (open_to_all.private, open_to_all.of_round) == (False, None)


def test_records_verify_and_say_that_the_deck_came_from_the_round() -> None:
    """Those of two tables with the same secrets too; what does not fit the round is found."""
    here, there = opened("abcd", DUPLICATE), second()
    for _ in range(3):
        here.ready().play_on()
        there.ready().play_on()
    plain = [record.plain for record in (*all_records(here), *all_records(there))]
    for verdict in verify(plain, {}):
        assert verdict.outcome is Outcome.CONSISTENT
        assert Word.FROM_ROUND in {finding.word for finding in verdict.findings}
    wrong = {**plain[0], "dealer": (plain[0]["dealer"] + 1) % 4}
    assert Word.DEALER_WRONG in {finding.word for finding in verify([wrong], {})[0].findings}
    other = {**plain[0], "tournament": {**plain[0]["tournament"], "round": 3}}
    assert Word.DECK_WRONG in {finding.word for finding in verify([other], {})[0].findings}
    alone = {**plain[0], "tournament": {**plain[0]["tournament"], "duplicate": False}}
    assert Word.MALFORMED in {finding.word for finding in verify([alone], {})[0].findings}
