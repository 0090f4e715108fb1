"""Blindness as a property of a story: nobody can tell deals apart that agree with all he may know.

For a viewer at a point of the story the cards he has not seen are dealt anew among the other seats,
so that everything said and played stays legal. The same actions are then carried out with that deck
under the same secret on offer. Whatever the viewer is sent must be the same: what everybody is shown
and told, what his seat is shown and offered, and the code of every refusal he can provoke. So it is
for a bot in his seat, and for the clock that acts for him.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from server.games.cards import Card
from server.games.game import Millis, Moment, OptionValue, Plain, RuleViolation, Seat
from server.games.kop.deal import Deal
from server.games.kop.events import CardPlayed, DealOffered, Dealt, Hands, Said
from server.games.kop.play import PACK
from server.games.kop.ruleset import RuleSet
from server.table import codec, evolution, rules, sheets, view
from server.table.codec import LogLine
from server.table.commands import Act, BotActs, NoteAbsent, RunOut, TakeSeat
from server.table.events import Choice, Paused
from server.table.ids import PlayerId
from server.table.state import Table
from tests.games.kop import naive
from tests.games.kop.scenes import SEATS, Step, deck_of, four_of, naive_hands, naive_rules
from tests.games.kop.strategies import Story
from tests.table.scenes import CANDIDATES, Log, outcome, sitter, with_rules
from tests.table.tournaments import DUPLICATE, opened

NOW = Millis(2_000_000_000_000)
MOMENT = Moment(NOW, bytes(32))
TRIES = 50
CLOCKS: dict[str, OptionValue] = {"clock_seconds": 600, "clock_bank": 60}


def _seated(**options: OptionValue) -> Log:
    return Log().open("CODE", **options).sit("bcd")


COMPANIES: Final[dict[str, Callable[[], Log]]] = {
    "people": _seated,
    "clocks": lambda: _seated(**CLOCKS),
    "bots": lambda: Log().open("CODE", **CLOCKS).seat_bot(1).seat_bot(3).sit("c"),
    "stand-ins": lambda: _seated(on_absence="bot", **CLOCKS).away("b").away("d"),
    "a vote": lambda: _seated(on_absence="vote", **CLOCKS).away("c").vote("a", 2, Choice.BOT),
    "the same cards as others": lambda: opened("abcd", DUPLICATE, rules="klassisch", **CLOCKS),
    "the clock for who is away": lambda: _seated(on_absence="clock", **CLOCKS).away("a").away("b"),
}
"""Who sits there: people, bots of the server, people who are away, with and without clocks."""


@dataclass(frozen=True)
class Point:
    """A point of a story: the table there, and what everybody was told on the way."""

    table: Table
    told: tuple[Plain | None, ...]


@dataclass
class Stage:
    """Where a story is played: a table at which everybody is ready for a deal under its rules."""

    story: Story
    company: str = "people"

    @cached_property
    def table(self) -> Table:
        """The table, with the deal of the story's dealer on offer."""
        log = COMPANIES[self.company]()
        offer = log.match.offer
        assert isinstance(offer, DealOffered)
        table = evolution.evolve(log.table, replace(offer, dealer=Seat(self.story.dealer)))
        return with_rules(table, self.story.rules)

    def play(self, hands: Hands, steps: Sequence[Step]) -> Iterator[Point]:
        """The points of the story with these hands: after the deal and after each step, a second later each.

        Who was away when the cards were dealt is away again after everything he does.

        Raises:
            RuleViolation: a step is not allowed with these hands.
        """
        away = [there.player for absence in self.table.absences if (there := self.table.seats[absence.seat])]
        event = Dealt(1, Seat(self.story.dealer), 8, deck_of(hands, self.story.dealer))
        now = NOW
        table = _settled(self.table, [event], now)
        told: tuple[Plain | None, ...] = (view.happening(table, event),)
        yield Point(table, told)
        for step in steps:
            command = _command(table, step)
            now = Millis(now + 1000)
            if isinstance(command, RunOut):
                now = max(now, table.game.deadline(table.play) or now)
            for one in (command, *map(NoteAbsent, away)):
                happened = rules.decide(table, one, Moment(now, bytes(32)))
                table = _settled(table, happened, now)
                told = (*told, *(view.happening(table, event) for event in happened))
            yield Point(table, told)


def _command(table: Table, step: Step) -> Act | BotActs | RunOut:
    """The command that makes a step: of the clock, of a bot, or of a player."""
    seat, action = step
    if seat is None:
        return RunOut(table.prompt)
    if table.played_by_bot(seat):
        return BotActs(seat, table.prompt, action)
    return Act(_player(table, seat), table.prompt, action)


def _settled(before: Table, events: Sequence[Any], now: Millis) -> Table:
    """The table after an entry with these events."""
    line = LogLine(before.version + 1, now, "", 0, "", None, tuple(events), b"")
    return codec.settled(before, codec.evolved(before, events), line)


def _player(table: Table, seat: Seat) -> PlayerId:
    there = table.seats[seat]
    assert there is not None
    return there.player


def assert_blind(story: Story, seed: int, company: str = "people") -> None:
    """Fails if some viewer could tell a deal from another at some point of the story, its end left out."""
    stage, rng = Stage(story, company), random.Random(seed)
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
        "sheet": sheets.sheet(table),
        "deadline": table.deadline,
        "lifetime": table.lifetime,
        "seat": outcome(table, TakeSeat(sitter("e"), None), MOMENT),
    }
    if viewer is not None:
        player = _player(table, viewer)
        seen["own"] = view.own(table, viewer)
        seen["answers"] = {action: _answer(table, Act(player, table.prompt, action)) for action in CANDIDATES}
    return seen if table.clock is None else {**seen, **_seen_beside(table, viewer)}


def _seen_beside(table: Table, viewer: Seat | None) -> dict[str, Any]:
    """What the table adds to its game: who is waited for, what the clock and bots do, what there is in a pause."""
    paused = evolution.evolve(table, Paused(None, NOW))
    seen: dict[str, Any] = {
        "evening": sheets.evening(table),
        "awaited seats": table.awaited,
        "clocked seats": table.clocked,
        "stroke of the clock": _stroke(table, viewer),
        "pause": view.public(paused),
    }
    if viewer is not None:
        seen["own in a pause"] = view.own(paused, viewer)
        seen["answer in a pause"] = outcome(paused, Act(_player(table, viewer), table.prompt, "play QC"), MOMENT)
        seen["deal as a bot is given it"] = table.game.seen(table.play, viewer)
    if viewer is not None and table.played_by_bot(viewer):
        tried = {action: BotActs(viewer, table.prompt, action) for action in CANDIDATES}
        seen["answers to a bot"] = {action: outcome(table, command, MOMENT) for action, command in tried.items()}
    return seen


def _stroke(table: Table, viewer: Seat | None) -> list[Any]:
    """What the clock does when the time of whoever is awaited is over; of another seat's card only that it comes."""
    if table.deadline is None:
        return []
    late = Millis(max(time for time in (*table.due, table.deadline) if time is not None))
    events = rules.decide(table, RunOut(table.prompt), Moment(late, bytes(32)))
    known: list[Any] = []
    for event in events[:2]:
        theirs = isinstance(event, CardPlayed) and event.seat != viewer
        known.append(CardPlayed if theirs else event)
    return known


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
