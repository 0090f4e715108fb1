"""Every strength plays by the rules, and only from what its seat has seen."""

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.catalogue import CATALOGUE, choose
from server.games.catalogue import CATALOGUE as GAMES
from server.games.game import Plain, Seat, Stage
from server.games.kop.decisions import legal
from server.games.kop.match import Match
from server.games.kop.play import PACK
from server.games.kop.quiet import quiet
from server.games.kop.ruleset import RULE_SETS
from server.games.kop.seen import seen
from server.games.kop.sides import SEATS
from server.table.strength import Strength
from tests.games.kop.scenes import TIME_OVER, after, dealt, four_of
from tests.games.kop.strategies import Story, stories
from tests.games.kop.test_seen import points
from tests.table.blindness import redealt

QUICK = 10
"""A budget with which a bot thinks little."""


def chosen(plain: Plain, strength: Strength, seed: int = 1) -> str:
    """What a bot that thinks little does."""
    return choose("kop", plain, strength, random.Random(seed), QUICK)


def next_seat(match: Match) -> Seat | None:
    """The first seat that has something to do."""
    return next((seat for seat in SEATS if quiet(match, seat) is not None), None)


@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("rules", RULE_SETS)
def test_whole_deals_are_played_by_the_rules(rules: str, strength: Strength) -> None:
    """In deals against players of chance each choice is one of the legal actions, until the deal is over."""
    rng = random.Random(f"{rules} {strength}")
    for number in range(6):
        pack = rng.sample(PACK, 16)
        match = dealt(four_of(pack[at : at + 4] for at in range(0, 16, 4)), number % 4, RULE_SETS[rules])
        while match.stage is Stage.DEAL:
            seat = next_seat(match)
            if seat is None:
                match = after(match, [TIME_OVER])
                continue
            action = chosen(seen(match, seat), strength) if seat % 2 else rng.choice(legal(match, seat))
            assert action in legal(match, seat)
            match = after(match, [(seat, action)])


@settings(max_examples=12, deadline=None)
@given(stories().filter(lambda story: bool(story.rules.doubling_names)), st.sampled_from(Strength))
def test_wherever_a_story_stands_a_legal_action_is_found(story: Story, strength: Strength) -> None:
    """Under any rules, after any calls and cards, also for a seat that need not do anything."""
    for match in points(story)[::4]:
        for seat in SEATS:
            if legal(match, seat):
                assert chosen(seen(match, seat), strength) in legal(match, seat)


@settings(max_examples=8, deadline=None)
@given(stories().filter(lambda story: bool(story.rules.doubling_names)), st.integers(0, 2**32))
def test_a_bot_sees_nothing_of_other_hands(story: Story, seed: int) -> None:
    """In every deal that its seat cannot tell apart it does the same, given the same chance."""
    rng = random.Random(seed)
    for length, match in list(enumerate(points(story)))[::5]:
        for seat in SEATS:
            other = redealt(match.running, story.rules, seat, rng)
            if other is None or not legal(match, seat):
                continue
            there = after(dealt(other, story.dealer, story.rules), story.steps[:length])
            for strength in Strength:
                assert chosen(seen(there, seat), strength, seed) == chosen(seen(match, seat), strength, seed)


def test_what_is_seen_is_left_as_it_is() -> None:
    """A bot changes nothing of what it is given, and takes it from another process as well."""
    pack = random.Random(4).sample(PACK, 16)
    match = dealt(four_of(pack[at : at + 4] for at in range(0, 16, 4)))
    plain = seen(match, SEATS[0])
    before = copy.deepcopy(plain)
    for strength in Strength:
        here = chosen(plain, strength)
        assert plain == before
        assert chosen(pickle.loads(pickle.dumps(plain)), strength) == here


def test_every_game_for_more_than_one_has_bots() -> None:
    """The catalogue of bots knows the games that are played against each other."""
    assert {name for name, game in GAMES.items() if game.seats > 1} == set(CATALOGUE)


def test_a_single_action_needs_no_thought() -> None:
    """Without a choice nothing is drawn from chance."""
    rng = random.Random(1)
    state = rng.getstate()
    plain = {**seen(dealt(four_of(PACK[at : at + 4] for at in range(0, 16, 4))), SEATS[1]), "actions": ["double 1"]}
    assert choose("kop", plain, Strength.HARD, rng) == "double 1"
    assert rng.getstate() == state
