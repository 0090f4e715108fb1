"""The server's bots over real sockets: seated, shown, replaced, removed, killed; and one person's match with three."""

import asyncio
import contextlib
import os
import signal
import subprocess
from typing import Any

import pytest

from protocol.codec import Encoding
from tests.e2e.company import told
from tests.e2e.conftest import BRISK, StartServer
from tests.e2e.script import close
from tests.e2e.test_records import fetched, kept
from tests.e2e.test_scenarios_tables import until
from tests.servers import ServerProcess
from tests.wire import PATIENCE, RefusedError, Wire, quiet_choice

QUIET: dict[str, Any] = {"deals": 4, "answer_seconds": None}


async def alone(url: str, *, bots: int = 3, private: bool = True, **options: Any) -> tuple[Wire, str]:
    """A person at a table of his own with bots of every strength."""
    wire = Wire(url, "Ola")
    await wire.open()
    created = await wire.ask("create", private=private, options={**QUIET, **options})
    for strength in ("easy", "medium", "hard")[:bots]:
        reply = await wire.ask("seat_bot", table=created["table"], strength=strength)
    await wire.at_version(created["table"], reply["version"])
    return wire, created["table"]


async def play(wire: Wire, table: str, *, until_stage: str = "", deals: int = 0, tricks: int = 0) -> None:
    """The person acts quietly by his views alone, until the match is at the stage, or has so many deals or tricks."""

    def there(view: dict[str, Any]) -> bool:
        play = view["public"]["play"]
        return (
            view["public"]["stage"] == until_stage
            or bool(deals and play["scored"] >= deals)
            or bool(tricks and view["public"]["stage"] == "deal" and len(play["tricks"]) >= tricks)
        )

    async with asyncio.timeout(3 * PATIENCE):
        while not there(wire.views[table]):
            view = wire.views[table]
            action = quiet_choice(view["own"]["actions"])
            if action is None:
                await wire.view(table, lambda now, seen=view: now["version"] > seen["version"])  # type: ignore[misc]
                continue
            try:
                reply = await wire.act(table, action)
            except RefusedError as refused:  # a bot was faster
                if refused.code not in ("stale", "no_question"):
                    raise
                reply = await wire.ask("sync", table=table)
            await wire.at_version(table, reply["version"])


def bots_of(wire: Wire, table: str) -> list[str | None]:
    """How each seat is shown."""
    return [None if sitter is None else sitter["bot"] for sitter in wire.views[table]["public"]["seats"]]


@pytest.mark.parametrize("rules", ["klassisch", "wolsztyn"])
async def test_one_person_and_three_bots_play_a_match(brisk: ServerProcess, rules: str) -> None:
    """Four deals and a rematch; the bots are shown as bots in views, sheet, lobby, records and the evening."""
    seconds = {"answer_seconds": 15} if rules == "klassisch" else {}
    wire, table = await alone(brisk.url, private=False, rules=rules, **seconds)
    assert bots_of(wire, table) == [None, "easy", "medium", "hard"]
    assert wire.views[table]["here"][1:] == [True] * 3
    assert [one["bot"] for one in told(wire, table, "seated")] == ["easy", "medium", "hard"]
    (listed,) = [one for one in (await wire.ask("list"))["tables"] if one["table"] == table]
    assert listed["bots"] == [False, True, True, True]
    await play(wire, table, until_stage="over")
    sheet = await wire.ask("sheet", table=table)
    assert [line["bots"] for line in sheet["lines"]] == [[False, True, True, True]] * 4
    await kept(wire, *(f"{table}-1-{deal}" for deal in (1, 2, 3, 4)))
    record = await fetched(wire, record=f"{table}-1-3")
    assert (record["bots"], record["acted_for"]) == ([False, True, True, True], [])
    assert told(wire, table, "acted_for") == []
    await wire.act(table, "rematch")
    await wire.view(table, lambda view: bool(view["public"]["match"] == 2))
    evening = await wire.ask("evening", table=table)
    assert sorted((one["bot"], one["deals"]) for one in evening["people"]) == [(False, 4), *[(True, 4)] * 3]
    await wire.close()


async def test_a_bot_acts_only_for_its_seat_and_as_itself(brisk: ServerProcess) -> None:
    """In the log a bot's acts are the server's, and no command of anybody's; the person's are his."""
    wire, table = await alone(brisk.url)
    await play(wire, table, deals=1)
    lines = brisk.entries(table)
    by_seat: dict[int, set[str]] = {}
    for line in lines:
        for event in line.events:
            if type(event).__name__ in ("CardPlayed", "Said", "ReadySaid"):
                seat = event.utterance.seat if type(event).__name__ == "Said" else event.seat
                by_seat.setdefault(seat, set()).add(line.client.split("/")[0])
                break
    assert by_seat == {0: {wire.player}, 1: {""}, 2: {""}, 3: {""}}
    await wire.close()


async def test_a_person_takes_a_bots_seat_in_mid_deal(brisk: ServerProcess) -> None:
    """Who joins a full table with bots has the first bot's seat at once, or the one that he names, with its hand."""
    wire, table = await alone(brisk.url)
    await play(wire, table, tricks=1)
    code = wire.views[table]["own"]["code"]
    async with Wire(brisk.url, "Ula", Encoding.JSON) as ula, Wire(brisk.url, "Ala") as ala:
        assert (await ula.ask("join", code=code, seat=2))["seat"] == 2
        assert (await ala.ask("join", code=code))["seat"] == 1
        await wire.view(table, lambda view: view["public"]["seats"][1]["name"] == "Ala")
        assert bots_of(wire, table) == [None, None, None, "hard"]
        left = [one["seat"] for one in told(wire, table, "seat_left")]
        assert left == [2, 1]
        for person in (ula, ala):
            view = await person.view(table)
            seat, play_now = view["own"]["seat"], view["public"]["play"]
            if view["public"]["stage"] == "deal":
                assert len(view["own"]["play"]["hand"]) == play_now["cards"][seat]
        people = [wire, ula, ala]
        async with asyncio.timeout(PATIENCE):
            while not told(wire, table, "deal_scored"):
                for person in people:
                    action = quiet_choice(person.views[table]["own"]["actions"])
                    if action is not None:
                        with contextlib.suppress(RefusedError):
                            await person.act(table, action)
                    reply = await person.ask("sync", table=table)
                    await person.at_version(table, reply["version"])
        sheet = await wire.ask("sheet", table=table)
        assert sheet["lines"][0]["bots"] == [False, True, True, True]  # the cards were dealt to the bots
        assert told(wire, table, "absent") == []
    await wire.close()


async def test_the_owner_removes_a_bot_and_seats_another(brisk: ServerProcess) -> None:
    """Before the match and between deals; in a deal it stays, or the owner could annul what he does not like."""
    wire, table = await alone(brisk.url, bots=2)
    seats = wire.views[table]["public"]["seats"]
    await wire.ask("remove", table=table, player=seats[1]["player"])
    await wire.view(table, lambda view: view["public"]["seats"][1] is None)
    for seat in (3, 1):
        reply = await wire.ask("seat_bot", table=table, seat=seat, strength="easy")
    await wire.at_version(table, reply["version"])
    assert bots_of(wire, table) == [None, "easy", "medium", "easy"]
    await play(wire, table, tricks=1)
    names = [sitter["name"] for sitter in wire.views[table]["public"]["seats"]]
    assert len(set(names)) == 4
    removed = wire.views[table]["public"]["seats"][3]["player"]
    assert wire.views[table]["public"]["stage"] == "deal"
    assert (await wire.refused("remove", table=table, player=removed))["code"] == "deal_running"
    await play(wire, table, deals=1)
    await wire.ask("remove", table=table, player=removed)
    await wire.view(table, lambda view: view["public"]["seats"][3] is None)
    assert (await wire.refused("remove", table=table, player=removed))["code"] == "no_such_sitter"
    await wire.ask("seat_bot", table=table, seat=3)
    await wire.view(table, lambda view: view["public"]["seats"][3] is not None)
    assert wire.views[table]["public"]["seats"][3]["player"] != removed
    await wire.close()


async def test_seats_for_bots_that_cannot_be_had_are_refused(brisk: ServerProcess) -> None:
    """Not the owner, a taken seat, a full table, no such seat, no such strength: a code each, nothing seated."""
    wire, table = await alone(brisk.url, bots=1)
    async with Wire(brisk.url, "Ula") as ula:
        await ula.ask("join", code=wire.views[table]["own"]["code"])
        assert (await ula.refused("seat_bot", table=table))["code"] == "not_owner"
        assert (await wire.refused("seat_bot", table=table, seat=0))["code"] == "seat_taken"
        assert (await wire.refused("seat_bot", table=table, seat=1))["code"] == "seat_taken"
        assert (await wire.refused("seat_bot", table=table, seat=4))["code"] == "no_such_seat"
        assert (await wire.refused("seat_bot", table=table, strength="genius"))["code"] == "bad_field"
        reply = await wire.ask("seat_bot", table=table)
        assert (await wire.refused("seat_bot", table=table))["code"] == "no_free_seat"
        assert (await wire.refused("seat_bot", table=table, seat=3))["code"] == "seat_taken"
        version = (await wire.ask("sync", table=table))["version"]
        assert await wire.ask("seat_bot", table=table, id=reply["id"]) == reply
        assert version - reply["version"] in (0, 1, 2)  # bots that are ready
        bot = wire.views[table]["public"]["seats"][1]["player"]
        assert (await wire.refused("hand_over", table=table, player=bot))["code"] == "no_such_sitter"
    await wire.close()


async def test_a_person_and_three_bots_go_on_after_a_kill(start_server: StartServer) -> None:
    """Kill -9 in mid-deal: when the person is back the bots play on, and the match comes to its end."""
    server = start_server(BRISK)
    wire, table = await alone(server.url)
    for tricks in (0, 1, 2):
        await play(wire, table, until_stage="deal", tricks=tricks)
        server.kill()
        server.start()
        await wire.reopen()
        await wire.view(table)
    assert bots_of(wire, table) == [None, "easy", "medium", "hard"]
    await play(wire, table, until_stage="over")
    await wire.close()


async def test_bots_rest_while_their_only_person_is_away(start_server: StartServer) -> None:
    """The person goes: after the grace the table pauses, and nothing is played; when he is back it goes on."""
    server = start_server(BRISK)
    wire, table = await alone(server.url)
    await play(wire, table, until_stage="deal")
    await wire.drop()
    await until(
        lambda: any(type(event).__name__ == "Paused" for line in server.entries(table) for event in line.events)
    )
    paused = len(server.entries(table))
    await wire.open()
    await wire.view(table, lambda view: bool(view["public"]["pause"] is None))
    assert type(server.entries(table)[paused].events[0]).__name__ == "Resumed"
    await play(wire, table, deals=1)
    await wire.close()


@pytest.fixture
def at_work(start_server: StartServer) -> ServerProcess:
    """A server whose bots wait a little."""
    return start_server({**BRISK, "KOP_LIMIT_BOT_SECONDS": "0.05"})


def thinkers(server: ServerProcess) -> list[int]:
    """The processes in which bots think: spawned children of the server."""
    listed = subprocess.run(["ps", "-A", "-ww", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [int(row[0]) for row in rows if int(row[1]) == server.pid and "spawn_main" in row[2]]


async def test_play_goes_on_when_thinking_processes_are_killed(at_work: ServerProcess) -> None:
    """The process in which bots think is killed with -9 again and again: the deals are played, the server stands."""
    wire, table = await alone(at_work.url)
    killed: set[int] = set()
    stop = asyncio.Event()

    async def kill() -> None:
        while not stop.is_set():
            for pid in await asyncio.to_thread(thinkers, at_work):
                if pid not in killed:
                    killed.add(pid)
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.05)

    killing = asyncio.get_running_loop().create_task(kill())
    try:
        await play(wire, table, deals=2)
    finally:
        stop.set()
        await killing
    assert killed
    assert "Traceback" not in at_work.log
    await play(wire, table, deals=3)
    await close(wire)
