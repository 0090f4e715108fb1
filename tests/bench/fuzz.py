"""The coverage-guided fuzzer: `make fuzz`, or `python -m tests.bench.fuzz --target session --seconds 300`.

Each target runs in a process of its own (`fuzz_engine`), for so many seconds at most. What is found is written
to a folder, with the command that plays it again. The exit code is 1 when something was found.
"""

import argparse
import importlib.util
import re
import subprocess
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from tests.fuzz.targets import TARGETS

WITHOUT: Final = (
    "The coverage-guided fuzzer needs atheris, which there is for Linux on x86-64 with Python 3.11 to 3.13.\n"
    "Without it, `make test-long` fuzzes the same targets by chance."
)
PROGRESS_EVERY: Final = 10.0
_STATUS: Final = re.compile(r"#(\d+)\s+(\w+)\s.*?cov: (\d+) ft: (\d+) corp: (\d+)")
_FOUND: Final = "FOUND "
_DONE: Final = "DONE "


@dataclass(slots=True)
class Progress:
    """How far a target is: executions, covered edges and features, inputs that are kept."""

    executions: int = 0
    first: int = 0
    covered: int = 0
    features: int = 0
    kept: int = 0

    def read(self, line: str) -> None:
        """Takes in a line of libFuzzer's."""
        status = _STATUS.search(line)
        if status is not None:
            self.executions, self.covered, self.features, self.kept = (int(status[at]) for at in (1, 3, 4, 5))
            if status[2] == "INITED":
                self.first = self.covered

    def __str__(self) -> str:
        """In words."""
        grown = f" ({self.covered - self.first:+} since the seeds)" if self.first else ""
        return (
            f"{self.executions:>9,} executions, {self.covered} edges{grown}, "
            f"{self.features} features, {self.kept} inputs kept"
        )


def fuzz(target: str, seconds: int, count: int, found: Path, corpus: Path) -> list[str]:
    """Runs a target; the files of what was found."""
    found.mkdir(parents=True, exist_ok=True)
    corpus.mkdir(parents=True, exist_ok=True)
    command = [
        sys.executable,
        "-m",
        "tests.bench.fuzz_engine",
        target,
        str(seconds),
        str(count),
        str(found),
        str(corpus),
    ]
    began = time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as engine:
        assert engine.stdout is not None
        progress, files, last = _follow(target, engine.stdout, began)
    print(f"{target}: {progress}, {time.monotonic() - began:.0f} s, {len(files)} faults")
    if engine.returncode != 0:
        print("".join(last))
        files.append(f"{target}: the fuzzer ended with {engine.returncode}")
    return files


def _follow(target: str, lines: IO[str], began: float) -> tuple[Progress, list[str], list[str]]:
    """Reads what the engine says, and tells how it goes; also the files that were found, and the last lines."""
    progress, files, last, told = Progress(), list[str](), list[str](), began
    for line in lines:
        last = [*last[-29:], line]
        progress.read(line)
        if line.startswith(_DONE):
            progress.executions = int(line.removeprefix(_DONE))
        if line.startswith(_FOUND):
            files.append(line.removeprefix(_FOUND).strip())
            print(f"{target}: a fault; again: python -m tests.bench.fuzz --target {target} --replay {files[-1]}")
        if time.monotonic() - told >= PROGRESS_EVERY:
            told = time.monotonic()
            print(f"{target}: {told - began:4.0f} s {progress}", flush=True)
    return progress, files, last


def replay(target: str, file: Path) -> int:
    """Plays one input; 1 if it fails."""
    try:
        TARGETS[target](file.read_bytes())
    except Exception:
        traceback.print_exc()
        return 1
    print("It does not fail.")
    return 0


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fuzz", description=__doc__)
    parser.add_argument("--target", choices=[*TARGETS, "all"], default="all")
    parser.add_argument("--seconds", type=int, default=60, help="at most so long for each target, beside its start")
    parser.add_argument("--count", type=int, default=0, help="at most so many executions of each target; 0: no bound")
    parser.add_argument("--found", type=Path, default=Path(".fuzz/found"), help="folder for what is found")
    parser.add_argument("--corpus", type=Path, help="folder in which inputs are kept for the next time")
    parser.add_argument("--replay", type=Path, help="play this input of --target again")
    given = parser.parse_args()
    if given.replay is not None:
        if given.target == "all":
            parser.error("--replay needs --target")
        return replay(given.target, given.replay)
    if importlib.util.find_spec("atheris") is None:
        print(WITHOUT)
        return 0
    found: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        for target in TARGETS if given.target == "all" else [given.target]:
            found += fuzz(target, given.seconds, given.count, given.found, (given.corpus or Path(scratch)) / target)
    print(f"{len(found)} faults found", *found, sep="\n  ")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
