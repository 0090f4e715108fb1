"""Who plays with whom, and what of it a viewer may know. Source: docs/rules/kop.md, "Sides".

The Old (starzy) are the holders of the black queens, the caller of a wesele and his partner, or
the one who is alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from server.games.cards import Card, hand
from server.games.game import Seat
from server.games.kop.auction import BLACK_QUEENS, JACKS, Utterance, Word

_QUEEN_OF_CLUBS, _QUEEN_OF_SPADES = hand("QC QS")

SEATS = (Seat(0), Seat(1), Seat(2), Seat(3))


class GameKind(StrEnum):
    """What is played: the called game, or without one the ordinary game or a silent solo."""

    ORDINARY = "ordinary"
    CICHA = "cicha"
    WESELE = "wesele"
    ZOLO = "zolo"
    ZOLO_DU = "zolo_du"


class Side(StrEnum):
    """The two sides of a deal."""

    OLD = "old"
    YOUNG = "young"


CALLED = {Word.WESELE: GameKind.WESELE, Word.ZOLO: GameKind.ZOLO, Word.ZOLO_DU: GameKind.ZOLO_DU}


@dataclass(frozen=True, slots=True)
class Contract:
    """What is played, who called it (or is alone in a cicha), and who are the Old."""

    kind: GameKind
    caller: Seat | None
    old: tuple[Seat, ...]

    @property
    def alone(self) -> bool:
        """Whether one plays against three."""
        return len(self.old) == 1

    def side(self, seat: Seat) -> Side:
        """The side of a seat."""
        return Side.OLD if seat in self.old else Side.YOUNG


def contract(standing: Utterance | None, dealt: Sequence[Sequence[Card]]) -> Contract:
    """The contract of a deal, from the game that stands and all four hands as dealt."""
    holder = {card: Seat(seat) for seat, cards in enumerate(dealt) for card in cards}
    if standing is None:
        old = tuple(sorted({holder[queen] for queen in BLACK_QUEENS}))
        if len(old) == 1:
            return Contract(GameKind.CICHA, old[0], old)
        return Contract(GameKind.ORDINARY, None, old)
    caller = standing.seat
    if standing.word is not Word.WESELE:
        return Contract(CALLED[standing.word], caller, (caller,))
    wanted = standing.jack or next(jack for jack in JACKS if holder[jack] != caller)
    return Contract(GameKind.WESELE, caller, tuple(sorted((caller, holder[wanted]))))


Known = tuple[Side | None, Side | None, Side | None, Side | None]


def known_sides(standing: Utterance | None, holder: Mapping[Card, Seat], viewer: Seat | None) -> Known:
    """The sides as far as they follow from what the viewer has seen; `holder` is who was dealt each seen card.

    A viewer has seen the cards that were played and, at a seat, his own hand. Without a call the
    sides are those of the game as it stands.
    """
    if standing is None:
        return _known_by_queens(holder.get(_QUEEN_OF_CLUBS), holder.get(_QUEEN_OF_SPADES), viewer)
    if standing.word is not Word.WESELE:
        return _sides((standing.seat,))
    partner = _known_partner(standing, holder)
    if partner is not None:
        return _sides((standing.seat, partner))
    known: list[Side | None] = [None] * 4
    known[standing.seat] = Side.OLD
    wanted = JACKS[:3] if standing.jack is None else (standing.jack,)
    if viewer is not None and viewer != standing.seat and viewer not in {holder.get(jack) for jack in wanted}:
        known[viewer] = Side.YOUNG  # the caller holds both queens, so the wanted jack is not the lowest
    return (known[0], known[1], known[2], known[3])


def _known_partner(standing: Utterance, holder: Mapping[Card, Seat]) -> Seat | None:
    """The partner in a wesele, if every higher jack is seen to be the caller's."""
    if standing.jack is not None:
        return holder.get(standing.jack)
    for jack in JACKS:
        seat = holder.get(jack)
        if seat != standing.seat:
            return seat
    return None


@cache
def _known_by_queens(clubs: Seat | None, spades: Seat | None, viewer: Seat | None) -> Known:
    """Without a call, from who is seen to have been dealt the queens."""
    seen = [seat for seat in (clubs, spades) if seat is not None]
    if len(seen) == 2:
        return _sides(seen)
    known: list[Side | None] = [None] * 4
    for seat in seen:
        known[seat] = Side.OLD
    if viewer is not None and viewer not in seen:
        known[viewer] = Side.YOUNG
    return (known[0], known[1], known[2], known[3])


def _sides(old: Sequence[Seat]) -> Known:
    first, second, third, fourth = [Side.OLD if seat in old else Side.YOUNG for seat in SEATS]
    return (first, second, third, fourth)
