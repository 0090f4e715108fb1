"""Counts of the positions that play can reach (perft): a broken duty, winner or turn changes them."""

import pytest

from server.games.kop.decisions import decide, legal
from server.games.kop.match import Match, evolve
from server.games.kop.ruleset import Trumps, VoidDuty
from tests.games.kop import naive
from tests.games.kop.scenes import WHOLE_DEAL, fields, four, in_play, moment, naive_hands, naive_rules

RULES_DEAL, SECOND, THIRD = (
    WHOLE_DEAL,
    "JH QH QD TH / AS JS JD TC / TD QC AC AD / AH JC QS TS",
    "QS TS JS QC / JC AC TC AD / JH TD AS TH / JD AH QH QD",
)

# sequences of 0, 1, … 12 legal plays; the fourth trick plays itself
COUNTS = [
    (RULES_DEAL, Trumps.AS_DYCHA, VoidDuty.ANY, [1, 4, 8, 11, 44, 132, 324, 720, 1920, 3840, 5244, 8520, 12000]),
    (RULES_DEAL, Trumps.AS_DYCHA, VoidDuty.TRUMP, [1, 4, 8, 9, 36, 108, 300, 336, 480, 960, 1176, 1848, 2400]),
    (SECOND, Trumps.AS_DYCHA, VoidDuty.ANY, [1, 4, 7, 11, 11, 33, 79, 79, 171, 342, 482, 632, 824]),
    (SECOND, Trumps.AS_DYCHA, VoidDuty.TRUMP, [1, 4, 7, 11, 11, 33, 79, 79, 126, 252, 372, 444, 520]),
    (SECOND, Trumps.AS_TRZY_DYCHY, VoidDuty.ANY, [1, 4, 5, 13, 14, 42, 95, 179, 322, 644, 914, 1100, 1460]),
    (SECOND, Trumps.AS_TRZY_DYCHY, VoidDuty.TRUMP, [1, 4, 5, 13, 14, 42, 95, 179, 322, 644, 892, 1032, 1192]),
    (THIRD, Trumps.AS_DYCHA, VoidDuty.ANY, [1, 4, 9, 9, 21, 63, 143, 211, 377, 754, 1264, 1704, 2336]),
    (THIRD, Trumps.AS_DYCHA, VoidDuty.TRUMP, [1, 4, 7, 7, 12, 36, 75, 75, 127, 254, 448, 680, 1120]),
    (THIRD, Trumps.AS_TRZY_DYCHY, VoidDuty.ANY, [1, 4, 5, 13, 13, 39, 99, 180, 282, 564, 720, 1010, 1756]),
    (THIRD, Trumps.AS_TRZY_DYCHY, VoidDuty.TRUMP, [1, 4, 5, 13, 13, 39, 99, 180, 282, 564, 696, 892, 1272]),
]


def positions(match: Match) -> list[int]:
    """How many sequences of 0, 1, … 12 plays are accepted, by the product's own decisions."""
    counts = [0] * 13

    def walk(match: Match, ply: int) -> None:
        counts[ply] += 1
        if ply == 12:
            assert len(match.lines) == 1
            return
        seat = match.running.turn
        for action in legal(match, seat):
            if action.startswith("play "):
                following = match
                for event in decide(match, seat, action, moment()):
                    following = evolve(following, event)
                walk(following, ply + 1)

    walk(match, 0)
    return counts


@pytest.mark.parametrize(("hands", "trumps", "duty", "counts"), COUNTS)
def test_positions(hands: str, trumps: Trumps, duty: VoidDuty, counts: list[int]) -> None:
    """The deals reach as many positions after each card as written here, and as the naive rules count."""
    rules = fields(trumps=trumps, void_duty=duty)
    assert positions(in_play(hands, rules)) == counts
    oracle = naive.positions(naive_hands(four(hands)), 0, naive_rules(rules))
    assert oracle == counts + [counts[12]] * 4
