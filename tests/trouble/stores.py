"""A Valkey of an operator's own, on a port that it keeps: killed, stopped, filled, and put back to an older state."""

import contextlib
import os
import resource
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import redis

from server.store.binary import find_server_program
from server.table import codec
from server.table.codec import LogLine


class ForeignValkey:
    """A Valkey that loses nothing which it has answered; `settings` are options of its command line."""

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)
        self.port = _free_port()
        self._settings = {"appendonly": "yes", "appendfsync": "always", "save": "", **settings}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """What goes into `KOP_REDIS_URL`."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def pid(self) -> int:
        """The process id."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> "ForeignValkey":
        """Starts it and waits until it answers."""
        options = {
            "port": str(self.port),
            "bind": "127.0.0.1",
            "dir": str(self.folder),
            "auto-aof-rewrite-percentage": "0",
            **self._settings,
        }
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        with (self.folder / "valkey.log").open("ab") as log:
            self._process = subprocess.Popen(
                [str(find_server_program()), *words], stdout=log, preexec_fn=_survive_a_full_disk
            )
        while True:
            with contextlib.suppress(redis.ConnectionError, redis.BusyLoadingError), self.client() as client:
                client.ping()
                return self

    def kill(self) -> None:
        """Ends it with kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """A clean end, also if it stands still."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(20)
            self._process = None

    def client(self) -> "redis.Redis":
        """A client; to be closed."""
        return redis.Redis(port=self.port)

    def fill(self) -> None:
        """No memory is left: every write is refused."""
        with self.client() as client:
            memory: Any = client.info("memory")
            client.config_set("maxmemory", memory["used_memory"] // 2)

    def make_room(self) -> None:
        """There is memory again."""
        with self.client() as client:
            client.config_set("maxmemory", 0)

    def demote(self) -> None:
        """It is a replica now, of a server that does not answer: every write is refused."""
        with self.client() as client:
            client.replicaof("127.0.0.1", 1)

    def promote(self) -> None:
        """It takes writes again."""
        with self.client() as client:
            client.replicaof("NO", "ONE")

    def copy(self, to: Path) -> None:
        """Keeps what is on its disk now."""
        shutil.copytree(self.folder, to)

    def put_back(self, kept: Path) -> None:
        """What was kept is on its disk again; it must not run."""
        assert self._process is None
        shutil.rmtree(self.folder)
        shutil.copytree(kept, self.folder)

    def written(self) -> dict[str, list[LogLine]]:
        """Every entry that was ever stored, by table and in order, out of its append-only file."""
        return written(self.folder)


@contextlib.contextmanager
def foreign_valkey(folder: Path, **settings: str) -> Iterator[ForeignValkey]:
    """One that runs, and is ended however the block ends."""
    valkey = ForeignValkey(folder, **settings).start()
    try:
        yield valkey
    finally:
        valkey.stop()


def limit_files(pid: int, most: int | None) -> None:
    """No file of a process may grow beyond so many bytes, as on a full disk; None: they may again."""
    _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard if most is None else most, hard))


def longest_file(folder: Path) -> int:
    """The bytes in the longest append-only file of a Valkey."""
    return max(file.stat().st_size for file in (folder / "appendonlydir").iterdir())


def written(folder: Path) -> dict[str, list[LogLine]]:
    """Every entry that was ever appended in a Valkey's data folder, though a snapshot has cut it off since."""
    lines: dict[str, list[LogLine]] = {}
    for file in sorted((folder / "appendonlydir").glob("*.incr.aof"), key=_number):
        for command in _commands(file.read_bytes()):
            if command[0].upper() == b"XADD":
                table = command[1].decode().partition("{")[2].partition("}")[0]
                version = next(int(word[:-2]) for word in command[2:] if word.endswith(b"-0"))
                game = lines[table][0].events[0].game if table in lines else None
                lines.setdefault(table, []).append(codec.decode(version, command[-1], game))
    return lines


def _number(file: Path) -> int:
    return int(file.name.split(".")[-3])


def _commands(data: bytes) -> Iterator[list[bytes]]:
    """The commands in an append-only file; one that a crash has cut off ends it."""
    place = 0

    def line() -> bytes:
        nonlocal place
        end = data.index(b"\r\n", place)
        found, place = data[place:end], end + 2
        return found

    with contextlib.suppress(ValueError):
        while place < len(data):
            head = line()
            if head.startswith(b"#"):  # a time stamp
                continue
            words = []
            for _ in range(int(head[1:])):
                size = int(line()[1:])
                words.append(data[place : place + size])
                place += size + 2
            yield words


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def _survive_a_full_disk() -> None:
    """A write beyond the limit of `limit_files` fails, as on a full disk, and does not end the process."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
