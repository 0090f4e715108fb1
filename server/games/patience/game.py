"""The patiences as games of the catalogue: the contract of `server.games.game`, for one seat."""

from collections.abc import Mapping, Sequence
from typing import Final, get_args

from server.games.game import DayDeal, Millis, Moment, OptionValue, OwnParts, Part, Plain, RuleViolation, Seat, Stage
from server.games.patience import decisions, happenings, match, tally, view
from server.games.patience.archway import Archway
from server.games.patience.events import DealOver, PatienceEvent
from server.games.patience.hints import plain_hint
from server.games.patience.layout import Patience, Position
from server.games.patience.match import Match
from server.games.patience.options import PATIENCES, plain_options, terms
from server.games.patience.record import record

_NO_OWN: Final = OwnParts((), ((),), dict)


class PatienceGame:
    """One patience, for one player; others may watch and see the same."""

    seats = 1
    state_type = Match
    event_types = get_args(PatienceEvent)

    def __init__(self, name: str) -> None:
        self.name = name

    def new_match(self, options: Mapping[str, OptionValue]) -> Match:
        """A match on these terms; what is not named takes its default."""
        return Match(terms(self.name, options))

    def options(self, state: Match) -> Plain:
        """All options of a match."""
        return plain_options(state.terms)

    def begin(self, state: Match, label: str, moment: Moment) -> Sequence[PatienceEvent]:
        """Offers the first deal."""
        return decisions.begin(label)

    def begin_same_cards(self, label: str, seed: bytes) -> Sequence[PatienceEvent]:
        """Refused: each player of a patience has deals of his own."""
        raise RuleViolation("unknown_option")

    def check_ready(self, state: Match, seat: Seat, word: str) -> None:
        """Whether the player may ask for this deal: a new one, the last one again, or one by its number."""
        decisions.check_ready(state, word)

    def ready_words(self, state: Match, seat: Seat) -> Sequence[str]:
        """The deals that can be asked for, but for the numbers."""
        return decisions.ready_words(state)

    def deal(self, state: Match, words: Sequence[str], moment: Moment) -> Sequence[PatienceEvent]:
        """Deals what the player asked for."""
        return decisions.deal(state, words, moment)

    def deal_of_day(self, state: Match, day: DayDeal, moment: Moment) -> Sequence[PatienceEvent]:
        """Deals the deal of the day."""
        return decisions.deal_of_day(state, day, moment)

    def decide(self, state: Match, seat: Seat, action: str, moment: Moment) -> Sequence[PatienceEvent]:
        """A move, undo, redo, or the end of the deal."""
        return decisions.decide(state, action, moment)

    def run_out(self, state: Match, moment: Moment) -> Sequence[PatienceEvent]:
        """Nothing: a patience has no deadline."""
        return ()

    def annul(self, state: Match, moment: Moment) -> Sequence[PatienceEvent]:
        """Makes the running deal void and offers the next."""
        return decisions.annul(state)

    def finish(self, state: Match) -> Sequence[PatienceEvent]:
        """Ends the match."""
        return decisions.finish(state)

    def call_time(self, state: Match) -> Sequence[PatienceEvent]:
        """Refused: nobody plays a patience in a tournament."""
        raise RuleViolation("not_of_tournament")

    def abandon(self, state: Match, moment: Moment) -> Sequence[PatienceEvent]:
        """Gives the running deal up: it counts as not won."""
        return () if state.in_play is None else decisions.decide(state, "give_up", moment)

    def end(self, state: Match, moment: Moment) -> Sequence[PatienceEvent]:
        """Ends the match where it stands; a running deal is void."""
        return decisions.end(state)

    def evolve(self, state: Match, event: PatienceEvent) -> Match:
        """The match after an event."""
        return match.evolve(state, event)

    def later(self, state: Match, millis: int) -> Match:
        """The match with its running deal begun so much later: standing still is no playing time."""
        return match.later(state, millis)

    def awaited(self, state: Match) -> Sequence[Seat]:
        """The player, in a deal."""
        return () if state.in_play is None else (Seat(0),)

    def quiet(self, state: Match, seat: Seat) -> str | None:
        """None: nothing is done for the player."""
        return None

    def seen(self, state: Match, seat: Seat) -> Plain:
        """Nothing: no bot plays a patience."""
        return {}

    def hint(self, state: Match) -> Plain | None:
        """A useful move, from what lies open."""
        return None if state.in_play is None else plain_hint(state.rules, state.in_play.position)

    def puzzle(self, state: Match) -> tuple[Patience, Position]:
        """The rules and the position, hidden cards included, of a deal that is marked as helped."""
        if not state.running.helped:
            raise RuleViolation("not_marked")
        return state.rules, state.running.position

    def winnable(self, state: Match) -> Patience:
        """The rules; not for Archway, whose deals are decided too rarely."""
        if isinstance(state.rules, Archway):
            raise RuleViolation("not_winnable")
        return state.rules

    def acts(self, state: Match) -> int:
        """How much has happened in the deal, moves taken back too."""
        return 0 if state.deal is None else state.deal.acts

    def legal(self, state: Match, seat: Seat) -> Sequence[str]:
        """The player's moves, and what else he may do."""
        return decisions.legal(state)

    def offers(self, state: Match) -> Sequence[Sequence[str]]:
        """The moves of the only player."""
        return (decisions.legal(state),)

    def stage(self, state: Match) -> Stage:
        """How far the match is."""
        return state.stage

    def prompt(self, state: Match) -> str:
        """Names the question that stands."""
        return match.prompt(state)

    def deadline(self, state: Match) -> Millis | None:
        """None: a patience has no deadline."""
        return None

    def cards_out(self, state: Match) -> bool:
        """False: the player knows no card that watchers do not."""
        return False

    def running_deal(self, state: Match) -> int | None:
        """None: nobody plays a patience in a tournament."""
        return None

    def results(self, state: Match) -> Sequence[tuple[int, Sequence[int]]]:
        """Nothing is won from others."""
        return ()

    def finished_deals(self, state: Match) -> int:
        """The lines of the sheet."""
        return len(state.lines)

    def public(self, state: Match) -> Plain:
        """What everybody may know."""
        return view.public(state)

    def own(self, state: Match, seat: Seat) -> Plain:
        """Nothing beyond that."""
        return {}

    def parts(self, state: Match) -> tuple[Sequence[Part], OwnParts]:
        """One, since a position is small; and nothing for the only player."""
        return (Part((state,), view.public),), _NO_OWN

    def happening(self, event: PatienceEvent) -> Plain:
        """An event as everybody may see it."""
        return happenings.happening(event)

    def record(self, state: Match, event: PatienceEvent) -> Plain | None:
        """The record of a deal that this event has closed."""
        return record(state, event.line) if isinstance(event, DealOver) else None

    def sheet(self, state: Match) -> Plain:
        """The sheet of the match."""
        return view.sheet(state)

    def scores(self, state: Match, people: Sequence[Sequence[str]]) -> Mapping[str, Mapping[str, int]]:
        """Deals and wins of each player, those that count told apart; there are no points, and no money."""
        return tally.scores(state.lines, people)

    def money(self, state: Match, number: int) -> str:
        """So much: a patience is played for nothing."""
        return str(number)


GAMES: Final = tuple(PatienceGame(name) for name in PATIENCES)
"""A game of the catalogue for each patience."""
