"""Jobs for the thinking pool, and a server that does nothing but think: `python -m tests.runtime.jobs JOB LINE`.

A line is a named pipe. A job that holds one has written its process id into it, and keeps it open
to its end: who reads the line knows when the job began, and by the end of file when its process died.
"""

import asyncio
import itertools
import os
import signal
import sys
from pathlib import Path
from typing import IO

from server.runtime.thinking import ThinkingPool


def add(first: int, second: int) -> int:
    """A quick job."""
    return first + second


def held(line: str) -> IO[str]:
    """The line, with this process's id in it."""
    opened = Path(line).open("w")  # noqa: SIM115  it stays open to the end of the job
    opened.write(f"{os.getpid()}\n")
    opened.flush()
    return opened


def busy(line: str) -> None:
    """A job without an end."""
    with held(line):
        while True:
            pass


def compiled(line: str) -> None:
    """A job without an end that never lets go of the interpreter, as compiled code does."""
    with held(line):
        sum(itertools.repeat(0))


def listen(line: str) -> str:
    """A job that lasts until somebody has written a text into the line."""
    return Path(line).read_text()


def fail() -> None:
    """A job that raises."""
    raise ValueError("no such card")


def leave() -> None:
    """A job that ends its process."""
    sys.exit("enough")


def odd() -> object:
    """A job whose result cannot be sent."""
    return (number for number in range(3))


def facts() -> tuple[int, int, bool, bool, list[str]]:
    """Process id, niceness, whether Ctrl-C is ignored, whether the preload is there, what files are open."""
    files = [os.readlink(file) for file in Path("/proc/self/fd").iterdir() if int(file.name) > 2 and file.is_symlink()]
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return os.getpid(), os.nice(0), ignored, "colorsys" in sys.modules, files


async def serve(job: str, line: str) -> None:
    """Thinks until it is killed."""
    await ThinkingPool(1).think({"busy": busy, "compiled": compiled}[job], line, who="Ola", seconds=600)


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2]))
