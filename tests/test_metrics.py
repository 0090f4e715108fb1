"""Metrics say what was counted, added up over processes, with labels from closed sets."""

import asyncio
import dataclasses
import multiprocessing
import os
import socket
import threading
import urllib.request
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from protocol.errors import ErrorCode
from server import metrics
from server.configuration import Configuration
from server.endpoint.settings import Limits
from server.figures import FIGURES, Figures, Spread
from server.metrics import Meter, Present
from server.store.settings import StoreSettings

NOBODY = Present(connections=0, visitors=0, tables=0, readers=0, watchers=0, store_away=False)
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def configured(port: int) -> Configuration:
    """A server with this port for its metrics."""
    return Configuration(data_dir=Path("/nowhere"), limits=Limits(), store=StoreSettings(), metrics_port=port)


def read(port: int) -> Samples:
    """Every sample on the port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        return samples(text_string_to_metric_families(answer.read().decode()))


def samples(families: Iterable[Metric]) -> Samples:
    """Values by name and labels."""
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def value(found: Samples, name: str, **labels: str) -> float:
    """One sample."""
    return found[name, frozenset(labels.items())]


def test_a_spread_counts_as_prometheus_does() -> None:
    """A value at a bound is within it; what is over all bounds is counted too."""
    spread = Spread(1, 2, 5)
    for one in (0.5, 1, 1.5, 2, 5, 6):
        spread.note(one)
    assert (spread.counts, spread.total) == ([2, 2, 1, 1], 16)


def test_what_was_counted_is_added_once() -> None:
    """Two calls add each difference once; a histogram has its buckets, its sum and its count."""
    registry, figures = CollectorRegistry(), Figures()
    meter = Meter(registry, figures)
    for _ in range(2):
        figures.accepted += 3
        figures.accepted_own += 1
        figures.refused["stale"] += 2
        figures.refused["QS"] += 1
        figures.bad_frames["undecodable"] += 1
        figures.store_lost += 1
        figures.append_seconds.note(0.0008)
        figures.append_seconds.note(99.0)
        figures.group_sizes.note(7)
        meter.add(dataclasses.replace(NOBODY, connections=4, store_away=True))
    meter.add(dataclasses.replace(NOBODY, connections=5))
    found = samples(registry.collect())
    assert value(found, "kop_commands_accepted_total", by="player") == 6
    assert value(found, "kop_commands_accepted_total", by="server") == 2
    assert value(found, "kop_commands_refused_total", code="stale") == 4
    assert value(found, "kop_commands_refused_total", code="other") == 2
    assert value(found, "kop_bad_frames_total", code="undecodable") == 2
    assert value(found, "kop_store_lost_total") == 2
    assert value(found, "kop_append_seconds_bucket", le="0.0005") == 0
    assert value(found, "kop_append_seconds_bucket", le="0.001") == 2
    assert value(found, "kop_append_seconds_bucket", le="10.0") == 2
    assert value(found, "kop_append_seconds_bucket", le="+Inf") == 4
    assert value(found, "kop_append_seconds_count") == 4
    assert value(found, "kop_append_seconds_sum") == pytest.approx(198.0016)
    assert value(found, "kop_append_group_size_sum") == 14
    assert value(found, "kop_connections") == 5
    assert value(found, "kop_store_away") == 0
    assert value(found, "kop_cpu_seconds_total") > 0
    assert value(found, "kop_start_time_seconds") > 1.7e9


def test_every_figure_is_published() -> None:
    """No figure is counted for nobody."""
    published = {*metrics._PLAIN, *metrics._BY_CODE, *metrics._BY_WHOM, *metrics._SPREADS}
    assert {one.name for one in dataclasses.fields(Figures)} == published
    assert {one.name for one in dataclasses.fields(Present)} == set(metrics._PRESENT)


def test_labels_come_from_closed_sets() -> None:
    """Whatever was counted under whatever word, a label is a known code, a bound, or one of our words."""
    registry, figures = CollectorRegistry(), Figures()
    for word in ("play QS", "0123ABCD", "Ola", *ErrorCode):
        figures.refused[word] += 1
        figures.bad_frames[word] += 1
    Meter(registry, figures).add(NOBODY)
    for family in registry.collect():
        for sample in family.samples:
            for label, text in sample.labels.items():
                match label:
                    case "code":
                        assert text in {*ErrorCode, "other"}
                    case "by":
                        assert text in ("player", "server")
                    case "le":
                        float(text)
                    case _:
                        assert (family.name, label) == ("kop_build_info", "version")


async def test_a_process_that_measures_itself_publishes_it() -> None:
    """The port answers while the block lasts; what was counted by its end is there."""
    port = free_port()
    before = FIGURES.floods
    with metrics.published(configured(port)):
        measuring = asyncio.get_running_loop().create_task(
            metrics.measure(lambda: dataclasses.replace(NOBODY, tables=3))
        )
        await asyncio.sleep(0)
        FIGURES.floods += 2
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
        found = await asyncio.to_thread(read, port)
    assert value(found, "kop_floods_closed_total") == before + 2
    assert value(found, "kop_tables") == 3
    with pytest.raises(OSError, match="refused"):
        read(port)


def test_a_port_that_is_taken_is_logged_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    """The block runs without metrics."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with metrics.published(configured(port)):
            pass
    (record,) = caplog.records
    assert (record.levelname, str(port) in record.getMessage()) == ("WARNING", True)


def test_without_a_port_there_are_none() -> None:
    """0 opens nothing and starts no thread."""
    threads = threading.active_count()
    with metrics.published(configured(0)):
        assert threading.active_count() == threads


def work(number: int, done: "multiprocessing.Queue[int]", leave: "multiprocessing.Queue[int]") -> None:
    """A process that has counted something, and goes on until it is killed."""
    figures = Figures(accepted=number, frozen=1)
    figures.refused["stale"] = number
    figures.append_seconds.note(0.003)
    meter = Meter(CollectorRegistry(), figures)
    meter.add(dataclasses.replace(NOBODY, connections=number))
    done.put(os.getpid())
    leave.get()


@pytest.fixture
def two_at_work() -> Iterator[tuple[Path, list[multiprocessing.process.BaseProcess]]]:
    """Two spawned processes that count in one folder: 10 and 32."""
    context = multiprocessing.get_context("spawn")
    with metrics.shared() as folder:
        done: multiprocessing.Queue[int] = context.Queue()
        leave: multiprocessing.Queue[int] = context.Queue()
        both = [context.Process(target=work, args=(number, done, leave), daemon=True) for number in (10, 32)]
        for one in both:
            one.start()
        for _ in both:
            done.get(timeout=60)
        yield folder, list(both)
        for one in both:
            one.kill()
            one.join()
        for queue in (done, leave):
            queue.close()
            queue.join_thread()
    assert not folder.exists()


def test_the_parent_adds_up_its_processes(
    two_at_work: tuple[Path, list[multiprocessing.process.BaseProcess]],
) -> None:
    """Counters and gauges of both; of one that died the counts stay, and what it had open is gone."""
    folder, (first, _) = two_at_work
    port = free_port()
    with metrics.published(configured(port), folder):
        found = read(port)
        assert value(found, "kop_commands_accepted_total", by="player") == 42
        assert value(found, "kop_commands_refused_total", code="stale") == 42
        assert value(found, "kop_append_seconds_bucket", le="0.005") == 2
        assert value(found, "kop_append_seconds_count") == 2
        assert value(found, "kop_connections") == 42
        assert value(found, "kop_processes") == 2
        assert first.pid is not None
        first.kill()
        first.join()
        metrics.ended(folder, first.pid)
        found = read(port)
        assert value(found, "kop_connections") == 32
        assert value(found, "kop_processes") == 1
        assert value(found, "kop_commands_accepted_total", by="player") == 42
        assert value(found, "kop_tables_frozen_total") == 2
