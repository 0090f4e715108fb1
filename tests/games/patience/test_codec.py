"""Matches and events of the patiences can be kept in log and snapshots: they come back as they were."""

from typing import get_args

import msgpack
import pytest
from cattrs.preconf.msgpack import make_converter

from server.games.patience.match import Match
from server.table.events import TableEvent
from tests.games.patience.scenes import PLAYER, board


@pytest.mark.parametrize("name", ["zopf", "burgvoegtin", "carpet", "archway"])
def test_state_and_events_come_back(name: str) -> None:
    """Through msgpack, with a number of twenty digits."""
    table = board(name, {"auto_play": True}).deal()
    for _ in range(20):
        table.act(table.game.legal(table.match, PLAYER)[0])
        if not table.in_play:
            break
    converter = make_converter()
    packed = msgpack.packb(converter.unstructure(table.match))
    assert converter.structure(msgpack.unpackb(packed), Match) == table.match
    for event in table.log:
        kept = msgpack.unpackb(msgpack.packb(converter.unstructure(event)))
        assert converter.structure(kept, type(event)) == event


def test_names_of_events_differ_from_the_tables() -> None:
    """The log tells them apart by name."""
    names = {kind.__name__ for kind in board("carpet").game.event_types}
    assert not names & {kind.__name__ for kind in get_args(TableEvent)}
