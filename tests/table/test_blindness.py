"""Nobody is shown, told, offered or refused anything that depends on cards he cannot know; planted leaks are found."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.game import Millis, Plain, RuleViolation, Seat
from server.games.kop import decisions, happenings
from server.games.kop import game as kop_game
from server.games.kop import match as match_rules
from server.games.kop import view as kop_view
from server.games.kop.auction import BLACK_QUEENS, JACKS
from server.games.kop.deal import Deal, with_card
from server.games.kop.events import CardPlayed, Said
from server.games.kop.match import Match
from server.games.kop.play import playable
from server.games.kop.quiet import quiet
from server.games.kop.ruleset import WOLSZTYN, RuleSet
from server.games.kop.seen import seen
from server.games.kop.sides import GameKind, Known
from server.table import rules as table_rules
from server.table import view as table_view
from server.table.commands import BotActs
from server.table.state import Table
from tests.games.kop.scenes import SEATS, fields
from tests.games.kop.strategies import Story, rule_sets, seeded_story, stories
from tests.table.blindness import COMPANIES, Stage, assert_blind, redealt

KLASSISCH = fields()
TOLD_UNDER = (KLASSISCH, fields(cicha_first_kontra=False), WOLSZTYN)
SEEDS = range(12)
Patch = Callable[[pytest.MonkeyPatch], None]


@settings(deadline=None, max_examples=40)
@given(story=stories(), seed=st.integers(0, 2**16))
def test_nobody_can_tell_deals_apart_under_any_rules(story: Story, seed: int) -> None:
    """For every seat and a spectator, at every point of a random deal, under random rules."""
    assert_blind(story, seed)


@settings(deadline=None, max_examples=20)
@given(
    story=stories(rule_sets().filter(lambda rules: bool(rules.doubling_names))),
    seed=st.integers(0, 2**16),
    company=st.sampled_from(sorted(set(COMPANIES) - {"people"})),
)
def test_nobody_can_tell_deals_apart_in_any_company(story: Story, seed: int, company: str) -> None:
    """With bots in seats, stand-ins, votes, clocks, and in a pause; a bot sees no more than its seat does."""
    assert_blind(story, seed, company)


@settings(deadline=None, max_examples=40)
@given(story=stories(st.just(KLASSISCH)), seed=st.integers(0, 2**16))
def test_nobody_can_tell_deals_apart_in_klassisch(story: Story, seed: int) -> None:
    """The same under the rules of the seed."""
    assert_blind(story, seed)


@settings(deadline=None, max_examples=40)
@given(story=stories(st.just(WOLSZTYN)), seed=st.integers(0, 2**16))
def test_nobody_can_tell_deals_apart_in_wolsztyn(story: Story, seed: int) -> None:
    """The same with calls in turn and late calls; a card that was led and taken back stays the leader's."""
    assert_blind(story, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_stories_of_the_seeds_are_blind(seed: int) -> None:
    """The stories in which the leaks below are found: without a leak nothing is found."""
    for rules in TOLD_UNDER:
        assert_blind(seeded_story(seed, rules), seed)
        assert_blind(seeded_story(seed, rules), seed, sorted(COMPANIES)[seed % len(COMPANIES)])


def test_the_other_deals_are_others() -> None:
    """The property is not empty: nearly always there is another deal, and it moves the queens and the jacks."""
    moved, found, points = 0, 0, 0
    rng = random.Random(1)
    for seed in SEEDS:
        story = seeded_story(seed, KLASSISCH)
        for point in Stage(story).play(story.hands, story.steps[:-1]):
            for viewer in (None, *SEATS):
                points += 1
                other = redealt(point.table.play.deal, story.rules, viewer, rng)
                if other is not None and other != story.hands:
                    found += 1
                    moved += _telling(other) != _telling(story.hands)
    assert found > 0.7 * points
    assert moved > 0.5 * points


def _telling(hands: Sequence[Sequence[Any]]) -> list[set[Any]]:
    return [{*BLACK_QUEENS, *JACKS} & set(cards) for cards in hands]


# --- planted leaks ------------------------------------------------------------------------------------------------


def public_with(part: Callable[[Match, Deal], Any]) -> Patch:
    """A leak into what everybody is shown while a deal runs."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = kop_view.public

        def leaky(match: Match) -> Plain:
            deal = match.deal
            return honest(match) if deal is None else {**honest(match), "leak": part(match, deal)}

        patch.setattr(kop_view, "public", leaky)

    return plant


def own_with(part: Callable[[Match, Deal, Seat], Any]) -> Patch:
    """A leak into what a seat is shown."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        honest = kop_view.own

        def leaky(match: Match, seat: Seat) -> Plain:
            deal = match.deal
            return honest(match, seat) if deal is None else {**honest(match, seat), "leak": part(match, deal, seat)}

        patch.setattr(kop_view, "own", leaky)

    return plant


def shown_with(change: Callable[[Match, Deal, Seat | None], Plain]) -> Patch:
    """Something is shown otherwise to all (no seat) and to each seat, while cards are out."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        public, own = kop_view.public, kop_view.own

        def to_all(match: Match) -> Plain:
            return public(match) | ({} if match.in_play is None else change(match, match.in_play, None))

        def to_seat(match: Match, seat: Seat) -> Plain:
            return own(match, seat) | ({} if match.in_play is None else change(match, match.in_play, seat))

        patch.setattr(kop_view, "public", to_all)
        patch.setattr(kop_view, "own", to_seat)

    return plant


def _true_sides(deal: Deal) -> Known:
    first, second, third, fourth = (deal.contract().side(seat) for seat in SEATS)
    return first, second, third, fourth


def true_sides(_: Match, deal: Deal, __: Seat | None) -> Plain:
    """The sides are shown as they are: a wesele partner, or a cicha, is known too early."""
    return {"sides": _true_sides(deal)}


def early_partner(_: Match, deal: Deal, viewer: Seat | None) -> Plain:
    """The holder of a jack is shown that he is the partner though a higher jack may be the caller's."""
    played = deal.contract()
    known = viewer is not None and played.kind is GameKind.WESELE and viewer in played.old
    return {"sides": _true_sides(deal)} if known else {}


def exact_factor(match: Match, deal: Deal, _: Seat | None) -> Plain:
    """The doublings are counted by the true sides for everybody."""
    auction = deal.auction
    return {"doubling": kop_view._doubling(match.rules, auction.standing, auction.doublings, _true_sides(deal))}


def no_kontra_to_a_cicha(patch: pytest.MonkeyPatch) -> None:
    """Whoever wants to kontra a silent solo is refused."""
    honest = decisions._decide_utterance

    def leaky(match: Match, said: Any, moment: Any) -> Any:
        if match.running.contract().kind is GameKind.CICHA and str(said) == "double 1":
            raise RuleViolation("no_first_doubling")
        return honest(match, said, moment)

    patch.setattr(decisions, "_decide_utterance", leaky)


def kontra_not_offered_to_a_cicha(patch: pytest.MonkeyPatch) -> None:
    """Kontra is missing from every menu, while a silent solo is on."""
    honest = decisions.legal

    def leaky(match: Match, seat: Seat) -> tuple[str, ...]:
        cicha = match.deal is not None and match.deal.contract().kind is GameKind.CICHA
        return tuple(action for action in honest(match, seat) if not (cicha and action == "double 1"))

    patch.setattr(decisions, "legal", leaky)


def another_code(patch: pytest.MonkeyPatch) -> None:
    """A card that is not in hand is refused in other words when the left neighbour holds the ace of hearts."""
    honest = decisions._decide_card

    def leaky(match: Match, seat: Seat, card: Any, moment: Any) -> Iterator[Any]:
        running = match.running
        if card not in running.hands[seat] and "AH" in running.hands[(seat + 1) % 4]:
            raise RuleViolation("must_follow")
        yield from honest(match, seat, card, moment)

    patch.setattr(decisions, "_decide_card", leaky)


def shorter_answer_time(patch: pytest.MonkeyPatch) -> None:
    """The answer time is shorter when nobody could call a wesele."""
    honest = decisions._decide_utterance

    def leaky(match: Match, said: Any, moment: Any) -> Any:
        events = honest(match, said, moment)
        if match.running.contract().kind is GameKind.CICHA:
            return events
        return tuple(
            Said(event.utterance, Millis(event.deadline - 1000))
            if isinstance(event, Said) and event.deadline
            else event
            for event in events
        )

    patch.setattr(decisions, "_decide_utterance", leaky)


def telling_prompt(patch: pytest.MonkeyPatch) -> None:
    """The prompt counts the trumps of seat 0."""
    honest = match_rules.prompt

    def leaky(match: Match) -> str:
        deal = match.deal
        return honest(match) + ("" if deal is None or "AH" in deal.dealt[0] else "x")

    patch.setattr(match_rules, "prompt", leaky)


def forced_card_plays_itself(patch: pytest.MonkeyPatch) -> None:
    """5.7 broken: a card that is the only one allowed is played at once."""
    honest = decisions._tricks

    def leaky(running: Deal, played: CardPlayed, rules: RuleSet) -> Iterator[Any]:
        yield from honest(running, played, rules)
        after = with_card(running, played)
        if 0 < len(after.trick) < 3:
            allowed = playable(after.hands[after.turn], after.trick, rules)
            if len(allowed) == 1:
                yield CardPlayed(after.turn, allowed[0])

    patch.setattr(decisions, "_tricks", leaky)


def deck_in_the_happening(patch: pytest.MonkeyPatch) -> None:
    """The deal is told with its deck."""
    honest = happenings.happening

    def leaky(event: Any) -> Plain:
        return {**honest(event), "deck": list(getattr(event, "deck", ()))}

    patch.setattr(happenings, "happening", leaky)


def telling_pause(patch: pytest.MonkeyPatch) -> None:
    """The opening lead waits for late calls only while somebody has reason to double."""
    honest = decisions._pause

    def leaky(match: Match, running: Deal, moment: Any) -> Millis | None:
        cicha = running.contract().kind is GameKind.CICHA
        return None if cicha else honest(match, running, moment)

    patch.setattr(decisions, "_pause", leaky)


def card_taken_back_for_some(_: Match, deal: Deal, viewer: Seat | None) -> Plain:
    """The sides of a card that was taken back are told by who else holds a queen."""
    if viewer is not None:
        return {}
    return {"shown": [card for card in deal.shown if len(BLACK_QUEENS & set(deal.dealt[deal.leader])) == 1]}


LEAKS: dict[str, Patch] = {
    "another hand in the public part": public_with(lambda _, deal: [str(card) for card in deal.hands[0]]),
    "what is played in the public part": public_with(lambda _, deal: deal.contract().kind),
    "who may kontra in the public part": public_with(
        lambda match, deal: [
            seat for seat in SEATS if match.rules.cicha_first_kontra or not set(deal.dealt[seat]) >= BLACK_QUEENS
        ]
    ),
    "the left neighbour's hand in one's own": own_with(lambda _, deal, seat: list(deal.hands[(seat + 1) % 4])),
    "the order of play in one's own": own_with(
        lambda match, deal, _: len(playable(deal.hands[deal.turn], deal.trick, match.rules))
    ),
    "the true sides": shown_with(true_sides),
    "the wesele partner early": shown_with(early_partner),
    "the true factor": shown_with(exact_factor),
    "no kontra to a cicha": no_kontra_to_a_cicha,
    "kontra not offered to a cicha": kontra_not_offered_to_a_cicha,
    "another code": another_code,
    "a shorter answer time": shorter_answer_time,
    "a telling prompt": telling_prompt,
    "a telling pause": telling_pause,
    "a telling card": shown_with(card_taken_back_for_some),
    "a forced card plays itself": forced_card_plays_itself,
    "the deck in the happening": deck_in_the_happening,
}


def waits_for_callers(patch: pytest.MonkeyPatch) -> None:
    """The clock of a seat runs only while it has something to call."""
    honest = decisions.awaited

    def leaky(match: Match) -> tuple[Seat, ...]:
        deal = match.in_play
        found = honest(match)
        return found if deal is None else tuple(seat for seat in found if not BLACK_QUEENS & set(deal.dealt[seat]))

    patch.setattr(decisions, "awaited", leaky)


def clock_peeks(patch: pytest.MonkeyPatch) -> None:
    """The clock's card for a seat is one that the next seat cannot beat."""
    honest = quiet

    def leaky(match: Match, seat: Seat) -> str | None:
        deal = match.in_play
        cards = [action for action in decisions.legal(match, seat) if action.startswith("play")]
        if deal is None or len(cards) < 2:
            return honest(match, seat)
        return cards[len([card for card in deal.hands[(seat + 1) % 4] if card in JACKS]) % 2]

    patch.setattr(kop_game, "quiet", leaky)


def bot_is_shown_more(patch: pytest.MonkeyPatch) -> None:
    """A bot is given the hand of its left neighbour too."""
    honest = seen

    def leaky(match: Match, seat: Seat) -> Plain:
        return {**honest(match, seat), "left": list(match.running.dealt[(seat + 1) % 4])}

    patch.setattr(kop_game, "seen", leaky)


def bot_is_refused_otherwise(patch: pytest.MonkeyPatch) -> None:
    """A bot that asks for a card which it does not have learns where it is."""
    honest = table_rules._bot_acts

    def leaky(table: Table, command: BotActs, moment: Any) -> Any:
        left = table.play.running.hands[(command.seat + 1) % 4]
        if table.played_by_bot(command.seat) and command.action.removeprefix("play ") in left:
            raise RuleViolation("must_follow")
        return honest(table, command, moment)

    patch.setattr(table_rules, "_bot_acts", leaky)


def clock_shows_a_hand(patch: pytest.MonkeyPatch) -> None:
    """What is shown of the banks is less for who holds a black queen."""
    honest = table_view.public

    def leaky(table: Table) -> Plain:
        shown, deal = honest(table), table.play.in_play
        if shown["clock"] is None or deal is None:
            return shown
        bank = [len(BLACK_QUEENS & set(deal.dealt[seat])) for seat in SEATS]
        return {**shown, "clock": {**shown["clock"], "bank": bank}}

    patch.setattr(table_view, "public", leaky)


def public_in_a_pause(patch: pytest.MonkeyPatch) -> None:
    """While the table stands still the hands lie open."""
    honest = table_view.public

    def leaky(table: Table) -> Plain:
        shown, deal = honest(table), table.play.in_play
        if shown["pause"] is None or deal is None:
            return shown
        return {**shown, "pause": {**shown["pause"], "seat": list(deal.hands[0])}}

    patch.setattr(table_view, "public", leaky)


TABLE_LEAKS: dict[str, tuple[str, Patch]] = {
    "a clock that waits for callers only": ("clocks", waits_for_callers),
    "a clock that peeks": ("clocks", clock_peeks),
    "a clock that shows a hand": ("clocks", clock_shows_a_hand),
    "a bot that is shown more": ("bots", bot_is_shown_more),
    "a bot that is refused otherwise": ("stand-ins", bot_is_refused_otherwise),
    "a pause that shows a hand": ("clocks", public_in_a_pause),
}


@pytest.mark.parametrize(("company", "leak"), TABLE_LEAKS.values(), ids=TABLE_LEAKS.keys())
def test_a_planted_leak_of_the_table_is_found(company: str, leak: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for what the table adds to the game: clocks, bots, pauses."""
    told = [seeded_story(seed, rules) for seed in SEEDS for rules in TOLD_UNDER]
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=r"seat (None|\d)"):
        assert_all_blind(told, company)


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS.keys())
def test_a_planted_leak_is_found(leak: Patch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same property fails on a leak, in one of a few stories."""
    told = [seeded_story(seed, rules) for seed in SEEDS for rules in TOLD_UNDER]
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=r"seat (None|\d)"):
        assert_all_blind(told)


def assert_all_blind(told: Sequence[Story], company: str = "people") -> None:
    """The property, over some stories."""
    for number, story in enumerate(told):
        assert_blind(story, number, company)
