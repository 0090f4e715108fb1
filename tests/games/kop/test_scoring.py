"""What a deal is worth, and to whom (docs/rules/kop.md, 6); the score table of each named set; the guards of cicha."""

import pytest
from hypothesis import given, settings

from server.games.game import Seat
from server.games.kop.ruleset import KOSCIAN, PAGAT, RULE_SETS, WOLSZTYN, CichaGuard, RuleSet, Trumps
from server.games.kop.scoring import Line, Taken, runs, score
from server.games.kop.sides import Contract, GameKind
from tests.games.kop import naive
from tests.games.kop.scenes import SEATS, after, fields, four, guards, naive_hands, naive_rules
from tests.games.kop.strategies import Story, stories

KLASSISCH = fields()
PAIR, ONE = (Seat(0), Seat(2)), (Seat(0),)
TRICKS = {0: 0, 104: 4}
NO_GUARD = "QC QS JC JS / AH TH QH QD / JH JD AD TD / AC TC AS TS"  # a cicha of seat 0 that no guard touches


def line_of(
    kind: GameKind,
    eyes: int,
    doublings: str = "",
    rules: RuleSet = KLASSISCH,
    tricks: int | None = None,
    hands: str = NO_GUARD,
    dealer: int = 3,
) -> Line:
    """The line of a deal in which the Old, seats 0 and 2 or seat 0 alone, took so many card points."""
    pair = kind in (GameKind.ORDINARY, GameKind.WESELE)
    played = Contract(kind, None if kind is GameKind.ORDINARY else Seat(0), PAIR if pair else ONE)
    said = tuple(Seat(int(seat)) for seat in doublings.split())
    taken = Taken(eyes, TRICKS.get(eyes, 2) if tricks is None else tricks)
    return score(1, Seat(dealer), played, taken, said, four(hands), rules)


@pytest.mark.parametrize(("old", "counted"), [((0, 2), 4), ((0, 1), 3), ((0, 3), 2)])
def test_the_doublings_of_one_side_in_a_row_count_once(old: tuple[int, ...], counted: int) -> None:
    """6.5: South (0) kontra, West re, North bok, West słup: N+S ×16, S+W ×8, S+E ×4, whichever side is Old."""
    said = [Seat(seat) for seat in (0, 1, 2, 1)]
    one = tuple(Seat(seat) for seat in old)
    other = tuple(seat for seat in SEATS if seat not in one)
    assert runs(said, Contract(GameKind.ORDINARY, None, one)) == counted
    assert runs(said, Contract(GameKind.ORDINARY, None, other)) == counted


TABLE = [
    # game, card points of the Old, value without doublings and with one to five that count
    (GameKind.ORDINARY, 26, "exit", (1, 2, 4, 8, 16, 32)),
    (GameKind.ORDINARY, 78, "exit", (1, 2, 4, 8, 16, 32)),
    (GameKind.ORDINARY, 25, "no_exit", (2, 4, 8, 16, 32, 64)),
    (GameKind.ORDINARY, 79, "no_exit", (2, 4, 8, 16, 32, 64)),
    (GameKind.ORDINARY, 0, "no_trick", (3, 6, 12, 24, 48, 96)),
    (GameKind.ORDINARY, 104, "no_trick", (3, 6, 12, 24, 48, 96)),
    (GameKind.WESELE, 51, "exit", (1, 2, 4, 8, 16, 32)),
    (GameKind.WESELE, 53, "exit", (1, 2, 4, 8, 16, 32)),
    (GameKind.WESELE, 2, "no_exit", (2, 4, 8, 16, 32, 64)),
    (GameKind.WESELE, 104, "no_trick", (3, 6, 12, 24, 48, 96)),
]
ALONE: dict[RuleSet, list[tuple[GameKind, tuple[int, ...]]]] = {
    KLASSISCH: [
        (GameKind.ZOLO, (5, 10, 20, 40, 80)),
        (GameKind.ZOLO_DU, (10, 20, 40, 80, 160)),
        (GameKind.CICHA, (4, 8, 16, 32, 64)),
    ],
    PAGAT: [
        (GameKind.ZOLO, (5, 10, 20, 40, 80)),
        (GameKind.ZOLO_DU, (10, 20, 40, 80, 160)),
        (GameKind.CICHA, (4, 8, 16, 32, 64)),
    ],
    WOLSZTYN: [
        (GameKind.ZOLO, (5, 10, 20, 20, 20)),
        (GameKind.ZOLO_DU, (10, 20, 40, 40, 40)),
        (GameKind.CICHA, (4, 8, 16, 32, 32)),
    ],
    KOSCIAN: [
        (GameKind.ZOLO, (5, 10, 20, 40, 40, 40)),
        (GameKind.ZOLO_DU, (10, 20, 40, 80, 80, 80)),
        (GameKind.CICHA, (4, 8, 16, 32, 32, 32)),
    ],
}
ALTERNATING = ("", "1", "1 0", "1 0 3", "1 0 3 0", "1 0 3 0 1")


def said_in_turn(rules: RuleSet) -> tuple[str, ...]:
    """No doubling, one, two, … that count, up to as many as the rule set has names."""
    return ALTERNATING[: len(rules.doubling_names) + 1]


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize(("kind", "eyes", "margin", "values"), TABLE)
def test_the_score_table_of_pairs(
    rules: RuleSet, kind: GameKind, eyes: int, margin: str, values: tuple[int, ...]
) -> None:
    """6.2, 6.6: 26 or more ×1, 1 to 25 ×2, none ×3, times two for each doubling that counts: cell by cell."""
    for said, value in zip(said_in_turn(rules), values, strict=False):
        line = line_of(kind, eyes, said, rules)
        assert (line.margin, line.value) == (margin, value)
        assert line.won == ("old" if eyes > 52 else "young")
        assert line.base * 2**line.counted == value
        assert line.points == tuple(value if (seat in PAIR) == (eyes > 52) else 0 for seat in SEATS)
        assert line.money == tuple(value if (seat in PAIR) == (eyes > 52) else -value for seat in SEATS)


@pytest.mark.parametrize(
    ("rules", "kind", "values"),
    [pytest.param(rules, *row, id=f"{rules.name}-{row[0]}") for rules, rows in ALONE.items() for row in rows],
)
@pytest.mark.parametrize("eyes", [0, 25, 51, 53, 79, 104])
def test_the_score_table_of_one_alone(rules: RuleSet, kind: GameKind, values: tuple[int, ...], eyes: int) -> None:
    """6.4, 6.6 and the caps: alone there is no ×2 or ×3; one alone gets it from, or pays it to, each of the three."""
    for said, value in zip(said_in_turn(rules), values, strict=True):
        line = line_of(kind, eyes, said, rules)
        wins = eyes == 104 if kind is GameKind.ZOLO_DU else eyes > 52
        assert (line.value, line.won) == (value, "old" if wins else "young")
        assert line.points == ((value, 0, 0, 0) if wins else (0, value, value, value))
        assert line.money == ((3 * value, *[-value] * 3) if wins else (-3 * value, *[value] * 3))


def test_zolo_du_is_won_only_with_all_four_tricks() -> None:
    """6.4: card points do not win a zolo du; with zolo they do. Who lost it with 96 of them had his exit."""
    won, lost = line_of(GameKind.ZOLO_DU, 104, tricks=4), line_of(GameKind.ZOLO_DU, 96, tricks=3)
    assert (won.won, won.margin) == ("old", "no_trick")
    assert (lost.won, lost.margin) == ("young", "exit")
    assert line_of(GameKind.ZOLO, 96, tricks=3).won == "old"


BOKI = [
    # kind, doublings, won, value
    (GameKind.ORDINARY, "", "young", 1),
    (GameKind.ORDINARY, "1", "old", 2),
    (GameKind.ORDINARY, "1 3", "old", 2),  # the last one does not count, and decides
    (GameKind.ORDINARY, "1 0", "young", 4),
    (GameKind.ORDINARY, "0", "young", 2),
    (GameKind.ORDINARY, "0 1 2", "young", 8),
    (GameKind.WESELE, "", "young", 1),
    (GameKind.WESELE, "3", "old", 2),
    (GameKind.CICHA, "", "young", 4),
    (GameKind.CICHA, "2", "old", 8),
    (GameKind.CICHA, "2 0", "young", 16),
    (GameKind.ZOLO, "", "young", 5),
    (GameKind.ZOLO, "1", "old", 10),
    (GameKind.ZOLO, "1 2 0", "young", 20),
]


@pytest.mark.parametrize(("kind", "said", "won", "value"), BOKI)
def test_boki(kind: GameKind, said: str, won: str, value: int) -> None:
    """6.3: at 52:52 the side of the last doubling said loses, else the Old; the value is that of ×1."""
    line = line_of(kind, 52, said)
    assert (line.margin, line.won, line.value) == ("boki", won, value)
    assert sum(line.money) == 0


def test_zolo_du_knows_no_boki() -> None:
    """6.3, 6.4: with 52 card points a zolo du is lost, also when the others doubled last."""
    assert line_of(GameKind.ZOLO_DU, 52, "1").won == "young"


# seat 1 has the queens: with the two highest trumps, with what binds the dealer, with neither
TOP = "QH AC JC JH / QC TC AH QS / TH TD AS JD / QD TS JS AD"
DEALERS = "QH AC JC JH / QC TS AH QS / TH TD AS JD / QD TC JS AD"
HARMLESS = "QH AC JC JH / QC TS TH QS / AH TD AS JD / QD TC JS AD"
TOP_DYCHA = "QH AC JC JH / QC TH AH QS / TC TD AS JD / QD TS JS AD"
ALLOWED, AS_ZOLO, NO_DOUBLING = map(guards, ("allowed", "as_zolo", "no_doubling"))


def wolsztyn(top: CichaGuard, dealers: CichaGuard, cap_zolo: int | None = 2, cap_cicha: int | None = 3) -> RuleSet:
    """The trumps of Wolsztyn with these guards and caps."""
    return fields(
        trumps=Trumps.AS_TRZY_DYCHY,
        cicha_top_cards=top,
        cicha_dealer=dealers,
        cap_zolo=cap_zolo,
        cap_cicha=cap_cicha,
    )


@pytest.mark.parametrize(
    ("rules", "hands", "dealer", "base", "counted"),
    [
        (WOLSZTYN, TOP, 3, 5, 2),  # the two highest trumps: as zolo, with its cap
        (WOLSZTYN, TOP, 1, 5, 2),  # both guards apply: as_zolo wins
        (WOLSZTYN, DEALERS, 3, 4, 3),  # AH and TS only bind the dealer
        (WOLSZTYN, DEALERS, 1, 4, 0),  # … whose doublings do not count
        (WOLSZTYN, HARMLESS, 1, 4, 3),  # no AH: no guard
        (KOSCIAN, TOP, 3, 5, 3),  # as zolo, whose cap is three there
        (KOSCIAN, DEALERS, 1, 5, 3),
        (KOSCIAN, DEALERS, 3, 4, 3),
        (KOSCIAN, HARMLESS, 1, 4, 3),
        (PAGAT, TOP_DYCHA, 1, 4, 4),  # pagat guards nothing
        (wolsztyn(NO_DOUBLING, AS_ZOLO), TOP, 1, 5, 2),  # as_zolo wins whichever guard says it
        (wolsztyn(NO_DOUBLING, NO_DOUBLING), TOP, 3, 4, 0),
        (wolsztyn(ALLOWED, NO_DOUBLING), TOP, 1, 4, 0),
        (wolsztyn(ALLOWED, ALLOWED), TOP, 1, 4, 3),
        (wolsztyn(AS_ZOLO, NO_DOUBLING, None, None), DEALERS, 3, 4, 4),
        (wolsztyn(AS_ZOLO, NO_DOUBLING, None, None), TOP, 3, 5, 4),
        (KLASSISCH, TOP_DYCHA, 1, 4, 4),  # klassisch guards nothing
        (fields(cicha_top_cards=AS_ZOLO), TOP_DYCHA, 3, 5, 4),
        (fields(cicha_top_cards=AS_ZOLO), TOP, 3, 4, 4),  # in as_dycha the second trump is TH, not TC
        (fields(cicha_dealer=NO_DOUBLING), TOP_DYCHA, 1, 4, 0),
        (fields(cicha_dealer=NO_DOUBLING), TOP_DYCHA, 3, 4, 4),
        (fields(cicha_dealer=NO_DOUBLING), DEALERS, 1, 4, 4),  # in as_dycha the dealer's ten is TH
    ],
)
def test_guards_of_cicha(rules: RuleSet, hands: str, dealer: int, base: int, counted: int) -> None:
    """A strong cicha is scored as its guards say; its name stays cicha; four doublings alternate."""
    said = tuple(Seat(seat) for seat in (0, 1, 2, 1))
    played = Contract(GameKind.CICHA, Seat(1), (Seat(1),))
    line = score(1, Seat(dealer), played, Taken(60, 2), said, four(hands), rules)
    assert (line.kind, line.base, line.counted, line.value) == ("cicha", base, counted, base * 2**counted)


@pytest.mark.parametrize(("kind", "counted"), [(GameKind.ZOLO, 2), (GameKind.ZOLO_DU, 2), (GameKind.WESELE, 4)])
def test_guards_bind_only_the_silent(kind: GameKind, counted: int) -> None:
    """A called game with the guarded cards is scored as called."""
    old = (Seat(1), Seat(3)) if kind is GameKind.WESELE else (Seat(1),)
    said = tuple(Seat(seat) for seat in (0, 1, 2, 1))
    line = score(1, Seat(1), Contract(kind, Seat(1), old), Taken(60, 2), said, four(DEALERS), WOLSZTYN)
    assert line.counted == counted


@settings(deadline=None, max_examples=200)
@given(story=stories())
def test_results_agree_with_the_oracle(story: Story) -> None:
    """Whatever was said and played under whatever rules, the line is the one of the naive rules; money sums to 0."""
    final = after(story.opening(), story.steps)
    [line] = final.lines
    assert final.deal is not None
    plays = [str(card) for trick in final.deal.tricks for card in trick.cards]
    said: list[naive.Said] = [(seat, action) for seat, action in story.steps if not action.startswith("play")]
    now = naive.standing(said)
    expected = naive.score(
        naive_hands(story.hands),
        plays,
        now["doublings"],
        now["game"],
        now["caller"],
        story.dealer,
        naive_rules(story.rules),
        now["jack"],
    )
    assert {
        "kind": line.kind.replace("_", " "),
        "old": set(line.old),
        "old_eyes": line.old_eyes,
        "winner": line.won,
        "margin": line.margin,
        "counted": line.counted,
        "base": line.base,
        "value": line.value,
        "points": list(line.points),
        "money": list(line.money),
    } == expected
    assert list(line.doublings) == now["doublings"]
    assert line.caller == (min(line.old) if line.kind is GameKind.CICHA else now["caller"])
    assert sum(line.money) == 0
