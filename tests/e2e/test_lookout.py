"""What an operator sees of a match: figures that are true, and a log that follows each command and tells no card."""

import asyncio
import hashlib
import json
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from protocol.codec import Encoding
from protocol.errors import ErrorCode
from server.table.codec import LogLine
from tests.e2e.leaks import CARD, Ledger, writings
from tests.servers import ServerProcess
from tests.wire import Wire, four_at_table, step

WATCHER = "Podglądacz"
SAID = "tajne słowo"
DEALS = 4
Samples = dict[str, float]


@dataclass
class Seen:
    """A finished match, and all that an operator could have seen of it."""

    wires: list[Wire]
    table: str
    lines: list[LogLine]
    log: str
    page: str
    samples: Samples

    @property
    def log_lines(self) -> list[dict[str, Any]]:
        """The log's lines."""
        return [json.loads(line) for line in self.log.splitlines()]

    def of(self, event: str) -> list[dict[str, Any]]:
        """The lines of one kind."""
        return [line for line in self.log_lines if line["event"] == event]


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def errors(wires: list[Wire]) -> list[tuple[str, str]]:
    """The code and the command's id of everything that was refused, as the players heard it."""
    return sorted(
        (message["code"], f"{wire.player}/{wire.instance}#{message['id']}")
        for wire in wires
        for message in wire.heard
        if message["type"] == "error" and message["id"] is not None
    )


def parsed(page: str) -> Samples:
    """Values by name and label values."""
    families = text_string_to_metric_families(page)
    samples = (one for family in families for one in family.samples)
    return {" ".join([one.name, *one.labels.values()]): one.value for one in samples}


async def metrics_page(port: int, wanted: Callable[[Samples], bool]) -> str:
    """The page of metrics, once it is as wanted: it follows what happens by a second."""
    async with asyncio.timeout(30):
        while True:
            page = await asyncio.to_thread(lambda: urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
            if wanted(parsed(page)):
                return str(page)
            await asyncio.sleep(0.1)


async def played(url: str) -> tuple[list[Wire], str]:
    """A private match to its end, with a watcher, talk, refused cards and bad frames."""
    players, table = await four_at_table(url, tuple(Encoding), options={"deals": DEALS})
    watcher = Wire(url, WATCHER, Encoding.JSON)
    await watcher.open()
    await watcher.ask("join", code=players[0].views[table]["own"]["code"], watch=True)
    await players[2].ask("say", table=table, text=SAID)
    while players[0].views[table]["public"]["stage"] != "over":
        for action in ("play QS", "nonsense QS"):
            if action not in players[1].views[table]["own"]["actions"]:
                await players[1].refused("act", table=table, action=action, prompt="1.1x")
        assert await step(players, table) is not None
    await watcher.refused("act", table=table, action="play QS", prompt="0.0")
    await players[3].answer(b"\xc1QS")
    return [*players, watcher], table


@pytest.fixture(scope="module")
async def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    port = free_port()
    settings = {"KOP_LOG": "debug", "KOP_METRICS_PORT": str(port)}
    server = ServerProcess(tmp_path_factory.mktemp("lookout"), settings).start()
    wires, table = await played(server.url)
    lines = server.entries(table)
    refused = len(errors(wires))

    def complete(now: Samples) -> bool:
        told = sum(value for name, value in now.items() if name.startswith("kop_commands_refused_total"))
        return told == refused and now["kop_records_saved_total"] == DEALS

    page = await metrics_page(port, complete)
    for wire in wires:
        await wire.close()
    server.stop()
    return Seen(wires, table, lines, server.log, page, parsed(page))


async def test_the_log_follows_each_command(seen: Seen) -> None:
    """At `debug`: every entry once, with table, version and the command's id; every refusal with its code."""
    accepted = {line["version"]: line for line in seen.of("accepted")}
    assert len(accepted) == len(seen.of("accepted"))
    assert sorted(accepted) == [line.version for line in seen.lines]
    for line in seen.lines:
        logged = accepted[line.version]
        assert logged["table"] == seen.table
        assert logged["command"] == (f"{line.client}#{line.number}" if line.client else None)
        assert logged["process"] > 0
    refused = sorted((line["code"], line["command"]) for line in seen.of("refused"))
    assert refused == errors(seen.wires)
    assert {line["table"] for line in seen.of("refused")} == {seen.table}


async def test_neither_log_nor_figures_tell_what_is_secret(seen: Seen) -> None:
    """No card, action, name, text, token, code or secret at the level of debug; in the figures no id either."""
    ledger = Ledger.of(seen.lines)
    assert ledger.code is not None
    secrets = [WATCHER, "Player ", SAID, "nonsense", ledger.code, "play ", "ready "]
    for wire in seen.wires:
        assert wire.token is not None
        secrets += [wire.token, hashlib.sha256(wire.token.encode()).hexdigest()]
    for text, ids in ((seen.log, []), (seen.page, [seen.table, *(wire.player for wire in seen.wires)])):
        raw = text.encode()
        assert CARD.findall(raw) == []
        assert [one for one in [*secrets, *ids] if one in text or json.dumps(one)[1:-1] in text] == []
        assert not any(writing in raw for secret in ledger.secrets for writing in writings(secret))


async def test_the_figures_are_true(seen: Seen) -> None:
    """Connections, readers, entries and refusals by code are what the players and the log of the table say."""
    samples = seen.samples
    assert samples["kop_connections"] == len(seen.wires) == samples["kop_readers"]
    assert (samples["kop_watchers"], samples["kop_tables"], samples["kop_store_away"]) == (1, 1, 0)
    assert samples["kop_commands_accepted_total player"] == sum(bool(line.client) for line in seen.lines)
    assert samples["kop_commands_accepted_total server"] == sum(not line.client for line in seen.lines)
    for code, number in Counter(code for code, _ in errors(seen.wires)).items():
        assert samples[f"kop_commands_refused_total {code}"] == number
    assert samples["kop_bad_frames_total undecodable"] == 1
    assert samples["kop_append_group_size_sum"] == len(seen.lines)
    assert samples["kop_append_seconds_count"] == samples["kop_append_group_size_count"] > 0
    assert samples["kop_loop_lag_seconds_count"] > 0
    assert samples["kop_processes"] == 1


async def test_labels_come_from_closed_sets(seen: Seen) -> None:
    """Codes of errors, bounds, two words, and the version."""
    allowed = {"code": {*ErrorCode, "other"}, "by": {"player", "server"}}
    for name, text in re.findall(r'(\w+)="([^"]*)"', seen.page):
        if name == "version":
            assert re.fullmatch(r"[0-9a-z.+]+|unknown", text)
        elif name == "le":
            float(text)
        else:
            assert text in allowed[name]


@pytest.fixture
def taken() -> Iterator[int]:
    """A port on which somebody listens."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield other.getsockname()[1]


def test_a_taken_port_is_a_line_in_the_log(tmp_path_factory: pytest.TempPathFactory, taken: int) -> None:
    """The server starts all the same."""
    server = ServerProcess(tmp_path_factory.mktemp("taken"), {"KOP_METRICS_PORT": str(taken)}).start()
    server.stop()
    (line,) = [json.loads(line) for line in server.log.splitlines()]
    assert line["level"] == "warning"
    assert f"no metrics: port {taken} of 127.0.0.1" in line["event"]
