"""Blindness as a property of a story: nobody can tell deals apart that agree with all he may know.

For a viewer at a point of the story the cards he has not seen are dealt anew among the other seats,
so that everything said and played stays legal. The same actions are then carried out with that deck
under the same secret on offer. Whatever the viewer is sent must be the same: what everybody is shown
and told, what his seat is shown and offered, and the code of every refusal he can provoke.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from server.games.cards import Card
from server.games.game import Millis, Moment, Plain, RuleViolation, Seat
from server.games.kop.deal import Deal
from server.games.kop.events import CardPlayed, DealOffered, Dealt, Hands, Said
from server.games.kop.play import PACK
from server.games.kop.ruleset import RuleSet
from server.table import rules, view
from server.table.commands import Act, RunOut, TakeSeat
from server.table.state import Table
from tests.games.kop import naive
from tests.games.kop.scenes import SEATS, Step, deck_of, four_of, naive_hands, naive_rules
from tests.games.kop.strategies import Story
from tests.table.scenes import CANDIDATES, Log, outcome, sitter, with_rules

LETTERS = "abcd"
NOW = Millis(2_000_000_000_000)
MOMENT = Moment(NOW, bytes(32))
TRIES = 50


@dataclass(frozen=True)
class Point:
    """A point of a story: the table there, and what everybody was told on the way."""

    table: Table
    told: tuple[Plain | None, ...]


@dataclass
class Stage:
    """Where a story is played: a table at which everybody is ready for a deal under its rules."""

    story: Story

    @cached_property
    def table(self) -> Table:
        """The table, with the deal of the story's dealer on offer."""
        log = Log().open("CODE").sit("bcd")
        offer = log.match.offer
        assert isinstance(offer, DealOffered)
        table = rules.evolve(log.table, replace(offer, dealer=Seat(self.story.dealer)))
        return with_rules(table, self.story.rules)

    def play(self, hands: Hands, steps: Sequence[Step]) -> Iterator[Point]:
        """The points of the story with these hands: after the deal and after each step.

        Raises:
            RuleViolation: a step is not allowed with these hands.
        """
        event = Dealt(1, Seat(self.story.dealer), 8, deck_of(hands, self.story.dealer))
        table = rules.evolve(self.table, event)
        told: tuple[Plain | None, ...] = (view.happening(table, event),)
        yield Point(table, told)
        for seat, action in steps:
            if seat is None:
                assert table.deadline is not None
                happened = rules.decide(table, RunOut(table.prompt), Moment(table.deadline, bytes(32)))
            else:
                happened = rules.decide(table, Act(sitter(LETTERS[seat]).player, table.prompt, action), MOMENT)
            for event in happened:
                table = rules.evolve(table, event)
            told = (*told, *(view.happening(table, event) for event in happened))
            yield Point(table, told)


def assert_blind(story: Story, seed: int) -> None:
    """Fails if some viewer could tell a deal from another at some point of the story, its end left out."""
    stage, rng = Stage(story), random.Random(seed)
    for length, point in enumerate(stage.play(story.hands, story.steps[:-1])):
        for viewer in (None, *SEATS):
            other = redealt(point.table.play.deal, story.rules, viewer, rng)
            if other is None or other == story.hands:
                continue
            try:
                *_, there = stage.play(other, story.steps[:length])
            except RuleViolation as refusal:
                raise AssertionError(f"seat {viewer}: legal here, {refusal.code} with {other}") from None
            assert there.told == point.told, f"seat {viewer} is told otherwise with {other}"
            here, seen = seen_by(point.table, viewer), seen_by(there.table, viewer)
            for part, value in here.items():
                assert seen[part] == value, f"seat {viewer} sees another {part} with {other}"


def seen_by(table: Table, viewer: Seat | None) -> dict[str, Any]:
    """All that a viewer can find out at a table: what is sent, and how each attempt is answered."""
    seen: dict[str, Any] = {
        "public": view.public(table),
        "sheet": view.sheet(table),
        "deadline": table.deadline,
        "lifetime": table.lifetime,
        "seat": outcome(table, TakeSeat(sitter("e"), None), MOMENT),
    }
    if viewer is not None:
        player = sitter(LETTERS[viewer]).player
        seen["own"] = view.own(table, viewer)
        seen["answers"] = {action: _answer(table, Act(player, table.prompt, action)) for action in CANDIDATES}
    return seen


def _answer(table: Table, command: Act) -> str | list[Millis | None]:
    """The code of a refusal, or what deadlines an accepted action sets."""
    try:
        events = rules.decide(table, command, MOMENT)
    except RuleViolation as refusal:
        return refusal.code
    return [event.deadline for event in events if isinstance(event, Said | CardPlayed)]


def redealt(deal: Deal, rule_set: RuleSet, viewer: Seat | None, rng: random.Random) -> Hands | None:
    """Other hands as dealt that agree with the viewer's and with all that was said and played; None: none found."""
    said: list[naive.Said] = [(one.seat, str(one)) for one in deal.auction.said]
    oracle = naive_rules(rule_set)
    plays = [card.value for trick in deal.tricks for card in trick.cards] + [card.value for card in deal.trick]
    first = (deal.dealer + 1) % 4
    turns = naive.turns(first, plays, oracle)
    held: list[list[Card]] = [[] for _ in SEATS]
    for seat, card in [*((seat, Card(card)) for seat, card, _ in turns), *((first, card) for card in deal.shown)]:
        if card not in held[seat]:
            held[seat].append(card)
    if viewer is not None:
        held[viewer] = list(deal.dealt[viewer])
    unseen = [card for card in PACK if not any(card in cards for cards in held)]
    rooms = {card: _room(card, turns, said, oracle) for card in unseen}
    for _ in range(TRIES):
        hands = _filled(held, sorted(rng.sample(unseen, len(unseen)), key=lambda card: len(rooms[card])), rooms, rng)
        if hands is None:
            return None
        if naive.calls_agree(naive_hands(hands), said, oracle):
            assert naive.plays_are_legal(naive_hands(hands), first, plays, oracle)
            return hands
    return None


def _room(
    card: Card, turns: list[tuple[int, str, list[str]]], said: list[naive.Said], oracle: naive.Rules
) -> list[int]:
    """The seats where an unseen card may lie: it was never the card to be played there, and a wesele stays one."""
    bad = {seat for seat, played, before in turns if played not in naive.legal_cards([played, card], before, oracle)}
    callers = {seat for seat, words in said if words.startswith("wesele")}
    if card in (Card.QC, Card.QS) and callers:
        bad |= set(range(4)) - {seat for seat in callers if seat is not None}
    return [seat for seat in range(4) if seat not in bad]


def _filled(
    held: Sequence[Sequence[Card]], cards: Sequence[Card], rooms: dict[Card, list[int]], rng: random.Random
) -> Hands | None:
    """The hands filled up at random with these cards, each where there is room."""
    if not cards:
        return four_of(held)
    card, rest = cards[0], cards[1:]
    for seat in rng.sample(rooms[card], len(rooms[card])):
        if len(held[seat]) < 4:
            more = [[*hand, card] if other == seat else hand for other, hand in enumerate(held)]
            found = _filled(more, rest, rooms, rng)
            if found is not None:
                return found
    return None
