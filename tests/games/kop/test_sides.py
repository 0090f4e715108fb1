"""Who plays with whom, and what of it each viewer is shown (docs/rules/kop.md, 4)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import Seat
from server.games.kop import view
from server.games.kop.match import Match
from server.games.kop.ruleset import CichaGuard, RuleSet
from server.games.kop.sides import contract
from tests.games.kop import naive
from tests.games.kop.scenes import (
    QUIET,
    SEATS,
    WHOLE_DEAL,
    after,
    dealt,
    fields,
    four,
    naive_hands,
    naive_rules,
    played,
)
from tests.games.kop.strategies import Story, stories

KLASSISCH = fields()
NAMED = fields(wesele_named_jack=True)

JC_OUT = "QC QS JH TD / JC TC TS AD / JS AC AS AH / JD TH QH QD"  # seat 0 has the queens, seat 1 JC, seat 2 JS
JC_OWN = "QC QS JC TD / JH TC TS AD / JS AC AS AH / JD TH QH QD"  # … seat 0 JC too: seat 2 is the partner
BOTH_OWN = "QC QS JC JS / JD TC TS AD / TD AC AS AH / JH TH QH QD"  # … JC and JS: seat 3 with JH

CONTRACTS = [
    ("4.1 the black queens", WHOLE_DEAL, KLASSISCH, "", "ordinary", None, (0, 3)),
    ("4.2 both in one hand", JC_OUT, KLASSISCH, "", "cicha", 0, (0,)),
    ("4.3 the highest jack", JC_OUT, KLASSISCH, "0 wesele", "wesele", 0, (0, 1)),
    ("4.3 that the caller lacks", JC_OWN, KLASSISCH, "0 wesele", "wesele", 0, (0, 2)),
    ("4.3 he may lack two", BOTH_OWN, KLASSISCH, "0 wesele", "wesele", 0, (0, 3)),
    ("4.3 the jack he named", BOTH_OWN, NAMED, "0 wesele JD", "wesele", 0, (0, 1)),
    ("4.3 the jack he named", JC_OUT, NAMED, "0 wesele JS", "wesele", 0, (0, 2)),
    ("4.4 alone, whoever has the queens", WHOLE_DEAL, KLASSISCH, "1 zolo", "zolo", 1, (1,)),
    ("4.4 alone, whoever has the queens", JC_OUT, KLASSISCH, "2 zolo du", "zolo_du", 2, (2,)),
    ("3.2 the higher game stands", JC_OUT, KLASSISCH, "0 wesele, 3 zolo", "zolo", 3, (3,)),
]


@pytest.mark.parametrize(("paragraph", "hands", "rules", "said", "kind", "caller", "old"), CONTRACTS)
def test_the_contract(
    paragraph: str, hands: str, rules: RuleSet, said: str, kind: str, caller: int | None, old: tuple[int, ...]
) -> None:
    """What is played, who called it or is alone, and who are the Old."""
    found = after(dealt(hands, rules=rules), said).running.contract()
    assert (found.kind, found.caller, found.old) == (kind, caller, old), paragraph
    assert found.alone == (len(old) == 1)
    assert [found.side(seat) for seat in SEATS] == ["old" if seat in old else "young" for seat in SEATS]


def shown(match: Match, viewer: int | None) -> str:
    """The sides that a viewer is shown, as text."""
    part = view.public(match) if viewer is None else view.own(match, Seat(viewer))
    return " ".join(side or "-" for side in part["sides"])


SHOWN = [
    # 4.1: a black queen is shown by its holder, by being played, to nobody else
    (WHOLE_DEAL, KLASSISCH, QUIET, "", None, "- - - -"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "", 0, "old - - -"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "", 1, "- young - -"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "", 3, "- - - old"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "AD QD AH JS TD JH QC", None, "old - - -"),  # he may have the other too
    (WHOLE_DEAL, KLASSISCH, QUIET, "AD QD AH JS TD JH QC", 1, "old young - -"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "AD QD AH JS TD JH QC", 3, "old young young old"),
    (WHOLE_DEAL, KLASSISCH, QUIET, "AD QD AH JS TD JH QC", 0, "old - - -"),
    # 4.2: nobody else knows of a cicha until both queens lie
    (JC_OUT, KLASSISCH, QUIET, "", 0, "old young young young"),
    (JC_OUT, KLASSISCH, QUIET, "", 1, "- young - -"),
    (JC_OUT, KLASSISCH, QUIET, "QC JC AH QD", 1, "old young - -"),
    (JC_OUT, KLASSISCH, QUIET, "QC JC AH QD AC TH QS TC", 1, "old young young young"),
    (JC_OUT, KLASSISCH, QUIET, "QC JC AH QD AC TH QS TC", None, "old young young young"),
    # 4.3: JC's holder knows at once; JS's holder not while JC may be the caller's
    (JC_OUT, KLASSISCH, "0 wesele", "", 1, "old old young young"),
    (JC_OUT, KLASSISCH, "0 wesele", "", 2, "old - - -"),
    (JC_OUT, KLASSISCH, "0 wesele", "", 0, "old - - -"),
    (JC_OUT, KLASSISCH, "0 wesele", "", None, "old - - -"),
    # … who holds none of the three highest jacks is none; a jack he has shown may still be the partner's
    (JC_OUT, KLASSISCH, "0 wesele", "", 3, "old - - young"),
    (JC_OWN, KLASSISCH, "0 wesele", "", 1, "old - - -"),
    (JC_OWN, KLASSISCH, "0 wesele", "", 3, "old - - young"),
    (BOTH_OWN, KLASSISCH, "0 wesele", "", 1, "old young - -"),  # JD would be the partner's only by name
    (BOTH_OWN, KLASSISCH, "0 wesele", "", 2, "old - young -"),
    (BOTH_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC AD AH JH", 1, "old young - -"),
    (BOTH_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC AD AH JH", 3, "old - - -"),
    (BOTH_OWN, NAMED, "0 wesele JH", "", 1, "old young - -"),  # the fourth jack in the hand says nothing then
    (BOTH_OWN, NAMED, "0 wesele JD", "", 2, "old - young -"),
    (JC_OUT, KLASSISCH, f"0 wesele, {QUIET}", "QC JC", None, "old old young young"),  # the jack is played
    (JC_OUT, KLASSISCH, f"0 wesele, {QUIET}", "QC JC", 2, "old old young young"),
    (JC_OUT, KLASSISCH, f"0 wesele, {QUIET}", "QC JC", 0, "old old young young"),
    (JC_OWN, KLASSISCH, "0 wesele", "", 2, "old - - -"),
    (JC_OWN, KLASSISCH, "0 wesele", "", 0, "old - - -"),
    (JC_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC", 2, "old young old young"),  # the caller has shown JC
    (JC_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC", 1, "old - - -"),
    (JC_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC", None, "old - - -"),
    (JC_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC AD AH", None, "old - - -"),
    (JC_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC JH AH TH JS", None, "old young old young"),
    (BOTH_OWN, KLASSISCH, f"0 wesele, {QUIET}", "JC AD AH TH", 3, "old - - -"),  # JH's holder waits for JS too
    (BOTH_OWN, KLASSISCH, "0 wesele", "", 0, "old - - -"),  # even the caller is not shown who it is
    # the partner by a named jack knows himself, the others when it is played
    (BOTH_OWN, NAMED, "0 wesele JD", "", 1, "old old young young"),
    (BOTH_OWN, NAMED, "0 wesele JD", "", 3, "old - - young"),
    (BOTH_OWN, NAMED, f"0 wesele JD, {QUIET}", "JC JD", 3, "old old young young"),
    # 4.4: a zolo is all open
    (JC_OUT, KLASSISCH, "2 zolo", "", None, "young young old young"),
    (JC_OUT, KLASSISCH, "0 wesele, 2 zolo du", "", 0, "young young old young"),
]


@pytest.mark.parametrize(("hands", "rules", "said", "cards", "viewer", "sides"), SHOWN)
def test_what_sides_are_shown(
    hands: str, rules: RuleSet, said: str, cards: str, viewer: int | None, sides: str
) -> None:
    """4.5: a viewer is shown a side only when it follows from what he has seen."""
    match = played(after(dealt(hands, rules=rules), said), cards)
    assert shown(match, viewer) == sides


DOUBLINGS = [
    # said, cards, viewer, factor, exact
    (WHOLE_DEAL, "", "", None, 1, True),
    (WHOLE_DEAL, "1 double 1, 2 double 2, 0 double 3", "", None, 8, False),
    (WHOLE_DEAL, "1 double 1, 2 double 2, 0 double 3", "", 0, 8, False),
    (WHOLE_DEAL, "1 double 1, 2 double 2, 0 double 3", "AD QD AH JS TD JH QC", 3, 4, True),
    (WHOLE_DEAL, "1 double 1, 2 double 2, 0 double 3", "AD QD AH JS TD JH QC", None, 8, False),
    (WHOLE_DEAL, "3 zolo, 1 double 1, 2 double 2, 3 double 3", "", None, 4, True),
    (JC_OUT, "0 wesele, 2 double 1, 3 double 2", "", 1, 2, True),  # JC's holder knows both sides
    (JC_OUT, "0 wesele, 2 double 1, 3 double 2", "", 2, 4, False),
    (JC_OUT, "1 double 1, 2 double 2", "", 0, 2, True),  # a cicha knows that it is one
    (JC_OUT, "1 double 1, 2 double 2", "", 1, 4, False),
]


@pytest.mark.parametrize(("hands", "said", "cards", "viewer", "factor", "exact"), DOUBLINGS)
def test_what_the_doublings_are_worth_to_a_viewer(
    hands: str, said: str, cards: str, viewer: int | None, factor: int, exact: bool
) -> None:
    """4.5: until a viewer knows both sides the doublings are worth at most so much."""
    match = after(dealt(hands), said)
    if cards:
        match = played(after(match, QUIET), cards)
    part = view.public(match) if viewer is None else view.own(match, Seat(viewer))
    assert part["doubling"] == {"factor": factor, "exact": exact}


def test_guarded_cichas_are_never_exact_before_they_are_scored() -> None:
    """Where a guard may change the factor of a cicha, its holder is shown that it is not exact."""
    rules = fields(cicha_dealer=CichaGuard.NO_DOUBLING)
    match = after(dealt(JC_OUT, rules=rules), "1 double 1")
    assert view.own(match, Seat(0))["doubling"] == {"factor": 2, "exact": False}


@settings(deadline=None, max_examples=120)
@given(story=stories(), stop=st.integers(0, 40))
def test_no_side_is_shown_that_does_not_follow(story: Story, stop: int) -> None:
    """4.5: whatever is shown to whomever, the naive rules prove from what he saw; and it is true."""
    steps = story.steps[: min(stop, len(story.steps) - 1)]
    match = after(story.opening(), steps)
    history = naive.history((story.dealer + 1) % 4, list(steps))
    old = match.running.contract().old
    hands = naive_hands(story.hands)
    for viewer in (None, *SEATS):
        claimed = view.public(match)["sides"] if viewer is None else view.own(match, viewer)["sides"]
        proven = naive.known_sides(history, viewer, None if viewer is None else hands[viewer], naive_rules(story.rules))
        for seat in SEATS:
            assert claimed[seat] in (None, proven[seat])
            assert claimed[seat] in (None, "old" if seat in old else "young")


@settings(deadline=None, max_examples=60)
@given(story=stories())
def test_knowledge_of_the_sides_only_grows_in_play(story: Story) -> None:
    """While cards lie a side that was shown stays shown, and what all know every seat knows."""
    match, before = story.opening(), {viewer: [None] * 4 for viewer in SEATS}
    for step in story.steps[:-1]:
        match = after(match, [step])
        if match.running.in_calls:  # for the first time, or again, since the lead was taken back
            before = {viewer: [None] * 4 for viewer in SEATS}
            continue
        public = view.public(match)["sides"]
        for viewer in SEATS:
            now = view.own(match, viewer)["sides"]
            assert all(was in (None, side) for was, side in zip(before[viewer], now, strict=True))
            assert all(known in (None, side) for known, side in zip(public, now, strict=True))
            before[viewer] = now


def test_the_contract_depends_on_the_hands_as_dealt() -> None:
    """4.1: the sides stay the same when the queens have been played."""
    match = played(after(dealt(WHOLE_DEAL), QUIET), "AD QD AH JS TD JH QC")
    assert match.running.contract() == contract(None, four(WHOLE_DEAL))
