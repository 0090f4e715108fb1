"""What one seat has seen: nothing that it cannot know, and enough to see the deal as it is from there."""

import json
import random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import RuleViolation, Stage
from server.games.kop.deal import left_of
from server.games.kop.decisions import legal
from server.games.kop.match import Match
from server.games.kop.ruleset import RULE_SETS, WOLSZTYN
from server.games.kop.seen import seen, situation, watched
from server.games.kop.sides import SEATS
from tests.games.kop.scenes import WHOLE_DEAL, WHOLE_PLAYS, after, dealt, in_play, played
from tests.games.kop.strategies import Story, seeded_story, stories
from tests.table.blindness import redealt


def points(story: Story) -> list[Match]:
    """The match after the deal and after each step, as long as the deal runs."""
    found = [story.opening()]
    for step in story.steps:
        found.append(after(found[-1], [step]))
    return [match for match in found if match.stage is Stage.DEAL]


@settings(max_examples=25, deadline=None)
@given(stories(), st.integers(0, 2**32))
def test_a_seat_has_seen_the_same_in_every_deal_that_it_cannot_tell_apart(story: Story, seed: int) -> None:
    """With the unseen cards dealt anew, consistently with all that was said and played, `seen` does not change."""
    rng = random.Random(seed)
    for length, match in enumerate(points(story)):
        for seat in SEATS:
            other = redealt(match.running, story.rules, seat, rng)
            if other is not None:
                there = after(dealt(other, story.dealer, story.rules), story.steps[:length])
                assert seen(there, seat) == seen(match, seat)


@settings(max_examples=40, deadline=None)
@given(stories().filter(lambda story: bool(story.rules.doubling_names)))
def test_the_situation_is_the_deal_as_it_is(story: Story) -> None:
    """Calls, tricks, the table, the own hand and the actions are those of the match; other hands are empty."""
    for match in points(story):
        running = match.running
        for seat in SEATS:
            now = situation(seen(match, seat))
            assert now == watched(match, seat)
            assert (now.rules, now.seat, now.actions) == (match.rules, seat, legal(match, seat))
            assert now.deal.auction.said == running.auction.said
            assert now.deal.auction.time_over == running.auction.time_over
            assert (now.deal.dealer, now.deal.leader) == (running.dealer, running.leader)
            assert (now.deal.tricks, now.deal.trick, now.deal.shown) == (running.tricks, running.trick, running.shown)
            assert now.hand == running.hands[seat]
            assert now.deal.dealt == tuple(running.dealt[one] if one == seat else () for one in SEATS)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_it_is_plain_data(rules: str) -> None:
    """It comes back the same from MessagePack and from JSON."""
    for match in points(seeded_story(5, RULE_SETS[rules])):
        for seat in SEATS:
            plain = seen(match, seat)
            assert msgpack.unpackb(msgpack.packb(plain, strict_types=True)) == plain
            assert json.loads(json.dumps(plain)) == plain


def test_there_is_nothing_more_in_it() -> None:
    """The seat, the dealer, the own hand as dealt, all acts in order, the options, and what may be done."""
    match = played(in_play(WHOLE_DEAL), "AD QD")
    plain = seen(match, SEATS[2])
    assert set(plain) == {"seat", "dealer", "hand", "acts", "options", "actions"}
    assert (plain["seat"], plain["dealer"], plain["hand"]) == (2, 3, ["AH", "AC", "TC", "TD"])
    assert plain["acts"][-3:] == [[3, "go on"], [0, "play AD"], [1, "play QD"]]
    assert plain["actions"] == ["play AH"]


def test_a_lead_that_was_taken_back_is_known() -> None:
    """A late doubling sends the lead back: the holder of the card stays known to all."""
    said = "0 ask, 1 pass, 2 pass, 3 pass, 0 play AD, 2 double 1"
    now = situation(seen(after(dealt(WHOLE_DEAL, rules=WOLSZTYN), said), SEATS[1]))
    assert [str(card) for card in now.deal.shown] == ["AD"]
    assert now.deal.trick == ()
    assert {str(card): seat for card, seat in now.holders.items()} == {"AD": 0, "QD": 1, "QH": 1, "TH": 1, "AS": 1}


def test_the_plays_have_who_played_and_what_lay_before() -> None:
    """Each card is there once, with its seat and the cards of its trick before it."""
    match = played(in_play(WHOLE_DEAL), " ".join(WHOLE_PLAYS.split()[:6]))
    plays = situation(seen(match, SEATS[0])).plays
    assert " ".join(card for _, card, _ in plays) == " ".join(WHOLE_PLAYS.split()[:6])
    assert [seat for seat, _, _ in plays] == [0, 1, 2, 3, 2, left_of(SEATS[2])]
    assert [len(before) for _, _, before in plays] == [0, 1, 2, 3, 0, 1]


def test_between_deals_nothing_is_seen() -> None:
    """When no deal runs, it is refused."""
    match = played(in_play(WHOLE_DEAL), " ".join(WHOLE_PLAYS.split()[:12]))
    assert match.stage is Stage.BETWEEN
    with pytest.raises(RuleViolation):
        seen(match, SEATS[0])
