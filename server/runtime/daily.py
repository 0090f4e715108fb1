"""The deal of the day: who plays it, whose first attempt it is, and the ranking.

Nothing here tells the secret of a day or a number made of it before the day is over.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.games.game import DayDeal, Moment, RuleViolation, Stage
from server.games.patience.deals import hidden_number
from server.games.patience.options import PATIENCES
from server.runtime import results
from server.runtime.actor import TableActor
from server.runtime.days import day_of, end_of, entropy_of
from server.runtime.house import Guest, House
from server.runtime.loading import load
from server.runtime.results import Group, Standing
from server.store.port import PlayerId
from server.table import rules
from server.table.codec import Unreadable
from server.table.commands import DealOfDay, asked
from server.table.ids import RecordId, TableId
from server.table.memory import CommandId, recall
from server.table.state import Table

RANKED: Final = 100
"""Lines of a ranking that are shown, beside the asker's own."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranking of a day: the best, with their places, and the asker's own line if it is not among them.

    `number` and `secret` are None until the day is over, and if nobody has played a deal of that day.
    """

    day: str
    game: str
    number: str | None
    secret: bytes | None
    lines: tuple[tuple[int, Standing], ...]


async def deal_of_day(
    house: House, player: PlayerId, actor: TableActor, prompt: str, command_id: CommandId
) -> DealOfDay:
    """The command that deals the deal of the day at this table, for the player; his first attempt is noted before.

    Only the first counts. While it is not over, there is no second.

    Raises:
        RuleViolation: why the table would refuse the command, or `daily_running`
        StoreAway
    """
    store = house.store
    table = actor.state
    if table is None:
        raise RuleViolation("no_such_table")
    moment = Moment(store.now(), bytes(32))
    day, game = day_of(moment.now), table.game_name
    secret = await house.stored(store.make_day(day, os.urandom(32)))
    deal = DayDeal(day, entropy_of(secret, day, game), end_of(day), first=True)
    command = DealOfDay(player, prompt, deal)
    if recall(table.memory, command_id, asked(command)) is not None:
        return command
    rules.decide(table, command, moment)  # nothing is noted for what the table refuses
    record = RecordId(f"{table.id}-{table.match}-{table.play.offer.deal}")
    first = await house.stored(store.note_attempt(day, game, player, record))
    if first == record:
        return command
    if await _is_running(house, first):
        raise RuleViolation("daily_running")
    return DealOfDay(player, prompt, DayDeal(deal.day, deal.entropy, deal.until, first=False))


async def _is_running(house: House, record: RecordId) -> bool:
    """Whether the deal with this record is still in play."""
    if await house.stored(house.store.load_record(record)) is not None:
        return False
    name, match, deal = record.rsplit("-", 2)
    try:
        loaded = await house.stored(load(TableId(name), house.store))  # another process may have gone on with it
    except Unreadable:
        return False
    return loaded is not None and _plays(loaded.table, int(match), int(deal))


def _plays(table: Table, match: int, deal: int) -> bool:
    return table.match == match and table.stage is Stage.DEAL and bool(table.play.deal.origin.deal == deal)


async def ranking(house: House, player: PlayerId, game: str, day: str | None) -> Ranking:
    """The ranking of a day (None: today), as this player may see it.

    Raises:
        RuleViolation: `unknown_game`, or `no_such_day`
        StoreAway
    """
    store, now = house.store, house.store.now()
    if game not in PATIENCES:
        raise RuleViolation("unknown_game")
    day = day_of(now) if day is None else day
    try:
        over = end_of(day) <= now
    except (ValueError, OverflowError):
        raise RuleViolation("no_such_day") from None
    secret = await house.stored(store.find_day(day)) if over else None
    number = None if secret is None else str(hidden_number(entropy_of(secret, day, game)))
    best = [results.decode_standing(body) for body in await house.stored(store.ranking(day, game, RANKED))]
    lines = [(place, line) for place, line in enumerate(best, start=1) if line is not None]
    own = await house.stored(store.ranked(day, game, player))
    if own is not None and own.place > RANKED and (line := results.decode_standing(own.body)) is not None:
        lines.append((own.place, line))
    return Ranking(day, game, number, secret, tuple(lines))


async def results_of(house: House, guest: Guest, game: str | None) -> Sequence[Group]:
    """What a player's results add up to, of one game or of all.

    Raises:
        StoreAway
    """
    bodies = await house.stored(house.store.results_of(guest.player.id))
    found = [result for body in bodies if (result := results.decode(body)) is not None]
    return results.groups(one for one in found if game in (None, one.game))
