"""Players that wait before they act, or sit with bots: a process of its own.

    python -m tests.bench.clients paced URL TABLES DEALS
    python -m tests.bench.clients company URL TABLES SECONDS

*paced* waits a moment before each move, as people do; *company* sits at tables with three bots of the
server each, and always acts at once. What is to drive a server to its limit is in `load`.

It prints `ready` when all have their seats, begins at the next line of its input, and ends with its
figures as one line of JSON.
"""

import asyncio
import gc
import json
import sys
import time
from urllib.parse import urlsplit

import msgpack

from tests.bench.line import Message, masked, split
from tests.wire import quiet_choice

PATIENCE = 150.0
PACE = 0.1
"""Seconds that a paced player waits before a move."""
_OVERTAKEN = ("stale", "already_went_on", "no_question")
"""With bots that call, an action can be too late: the next view asks anew."""
_UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: kop.v1.msgpack\r\n\r\n"
)


class Client(asyncio.Protocol):
    """A bare websocket: `send` a payload, `received` is called with each one that comes."""

    def __init__(self) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""
        self._transport: asyncio.WriteTransport

    async def open(self, url: str) -> None:
        """Connects and waits for the handshake."""
        place = urlsplit(url)
        assert place.hostname
        assert place.port
        await asyncio.get_running_loop().create_connection(lambda: self, place.hostname, place.port)
        await self.opened

    def send(self, payload: bytes) -> None:
        """Sends one message."""
        self._transport.write(masked(payload))

    def close(self) -> None:
        """Hangs up."""
        self._transport.abort()

    def received(self, payload: bytes) -> None:
        """One message came."""
        raise NotImplementedError

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport
        transport.write(_UPGRADE)

    def data_received(self, data: bytes) -> None:
        data, self._rest = self._rest + data, b""
        if not self.opened.done():
            end = data.find(b"\r\n\r\n") + 4
            if end < 4:
                self._rest = data
                return
            assert data.startswith(b"HTTP/1.1 101 "), data[:80]
            self.opened.set_result(None)
            data = data[end:]
        found, self._rest = split(data)
        for _, payload in found:
            self.received(payload)


class Bot(Client):
    """A player who acts as soon as he may: ready, ask, go on, or his first card."""

    def __init__(self, name: str, over: asyncio.Event, pace: float = 0.0) -> None:
        super().__init__()
        self.name = name
        self._pace = pace
        self.delays: list[float] = []
        self.errors: list[str] = []
        self.playing = False
        self.stage = ""
        self._over = over
        self._view: Message | None = None
        self._asked_at = 0.0
        self._acting = False
        self._seen_needed = 0
        self._answer: asyncio.Future[Message] | None = None
        self._id = 0

    async def greet(self, url: str) -> None:
        """Opens the connection and says hello."""
        await self.open(url)
        await self._ask({"type": "hello", "protocol": 1, "instance": "benchmark", "name": self.name})

    async def command(self, type: str, **fields: object) -> Message:
        """Gives a command before play; its answer."""
        self._id += 1
        return await self._ask({"type": type, "id": self._id, **fields})

    async def _ask(self, message: Message) -> Message:
        self._answer = asyncio.get_running_loop().create_future()
        self.send(msgpack.packb(message))
        return await self._answer

    def begin(self) -> None:
        """Plays from now on."""
        self.playing = True
        self._act()

    def received(self, payload: bytes) -> None:
        message = msgpack.unpackb(payload)
        match message["type"]:
            case "table":
                self._view = message
                self._act()
            case "reply" if self._acting:
                self.delays.append(time.perf_counter() - self._asked_at)
                self._acting, self._seen_needed = False, message["version"]
                self._act()
            case "error" if message["code"] in _OVERTAKEN and self.playing:
                self._acting = False
            case "error":
                self.errors.append(message["code"])
                self._over.set()
                if not self.playing and self._answer is not None:
                    self._answer.set_exception(RuntimeError(f"refused before play: {message['code']}"))
            case _:
                assert self._answer is not None, message
                self._answer.set_result(message)

    def _act(self) -> None:
        view = self._view
        if not self.playing or self._acting or view is None or view["version"] < self._seen_needed:
            return
        self.stage = view["public"]["stage"]
        if self.stage == "over":
            self._over.set()
            return
        action = quiet_choice(view["own"]["actions"])
        if action is not None:
            self._acting = True
            self._id += 1
            act = {
                "type": "act",
                "id": self._id,
                "table": view["table"],
                "prompt": view["own"]["prompt"],
                "action": action,
            }
            if self._pace:
                asyncio.get_running_loop().call_later(self._pace, self._send_act, act)
            else:
                self._send_act(act)

    def _send_act(self, act: Message) -> None:
        self._asked_at = time.perf_counter()
        self.send(msgpack.packb(act))


async def seated(url: str, number: int, deals: int) -> tuple[list[Bot], asyncio.Event]:
    """Four bots at a table of their own."""
    over = asyncio.Event()
    bots = [Bot(f"Bot {number}.{seat}", over, PACE) for seat in range(4)]
    for bot in bots:
        await bot.greet(url)
    created = await bots[0].command("create", options={"deals": deals})
    for bot in bots[1:]:
        await bot.command("join", code=created["code"])
    return bots, over


async def go() -> None:
    """Tells that all is ready, and waits for the word."""
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.readline)


async def play(url: str, tables: int, deals: int) -> Message:
    """Whole matches at so many tables at once."""
    seats = [await seated(url, number, deals) for number in range(tables)]
    await go()
    began = time.perf_counter()
    for bots, _ in seats:
        for bot in bots:
            bot.begin()
    async with asyncio.timeout(PATIENCE):
        for _, over in seats:
            await over.wait()
    everybody = [bot for bots, _ in seats for bot in bots]
    return {
        "seconds": time.perf_counter() - began,
        "moves": sum(len(bot.delays) for bot in everybody),
        "over": sum(any(bot.stage == "over" for bot in bots) for bots, _ in seats),
        "errors": [code for bot in everybody for code in bot.errors],
        "delays": sorted(delay for bot in everybody for delay in bot.delays),
    }


async def company(url: str, tables: int, seconds: float) -> Message:
    """For a while, one player with three of the server's strongest bots at each of so many tables."""
    players: list[Bot] = []
    for number in range(tables):
        player = Bot(f"Guest {number}", asyncio.Event())
        await player.greet(url)
        created = await player.command("create", options={"deals": None})
        for _ in range(3):
            await player.command("seat_bot", table=created["table"], strength="hard")
        players.append(player)
    await go()
    for player in players:
        player.begin()
    await asyncio.sleep(seconds)
    delays = sorted(delay for player in players for delay in player.delays)
    errors = [code for player in players for code in player.errors]
    return {"seconds": seconds, "moves": len(delays), "errors": errors, "delays": delays}


def main(kind: str, url: str, number: str, length: str) -> None:
    """One process of players."""
    work = company(url, int(number), float(length)) if kind == "company" else play(url, int(number), int(length))
    print(json.dumps(asyncio.run(work)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
