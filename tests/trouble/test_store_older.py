"""The store comes back older than what was told: a backup was restored, or a failover lost the last entries."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.conftest import StartServer
from tests.trouble.players import (
    Steady,
    all_play,
    check_once,
    four,
    heard,
    in_play,
    in_turn,
    over,
    scored,
    seated,
    told,
)
from tests.trouble.stores import ForeignValkey
from tests.wire import RefusedError, quiet_choice


async def check_memory(player: Steady, table: str, kept: int) -> None:
    """The table still knows the commands from before: their ids stand for nothing else."""
    for command_id, kind, reply in player.answered:
        if kind == "act":
            with pytest.raises(RefusedError, match="id_reused"):
                await player.do("act", id=command_id, table=table, prompt="other", action="ready")
            assert reply["version"] <= kept


@pytest.mark.parametrize("also", ["the store alone", "the server too"])
async def test_play_goes_on_from_an_older_state(
    start_server: StartServer, valkey: ForeignValkey, tmp_path: Path, also: str
) -> None:
    """Who saw what is lost is told `rolled_back`, and plays on from what there is; no command counts twice.

    A lost command that is given again under its id is decided anew; one that is kept has its old reply.
    """
    server = start_server({"KOP_REDIS_URL": valkey.url, "KOP_KEEP_HEARTBEAT_MS": "200"})
    players = four(server)
    table = await seated(players)
    await all_play(players, table, in_play)
    await asyncio.gather(*(player.do("sync", table=table) for player in players))
    kept = players[0].wire.views[table]["version"]
    before = {player: player.wire.views[table]["own"] for player in players}
    valkey.stop()
    valkey.copy(tmp_path / "copy")
    valkey.start()
    answered = [len(player.answered) for player in players]
    player = in_turn(players, table)
    own = before[player]
    act = {"table": table, "prompt": own["prompt"], "action": quiet_choice(own["actions"])}
    command_id = player.wire.next_id()
    lost = await player.do("act", id=command_id, **act)
    await all_play(players, table, scored(1))
    since = heard(players)
    if also == "the server too":
        server.kill()
    valkey.kill()
    valkey.put_back(tmp_path / "copy")
    valkey.start()
    if also == "the server too":
        server.start()
        for one in players:
            await one.come()
    else:
        await told(players, "rolled_back", since)
    for one in players:  # what was answered since then is lost, and each has learned it
        del one.answered[answered[players.index(one)] :]
        view = await one.wire.view(table, lambda view: bool(view["version"] < lost["version"] + 10))
        assert (view["public"]["play"]["scored"], view["own"]["play"]["hand"]) == (0, before[one]["play"]["hand"])
    assert players[0].wire.views[table]["version"] >= kept
    await check_memory(players[1], table, kept)
    again = await player.do("act", id=command_id, **act)
    assert await player.do("act", id=command_id, **act) == again
    await all_play(players, table, over)
    check_once(valkey.written()[table], players)
    for one in players:
        await one.close()
