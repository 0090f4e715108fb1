"""What is done for a seat whose time has run out."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.kop.decisions import legal
from server.games.kop.quiet import quiet
from server.games.kop.ruleset import PAGAT, WOLSZTYN, RuleSet
from server.games.kop.sides import SEATS
from tests.games.kop.scenes import WHOLE_DEAL, after, dealt, in_play, played
from tests.games.kop.strategies import Story, stories
from tests.games.kop.test_seen import points
from tests.table.blindness import redealt

OPEN_OR_TURN = [
    (None, "", ["ask", None, None, None]),
    (None, "0 ask", [None, "go on", "go on", "go on"]),
    (None, "0 ask, 1 go on", [None, None, "go on", "go on"]),
    (None, "0 ask, 2 double 1", ["ask", None, None, None]),
    (PAGAT, "", ["ask", None, None, None]),
    (PAGAT, "0 ask", [None, "pass", None, None]),
    (PAGAT, "0 ask, 1 pass, 2 double 1", [None, None, None, "pass"]),
    (WOLSZTYN, "0 ask, 1 pass, 2 pass, 3 pass, 0 play AD", [None, "go on", "go on", "go on"]),
    (WOLSZTYN, "0 ask, 1 pass, 2 pass, 3 pass, 0 play AD, 3 go on", [None, "go on", "go on", None]),
]


@settings(max_examples=40, deadline=None)
@given(stories())
def test_it_is_allowed_and_calls_nothing(story: Story) -> None:
    """It is one of the legal actions, never a call; without one nothing but calls was legal."""
    for match in points(story):
        for seat in SEATS:
            action, actions = quiet(match, seat), legal(match, seat)
            if action is None:
                assert all(one.startswith(("wesele", "zolo", "double")) for one in actions)
            else:
                assert action in actions
                assert action.startswith(("ask", "go on", "pass", "play "))


@settings(max_examples=25, deadline=None)
@given(stories(), st.integers(0, 2**32))
def test_it_depends_on_what_the_seat_knows(story: Story, seed: int) -> None:
    """It is the same each time, and the same in every deal that the seat cannot tell apart."""
    rng = random.Random(seed)
    for length, match in enumerate(points(story)):
        for seat in SEATS:
            assert quiet(match, seat) == quiet(match, seat)
            other = redealt(match.running, story.rules, seat, rng)
            if other is not None:
                there = after(dealt(other, story.dealer, story.rules), story.steps[:length])
                assert quiet(there, seat) == quiet(match, seat)


@pytest.mark.parametrize(("rules", "said", "words"), OPEN_OR_TURN)
def test_the_words(rules: RuleSet | None, said: str, words: list[str | None]) -> None:
    """The leader asks, others go on or pass; who may only call does nothing."""
    match = after(dealt(WHOLE_DEAL) if rules is None else dealt(WHOLE_DEAL, rules=rules), said)
    assert [quiet(match, seat) for seat in SEATS] == words


@pytest.mark.parametrize(
    ("hands", "cards", "card"),
    [
        ("QC AH TD AS/TH QH JC AC/JS JH AD JD/QS QD TC TS", "", "AH"),  # Old: the highest trump
        ("QH AH TD AS/TH QC JC AC/JS JH AD JD/QS QD TC TS", "", "AS"),  # Young: a plain card
        ("AS AC TH QH/TS JC JS QC/JD TD AD QD/TC AH QS JH", "AS TS AD", "AH"),  # last and void: takes it with most
        ("QS QH JC TC/QC AH TD AD/TH QD JS JH/JD AC AS TS", "QS QC TH", "JD"),  # last, has to follow
        ("JD QH JC TC/QD AH TD AS/TH QC JS AC/JH QS AD TS", "JD QD QC", "AD"),  # the partner has it: many eyes
    ],
)
def test_the_cards(hands: str, cards: str, card: str) -> None:
    """A rule of thumb: lead high as an Old, take what is fat, give little to others."""
    match = played(in_play(hands), cards)
    assert quiet(match, match.running.turn) == f"play {card}"
