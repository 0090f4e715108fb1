"""What the kernel knows of other processes: CPU time, memory, open files, threads.

From /proc where there is one, else (macOS) from `ps`, which knows no private memory: then it is the resident size.
"""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
HAS_PROC = (PROC / "self" / "stat").exists()
KIB = 1024
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Stat:
    """Of /proc/PID/stat: the parent, and the ticks of CPU time, user and system."""

    parent: int
    ticks: int
    threads: int


@dataclass(frozen=True, slots=True)
class Holding:
    """What a process holds now: private memory in bytes, open files, threads."""

    private: int
    files: int
    threads: int


def parse_stat(text: str) -> Stat:
    """What /proc/PID/stat says; the name in it may hold blanks and brackets."""
    fields = text.rpartition(")")[2].split()
    return Stat(int(fields[1]), int(fields[11]) + int(fields[12]), int(fields[17]))


def parse_private(text: str) -> int:
    """Bytes that belong to this process alone, of /proc/PID/smaps_rollup: its unique set size."""
    sizes = dict(line.split(":", 1) for line in text.splitlines() if line.startswith("Private_"))
    return sum(int(size.split()[0]) for size in sizes.values()) * KIB


def parse_cputime(text: str) -> float:
    """Seconds of the CPU time that `ps` prints: `[days-][hours:]minutes:seconds`."""
    days, _, time = text.strip().rpartition("-")
    seconds = 0.0
    for part in time.split(":"):
        seconds = 60 * seconds + float(part)
    return seconds + 86_400 * int(days or 0)


def descendants(parents: dict[int, int], root: int) -> set[int]:
    """A process and all its children's children, by the parent of each."""
    found = {root}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def cpu_seconds(root: int) -> float:
    """User and system time of a process and of its living descendants."""
    if not HAS_PROC:
        lines = [line.split() for line in _ps("-axo", "pid=,ppid=,cputime=")]
        times = {int(pid): parse_cputime(time) for pid, _, time in lines}
        family = descendants({int(pid): int(parent) for pid, parent, _ in lines}, root)
        return sum(times[pid] for pid in family)
    stats = _stats()
    return sum(stats[pid].ticks for pid in descendants({pid: one.parent for pid, one in stats.items()}, root)) / _TICKS


def holding(pid: int) -> Holding:
    """What one process holds, without its descendants."""
    if not HAS_PROC:
        return Holding(int(_ps("-o", "rss=", "-p", str(pid))[0]) * KIB, 0, 0)
    place = PROC / str(pid)
    stat = parse_stat((place / "stat").read_text())
    return Holding(parse_private((place / "smaps_rollup").read_text()), len(os.listdir(place / "fd")), stat.threads)


def _stats() -> dict[int, Stat]:
    found: dict[int, Stat] = {}
    for place in PROC.iterdir():
        if place.name.isdigit():
            try:
                found[int(place.name)] = parse_stat((place / "stat").read_text())
            except (FileNotFoundError, ProcessLookupError):
                continue  # it has just ended
    return found


def _ps(*arguments: str) -> list[str]:
    return subprocess.run(["ps", *arguments], check=True, capture_output=True, text=True).stdout.splitlines()
