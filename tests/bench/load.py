"""The load generator, a process of its own: one loop over bare sockets, four players at each table.

    python -m tests.bench.load kop FIRST TABLES URL [URL]
    python -m tests.bench.load floor FIRST TABLES URL CANNED

It prints `ready` when all have their seats, and is then told line by line: `go` (play from now on, each as soon
as he may), `pace RATE` (so many moves per second in all, due at random times whatever the server does), `mark`
(count from now on; it answers `marked`), `report` (one line of JSON with what happened since the mark) and, by
the end of its input, to end.
"""

import gc
import heapq
import itertools
import json
import os
import random
import resource
import selectors
import sys
import time
from pathlib import Path

from tests.bench.canned import Canned
from tests.bench.line import LineLost
from tests.bench.players import Counts, FloorPlayer, KopPlayer, Player, floor_players, kop_players

SPARE_FILES = 100


class Generator:
    """Lets the players play, as it is told."""

    def __init__(self, players: list[Player]) -> None:
        self._players = players
        self._tables = len({id(player.table) for player in players})
        self._going = False
        self._rate = 0.0
        self._chance = random.Random(1)
        self._later: list[tuple[float, int, Player]] = []
        self._waiting: set[Player] = set()
        self._order = itertools.count()
        self._marked_at = time.perf_counter()
        self._selector = selectors.DefaultSelector()
        self._selector.register(sys.stdin, selectors.EVENT_READ, None)
        for player in players:
            self._selector.register(player.line.socket, selectors.EVENT_READ, player)

    def run(self) -> None:
        """Plays until the input ends."""
        for player in self._players:
            for payload in player.line.kept():
                player.hear(payload)
        while True:
            wait = max(0.0, self._later[0][0] - time.perf_counter()) if self._later else None
            for key, _ in self._selector.select(wait):
                if key.data is not None:
                    self._hear(key.data)
                elif not self._read_orders():
                    return
            while self._later and self._later[0][0] <= time.perf_counter():
                player = heapq.heappop(self._later)[2]
                self._waiting.discard(player)
                if player.may_act:
                    player.act()

    def _hear(self, player: Player) -> None:
        try:
            for payload in player.line.take():
                player.hear(payload)
        except LineLost as fault:
            player.counts.errors.append(str(fault))
            self._selector.unregister(player.line.socket)
            return
        if player.may_act and self._going:
            self._let_act(player)

    def _let_act(self, player: Player) -> None:
        """At once; or, where the moves are paced, when the next one of the table is due."""
        if not self._rate:
            player.act()
            return
        if player in self._waiting:
            return
        self._waiting.add(player)
        player.table.due += self._chance.expovariate(self._rate / self._tables)
        heapq.heappush(self._later, (player.table.due, next(self._order), player))

    def _read_orders(self) -> bool:
        """Does as it is told; False at the end."""
        orders = os.read(sys.stdin.fileno(), 4096).decode().splitlines()
        for order in orders:
            self._do(order.split())
        return bool(orders)

    def _do(self, order: list[str]) -> None:
        match order:
            case ["go"]:
                self._going = True
                for player in self._players:
                    if player.may_act:
                        self._let_act(player)
            case ["pace", rate]:
                self._rate = float(rate)
                for player in self._players:
                    player.table.due = time.perf_counter()
            case ["mark"]:
                for player in self._players:
                    player.counts = Counts()
                self._marked_at = time.perf_counter()
                print("marked", flush=True)
            case _:
                self._report()

    def _report(self) -> None:
        counts = [player.counts for player in self._players]
        print(
            json.dumps(
                {
                    "seconds": time.perf_counter() - self._marked_at,
                    "moves": sum(one.moves for one in counts),
                    "overtaken": sum(one.overtaken for one in counts),
                    "errors": [code for one in counts for code in one.errors],
                    "delays": [round(delay, 6) for one in counts for delay in one.delays],
                }
            ),
            flush=True,
        )


def allow_files(connections: int) -> None:
    """Lets this process have so many connections."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(connections + SPARE_FILES, most), most))


def main(kind: str, first: str, tables: str, url: str, more: str = "") -> None:
    """One generator process."""
    numbers = range(int(first), int(first) + int(tables))
    allow_files(4 * len(numbers))
    players: list[KopPlayer] | list[FloorPlayer]
    if kind == "floor":
        move = Canned.read(Path(more)).move
        players = [player for number in numbers for player in floor_players(url, number, move)]
    else:
        urls = [url, more] if more else [url]
        players = [player for number in numbers for player in kop_players(urls, number)]
    generator = Generator(list(players))
    gc.collect()
    gc.freeze()
    gc.disable()
    print("ready", flush=True)
    generator.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
