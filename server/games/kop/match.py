"""A match of Kop: its deals one after another and its sheet, and how events change it.

Pure. What is decided stands in `decisions`. Source: docs/rules/kop.md.
"""

from dataclasses import dataclass
from typing import assert_never

from server.games.game import Millis, RuleViolation, Stage
from server.games.kop.auction import say
from server.games.kop.deal import (
    TIME_OVER,
    Deal,
    deal_out,
    with_card,
    with_lead_back,
    with_said,
    with_trick,
)
from server.games.kop.events import (
    AnswerTimeOver,
    Burned,
    CardPlayed,
    DealAnnulled,
    DealEvent,
    DealOffered,
    DealScored,
    Dealt,
    KopEvent,
    LeadTakenBack,
    MatchEnded,
    Opened,
    OpeningBegun,
    Said,
    TimeCalled,
    TrickTaken,
)
from server.games.kop.opening import (
    Opening,
    started,
    with_opened,
)
from server.games.kop.options import Terms
from server.games.kop.ruleset import RuleSet
from server.games.kop.scoring import Line
from server.games.values import changed


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the deal on offer, its opening, the deal in play or just played, and the sheet.

    `burned` are the deals annulled since the last one that was scored. `time_called`: no further deal begins.
    """

    terms: Terms
    offer: DealOffered | None = None
    opening: Opening | None = None
    deal: Deal | None = None
    lines: tuple[Line, ...] = ()
    burned: tuple[Burned, ...] = ()
    stage: Stage = Stage.BETWEEN
    time_called: bool = False

    @property
    def rules(self) -> RuleSet:
        """The rule set of all its deals."""
        return self.terms.rules

    @property
    def running(self) -> Deal:
        """The deal in play.

        Raises:
            RuleViolation: `no_deal_running`
        """
        if self.stage is not Stage.DEAL or self.deal is None or self.opening is not None:
            raise RuleViolation("no_deal_running")
        return self.deal

    @property
    def in_play(self) -> Deal | None:
        """The deal whose cards are out, if one is."""
        return self.deal if self.stage is Stage.DEAL and self.opening is None else None


def deadline(match: Match) -> Millis | None:
    """When the answer time, or the pause after the opening lead, runs out, while one runs."""
    if match.opening is not None:
        return match.opening.deadline
    running = match.in_play
    if running is None or not (running.in_calls or running.lead_lies):
        return None
    return None if running.auction.waved_through else running.auction.deadline


def prompt(match: Match) -> str:
    """Names the question: the deal on offer, the calls and questions so far, the cards played, or the rematch."""
    running = match.in_play
    if running is not None:
        calls = f"{running.number}c{running.auction.number}"
        return calls if running.in_calls else f"{calls}p{running.cards_played}"
    if match.offer is None:
        return "over"
    return f"{match.offer.number}o" if match.opening is not None else f"{match.offer.number}r"


def later(match: Match, millis: int) -> Match:
    """The match with whatever deadline it has so much later: the table stood still for so long."""
    if match.opening is not None:
        return changed(match, opening=changed(match.opening, deadline=Millis(match.opening.deadline + millis)))
    running = match.deal
    if running is None or running.auction.deadline is None:
        return match
    auction = changed(running.auction, deadline=Millis(running.auction.deadline + millis))
    return changed(match, deal=changed(running, auction=auction))


def evolve(match: Match, event: KopEvent) -> Match:
    """The match after an event."""
    match event:
        case CardPlayed() | TrickTaken() | Said() | AnswerTimeOver() | LeadTakenBack():
            return match if match.deal is None else changed(match, deal=evolve_deal(match.deal, event))
        case DealOffered():
            return changed(match, offer=event, stage=Stage.BETWEEN)
        case OpeningBegun():
            return changed(match, opening=started(event), stage=Stage.DEAL)
        case Opened():
            return match if match.opening is None else changed(match, opening=with_opened(match.opening, event))
        case Dealt():
            return changed(match, deal=_dealt(match, event), opening=None, stage=Stage.DEAL)
        case TimeCalled():
            return changed(match, time_called=True)
        case MatchEnded():
            return changed(match, stage=Stage.OVER, offer=None, opening=None)
        case DealScored(line=line):
            return changed(match, lines=(*match.lines, line), offer=None, burned=(), stage=Stage.BETWEEN)
        case DealAnnulled():
            burned = Burned(event.number, event.secret)
            return changed(match, burned=(*match.burned, burned), deal=None, offer=None, stage=Stage.BETWEEN)
        case _:
            assert_never(event)


def _dealt(match: Match, event: Dealt) -> Deal:
    return deal_out(event, match.rules.passes_to_close)


def evolve_deal(running: Deal, event: DealEvent) -> Deal:
    """The deal in play after an event."""
    match event:
        case CardPlayed(deadline=None):
            return with_card(running, event)
        case CardPlayed(deadline=due):
            auction = changed(running.auction, deadline=due, time_over=False)
            return with_card(changed(running, auction=auction), event)
        case Said(utterance=said, deadline=due):
            return with_said(running, say(running.auction, said, due), said.seat, str(said))
        case AnswerTimeOver():
            return with_said(running, changed(running.auction, time_over=True, deadline=None), None, TIME_OVER)
        case LeadTakenBack():
            return with_lead_back(running)
        case TrickTaken():
            return with_trick(running, event)
        case _:
            assert_never(event)
