"""A finished deal looked at again with open hands: what best play would have brought, and what each card cost.

The sides and the value are those of the game and the doublings as they were at the end; calls have no cost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from server.games.cards import Card
from server.games.game import Plain, Seat
from server.games.kop.deal import TRICKS, Deal
from server.games.kop.play import PLAY
from server.games.kop.record import BadRecord, Step, replay
from server.games.kop.ruleset import RuleSet
from server.games.kop.scoring import ALL_EYES, Line, Taken, score
from server.games.kop.solver import Position, best_eyes, eyes_by_card


@dataclass(frozen=True, slots=True)
class Finished:
    """A deal at its end, and what it would be worth had the Old other eyes."""

    deal: Deal
    rules: RuleSet

    @property
    def old(self) -> tuple[Seat, ...]:
        """The Old."""
        return self.deal.contract().old

    def line(self, old_eyes: int) -> Line:
        """The line of the sheet if the Old had so many eyes; with all of them they had every trick."""
        taken = Taken(old_eyes, TRICKS if old_eyes == ALL_EYES else 0)
        played, doublings = self.deal.contract(), self.deal.auction.doublings
        return score(self.deal.number, self.deal.dealer, played, taken, doublings, self.deal.dealt, self.rules)


def explain(plain: Plain) -> Plain:
    """What a record's deal was worth with best play of all four, and every choice of a card with its cost.

    `decisions` has, for each card that was played where another could have been: `act`, its place among
    the acts of the record; `seat` and `card`; `best`, the cards that keep most eyes for the seat's side;
    and what the card cost beside them, when all play their best from there on: `cost_eyes` of the side,
    and `cost_value`, the money of the seat. A lead that was taken back is none.

    Raises:
        BadRecord: it does not replay.
    """
    steps = replay(plain)
    end = steps[-1].match
    if end.deal is None:
        raise BadRecord("no deal")
    finished = Finished(end.deal, end.rules)
    best = best_eyes(Position(end.deal.dealt, end.deal.auction.leader), finished.old, end.rules)
    line = finished.line(best)
    return {
        "hands": [[str(card) for card in cards] for cards in end.deal.dealt],
        "old": [int(seat) for seat in finished.old],
        "best_eyes": best,
        "best_value": line.value,
        "best_won": str(line.won),
        "decisions": list(_decisions(steps, finished)),
    }


def _decisions(steps: Sequence[Step], finished: Finished) -> Iterator[Plain]:
    for act, (before, step) in enumerate(pairwise(steps)):
        if step.seat is None or not step.words.startswith(PLAY) or _taken_back(steps[act + 2 :]):
            continue
        running, old = before.match.running, finished.old
        position = Position(running.hands, running.leader, running.trick, running.taken(old).eyes)
        by_card = eyes_by_card(position, old, finished.rules)
        if len(by_card) > 1:
            yield _decision(act, step.seat, Card(step.words.removeprefix(PLAY)), by_card, finished)


def _taken_back(later: Sequence[Step]) -> bool:
    """Whether the card just played went back to its hand: a doubling came before the next card."""
    for step in later:
        if step.words.startswith(PLAY):
            return False
        if step.match.deal is not None and step.match.deal.in_calls:
            return True
    return False


def _decision(act: int, seat: Seat, card: Card, by_card: dict[Card, int], finished: Finished) -> Plain:
    best = max(by_card.values()) if seat in finished.old else min(by_card.values())
    money = [finished.line(eyes).money[seat] for eyes in (best, by_card[card])]
    return {
        "act": act,
        "seat": int(seat),
        "card": str(card),
        "best": [str(other) for other, eyes in by_card.items() if eyes == best],
        "cost_eyes": abs(best - by_card[card]),
        "cost_value": money[0] - money[1],
    }
