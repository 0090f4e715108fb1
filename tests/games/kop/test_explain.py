"""A finished deal with open hands: what it was worth, and what each card cost."""

import copy
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest

from server.games.game import Seat
from server.games.kop import match as match_of
from server.games.kop.decisions import legal
from server.games.kop.events import DealScored
from server.games.kop.explain import explain
from server.games.kop.record import BadRecord, record, replay
from server.games.kop.ruleset import KLASSISCH, RULE_SETS, RuleSet
from server.games.kop.scoring import ALL_EYES
from server.games.kop.solver import Position, best_eyes
from tests.games.kop.scenes import QUIET, WHOLE_DEAL, WHOLE_PLAYS, after, dealt, events_of, played
from tests.games.kop.test_record import records

Plain = dict[str, Any]


def recorded(hands: str, said: str, cards: str, rules: RuleSet = KLASSISCH) -> Plain:
    """The record of a deal that seat 0 leads; of the cards the last four play themselves."""
    match = after(dealt(hands, rules=rules), said)
    match = played(match, " ".join(cards.split()[:11]))
    for event in events_of(match, (match.running.turn, f"play {cards.split()[11]}")):
        match = match_of.evolve(match, event)
        if isinstance(event, DealScored):
            found = record(match, event)
            assert found is not None
            return found
    raise AssertionError("the deal is not over")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_costs_add_up(rules: str) -> None:
    """The best eyes, less what the Old and plus what the Young gave away, are the eyes at the end."""
    for one in records(rules)[:12]:
        found = explain(one)
        given = [d["cost_eyes"] * (-1 if d["seat"] in found["old"] else 1) for d in found["decisions"]]
        assert found["best_eyes"] + sum(given) == one["line"]["old_eyes"]
        assert found["old"] == one["line"]["old"]
        for decision in found["decisions"]:
            assert decision["cost_eyes"] >= 0
            assert decision["cost_value"] >= 0
            assert (decision["cost_eyes"] == 0) == (decision["card"] in decision["best"])
            assert one["acts"][decision["act"]] == [decision["seat"], f"play {decision['card']}"]


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_choice_is_there(rules: str) -> None:
    """Each card played where another was legal is a decision, but a lead that went back to the hand."""
    for one in records(rules)[:12]:
        acts = [words for _, words in one["acts"]]
        last_call = max((act for act, words in enumerate(acts) if words.startswith("double")), default=-1)
        choices = [
            act
            for act, (before, step) in enumerate(pairwise(replay(one)))
            if step.seat is not None and step.words.startswith("play") and act > last_call
            if sum(word.startswith("play") for word in legal(before.match, step.seat)) > 1
        ]
        assert [decision["act"] for decision in explain(one)["decisions"]] == choices


def test_some_leads_were_taken_back() -> None:
    """The records of the tests above show it."""
    assert any(len([words for _, words in one["acts"] if "play" in words]) > 16 for one in records("wolsztyn")[:12])


def test_a_deal_by_hand() -> None:
    """The whole deal of the rules page: what the solver says of it, hands and value."""
    found = explain(recorded(WHOLE_DEAL, QUIET, WHOLE_PLAYS))
    assert [" ".join(cards) for cards in found["hands"]] == [part.strip() for part in WHOLE_DEAL.split("/")]
    assert found["old"] == [0, 3]
    best = best_eyes(Position(dealt(WHOLE_DEAL).running.dealt, Seat(0)), (Seat(0), Seat(3)), KLASSISCH)
    assert found["best_eyes"] == best
    assert found["best_won"] == ("old" if best > 52 else "young")


HIGH = "AH TH QC QS / AC TC AS TS / QH QD JC JS / JH JD AD TD"


def test_a_solo_thrown_away() -> None:
    """Who leads his highest trumps has all; a zolo du at ×2 is worth 20, and no card costs anything."""
    best = explain(
        recorded(HIGH, "0 zolo du, 1 double 1, 0 ask, 1 go on, 2 go on, 3 go on", "AH AC JS JH TH TC JC JD QC AS QD AD")
    )
    assert (best["best_eyes"], best["best_value"], best["best_won"]) == (ALL_EYES, 20, "old")
    assert [d["cost_value"] for d in best["decisions"]] == [0] * len(best["decisions"])


def test_a_doubling_counts_in_the_cost() -> None:
    """With a doubling the same mistake costs twice the money."""
    quiet, doubled = (explain(recorded(WHOLE_DEAL, said, WHOLE_PLAYS)) for said in (QUIET, f"1 double 1, {QUIET}"))
    assert [d["cost_eyes"] for d in quiet["decisions"]] == [d["cost_eyes"] for d in doubled["decisions"]]
    assert doubled["best_value"] == 2 * quiet["best_value"]


def test_a_bad_record_is_refused() -> None:
    """What does not replay is not explained."""
    for name in ("acts", "line", "deck", "options"):
        broken = copy.deepcopy(records("klassisch")[0])
        del broken[name]
        with pytest.raises(BadRecord):
            explain(broken)


def test_stakes_do_not_matter() -> None:
    """Values are those of the sheet before they are money."""
    one = copy.deepcopy(records("klassisch")[0])
    one["options"]["stake"] = str(Decimal(3))
    assert explain(one) == explain(records("klassisch")[0])
