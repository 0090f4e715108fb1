"""Ways to play at a table for tests; first of all a deal by the script, with every kind of entry in its log.

The commands follow from what the players see, so a test may do anything between two of them.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from tests.wire import Message, Wire, step


@dataclass(frozen=True)
class Deed:
    """A command of one player."""

    who: Wire
    type: str
    fields: dict[str, Any]

    async def do(self, command_id: int) -> Message:
        """Gives the command under this id; its reply."""
        return await self.who.ask(self.type, id=command_id, **self.fields)

    def __str__(self) -> str:
        return f"{self.who.name}: {self.type} {self.fields.get('action', '')}"


def whole_deal(players: list[Wire]) -> Generator[Deed, Message, None]:
    """Create, three joins, a called and doubled deal to its score, the next *ready*, a leave and a join."""
    options = {"deals": 4, "answer_seconds": None}
    created = yield Deed(players[0], "create", {"options": options})
    table = created["table"]
    for player in players[1:]:
        yield Deed(player, "join", {"code": created["code"]})
    while not (seen := players[0].views[table]["public"])["play"]["last"]:
        yield _act(players, table, *_scripted(players, table, seen["play"]))
    yield _act(players, table, 1, "ready")
    yield Deed(players[3], "leave", {"table": table})
    yield Deed(players[3], "join", {"code": created["code"], "seat": 3})


def _act(players: list[Wire], table: str, seat: int, action: str) -> Deed:
    prompt = players[seat].views[table]["own"]["prompt"]
    return Deed(players[seat], "act", {"table": table, "prompt": prompt, "action": action})


def _scripted(players: list[Wire], table: str, play: dict[str, Any]) -> tuple[int, str]:
    """The next act: ready; ask, a zolo at the left, a kontra against it, ask again; go on; the first card."""
    actions = [player.views[table]["own"]["actions"] for player in players]
    if (play["phase"] == "calls" and not play["question"]) or (play["game"] is None and play["question"]):
        leader = play["turn"]
        return {
            0: (leader, "ask"),
            1: ((leader + 1) % 4, "zolo"),
            2: ((leader + 2) % 4, "double 1"),
            3: (leader, "ask"),
        }[len(play["said"])]
    for seat in range(4):
        for action in actions[seat]:
            if action in ("ready", "go on") or action.startswith("play "):
                return seat, action
    raise AssertionError(f"nobody can do anything: {actions}")


QUIET: dict[str, Any] = {"deals": 4, "answer_seconds": None}


async def played_to(players: list[Wire], table: str, phase: str, cards: int = 0) -> None:
    """Quiet play until the phase, and until so many cards of the deal are out."""
    while True:
        play = players[0].views[table]["public"]["play"]
        out = 4 * len(play["tricks"]) + len(play["trick"])
        if play["phase"] == phase and (phase != "play" or out >= cards):
            return
        assert await step(players, table) is not None


async def close(*wires: Wire) -> None:
    for wire in wires:
        await wire.close()


def in_turn(players: list[Wire], table: str) -> tuple[int, Wire]:
    """Whose card is awaited."""
    turn: int = players[0].views[table]["public"]["play"]["turn"]
    return turn, players[turn]


def a_card(player: Wire, table: str) -> str:
    """A card that the player may play."""
    actions: list[str] = player.views[table]["own"]["actions"]
    return next(action for action in actions if action.startswith("play "))


async def version(wire: Wire, table: str) -> int:
    """The table's version."""
    return int((await wire.ask("sync", table=table))["version"])
