"""The same with openings, late calls and an annulled deal: bytes of seats are seen only when all have committed."""

import copy
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import msgpack
import pytest

from protocol.codec import Encoding
from server.games.kop.opening import seat_commitment
from tests.e2e.leaks import Ledger, Secret, Viewer, leaks, writings
from tests.e2e.test_late_calls import act, doublers, public
from tests.e2e.test_scenarios_secrecy import provoke, recording
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

NEVER_OPENED = (1, 3)
"""The deal and the seat that does not open what it has committed to."""


def part(deal: int, seat: int) -> bytes:
    """The bytes of a seat for a deal."""
    return hashlib.sha256(f"{deal} {seat}".encode()).digest()


@dataclass
class Recorded:
    """A match on a server that logs everything: its log, who received what, and what must never get out."""

    ledger: Ledger
    players: list[Wire]
    watchers: list[Wire]
    secrets: list[Secret]
    log: str

    @property
    def wires(self) -> list[Wire]:
        """Everybody who received something."""
        return [*self.players, *self.watchers]


async def opened_deal(players: list[Wire], watchers: list[Wire], table: str, deal: int) -> None:
    """All commit and open, in the first deal but one; errors before the last commitment and between two openings."""
    for seat, player in enumerate(players):
        if seat == 3:
            await provoke(players, watchers, table)
        reply = await player.act(table, f"ready {seat_commitment(part(deal, seat), 0)}")
        for other in players:
            await other.at_version(table, reply["version"])
    assert public(players, table)["phase"] == "opening"
    for seat in (2, 0, 1, 3):
        if (deal, seat) == NEVER_OPENED:
            continue
        await act(players, table, seat, f"open {part(deal, seat).hex()}")
        await provoke(players, watchers, table)
    for player in (*players, *watchers):
        await player.view(table, lambda view: view["public"]["play"]["phase"] == "calls")


async def quietly(players: list[Wire], table: str, until: str) -> None:
    """Quiet play to the phase."""
    while public(players, table)["phase"] != until:
        assert await step(players, table) is not None


async def recorded_match(url: str) -> tuple[list[Wire], list[Wire], str]:
    """Four players and two watchers: a deal with a late call, one that is annulled, and the beginning of a third."""
    players, table = await four_at_table(url, tuple(Encoding), options={"rules": "wolsztyn", "deals": 4})
    code = players[0].views[table]["own"]["code"]
    watchers = [Wire(url, "Watcher", encoding) for encoding in Encoding]
    for watcher in watchers:
        await watcher.open()
        await watcher.ask("join", watch=True, code=code)
    await opened_deal(players, watchers, table, 1)
    await quietly(players, table, "play")
    await act(players, table, doublers(players, table)[0], "double 1")
    await provoke(players, watchers, table)
    await quietly(players, table, "play")
    await quietly(players, table, "ready")
    await opened_deal(players, watchers, table, 2)
    await players[2].ask("leave", table=table)
    await players[2].put_out(table)
    await players[0].ask("annul", table=table)
    await players[2].ask("join", code=code)
    reply = await players[0].ask("sync", table=table)
    for player in (*players, *watchers):
        await player.at_version(table, reply["version"])
    await opened_deal(players, watchers, table, 3)
    await quietly(players, table, "play")
    await provoke(players, watchers, table)
    return players, watchers, table


@pytest.fixture(scope="module")
def talkative(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that logs everything."""
    server = ServerProcess(tmp_path_factory.mktemp("opening"), {"KOP_LOG": "debug"}).start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
async def match(talkative: ServerProcess) -> Recorded:
    """The match, with everything that anybody received."""
    players, watchers, table = await recorded_match(talkative.url)
    ledger = Ledger.of(talkative.entries(table))
    secrets = [Secret("bytes that nobody opened", text, None) for text in writings(part(*NEVER_OPENED))]
    for wire in (*players, *watchers):
        secrets.append(Secret("a token", (wire.token or "").encode(), wire.player))
        await wire.close()
    talkative.stop()
    return Recorded(ledger, players, watchers, secrets, talkative.log)


async def test_no_byte_of_a_seat_is_seen_too_early(match: Recorded) -> None:
    """Commitments when all are ready, bytes with the cards, secrets and hands when the deal is over; nothing sooner."""
    public_at = match.ledger.secrets
    parts = {part(deal, seat) for deal in (1, 2, 3) for seat in range(4)}
    assert {one for one in parts if public_at.get(one) is not None} == parts - {part(*NEVER_OPENED)}
    for wire in match.wires:
        recorded = recording(wire)
        assert any(part(1, 0).hex().encode() in raw for raw, _ in recorded)  # in its time everybody saw it
        assert leaks(match.ledger, Viewer(wire.player, wire.token or ""), recorded, match.secrets) == []


async def test_the_server_logs_no_bytes_of_a_seat(match: Recorded) -> None:
    """Not even at the level of debug, and no commitment."""
    raw = match.log.encode()
    assert b"stopping" in raw
    for secret in (*match.ledger.secrets, part(*NEVER_OPENED)):
        assert not any(text in raw for text in writings(secret))


def places(wire: Wire, phase: str) -> list[int]:
    """The places of the `table` messages of a phase."""
    return [
        place
        for place, (_, message) in enumerate(recording(wire))
        if message["type"] == "table" and (message["public"]["play"] or {}).get("phase") == phase
    ]


@pytest.mark.parametrize(
    "kind", ["opened", "own opened", "unopened", "commitment", "secret", "annulled", "taken back", "another shown"]
)
async def test_a_planted_leak_is_caught(match: Recorded, kind: str) -> None:
    """The checker finds each kind of leak, planted into what a watcher really received."""
    wire = match.watchers[0]
    recorded = copy.deepcopy(recording(wire))
    place = places(wire, {"commitment": "ready", "taken back": "play", "another shown": "calls"}.get(kind, "opening"))[
        2
    ]
    message = recorded[place][1]
    play = message["public"]["play"]
    hidden = sorted(match.ledger.at[message["version"]].held(0))
    match kind:
        case "opened":
            play["opening"]["bytes"] = part(1, 2).hex()
        case "own opened":
            message["happened"].append({"event": "opened", "seat": 2, "secret": part(1, 2).hex().upper()})
        case "unopened":
            play["opening"]["bytes"] = part(*NEVER_OPENED).hex()
        case "commitment":
            play["commitments"] = [seat_commitment(part(1, 0), 0)]
        case "secret":
            play["commitment"] = next(one for one, at in match.ledger.secrets.items() if at is None).hex()
        case "annulled":
            hands = [[card] for card in ("AH", "TH", "QC", "QS")]
            message["happened"].append({"event": "deal_annulled", "deal": 1, "hands": hands, "secret": ""})
        case "taken back":
            message["happened"].append({"event": "lead_taken_back", "seat": 0, "card": hidden[0]})
        case "another shown":
            play["shown"].append(hidden[0])
    recorded[place] = (msgpack.packb(message), message)
    found = leaks(match.ledger, Viewer(wire.player, wire.token or ""), recorded, match.secrets)
    assert found
    assert all(fault.startswith(f"message {place} ") for fault in found)
