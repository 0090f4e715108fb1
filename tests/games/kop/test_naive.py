"""The oracle itself: what the rules say in examples and tables, checked on the naive writing of the rules."""

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.games.kop import naive
from tests.games.kop.naive import PACK, Hands, History, Rules, Said, State

DYCHA = Rules()
DYCHA_TRUMP = Rules(void_duty="trump")
DYCHY = Rules(trumps="as_trzy_dychy")
WOLSZTYN = Rules(
    "as_trzy_dychy", "trump", wesele_self_kontra=True, cicha_first_kontra=False, asked_bars_zolo=True,
    cap_zolo=2, cap_zolo_du=2, cap_cicha=3, cicha_top_cards="as_zolo", cicha_dealer="no_doubling",
)  # fmt: skip
WHOLE_DEAL = "TS JD AD QC / QD QH TH AS / AH AC TC TD / JS JC JH QS"
WHOLE_PLAYS = "AD QD AH JS TD JH QC TH AS TC JC TS QS JD QH AC".split()  # noqa: SIM905 - cards are text
# deals played out by the rules of Wolsztyn: the hands, then the cards in order; seat 0 leads
EXIT = ("TS QH TC JH/AH JC QS QD/JS JD QC AC/TH AD AS TD", "TC AH JD AD QD QC TH TS JH JC JS TD QS AC AS QH")
NO_EXIT = ("QD AS AC QH/TH TC JD JC/TS JH TD QC/AD JS QS AH", "QD TH TS AH JS QH TC JH JC QC AD AC TD QS AS JD")
NO_TRICK = ("TD AC AS JC/AH QH TH QC/QD JH JS JD/TS QS TC AD", "AS TH JS TC QS JC AH JH QH JD TS TD AD AC QC QD")
YOUNG_EXIT = ("QC JD AC QD/QS TH JC TD/AS AD TC QH/TS JS JH AH", "QD QS TC AH TS JD TD AD JS QC TH QH JC AS JH AC")
YOUNG_NO_EXIT = ("AD QS AH TD/JS TS TC JH/QD TH QH JD/QC JC AS AC", "TD JH TH JC QD QC AH JS QS TS JD AC TC QH AS AD")
YOUNG_NO_TRICK = ("JH TH JC TS/AH AS AC TC/QD AD TD QS/QC JS JD QH", "TS TC AD QH AH QD QC JC AS TD JD JH TH AC QS JS")
ZOLO_DU = ("TC TS QC AH/QS QD JD JH/QH TD TH JS/AS AC AD JC", "TS JD TH JC TC JH JS AD QC QD TD AS AH QS QH AC")
CICHA = ("QH AD JD AS/QC TS QS QD/JS TH JC JH/TD TC AH AC", "JD QS TH TC TD QH QC JC QD JS AH AD AC AS TS JH")
AT_26 = ("TS JH QS JS/QC AD AS TH/JC AH JD QH/QD TD TC AC", "JH QC AH QD JC TC TS AD AC QS TH JD AS QH TD JS")
AT_25 = ("QD QC JH JD/JC QS AS TS/AD TH JS AC/TC TD AH QH", "JH JC TH AH TD QC TS JS QS AD TC QD QH JD AS AC")
AT_78 = ("TH JC TC QC/AS JS QH AC/AH TS JD AD/QD QS TD JH", "TH JS AH QS TS QD TC QH JC AC AD JH QC AS JD TD")
AT_79 = ("AS AD TS JH/AC TH QD QH/AH JC TD QC/TC JS QS JD", "AS QH AH TC JC QS TS TH AD QD QC JD TD JS JH AC")
WESELE = ("AH AC QD TH/JH QC QS AS/JD TD JS TC/QH AD TS JC", "TH JH TC AD JD QH AH QC QD QS JS TS JC AC AS TD")


def deal(text: str) -> Hands:
    """Four hands from text, seats 0 to 3 parted by slashes."""
    hands = [hand.split() for hand in text.split("/")]
    assert sorted(card for hand in hands for card in hand) == sorted(PACK)
    return hands


def played(deal_and_plays: tuple[str, str], rules: Rules = WOLSZTYN) -> tuple[Hands, list[str]]:
    """The hands and the plays of a deal that was played out, legal as they are."""
    hands, plays = deal(deal_and_plays[0]), deal_and_plays[1].split()
    assert naive.plays_are_legal(hands, 0, plays, rules)
    return hands, plays


def any_line(hands: Hands, leader: int, rules: Rules, rng: random.Random | None = None) -> list[str]:
    """One legal way to play a deal out: always the first legal card, or a random one."""
    plays: list[str] = []
    for _ in range(16):
        trick = plays[len(plays) // 4 * 4 :]
        last = (naive.replay(leader, plays, rules) or [{"winner": leader}])[-1]
        seat = (last["leader"] + len(trick)) % 4 if trick else last["winner"]
        legal = naive.legal_cards([card for card in hands[seat] if card not in plays], trick, rules)
        plays.append(rng.choice(legal) if rng else legal[0])
    return plays


def test_the_pack_has_104_eyes() -> None:
    """Sixteen cards have 104 eyes in all; 52 is half."""
    assert len(set(PACK)) == 16
    assert naive.points(PACK) == 104


@pytest.mark.parametrize(
    ("rules", "hand", "trick", "legal"),
    [
        (DYCHA, "QD AC TS", "", "QD AC TS"),  # any lead
        (DYCHA, "AC TS QD", "TC", "AC"),  # follow a plain suit, and beat
        (DYCHA, "TC TS QD", "AC", "TC"),  # follow though it cannot beat
        (DYCHA, "TC AS AH", "TS AC", "AS"),  # follow, not trump in
        (DYCHA, "AC TS QD", "TC JD", "AC"),  # a plain lead that was trumped is still followed
        (DYCHA, "QH JC TD AS", "QD", "QH"),  # trumps are one suit: beat
        (DYCHA, "QH JC TD AS", "JS", "QH JC"),  # which of the beating trumps is free
        (DYCHA, "JC TD AS", "QD", "JC TD"),  # cannot beat: any trump
        (DYCHA, "TH JD AC", "QD JS QH", "TH"),  # beat the best so far, not the lead
        (DYCHA, "TD TS AC", "AD", "TD"),  # the ten of diamonds is the lowest trump
        (DYCHA, "QC TH", "AH", "QC TH"),  # nothing beats the ace of hearts
        (DYCHA, "TC AC", "QD", "TC AC"),  # no trump: any card
        (DYCHA, "TS QD JD", "AC", "TS QD JD"),  # void, no duty: any card
        (DYCHA_TRUMP, "TS QD JD", "AC", "QD JD"),  # void, duty: a trump
        (DYCHA_TRUMP, "TS QD JD", "AC JC", "QD"),  # a higher one than the trumps that lie
        (DYCHA_TRUMP, "TS AD JD", "AC JC", "AD JD"),  # else any trump
        (DYCHA_TRUMP, "TS AS", "AC JC", "TS AS"),  # else any card
        (DYCHY, "TC TS QD", "AC", "TC TS QD"),  # the ten of clubs is a trump: void in clubs
        (WOLSZTYN, "TC AS QD", "AC", "TC QD"),
        (WOLSZTYN, "TS AS QD", "AC TH", "TS"),  # TC TS TH in this order
        (WOLSZTYN, "TH AS QD", "AC TS", "TH QD"),
        (DYCHY, "TC AS", "QD", "TC"),  # a trump lead asks for the black tens
        (DYCHY, "TH QC JD", "TS", "TH QC JD"),
        (DYCHY, "AH TC QC", "TS", "AH TC"),
    ],
)
def test_follow_beat_and_void(rules: Rules, hand: str, trick: str, legal: str) -> None:
    """Follow if you can, beat among what follows if you can; void, the void duty decides."""
    assert naive.legal_cards(hand.split(), trick.split(), rules) == legal.split()


@pytest.mark.parametrize(
    ("rules", "tricks"),
    [
        (DYCHA, "TC AC* AS TS / AC* TC AS TS / TC AS TD* AC / QC AH* TH QS / JD AD TD JH* / TS QD TC TH*"),
        (DYCHY, "TH TS TC AH* / QC TH TS* AC / AC TC* AS TD / AC* AS / TS QC TC* TH"),
    ],
)
def test_the_trick_goes_to_the_highest_trump_else_the_suit_led(rules: Rules, tricks: str) -> None:
    """The highest trump wins, else the highest card of the suit led; the winner is starred."""
    for trick in (text.split() for text in tricks.split("/")):
        winner = naive.trick_winner([card[:2] for card in trick], rules)
        assert [card.endswith("*") for card in trick].index(True) == winner


def test_the_order_of_trumps_card_by_card() -> None:
    """Each trump of both orders beats every trump below it and every plain card."""
    orders = ("AH TH QC QS QH QD JC JS JH JD AD TD", "AH TC TS TH QC QS QH QD JC JS JH JD AD TD")
    for rules, order in zip((DYCHA, DYCHY), orders, strict=True):
        trumps = order.split()
        plain = [card for card in PACK if card not in trumps]
        for high, low in itertools.combinations(trumps, 2):
            assert naive.trick_winner([low, high], rules) == 1
            assert naive.trick_winner([high, low], rules) == 0
        for trump, card in itertools.product(trumps, plain):
            assert naive.trick_winner([card, trump], rules) == 1


@pytest.mark.parametrize("rules", [DYCHA, DYCHA_TRUMP, DYCHY, WOLSZTYN])
def test_positions_count_the_legal_orders_of_play(rules: Rules) -> None:
    """With three cards each, the paths of 12 plies are those of all 1296 orders of the hands that are legal."""
    rng = random.Random(3)
    for _ in range(5):
        pack = rng.sample(PACK, 12)
        hands = [pack[seat * 3 : seat * 3 + 3] for seat in range(4)]
        legal = 0
        for orders in itertools.product(*(itertools.permutations(hand) for hand in hands)):
            left, seat, plays = [list(order) for order in orders], 0, []
            for _ in range(3):
                trick = [left[(seat + place) % 4].pop(0) for place in range(4)]
                plays += trick
                seat = (seat + naive.trick_winner(trick, rules)) % 4
            legal += naive.plays_are_legal(hands, 0, plays, rules)
        assert naive.positions(hands, 0, rules)[12] == legal


def test_positions_of_the_whole_deal() -> None:
    """The first lead is free (4 paths), the last trick is forced, and the void duty narrows the tree."""
    free, bound = (naive.positions(deal(WHOLE_DEAL), 0, rules) for rules in (DYCHA, DYCHA_TRUMP))
    for counts in (free, bound):
        assert counts[:2] == [1, 4]
        assert counts[12] == counts[13] == counts[14] == counts[15] == counts[16]
    # after TS: AS; after JD, AD: QD QH TH; after QC: TH
    assert free[2] == bound[2] == 1 + 3 + 3 + 1
    assert bound[16] < free[16]


@pytest.mark.parametrize("rules", [DYCHA, DYCHA_TRUMP])
def test_the_whole_deal_is_legal_and_its_tricks_fall_as_written(rules: Rules) -> None:
    """The whole deal: 27, 25, 33 and 19 eyes to seats 2, 1, 3, 3; AH, QC, TH and TS are forced, whatever the duty."""
    assert naive.plays_are_legal(deal(WHOLE_DEAL), 0, WHOLE_PLAYS, rules)
    tricks = naive.replay(0, WHOLE_PLAYS, rules)
    assert [(trick["winner"], trick["eyes"]) for trick in tricks] == [(2, 27), (1, 25), (3, 33), (3, 19)]
    assert naive.legal_cards(["AH", "AC", "TC", "TD"], ["AD", "QD"], rules) == ["AH"]
    assert naive.legal_cards(["TS", "JD", "QC"], ["TD", "JH"], rules) == ["QC"]
    assert naive.legal_cards(["QH", "TH", "AS"], ["TD", "JH", "QC"], rules) == ["TH"]
    assert naive.legal_cards(["TS", "JD"], ["AS", "TC", "JC"], rules) == ["TS"]


def test_the_whole_deal_is_boki_and_the_old_lose_one() -> None:
    """52:52 without a doubling: the Old (seats 0 and 3) lose 1."""
    result = naive.score(deal(WHOLE_DEAL), WHOLE_PLAYS, [], None, None, 3, DYCHA)
    assert (result["kind"], result["old"], result["old_eyes"]) == ("ordinary", {0, 3}, 52)
    assert (result["winner"], result["margin"]) == ("young", "boki")
    assert (result["counted"], result["base"], result["value"]) == (0, 1, 1)
    assert (result["points"], result["money"]) == ([0, 1, 1, 0], [-1, 1, 1, -1])


def test_boki_is_lost_by_the_side_of_the_last_doubling() -> None:
    """At 52:52 the side of the last doubling said loses, whether that doubling counts ([1, 2]: it does not) or not."""
    lost_by_young = [([1], 2), ([1, 2], 2), ([1, 3, 2], 8)]
    lost_by_old = [([0], 2), ([1, 3], 4), ([1, 0, 3], 4)]
    for doublings, value in lost_by_young + lost_by_old:
        result = naive.score(deal(WHOLE_DEAL), WHOLE_PLAYS, doublings, None, None, 3, DYCHA)
        winner = "old" if (doublings, value) in lost_by_young else "young"
        assert (result["winner"], result["value"], result["margin"]) == (winner, value, "boki")


def test_boki_alone_is_worth_five_as_always() -> None:
    """Seat 3 alone has 52 of the whole deal: a zolo loses 5 to each, or wins 10 if the Young doubled last."""
    lost, won = (naive.score(deal(WHOLE_DEAL), WHOLE_PLAYS, said, "zolo", 3, 3, DYCHA) for said in ([], [0]))
    assert (lost["winner"], lost["margin"], lost["value"]) == ("young", "boki", 5)
    assert (lost["points"], lost["money"]) == ([5, 5, 5, 0], [5, 5, 5, -15])
    assert (won["winner"], won["margin"], won["value"]) == ("old", "boki", 10)
    assert (won["points"], won["money"]) == ([0, 0, 0, 10], [-10, -10, -10, 30])


def test_boki_in_a_cicha_is_worth_four_and_in_a_wesele_one() -> None:
    """At 52:52 a cicha loses 4, wins 8 if a Young doubled last, loses 16 after an answer; a wesele loses 1, wins 2."""
    cichas = [naive.score(*played(CICHA), doublings, None, None, 3, WOLSZTYN) for doublings in ([], [2], [2, 1])]
    weseles = [naive.score(*played(WESELE), doublings, "wesele", 1, 3, WOLSZTYN) for doublings in ([], [0])]
    assert {(r["kind"], r["old_eyes"], r["margin"]) for r in cichas} == {("cicha", 52, "boki")}
    assert {(r["kind"], r["old_eyes"], r["margin"]) for r in weseles} == {("wesele", 52, "boki")}
    assert [(r["winner"], r["value"]) for r in cichas] == [("young", 4), ("old", 8), ("young", 16)]
    assert [(r["winner"], r["value"]) for r in weseles] == [("young", 1), ("old", 2)]


@pytest.mark.parametrize(("old", "factor"), [({0, 2}, 16), ({0, 1}, 8), ({0, 3}, 4)])
def test_the_factor_is_two_to_the_number_of_runs(old: set[int], factor: int) -> None:
    """South (0) kontra, West re, North bok, West słup: N+S ×16, S+W ×8, S+E ×4, whichever side is Old."""
    assert 2 ** naive.runs([0, 1, 2, 1], old) == 2 ** naive.runs([0, 1, 2, 1], {0, 1, 2, 3} - old) == factor


@pytest.mark.parametrize(
    ("line", "game", "caller", "kind", "margin", "row"),
    [
        (EXIT, None, None, "ordinary", "exit", [1, 2, 4, 8, 16]),
        (NO_EXIT, None, None, "ordinary", "no_exit", [2, 4, 8, 16, 32]),
        (NO_TRICK, None, None, "ordinary", "no_trick", [3, 6, 12, 24, 48]),
        (YOUNG_EXIT, None, None, "ordinary", "exit", [1, 2, 4, 8, 16]),
        (YOUNG_NO_EXIT, None, None, "ordinary", "no_exit", [2, 4, 8, 16, 32]),
        (YOUNG_NO_TRICK, None, None, "ordinary", "no_trick", [3, 6, 12, 24, 48]),
        (ZOLO_DU, "zolo", 0, "zolo", "no_trick", [5, 10, 20, 20, 20]),
        (EXIT, "zolo", 2, "zolo", "no_trick", [5, 10, 20, 20, 20]),  # seat 2 takes nothing: still 5
        (ZOLO_DU, "zolo du", 0, "zolo du", "no_trick", [10, 20, 40, 40, 40]),
        (EXIT, "zolo du", 0, "zolo du", "exit", [10, 20, 40, 40, 40]),
        (CICHA, None, None, "cicha", "boki", [4, 8, 16, 32, 32]),
    ],
)
def test_the_score_table_of_wolsztyn(
    line: tuple[str, str], game: str | None, caller: int | None, kind: str, margin: str, row: list[int]
) -> None:
    """Every cell of the Wolsztyn score table, plain to ×16, with both ledgers."""
    hands, plays = played(line)
    _, old = naive.sides(hands, game, caller)
    a_young, an_old = min(set(range(4)) - old), min(old)
    for said, value in enumerate(row):
        doublings = [a_young, an_old, a_young, an_old][:said]
        result = naive.score(hands, plays, doublings, game, caller, 3, WOLSZTYN)
        assert (result["kind"], result["margin"], result["value"]) == (kind, margin, value)
        assert result["base"] * 2 ** result["counted"] == value
        winners = old if result["winner"] == "old" else set(range(4)) - old
        stakes = [3 * value if old == {seat} else value for seat in range(4)]
        assert result["points"] == [value if seat in winners else 0 for seat in range(4)]
        assert result["money"] == [stakes[seat] if seat in winners else -stakes[seat] for seat in range(4)]
        assert sum(result["money"]) == 0


def test_the_exit_lies_at_26() -> None:
    """Losers with 26 eyes have their exit, losers with 25 have not, on either side."""
    for eyes, line in {25: AT_25, 26: AT_26, 78: AT_78, 79: AT_79}.items():
        result = naive.score(*played(line), [], None, None, 3, WOLSZTYN)
        assert (result["old_eyes"], result["winner"]) == (eyes, "young" if eyes < 52 else "old")
        assert result["margin"] == ("exit" if eyes in (26, 78) else "no_exit")


def test_zolo_du_needs_all_four_tricks() -> None:
    """Zolo du with 85 eyes of three tricks is lost, where zolo is won; with 52 eyes it is lost and no boki."""
    line = ("TD TH AH JC/JS JD QH AD/TC QC AS QD/QS TS AC JH", "TD QH QC QS TC AC JC AD TH JD QD JH AH JS AS TS")
    won, lost = (naive.score(*played(line, DYCHA), [], game, 0, 3, DYCHA) for game in ("zolo", "zolo du"))
    assert (won["old_eyes"], won["points"], lost["points"]) == (85, [5, 0, 0, 0], [0, 10, 10, 10])
    even = naive.score(deal(WHOLE_DEAL), WHOLE_PLAYS, [0], "zolo du", 3, 3, DYCHA)
    assert (even["winner"], even["margin"], even["value"]) == ("young", "exit", 20)


@pytest.mark.parametrize(
    ("hands", "game", "caller", "jack", "kind", "old"),
    [
        (WHOLE_DEAL, None, None, None, "ordinary", {0, 3}),
        ("QC QS JH TD / JC TC TS AD / JS AC AS AH / JD TH QH QD", None, None, None, "cicha", {0}),
        ("QC QS JH TD / JC TC TS AD / JS AC AS AH / JD TH QH QD", "wesele", 0, None, "wesele", {0, 1}),
        ("QC QS JC TD / JH TC TS AD / JS AC AS AH / JD TH QH QD", "wesele", 0, None, "wesele", {0, 2}),
        ("QC QS JC JS / JD TC TS AD / TD AC AS AH / JH TH QH QD", "wesele", 0, None, "wesele", {0, 3}),
        ("QC QS JC JS / JD TC TS AD / TD AC AS AH / JH TH QH QD", "wesele", 0, "JD", "wesele", {0, 1}),
        ("QC QS JC JS / JD TC TS AD / TD AC AS AH / JH TH QH QD", "zolo", 2, None, "zolo", {2}),
        (WHOLE_DEAL, "zolo du", 1, None, "zolo du", {1}),
    ],
)
def test_sides(hands: str, game: str | None, caller: int | None, jack: str | None, kind: str, old: set[int]) -> None:
    """Old are the black queens; in a wesele the caller and the highest jack he lacks, or the one he named."""
    assert naive.sides(deal(hands), game, caller, jack) == (kind, old)


TOP = "QH AC JC JH / QC TC AH QS / TH TD AS JD / QD TS JS AD"
DEALERS = "QH AC JC JH / QC TS AH QS / TH TD AS JD / QD TC JS AD"
HARMLESS = "QH AC JC JH / QC TS TH QS / AH TD AS JD / QD TC JS AD"
TOP_DYCHA = "QH AC JC JH / QC TH AH QS / TC TD AS JD / QD TS JS AD"


@pytest.mark.parametrize(
    ("rules", "hands", "dealer", "base", "counted"),
    [
        (WOLSZTYN, TOP, 3, 5, 2),  # the two highest trumps: as zolo, with its cap
        (WOLSZTYN, TOP, 1, 5, 2),  # both guards apply: as_zolo wins
        (WOLSZTYN, DEALERS, 3, 4, 3),  # AH and TS only bind the dealer
        (WOLSZTYN, DEALERS, 1, 4, 0),  # … whose doublings do not count
        (WOLSZTYN, HARMLESS, 1, 4, 3),  # no AH: no guard
        (replace(WOLSZTYN, cicha_dealer="as_zolo", cap_zolo=3), DEALERS, 1, 5, 3),
        (replace(WOLSZTYN, cicha_top_cards="no_doubling", cicha_dealer="as_zolo"), TOP, 1, 5, 2),
        (replace(WOLSZTYN, cicha_top_cards="no_doubling"), TOP, 3, 4, 0),
        (replace(WOLSZTYN, cicha_top_cards="allowed"), TOP, 1, 4, 0),
        (replace(WOLSZTYN, cap_cicha=None), DEALERS, 3, 4, 4),
        (DYCHA, TOP_DYCHA, 1, 4, 4),  # the seed guards nothing
        (Rules(cicha_top_cards="as_zolo"), TOP_DYCHA, 3, 5, 4),
        (Rules(cicha_top_cards="as_zolo"), TOP, 3, 4, 4),  # in as_dycha the second trump is TH, not TC
        (Rules(cicha_dealer="no_doubling"), TOP_DYCHA, 1, 4, 0),
        (Rules(cicha_dealer="no_doubling"), TOP_DYCHA, 3, 4, 4),
        (Rules(cicha_dealer="no_doubling"), DEALERS, 1, 4, 4),
    ],
)
def test_cicha_guards(rules: Rules, hands: str, dealer: int, base: int, counted: int) -> None:
    """Strong cichas are scored as the guards say, four alternating doublings having been said."""
    dealt = deal(hands)
    plays = any_line(dealt, (dealer + 1) % 4, rules)
    result = naive.score(dealt, plays, [0, 1, 2, 1], None, None, dealer, rules)
    assert (result["kind"], result["base"], result["counted"]) == ("cicha", base, counted)


def test_cicha_guards_bind_only_the_silent() -> None:
    """A zolo or a wesele with the guarded cards is scored as such."""
    dealt = deal(DEALERS)
    plays = any_line(dealt, 2, WOLSZTYN)
    assert naive.score(dealt, plays, [0, 1], "zolo", 1, 1, WOLSZTYN)["counted"] == 2
    assert naive.score(dealt, plays, [2, 1], "wesele", 1, 1, WOLSZTYN)["counted"] == 2


BOTH_AT_1 = "QH AC TH JH / QC TS JC QS / AH TD AS JD / QD TC JS AD"


def spoken(text: str) -> list[Said]:
    """Utterances from text: seat (a dash for the clock) and words, parted by commas."""
    parts = [part.split(" ", 1) for part in text.split(", ") if part]
    return [(None if seat == "-" else int(seat), words) for seat, words in parts]


@pytest.mark.parametrize(
    ("rules", "said", "seat", "words"),
    [
        (DYCHA, "", 0, "ask, zolo, zolo du, double 1"),
        (DYCHA, "", 2, "zolo, zolo du, double 1"),  # nothing to answer yet
        (DYCHA, "", 1, "wesele, zolo, zolo du, double 1"),
        (DYCHA, "", None, ""),
        (DYCHA, "0 ask", 0, "zolo, zolo du, double 1"),  # the question stands
        (DYCHA, "0 ask", 2, "go on, zolo, zolo du, double 1"),
        (DYCHA, "0 ask", None, "time over"),
        (DYCHA, "0 ask, 2 go on", 2, "zolo, zolo du, double 1"),  # may still call
        (DYCHA, "0 ask, 2 go on, 3 double 1", 0, "ask, zolo, zolo du, double 2"),
        (DYCHA, "0 ask, 2 go on, 3 double 1", 2, "zolo, zolo du, double 2"),
        (DYCHA, "0 ask, - time over, 3 double 1", 0, "ask, zolo, zolo du, double 2"),
        (DYCHA, "0 ask, 1 go on, 2 go on", 0, "zolo, zolo du, double 1"),
        (DYCHA, "0 ask, 1 go on, 2 go on, 3 go on, 0 play QH", 3, ""),
        (DYCHA, "0 ask, 1 go on, 2 go on, 3 go on, 0 play QH", 1, "play QC, play QS"),
        (DYCHA, "2 zolo", 1, "zolo du, double 1"),  # only a higher game
        (DYCHA, "1 wesele", 1, "zolo, zolo du"),  # no first kontra to one's own wesele
        (DYCHA, "1 wesele", 2, "zolo, zolo du, double 1"),
        (DYCHA, "1 wesele, 2 double 1", 1, "zolo, zolo du, double 2"),
        (WOLSZTYN, "1 wesele", 1, "zolo, zolo du, double 1"),
        (WOLSZTYN, "2 zolo", 2, "zolo du"),  # never the first kontra to one's own zolo
        (WOLSZTYN, "2 zolo, 3 double 1", 2, "zolo du, double 2"),
        (WOLSZTYN, "", 1, "wesele, zolo, zolo du"),  # the silent holder of both queens
        (WOLSZTYN, "2 double 1", 1, "wesele, zolo, zolo du, double 2"),
        (WOLSZTYN, "2 zolo", 1, "zolo du, double 1"),  # no cicha any more
        (WOLSZTYN, "0 ask", 0, "double 1"),  # asked: no zolo
        (WOLSZTYN, "0 double 1, 0 ask", 0, "zolo, zolo du, double 2"),  # did not ask first
        (DYCHA, "2 double 1, 1 wesele", 3, "zolo, zolo du, double 1"),  # a game wipes the doublings
        (Rules(names=1), "2 double 1", 3, "zolo, zolo du"),  # no name is left
        (Rules(wesele_when="first_call"), "0 ask, 1 go on", 1, "zolo, zolo du, double 1"),
        (Rules(wesele_when="first_call"), "0 ask", 1, "go on, wesele, zolo, zolo du, double 1"),
        (Rules(wesele_named_jack=True), "", 1, "wesele JS, wesele JH, wesele JD, zolo, zolo du, double 1"),  # he has JC
    ],
)
def test_open_calling(rules: Rules, said: str, seat: int | None, words: str) -> None:
    """What a seat may say, by what was said and what it holds; seat 1 holds both black queens, seat 0 leads."""
    assert ", ".join(naive.legal_words(State(deal(BOTH_AT_1), 0, spoken(said), rules), seat)) == words


@pytest.mark.parametrize("answers", ["1 go on, 3 go on, 2 go on", "- time over", "1 go on, - time over"])
def test_the_leader_may_lead_when_all_went_on_or_time_is_over(answers: str) -> None:
    """After three times "go on", or the answer time, the leader may lead any card; only he, and nobody asks again."""
    state = State(deal(BOTH_AT_1), 0, spoken("0 ask, " + answers), DYCHA)
    assert naive.legal_words(state, 0) == ["zolo", "zolo du", "double 1", "play QH", "play AC", "play TH", "play JH"]
    assert naive.legal_words(state, None) == []
    assert not any(words.startswith("play") for seat in (1, 2, 3) for words in naive.legal_words(state, seat))


@pytest.mark.parametrize(
    ("rules", "said", "plays", "viewer", "own", "sides"),
    [
        (DYCHA, "", "", None, "", "- - - -"),  # a spectator before anything was said or played
        (DYCHA, "2 zolo", "", None, "", "young young old young"),
        (DYCHA, "", "", 0, "QC AH TH JC", "old - - -"),  # one black queen: I am Old
        (DYCHA, "", "", 1, "QH AH TH JC", "- young - -"),  # none: I am Young
        (DYCHA, "", "", 3, "QC QS TH JC", "young young young old"),  # both: I am alone
        (DYCHA, "0 wesele", "", 2, "JC AH TH QD", "old young old young"),  # JC's holder knows he is the partner
        (DYCHA, "0 wesele", "", 2, "JS AH TH QD", "old - - -"),  # JS's holder does not: JC may be the caller's
        (DYCHA, "0 wesele", "JC", 2, "JS AH TH QD", "old young old young"),  # it was
        (DYCHA, "0 wesele", "", 2, "JD AH TH QD", "old - young -"),  # the caller has no room for three higher jacks
        (DYCHA, "0 wesele JH", "", 2, "JH AH TH QD", "old young old young"),  # the holder of the jack named
        (DYCHA, "0 wesele JH", "", 2, "JC AH TH QD", "old - young -"),  # another knows but the caller and himself
        (DYCHA, "", "QC", None, "", "old - - -"),  # a queen played shows its player; he may hold the other too
        (DYCHA, "", "QC", 2, "QS AH JD AC", "old young old young"),
        (DYCHA, "", "QC", 2, "QH AH JD AC", "old - young -"),
        (DYCHA, "", "QH JC TH JS", None, "", "- young - -"),  # seat 1 went under QH; seat 2 over it, seat 3 under TH
        (DYCHA, "", "QS JC JH JS", None, "", "old young young young"),  # all went under QS: QC is with its player
        (DYCHA, "", "AC JC JS", None, "", "- - - -"),  # trumped below JC, without a duty
        (DYCHA_TRUMP, "", "AC JC JS", None, "", "- - young -"),  # under the duty seat 2 has no higher trump
    ],
)
def test_known_sides(rules: Rules, said: str, plays: str, viewer: int | None, own: str, sides: str) -> None:
    """A side is known when it follows from what all saw and the own hand, and only then."""
    history = History(0, spoken(said), plays.split())
    sure = naive.known_sides(history, viewer, own.split(), rules)
    assert [side or "-" for side in sure] == sides.split()


def test_a_lead_taken_back_stays_public() -> None:
    """Seat 0 called wesele, led JC and took it back: JS's holder knows that he is the partner."""
    history = History(0, spoken("0 wesele"), shown=[(0, "JC")])
    assert naive.possible_olds(history, 2, ["JS", "AH", "TH", "QD"], DYCHA) == {frozenset({0, 2})}


def test_a_first_kontra_may_deny_a_cicha() -> None:
    """Where a silent cicha may not give the first kontra, who gave it and shows one black queen lacks the other.

    A second doubling denies nothing, nor does a first one on a standing game.
    """
    for said, rules, alone in (
        ("0 double 1", DYCHA, True),
        ("0 double 1, 0 double 2", WOLSZTYN, False),
        ("1 double 1, 0 double 2", WOLSZTYN, True),
    ):
        olds = naive.possible_olds(History(0, spoken(said), ["QC"]), None, None, rules)
        assert olds == {frozenset({0, seat}) for seat in range(4) if seat or alone}
    assert naive.calls_agree(
        deal("QC QS AC TC/AS TS AH TH/QH QD JH JD/JC JS AD TD"), spoken("2 zolo, 0 double 1"), WOLSZTYN
    )


def every_deal(held: Hands, unseen: list[str]) -> Iterator[Hands]:
    """Every way to fill four hands, without a thought."""
    for seats in itertools.product(range(4), repeat=len(unseen)):
        hands = [held[n] + [card for card, seat in zip(unseen, seats, strict=True) if seat == n] for n in range(4)]
        if all(len(hand) == 4 for hand in hands):
            yield hands


def random_deal(rng: random.Random) -> tuple[Hands, History, Rules]:
    """A deal with perhaps a wesele or a first kontra, played at random to the end."""
    rules = Rules(rng.choice(["as_dycha", "as_trzy_dychy"]), rng.choice(["any", "trump"]))
    rules = replace(rules, cicha_first_kontra=rng.random() < 0.5, wesele_named_jack=rng.random() < 0.3)
    pack = rng.sample(PACK, 16)
    state = State([pack[seat * 4 : seat * 4 + 4] for seat in range(4)], rng.randrange(4), [], rules)
    for seat in rng.sample(range(4), 4):
        words = [w for w in naive.legal_words(state, seat) if not w.startswith(("ask", "zolo"))]
        if words and rng.random() < 0.5:
            state.said.append((seat, words[0]))
    plays = any_line(state.hands, state.leader, rules, rng)
    return state.hands, History(state.leader, state.said, plays), rules


def test_the_pruned_search_agrees_with_every_deal() -> None:
    """From two tricks on, the possible Old are those of all deals of the unseen cards that agree with the history."""
    rng = random.Random(11)
    for _ in range(40):
        hands, whole, rules = random_deal(rng)
        history = replace(whole, plays=whole.plays[: rng.randrange(8, 13)])
        viewer = rng.randrange(4)
        held = [[card for card in hand if seat == viewer or card in history.plays] for seat, hand in enumerate(hands)]
        unseen = [card for card in PACK if all(card not in hand for hand in held)]
        now = naive.standing(history.said)
        expected = {
            frozenset(naive.sides(full, now["game"], now["caller"], now["jack"])[1])
            for full in every_deal(held, unseen)
            if naive.calls_agree(full, history.said, rules)
            and naive.plays_are_legal(full, history.leader, history.plays, rules)
        }
        assert naive.possible_olds(history, viewer, hands[viewer], rules) == expected


def test_knowledge_is_true_and_only_grows() -> None:
    """For every viewer and after every card, what is known is so, stays known, and is all at the end."""
    rng = random.Random(12)
    for _ in range(15):
        hands, whole, rules = random_deal(rng)
        now = naive.standing(whole.said)
        truth = frozenset(naive.sides(hands, now["game"], now["caller"], now["jack"])[1])
        for viewer in (None, 0, 1, 2, 3):
            own = None if viewer is None else hands[viewer]
            before = set(naive.possible_olds(replace(whole, plays=[]), viewer, own, rules))
            for ply in range(1, 17):
                after = naive.possible_olds(replace(whole, plays=whole.plays[:ply]), viewer, own, rules)
                assert truth in after
                assert after <= before
                before = after
            assert before == {truth}
            sure = naive.known_sides(whole, viewer, own, rules)
            assert sure == ["old" if seat in truth else "young" for seat in range(4)]
