"""The records of finished deals: what the game says of the deal, and who sat there at which table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from server.games.game import Millis, Plain
from server.table.affiliation import Affiliation
from server.table.events import Sitter
from server.table.ids import PlayerId, RecordId
from server.table.state import Table


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A record as it is kept: who may read it if it is private, and what stands in it."""

    id: RecordId
    private: bool
    readers: tuple[PlayerId, ...]
    plain: Plain

    @property
    def of_round(self) -> tuple[str, int] | None:
        """The tournament's id and the round, where all tables of the round play these cards."""
        where = self.plain.get("tournament")
        return (where["tournament"], where["round"]) if where is not None and where["duplicate"] else None

    def readable_by(self, player: PlayerId) -> bool:
        """Whether this player may read it without having been given it."""
        return not self.private or player in self.readers


def records(table: Table, before: Table | None, events: Sequence[Any], at: Millis) -> tuple[DealRecord, ...]:
    """The records of the deals that the table's newest entry has finished; at most one.

    Who gave up a seat in that deal, as the table `before` knows, may read it too.
    """
    left = () if before is None else tuple(sitter for sitter, _ in before.saw)
    game, play = table.game, table.play
    return tuple(
        [_record(table, plain, at, left) for event in events if (plain := game.record(play, event)) is not None]
    )


def _record(table: Table, plain: Plain, at: Millis, left: Sequence[Sitter]) -> DealRecord:
    record = RecordId(f"{table.id}-{table.match}-{plain['deal']}")
    whole: Plain = {
        "format": 1,
        "record": record,
        "game": table.game_name,
        "table": table.id,
        "match": table.match,
        "at": at,
        "seats": ["" if sitter is None else sitter.name for sitter in table.sat[-1]],
        "bots": [sitter is not None and not sitter.person for sitter in table.sat[-1]],
        "acted_for": list(table.acted_for),
        **_of_tournament(table.tournament),
        **plain,
    }
    there = (*table.sat[-1], *table.seats, *left)
    readers = tuple({one.player: None for one in there if one is not None and one.bot is None})
    private = table.code is not None or (table.tournament is not None and table.tournament.duplicate)
    return DealRecord(record, private, readers, whole)


def _of_tournament(one: Affiliation | None) -> Plain:
    """Where in a tournament the deal was played; nothing for a table that belongs to none."""
    if one is None:
        return {}
    where = {"tournament": one.tournament, "name": one.name, "round": one.round, "table": one.number}
    return {"tournament": {**where, "duplicate": one.duplicate}}
