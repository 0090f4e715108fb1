"""The worlds that a bot imagines: all that agree with what it has seen, and no others."""

import random
from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from server.bots.kop.outlook import cards_of, look
from server.bots.kop.promise import promises
from server.bots.kop.worlds import Likely, draw
from server.games.kop.auction import BLACK_QUEENS
from server.games.kop.match import Match
from server.games.kop.ruleset import KLASSISCH, WOLSZTYN
from server.games.kop.seen import seen, situation, watched
from server.games.kop.sides import SEATS
from server.games.kop.solver import order_of
from tests.games.kop import naive
from tests.games.kop.scenes import WHOLE_DEAL, WHOLE_PLAYS, after, dealt, in_play, naive_hands, naive_rules, played
from tests.games.kop.strategies import Story, stories
from tests.games.kop.test_seen import points

ALL = 40_000
"""More than there can be: 34,650 ways to deal twelve cards to three."""


def worlds(match: Match, seat: int, count: int = ALL, seed: int = 1) -> dict[tuple[int, int, int, int], float]:
    """Worlds of a seat, each as likely as any other."""
    now = watched(match, SEATS[seat])
    alike = array("d", [1.0]) * 1820
    likely = Likely(promises(now.rules, leads=False).place, (alike, alike, alike, alike))
    return draw(now, order_of(now.rules), likely, count, random.Random(seed))


def test_before_anything_is_known_every_deal_of_the_unseen_cards_is_a_world() -> None:
    """Twelve cards to three seats: 34,650 worlds, one as likely as another."""
    found = worlds(dealt(WHOLE_DEAL), 2)
    assert len(found) == 34_650
    assert max(found.values()) == min(found.values())


@settings(max_examples=25, deadline=None)
@given(stories(), st.integers(0, 3))
def test_the_deal_as_it_is_is_among_the_worlds(story: Story, seat: int) -> None:
    """Whatever was said and played, and every world has it legal: each card and each call."""
    oracle, order = naive_rules(story.rules), order_of(story.rules)
    for match in points(story)[::5]:
        running = match.running
        found = worlds(match, seat)
        assert tuple(order.mask(cards) for cards in running.dealt) in found
        said: list[naive.Said] = [(one.seat, str(one)) for one in running.auction.said]
        plays = [str(card) for trick in running.tricks for card in trick.cards] + [str(c) for c in running.trick]
        for world in random.Random(seat).sample(sorted(found), min(20, len(found))):
            hands = naive_hands([cards_of(order, hand) for hand in world])
            assert sorted(card for cards in hands for card in cards) == sorted(naive.PACK)
            assert hands[seat] == [str(card) for card in cards_of(order, order.mask(running.dealt[seat]))]
            assert naive.plays_are_legal(hands, running.auction.leader, plays, oracle)
            assert naive.calls_agree(hands, said, oracle)


def test_the_worlds_are_all_that_agree() -> None:
    """After two tricks, as many as there are ways to deal the unseen cards that keep every card legal."""
    match = played(in_play(WHOLE_DEAL), " ".join(WHOLE_PLAYS.split()[:8]))
    running, oracle = match.running, naive_rules(KLASSISCH)
    plays = WHOLE_PLAYS.split()[:8]
    held = [
        [str(card) for card in cards if seat == 1 or str(card) in plays] for seat, cards in enumerate(running.dealt)
    ]
    unseen = [card for card in naive.PACK if all(card not in hand for hand in held)]
    expected = set()
    for order in _orders(unseen):
        hands = [list(hand) for hand in held]
        rest = list(order)
        for hand in hands:
            while len(hand) < 4:
                hand.append(rest.pop())
        if naive.plays_are_legal(hands, 0, plays, oracle):
            expected.add(tuple(frozenset(hand) for hand in hands))
    cards = order_of(KLASSISCH)
    found = {tuple(frozenset(map(str, cards_of(cards, hand))) for hand in world) for world in worlds(match, 1)}
    assert found == expected


def _orders(cards: list[str]) -> list[tuple[str, ...]]:
    from itertools import permutations

    return list(permutations(cards))


def test_a_caller_of_wesele_has_both_queens_and_a_first_kontra_denies_them() -> None:
    """The calls narrow the worlds: by the queens, and where a silent solo may not give the first doubling."""
    order = order_of(KLASSISCH)
    queens = order.mask(BLACK_QUEENS)
    hands = "QC QS AC TC / AH TH AS TS / QH QD JC JS / JH JD AD TD"
    assert all(world[0] & queens == queens for world in worlds(after(dealt(hands), "0 wesele"), 1))
    both = order_of(WOLSZTYN).mask(BLACK_QUEENS)
    kontra = after(dealt(WHOLE_DEAL, rules=WOLSZTYN), "0 ask, 1 double 1")
    assert not any(world[1] & both == both for world in worlds(kontra, 2))
    assert any(world[0] & both == both for world in worlds(after(dealt(WHOLE_DEAL, rules=WOLSZTYN), "0 ask"), 2))


def test_a_sample_is_like_the_whole() -> None:
    """In many drawn worlds a card lies with each other seat about as often, and the weights add up to 1."""
    match = dealt(WHOLE_DEAL)
    bit = order_of(KLASSISCH).mask(match.running.dealt[0][:1])
    found = worlds(match, 2, count=3_000)
    assert abs(sum(found.values()) - 1) < 1e-9
    for seat in (0, 1, 3):
        assert abs(sum(weight for world, weight in found.items() if world[seat] & bit) - 1 / 3) < 0.04


def test_who_called_a_solo_is_thought_to_be_strong() -> None:
    """After a zolo its caller has the ace of hearts in most worlds, and before it in a third of them."""
    order = order_of(KLASSISCH)
    hands = "AH TH QC QH / QS QD JS JD / AC TC JC JH / AS TS AD TD"
    ace = order.mask(dealt(hands).running.dealt[0][:1])

    def often(said: str) -> float:
        now = situation(seen(after(dealt(hands), said), SEATS[2]))
        outlook = look(now, 200, random.Random(1), suspicious=True)
        return sum(w for world, w in zip(outlook.worlds, outlook.weights, strict=True) if world[0] & ace)

    assert often("0 zolo") > 0.7
    assert 0.2 < often("") < 0.5
