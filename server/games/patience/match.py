"""A match of a patience: its deals one after another, and how events change it.

Pure. What is decided stands in `decisions`. The state of a deal is its cards, the moves made, and a cursor
into them: undo and redo move the cursor, and a position is what the moves before it lead to.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import assert_never

from server.games.game import Millis, RuleViolation, Stage
from server.games.patience.events import (
    DealAnnulled,
    DealOffered,
    DealOver,
    Dealt,
    Line,
    MatchEnded,
    Moved,
    PatienceEvent,
    Redone,
    SolverAsked,
    Undone,
)
from server.games.patience.layout import Patience, Position, is_foundation, move_of
from server.games.patience.options import Terms, switches_of


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal in play, or just played.

    `steps` are the moves made, and after the `cursor` those taken back. `acts` counts everything that
    happened; `moves` the player's moves, those taken back too.
    """

    origin: Dealt
    position: Position
    steps: tuple[str, ...] = ()
    cursor: int = 0
    acts: int = 0
    moves: int = 0
    auto: int = 0
    undos: int = 0
    helped: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the deal on offer, the deal in play or just played, and the sheet.

    `closed` is the deal of the sheet's last line, as it lay at its end.
    """

    terms: Terms
    offer: DealOffered | None = None
    deal: Deal | None = None
    lines: tuple[Line, ...] = ()
    stage: Stage = Stage.BETWEEN
    closed: Deal | None = None

    @property
    def rules(self) -> Patience:
        """The rules of all its deals."""
        return self.terms.rules

    @property
    def usual(self) -> bool:
        """Whether the rules are the usual ones, without a variant."""
        return dict(self.terms.variants) == switches_of(self.terms.game)

    @property
    def in_play(self) -> Deal | None:
        """The deal in play, if one is."""
        return self.deal if self.stage is Stage.DEAL else None

    @property
    def running(self) -> Deal:
        """The deal in play.

        Raises:
            RuleViolation: `no_deal_running`
        """
        if self.in_play is None:
            raise RuleViolation("no_deal_running")
        return self.in_play


def prompt(match: Match) -> str:
    """Names the question: the deal and how much has happened in it, the deal on offer, or the end."""
    if match.in_play is not None:
        return f"{match.in_play.origin.deal}m{match.in_play.acts}"
    return "over" if match.offer is None else f"{match.offer.deal}r"


def evolve(match: Match, event: PatienceEvent) -> Match:
    """The match after an event."""
    match event:
        case DealOffered():
            return replace(match, offer=event)
        case Dealt():
            return replace(match, deal=Deal(event, first_position(match.rules, event)), stage=Stage.DEAL)
        case Moved() | Undone() | Redone() | SolverAsked():
            if match.deal is None:
                return match
            return replace(match, deal=_evolved(match.rules, match.deal, event))
        case DealOver(line=line):
            return replace(match, lines=(*match.lines, line), offer=None, stage=Stage.BETWEEN, closed=match.deal)
        case DealAnnulled():
            return replace(match, deal=None, offer=None, stage=Stage.BETWEEN)
        case MatchEnded():
            return replace(match, offer=None, stage=Stage.OVER)
        case _:
            assert_never(event)


def _evolved(rules: Patience, deal: Deal, event: Moved | Undone | Redone | SolverAsked) -> Deal:
    deal = replace(deal, acts=deal.acts + 1)
    match event:
        case Moved():
            return replace(
                deal,
                position=rules.play(deal.position, move_of(event.move)),
                steps=(*deal.steps[: deal.cursor], event.move),
                cursor=deal.cursor + 1,
                moves=deal.moves + (not event.auto),
                auto=deal.auto + event.auto,
            )
        case Undone():
            back = replace(deal, cursor=deal.cursor - 1, undos=deal.undos + 1)
            return replace(back, position=position_at(rules, back, back.cursor))
        case Redone():
            position = rules.play(deal.position, move_of(event.move))
            return replace(deal, position=position, cursor=deal.cursor + 1)
        case SolverAsked():
            return replace(deal, helped=True)
        case _:
            assert_never(event)


def later(match: Match, millis: int) -> Match:
    """The match after it stood still for so long: the running deal was begun so much later.

    But for a deal of the day: who looks at its cards while his table stands still has that time, too.
    """
    if match.in_play is None or match.in_play.origin.day:
        return match
    origin = match.in_play.origin
    moved = replace(origin, at=Millis(origin.at + millis))
    return replace(match, deal=replace(match.in_play, origin=moved))


@lru_cache(maxsize=256)
def first_position(rules: Patience, dealt: Dealt) -> Position:
    """The position in which the player begins."""
    return rules.start(rules.lay(dealt.pack, int(dealt.number), keep_twins=dealt.keep_twins))


def position_at(rules: Patience, deal: Deal, cursor: int) -> Position:
    """The position to which the first so many moves lead."""
    position = first_position(rules, deal.origin)
    for step in deal.steps[:cursor]:
        position = rules.play(position, move_of(step))
    return position


def cards_out(rules: Patience, position: Position) -> int:
    """How many cards lie on the foundations."""
    pairs = zip(rules.piles, position.piles, strict=True)
    return sum(len(cards) for pile, cards in pairs if is_foundation(pile))
