"""A tournament out of the store: its whole log, entry by entry. There are no snapshots."""

import logging
from collections.abc import Iterable, Iterator

from server.store.port import Entry, Store, StoreRefused
from server.table.ids import TableId
from server.table.lines import LogLine, Unreadable, nonce
from server.tournament import codec
from server.tournament.state import Tournament, TournamentId

log = logging.getLogger(__name__)


async def load(tournament: TournamentId, store: Store) -> Tournament | None:
    """The tournament in the store; None if there is none.

    Raises:
        StoreAway
        Unreadable: an entry cannot be read, or the store refuses it; nothing is skipped.
    """
    state: Tournament | None = None
    for state, _ in steps(tournament, None, await _read(tournament, 0, store)):  # noqa: B007 - the last one counts
        pass
    return state


async def beyond(state: Tournament, store: Store) -> list[Entry] | None:
    """The entries after this state; None if the log does not hold the state's own entry: it is to be loaded anew.

    Raises:
        StoreAway
        Unreadable: the store refuses it.
    """
    entries = await _read(state.id, state.version - 1, store)
    if entries and entries[0].version == state.version and nonce(entries[0].body) == state.nonce:
        return entries[1:]
    return None


def steps(
    tournament: TournamentId, state: Tournament | None, entries: Iterable[Entry]
) -> Iterator[tuple[Tournament, LogLine]]:
    """The state after each entry, with its line.

    Raises:
        Unreadable: an entry is missing, or cannot be read or applied.
    """
    for entry in entries:
        expected = 1 if state is None else state.version + 1
        if entry.version != expected:
            raise Unreadable(f"entry {expected} is missing")
        line = codec.decode(entry.version, entry.body)
        try:
            state = codec.settled(codec.evolved(state, line.events), line)
        except Unreadable:
            raise
        except Exception as bug:  # a bug of ours stops this tournament and no other
            fields = {"table": tournament, "version": entry.version}
            log.exception("entry %d of %s cannot be applied", entry.version, tournament, extra=fields)
            raise Unreadable(f"entry {entry.version}: {type(bug).__name__}") from bug
        yield state, line


async def _read(tournament: TournamentId, after: int, store: Store) -> list[Entry]:
    try:
        return list(await store.read(TableId(tournament), after))
    except StoreRefused as refused:
        raise Unreadable(f"the store refuses it: {refused}") from refused
