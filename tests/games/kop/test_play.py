"""Play: following, beating, the void duties and who takes a trick (docs/rules/kop.md, 5), and whole deals."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.cards import Card, hand
from server.games.game import Stage
from server.games.kop import decisions as rules_of
from server.games.kop.events import CardPlayed
from server.games.kop.play import PACK, by_strength, eyes, playable, refusal, suit_of, top_trumps, winning_place
from server.games.kop.ruleset import RuleSet, Trumps, VoidDuty
from tests.games.kop import naive
from tests.games.kop.scenes import (
    SEATS,
    WHOLE_DEAL,
    WHOLE_PLAYS,
    after,
    events_of,
    fields,
    in_play,
    naive_rules,
    played,
    refused,
)
from tests.games.kop.strategies import rule_sets

ANY = fields()
TRUMP = fields(void_duty=VoidDuty.TRUMP)
TENS_ANY = fields(trumps=Trumps.AS_TRZY_DYCHY)
TENS_TRUMP = fields(trumps=Trumps.AS_TRZY_DYCHY, void_duty=VoidDuty.TRUMP)
BOTH = (ANY, TRUMP)
BOTH_TENS = (TENS_ANY, TENS_TRUMP)
ALL_FOUR = BOTH + BOTH_TENS

# paragraph, rule sets, hand, trick so far; then each refused card with its code. What is not named may be played.
DUTIES = [
    ("5.1 any lead", ALL_FOUR, "QD AC TS JD", "", ""),
    ("5.2 follow a plain suit", BOTH, "TC AS QD", "AC", "AS must_follow QD must_follow"),
    ("5.2 trumps are one suit", ALL_FOUR, "JH TD AS", "QD", "AS must_follow"),
    ("5.2 the queen of clubs is no club", ALL_FOUR, "QC AC", "QD", "AC must_follow"),
    ("5.3 beat in a plain suit", BOTH, "AC TC QD", "TC", "TC must_beat QD must_follow"),
    ("5.3 beat with a trump", ALL_FOUR, "QH JC TD AS", "QD", "JC must_beat TD must_beat AS must_follow"),
    ("5.3 which of the beating cards is free", ALL_FOUR, "QH JC TD AS", "JS", "TD must_beat AS must_follow"),
    ("5.3 beat the best so far, not the lead", ALL_FOUR, "TH QH JD", "QD QC", "QH must_beat JD must_beat"),
    ("5.3 a partner's too", ALL_FOUR, "AH JD", "QS QD", "JD must_beat"),
    ("5.3 none beats: any that follows", ALL_FOUR, "JC TD AS", "QD", "AS must_follow"),
    ("5.3 the ace of diamonds beats the ten", ALL_FOUR, "AD QH AC", "TD JS", "AD must_beat AC must_follow"),
    ("5.4 a trumped lead is still followed", BOTH, "AC AS QD", "TC JD", "AS must_follow QD must_follow"),
    ("5.4 no duty to beat the trump with the suit", BOTH, "TC AS QD", "AC JD", "AS must_follow QD must_follow"),
    ("5.5 void, no duty", (ANY,), "TS QD JD", "AC", ""),
    ("5.5 void, no duty to a trumped lead", (ANY,), "TS AS QD JD", "AC JC", ""),
    ("5.5 void in trumps", ALL_FOUR, "AC AS", "QD", ""),
    ("void_duty trump: a trump", (TRUMP,), "TS QD JD", "AC", "TS must_trump"),
    ("void_duty trump: a higher one", (TRUMP,), "TS QD JD", "AC JC", "TS must_trump JD must_beat"),
    ("void_duty trump: else any trump", (TRUMP,), "TS AD JD", "AC JC", "TS must_trump"),
    ("void_duty trump: else any card", BOTH_TENS + BOTH, "AS", "AC JC", ""),
    ("as_trzy_dychy: the ten of clubs is a trump", (TENS_ANY,), "TC TS QD", "AC", ""),
    ("as_trzy_dychy: void, a trump", (TENS_TRUMP,), "TC AS QD", "AC", "AS must_trump"),
    ("as_trzy_dychy: a higher one", (TENS_TRUMP,), "TS AS QD", "AC TH", "AS must_trump QD must_beat"),
    ("as_trzy_dychy: the ten of hearts is under the black tens", (TENS_TRUMP,), "TH AS", "AC TS", "AS must_trump"),
    ("as_trzy_dychy: a trump lead asks for the black tens", BOTH_TENS, "TC AS", "QD", "AS must_follow"),
    ("as_trzy_dychy: the black tens beat the queens", BOTH_TENS, "TS QH JD", "QC", "QH must_beat JD must_beat"),
    ("as_dycha: the black tens are plain", BOTH, "TC QH AS", "QD", "TC must_follow AS must_follow"),
]


@pytest.mark.parametrize(("paragraph", "rule_sets", "cards", "trick", "forbidden"), DUTIES)
def test_duties(paragraph: str, rule_sets: tuple[RuleSet, ...], cards: str, trick: str, forbidden: str) -> None:
    """Each card of a hand may be played, or is refused with the code of the duty that forbids it."""
    words = forbidden.split()
    expected = dict(zip(words[::2], words[1::2], strict=True))
    for rules in rule_sets:
        codes = {card: refusal(hand(cards), hand(trick), card, rules) for card in hand(cards)}
        assert codes == {card: expected.get(card) for card in hand(cards)}, paragraph
        assert playable(hand(cards), hand(trick), rules) == tuple(c for c in hand(cards) if c not in expected)


@pytest.mark.parametrize(
    ("rule_sets", "tricks"),
    [
        (
            BOTH,
            "TC AC* AS TS / AC* TC AS TS / TC AS TD* AC / QC AH* TH QS / JD AD TD JH* / TS QD TC TH* / AS* AC TC TS",
        ),
        (BOTH_TENS, "TH TS TC AH* / QC TH TS* AC / AC TC* AS TD / AC* AS / TS QC TC* TH / AC AS TS* JD / AS* AC"),
    ],
)
def test_the_highest_trump_wins_else_the_suit_led(rule_sets: tuple[RuleSet, ...], tricks: str) -> None:
    """5.6: the winner of each trick is starred."""
    for rules, text in product(rule_sets, tricks.split(" / ")):
        cards = hand(text.replace("*", ""))
        assert winning_place(cards, rules) == [word.endswith("*") for word in text.split()].index(True), text


@pytest.mark.parametrize(
    ("trumps", "order"),
    [
        (Trumps.AS_DYCHA, "AH TH QC QS QH QD JC JS JH JD AD TD"),
        (Trumps.AS_TRZY_DYCHY, "AH TC TS TH QC QS QH QD JC JS JH JD AD TD"),
    ],
)
def test_the_order_of_trumps(trumps: Trumps, order: str) -> None:
    """1.2: each trump beats every later one and every plain card, whoever came first; hands are shown so."""
    rules, cards = fields(trumps=trumps), hand(order)
    plain = [card for card in hand("AC TC AS TS") if card not in cards]
    for place, high in enumerate(cards):
        for low in (*cards[place + 1 :], *plain):
            assert winning_place((high, low), rules) == 0
            assert winning_place((low, high), rules) == 1
    assert by_strength(PACK, rules) == (*cards, *plain)
    assert top_trumps(2, rules) == cards[:2]
    assert {suit_of(card, rules) for card in cards} == {"trump"}
    assert [suit_of(card, rules) for card in plain] == [card.suit for card in plain]


def test_the_pack_has_104_card_points() -> None:
    """1.1: aces 11, tens 10, queens 3, jacks 2."""
    assert eyes(PACK) == 104
    assert [eyes(hand(card)) for card in ("AC", "TS", "QH", "JD")] == [11, 10, 3, 2]


@settings(deadline=None, max_examples=300)
@given(rules=rule_sets(), pack=st.permutations(PACK), held=st.integers(1, 4), lying=st.integers(0, 3))
def test_duties_and_winner_agree_with_the_oracle(rules: RuleSet, pack: list[Card], held: int, lying: int) -> None:
    """For any hand, trick and rules the playable cards and the winning place are those of the naive rules."""
    cards, trick = pack[:held], pack[held : held + lying]
    plain, lain, oracle = [str(card) for card in cards], [str(card) for card in trick], naive_rules(rules)
    allowed = playable(cards, trick, rules)
    assert [str(card) for card in allowed] == naive.legal_cards(plain, lain, oracle)
    assert [card for card in cards if refusal(cards, trick, card, rules) is None] == list(allowed)
    if trick:
        assert winning_place(trick, rules) == naive.trick_winner(lain, oracle)


# --- the whole deal of the rules page -----------------------------------------------------------------------------

FORCED = {"AH": "AC TC TD", "QC": "TS JD", "TH": "QH AS", "TS": "JD"}  # card played -> cards of that hand refused then


@pytest.mark.parametrize("duty", VoidDuty)
def test_the_whole_deal(duty: VoidDuty) -> None:
    """7: under either void duty AH, QC, TH and TS are forced, and the tricks bring 27, 25, 33 and 19."""
    match = in_play(WHOLE_DEAL, fields(void_duty=duty))
    for card in WHOLE_PLAYS.split()[:12]:
        seat = match.running.turn
        if card in FORCED:
            assert all(refused(match, seat, f"play {other}") for other in FORCED[card].split())
            assert rules_of.legal(match, seat)[-1] == f"play {card}"
        match = played(match, card)
    assert match.deal is not None
    assert [card for trick in match.deal.tricks for card in trick.cards] == list(hand(WHOLE_PLAYS))
    assert [(trick.winner, eyes(trick.cards)) for trick in match.deal.tricks] == [(2, 27), (1, 25), (3, 33), (3, 19)]
    [line] = match.lines
    assert (line.kind, line.old, line.old_eyes, line.margin) == ("ordinary", (0, 3), 52, "boki")
    assert (line.won, line.value, line.points, line.money) == ("young", 1, (0, 1, 1, 0), (-1, 1, 1, -1))


@pytest.mark.parametrize("duty", VoidDuty)
@pytest.mark.parametrize(
    ("said", "won", "counted", "value"),
    [
        ("1 double 1", "old", 1, 2),  # the Young doubled last
        ("1 double 1, 2 double 2", "old", 1, 2),  # … though it does not count
        ("1 double 1, 3 double 2, 2 double 3", "old", 3, 8),
        ("0 double 1", "young", 1, 2),
        ("1 double 1, 3 double 2", "young", 2, 4),
        ("1 double 1, 0 double 2, 3 double 3", "young", 2, 4),
        ("1 double 1, 0 double 2, 2 double 3, 3 double 4", "young", 4, 16),
    ],
)
def test_the_whole_deal_with_doublings(duty: VoidDuty, said: str, won: str, counted: int, value: int) -> None:
    """6.3, 6.5: at 52:52 the side of the last doubling said loses; runs by one side count once."""
    match = in_play(WHOLE_DEAL, fields(void_duty=duty), f"{said}, 0 ask, - time over")
    [line] = played(match, " ".join(WHOLE_PLAYS.split()[:12])).lines
    assert (line.won, line.counted, line.value, line.margin) == (won, counted, value, "boki")
    assert sum(line.money) == 0


# --- what plays itself --------------------------------------------------------------------------------------------


def test_the_fourth_trick_plays_itself_and_nothing_before_it() -> None:
    """5.7: each of the first twelve cards is one event of its player; the last four follow the twelfth."""
    match = in_play(WHOLE_DEAL)
    for number, card in enumerate(WHOLE_PLAYS.split()[:12], start=1):
        step = (match.running.turn, f"play {card}")
        cards = [event for event in events_of(match, step) if isinstance(event, CardPlayed)]
        assert len(cards) == (5 if number == 12 else 1)
        assert (cards[0].seat, cards[0].card) == (step[0], card)
        match = after(match, [step])
    assert match.stage is Stage.BETWEEN


@pytest.mark.parametrize(
    ("plays", "seat", "action", "code"),
    [
        ("", 1, "play QD", "not_your_turn"),
        ("", 0, "play QD", "not_your_card"),
        ("AD", 0, "play JD", "not_your_turn"),
        ("AD", 1, "play AS", "must_follow"),
        ("AD QD", 2, "play TD", "must_beat"),
        ("AD QD AH JS", 2, "play AH", "not_your_card"),  # it was played
        ("AD QD AH JS", 3, "play JC", "not_your_turn"),  # the winner leads
        ("AD", 1, "ask", "not_in_calls"),
        ("AD", 1, "double 1", "not_in_calls"),
        ("AD", 1, "zolo", "not_in_calls"),
        ("AD", 1, "go on", "not_in_calls"),
        ("AD", 1, "play", "unknown_action"),
        ("AD", 1, "play XX", "unknown_action"),
        ("AD", 1, "play qd", "unknown_action"),
        ("AD", 1, "play QD ", "unknown_action"),
        ("AD", 1, "", "unknown_action"),
        ("AD", 1, "ready", "unknown_action"),
        (" ".join(WHOLE_PLAYS.split()[:12]), 0, "play AD", "no_deal_running"),
        (" ".join(WHOLE_PLAYS.split()[:12]), 0, "ask", "no_deal_running"),
    ],
)
def test_refusals_in_play(plays: str, seat: int, action: str, code: str) -> None:
    """What cannot be done in play is refused with its code."""
    assert refused(played(in_play(WHOLE_DEAL), plays), seat, action) == code


def test_only_the_seat_in_turn_is_offered_cards() -> None:
    """In play nobody but the seat in turn is offered anything."""
    match = played(in_play(WHOLE_DEAL), "AD QD")
    assert [rules_of.legal(match, seat) for seat in SEATS] == [(), (), ("play AH",), ()]
