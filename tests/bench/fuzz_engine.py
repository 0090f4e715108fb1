"""The fuzzer's own process: libFuzzer, by atheris, drives one target by the coverage of our code.

What raises is made small, written to a folder, and fuzzing goes on: one run can find several faults.
"""

import hashlib
import importlib
import os
import re
import sys
import time
import traceback
from pathlib import Path
from typing import Any, Final

MOST_TRIES: Final = 400
"""How often a target is run to make a finding smaller."""
MOST_FOUND: Final = 20
INSTRUMENTED: Final = ["protocol", "server", "tests.fuzz"]
"""Ours alone; what a message is made of counts too, since pydantic's own branches cannot be seen."""
MOST_BYTES: Final = {"codec": 1024, "log": 1200, "http": 400, "session": 240}

_OURS: Final = re.compile(r'File "[^"]*/server/[^"]*", line \d+')
Place = tuple[str, str, int]


class Finder:
    """Runs a target, and keeps one input for each place where it fails."""

    def __init__(self, name: str, run: Any, folder: Path) -> None:
        self._name = name
        self._run = run
        self._folder = folder
        self._seen: set[Place] = set()
        self.executions = 0

    def __call__(self, data: bytes) -> None:
        """One execution."""
        self.executions += 1
        place = self.fails(data)
        if place is not None and place not in self._seen and len(self._seen) < MOST_FOUND:
            self._seen.add(place)
            self._write(self.smaller(data, place))

    def fails(self, data: bytes) -> Place | None:
        """Where the target fails with these bytes, if it does."""
        try:
            self._run(data)
        except Exception as fault:
            return _place(fault)
        return None

    def smaller(self, data: bytes, place: Place) -> bytes:
        """Fewer bytes that fail at the same place."""
        tries, size = 0, max(1, len(data) // 2)
        while size and tries < MOST_TRIES:
            at = 0
            while at < len(data) and tries < MOST_TRIES:
                shorter = data[:at] + data[at + size :]
                tries += 1
                if self.fails(shorter) == place:
                    data = shorter
                else:
                    at += size
            size //= 2
        return data

    def _write(self, data: bytes) -> None:
        file = self._folder / f"{self._name}-{hashlib.sha256(data).hexdigest()[:12]}"
        file.write_bytes(data)
        try:
            self._run(data)
        except Exception:
            file.with_suffix(".txt").write_text(traceback.format_exc())
        print(f"FOUND {file}", flush=True)


def _place(fault: Exception) -> Place:
    last = traceback.extract_tb(fault.__traceback__)[-1]
    logged = _OURS.findall(str(fault))  # of a bug that was logged, where it was raised
    return type(fault).__name__, logged[-1] if logged else last.filename, last.lineno or 0


def main() -> None:
    """Arguments: target, seconds, executions (0: no bound), folder for findings, folder of seeds."""
    name, seconds, count, found, corpus = sys.argv[1:]
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=INSTRUMENTED):
        targets = importlib.import_module("tests.fuzz.targets")
        seeds = importlib.import_module("tests.fuzz.seeds")
    for number, seed in enumerate(seeds.of(name)):
        (Path(corpus) / f"seed-{number}").write_bytes(seed[: MOST_BYTES[name]])
    finder = Finder(name, targets.TARGETS[name], Path(found))
    flags = [f"-max_len={MOST_BYTES[name]}", "-rss_limit_mb=2048", "-timeout=60", f"-artifact_prefix={found}/"]
    if int(count):
        flags.append(f"-runs={count}")
    end = time.monotonic() + float(seconds)

    def once(data: bytes) -> None:
        if time.monotonic() >= end:  # libFuzzer looks at the time only between its own progress reports
            print(f"DONE {finder.executions}", flush=True)
            os._exit(0)
        finder(data)

    atheris.Setup([sys.argv[0], *flags, corpus], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
