"""What people could do to each other at comparable servers, and cannot here; each named after its report."""

import asyncio

from protocol.codec import Encoding
from tests.e2e.company import told
from tests.e2e.conftest import StartServer
from tests.e2e.script import close
from tests.e2e.test_flood import ENCODINGS, flood
from tests.e2e.test_flood import limited as limited
from tests.e2e.test_talk import BY_DEFAULT, LIMITS, pair
from tests.servers import ServerProcess
from tests.wire import Message, Wire, four_at_table, step

NOT_BLOCKED = 15.0
"""Seconds that a step may take beside all that; a server that a flood blocks takes longer than a test waits."""


@ENCODINGS
async def test_only_chat_was_limited(limited: ServerProcess, encoding: Encoding) -> None:
    """10,000 pings, illegal acts, lists and sayings as fast as may be, each kind alone and all from one connection.

    Who floods is closed with 4002, if not told `too_many` before; meanwhile a deal goes on at another table and
    each of its commands is answered with its effect.
    """
    players, table = await four_at_table(limited.url, options={"deals": 4})
    attackers = [Wire(limited.url, f"Flood {number}", encoding) for number in range(7)]
    for attacker in attackers:
        await attacker.open()
    own = (await attackers[1].ask("create"))["table"]
    act: Message = {"type": "act", "id": 2, "table": own, "prompt": "0.1r", "action": "play AH"}
    lists: Message = {"type": "list", "id": 1}
    say: Message = {"type": "say", "id": 3, "table": own, "text": "tak"}
    floods = [
        flood(attackers[0], {"type": "ping"}),
        flood(attackers[1], act),
        flood(attackers[2], lists),
        flood(attackers[3], {"type": "nonsense"}),
        flood(attackers[4], {"type": "ping"}, reads=False),
        flood(attackers[5], say),
        flood(attackers[6], {"type": "ping"}, act, lists, say, {"type": "nonsense"}),
    ]
    attack = asyncio.gather(*floods)
    steps = 0
    while players[0].views[table]["public"]["play"]["last"] is None:
        async with asyncio.timeout(NOT_BLOCKED):
            assert await step(players, table) is not None
        steps += 1
    await attack
    assert steps >= 4 + 1 + 3 + 12
    for player in players:
        assert [one for one in player.heard if one["type"] == "error"] == []
        assert player.socket.close_code is None
        await player.close()
    for attacker in attackers[:4]:
        assert "too_many" in {one.get("code") for one in attacker.heard} or attacker is attackers[3]
    back = await attackers[1].reopen()
    assert [at["table"] for at in back["tables"]] == [own]
    for attacker in attackers:
        await attacker.drop()


async def test_flood_filter_eats_tak_tak(start_server: StartServer) -> None:
    """By the usual limits: "tak", "tak" and more pass; a flood is told so, and that is all."""
    server = start_server({**BY_DEFAULT, "KOP_LIMIT_SAYINGS_PER_SECOND": "2"})
    ada, ola, eve, table = await pair(server.url)
    burst = int(LIMITS.sayings_burst)
    for _ in range(burst):
        await ada.ask("say", table=table, text="tak")
    await ola.view(table, lambda _: len(told(ola, table, "talked")) == burst)
    assert {one["text"] for one in told(ola, table, "talked")} == {"tak"}
    ids = [ada.next_id() for _ in range(30)]
    since = len(ada.heard)
    for command_id in ids:
        await ada.send({"type": "say", "id": command_id, "table": table, "phrase": "yes"})
    answers = [await ada.answer_to(command_id, since) for command_id in ids]
    refused = [answer for answer in answers if answer["type"] == "error"]
    assert {answer["code"] for answer in refused} == {"talked_too_much"}
    assert len(refused) > 20
    await ola.ask("say", table=table, text="nie")  # others have their own measure
    await eve.ask("say", table=table, text="nie")
    await ada.ask("sync", table=table)
    while True:  # the allowance grows back
        answer = await ada.ask("sync", table=table)
        command_id, since = ada.next_id(), len(ada.heard)
        await ada.send({"type": "say", "id": command_id, "table": table, "text": "tak"})
        answer = await ada.answer_to(command_id, since)
        if answer["type"] == "reply":
            break
        assert answer["code"] == "talked_too_much"
    assert ada.socket.close_code is None
    await close(ada, ola, eve)
