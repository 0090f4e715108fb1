"""Burgvögtin (La Châtelaine, Lady of the Manor), two packs. Source: docs/rules/burgvoegtin.md.

Eight foundations go up from the aces, whatever the suits. Of four packets only the top cards are free, and
seen; of the arch, which is sorted by rank, every card is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.patience.cards import ACE, RANK, RANKS, Card, Cards
from server.games.patience.deals import dealing_order, places_of
from server.games.patience.layout import FOUNDATION, Move, Patience, Pile, Position, piles

PACKET: Final = 12
PACKETS: Final = ("packet1", "packet2", "packet3", "packet4")
ARCH: Final = tuple(f"arch{rank}" for rank in RANKS[1:])
NO_CARDS: Final[Cards] = ()


@dataclass(frozen=True, slots=True)
class Burgvoegtin(Patience):
    """The rules of Burgvögtin: the strict way, and the old way with open packets and the aces in the pack."""

    strict: bool = False
    open_packets: bool = False

    name: ClassVar[str] = "burgvoegtin"
    packs: ClassVar[int] = 2
    piles: ClassVar[tuple[Pile, ...]] = (
        *piles(FOUNDATION, range(1, 9)),
        *piles("packet", range(1, 5)),
        *piles("arch", RANKS[1:]),
    )

    def pack(self, number: int) -> Cards:
        """Both packs as shuffled, the aces first; with open packets the aces stay where they are."""
        return dealing_order(number, self.packs, () if self.open_packets else places_of("A", self.packs))

    def lay(self, pack: Cards, number: int, *, keep_twins: bool = False) -> Position:
        """The aces on the foundations, four packets of twelve, the rest sorted into the arch."""
        aces = 0 if self.open_packets else 8
        foundations: list[Cards] = [(card,) for card in pack[:aces]] or [NO_CARDS] * 8
        packets = [pack[aces + place : aces + 4 * PACKET : 4] for place in range(4)]
        rest = pack[aces + 4 * PACKET :]
        for ace in (card for card in rest if RANK[card] == ACE):
            foundations[foundations.index(NO_CARDS)] = (ace,)
        arch = [tuple(card for card in rest if RANKS.index(card[0]) == rank) for rank in range(1, 13)]
        return self.aces_out(Position((*foundations, *packets, *arch)))

    def aces_out(self, position: Position) -> Position:
        """The position after every ace on top of a packet went to the foundations, where the aces are in the pack."""
        if not self.open_packets:
            return position
        for packet in PACKETS:
            while (lies := self.cards(position, packet)) and RANK[lies[-1]] == ACE:
                position = self.after(position, packet, position.piles.index(NO_CARDS, 0, 8))
        return position

    def hidden(self, position: Position, pile: Pile) -> int:
        """Of a packet all but the top card lie face down."""
        if pile.kind != "packet" or self.open_packets:
            return 0
        return max(0, len(self.cards(position, pile.name)) - 1)

    def refusal(self, position: Position, move: Move) -> str | None:
        """The rule that forbids a move."""
        kind = self.kinds.get(move.source)
        if kind not in ("packet", "arch") or bool(move.place) != (kind == "arch") or move.target != FOUNDATION:
            return "unknown_action"
        card = self.moving(position, move)
        if card is None:
            return "pile_empty"
        if self.foundation(position, card) is None:
            return "does_not_fit"
        if self.strict and kind == "arch" and self._packet_fits(position):
            return "packet_first"
        return None

    def _packet_fits(self, position: Position) -> bool:
        tops = (self.cards(position, packet)[-1:] for packet in PACKETS)
        return any(self.foundation(position, top[0]) is not None for top in tops if top)

    def foundation(self, position: Position, card: Card) -> int | None:
        """The index of a foundation that takes a card."""
        for index, lies in enumerate(position.piles[:8]):
            if len(lies) == RANK[card] - 1:
                return index
        return None

    def candidates(self, position: Position) -> Iterator[Move]:
        """The packets' top cards and every card of the arch, to the foundations."""
        for packet in PACKETS:
            yield Move(packet, FOUNDATION)
        for arch in ARCH:
            for place in range(1, len(self.cards(position, arch)) + 1):
                yield Move(arch, FOUNDATION, place)

    def play(self, position: Position, move: Move) -> Position:
        """The position after a move; a bared ace goes out at once."""
        card = self.moving(position, move)
        assert card is not None
        target = self.foundation(position, card)
        assert target is not None
        return self.aces_out(self.after(position, move.source, target, move.place))

    def stuck(self, position: Position) -> bool:
        """Whether no free card fits on a foundation."""
        return not self.won(position) and not self.moves(position)

    def safe(self, position: Position) -> Move | None:
        """A packet's card that fits, if no other packet card has its rank; with the packets gone, any card."""
        packets = [self.cards(position, packet) for packet in PACKETS]
        if not any(packets):
            return next(iter(self.moves(position)), None)
        for packet, lies in zip(PACKETS, packets, strict=True):
            if lies and self.foundation(position, lies[-1]) is not None and self._last_of_rank(position, lies[-1]):
                return Move(packet, FOUNDATION)
        return None

    def _last_of_rank(self, position: Position, card: Card) -> bool:
        """Whether no other card of this rank lies in the packets: seen by what lies elsewhere."""
        rank = RANK[card]
        elsewhere = sum(len(lies) >= rank for lies in position.piles[:8])
        return elsewhere + len(self.cards(position, f"arch{RANKS[rank - 1]}")) == 7
