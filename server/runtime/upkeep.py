"""What the server does at a table by itself: its clock strikes, its bots act, and it notes who is away and who is back.

All of it are commands to the table, as those of players are. Of several processes at a table the first does
it, and the others only what that one has left undone.
"""

from collections.abc import Callable
from typing import Final

from server.games.game import Millis
from server.runtime.alarm import Alarm
from server.runtime.answers import Accepted, Answer
from server.runtime.attendance import Attendance, Note
from server.runtime.bots import Bots
from server.runtime.peers import Peers
from server.runtime.staff import Staff
from server.runtime.tasks import Tasks
from server.table.commands import BotActs, GiveTime, RunOut, ServersCommand
from server.table.ids import PlayerId, TableId
from server.table.state import NEVER, Table

_UNDECIDED: Final = frozenset({"store_away", "too_many"})
"""Refusals that say nothing of the command."""

Submit = Callable[[ServersCommand, Callable[[Answer], None]], None]


class Upkeep:
    """One table's upkeep in this process; `submit` gives a command to the table, `rest` is called when nothing is due.

    A table that comes out of the store sleeps until somebody comes to it: then its clocks go on, with the time
    given back in which nobody could act, unless they have run on in another process.
    """

    def __init__(
        self,
        table_id: TableId,
        table: Table | None,
        now: Callable[[], Millis],
        staff: Staff,
        tasks: Tasks,
        peers: Peers,
        submit: Submit,
        rest: Callable[[], None],
    ) -> None:
        self._id = table_id
        self._table = table
        self._peers = peers
        self._submit = submit
        self._here: frozenset[PlayerId] = frozenset()
        self._asleep = table is not None
        self._closed = False
        self._alarm = Alarm(now, self._strike, self._give_time, self._place)
        self._attendance = Attendance(staff.grace_seconds, self._note, rest)
        self._bots = Bots(table_id, staff.pool, staff.bot_seconds, tasks, self._bot_acts, self._place)
        self.look_round()

    @property
    def unsure(self) -> bool:
        """Whether a clock is to go on, and it is not known yet whether it has run on in another process.

        Nothing may be decided meanwhile: whoever acts before the time is given back is charged for it.
        """
        begun = self._asleep and self._attendance.begun and not self._closed
        timed = begun and self._table is not None and self._table.deadline is not None
        return timed and self._peers.running(self._id) is None

    @property
    def awake(self) -> bool:
        """Whether its clocks run here."""
        return self._attendance.begun and not self._asleep and not self._closed

    @property
    def busy(self) -> bool:
        """Whether something is under way, or due later, or a match of a tournament goes on, whoever is there."""
        return self._alarm.armed or self._attendance.busy or self._goes_on

    @property
    def _goes_on(self) -> bool:
        here = self._attendance.begun and not self._closed
        return here and self._table is not None and self._table.goes_on

    def moved(self, table: Table) -> None:
        """The table has an entry more; once all have been told of it comes `look_round`."""
        self._table, self._bots.behind = table, True
        if not self._asleep and not self._closed:
            self._alarm.arm(table)

    def look_round(self) -> None:
        """Who has come or gone, and whose turn it is, may mean something else now."""
        if self._table is not None and not self._closed:
            self._attendance.changed(self._table)
            if self._attendance.begun:
                self._bots.changed(self._table)

    def reloaded(self, table: Table | None) -> None:
        """The table was loaded anew: people are given time before a clock strikes."""
        self._table = table
        if not self._closed:
            self._alarm.grace()
            self._alarm.disarm()
            self._alarm.arm(table)
        self.look_round()

    def close(self) -> None:
        """Nothing is done any more; what is under way ends by itself."""
        self._closed = True
        self._alarm.disarm()
        self._attendance.close()
        self._bots.close()

    # Who is here

    def attended_by(self, players: frozenset[PlayerId], came: PlayerId | None) -> None:
        """These players are connected to the table in this process; one may just have come anew."""
        self._here = players
        self._peers.come(self._id, players)
        self.attend(came)

    def adopt(self) -> None:
        """Nobody is here, but the process where people were is dead: the table goes by its rules on absence."""
        self._attendance.begin()
        self.attend()
        if self._goes_on:
            self.look_round()

    def attend(self, came: PlayerId | None = None) -> None:
        """Who is connected, here or elsewhere, may have changed."""
        first, was_awake = not self._attendance.begun, self.awake
        self._attendance.here(self._here | self._peers.elsewhere(self._id), came)
        if first and self._attendance.begun:
            self.look_round()
        if self._asleep and self._attendance.begun and not self._closed:
            self._wake_up(self._peers.running(self._id))
        if self.awake and not was_awake:
            self._peers.woken(self._id)

    def _wake_up(self, running_elsewhere: bool | None) -> None:
        if running_elsewhere is not None:
            self._asleep = False
            if running_elsewhere:
                self._alarm.arm(self._table)
            else:
                self._give_time(NEVER)

    def store_back(self, lost_at: Millis) -> None:
        """The store was away: people are given time before a clock strikes, and bots act that could not."""
        if (self._attendance.begun or self._alarm.armed) and not self._asleep:
            self._give_time(lost_at)
        self.look_round()

    def _give_time(self, since: Millis) -> None:
        """Nobody could act since then: clocks go on now, with the time given back and a little more to arrive."""
        self._alarm.grace()
        if self._table is not None and not self._closed:
            self._alarm.arm_again(self._table)
            if self._table.pause is None:  # in a pause the clocks stand, and are set on when it ends
                self._submit(GiveTime(since), _unasked)

    # What is due

    def _place(self) -> int:
        return self._peers.place(self._id)

    def _strike(self, prompt: str) -> None:
        self._submit(RunOut(prompt), self._struck)

    def _struck(self, answer: Answer) -> None:
        """A strike that had an effect has set the alarm anew; one in vain is repeated soon."""
        if self._table is not None and not self._closed and not self._alarm.armed:
            self._alarm.arm_again(self._table)

    def _note(self, note: Note, answered: Callable[[bool], None]) -> None:
        self._submit(note, lambda answer: answered(isinstance(answer, Accepted) or self._closed))

    def _bot_acts(self, command: BotActs, answered: Callable[[bool], None]) -> None:
        def tell(answer: Answer) -> None:
            answered(isinstance(answer, Accepted) or answer.code not in _UNDECIDED)

        self._submit(command, tell)


def _unasked(answer: Answer) -> None:
    """Nobody waits for it."""
