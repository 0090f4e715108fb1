"""Players and directors of tournaments at a real server."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from protocol.codec import Encoding
from tests.servers import ServerProcess
from tests.wire import Message, Wire, quiet_choice

QUICK = {"preset": "quick", "rounds": 1, "deals": 4, "break_seconds": None, "answer_seconds": 1}


class People:
    """Players at the real server, by their names."""

    def __init__(self, server: ServerProcess, stack: AsyncExitStack) -> None:
        self.server = server
        self._stack = stack

    async def come(self, *names: str) -> list[Wire]:
        """They connect, in both encodings by turns."""
        encodings = list(Encoding)
        found = [Wire(self.server.url, name, encodings[number % 2]) for number, name in enumerate(names)]
        return [await self._stack.enter_async_context(one) for one in found]

    async def again(self, wire: Wire, encoding: Encoding = Encoding.JSON) -> Wire:
        """The same player over one more connection."""
        other = Wire(self.server.url, wire.name, encoding)
        other.token = wire.token
        return await self._stack.enter_async_context(other)


class Cup:
    """A tournament and its director."""

    def __init__(self, director: Wire, tournament: str) -> None:
        self.director = director
        self.id = tournament

    @classmethod
    async def opened(cls, director: Wire, **options: Any) -> "Cup":
        """A new one."""
        reply = await director.ask("tournament_create", name="Autumn cup", options={**QUICK, **options})
        assert (reply["type"], reply["entrant"]) == ("tournament_reply", None)
        return cls(director, reply["tournament"])

    async def enter(self, *wires: Wire, **more: Any) -> list[int]:
        """They register; their numbers."""
        return [(await wire.ask("tournament_register", tournament=self.id, **more))["entrant"] for wire in wires]

    async def order(self, order: str, **fields: Any) -> Message:
        """The director decides, having seen everything."""
        return await self.director.ask("tournament_direct", **self.meant(order, **fields))

    async def refused(self, order: str, **fields: Any) -> str:
        """The director decides, and is refused; the code."""
        return str((await self.director.refused("tournament_direct", **self.meant(order, **fields)))["code"])

    def meant(self, order: str, **fields: Any) -> Message:
        """The message of an order."""
        after = news(self.director, self.id)["public"]["decisions"]
        return {"tournament": self.id, "after": after, "order": {"order": order, **fields}}

    async def page(self, wire: Wire, about: str, **more: Any) -> Message:
        """A page of it."""
        found = await wire.ask("tournament_page", tournament=self.id, about=about, **more)
        page: Message = found["page"]
        return page


def news(wire: Wire, tournament: str) -> Message:
    """The newest `tournament` message that somebody has."""
    return [one for one in wire.heard if one["type"] == "tournament" and one["tournament"] == tournament][-1]


async def until(wire: Wire, tournament: str, **public: Any) -> Message:
    """The first message in which it stands so."""
    return await wire.wait(
        lambda one: (
            one["type"] == "tournament" and one["tournament"] == tournament and public.items() <= one["public"].items()
        )
    )


async def seated(wire: Wire, tournament: str) -> str:
    """The table that a player has been led to."""
    message = await wire.wait(
        lambda one: one["type"] == "tournament" and one["tournament"] == tournament and bool(one["own"]["table"])
    )
    table: str = message["own"]["table"]
    await wire.view(table)
    return table


async def play(wire: Wire, table: str) -> None:
    """Plays quietly until the table is over, or left."""
    async with asyncio.timeout(60):
        while table in wire.views and wire.views[table]["public"]["stage"] != "over":
            view = wire.views[table]
            choice = quiet_choice(view["own"]["actions"]) if view["own"] else None
            if choice is None:
                await wire._more()
                continue
            command = wire.next_id()
            act = {"type": "act", "id": command, "table": table, "prompt": view["own"]["prompt"], "action": choice}
            await wire.send(act)
            await wire.answer_to(command)
            if table in wire.views and wire.views[table]["version"] == view["version"]:
                await wire._more()
