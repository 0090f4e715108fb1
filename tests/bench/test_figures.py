"""The arithmetic of the bench."""

import pytest

from tests.bench.cores import Cores, shared_out
from tests.bench.figures import Row, Spread, percentile, ratios, rounded, written
from tests.bench.line import masked, split
from tests.bench.processes import descendants, parse_cputime, parse_private, parse_stat
from tests.bench.report import with_figures
from tests.bench.soak import Sample, counted, faults, kind_of, passing


def test_a_percentile_is_the_least_value_that_the_share_does_not_exceed() -> None:
    """Nearest rank: of a hundred values, p99 is the ninety-ninth."""
    values = [float(value) for value in range(1, 101)]
    assert [percentile(values, share) for share in (0.0, 0.5, 0.95, 0.99, 1.0)] == [1, 50, 95, 99, 100]
    assert percentile([7.0], 0.99) == 7.0


def test_a_spread_has_median_minimum_and_maximum() -> None:
    """Over the rounds, in whatever order they came."""
    assert Spread.of([3.0, 1.0, 2.0]) == Spread(2.0, 1.0, 3.0)


def test_ratios_are_taken_round_by_round() -> None:
    """Each round has its own quotient; a lost round is no quotient."""
    assert ratios([2.0, 3.0], [1.0, 2.0]) == [2.0, 1.5]
    with pytest.raises(ValueError, match="shorter"):
        ratios([1.0, 2.0], [1.0])


@pytest.mark.parametrize(
    ("least", "most", "kept"), [(None, None, None), (1.3, None, True), (2.0, None, False), (None, 1.4, False)]
)
def test_the_median_keeps_the_budget_or_not(least: float | None, most: float | None, kept: bool | None) -> None:
    """At least, at most, or no budget at all; the row comes back out of the file as it went in."""
    row = Row("key", "text", "×", Spread(1.5, 1.0, 2.0), least=least, most=most)
    assert row.kept is kept
    assert Row.read(row.plain()) == row


def test_figures_are_written_with_the_digits_that_mean_something() -> None:
    """Three for people, four for files."""
    assert [written(value) for value in (12345.6, 123.4, 12.34, 12.0, 1.234, 0.0)] == [
        "12,346", "123", "12.3", "12", "1.23", "0",
    ]  # fmt: skip
    assert [rounded(value) for value in (12345.6, 1.23456, 0.0)] == [12346, 1.235, 0]


def test_stat_is_read_past_a_name_with_brackets() -> None:
    """The name of a process may hold blanks and brackets."""
    line = "42 (kop (server) x) S 7 42 42 0 -1 4194304 1 2 3 4 150 50 9 9 20 0 3 0 100 1000 10"
    stat = parse_stat(line)
    assert (stat.parent, stat.ticks, stat.threads) == (7, 200, 3)


def test_private_memory_is_what_no_other_process_shares() -> None:
    """Clean and dirty private pages; shared ones and the resident size do not count."""
    text = (
        "5600-7ffd ---p 0 0 0 [rollup]\nRss: 900 kB\nShared_Clean: 500 kB\nPrivate_Clean: 8 kB\nPrivate_Dirty: 92 kB\n"
    )
    assert parse_private(text) == 100 * 1024


@pytest.mark.parametrize(("text", "seconds"), [("0:01.50", 1.5), (" 1:02:03.5", 3723.5), ("2-00:00:01", 172_801.0)])
def test_cpu_time_of_ps_is_read(text: str, seconds: float) -> None:
    """With hours and days or without."""
    assert parse_cputime(text) == seconds


def test_descendants_are_children_and_theirs() -> None:
    """And nobody else's."""
    assert descendants({1: 0, 2: 1, 3: 2, 4: 3, 5: 1}, 2) == {2, 3, 4}


def test_the_server_gets_a_core_of_its_own_if_there_are_two() -> None:
    """The last one; a single core is shared."""
    assert shared_out(frozenset({0, 1, 2})) == Cores(frozenset({2}), frozenset({0, 1}))
    assert shared_out(frozenset({0})) == Cores(frozenset({0}), frozenset({0}))


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 70_000])
def test_frames_are_split_wherever_the_bytes_were_cut(size: int) -> None:
    """Short, medium and long frames; what is not whole is kept."""
    head = {0: b"\x82\x00", 125: b"\x82\x7d", 126: b"\x82\x7e\x00\x7e", 65_535: b"\x82\x7e\xff\xff"}
    frame = head.get(size, b"\x82\x7f" + size.to_bytes(8)) + b"x" * size
    assert split(frame + frame) == ([(0x82, b"x" * size)] * 2, b"")
    for cut in {1, 2, 3, len(frame) - 1} & set(range(1, len(frame))):
        assert split(frame[:cut]) == ([], frame[:cut])


def test_a_mask_of_zeros_leaves_the_payload_as_it_is() -> None:
    """A client's frame has to be masked; this costs nothing."""
    assert masked(b"ab") == b"\x82\x82\0\0\0\0ab"
    assert masked(b"x" * 200) == b"\x82\xfe\x00\xc8\0\0\0\0" + b"x" * 200


def test_the_figures_replace_those_between_the_marks() -> None:
    """The words around them stay; a second run replaces the first."""
    page = "# Bench\n<!-- figures -->\nold\n<!-- end of figures -->\nmore\n"
    machine = {"system": "Linux", "processor": "one", "cores": 2, "pinned": "pinned", "python": "3.11"}
    row = Row("key", "moves", "1/s", Spread(2.0, 1.0, 3.0), least=1.0)
    part = {"title": "Moves", "machine": machine, "rows": [row.plain()], "notes": ["a note"], "errors": {}}
    once = with_figures(page, {"moves": part})
    assert "old" not in once
    assert "| moves | 2 | 1 to 3 | 1/s | ≥ 1: kept |" in once
    assert once.startswith("# Bench\n")
    assert once.endswith("<!-- end of figures -->\nmore\n")
    assert with_figures(once, {"moves": part}) == once


def test_keys_are_counted_by_what_they_hold() -> None:
    """Those of tables have to go; those of players, codes and records have a time of their own."""
    keys = ["kop:{abc}:log", "kop:{abc}:snap", "kop:{def}:log", "kop:player:12", "kop:record:abc-1-1", "kop:lobby"]
    kinds = counted(keys)
    assert kinds == {"log": 2, "snap": 1, "player": 1, "record": 1, "lobby": 1}
    assert passing(kinds) == 4
    assert kind_of("kop:{2026-11-30:zopf}:ranking") == "ranking"


def test_a_soak_is_level_only_if_everything_has_come_back() -> None:
    """A tenth more memory and a few files are slack; one key is none."""
    baseline = Sample(0.0, private=1000, files=10, threads=2, keys=0)
    assert faults(baseline, Sample(1.0, private=1100, files=14, threads=4, keys=0)) == []
    assert len(faults(baseline, Sample(1.0, private=1101, files=15, threads=5, keys=1))) == 4
