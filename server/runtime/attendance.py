"""Who is at a table in this process, and what the table is told of it.

A player whose last connection goes has a grace; then the table notes his absence, and when he is back
his return. When neither a person nor a watcher is left for so long, the table pauses; it goes on with
the first player who comes to his seat, and the others have their grace anew. A table of a tournament
does not pause: who is not there within the grace is absent, though nobody else is there either. Nothing
is noted of a table that nobody has come to in this process, or has put to work here.
"""

import asyncio
from collections.abc import Callable

from server.table.commands import NoteAbsent, NoteAttended, NoteDeserted, NoteReturn
from server.table.ids import PlayerId
from server.table.state import Table

Note = NoteAbsent | NoteReturn | NoteDeserted | NoteAttended
AGAIN_SECONDS = 0.5
"""How soon a note is given again that the store could not take."""


class Attendance:
    """One table's attendance; `submit` carries out a note and calls back, with whether it was taken."""

    def __init__(
        self, grace: float, submit: Callable[[Note, Callable[[bool], None]], None], done: Callable[[], None]
    ) -> None:
        self._grace = grace
        self._submit = submit
        self._done = done
        self._loop = asyncio.get_running_loop()
        self._table: Table | None = None
        self._here: frozenset[PlayerId] = frozenset()
        self._since: float | None = None
        self._left_at: dict[PlayerId, float] = {}
        self._empty_since = 0.0
        self._back: set[PlayerId] = set()
        self._under_way: set[Note] = set()
        self._vain: set[Note] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether something is to be noted yet."""
        return self._timer is not None or bool(self._under_way)

    @property
    def begun(self) -> bool:
        """Whether somebody has come to this table in this process."""
        return self._since is not None

    def begin(self) -> None:
        """Nobody is here, and nobody knows since when: the grace of all begins now."""
        if self._since is None:
            self._since = self._empty_since = self._loop.time()

    def here(self, players: frozenset[PlayerId], came: PlayerId | None = None) -> None:
        """These players are connected to the table now, in a seat or to watch; one may just have come anew."""
        now = self._loop.time()
        if self._since is None and not players:
            return
        if self._since is None or (players and not self._here and now >= self._empty_since + self._grace):
            self._since = now
        self._left_at.update(dict.fromkeys(self._sitting(self._here - players), now))
        for player in players - self._here:
            self._left_at.pop(player, None)
        self._back |= players - self._here if came is None else {*(players - self._here), came}
        if self._here and not players:
            self._empty_since = now
        self._here = players
        self._look()

    def changed(self, table: Table) -> None:
        """The table has a new state."""
        before, self._table = self._table, table
        if before is not None and not self._vain and _alike(before, table):
            return  # as after nearly every move: what is to be noted, and when, is as it was
        if before is None or before.version != table.version:
            self._vain.clear()
        if before is not None and before.seats != table.seats:
            # Who has just sat down may not be here yet: his grace begins now.
            known = frozenset(sitter.player for sitter in before.seats if sitter is not None)
            players = frozenset(sitter.player for sitter in table.seats if sitter is not None)
            fresh = dict.fromkeys(players - known - self._here, self._loop.time())
            self._left_at = {one: at for one, at in self._left_at.items() if one in players} | fresh
        if self._since is not None:
            self._look()

    def close(self) -> None:
        """Nothing is noted any more."""
        self._closed = True
        self._disarm()

    def _sitting(self, players: frozenset[PlayerId]) -> list[PlayerId]:
        return [player for player in players if self._table is not None and self._table.seat_of(player) is not None]

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Notes what is due, and looks again when the next is."""
        self._disarm()
        table, times = self._table, [float("inf")]
        if table is None or self._since is None or self._closed:
            return
        self._back = {player for player in self._back if self._may_be_absent(table, player)}
        for note, due in self._notes(table, self._since):
            if due > self._loop.time():
                times.append(due)
            elif note not in self._under_way | self._vain:
                self._give(note)
        if min(times) < float("inf"):
            self._timer = self._loop.call_at(min(times), self._look)
        elif not self.busy:
            self._done()

    def _notes(self, table: Table, since: float) -> list[tuple[Note, float]]:
        """What is to be noted, and when."""
        notes: list[tuple[Note, float]] = []
        for seat, sitter in enumerate(table.seats):
            if sitter is None or sitter.bot is not None:
                continue
            absent = any(absence.seat == seat for absence in table.absences)
            if sitter.player in self._here:
                if absent and sitter.player in self._back:
                    notes.append((NoteReturn(sitter.player), 0.0))
            elif (self._here or table.tournament is not None) and table.running and not absent:
                left = max(self._left_at.get(sitter.player, since), since)
                notes.append((NoteAbsent(sitter.player), left + self._grace))
        if self._here:
            if table.pause is not None and table.pause.deserted and self._sitting(self._here):
                notes.append((NoteAttended(), 0.0))
        elif table.running and table.pause is None and table.tournament is None:
            notes.append((NoteDeserted(), self._empty_since + self._grace))
        return notes

    def _may_be_absent(self, table: Table, player: PlayerId) -> bool:
        """Whether the table has noted the absence of a player, or is about to: then his return is to be noted."""
        seat = table.seat_of(player)
        return (seat is not None and table.absence(seat) is not None) or NoteAbsent(player) in self._under_way

    def _give(self, note: Note) -> None:
        self._under_way.add(note)

        def answered(taken: bool) -> None:
            self._loop.call_soon(self._settle, note, taken)  # the table's new state comes right after the answer

        self._submit(note, answered)

    def _settle(self, note: Note, taken: bool) -> None:
        """A note was answered: taken, perhaps without an effect, or not."""
        self._under_way.discard(note)
        if self._closed:
            return
        if not taken:
            self._disarm()
            self._timer = self._loop.call_later(AGAIN_SECONDS, self._look)
            return
        self._vain.add(note)
        if isinstance(note, NoteReturn):
            self._back.discard(note.player)
        self._look()


def _alike(before: Table, after: Table) -> bool:
    """Whether two states call for the same notes."""
    return (
        before.seats is after.seats
        and before.absences is after.absences
        and before.pause is after.pause
        and before.running == after.running
    )
