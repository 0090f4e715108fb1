"""Runs of the load generators against servers, and what they cost these."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.bench.cores import Cores, on
from tests.bench.figures import percentile
from tests.bench.processes import cpu_seconds
from tests.bench.servers import Served


@dataclass(frozen=True, slots=True)
class Run:
    """What happened in a window of time, and the CPU time that the servers took for it."""

    moves: int
    overtaken: int
    errors: tuple[str, ...]
    seconds: float
    cpu_seconds: float
    delays: tuple[float, ...]
    """Seconds from each move to the mover's new view, in order of size."""

    @property
    def per_cpu_second(self) -> float:
        """Moves per CPU second of the servers, user and system."""
        return self.moves / self.cpu_seconds

    @property
    def cpu_micros(self) -> float:
        """CPU time of the servers for a move, in µs."""
        return 1e6 * self.cpu_seconds / self.moves

    @property
    def per_second(self) -> float:
        """Moves per second."""
        return self.moves / self.seconds

    @property
    def busy(self) -> float:
        """How busy the servers' core was, 0 to 1."""
        return self.cpu_seconds / self.seconds

    def millis(self, share: float) -> float:
        """The delay that this share of the moves did not exceed, in ms."""
        return 1000 * percentile(self.delays, share)


class Load:
    """The load generators, with four players at each table; `with Load(...) as load`, then `window` and `pace`."""

    def __init__(self, servers: Sequence[Served], tables: int, cores: Cores, canned: Path | None = None) -> None:
        self._servers = servers
        shares = [tables // cores.generators + (place < tables % cores.generators) for place in range(cores.generators)]
        self._processes: list[subprocess.Popen[str]] = []
        urls = [one.url for one in servers]
        kind, more = ("kop", urls) if canned is None else ("floor", [*urls, str(canned)])
        first = 1
        with on(cores.others):
            for share in filter(None, shares):
                command = [sys.executable, "-m", "tests.bench.load", kind, str(first), str(share), *more]
                self._processes.append(
                    subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                )
                first += share

    def __enter__(self) -> Self:
        for line in self._heard():
            assert line == "ready\n", f"a load generator did not start: {line!r}"
        self._tell("go")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        for process in self._processes:
            process.communicate()

    def pace(self, rate: float) -> None:
        """From now on so many moves per second in all."""
        self._tell(f"pace {rate / len(self._processes)}")

    def window(self, warm: float, seconds: float) -> Run:
        """What happens in so many seconds, after some that do not count."""
        time.sleep(warm)
        self._tell("mark")
        self._heard()
        before = self._cpu_seconds()
        time.sleep(seconds)
        spent = self._cpu_seconds() - before
        self._tell("report")
        figures: list[dict[str, Any]] = [json.loads(line) for line in self._heard()]
        return Run(
            moves=sum(one["moves"] for one in figures),
            overtaken=sum(one["overtaken"] for one in figures),
            errors=tuple(code for one in figures for code in one["errors"]),
            seconds=max(one["seconds"] for one in figures),
            cpu_seconds=spent,
            delays=tuple(sorted(delay for one in figures for delay in one["delays"])),
        )

    def _cpu_seconds(self) -> float:
        return sum(cpu_seconds(one.pid) for one in self._servers)

    def _tell(self, order: str) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(f"{order}\n")
            process.stdin.flush()

    def _heard(self) -> list[str]:
        lines = []
        for process in self._processes:
            assert process.stdout is not None
            lines.append(process.stdout.readline())
        return lines
