"""Nobody receives a card, a secret, a code or a token before it is his to know: every byte is looked at."""

import copy
import hashlib
from collections.abc import Iterator

import msgpack
import pytest

from protocol.codec import Encoding
from tests.e2e.leaks import CARD, Ledger, Secret, Viewer, leaks, writings
from tests.servers import ServerProcess
from tests.wire import Message, Wire, four_at_table, step

Recording = list[tuple[bytes, Message]]


def recording(wire: Wire) -> Recording:
    """Every frame that the player received over all connections, raw and read."""
    heard = [message for message in wire.heard if message["type"] != "(connected)"]
    return list(zip(wire.raw, heard, strict=True))


async def provoke(players: list[Wire], watchers: list[Wire], table: str) -> None:
    """Errors of every kind that could betray something: other hands' cards, wrong turns, strange prompts."""
    for number, player in enumerate((*players, *watchers)):
        prompt = players[0].views[table]["own"]["prompt"]
        for action in ("play AH", "play QC", "double 3", "wesele", "wesele JC", "ask", "nonsense", "ready 7"):
            if action not in (player.views[table]["own"] or {"actions": []})["actions"]:
                await player.refused("act", table=table, prompt=prompt, action=action)
        await player.refused("act", table=table, prompt="9.9r", action="ready")
        await player.ask("sync", table=table)
        await player.ask("sheet", table=table)
        await player.ask("list")
        await player.refused("join", table=table, seat=number)


async def play_on(players: list[Wire], watchers: list[Wire], table: str, until: str) -> None:
    """Quiet play with a reconnect at each tenth step, and errors at each seventh."""
    steps = 0
    while players[0].views[table]["public"]["stage"] != until:
        assert await step(players, table) is not None
        steps += 1
        if steps % 10 == 0:
            comer = (*players, *watchers)[steps // 10 % 6]
            await comer.reopen()
            await comer.view(table)
        if steps % 7 == 0:
            await provoke(players, watchers, table)


async def watched_match(url: str, *, private: bool) -> tuple[list[Wire], list[Wire], str]:
    """A match of four deals with two watchers, and the first deal of the rematch."""
    players, table = await four_at_table(url, tuple(Encoding), private=private, options={"deals": 4})
    code = players[0].views[table]["own"]["code"]
    watchers = [Wire(url, "Watcher", encoding) for encoding in Encoding]
    for watcher in watchers:
        await watcher.open()
        await watcher.ask("join", watch=True, **({"code": code} if private else {"table": table}))
        await watcher.view(table)
    await play_on(players, watchers, table, "over")
    for player in players:
        await player.act(table, "rematch")
    await players[0].view(table, lambda view: view["public"]["match"] == 2)
    for player in players:
        await player.view(table, lambda view: view["public"]["match"] == 2)
    for _ in range(14):
        await step(players, table)
    return players, watchers, table


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that logs everything."""
    server = ServerProcess(tmp_path_factory.mktemp("secrecy"), {"KOP_LOG": "debug"}).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
async def match(talkative: ServerProcess) -> tuple[Ledger, list[Wire], list[Wire], list[Secret], str]:
    """A private and a public match on a server that logs everything, and what must not get out."""
    public = await watched_match(talkative.url, private=False)
    players, watchers, table = await watched_match(talkative.url, private=True)
    ledgers = [Ledger.of(talkative.entries(one)) for one in (table, public[2])]
    secrets = []
    for wire in (*players, *watchers, *public[0], *public[1]):
        token = wire.token or ""
        secrets.append(Secret("a token", token.encode(), wire.player))
        secrets += [
            Secret("the hash of a token", text, None) for text in writings(hashlib.sha256(token.encode()).digest())
        ]
        await wire.close()
    talkative.stop()
    for ledger, group in ((ledgers[0], (*players, *watchers)), (ledgers[1], (*public[0], *public[1]))):
        for wire in group:
            assert leaks(ledger, Viewer(wire.player, wire.token or ""), recording(wire), secrets) == []
    return ledgers[0], players, watchers, secrets, talkative.log


Match = tuple[Ledger, list[Wire], list[Wire], list[Secret], str]


async def test_side_field_leak(match: Match) -> None:
    """A match with errors, reconnects and a rematch: no card, secret, code or token reaches anyone too early."""
    ledger, players, watchers, secrets, _ = match
    assert sum(public_at is not None for public_at in ledger.secrets.values()) >= 4
    assert None in ledger.secrets.values()
    for wire in (*players, *watchers):
        recorded = recording(wire)
        assert len([message for _, message in recorded if message["type"] == "table"]) > 60
        assert len([message for _, message in recorded if message["type"] == "error"]) > 20
        assert leaks(ledger, Viewer(wire.player, wire.token or ""), recorded, secrets) == []


async def test_the_server_logs_no_card_secret_code_or_token(match: Match) -> None:
    """Not even at the level of debug."""
    ledger, _, _, secrets, log = match
    raw = log.encode()
    assert b"stopping" in raw
    assert ledger.code is not None
    assert ledger.code.encode() not in raw
    assert CARD.findall(raw) == []
    for secret in ledger.secrets:
        assert not any(text in raw for text in writings(secret))
    for one in secrets:
        assert one.text not in raw


def table_messages(wire: Wire, phase: str) -> list[int]:
    """The places of the `table` messages of a phase in which cards are hidden."""
    return [
        place
        for place, (_, message) in enumerate(recording(wire))
        if message["type"] == "table" and (message["public"]["play"] or {}).get("phase") == phase
    ]


@pytest.mark.parametrize("kind", ["hand", "action", "trick", "happening", "field", "error", "own", "secret", "code"])
async def test_a_planted_leak_is_caught(match: Match, kind: str) -> None:
    """The checker finds each kind of leak, planted into what a watcher, or a seat, really received."""
    ledger, players, watchers, secrets, _ = match
    wire = players[1] if kind in ("hand", "action") else watchers[0]
    recorded = copy.deepcopy(recording(wire))
    place = table_messages(wire, "play")[3]
    message = recorded[place][1]
    known = ledger.at[message["version"]]
    hidden = next(iter(sorted(known.held(3))))
    match kind:
        case "hand":
            message["own"]["play"]["hand"].append(hidden)
        case "action":
            message["own"]["actions"].append(f"play {hidden}")
        case "trick":
            message["public"]["play"]["trick"].append({"seat": 3, "card": hidden})
        case "happening":
            message["happened"].append({"event": "card_played", "seat": 3, "card": hidden})
        case "field":
            message["public"]["play"]["deck"] = [hidden]
        case "error":
            message = {"type": "error", "code": "must_beat", "detail": f"beat it with {hidden}"}
        case "own":
            message["own"] = players[3].views[message["table"]]["own"]
        case "secret":
            offered = next(secret for secret, public_at in ledger.secrets.items() if public_at is None)
            message["public"]["play"]["commitment"] = offered.hex()
        case "code":
            message["public"]["code"] = ledger.code
    recorded[place] = (msgpack.packb(message), message)
    found = leaks(ledger, Viewer(wire.player, wire.token or ""), recorded, secrets)
    assert found
    assert all(fault.startswith(f"message {place} ") for fault in found)


async def test_a_planted_token_or_hash_is_caught(match: Match) -> None:
    """Another's token, and the hash of one's own, are found wherever they stand."""
    ledger, players, watchers, secrets, _ = match
    for planted in (players[0].token, hashlib.sha256((watchers[0].token or "").encode()).hexdigest()):
        message = {"type": "pong", "time": 0, "x": planted}
        assert leaks(ledger, Viewer(watchers[0].player, ""), [(msgpack.packb(message), message)], secrets)
