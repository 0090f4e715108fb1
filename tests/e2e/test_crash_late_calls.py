"""kill -9 after every entry of a deal with an opening and a late call: nothing is lost, nothing happens twice."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.codec import Encoding
from server.games.kop.opening import seat_commitment
from server.games.kop.record import replay
from tests.e2e.test_crash import restart, seen
from tests.e2e.test_records import fetched, kept
from tests.servers import ServerProcess
from tests.wire import RefusedError, Wire, four_at_table, quiet_choice

BYTES = [bytes([seat + 1]) * 32 for seat in range(4)]


@pytest.fixture
async def seated(own_server: ServerProcess) -> AsyncIterator[tuple[list[Wire], str]]:
    """Four players in both encodings at a table of wolsztyn."""
    players, table = await four_at_table(own_server.url, tuple(Encoding), options={"rules": "wolsztyn", "deals": 4})
    yield players, table
    for player in players:
        await player.close()


def next_act(players: list[Wire], table: str) -> tuple[int, str] | None:
    """Commitments, openings, a late doubling and the re after it, and else the quietest; None: the clock is awaited."""
    play = players[0].views[table]["public"]["play"]
    own = [player.views[table]["own"]["actions"] for player in players]
    if play["phase"] == "ready":
        return next((seat, f"ready {seat_commitment(BYTES[seat], 0)}") for seat in range(4) if "ready" in own[seat])
    if play["phase"] == "opening":
        return next((seat, f"open {BYTES[seat].hex()}") for seat in range(4) if seat not in play["opening"]["opened"])
    late = play["phase"] == "play" and not play["shown"]
    answer = play["shown"] and not any(one["say"] == "double 2" for one in play["said"])
    for seat in range(4):
        if (late and "double 1" in own[seat]) or (answer and "double 2" in own[seat]):
            return seat, "double 1" if late else "double 2"
    choices = ((seat, quiet_choice(own[seat])) for seat in range(4))
    return next(((seat, choice) for seat, choice in choices if choice is not None), None)


async def newest(players: list[Wire], table: str) -> int:
    """The table's version, which all have seen."""
    version = int((await players[0].ask("sync", table=table))["version"])
    for player in players:
        await player.at_version(table, version)
    return version


async def views(players: list[Wire], table: str) -> list[dict[str, Any]]:
    """What each sees of the table."""
    await newest(players, table)
    return [seen(player.views[table]) for player in players]


async def test_a_kill_after_any_entry_of_an_opening_and_a_late_call_changes_nothing(
    own_server: ServerProcess, seated: tuple[list[Wire], str]
) -> None:
    """After each entry: kill, come back: same views but for what the clock did; the command again: the same reply."""
    players, table = seated
    done: list[tuple[str, int]] = []
    while players[0].views[table]["public"]["play"]["last"] is None:
        act = next_act(players, table)
        if act is None:
            version = players[0].views[table]["version"]
            for player in players:
                await player.at_version(table, version + 1)
            continue
        player, fields = players[act[0]], {"table": table, "action": act[1]}
        fields["prompt"] = player.views[table]["own"]["prompt"]
        done.append((f"{player.player}/{player.instance}", player.next_id()))
        try:
            reply = await player.ask("act", id=done[-1][1], **fields)
        except RefusedError as refused:  # the clock was faster
            if refused.code not in ("stale", "no_question"):
                raise
            done.pop()
            await newest(players, table)
            continue
        for other in players:
            await other.at_version(table, reply["version"])
        before = await views(players, table)
        await restart(own_server, players)
        after = await views(players, table)
        assert after == before or clock_entries(own_server, table, before[0]["version"]), act
        assert await player.ask("act", id=done[-1][1], **fields) == reply, act
        assert len(own_server.entries(table)) == (await newest(players, table))
    lines = own_server.entries(table)[4:]
    assert [(line.client, line.number) for line in lines if line.client] == done
    happened = [type(event).__name__ for line in lines for event in line.events]
    assert {"OpeningBegun", "Opened", "LeadTakenBack", "DealScored"} <= set(happened)
    name = f"{table}-1-1"
    await kept(players[0], name)
    record = await fetched(players[0], record=name)
    assert replay(record)[-1].match.lines
    assert record["fair"]["opened"] == [part.hex() for part in BYTES]


def clock_entries(server: ServerProcess, table: str, version: int) -> bool:
    """Whether everything after this version is the clock's."""
    later = [line for line in server.entries(table) if line.version > version]
    return bool(later) and not any(line.client for line in later)
