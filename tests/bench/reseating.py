"""A tournament of a hundred: from the last card of a round until everybody sits at his table of the next."""

import asyncio
import time
from typing import Any

from tests.bench.figures import Row, Spread
from tests.bench.part import Part, Plan, progress
from tests.trouble.cluster import cluster
from tests.trouble.players import Steady
from tests.trouble.tournaments import BRISK, cup, order
from tests.wire import Message

ROUNDS = 3
DEALS = 4


class Stamped(dict[str, Message]):
    """The newest view of each table; when the first one came, and the first one of a match that is over."""

    def __init__(self) -> None:
        super().__init__()
        self.came: dict[str, float] = {}
        self.ended: dict[str, float] = {}

    def __setitem__(self, table: str, view: Message) -> None:
        self.came.setdefault(table, time.monotonic())
        if view["public"]["stage"] == "over":
            self.ended.setdefault(table, time.monotonic())
        super().__setitem__(table, view)


def measured(plan: Plan) -> Part:
    """One process and two; players and server share the cores, for here nobody measures the server alone."""
    players = 20 if plan.quick else 100
    settings: dict[str, Any] = {"players": players, "rounds_of_the_tournament": ROUNDS, "deals": DEALS}
    part = Part("tournament", "A tournament", {**settings, "rounds": plan.rounds, "break_seconds": 0})
    for processes in (1, 2):
        millis: list[float] = []
        for turn in range(plan.rounds):
            found = asyncio.run(_evening(plan, processes, players))
            millis += found
            progress(f"evening {turn + 1}, {processes} process(es): {', '.join(f'{one:.0f}' for one in found)} ms")
        text = f"{processes} process{'es' if processes > 1 else ''}: last card of a round to everybody seated again"
        part.rows.append(Row(f"reseated.{processes}", text, "ms", Spread.of(millis)))
    return part


async def _evening(plan: Plan, processes: int, players: int) -> list[float]:
    """A tournament; for each round after the first, the milliseconds until the last player saw his new table."""
    with cluster(plan.room("tournament"), processes, BRISK) as servers:
        async with cup(servers, players, rounds=ROUNDS, deals=DEALS, preset="quick", seating="balanced") as held:
            seen = [_stamped(player) for player in held.players]
            for player in held.players:
                held.play(player)
            await order(held.director, held.id, "open_round")
            await held.played()
            return [1000 * _gap(seen, f"r{number}t") for number in range(2, ROUNDS + 1)]


def _stamped(player: Steady) -> Stamped:
    player.wire.views = stamped = Stamped()
    return stamped


def _gap(seen: list[Stamped], round_: str) -> float:
    """Seconds between the last end of a table of the round before, and the last arrival at a table of this one."""
    before = f"r{int(round_[1:-1]) - 1}t"
    last_card = max(at for one in seen for table, at in one.ended.items() if before in table[12:])
    seated = [at for one in seen for table, at in one.came.items() if round_ in table[12:]]
    assert len(seated) == len(seen)
    return max(seated) - last_card
