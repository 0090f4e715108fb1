"""A table for one in a house over a store in memory, played by commands; and a store that loses what is saved."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from server.games.game import OptionValue
from server.games.patience.hints import hint
from server.games.patience.match import Match
from server.runtime.actor import TableActor
from server.runtime.answers import Answer
from server.runtime.daily import deal_of_day
from server.runtime.house import Guest, House
from server.store.port import Millis, PlayerId, RecordId
from server.table import commands
from server.table.ids import TableId
from server.table.memory import CommandId
from server.table.view import public
from tests.runtime.tables import Store, accepted, carried_out

_tables = itertools.count(1)


class Forgetful(Store):
    """A store whose process ends before a record, or a result, is saved: `forgets` says which, once each."""

    def __init__(self) -> None:
        super().__init__()
        self.forgets: set[str] = set()

    async def save_record(self, record: RecordId, body: bytes, readers: Sequence[PlayerId], at: Millis) -> None:
        """Saves, unless it is to be forgotten."""
        if "record" in self.forgets:
            self.forgets.discard("record")
            return
        await super().save_record(record, body, readers, at)

    async def save_result(self, player: PlayerId, record: RecordId, body: bytes, at: Millis) -> None:
        """The same; nor is it ranked then."""
        if "result" in self.forgets:
            return
        await super().save_result(player, record, body, at)

    async def rank(self, day: str, game: str, player: PlayerId, score: int, body: bytes) -> None:
        """The same."""
        if "result" in self.forgets:
            self.forgets.discard("result")
            return
        await super().rank(day, game, player, score, body)


@dataclass
class Solitaire:
    """A table at which one player sits, and the ids of his commands."""

    house: House
    actor: TableActor
    guest: Guest
    number: int

    @property
    def id(self) -> TableId:
        """The table's id."""
        return self.actor.id

    @property
    def match(self) -> Match:
        """The match at the table."""
        assert self.actor.state is not None
        match = self.actor.state.play
        assert isinstance(match, Match)
        return match

    @property
    def shown(self) -> str:
        """Everything that anybody is shown of the table."""
        assert self.actor.state is not None
        return f"{public(self.actor.state)}{[happened.events for happened in self.actor.happened]}"

    async def act(self, action: str) -> None:
        """Does an action, or has the deal of the day dealt (`daily`); it must be accepted."""
        accepted(await self.asked(action))

    async def asked(self, action: str) -> Answer:
        """The answer to an action."""
        table = self.actor.state
        assert table is not None
        self.number += 1
        command_id = CommandId(f"{self.guest.player.id}/client", self.number)
        player, command = self.guest.player.id, commands.Act(self.guest.player.id, table.prompt, action)
        if action == "daily":
            daily = await deal_of_day(self.house, player, self.actor, table.prompt, command_id)
            return await carried_out(self.actor, daily, command_id)
        return await carried_out(self.actor, command, command_id)

    async def follow_hints(self) -> bool:
        """Plays the deal by the hints to its end; whether it is won."""
        deals = len(self.match.lines)
        while (deal := self.match.in_play) is not None and len(self.match.lines) == deals:
            found = hint(self.match.rules, deal.position)
            await self.act("give_up" if found is None else str(found.move))
        return self.match.lines[-1].won


async def opened(house: House, guest: Guest | None = None, game: str = "carpet", **options: OptionValue) -> Solitaire:
    """A new table for a patience, held as by a reader; of a new player if none is given."""
    guest = guest or (await house.new_player("Ada"))[1]
    number = 1_000 * next(_tables)
    command_id = CommandId(f"{guest.player.id}/client", number)
    actor, code = await house.opening(guest, command_id, private=True, admit=lambda: None)
    house.hold(actor)
    create = commands.Create(guest.sitter, actor.id, game, options, code)
    accepted(await carried_out(actor, create, command_id))
    return Solitaire(house, actor, guest, number)
