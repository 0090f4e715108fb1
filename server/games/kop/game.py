"""Kop as a game of the catalogue: the contract of `server.games.game`."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from server.games.game import DayDeal, Millis, Moment, OptionValue, OwnParts, Part, Plain, RuleViolation, Seat, Stage
from server.games.kop import decisions, happenings, match, same_cards, view
from server.games.kop.events import DealScored, KopEvent
from server.games.kop.match import Match
from server.games.kop.options import plain_options, terms
from server.games.kop.quiet import quiet
from server.games.kop.record import record
from server.games.kop.seen import seen
from server.games.kop.tally import scores


class Kop:
    """Kop for four."""

    name = "kop"
    seats = 4
    state_type = Match
    event_types = get_args(KopEvent)

    def new_match(self, options: Mapping[str, OptionValue]) -> Match:
        """A match on these terms; what is not named takes its default."""
        return Match(terms(options))

    def options(self, state: Match) -> Plain:
        """All options of a match."""
        return plain_options(state.terms)

    def begin(self, state: Match, label: str, moment: Moment) -> Sequence[KopEvent]:
        """Draws the first dealer by lot and offers the first deal."""
        return decisions.begin(label, moment)

    def begin_same_cards(self, label: str, seed: bytes) -> Sequence[KopEvent]:
        """Offers the first deal of a round whose tables all play the same cards."""
        return (same_cards.offer(label, 1, seed),)

    def check_ready(self, state: Match, seat: Seat, word: str) -> None:
        """Whether the seat may cut so: only the dealer's right neighbour, 1 to 15 cards."""
        decisions.check_cut(state, seat, word)

    def ready_words(self, state: Match, seat: Seat) -> Sequence[str]:
        """The cuts that the seat may choose."""
        return decisions.cuts(state, seat)

    def deal(self, state: Match, words: Sequence[str], moment: Moment) -> Sequence[KopEvent]:
        """Deals the deck on offer, cut as said."""
        return decisions.deal(state, words, moment)

    def deal_of_day(self, state: Match, day: DayDeal, moment: Moment) -> Sequence[KopEvent]:
        """Refused: Kop has no deal of the day."""
        raise RuleViolation("no_daily")

    def decide(self, state: Match, seat: Seat, action: str, moment: Moment) -> Sequence[KopEvent]:
        """A call, a question, a *go on*, or a card."""
        return decisions.decide(state, seat, action, moment)

    def run_out(self, state: Match, moment: Moment) -> Sequence[KopEvent]:
        """Ends the answer time."""
        return decisions.run_out(state, moment)

    def annul(self, state: Match, moment: Moment) -> Sequence[KopEvent]:
        """Makes the running deal void and offers the next number."""
        return decisions.annul(state, moment)

    def finish(self, state: Match) -> Sequence[KopEvent]:
        """Ends an open-ended match."""
        return decisions.finish(state)

    def call_time(self, state: Match) -> Sequence[KopEvent]:
        """The deal in play is the last."""
        return decisions.call_time(state)

    def abandon(self, state: Match, moment: Moment) -> Sequence[KopEvent]:
        """Nothing: the hand stays with the seat."""
        return ()

    def end(self, state: Match, moment: Moment) -> Sequence[KopEvent]:
        """Ends the match where it stands."""
        return decisions.end(state)

    def evolve(self, state: Match, event: KopEvent) -> Match:
        """The match after an event."""
        return match.evolve(state, event)

    def later(self, state: Match, millis: int) -> Match:
        """The match with its answer time, its pause after the lead, or its opening so much longer."""
        return match.later(state, millis)

    def awaited(self, state: Match) -> Sequence[Seat]:
        """Who must ask, answer, speak or play."""
        return decisions.awaited(state)

    def quiet(self, state: Match, seat: Seat) -> str | None:
        """A question, a pass, *go on*, or a card."""
        return quiet(state, seat)

    def seen(self, state: Match, seat: Seat) -> Plain:
        """The hand as dealt, and all that was said and played."""
        return seen(state, seat)

    def hint(self, state: Match) -> Plain | None:
        """None: nobody helps with the cards."""
        return None

    def puzzle(self, state: Match) -> Any:
        """Refused: there is no help in a running deal."""
        raise RuleViolation("no_hint")

    def winnable(self, state: Match) -> Any:
        """Refused: nobody chooses the cards."""
        raise RuleViolation("not_winnable")

    def acts(self, state: Match) -> int:
        """How much was said and played."""
        return 0 if state.deal is None else len(state.deal.acts)

    def legal(self, state: Match, seat: Seat) -> Sequence[str]:
        """The seat's calls and cards."""
        return decisions.legal(state, seat)

    def offers(self, state: Match) -> Sequence[Sequence[str]]:
        """The calls and cards of all four."""
        return decisions.offers(state)

    def stage(self, state: Match) -> Stage:
        """How far the match is."""
        return state.stage

    def prompt(self, state: Match) -> str:
        """Names the question that stands."""
        return match.prompt(state)

    def deadline(self, state: Match) -> Millis | None:
        """When the answer time ends."""
        return match.deadline(state)

    def cards_out(self, state: Match) -> bool:
        """Whether the seats hold cards."""
        return state.in_play is not None

    def running_deal(self, state: Match) -> int | None:
        """The number of the deal in play."""
        return None if state.in_play is None else state.in_play.number

    def results(self, state: Match) -> Sequence[tuple[int, Sequence[int]]]:
        """The money of each line, in values."""
        return [(line.deal, line.money) for line in state.lines]

    def finished_deals(self, state: Match) -> int:
        """The lines of the sheet."""
        return len(state.lines)

    def public(self, state: Match) -> Plain:
        """What everybody may know."""
        return view.public(state)

    def own(self, state: Match, seat: Seat) -> Plain:
        """What the seat knows beyond that."""
        return view.own(state, seat)

    def parts(self, state: Match) -> tuple[Sequence[Part], OwnParts]:
        """What was agreed, the sheet, what was said, and what lies, each for itself; and the hand of each seat."""
        return view.parts(state)

    def happening(self, event: KopEvent) -> Plain:
        """An event as everybody may see it."""
        return happenings.happening(event)

    def record(self, state: Match, event: KopEvent) -> Plain | None:
        """The record of a deal that this event has scored."""
        return record(state, event) if isinstance(event, DealScored) else None

    def sheet(self, state: Match) -> Plain:
        """The score sheet."""
        return {
            "stake": view.stake(state.terms),
            "lines": [happenings.plain_line(line) for line in state.lines],
            "ledger": view.ledger(state),
        }

    def scores(self, state: Match, people: Sequence[Sequence[str]]) -> Mapping[str, Mapping[str, int]]:
        """Deals, points and money of each person, and how he won and lost."""
        return scores(state.lines, people)

    def money(self, state: Match, number: int) -> str:
        """So many values at this match's stake."""
        return view.amount(state.terms, number)
