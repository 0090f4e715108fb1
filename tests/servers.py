"""Real server processes for tests: started on a free port with their own data folder, killed, restarted."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import redis

from server.table import codec
from server.table.codec import LogLine

Message = dict[str, Any]

OPEN_LIMITS = {
    "KOP_LIMIT_MESSAGES_PER_SECOND": "100000",
    "KOP_LIMIT_MESSAGES_BURST": "100000",
    "KOP_LIMIT_ADDRESS_MESSAGES_PER_SECOND": "1000000",
    "KOP_LIMIT_ADDRESS_MESSAGES_BURST": "1000000",
    "KOP_LIMIT_PER_ADDRESS": "5000",
    "KOP_LIMIT_GREETINGS_PER_SECOND": "100000",
    "KOP_LIMIT_GREETINGS_BURST": "100000",
    "KOP_LIMIT_PLAYERS_PER_ADDRESS_HOUR": "1000000",
    "KOP_LIMIT_PLAYERS_PER_SECOND": "100000",
    "KOP_LIMIT_TABLES_PER_PLAYER_HOUR": "100000",
    "KOP_LIMIT_TABLES_PER_ADDRESS_HOUR": "100000",
    "KOP_LIMIT_TABLES_PER_SECOND": "100000",
    "KOP_LIMIT_WATCHERS_SAYINGS_PER_SECOND": "100000",
    "KOP_LIMIT_WATCHERS_SAYINGS_BURST": "100000",
    "KOP_LIMIT_SAYINGS_PER_SECOND": "100000",
    "KOP_LIMIT_SAYINGS_BURST": "100000",
}
"""Limits that no test meets by accident; a test of a limit sets its own."""


class ServerProcess:
    """A `kop-server serve` with an embedded store in `folder`; it keeps its port over restarts."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self._environment = {**os.environ, **OPEN_LIMITS, "KOP_METRICS_PORT": "0", **(environment or {})}
        self._environment.pop("KOP_REDIS_URL", None)
        if environment:
            self._environment.update(environment)

    @property
    def url(self) -> str:
        """The address of the websocket."""
        return f"ws://127.0.0.1:{self.port}/ws"

    @property
    def log(self) -> str:
        """Everything the server has logged."""
        return (self.folder / "server.log").read_text()

    @property
    def faults(self) -> list[Message]:
        """The lines of the log that tell of errors."""
        lines = [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]
        return [line for line in lines if line["level"] in ("error", "critical")]

    def start(self) -> "ServerProcess":
        """Starts it and waits until it listens."""
        self.folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "server.main", "serve", "--port", str(self.port)]
        command += ["--data-dir", str(self.folder / "data")]
        with (self.folder / "server.log").open("a") as log:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self._environment
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, f"the server did not start: {self.log}"
        self.port = int(line.rsplit(":", 1)[1].strip("/\n"))
        return self

    def kill(self) -> None:
        """Ends it with kill -9: no farewell, no clean-up."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """A clean end, with SIGTERM."""
        self._end(signal.SIGTERM)

    def _end(self, number: int) -> None:
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(20)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self.process is not None
        return self.process.pid

    @property
    def valkey_pid(self) -> int:
        """The process id of its embedded Valkey."""
        return int(json.loads((self.folder / "data" / "valkey.lock").read_text())["pid"])

    def store(self) -> "redis.Redis":
        """A client of the embedded Valkey, to look at what is kept; to be closed."""
        noted = json.loads((self.folder / "data" / "valkey.lock").read_text())
        return redis.Redis(unix_socket_path=noted["socket"])

    def entries(self, table: str, game: str = "kop") -> list[LogLine]:
        """The whole log of a table of this game."""
        with self.store() as store:
            lines: Any = store.xrange(f"kop:{{{table}}}:log")
        return [codec.decode(int(stream_id.split(b"-")[0]), fields[b"b"], game) for stream_id, fields in lines]
