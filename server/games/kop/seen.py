"""All that one seat has seen in the running deal, as plain data, and the deal as it looks from there.

Bots get this and nothing else. It holds what the seat was shown and told: its own cards, and all that
was said and played in its order. Source: docs/rules/kop.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from server.games.cards import Card
from server.games.game import OptionValue, Plain, Seat
from server.games.kop.auction import utterance
from server.games.kop.deal import Deal, deal_out, left_of, trick_taken
from server.games.kop.decisions import legal
from server.games.kop.events import AnswerTimeOver, CardPlayed, DealEvent, Dealt, Hand, LeadTakenBack, Said
from server.games.kop.match import Match, evolve_deal
from server.games.kop.options import Terms, plain_options, terms
from server.games.kop.play import PLAY
from server.games.kop.ruleset import RuleSet
from server.games.kop.sides import SEATS, Known, known_sides


def seen(match: Match, seat: Seat) -> Plain:
    """What the seat has seen in the running deal, and what it may do now.

    Raises:
        RuleViolation: `no_deal_running`
    """
    running = match.running
    return {
        "seat": int(seat),
        "dealer": int(running.dealer),
        "hand": [str(card) for card in running.dealt[seat]],
        "acts": [[by, str(words)] for by, words in running.acts],
        "options": {name: str(value) if isinstance(value, str) else value for name, value in _options(match.terms)},
        "actions": [str(action) for action in legal(match, seat)],
    }


@dataclass(frozen=True, slots=True)
class Situation:
    """The running deal as one seat knows it: in `deal` only the hand of that seat is filled."""

    rules: RuleSet
    seat: Seat
    deal: Deal
    actions: tuple[str, ...]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards that the seat still holds."""
        return self.deal.hands[self.seat]

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that the seat may play now."""
        return tuple(Card(action.removeprefix(PLAY)) for action in self.actions if action.startswith(PLAY))

    @property
    def plays(self) -> list[tuple[Seat, Card, tuple[Card, ...]]]:
        """Each card played: by whom, and the cards that lay in its trick before it."""
        tricks = [(trick.leader, trick.cards) for trick in self.deal.tricks]
        tricks.append((self.deal.leader, self.deal.trick))
        return [
            (left_of(leader, place), card, cards[:place])
            for leader, cards in tricks
            for place, card in enumerate(cards)
        ]

    @property
    def holders(self) -> dict[Card, Seat]:
        """Who was dealt each card that the seat has seen, its own cards too."""
        found = {card: by for by, card, _ in self.plays}
        found.update((card, self.deal.auction.leader) for card in self.deal.shown)
        found.update((card, self.seat) for card in self.deal.dealt[self.seat])
        return found

    @property
    def sides(self) -> Known:
        """The sides as far as the seat knows them."""
        return known_sides(self.deal.auction.standing, self.holders, self.seat)


def situation(plain: Plain) -> Situation:
    """The deal as it looks from the seat that has seen this."""
    acts = [(None if by is None else Seat(by), str(words)) for by, words in plain["acts"]]
    return _followed(
        _rules(tuple(plain["options"].items())),
        Seat(plain["seat"]),
        Seat(plain["dealer"]),
        tuple(Card(card) for card in plain["hand"]),
        acts,
        tuple(plain["actions"]),
    )


def watched(match: Match, seat: Seat) -> Situation:
    """The same straight from a match: the deal as it looks from this seat.

    Raises:
        RuleViolation: `no_deal_running`
    """
    running = match.running
    return _followed(match.rules, seat, running.dealer, running.dealt[seat], running.acts, legal(match, seat))


def _followed(
    rules: RuleSet,
    seat: Seat,
    dealer: Seat,
    own: Hand,
    acts: Sequence[tuple[Seat | None, str]],
    actions: tuple[str, ...],
) -> Situation:
    empty = deal_out(Dealt(1, dealer, 1, ()), rules.passes_to_close)
    first, second, third, fourth = (own if one == seat else () for one in SEATS)
    hands = (first, second, third, fourth)
    deal = Deal(empty.origin, hands, hands, empty.auction, empty.leader)
    for by, words in acts:
        for event in _events(deal, by, words):
            deal = evolve_deal(deal, event)
        if len(deal.trick) == len(SEATS):
            deal = evolve_deal(deal, trick_taken(deal, rules))
    return Situation(rules, seat, deal, actions)


def _options(agreed: Terms) -> Iterable[tuple[str, OptionValue]]:
    return plain_options(agreed).items()


@lru_cache(maxsize=64)
def _rules(options: tuple[tuple[str, OptionValue], ...]) -> RuleSet:
    return terms(dict(options)).rules


def _events(deal: Deal, by: Seat | None, words: str) -> tuple[DealEvent, ...]:
    """What an act has brought about: it was legal, and is not checked again."""
    if by is None:
        return (AnswerTimeOver(),)
    said = utterance(by, words)
    if said is None:
        return (CardPlayed(by, Card(words.removeprefix(PLAY))),)
    if deal.lead_lies and said.number:
        return Said(said, None), LeadTakenBack(deal.leader, deal.trick[0])
    return (Said(said, None),)
