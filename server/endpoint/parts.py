"""The views of a table packed in parts, so that at each move only those are packed that have changed."""

from collections.abc import Sequence
from functools import lru_cache
from operator import is_

from protocol.codec import MAP_END, Encoding, Entries, begun_map, entry, next_key, pack, pack_entries, whole_map
from server.games.game import OwnParts, Part, Seat
from server.table import view
from server.table.state import Table


class PackedTable:
    """The views of one table in one encoding: as it was shown last."""

    __slots__ = ("_begun", "_encoding", "_of_play", "_of_table", "_own", "_play", "_public", "_seats", "_shown")

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._of_table = PackedParts(encoding)
        self._of_play = PackedParts(encoding)
        self._seats = _Seats(encoding)
        self._shown: Table | None = None
        self._play = Entries(0, b"")
        self._begun: Sequence[bytes] = ()
        self._public = b""
        self._own: list[bytes] = []

    def public(self, table: Table) -> bytes:
        """`view.public` of the table, encoded."""
        if self._shown is not table:
            self._show(table)
        return self._public

    def own(self, table: Table, seat: Seat) -> bytes:
        """`view.own` of a seat, encoded."""
        if self._shown is not table:
            self._show(table)
        return self._own[seat]

    def _show(self, table: Table) -> None:
        encoding, before = self._encoding, self._shown
        if before is None or before.play is not table.play or before.match != table.match or before.code != table.code:
            parts, own = view.play_parts(table)
            play = pack(None, encoding) if parts is None else whole_map(self._of_play.packed(parts), encoding)
            self._play = entry("play", play, encoding)
            self._begun = self._seats.begun(own, table.code)
        self._public = whole_map([*self._of_table.packed(view.public_parts(table)), self._play], encoding)
        end = next_key("prompt", encoding) + pack(table.prompt, encoding) + MAP_END[encoding]
        menus = view.offers(table)
        self._own = [
            begun + _menu(tuple(actions), encoding) + end for begun, actions in zip(self._begun, menus, strict=True)
        ]
        self._shown = table


@lru_cache(maxsize=1024)
def _menu(actions: tuple[str, ...], encoding: Encoding) -> bytes:
    """The actions of a seat, encoded: most often there are none, and the others come again and again."""
    return pack(actions, encoding)


class _Seats:
    """The own parts of the seats, up to the actions, as they were packed last, in one encoding."""

    __slots__ = ("_begun", "_code", "_encoding", "_parts")

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._parts = OwnParts((), (), dict)
        self._code: str | None = None
        self._begun: list[bytes] = []

    def begun(self, parts: OwnParts, code: str | None) -> Sequence[bytes]:
        """For each seat; kept as in `PackedParts`."""
        before, begun = self._parts, self._begun.copy()
        if (
            len(begun) != len(parts.each)
            or code != self._code
            or parts.make is not before.make
            or not all(map(is_, parts.shared, before.shared))
        ):
            begun = [self._begin(seat, code, parts) for seat in range(len(parts.each))]
        else:
            for seat, of in enumerate(parts.each):
                if not all(map(is_, of, before.each[seat])):
                    begun[seat] = self._begin(seat, code, parts)
        self._parts, self._code, self._begun = parts, code, begun
        return begun

    def _begin(self, seat: int, code: str | None, parts: OwnParts) -> bytes:
        play = parts.make(*parts.shared, *parts.each[seat])
        known = pack_entries({"seat": seat, "code": code, "play": play}, self._encoding)
        return begun_map((known,), "actions", self._encoding, later=1)


class PackedParts:
    """The parts of one map as they were packed last, in one encoding.

    A part is kept while it is made of the very same values. Since it is made of nothing else, and they
    are immutable, what is kept is what would be made.
    """

    __slots__ = ("_encoding", "_packed", "_parts")

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self._parts: Sequence[Part] = ()
        self._packed: list[Entries] = []

    def packed(self, parts: Sequence[Part]) -> Sequence[Entries]:
        """The entries of each part; there are always as many parts."""
        kept, packed = self._parts, self._packed.copy()
        if len(kept) != len(parts):
            kept, packed = parts, list(map(self._pack, parts))
        for place, part in enumerate(parts):
            of, make = part
            kept_of, kept_make = kept[place]
            if make is not kept_make or not all(map(is_, of, kept_of)):
                packed[place] = self._pack(part)
        self._parts, self._packed = parts, packed
        return packed

    def _pack(self, part: Part) -> Entries:
        return pack_entries(part.make(*part.of), self._encoding)
