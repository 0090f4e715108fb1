"""A server that cheats is caught; one that does not is not accused; nothing is claimed that was not seen."""

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client_cli.catalogue import LANGUAGES, load
from client_cli.kept import KeptFile
from client_cli.verdict import DOUBTS, Finding, Outcome, Verdict, Word, worst
from client_cli.verifying import verify
from tests.cheating import CASES, FRIEND, ME, Case, party
from tests.parties import SERVER, Party, contributor

ROOT = Path(__file__).resolve().parents[2]


def words(verdict: Verdict) -> set[str]:
    """The words of a verdict's findings."""
    return {finding.word.value for finding in verdict.findings}


@pytest.mark.parametrize("way", CASES.values(), ids=CASES.keys())
def test_what_is_found_against_what_was_kept(way: Callable[[Path], Case], tmp_path: Path) -> None:
    """Each way to cheat leads to its findings, against this client's notes, read from the file anew."""
    case = way(tmp_path)
    kept = KeptFile(tmp_path, f"p{ME}", SERVER).deals
    assert kept == case.kept
    verdict = verify(case.records, kept)[-1]
    assert words(verdict) == case.found
    accuses = bool(case.found - {word.value for word in DOUBTS})
    assert verdict.outcome is (
        Outcome.CHEATED if accuses else Outcome.CONSISTENT if case.found else Outcome.NOBODY_CHOSE
    )


@pytest.mark.parametrize("way", CASES.values(), ids=CASES.keys())
def test_what_is_found_in_the_records_alone(way: Callable[[Path], Case], tmp_path: Path) -> None:
    """What shows without any notes is found; nobody is then told that nobody chose."""
    case = way(tmp_path)
    verdict = verify(case.records, {})[-1]
    assert words(verdict) == case.alone
    assert verdict.outcome is not Outcome.NOBODY_CHOSE


ISSUE = {
    "swaps the deck": {"deck_swapped_in_the_record", "deck_swapped_on_the_table", "secret_chosen_afterwards"},
    "reuses a secret": {"secret_reused"},
    "ignores one seat's bytes": {"bytes_ignored_in_the_deck", "bytes_left_out", "seat_left_out", "no_opening"},
    "annuls a deal it does not like": {
        "annulled_in_silence",
        "annulled_and_dealt_again",
        "annulled_and_not_listed",
        "annulled_under_another_secret",
    },
}


@pytest.mark.parametrize("names", ISSUE.values(), ids=ISSUE.keys())
def test_the_four_ways_to_cheat_are_caught(names: set[str], tmp_path: Path) -> None:
    """A swapped deck, a secret used twice, bytes ignored, a deal annulled in silence: caught, each in any form."""
    for name in names:
        case = CASES[name](tmp_path / name)
        assert worst(verify(case.records, case.kept)) is Outcome.CHEATED


@pytest.mark.parametrize("rules", ["klassisch", "pagat", "wolsztyn", "koscian"])
def test_an_honest_match_shows_that_nobody_chose(rules: str, tmp_path: Path) -> None:
    """Every deal of a whole match, for every seat whose program took part, together and one by one."""
    at = Party({"rules": rules, "deals": 4}, 4, {seat: contributor(tmp_path, seat) for seat in range(4)})
    for number in range(4):
        at.deal({at.cutter: number + 4} if number % 2 else None)
    assert at.alarms == []
    for seat in range(4):
        assert verify(at.records, at.kept(seat)) == tuple(Verdict(record["record"], ()) for record in at.records)
        assert all(verify([record], at.kept(seat))[0].findings == () for record in at.records)


def test_somebody_elses_notes_prove_nothing(tmp_path: Path) -> None:
    """Who took no part, or watched elsewhere, is told that it is consistent."""
    case = CASES["honest"](tmp_path)
    without = {key: replace(kept, own=(), ready="") for key, kept in case.kept.items()}
    assert words(verify(case.records, without)[-1]) == {"own_not_in"}
    assert words(verify(case.records, {("t2", *key[1:]): kept for key, kept in case.kept.items()})[-1]) >= {"not_kept"}


def test_a_secret_used_twice_shows_from_one_record_and_the_notes(tmp_path: Path) -> None:
    """The notes about another deal are enough to see that a secret was used before."""
    case = CASES["secret_reused"](tmp_path)
    assert words(verify(case.records[1:], case.kept)[0]) == {"secret_reused"}
    assert words(verify(case.records[1:], {})[0]) == {"not_kept", "before_unknown"}


def test_a_missing_record_is_no_accusation(tmp_path: Path) -> None:
    """Records 1 and 4 of a match: the two between are not known without notes, and known with them."""
    at = party(tmp_path)
    records = [at.deal() for _ in range(4)]
    assert words(verify([records[0], records[3]], {})[1]) == {"not_kept", "before_unknown"}
    assert verify([records[0], records[3]], at.kept(ME))[1].outcome is Outcome.NOBODY_CHOSE


def test_a_deal_that_vanished_before_an_unknown_one(tmp_path: Path) -> None:
    """If the dealer has moved too little for the deals said to be scored between, one was hidden."""
    at = party(tmp_path)
    records = [at.deal() for _ in range(4)]
    for lag, caught in ((0, False), (1, False), (2, True)):
        last = copy.deepcopy(records[3])
        last["dealer"] = (last["dealer"] - lag) % 4
        assert ("dealer_wrong" in words(verify([records[0], last], {})[1])) == caught


def test_who_sat_down_later_is_not_told_too_much(tmp_path: Path) -> None:
    """The deal before his first one is not known to him; from the second on he knows."""
    at = party(tmp_path, clients=(FRIEND,))
    at.deal()
    at.clients[ME] = contributor(tmp_path, ME)
    at.deal()
    at.deal()
    second, third = verify(at.records[1:], at.kept(ME))
    assert words(second) == {"before_unknown"}
    assert third.outcome is Outcome.NOBODY_CHOSE


def test_a_store_that_went_back_accuses_nobody(tmp_path: Path) -> None:
    """After a failover the deal behind which it went is in doubt; those before and after are not."""
    case = CASES["store_went_back"](tmp_path)
    first, second = verify(case.records, case.kept)
    assert (words(first), words(second)) == (set(), {"rolled_back"})


def test_going_back_excuses_nothing_later(tmp_path: Path) -> None:
    """Once the store has gone back, a later change of commitment is an accusation again."""
    at = party(tmp_path)
    at.deal()
    at.roll_back(at.table)
    record = copy.deepcopy(at.deal())
    assert words(verify([record], at.kept(ME))[0]) == {"rolled_back"}
    record = copy.deepcopy(at.deal())
    record["fair"]["commitment"] = "ab" * 32
    assert "commitment_changed" in words(verify([record], at.kept(ME))[0])


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ({"annulled": "ab" * 32}, {"deal_hidden"}),
        ({"commitments": None}, {"opening_unseen"}),
        ({"cut": 3}, {"cut_wrong"}),
        ({"opened": False, "commitments": None, "ready": ""}, {"opening_unseen"}),
        ({"offers": ()}, {"not_kept"}),
    ],
)
def test_each_note_counts(other: dict[str, Any], found: set[str], tmp_path: Path) -> None:
    """A note that is missing is a doubt, one that says something else an accusation."""
    case = CASES["honest"](tmp_path)
    kept = {key: replace(kept, **other) if key[2] == 2 else kept for key, kept in case.kept.items()}
    assert words(verify(case.records, kept)[1]) == found


GARBAGE: list[Any] = [None, 0, "", [], {}, "ab" * 32, [""] * 4, True, -1, [None] * 4]


@pytest.mark.parametrize("field", ["record", "game", "table", "match", "deal", "dealer", "cut", "deck", "fair"])
def test_a_damaged_field_is_malformed(field: str, tmp_path: Path) -> None:
    """A field of another shape, or a missing one, is found and makes no other fault."""
    record = party(tmp_path).deal()
    for value in GARBAGE:
        if value == 0 and field == "dealer":
            continue  # that is a seat
        changed = {**record, field: value}
        assert words(verify([changed], {})[0]) == {"malformed"}
    del record[field]
    assert words(verify([record], {})[0]) == {"malformed"}


@pytest.mark.parametrize("field", ["commitment", "secret", "commitments", "opened", "burned"])
def test_a_damaged_proof_is_malformed(field: str, tmp_path: Path) -> None:
    """The same inside the proof; bytes with blanks or capitals in them are no bytes."""
    record = party(tmp_path).deal()
    spoilt = [*GARBAGE, "AB" * 32, "ab " * 21 + "a", "ab" * 33, ["AB" * 32] * 4, [""] * 3, [{"deal": 1}]]
    spoilt += [[{"deal": 0, "secret": "ab" * 32}], {"deal": 1, "secret": "ab" * 32}]
    good: dict[str, list[Any]] = {"commitment": ["ab" * 32], "secret": ["ab" * 32], "burned": [[]]}
    sound = good.get(field, [[""] * 4])
    for value in spoilt:
        if value not in sound:
            changed = {**record, "fair": {**record["fair"], field: value}}
            assert words(verify([changed], {})[0]) == {"malformed"}, value


def test_verdicts_are_in_order_and_say_each_thing_once(tmp_path: Path) -> None:
    """A verdict for each record, in their order; its findings sorted, none twice."""
    case = CASES["annulled_and_dealt_again"](tmp_path)
    verdicts = verify(case.records, case.kept)
    assert [verdict.record for verdict in verdicts] == [record["record"] for record in case.records]
    order = [list(Word).index(finding.word) for finding in verdicts[-1].findings]
    assert order == sorted(order)
    assert len(set(verdicts[-1].findings)) == len(verdicts[-1].findings)


def test_every_finding_is_documented_and_has_a_text() -> None:
    """Each word stands in docs/fair-deal.md, as a doubt or not, and in every language."""
    page = (ROOT / "docs" / "fair-deal.md").read_text(encoding="utf-8")
    for word in Word:
        assert f"| `{word}`" in page
        assert (f"| `{word}` †" in page) == (word in DOUBTS)
        for language in LANGUAGES:
            assert load(language)(f"record.found.{word}", name="Ola", number=3)
    for outcome in Outcome:
        assert f"`{outcome}`" in page
        assert all(load(language)(f"record.{outcome}", record="t1-1-1") for language in LANGUAGES)


def test_worst_of_several() -> None:
    """Together records are as good as the worst of them; none at all shows nothing."""
    good, doubt, bad = (Verdict("r", found) for found in ((), (Finding(Word.NOT_KEPT),), (Finding(Word.DECK_WRONG),)))
    assert worst((good, doubt)) is Outcome.CONSISTENT
    assert worst((bad, good)) is Outcome.CHEATED
    assert worst((good,)) is Outcome.NOBODY_CHOSE
    assert worst(()) is Outcome.CONSISTENT


def test_records_pass_through_json(tmp_path: Path) -> None:
    """What was exported and read again is judged alike."""
    case = CASES["honest"](tmp_path)
    assert verify(json.loads(json.dumps(case.records)), case.kept) == verify(case.records, case.kept)
