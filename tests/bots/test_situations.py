"""Situations in which there is no doubt what a good player does."""

import random

import pytest

from server.bots.catalogue import choose
from server.games.kop.match import Match
from server.games.kop.ruleset import KLASSISCH, WOLSZTYN, RuleSet
from server.games.kop.seen import seen
from server.games.kop.sides import SEATS
from server.table.strength import Strength
from tests.games.kop.scenes import QUIET, after, dealt, in_play, played

GOOD = (Strength.MEDIUM, Strength.HARD)
ALL = tuple(Strength)

TOPS = "AH TH QC QS / AC TC AS TS / QH QD JC JS / JH JD AD TD"
QUEENS = "QC QS TC TS / AH TH AS QD / AC QH JC JS / JH JD AD TD"
PLAIN = "AC TC AS TS / AH TH QC JC / QS QH JS QD / JH JD AD TD"


def does(match: Match, seat: int, strength: Strength) -> set[str]:
    """What a bot does there, whatever chance says."""
    plain = seen(match, SEATS[seat])
    return {choose("kop", plain, strength, random.Random(seed)) for seed in range(5)}


@pytest.mark.parametrize("strength", ALL)
def test_all_tricks_in_hand(strength: Strength) -> None:
    """The four highest trumps and the lead: zolo du."""
    assert does(dealt(TOPS), 0, strength) == {"zolo du"}


@pytest.mark.parametrize("strength", ALL)
def test_both_queens_and_little_else(strength: Strength) -> None:
    """Who would be alone with a weak hand calls wesele."""
    assert does(dealt(QUEENS), 0, strength) == {"wesele"}


@pytest.mark.parametrize("strength", ALL)
@pytest.mark.parametrize("rules", [KLASSISCH, WOLSZTYN])
def test_nothing_in_hand(strength: Strength, rules: RuleSet) -> None:
    """Low cards: the leader asks, another goes on or passes, and nobody doubles on nothing."""
    quiet = "go on" if rules is KLASSISCH else "pass"
    hand = "JD AD TD AS / AC QD JH JS / QC QH JC TC / AH TH QS TS"
    assert does(dealt(hand, rules=rules), 0, strength) == {"ask"}
    assert does(after(dealt(hand, rules=rules), "0 ask"), 1, strength) == {quiet}


@pytest.mark.parametrize("strength", ALL)
def test_who_leads_nothing_plain_asks_first(strength: Strength) -> None:
    """A leader with plain cards alone asks, and then leads when all have gone on."""
    assert does(dealt(PLAIN), 0, strength) == {"ask"}
    assert all(action.startswith("play ") for action in does(after(dealt(PLAIN), QUIET), 0, strength))


@pytest.mark.parametrize("strength", GOOD)
def test_a_sure_trick_against_a_zolo_du_is_doubled(strength: Strength) -> None:
    """The ace of hearts and more behind it: zolo du cannot be won."""
    hands = "TH QC QS QH / AH JC JS JH / QD JD AD TD / AC TC AS TS"
    assert does(after(dealt(hands), "0 zolo du, 0 ask"), 1, strength) == {"double 1"}


@pytest.mark.parametrize("strength", GOOD)
def test_a_strong_hand_doubles(strength: Strength) -> None:
    """The two highest trumps and a queen, when another leads: the ordinary game can hardly be lost."""
    hands = "AC TC JC QS / JD AD TD AS / AH TH QC JS / QH QD JH TS"
    assert does(after(dealt(hands), "0 ask, 1 go on"), 2, strength) <= {"double 1", "zolo"}


@pytest.mark.parametrize("strength", ALL)
def test_nobody_doubles_against_himself(strength: Strength) -> None:
    """The caller of a wesele that a partner doubled, or nobody, goes on."""
    hands = "QC QS JD AC / JC AH TH QH / AS TS TC JS / QD JH AD TD"
    assert does(after(dealt(hands), "0 wesele, 0 ask"), 3, strength) == {"go on"}


@pytest.mark.parametrize("strength", ALL)
def test_the_last_takes_a_fat_trick_from_the_others(strength: Strength) -> None:
    """Against a zolo the last to play, free to trump, takes thirty-one eyes and throws no ace."""
    hands = "AC QC QS QH / TC JC JS JH / TS AD TD TH / AH QD AS JD"
    match = played(in_play(hands, said=f"0 zolo, {QUIET}"), "AC TC TS")
    taken = {action.removeprefix("play ") for action in does(match, 3, strength)}
    assert taken <= {"AH", "QD", "JD"}


@pytest.mark.parametrize("strength", GOOD)
def test_eyes_go_to_the_partner(strength: Strength) -> None:
    """Against a zolo, behind a partner who has the trick for sure, a fat trump is thrown."""
    hands = "QH AC TC QD / AH TH QC JC / QS JS JH TS / JD AD TD AS"
    match = played(in_play(hands, said=f"0 zolo, {QUIET}"), "QH AH QS")
    assert does(match, 3, strength) <= {"play TD", "play AD"}


@pytest.mark.parametrize("strength", GOOD)
def test_a_zolo_is_not_called_with_a_weak_hand(strength: Strength) -> None:
    """Low trumps and plain cards are no solo, over a wesele neither."""
    hands = "QC QS AC TC / JD AD TD TS / QH QD JC JS / AH TH JH AS"
    assert does(after(dealt(hands), "0 wesele, 0 ask"), 1, strength) == {"go on"}
