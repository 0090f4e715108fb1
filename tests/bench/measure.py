"""Runs of the load generator against a server process, and what they cost it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Run:
    """What one run did, and the CPU time that the server process took for it."""

    moves: int
    errors: tuple[str, ...]
    matches: int
    seconds: float
    cpu_seconds: float
    p50_ms: float
    p99_ms: float

    @property
    def per_cpu_second(self) -> float:
        """Moves (or messages) per CPU second of the server process, user and system."""
        return self.moves / self.cpu_seconds

    @property
    def per_second(self) -> float:
        """Moves (or messages) per second."""
        return self.moves / self.seconds


def cpu_seconds(pid: int) -> float:
    """User and system time of a process, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def run(kind: str, url: str, pid: int, numbers: Sequence[int], length: float) -> Run:
    """One run with a generator process for each of `numbers` (tables, or clients that echo)."""
    command = [sys.executable, "-m", "tests.bench.clients", kind, url]
    pipe = subprocess.PIPE
    generators = [
        subprocess.Popen([*command, str(number), str(length)], stdin=pipe, stdout=pipe, text=True) for number in numbers
    ]
    try:
        for generator in generators:
            assert generator.stdout is not None
            assert generator.stdout.readline() == "ready\n"
        before = cpu_seconds(pid)
        for generator in generators:
            assert generator.stdin is not None
            generator.stdin.write("go\n")
            generator.stdin.flush()
        figures: list[dict[str, Any]] = []
        for generator in generators:
            assert generator.stdout is not None
            figures.append(json.loads(generator.stdout.readline()))
        spent = cpu_seconds(pid) - before
    finally:
        for generator in generators:
            generator.kill()
            generator.communicate()
    delays = sorted(delay for one in figures for delay in one["delays"])
    return Run(
        moves=sum(one["moves"] for one in figures),
        errors=tuple(code for one in figures for code in one["errors"]),
        matches=sum(one.get("over", 0) for one in figures),
        seconds=max(one["seconds"] for one in figures),
        cpu_seconds=spent,
        p50_ms=1000 * delays[len(delays) // 2],
        p99_ms=1000 * delays[len(delays) * 99 // 100],
    )


@contextmanager
def echo_server() -> Iterator[tuple[str, int]]:
    """A bare echo server in a process of its own: its address and process id."""
    command = [sys.executable, "-m", "tests.bench.floor"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"ws://127.0.0.1:{int(process.stdout.readline())}/ws", process.pid
    finally:
        process.communicate()
