"""Random rule sets, deals, and stories of deals, made so that they shrink to quiet and short ones.

A story is a deal with what was said and played. It is walked with the product's own `legal`; each
step is chosen by a number, and 0 chooses the quietest: the question, *go on*, *pass*, the first card.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from server.games.cards import Card
from server.games.game import Stage
from server.games.kop import decisions as rules_of
from server.games.kop import match as match_of
from server.games.kop.events import Hands
from server.games.kop.match import Match
from server.games.kop.play import PACK
from server.games.kop.ruleset import Calling, CichaGuard, Gathered, RuleSet, Trumps, VoidDuty, WeseleWhen
from tests.games.kop.scenes import SEATS, TIME_OVER, Step, after, dealt, fields, four_of

QUIET_WORDS = ("ask", "go on", "pass", "play", "time over")
LOUD_WORDS = ("wesele", "double", "double", "zolo")
CAPS = (None, 0, 1, 2, 3)
WAYS: list[dict[str, Any]] = [
    {},
    {"calling": Calling.IN_TURN, "passes_to_close": 3},
    {"calling": Calling.IN_TURN, "passes_to_close": 3, "late_calls": True},
    {"calling": Calling.IN_TURN, "passes_to_close": 4, "late_calls": True},
]
"""Ways of calling: open, and in turn as it is combined at tables."""


@dataclass(frozen=True)
class Story:
    """A deal: its rules, hands and dealer, and what was said and played."""

    rules: RuleSet
    hands: Hands
    dealer: int
    steps: tuple[Step, ...]

    def opening(self) -> Match:
        """The match with the cards just dealt."""
        return dealt(self.hands, self.dealer, self.rules)


def rule_sets() -> st.SearchStrategy[RuleSet]:
    """Every field, freely combined."""
    return st.sampled_from(WAYS).flatmap(_rule_sets)


def in_turn() -> st.SearchStrategy[RuleSet]:
    """The same with calls in turn."""
    return st.sampled_from(WAYS[1:]).flatmap(_rule_sets)


def _rule_sets(way: dict[str, Any]) -> st.SearchStrategy[RuleSet]:
    guard, flag, caps = st.sampled_from(CichaGuard), st.booleans(), st.sampled_from(CAPS)
    return st.builds(
        fields,
        trumps=st.sampled_from(Trumps),
        void_duty=st.sampled_from(VoidDuty),
        doubling_names=st.sampled_from([("kontra", "re", "bok", "słup"), ("kontra",), tuple("abcdef"), ()]),
        wesele_self_kontra=flag,
        cicha_first_kontra=flag,
        wesele_when=st.sampled_from(WeseleWhen),
        wesele_named_jack=flag,
        asked_bars_zolo=flag,
        cap_zolo=caps,
        cap_zolo_du=caps,
        cap_cicha=caps,
        cicha_top_cards=guard,
        cicha_dealer=guard,
        gathered=st.sampled_from(Gathered),
        **{name: st.just(value) for name, value in way.items()},
    )


def hands_from(pack: Sequence[Card], *, together: bool) -> Hands:
    """Four hands of a shuffled pack; `together` lays the black queens into one."""
    cards = list(pack)
    if together:
        home = cards.index(Card.QC) // 4 * 4
        place = next(place for place in range(home, home + 4) if cards[place] is not Card.QC)
        other = cards.index(Card.QS)
        cards[place], cards[other] = cards[other], cards[place]
    return four_of(cards[start : start + 4] for start in range(0, 16, 4))


def all_hands() -> st.SearchStrategy[Hands]:
    """Four hands; the black queens lie together more often than by chance."""
    return st.builds(lambda pack, together: hands_from(pack, together=together), st.permutations(PACK), st.booleans())


def walk(match: Match, choices: Sequence[int], most: int = 200) -> tuple[Step, ...]:
    """At most so many steps that the numbers choose; when they are used up, the quietest; to the deal's end."""
    story: list[Step] = []
    while match.stage is Stage.DEAL and len(story) < most:
        number = choices[len(story)] if len(story) < len(choices) else 0
        step = choose(match, number)
        story.append(step)
        match = after(match, [step])
    return tuple(story)


def choose(match: Match, number: int) -> Step:
    """The step that a number chooses: in four of five a quiet one, else a call, doublings more often than games."""
    steps: list[Step] = [(seat, action) for seat in SEATS for action in rules_of.legal(match, seat)]
    if match_of.deadline(match) is not None:
        steps.append(TIME_OVER)
    quiet = [step for step in steps if step[1].startswith(QUIET_WORDS)]
    loud = [step for step in steps if step not in quiet]
    if quiet and (number % 5 != 4 or not loud):
        return quiet[number // 5 % len(quiet)]
    kind = LOUD_WORDS[number // 5 % len(LOUD_WORDS)]
    pool = [step for step in loud if step[1].startswith(kind)] or loud
    return pool[number // 20 % len(pool)]


NUMBERS = st.lists(st.integers(0, 499), min_size=24, max_size=36)


@st.composite
def stories(draw: st.DrawFn, rules: st.SearchStrategy[RuleSet] | None = None) -> Story:
    """A deal played to its end under random rules."""
    chosen = draw(rule_sets() if rules is None else rules)
    hands, dealer, numbers = draw(all_hands()), draw(st.integers(0, 3)), draw(NUMBERS)
    return Story(chosen, hands, dealer, walk(dealt(hands, dealer, chosen), numbers))


def seeded_story(seed: int, rules: RuleSet) -> Story:
    """A story of a seed, for tests that need the same ones each time."""
    rng = random.Random(seed)
    hands = hands_from(rng.sample(PACK, 16), together=rng.random() < 0.5)
    dealer = rng.randrange(4)
    return Story(rules, hands, dealer, walk(dealt(hands, dealer, rules), [rng.randrange(500) for _ in range(30)]))
