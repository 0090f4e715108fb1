"""More than one server process: players of one table on several, and what happens when one dies or stands still."""

import asyncio
import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.e2e.hosts import hosts
from tests.e2e.test_lookout import free_port, metrics_page
from tests.e2e.test_server_bots import alone, play
from tests.servers import OPEN_LIMITS, ServerProcess
from tests.wire import Wire, four_at_table, step

BRISK = {"KOP_LIMIT_GRACE_SECONDS": "0.5", "KOP_LIMIT_BOT_SECONDS": "0.02"}


async def four_over(servers: Sequence[ServerProcess], **create: object) -> tuple[list[Wire], str]:
    """Four players at a new private table, one after the other at the next server, when all see all."""
    players = [Wire(servers[seat % len(servers)].url, f"Player {seat}") for seat in range(4)]
    for player in players:
        await player.open()
    created = await players[0].ask("create", **create)
    table: str = created["table"]
    for player in players[1:]:
        await player.ask("join", code=created["code"])
    for player in players:
        await player.view(table, lambda view: view["public"]["match"] == 1 and all(view["here"]))
    return players, table


async def played(players: list[Wire], table: str, acts: int) -> None:
    """So many quiet acts, each seen by all."""
    for _ in range(acts):
        assert await step(players, table) is not None


async def close(players: Sequence[Wire]) -> None:
    for player in players:
        await player.close()


async def moved_to(players: Sequence[Wire], server: ServerProcess, table: str) -> None:
    """These come back over another process."""
    for player in players:
        player.url = server.url
        await player.reopen()
        await player.view(table)


async def test_players_of_one_table_on_different_processes(tmp_path: Path) -> None:
    """Two deals, each player at another process: every act is seen by all, with everything that happened in between."""
    async with hosts(tmp_path, 4) as servers:
        players, table = await four_over(servers)
        while players[0].views[table]["public"]["play"]["scored"] < 2:
            assert await step(players, table) is not None
        for player in players:
            news = [message for message in player.heard if message["type"] == "table"]
            assert not any(one["resync"] for one in news if one["from"] > 0)
            assert all(later["from"] in (earlier["version"], 0) for earlier, later in itertools.pairwise(news))
        await close(players)


async def test_company_talk_and_removal_reach_over_processes(tmp_path: Path) -> None:
    """A watcher at another process is counted, a saying is heard there, and who is removed is put out there."""
    async with hosts(tmp_path, 2) as (one, other):
        owner, guest, watcher = Wire(one.url, "Owner"), Wire(other.url, "Guest"), Wire(other.url, "Watcher")
        for player in (owner, guest, watcher):
            await player.open()
        table = (await owner.ask("create", private=False))["table"]
        await guest.ask("join", table=table)
        await watcher.ask("join", table=table, watch=True)
        await owner.view(table, lambda view: view["watchers"] == 1 and view["here"][1])
        await guest.ask("say", table=table, text="Dzień dobry")
        await owner.wait(
            lambda message: (
                message["type"] == "table" and any(event.get("text") == "Dzień dobry" for event in message["happened"])
            )
        )
        await owner.ask("remove", table=table, player=guest.player)
        assert await guest.put_out(table) == "removed"
        await close((owner, guest, watcher))


async def test_a_killed_process_costs_its_players_a_reconnect_and_the_others_nothing(tmp_path: Path) -> None:
    """Kill -9 in the middle of a deal: those at the other process stay, the rest come back to it."""
    async with hosts(tmp_path, 2) as (one, other):
        players, table = await four_over((one, other))
        await played(players, table, 9)
        one.kill()
        await moved_to(players[::2], other, table)
        await played(players, table, 20)
        one.start()
        await moved_to(players[1:2], one, table)
        await played(players, table, 9)
        await close(players)


async def test_what_a_killed_process_had_stored_and_told_nobody_is_seen_by_who_comes_back(tmp_path: Path) -> None:
    """A process that stands still misses entries; when it goes on it has them, from the others or from the log."""
    async with hosts(tmp_path, 2) as (one, other):
        players, table = await four_over((one, other))
        await played(players, table, 5)
        os.kill(one.pid, signal.SIGSTOP)
        stopped, players_there = players[::2], players[1::2]
        lone = Wire(other.url, "Player 0")
        lone.token, lone.instance, lone.last_id = stopped[0].token, stopped[0].instance, stopped[0].last_id
        second = Wire(other.url, "Player 2")
        second.token, second.instance, second.last_id = stopped[1].token, stopped[1].instance, stopped[1].last_id
        for player in (lone, second):
            await player.open()
            await player.view(table)
        four = [lone, players_there[0], second, players_there[1]]
        await played(four, table, 12)
        version = four[0].views[table]["version"]
        os.kill(one.pid, signal.SIGCONT)
        for player in stopped:
            view = await player.at_version(table, version)
            assert view["version"] >= version
        await close((*four, *stopped))


async def test_bots_go_on_at_another_process(tmp_path: Path) -> None:
    """A person with three bots, whose process is killed in mid-deal: over another process the deal is played out."""
    async with hosts(tmp_path, 2, BRISK) as (one, other):
        person, table = await alone(one.url)
        await play(person, table, tricks=1)
        one.kill()
        await moved_to((person,), other, table)
        await play(person, table, deals=1)
        await person.close()


@pytest.mark.long
async def test_clocks_and_bots_go_on_when_their_process_dies(tmp_path: Path) -> None:
    """Two bots and a clock, two players at two processes; either process is killed: the deal goes on at the other."""
    async with hosts(tmp_path, 2, BRISK) as servers:
        players = [Wire(server.url, f"Player {seat}") for seat, server in enumerate(servers)]
        for player in players:
            await player.open()
        created = await players[0].ask("create", options={"clock_seconds": 3, "clock_bank": 0, "on_absence": "clock"})
        table = created["table"]
        for seat in (2, 3):
            await players[0].ask("seat_bot", table=table, seat=seat, strength="easy")
        await players[1].ask("join", code=created["code"])
        for player in players:
            await player.view(table, lambda view: view["public"]["match"] == 1)
        await players[0].act(table, "ready")
        servers[0].kill()
        await play(players[1], table, deals=players[1].views[table]["public"]["play"]["scored"] + 1)
        await players[1].close()


async def test_a_drained_process_hands_over_and_the_clock_goes_on_elsewhere(tmp_path: Path) -> None:
    """SIGTERM for one of two: its players are told, come back to the other, and nothing is lost."""
    async with hosts(tmp_path, 2) as (one, other):
        players, table = await four_over((one, other))
        await played(players, table, 7)
        await asyncio.to_thread(one.stop)
        for player in players[::2]:
            assert await player.closed() == 1001
            assert any(message.get("notice") == "draining" for message in player.heard)
        await moved_to(players[::2], other, table)
        await played(players, table, 20)
        assert "ERROR" not in one.log + other.log
        await close(players)


def alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class Supervised:
    """A `kop-server serve --processes N`."""

    def __init__(self, folder: Path, number: int, metrics_port: int = 0) -> None:
        command = [sys.executable, "-m", "server.main", "serve", "--port", "0", "--processes", str(number)]
        command += ["--data-dir", str(folder / "data")]
        self._log = (folder / "server.log").open("w+")
        environment = {**os.environ, **OPEN_LIMITS, "KOP_METRICS_PORT": str(metrics_port)}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, text=True, env=environment, start_new_session=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+)/$", line)
        assert found, (folder / "server.log").read_text()
        self.url = f"ws://127.0.0.1:{found[1]}/ws"

    def serving(self) -> list[int]:
        """The process ids of those that serve."""
        ps = ["ps", "-A", "-ww", "-o", "pid=,ppid=,args="]
        listed = subprocess.run(ps, capture_output=True, text=True, check=True)
        rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
        return [int(row[0]) for row in rows if int(row[1]) == self.process.pid and "spawn_main" in row[2]]

    async def until_serving(self, number: int, but: int) -> None:
        """Waits until so many serve, without that one."""
        async with asyncio.timeout(20):
            while but in (now := await asyncio.to_thread(self.serving)) or len(now) != number:  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    def end(self) -> None:
        """Ends it with all that it has started."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self._log.close()


async def test_one_port_several_processes_one_of_which_dies_again_and_again(tmp_path: Path) -> None:
    """Each of three is killed once while four play: it is started again, and play goes on; SIGTERM ends them all."""
    supervised = await asyncio.to_thread(Supervised, tmp_path, 3)
    try:
        players = [Wire(supervised.url, f"Player {seat}") for seat in range(4)]
        for player in players:
            await player.open()
        created = await players[0].ask("create")
        table = created["table"]
        for player in players[1:]:
            await player.ask("join", code=created["code"])
        for player in players:
            await player.view(table, lambda view: view["public"]["match"] == 1)
        for victim in await asyncio.to_thread(supervised.serving):
            os.kill(victim, signal.SIGKILL)
            await supervised.until_serving(3, victim)
            for player in players:
                await player.reopen()
                await player.view(table)
            await played(players, table, 5)
        supervised.process.terminate()
        assert await asyncio.to_thread(supervised.process.wait, 30) == 0
        for player in players:
            assert await player.closed() == 1001
    finally:
        supervised.end()


async def test_figures_are_added_up_over_the_processes(tmp_path: Path) -> None:
    """Connections and entries of both on one port; after one was killed its entries still count, its players do not."""
    port = free_port()
    supervised = await asyncio.to_thread(Supervised, tmp_path, 2, port)
    try:
        wires = [Wire(supervised.url, f"Player {one}") for one in range(12)]
        for wire in wires:
            await wire.open()
        players, table = await four_at_table(supervised.url)
        await played(players, table, 8)
        made = players[0].views[table]["version"]

        def all_told(now: dict[str, float]) -> bool:
            told = (now["kop_connections"], now["kop_processes"], now["kop_commands_accepted_total player"])
            return told == (16, 2, made)  # each process writes its own figures in its own time

        await metrics_page(port, all_told)
        victim = (await asyncio.to_thread(supervised.serving))[0]
        os.kill(victim, signal.SIGKILL)
        await supervised.until_serving(2, victim)
        for player in players:
            await player.reopen()
            await player.view(table)
        await played(players, table, 4)

        def both(now: dict[str, float]) -> bool:
            return (now["kop_processes"], now["kop_commands_accepted_total player"]) == (2, made + 4)

        await metrics_page(port, both)
        for wire in (*wires, *players):
            await wire.drop()
        await metrics_page(port, lambda now: now["kop_connections"] == 0)
    finally:
        supervised.end()


async def test_the_processes_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    """Kill -9 of the parent leaves nothing behind that listens or holds the data directory."""
    supervised = await asyncio.to_thread(Supervised, tmp_path, 2)
    try:
        serving = await asyncio.to_thread(supervised.serving)
        supervised.process.kill()
        await asyncio.to_thread(supervised.process.wait, 10)
        async with asyncio.timeout(20):
            while any(alive(pid) for pid in serving):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.05)
    finally:
        supervised.end()
    again = await asyncio.to_thread(Supervised, tmp_path, 2)
    again.end()


@pytest.mark.parametrize("number", ["0", "65", "two", "-1"])
def test_a_number_of_processes_that_cannot_be(number: str) -> None:
    """Bad usage is said in a line."""
    command = [sys.executable, "-m", "server.main", "serve", "--processes", number]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "must be 1 to 64" in done.stderr


@pytest.mark.parametrize("processes", ["1", "2"])
async def test_a_server_that_still_waits_for_its_store_can_be_stopped(tmp_path: Path, processes: str) -> None:
    """The store does not answer, so nobody can be served yet; SIGTERM ends it all the same."""
    command = [sys.executable, "-m", "server.main", "serve", "--port", "0", "--processes", processes]
    nowhere = f"unix://{tmp_path}/nowhere.sock"
    environment = {**os.environ, "KOP_REDIS_URL": nowhere, "KOP_METRICS_PORT": "0"}
    process = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE, env=environment)
    assert process.stderr is not None
    async with asyncio.timeout(30):
        while b"waiting for the store" not in await process.stderr.readline():
            pass
        process.terminate()
        _, rest = await process.communicate()
    assert process.returncode == 0, rest
